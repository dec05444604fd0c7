"""A game as it is played in text: who sits where, its states and moves so far, how it begins, and how it is kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from random import Random
from typing import TYPE_CHECKING, Any

from pipsight import __version__
from pipsight.dealing import solvable
from pipsight.opening import require, require_as_written
from pipsight.saving import save
from pipsight.trouble import PipsightError
from rules.course import decision
from rules.game import CHANCE, Game, Mover
from rules.games import game
from rules.players import Fills, SetsUp
from rules.puzzles import problem as find_problem
from rules.saved import BadSave, Made, SavedGame, dumps, loads, maker, replayed
from rules.words import listing

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from rules.course import Decision

YOU, PROGRAM = "you", "program"
LARGEST_SAVE = 1 << 24  # bytes


class CannotPlay(PipsightError, ValueError):
    """The command describes no game that could be played."""


@dataclass
class Sitting:
    """One game at this table.

    seats: YOU or PROGRAM by seat. seed: what chance and the program's luck are drawn by. typed: whether a person says
    what the dice show. start: the text that it began from. states: from the first to the one now; made: the moves
    between them. played_s: how far the clock has come, in a game that runs on one.
    """

    game: Game[Any, Any]
    seats: tuple[str, ...]
    seed: int
    start: str
    states: list[Any]
    made: list[Made] = field(default_factory=list)
    variant: str = ""
    typed: bool = False
    played_s: float = 0.0

    @property
    def state(self) -> Any:
        """The state now."""
        return self.states[-1]

    def chance(self, purpose: str) -> Random:
        """The luck of this very move: the same again after it was taken back, and in a game that goes on later."""
        return Random(f"{self.seed} {len(self.made)} {purpose}")

    def sits(self, seat: int) -> str:
        """Who sits there; a seat that nobody named is yours."""
        return self.seats[seat] if seat < len(self.seats) else YOU

    def asks(self, at: Decision[Any, Any]) -> bool:
        """Whether a person at the keyboard has to say what happens."""
        if at.who is CHANCE:
            return self.typed and self.game.to_move(self.state) is CHANCE
        return YOU in self.seats if isinstance(at.who, Mover) else self.sits(at.who) == YOU

    def play(self, moves: Iterable[Any], by: str = "") -> None:
        """Make moves one after the other; none of them if one is refused. Raises IllegalMove."""
        states, made = [self.state], list[Made]()
        for move in moves:
            made.append(Made(str(move), by or maker(self.game, states[-1])))
            states.append(self.game.play(states[-1], move))
        self.states += states[1:]
        self.made += made

    def take_back(self) -> bool:
        """Go back to where you were asked the last time; whether there was such a place."""
        for number in range(len(self.made) - 1, -1, -1):
            earlier = Sitting(self.game, self.seats, self.seed, self.start, self.states[: number + 1])
            earlier.typed = self.typed
            if earlier.asks(decision(self.game, earlier.state)):
                del self.states[number + 1 :], self.made[number:]
                return True
        return False

    def type_dice(self) -> None:
        """Let a person say what the dice show. Raises CannotPlay where nothing is rolled, and no draw is open."""
        rolls = any(piece.kind == "die" for piece in self.game.info.pieces) and type(self.game).chances != Game.chances
        if not rolls and not any(self.game.to_move(state) is CHANCE for state in self.states):
            raise CannotPlay(f"nothing is rolled in {self.game.info.title}: leave --dice typed out")
        self.typed = True

    def kept(self) -> SavedGame:
        """The game as it is saved."""
        notes = {"seats": list(self.seats), "seed": self.seed, "typed": self.typed}
        notes |= {"played_s": round(self.played_s, 3)} if self.played_s else {}
        return SavedGame(self.game.info.slug, self.start, tuple(self.made), self.variant, __version__, notes)

    def written(self) -> bytes:
        """The game as its file holds it."""
        return dumps(self.kept()).encode()

    def write(self, path: Path) -> None:
        """Save the game in a file, whole or not at all. Raises UnusableOutput."""
        save(path, self.written())


def begin(
    slug: str,
    players: int | None = None,
    seats: Sequence[str] = (),
    variant: str = "",
    seed: int = 1,
    problem: str | None = None,
    typed: bool = False,
) -> Sitting:
    """A new game. Raises CannotBegin or CannotPlay for what the game does not have, RulesError for a bad problem."""
    rules = game(slug)
    number = players or len(seats) or rules.info.players[0]
    require(rules, number, variant if problem is None else "")
    if problem is not None:
        state = find_problem(slug, problem)
        number = require_as_written(rules, state, problem, players, variant)
        state = rules.filled(state, Random(seed)) if isinstance(rules, Fills) else state
    elif isinstance(rules, SetsUp):
        state = rules.set_up(number, Random(seed), variant)
    else:
        state = solvable(rules, seed)
    sitting = Sitting(rules, _seated(rules, seats, number), seed, str(state), [state], [], variant)
    if typed:
        sitting.type_dice()
    return sitting


def _seated(rules: Game[Any, Any], seats: Sequence[str], players: int) -> tuple[str, ...]:
    """Who sits where: you and programs, if nobody said otherwise."""
    if strange := _strangers(seats):
        raise CannotPlay(f"--seats names you and program, parted by commas, not {strange}")
    if seats and len(seats) != players:
        raise CannotPlay(f"--seats names {len(seats)} of {players} players")
    return tuple(seats) or (YOU, *[PROGRAM] * (players - 1))


def _strangers(seats: Sequence[str]) -> str:
    """Those who sit there and are neither you nor the program, in words; "" where there is none."""
    return listing([f"'{name}'" for name in seats if name not in (YOU, PROGRAM)])


def saved_text(path: Path) -> str:
    """The text of a saved game's file. Raises BadSave where it cannot be read."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_SAVE + 1)
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise BadSave(f"{path} cannot be read: {error.strerror}.") from None
    except ValueError:
        raise BadSave(f"{path} is no saved game, for it is no text.") from None
    if len(data) > LARGEST_SAVE:
        raise BadSave(f"{path} is no saved game: it is too large.")
    return text


def resumed(path: Path) -> Sitting:
    """A saved game where it was left. Raises BadSave with the reason, and the move where it is about one."""
    try:
        kept = loads(saved_text(path))
        loaded = replayed(kept)
    except BadSave as bad:
        raise bad if str(bad).startswith(str(path)) else BadSave(f"{path}: {bad}") from None
    notes = kept.notes
    seats = notes.get("seats")
    named = tuple(str(name) for name in seats) if isinstance(seats, list) else (YOU,)
    if strange := _strangers(named):
        raise BadSave(f"{path}: The seats of a saved game are of you and program, not of {strange}.")
    seed = notes.get("seed")
    played_s = notes.get("played_s")
    return Sitting(
        loaded.game,
        named,
        seed if isinstance(seed, int) else 1,
        kept.start,
        list(loaded.states),
        list(kept.moves),
        kept.variant,
        notes.get("typed") is True,
        played_s if isinstance(played_s, float) and 0 <= played_s < inf else 0.0,
    )
