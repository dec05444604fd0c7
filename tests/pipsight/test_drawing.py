"""Positions on paper: everything on cells is drawn, in true millimetres."""

from __future__ import annotations

import struct
from dataclasses import replace
from random import Random
from xml.etree import ElementTree as ET

import pytest

from pipsight.drawing import BACK, HALF, INK, MARGIN, SQUARE, png, svg
from pipsight.pip_faces import face, figures
from rules.board import Board, Cell
from rules.course import decision
from rules.diagram import Diagram
from rules.domino import HIGHEST_PIPS, Domino
from rules.engine import replay
from rules.games import game
from rules.table import Die, LooseTile, Piece, Place, Spot, Table

SPACE = "{http://www.w3.org/2000/svg}"


def drawn(diagram: Diagram, caption: str = "") -> ET.Element:
    """The document's root; it has to be well-formed for that."""
    return ET.fromstring(svg(diagram, caption))


def parts(root: ET.Element, kind: str) -> list[ET.Element]:
    """All elements of a kind, in the order in which they are drawn."""
    return list(root.iter(SPACE + kind))


@pytest.mark.parametrize("pips", range(HIGHEST_PIPS + 1))
def test_a_half_shows_as_many_pips_as_it_counts_none_upon_another(pips: int) -> None:
    places = face(pips)
    assert len(set(places)) == pips
    assert all(abs(x) < 0.42 and abs(y) < 0.42 for x, y in places)
    apart = [(x - u) ** 2 + (y - v) ** 2 for x, y in places for u, v in places if (x, y) != (u, v)]
    assert min(apart, default=1) > 0.13**2


def test_a_board_is_drawn_in_millimetres() -> None:
    root = drawn(Diagram(Table(Board.parse("2|4 6\n    -\n5|5 0"))))
    assert root.get("width") == f"{3 * HALF + 2 * MARGIN:.2f}mm"
    assert root.get("height") == f"{2 * HALF + 2 * MARGIN:.2f}mm"
    assert root.get("viewBox") == f"0 0 {3 * HALF + 2 * MARGIN:.2f} {2 * HALF + 2 * MARGIN:.2f}"
    assert len(parts(root, "circle")) == 2 + 4 + 6 + 5 + 5 + 0
    assert len(parts(root, "line")) == 3


def test_a_board_far_from_the_corner_is_drawn_at_it() -> None:
    lying = Board.parse("2|4")
    assert parts(drawn(Diagram(Table(lying.shifted(3, 5)))), "circle")
    far, near = (drawn(Diagram(Table(board))) for board in (lying.shifted(3, 5), lying))
    assert (far.get("width"), far.get("height")) == (near.get("width"), near.get("height"))


def test_what_lies_on_cells_is_drawn() -> None:
    table = Table(
        dice=(Die(3, Cell(0, 0)), Die(5)),
        pawns=(Piece((200, 30, 30), Cell(0, 1)),),
        tokens=(Piece((20, 140, 40), Cell(0, 2)),),
        spots=(Spot(Cell(1, 0), Domino(5, 3)),),
        face_down=(Place((Cell(1, 1), Cell(1, 2))),),
    )
    root = drawn(Diagram(table, lines=((Cell(0, 0), Cell(0, 1), Cell(1, 1)),), marked=(Cell(1, 1),)))
    assert len(parts(root, "circle")) == 3 + 2 + 2 + 8
    assert len(parts(root, "polyline")[0].get("points", "").split()) == 3
    assert {circle.get("fill") for circle in parts(root, "circle")} >= {"rgb(200,30,30)", "rgb(20,140,40)"}


def test_where_nothing_lies_on_cells_dominoes_and_dice_are_drawn_by_their_middles() -> None:
    loose, back = (LooseTile(5, 3, 1.0, 0.5, 0.0), LooseTile(6, 0, 4.0, 1.0, 90.0)), Place((), 4.0, -2.0, 30.0)
    root = drawn(Diagram(Table(loose=loose, face_down=(back,), dice=(Die(2, None, -1.0, 3.0),))))
    assert len(parts(root, "circle")) == 5 + 3 + 6 + 2
    assert sum(part.get("fill") == BACK for part in parts(root, "rect")) == 1
    assert root.get("viewBox") == f"0 0 {8 * HALF + 2 * MARGIN:.2f} {7 * HALF + 2 * MARGIN:.2f}"
    assert any("rotate(90.0)" in group.get("transform", "") for group in parts(root, "g"))
    on_cells = drawn(Diagram(Table(Board.parse("2|4"), loose=loose)))
    assert len(parts(on_cells, "circle")) == 2 + 4


def test_rows_and_columns_are_called_by_their_names_on_a_checkered_board() -> None:
    diagram = Diagram(Table(spots=(Spot(Cell(1, 0), Domino(5, 3)),)), ranks="21", files="abc", checkered=True)
    root = drawn(diagram)
    assert [text.text for text in parts(root, "text")] == ["2", "1", "a", "b", "c"]
    shades = [part.get("fill") for part in parts(root, "rect") if part.get("fill-opacity") == "1.0"]
    assert shades == ["white", SQUARE, "white", SQUARE, "white", SQUARE]
    assert len(parts(drawn(replace(diagram, checkered=False)), "rect")) == len(parts(root, "rect")) - 6


def test_a_board_stands_above_the_middle_of_a_long_caption() -> None:
    (_, board) = parts(drawn(Diagram(Table(Board.parse("2|4"))), "a" * 40), "g")[:2]
    assert board.get("transform") == f"translate({(1.75 * 40 - 2 * HALF) / 2:.2f} 0.00)"


def test_the_line_of_all_fives_is_drawn() -> None:
    fives = game("all_fives")
    state = replay(fives, fives.set_up(2, Random(1)), "")[0]  # type: ignore[attr-defined]
    laid = replay(fives, state, str(decision(fives, state).moves[0]))[0]
    assert len(parts(drawn(fives.diagram(laid)), "line")) == 1  # type: ignore[attr-defined]


def test_numbers_stand_where_no_domino_lies_and_need_no_font() -> None:
    numbers = tuple((Cell(1, col), number) for col, number in enumerate((0, 7, 12)))
    root = drawn(Diagram(Table(Board.parse("2|4")), (*numbers, (Cell(0, 0), 2))))
    assert len(parts(root, "path")) == 1 + 1 + 2
    assert not parts(root, "text")
    assert [right for right, _ in figures(12)] == [-0.42, 0.42]


def test_the_queue_stands_below_and_the_caption_is_no_markup() -> None:
    root = drawn(Diagram(Table(Board.parse("2|4")), queue=((1, 2), (3, 4)), caption="1 < 2 & more"), "Seed 7")
    assert len(parts(root, "circle")) == 6 + 10
    assert parts(root, "text")[0].text == "Seed 7. 1 < 2 & more"


def test_a_png_has_ten_pixels_a_millimetre() -> None:
    data = png(svg(Diagram(Table(Board.parse("2|4")))))
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    assert (width, height) == (10 * (2 * HALF + 2 * MARGIN), 10 * (HALF + 2 * MARGIN))


def test_a_raised_domino_lies_on_its_shadow() -> None:
    flat = Table(Board.parse("1 2\n- -\n3 4"))
    high = replace(flat, raised=(Cell(0, 0), Cell(1, 0)))
    assert svg(Diagram(high)).count(f'fill="{INK}" stroke') == svg(Diagram(flat)).count(f'fill="{INK}" stroke') + 1
