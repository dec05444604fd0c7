"""A finished puzzle in, on a picture or as text, a verdict out."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipsight.kept_games import game_left, is_saved_game
from pipsight.trouble import PipsightError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from pipsight.commands.reading import Reading
    from rules.board import Board
    from rules.game import Game, Verdict
    from rules.table import Table
    from vision.reconstruct import Rebuilt
    from vision.scene import Scene

MOST_DOMINOES = 136  # of a double-fifteen set
EXIT_CODES = {"solved": 0, "unsolved": 1, "undecided": 3}


class NothingToCheck(PipsightError, ValueError):
    """The text holds no table that could be judged."""


@dataclass(frozen=True, eq=False)
class Judged:
    """What was judged: the verdict, and the game's title."""

    verdict: Verdict
    title: str

    @property
    def exit_code(self) -> int:
        """0 solved, 1 not solved, 3 undecided."""
        return EXIT_CODES[self.verdict.state]


@dataclass(frozen=True, eq=False)
class Checked(Judged):
    """A picture that was judged: what was read, and the table rebuilt from it."""

    reading: Reading
    rebuilt: Rebuilt

    def drawn(self) -> NDArray[np.uint8]:
        """Return the picture with every fault drawn on it, BGR."""
        from vision.overlay import draw_faults

        return draw_faults(self.reading.frame, self.reading.scene, self.rebuilt, self.verdict)


def check_picture(slug: str, image: str, problem: str | None = None, taught: Sequence[str] = ()) -> Checked:
    """Judge a picture by the rules of a game: `check_picture("dominosa", "table.jpg", "3")`.

    problem: the number of a published problem, or a file that holds one; None where the table itself is the problem.
    taught: the names of the taught sets that lie there. Raises RulesError for an unknown game or a bad problem, and
    UnknownSet, before anything is read, VisionError for a bad picture.
    """
    from pipsight.commands.beyond import CUT, within
    from rules.engine import check
    from rules.games import game
    from rules.puzzles import problem as find_problem

    rules = game(slug)
    before = None if problem is None else find_problem(slug, problem)
    reading, rebuilt = laid_out(rules, image, before, taught)
    verdict = _too_little(reading.scene) or check(rules, rebuilt.table, before)
    if verdict.state == "unsolved":
        reading = advised_on_faults(reading)
        verdict = _believed(verdict, reading.scene, rebuilt.table.board)
    on_picture = within(verdict, rebuilt, before is not None or rules.info.complete)
    if on_picture != verdict:
        reading = replace(reading, scene=replace(reading.scene, advice=(*reading.scene.advice, CUT)))
    return Checked(on_picture, rules.info.title, reading, rebuilt)


def is_text(path: str) -> bool:
    """Whether a file holds its table as text."""
    return Path(path).suffix.lower() == ".txt" or is_saved_game(path)


def check_text(slug: str, path: str, problem: str | None = None) -> Judged:
    """Judge a board in text, a position as the game writes it, or a saved game: `check_text("dominosa", "mine.txt")`.

    Raises RulesError for an unknown game and a text that cannot be read, NothingToCheck for one without a table.
    """
    from rules.engine import check
    from rules.game import Problem, Verdict
    from rules.games import game
    from rules.players import is_contest
    from rules.puzzles import problem as find_problem

    rules = game(slug)
    before = None if problem is None else find_problem(slug, problem)
    if not is_saved_game(path) and not Path(path).exists():
        raise NothingToCheck(f"there is no file {path}")
    if is_contest(rules):
        ended = rules.outcome(_state_in(rules, path))
        return Judged(Verdict.of([] if ended else [Problem("The game is not over.")]), rules.info.title)
    table, state = _written(rules, path)
    return Judged(check(rules, table, before or state), rules.info.title)


def _written(rules: Game[Any, Any], path: str) -> tuple[Table, Any]:
    """The table in a text, and its state where that is written as well; where no pieces are needed a board is all."""
    from rules.board import Board
    from rules.errors import BadText
    from rules.game import Draws
    from rules.puzzles import written
    from rules.table import Table

    if not rules.info.pieces and not is_saved_game(path):
        with suppress(BadText):
            board = Board.parse(written(rules.info.slug, path))
            if not board.placed:
                raise NothingToCheck(f"{path} holds no domino: give a board, as 2|4 in a line, or a picture")
            if len(board.placed) > MOST_DOMINOES:
                raise NothingToCheck(f"{path} holds {len(board.placed)} dominoes: no set has more than {MOST_DOMINOES}")
            return Table(board), None
    state = _state_in(rules, path)
    if isinstance(rules, Draws):
        return rules.diagram(state).table, state
    raise NothingToCheck(f"{path} holds no board: give one, as 2|4 in a line, or a picture")


def _state_in(rules: Game[Any, Any], path: str) -> Any:
    """The position in a text, or the last one of a saved game."""
    from rules.puzzles import problem as find_problem

    slug = rules.info.slug
    return game_left(slug, path).state if is_saved_game(path) else find_problem(slug, path)


def laid_out(rules: Game[Any, Any], image: str, before: Any, taught: Sequence[str] = ()) -> tuple[Reading, Rebuilt]:
    """Read a picture and rebuild its table, as whoever follows the game would know it from this picture alone.

    before: the state that the table continues, None if there is none. taught: the names of the taught sets that lie
    there. Raises VisionError for a bad picture, NothingToCheck for the number of a problem in its place.
    """
    from pipsight.commands.reading import Reading
    from pipsight.look import Look
    from pipsight.sets import taught_set
    from rules.puzzles import is_published
    from vision.picture import load

    if is_published(rules.info.slug, image) and not Path(image).exists():
        raise NothingToCheck(f"there is no picture {image}: --problem {image} names the problem")
    look = Look(rules, lambda: before, lambda: before)
    if taught:
        look.know([taught_set(name) for name in dict.fromkeys(taught)])
    began = time.perf_counter()
    frame = load(image)
    rebuilt = look.see_alone(frame)
    return Reading(image, frame, look.scene, 1000 * (time.perf_counter() - began)), rebuilt


def _too_little(scene: Scene) -> Verdict | None:
    """Return the verdict on a picture on which nothing could be made out although there may be something."""
    from rules.game import Problem, Verdict

    if scene.tiles or not scene.advice:
        return None
    return Verdict("undecided", notes=(Problem("No dominoes could be made out on the picture."),))


def advised_on_faults(reading: Reading) -> Reading:
    """A reading on which something looks wrong, with all that may keep its picture from showing enough."""
    from vision.advice import advice_on_faults

    scene = reading.scene
    if not scene.tiles:
        return reading  # then all of that was looked at before anything was judged
    return replace(reading, scene=replace(scene, advice=advice_on_faults(reading.frame, scene.advice)))


def _believed(verdict: Verdict, scene: Scene, seen: Board) -> Verdict:
    """The verdict, undecided where its faults may come of what the picture shows too badly.

    On a picture that wants advice a fault holds where tiles lie that were seen, but for a blur, which makes other
    numbers of theirs; what lies nowhere may be there all the same.
    """
    from rules.game import Problem, Verdict
    from vision.advice import BLURRED

    if not scene.advice:
        return verdict
    found = all(problem.cells and seen.owner.keys() >= set(problem.cells) for problem in verdict.problems)
    if found and BLURRED not in scene.advice:
        return verdict
    unsure = Problem("The picture shows too little to be sure of what looks wrong.")
    return Verdict("undecided", notes=(unsure, *verdict.problems, *verdict.notes), turn=verdict.turn)
