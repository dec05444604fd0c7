"""What every game is made of: the one protocol, and the small values that games answer with."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from random import Random
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar, runtime_checkable

from rules.board import Board, Cell
from rules.diagram import Diagram
from rules.domino import Domino
from rules.errors import RulesError
from rules.table import Doubt, Table
from rules.watch import Watch

S = TypeVar("S")
M = TypeVar("M")
S_contra = TypeVar("S_contra", contravariant=True)
S_co = TypeVar("S_co", covariant=True)
M_contra = TypeVar("M_contra", contravariant=True)
M_co = TypeVar("M_co", covariant=True)


class Mover(Enum):
    """Who moves when it is no one player: chance (a roll, a draw), or whoever is quickest."""

    CHANCE = "chance"
    ANYONE = "anyone"


Seat: TypeAlias = int
CHANCE = Mover.CHANCE
ANYONE = Mover.ANYONE


@dataclass(frozen=True)
class Expected:
    """How many pieces of one kind lie on a game's table: at least `least` at any time, and never more than `most`.

    by_color: whether its states know them by their colours. colors: what these are called, where a state is known.
    by_value: whether its states know dice by their numbers. values: what these show, where they stay as they lie.
    together: whether all of them lie there or none, as two dice that are rolled.
    """

    kind: Literal["die", "pawn", "token", "tetromino"]
    least: int
    most: int
    by_color: bool = False
    colors: tuple[str, ...] = ()
    by_value: bool = False
    values: tuple[int, ...] = ()
    together: bool = False


@dataclass(frozen=True)
class GameInfo:
    """What a player wants to know before a game.

    slug: its name in commands. players: the fewest and the most. set: the dominoes it takes, in words. needs: what
    else lies on the table. frame: "free" where the layout may lie anywhere and any way round, "board" where the cells
    have an origin of their own, "checkered" where an 8 x 8 checkered board gives them. pieces: what of it a camera
    looks for; nothing else there is a piece. hands: whether dominoes may lie face down before their players. complete:
    whether its end shows by itself that no domino of it is missing.
    """

    slug: str
    title: str
    players: tuple[int, int]
    set: str
    needs: tuple[str, ...] = ()
    frame: Literal["free", "board", "checkered"] = "free"
    pieces: tuple[Expected, ...] = ()
    hands: bool = False
    complete: bool = True


@dataclass(frozen=True)
class Problem:
    """Something that is wrong, in one sentence, and the cells of the table that it is about.

    unfinished: whether something only lacks that somebody may be about to lay, or may have in the hand.
    """

    text: str
    cells: tuple[Cell, ...] = ()
    unfinished: bool = False

    def moved(self, where: Callable[[Cell], Cell]) -> Problem:
        """The same sentence about the cells that `where` gives."""
        return replace(self, cells=tuple(where(cell) for cell in self.cells))


NOTHING = Problem("No domino lies face up on the grid.")


@dataclass(frozen=True)
class Hint:
    """A piece of help in one sentence, the cells it points at, and how much it gives away (1 least)."""

    text: str
    cells: tuple[Cell, ...] = ()
    level: int = 1


@dataclass(frozen=True)
class Outcome:
    """How a game ended: whether it was won (or solved), by which seats, each seat's score, and why."""

    won: bool
    winners: tuple[Seat, ...] = ()
    scores: tuple[int, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class Verdict:
    """The answer to "is this right?": all there is to say stands in problems and notes; cells are those of the table.

    state: "solved", "unsolved", or "undecided" where it hangs on tiles that were not read surely.
    problems: every fault that holds whatever the doubtful tiles read. doubts: the tiles that the verdict hangs on or
    that may hide further faults. notes: each of those doubts in a sentence. turn: quarter turns clockwise from the
    table to the printed problem, whose rows and columns the sentences count.
    """

    state: Literal["solved", "unsolved", "undecided"]
    problems: tuple[Problem, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    notes: tuple[Problem, ...] = ()
    turn: int = 0

    @classmethod
    def of(
        cls, problems: Iterable[Problem], doubts: Iterable[Doubt] = (), notes: Iterable[Problem] = (), turn: int = 0
    ) -> Verdict:
        """The verdict that sure faults and open doubts lead to: a fault decides, else a doubt leaves it open."""
        faults, unsure = tuple(problems), tuple(doubts)
        return cls("unsolved" if faults else "undecided" if unsure else "solved", faults, unsure, tuple(notes), turn)


@dataclass(frozen=True)
class Solution(Generic[M_co]):
    """What a search found out.

    moves: the moves that win, None where none were found. states_seen: the positions that were looked at.
    at_least: every solution has at least so many moves. proved: nothing is left to look at: if there are moves, no
    fewer will do; if there are none, the problem has no solution. why: the reason in a sentence, where it is another
    one than that all was looked at.
    """

    moves: tuple[M_co, ...] | None
    states_seen: int = 0
    at_least: int = 0
    proved: bool = False
    why: str = ""


@dataclass(frozen=True)
class Generated(Generic[S_co, M_co]):
    """A problem that was made up: its start, the text from which the game starts it anew, and a solution.

    text: what the game's `start` takes. interest: how interesting it seems, by a measure of the game's own; more is
    better. note: what makes it so, in a sentence, "" where there is nothing to say.
    """

    start: S_co
    text: str
    moves: tuple[M_co, ...]
    difficulty: str
    interest: float = 0.0
    note: str = ""


class IllegalMove(RulesError, ValueError):
    """A move that the rules forbid, in a sentence for the player, with the cells that it is about.

    told: the sentence, or a function that gives it, for a search refuses a thousand moves that nobody hears of.
    after: gives the state that the table would show if the move were made all the same; None where it cannot be made.
    """

    def __init__(self, told: str | Problem | Callable[[], Problem], after: Callable[[], Any] | None = None) -> None:
        self._told = told
        self._after = after

    @cached_property
    def problem(self) -> Problem:
        """The sentence and its cells."""
        told = self._told
        return Problem(told) if isinstance(told, str) else told if isinstance(told, Problem) else told()

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells to point at, as the state before the move counts them."""
        return self.problem.cells

    @property
    def after(self) -> Any:
        """The state that the table would show, None where there is no such state."""
        return self._after and self._after()

    def __str__(self) -> str:
        return self.problem.text


class UnreadableTable(RulesError, ValueError):
    """A table that is no state of the game; `problems` says why, with the cells to point at."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(" ".join(problem.text for problem in problems))
        self.problems = problems


class Game(Protocol[S, M]):
    """One game or puzzle. States and moves are frozen and hashable; `play` is the only place where a rule stands."""

    @property
    def info(self) -> GameInfo:
        """What to know before playing."""
        ...

    def read(self, table: Table, before: S | None = None) -> S:
        """The state that lies on the table; `before` carries what a camera cannot see (None: a first look).

        Raises UnreadableTable where the table is no state of this game.
        """
        ...

    def candidates(self, state: S) -> Iterable[M]:
        """Moves that may be legal: all the legal ones, and some more."""
        ...

    def play(self, state: S, move: M) -> S:
        """The state after a move. Raises IllegalMove with a sentence that says which rule forbids it."""
        ...

    def outcome(self, state: S) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        ...

    def describe(self, state: S, move: M) -> str:
        """A move in a sentence, to be said aloud."""
        ...

    def to_move(self, state: S) -> Seat | Mover:
        """Whose move it is: a seat from 0, CHANCE or ANYONE."""
        ...

    def chances(self, state: S) -> Iterable[tuple[M, float]]:
        """Where CHANCE moves: each move with its probability. Nothing is left to chance unless a game says so."""
        return ()

    def visible(self, state: S, seat: Seat) -> S:
        """What that seat knows of the state: all of it, unless a game says otherwise."""
        return state

    def agrees(self, expected: S, seen: S) -> bool:
        """Whether what is seen may be the expected state: when they are equal, unless a game says otherwise."""
        return expected == seen


@runtime_checkable
class Checks(Protocol[S_contra]):
    """A game that can tell every fault of a layout, not just the first."""

    def check(self, table: Table, before: S_contra | None = None) -> Verdict:
        """What is wrong on the table; `before` is the start of the problem that was set, None without one."""
        ...


@runtime_checkable
class Untold(Protocol[S_contra]):
    """A game whose end cannot always be told by what lies there."""

    def untold(self, state: S_contra) -> Problem | None:
        """Why nobody can tell whether a state that was read without its problem is the end; None where it is plain."""
        ...


@runtime_checkable
class Promises(Protocol[S_contra]):
    """A game that knows which dominoes may lie on its table."""

    def dominoes(self, table: Table, before: S_contra | None = None) -> Iterable[Domino]:
        """The dominoes that there are, each once; nothing where the table does not tell which set it takes."""
        ...


@runtime_checkable
class Starts(Protocol[S_co]):
    """A game with problems that are written down."""

    def start(self, text: str) -> S_co:
        """The state in which the problem that a text holds begins. Raises BadText with line and column."""
        ...


@runtime_checkable
class Unique(Protocol[S_contra]):
    """A game whose problems should have one solution, and that can tell whether they do."""

    def solutions(self, state: S_contra, most: int = 2) -> tuple[Board, ...]:
        """The first solutions of a state as boards, as many as `most`: two of them show that there is not just one."""
        ...


@runtime_checkable
class Solves(Protocol[S_contra, M_co]):
    """A game with a solver of its own."""

    def solve(self, state: S_contra, watch: Watch) -> Solution[M_co]:
        """The moves that win from a state; as far as it came when `watch` ended it."""
        ...


@runtime_checkable
class Expands(Protocol[S, M_co]):
    """A game that tells its legal moves faster than by trying one candidate after the other."""

    def plays(self, state: S) -> Iterable[tuple[M_co, S]]:
        """Every legal move, in the order of the candidates, with what `play` makes of it."""
        ...


@runtime_checkable
class Estimates(Protocol[S_contra]):
    """A game that knows how far the goal is at the least, which spares the search much."""

    def estimate(self, state: S_contra) -> int:
        """A number of moves that is never more than a solution from here still takes."""
        ...


@runtime_checkable
class Hints(Protocol[S_contra]):
    """A game with hints of its own, which need no whole solution."""

    def hint(self, state: S_contra, level: int) -> Hint | None:
        """Help that gives away a little (1), the place (2) or the move (3); None where it knows nothing to say."""
        ...


@runtime_checkable
class Reasons(Protocol[S_contra]):
    """A game in which every step to the solution follows from what lies there."""

    def reasons(self, state: S_contra) -> tuple[Hint, ...]:
        """Each step with its reason and its cells, as far as anything follows."""
        ...


@runtime_checkable
class Points(Protocol[S_contra, M_contra]):
    """A game whose moves happen in places that can be pointed at."""

    def cells(self, state: S_contra, move: M_contra) -> tuple[Cell, ...]:
        """Where the move begins, in the state before it; in the state after it, where it ended."""
        ...


@runtime_checkable
class Deals(Protocol[S_co]):
    """A game whose starts can be left to chance."""

    def deal(self, chance: Random, size: int) -> S_co:
        """A start of so many dominoes, drawn by `chance` alone; it may have no solution. `str` writes it down."""
        ...


@runtime_checkable
class Generates(Protocol[S_co, M_co]):
    """A game that makes up interesting problems."""

    @property
    def difficulties(self) -> tuple[str, ...]:
        """The grades of difficulty that can be asked for, the easiest first."""
        ...

    def generate(self, chance: Random, difficulty: str, watch: Watch) -> Generated[S_co, M_co] | None:
        """One problem of that grade, drawn by `chance` alone; None where none came of this chance, or `watch` ended it.

        The same `chance` gives the same problem, as long as `watch` limits positions and not seconds.
        Raises ValueError, in a sentence, where the game knows no such difficulty.
        """
        ...


@runtime_checkable
class Draws(Protocol[S_contra]):
    """A game whose positions can be drawn on paper."""

    def diagram(self, state: S_contra) -> Diagram:
        """What a player has to see of a state."""
        ...


@runtime_checkable
class Notates(Protocol[S_contra, M_co]):
    """A game whose moves can be written in more ways than `str` writes them."""

    def moves(self, state: S_contra, text: str) -> tuple[M_co, ...]:
        """The moves that a word in the printed notation names. Raises IllegalMove where it names none."""
        ...


@runtime_checkable
class Slips(Protocol[S_contra, M_co]):
    """A game that knows how players go wrong, and can tell them what they did."""

    def attempts(self, state: S_contra, seen: S_contra) -> Iterable[M_co]:
        """Moves that a player may have tried, allowed or not, where `seen` lies on the table now."""
        ...

    def differences(self, state: S_contra, seen: S_contra) -> Iterable[Problem]:
        """How the table differs from the state, where no move explains it; the cells are those of `seen`."""
        ...

    def on_table(self, state: S_contra, seen: S_contra, cell: Cell) -> Cell:
        """Where a cell of the state lies on the table from which `seen` was read."""
        ...


@runtime_checkable
class Halfway(Protocol[S_contra]):
    """A game whose moves take more than one grip: a domino is flipped, then the pawn steps onto it."""

    def left_to_do(self, state: S_contra, seen: S_contra) -> str:
        """What is still to be done of a move that was begun, in a sentence; "" where `seen` shows none begun."""
        ...


@runtime_checkable
class Narrows(Protocol[S_contra, M_co]):
    """A game whose table shows which moves were made, as where dominoes are laid and stay; no other is guessed."""

    def towards(self, state: S_contra, seen: S_contra) -> Iterable[M_co]:
        """The moves, allowed or not, that bring a state nearer to what is seen: one for each thing that differs."""
        ...
