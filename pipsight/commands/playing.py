"""What `pipsight play` does: a game at the keyboard, begun or taken up, and kept."""

from __future__ import annotations

from dataclasses import dataclass
from random import SystemRandom
from typing import TYPE_CHECKING, NamedTuple

from pipsight.kept_games import kept_game, new_place, require_same
from pipsight.keyboard import line_is_there
from pipsight.leaving import interrupted_where_closed
from pipsight.places import resuming
from pipsight.playing import Play, Quit, summary
from pipsight.sitting import CannotPlay, Sitting, begin, resumed
from pipsight.trouble import in_words

if TYPE_CHECKING:
    from pathlib import Path

MOST_SEED = 10**6


class Asked(NamedTuple):
    """What a new game should be, as the command says it; None and "" for what it does not say."""

    players: int | None = None
    seats: tuple[str, ...] = ()
    variant: str = ""
    seed: int | None = None
    problem: str | None = None
    typed: bool = False


def played(slug: str | None, asked: Asked, limit_s: float, save: Path | None, resume: str | None) -> None:
    """Play a game at the keyboard, from its beginning or from where it was saved. Raises RulesError, PipsightError."""
    old = None if resume is None else kept_game(resume)
    sitting = _taken_up(old, slug, asked) if old else _begun(slug or "", asked)
    path = save or old
    if path:
        _require_room(path, old)
    kept = _Kept(sitting, path, path.read_bytes() if path and path.is_file() else b"")
    if path:
        sitting.write(path)  # nobody plays in vain: where that cannot be done the game does not begin
        kept.held = sitting.written()
    with interrupted_where_closed():
        try:
            _play(kept, limit_s)
        except (KeyboardInterrupt, OSError):  # the latter where the terminal, or whoever reads on, is gone
            kept.leave()
            raise


@dataclass
class _Kept:
    """A game and the file it is kept in; None until somebody leaves a game for which no file was named.

    held: what the file holds as far as this game knows.
    """

    sitting: Sitting
    path: Path | None
    held: bytes = b""

    def keep(self) -> None:
        """Save the game if it has a file."""
        if self.path:
            self._write(self.path)

    def leave(self) -> None:
        """Save the game in whatever case, and say where."""
        path = self._write(self.path or new_place(self.sitting.game))
        print(f"\n{summary(self.sitting)} Saved: {path}\nGo on with: {resuming(path)}")

    def _write(self, path: Path) -> Path:
        """Save the game and return where.

        Where it went on in another window meanwhile, that stays, and this one gets a file of its own; so it does where
        the folder went, or takes no more.
        """
        self.path, data = path, self.sitting.written()
        try:
            changed = path.is_file() and path.read_bytes() not in (self.held, data)
            trouble = f"{path} was changed meanwhile and stays as it is" if changed else ""
            if not changed:
                self.sitting.write(path)
        except OSError as error:
            trouble = in_words(error) or str(error)
        if trouble:
            self.path, self.held = new_place(self.sitting.game), b""
            self.sitting.write(self.path)
            print(f"{trouble}: this game is kept in {self.path} from now on.")
        self.held = data
        return self.path


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
        require_same(slug, sitting, str(path))
    if asked._replace(typed=False) != Asked():
        raise CannotPlay("a saved game goes on as it began: leave --players, --seats, --variant, --seed, --problem out")
    if asked.typed:
        sitting.type_dice()
    return sitting


def _require_room(path: Path, old: Path | None) -> None:
    """Raises CannotPlay at once where the game could not be saved, or another file than the old one's is there."""
    if path.is_file() and not (old and path.samefile(old)):
        raise CannotPlay(f"{path} is there already: choose another name, or go on by {resuming(path)}")
    if path.is_dir() or not path.parent.is_dir():
        raise CannotPlay(
            f"{path} cannot be written: {'it is a folder' if path.is_dir() else 'there is no such folder'}"
        )
