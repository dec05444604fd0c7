"""What a page is told of the pieces on the table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipsight.drawing import svg
from pipsight.look import Look
from pipsight.opening import opening
from pipsight.page.view import _pieces, view
from pipsight.session import Session
from rules.board import Board
from rules.diagram import Diagram
from rules.table import Table
from tests.pipsight.pages import SAMPLES
from vision.picture import load
from vision.scene import PawnDetection, Scene, TetrominoDetection

pytestmark = pytest.mark.needs("cv2")

PAWN = PawnDetection((10.0, 20.0), (200, 30, 30), confidence=0.9)


def test_a_piece_that_only_the_game_makes_likely_is_shown_as_doubtful() -> None:
    shown = _pieces(Scene((100, 100), pawns=(PAWN, replace(PAWN, confidence=0.2))))
    assert [one["doubtful"] for one in shown] == [False, True]
    assert shown[0] == {"kind": "pawn", "at_px": [10.0, 20.0], "color": [200, 30, 30], "doubtful": False}


@pytest.mark.parametrize(
    ("slug", "problem", "lay"),
    [("unmatched", "5", True), ("finder", None, True), ("dominosa", None, False), ("cobra_paw", None, False)],
)
def test_the_page_knows_whether_the_board_is_what_is_to_be_laid(slug: str, problem: str | None, lay: bool) -> None:
    assert view(Session(*opening(slug, problem)))["lay_this"] is lay


@pytest.mark.parametrize("slug", ["all_fives", "bee_race", "mountains_together", "tetradominoes"])
def test_nobody_is_asked_to_lay_a_board_on_which_nothing_lies_yet(slug: str) -> None:
    seen = view(Session(*opening(slug, None)))
    assert not seen["lay_this"]
    assert not seen["board_svg"]


def test_while_a_table_is_set_up_on_which_nothing_has_to_lie_what_lies_there_is_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = Session(*opening("all_fives", None))
    monkeypatch.setattr(Look, "tables", (Table(Board.parse("5|3")),))
    assert view(session)["board_svg"] == svg(Diagram(Table(Board.parse("5|3"))))


def test_the_doubles_across_a_line_are_drawn_with_it() -> None:
    session = Session(*opening("all_fives", None))
    session.look.see_alone(load(str(SAMPLES / "all_fives.jpg")))
    (table, *_) = session.look.tables
    assert len(table.chain.tiles) > len(table.board.placed)  # those across the line lie on no cells
    assert view(session)["board_svg"].count("rotate(") == len(table.chain.tiles)


def test_each_square_of_a_faint_tetromino_is_doubtful() -> None:
    squares = tuple((10.0 * k, 5.0) for k in range(4))
    shown = _pieces(Scene((100, 100), tetrominoes=(TetrominoDetection(squares, light=True, confidence=0.3),)))
    assert [one["doubtful"] for one in shown] == [True] * 4


@pytest.mark.parametrize(("slug", "contest"), [("mountains", False), ("bee_race", True), ("domineering", True)])
def test_a_solution_is_offered_where_nobody_plays_against_anybody(slug: str, contest: bool) -> None:
    assert view(Session(*opening(slug, None)))["contest"] is contest
