"""What people read: tables, boards and sentences."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipsight.commands.reading import Reading
from pipsight.commands.showing import NOTHING_SEEN, advice, show_reading, summary, verdict_lines
from rules.board import Board, Cell
from rules.game import Problem, Verdict
from rules.table import Doubt
from tests.vision.laying import Eye, Laid, laid, seen
from vision.scene import DieDetection, Scene

pytestmark = pytest.mark.needs("cv2")

BOARD = """\
2|4 1
    -
5|5 0"""


def reading(scene: Scene) -> Reading:
    return Reading("table.jpg", np.zeros((1, 1, 3), np.uint8), scene, 41.2)


@pytest.mark.parametrize("seed", range(4))
def test_the_dominoes_are_listed_by_their_places_and_the_board_is_drawn(
    capsys: pytest.CaptureFixture[str], seed: int
) -> None:
    show_reading(reading(seen(laid(Board.parse(BOARD), seed=seed), Eye())))
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert [" ".join(line.split()) for line in lines[:4]] == [
        "domino lies on middle angle reading",
        f"2-4 row 1, columns 1 and 2 {middle(lines[1])} 0° sure",
        f"1-0 rows 1 and 2, column 3 {middle(lines[2])} 90° sure",
        f"5-5 row 2, columns 1 and 2 {middle(lines[3])} 0° sure",
    ]
    assert lines[5:8] == BOARD.splitlines()
    assert lines[-1] == "table.jpg: 3 dominoes (41 ms)."


def middle(line: str) -> str:
    """The place in pixels that a line gives, which depends on the camera."""
    return " ".join(part for part in line.split() if part.rstrip(",").isdigit() and len(part.rstrip(",")) == 3)


def test_a_doubt_is_told_with_its_reason_and_a_back_as_a_back(capsys: pytest.CaptureFixture[str]) -> None:
    scene = seen([Laid(-3, 0, 0, (2, 4)), Laid(3, 0.4, 70, (0, 0), face_up=False)], Eye())
    doubted = replace(scene.tiles[0], doubtful=True, why="glare [on the tail]")
    show_reading(reading(replace(scene, tiles=(doubted, scene.tiles[1]))))
    out = capsys.readouterr().out
    assert "doubtful: glare [on the tail]" in out
    assert "face down" in out
    assert "table.jpg: 1 domino, 1 of them doubtful; 1 face down (41 ms)." in out


def test_what_the_set_changed_is_told_though_it_is_sure(capsys: pytest.CaptureFixture[str]) -> None:
    scene = seen(laid(Board.parse("5|2")), Eye())
    mended = replace(scene.tiles[0], changed_from=(5, 3), why="5-3 lies elsewhere, so this is 5-2")
    show_reading(reading(replace(scene, tiles=(mended,))))
    assert "sure: 5-3 lies elsewhere, so this is 5-2" in capsys.readouterr().out


def test_no_dominoes_are_told_with_advice(capsys: pytest.CaptureFixture[str]) -> None:
    show_reading(reading(Scene((640, 480))))
    assert capsys.readouterr().out == f"table.jpg: no dominoes found (41 ms).\n{NOTHING_SEEN}\n"


def test_the_readers_own_advice_comes_first() -> None:
    assert advice(Scene((640, 480), advice=("Give more light.",))) == ("Give more light.",)
    assert advice(seen(laid(Board.parse("2|4")), Eye())) == ()


def test_dice_are_counted() -> None:
    scene = seen(laid(Board.parse("2|4")), Eye())
    told = summary(reading(replace(scene, dice=(DieDetection((9, 9), 5, 0.9), DieDetection((60, 9), 1, 0.9)))))
    assert told == "table.jpg: 1 domino; 2 dice: 1 and 5 (41 ms)."


@pytest.mark.parametrize(
    ("verdict", "lines"),
    [
        (Verdict("solved"), ["Dominosa: solved."]),
        (
            Verdict("unsolved", (Problem("The 2-4 is missing."),), notes=(Problem("Is it 2-5?"),)),
            ["Dominosa: not solved, 1 fault.", "  - The 2-4 is missing.", "  ? Is it 2-5?"],
        ),
        (
            Verdict("undecided", doubts=(Doubt((Cell(0, 0),), "24"),), notes=(Problem("2-4?", (Cell(0, 0),)),)),
            ["Dominosa: undecided, 1 reading must be made sure first.", "  ? 2-4?"],
        ),
        (Verdict("undecided", notes=(Problem("Nothing."),)), ["Dominosa: undecided.", "  ? Nothing."]),
        (Verdict("solved", turn=1), ["Dominosa: solved."]),
        (
            Verdict("unsolved", (Problem("At row 1 lies 2-4.", (Cell(0, 0),)),), turn=1),
            [
                "Dominosa: not solved, 1 fault.",
                "  - At row 1 lies 2-4.",
                "Rows, columns and directions are told as they are with the table turned a quarter clockwise.",
            ],
        ),
    ],
)
def test_a_verdict_is_told_in_sentences(verdict: Verdict, lines: list[str]) -> None:
    assert list(verdict_lines(verdict, "Dominosa")) == lines
