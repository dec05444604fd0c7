"""A position in, help out: its solution, its legal moves, a hint; the position is on a picture, in print or dealt."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipsight.commands.checking import advised_on_faults, laid_out
from pipsight.dealing import dealt
from pipsight.kept_games import game_left, is_saved_game
from pipsight.trouble import PipsightError
from rules.board import Cell
from rules.certainty import doubt_notes
from rules.engine import hint, legal_moves, solve
from rules.fit import Fit
from rules.game import Mover, Reasons, Slips, Unique, UnreadableTable, Untold
from rules.games import game
from rules.players import is_contest
from rules.puzzles import problem as find_problem
from rules.watch import Watch
from rules.words import count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rules.board import Board
    from rules.game import Game, Solution
    from rules.watch import Progress

SOLVED, NO_SOLUTION, NOT_FOUND = 0, 1, 3


class NoPosition(PipsightError, ValueError):
    """The command names no position to look at."""


class NoReasons(PipsightError, ValueError):
    """The game does not tell its steps with their reasons."""


@dataclass(frozen=True)
class Position:
    """A state of a game, and what is not sure about it, in sentences.

    untold: why nobody can tell whether it is the end, "" where that is plain. turn: the quarter turns clockwise that
    bring the picture round to the rows and columns that are told.
    """

    game: Game[Any, Any]
    state: Any
    doubts: tuple[str, ...] = ()
    untold: str = ""
    turn: int = 0


@dataclass(frozen=True)
class Answer:
    """What is printed, line by line, and the exit code."""

    lines: tuple[str, ...]
    exit_code: int = SOLVED


def position(
    slug: str,
    source: str | None = None,
    problem: str | None = None,
    seed: int | None = None,
    size: int | None = None,
    taught: Sequence[str] = (),
) -> Position:
    """The position to look at: `position("unmatched", problem="7")`.

    source: a picture, whose table continues `problem` where that is given, a text file (.txt) that holds a problem, or
    a saved game (.json), which is looked at where it was left.
    problem: the number of a published problem, or a file. seed, size: instead of both, so many dominoes by chance, or
    as many as the game usually takes. taught: the names of the taught sets that lie on the picture.
    Raises RulesError, VisionError, or NoPosition where nothing is named, or more than one position.
    """
    rules = game(slug)
    if seed is not None and (source or problem is not None):
        raise NoPosition("leave --deal out, or the picture, the file and the --problem")
    if seed is None and size is not None:
        raise NoPosition("--size says how many dominoes are dealt: add a seed to --deal by")
    if source and Path(source).suffix.lower() == ".txt":
        require_one(source, problem)
        source, problem = None, source
    if source and is_saved_game(source):
        require_one(source, problem)
        require_picture(taught)
        return Position(rules, game_left(slug, source).state)
    start = find_problem(slug, problem) if problem is not None else None
    if source:
        return _seen(rules, source, start, taught)
    require_picture(taught)
    if start is not None:
        return Position(rules, start, untold=_untold(rules, start))
    if seed is None:
        raise NoPosition("name a picture, a saved game, a --problem, or a seed to --deal by")
    return Position(rules, dealt(rules, seed, size))


def require_one(file: str, problem: str | None) -> None:
    """Raises NoPosition where a file that holds a position by itself is named beside a problem."""
    if problem is not None:
        raise NoPosition(f"{file} is a position by itself: leave it out, or --problem {problem}")


def require_picture(taught: Sequence[str]) -> None:
    """Raises NoPosition for taught sets where there is no picture to read by them."""
    if taught:
        raise NoPosition("--taught says what lies on a picture: name one, or leave it out")


def solved(at: Position, limit_s: float | None) -> Answer:
    """The solution in the printed notation, or that there is none, or how far the search came."""
    if at.untold:
        return undecided(at)
    if is_contest(at.game):
        told = f"{at.game.info.title} is played by several, and nobody knows how it will end"
        return Answer((f"{told}: pipsight suggest {at.game.info.slug} says what to do now.",), NOT_FOUND)
    solution = _searched(at, limit_s)
    lines = [*_told(at.game.info.title, solution, limit_s)]
    if solution.moves and isinstance(at.game, Unique):
        lines += _whether_unique(at.game.solutions(at.state))
    return Answer(tuple(lines), _exit_code(solution))


def reasoned(at: Position, limit_s: float | None = None) -> Answer:
    """Every step to the solution with its reason; where nothing leads there by reason alone, as far as one comes.

    Raises NoReasons for a game that has none.
    """
    if not isinstance(at.game, Reasons):
        raise NoReasons(f"{at.game.info.title} has no reasons step by step: leave --reasons out, or ask for a hint")
    solution = _searched(at, limit_s)
    if not solution.moves:
        return Answer(tuple(_told(at.game.info.title, solution, limit_s)), _exit_code(solution))
    steps = at.game.reasons(at.state)
    width = len(str(len(steps)))
    told = [f"{number:{width}}. {step.text}" for number, step in enumerate(steps, 1)]
    lines = (f"{at.game.info.title}: {count(len(steps), 'step')}.", *told)
    boards = at.game.solutions(at.state) if isinstance(at.game, Unique) else ()
    if len(boards) < 2:
        return Answer(lines)
    return Answer((*lines, "Nothing more follows: some dominoes are still open.", *_whether_unique(boards)), NOT_FOUND)


def _searched(at: Position, limit_s: float | None) -> Solution[Any]:
    with _progress() as progress:
        return solve(at.game, at.state, Watch(limit_s, progress=progress))


def _whether_unique(boards: Sequence[Board]) -> Iterator[str]:
    """That there is no other solution, or two that differ, as they would lie."""
    if len(boards) == 1:
        yield "It is the only solution."
        return
    yield "There is more than one solution, such as these two:"
    yield from ("", str(boards[0]), "", str(boards[1]))


def listed(at: Position) -> Answer:
    """Every legal move in the printed notation, with a sentence each; from no more than whoever moves can see."""
    seen = seen_by_mover(at.game, at.state)
    found = [(str(move), at.game.describe(seen, move)) for move in legal_moves(at.game, at.state)]
    if at.untold and not found:
        return undecided(at)
    width = max((len(name) for name, _ in found), default=0)
    head = f"{at.game.info.title}: {count(len(found), 'legal move') if found else 'no legal move'}."
    return Answer((head, *(f"  {name:{width}}  {sentence}" for name, sentence in found)))


def seen_by_mover(rules: Game[Any, Any], state: Any) -> Any:
    """What whoever moves next knows of a state; all of it where no seat does."""
    who = rules.to_move(state)
    return state if isinstance(who, Mover) else rules.visible(state, who)


def hinted(at: Position, level: int, limit_s: float | None) -> Answer:
    """One hint: a nudge (1), the place (2), the move (3)."""
    if at.untold:
        return undecided(at)
    with _progress() as progress:
        return Answer((hint(at.game, at.state, level, Watch(limit_s, progress=progress)).text,))


def undecided(at: Position) -> Answer:
    """Why nobody can tell whether the goal is reached."""
    return Answer((f"{at.game.info.title}: {at.untold}",), NOT_FOUND)


def _told(title: str, solution: Solution[Any], limit_s: float | None) -> Iterator[str]:
    seen = count(solution.states_seen, "position")
    if solution.moves:
        fewest = "no fewer will do" if solution.proved else "no shorter way was looked for"
        yield f"{title}: {count(len(solution.moves), 'move')}, and {fewest} ({seen})."
        yield ", ".join(map(str, solution.moves))
    elif solution.moves is not None:
        yield f"{title}: the goal is reached already."
    elif solution.proved and solution.why:
        yield f"{title}: there is no solution. {solution.why}"
    elif solution.proved:
        yield f"{title}: there is no solution; all that can be reached was looked at ({seen})."
    else:
        within = f" within {limit_s:g} seconds" if limit_s is not None else ""
        least = f"; there is none of fewer than {solution.at_least} moves" if solution.at_least > 1 else ""
        yield f"{title}: no solution was found{within} ({seen}){least}."


def _exit_code(solution: Solution[Any]) -> int:
    if solution.moves is not None:
        return SOLVED
    return NO_SOLUTION if solution.proved else NOT_FOUND


def _seen(rules: Game[Any, Any], image: str, before: Any, taught: Sequence[str]) -> Position:
    reading, rebuilt = laid_out(rules, image, before, taught)
    try:
        state = rules.read(rebuilt.table, before)
    except UnreadableTable as unreadable:
        raise NoPosition(" ".join((str(unreadable), *advised_on_faults(reading).scene.advice))) from None
    fit = _told_as(rules, state)
    doubts = tuple(note.text for note in doubt_notes(rebuilt.table.doubts, fit.apply))
    return Position(rules, state, doubts, "" if before else _untold(rules, state), fit.turn)


def _told_as(rules: Game[Any, Any], state: Any) -> Fit:
    """The way from the table's cells to those that the sentences about a puzzle name; those of other games stay."""
    if is_contest(rules) or not isinstance(rules, Slips):
        return Fit()
    turn = state.fit.turn
    first = rules.on_table(state, state, Cell(0, 0)).turned(turn)
    return Fit(turn, -first.row, -first.col)


def _untold(rules: Game[Any, Any], state: Any) -> str:
    problem = rules.untold(state) if isinstance(rules, Untold) else None
    return problem.text if problem else ""


@contextmanager
def _progress() -> Iterator[Progress | None]:
    """Says on a terminal how far a search is; it is gone when the answer comes."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("") as status:
        yield lambda states, ahead: status.update(f"{states} positions, {ahead} moves ahead")
