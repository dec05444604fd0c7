"""What `pipsight suggest` and `pipsight play` do: a position in, advice out; a game begun or taken up, and kept."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Any, NamedTuple

from pipsight.commands.solving import NOT_FOUND, Answer, NoPosition, Position, position, require_one, undecided
from pipsight.kept_games import kept_game, new_place
from pipsight.keyboard import line_is_there
from pipsight.leaving import interrupted_where_closed
from pipsight.playing import Play, Quit, summary
from pipsight.sitting import CannotPlay, Sitting, begin, resumed
from rules.engine import suggest, unadvised
from rules.game import Mover
from rules.games import game
from rules.players import Owes
from rules.watch import Watch

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_SEED = 10**6


class Asked(NamedTuple):
    """What a new game should be, as the command says it; None and "" for what it does not say."""

    players: int | None = None
    seats: tuple[str, ...] = ()
    variant: str = ""
    seed: int | None = None
    problem: str | None = None
    typed: bool = False


def position_of(slug: str, source: str | None, problem: str | None) -> Position:
    """The position to advise in: a saved game's last one, or as for a solution. Raises RulesError, NoPosition."""
    if source is None and problem is None:
        raise NoPosition("name a picture, a saved game or a --problem")
    if not source or Path(source).suffix.lower() != ".json":
        return position(slug, source, problem)
    require_one(source, problem)
    sitting = resumed(Path(source))
    _require_same(slug, sitting, source)
    return Position(sitting.game, sitting.state)


def advised(at: Position, seat: int | None, limit_s: float) -> Answer:
    """The moves to make, the best first, each with its sentence and its reason; or why there are none.

    seat: whose advice, from 1; None for whoever is to move. Raises NoPosition where it is another player's turn.
    """
    title, state = at.game.info.title, at.state
    if at.untold:
        return undecided(at)
    if ended := at.game.outcome(state):
        return Answer((f"{title}: the game is over. {ended.reason}",), NOT_FOUND)
    who = at.game.to_move(state)
    if seat is not None and not isinstance(who, Mover) and who != seat - 1:
        raise NoPosition(f"it is the turn of player {who + 1}, not of player {seat}")
    found = suggest(at.game, state, Watch(limit_s), Random(0))
    if seat is not None and isinstance(who, Mover):
        found = tuple(one for one in found if getattr(one.move, "seat", seat - 1) == seat - 1)
    owed = f" {at.game.owed(state)}" if isinstance(at.game, Owes) else ""
    if not found:
        return Answer((f"{title}: there is nothing to advise. {unadvised(at.game, state)}".rstrip(),), NOT_FOUND)
    return Answer((f"{title}:{owed or ' the next move.'}", *_lines(at.game, state, found)))


def _lines(rules: Any, state: Any, found: tuple[Any, ...]) -> Iterator[str]:
    who = rules.to_move(state)
    seen = state if isinstance(who, Mover) else rules.visible(state, who)
    width = max(len(str(one.move)) for one in found)
    for number, one in enumerate(found, 1):
        told = rules.describe(seen, one.move)
        what, _, sums = told.removesuffix(".").partition(": ")
        said = f"{what}: {one.reason}" if sums and one.reason.startswith(sums) else f"{told} {one.reason}"
        yield f"{number:3}. {one.move!s:{width}}  {said}".rstrip()


def played(slug: str | None, asked: tuple[Any, ...], limit_s: float, save: Path | None, resume: str | None) -> None:
    """Play a game at the keyboard, from its beginning or from where it was saved. Raises RulesError, PipsightError."""
    old = None if resume is None else kept_game(resume)
    sitting = _taken_up(old, slug, Asked(*asked)) if old else _begun(slug or "", Asked(*asked))
    path = save or old
    if path:
        _require_room(path, old)
    kept = _Kept(sitting, path)
    kept.keep()
    with interrupted_where_closed():
        try:
            _play(kept, limit_s)
        except KeyboardInterrupt:
            kept.leave()
            raise


@dataclass
class _Kept:
    """A game and the file it is kept in; None until somebody leaves a game for which no file was named."""

    sitting: Sitting
    path: Path | None

    def keep(self) -> None:
        """Save the game if it has a file."""
        if self.path:
            self.sitting.write(self.path)

    def leave(self) -> None:
        """Save the game in whatever case, and say where."""
        self.path = self.path or new_place(self.sitting.game)
        self.sitting.write(self.path)
        print(f"\n{summary(self.sitting)} Saved: {self.path}\nGo on with: pipsight play --resume {self.path}")


def _play(kept: _Kept, limit_s: float) -> None:
    """Play until the game is over or left; a closed window ends what is typed, and may interrupt the leaving."""
    try:
        Play(kept.sitting, input, print, limit_s, kept.keep, typed=line_is_there).run()
    except (Quit, EOFError):
        kept.leave()


def _begun(slug: str, asked: Asked) -> Sitting:
    seed = SystemRandom().randrange(MOST_SEED) if asked.seed is None else asked.seed
    return begin(slug, asked.players, asked.seats, asked.variant, seed, asked.problem, asked.typed)


def _taken_up(path: Path, slug: str | None, asked: Asked) -> Sitting:
    """A saved game; what it is cannot be changed any more, only who says what the dice show."""
    sitting = resumed(path)
    if slug:
        _require_same(slug, sitting, str(path))
    if asked._replace(typed=False) != Asked():
        raise CannotPlay("a saved game goes on as it began: leave --players, --seats, --variant, --seed, --problem out")
    sitting.typed = sitting.typed or asked.typed
    return sitting


def _require_same(slug: str, sitting: Sitting, source: str) -> None:
    if sitting.game.info.slug != slug:
        raise CannotPlay(f"{source} is a game of {sitting.game.info.title}, not of {game(slug).info.title}")


def _require_room(path: Path, old: Path | None) -> None:
    """Raises CannotPlay at once where the game could not be saved, or another file than the old one's is there."""
    if path.is_file() and not (old and path.samefile(old)):
        raise CannotPlay(f"{path} is there already: choose another name, or go on by pipsight play --resume {path}")
    if path.is_dir() or not path.parent.is_dir():
        raise CannotPlay(
            f"{path} cannot be written: {'it is a folder' if path.is_dir() else 'there is no such folder'}"
        )
