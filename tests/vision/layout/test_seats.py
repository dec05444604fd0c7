"""Rows of tiles along the picture's edges are hands; the game between them is not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.board import Board
from rules.domino import Domino
from tests.vision.laying import Eye, Laid, laid, seen
from vision.reconstruct import rebuild

FEW = settings(max_examples=6)

LINE = [Laid(-2, 0, 0, (6, 1)), Laid(0, 0, 0, (1, 3)), Laid(2, 0, 0, (3, 5))]
NEAR = [Laid(k - 1, 8, 90, (k, 6)) for k in range(4)]
FAR = [Laid(k - 1, -8, 90, (k, 2)) for k in range(3)]
LEFT = [Laid(-11, k - 1.0, 0, (k, 4)) for k in range(3)]


@FEW
@given(tilt_deg=st.floats(0, 30), turn_deg=st.floats(-8, 8), seed=st.integers(0, 99))
def test_each_player_has_a_hand_and_the_line_is_nobodys(tilt_deg: float, turn_deg: float, seed: int) -> None:
    table = rebuild(seen([*LINE, *NEAR, *FAR, *LEFT], Eye(turn_deg, tilt_deg, away=24), 0.4, seed)).table
    assert [(hand.seat, hand.side) for hand in table.hands] == [(0, "bottom"), (1, "left"), (2, "top")]
    near, left, far = (hand.dominoes for hand in table.hands)
    assert near == tuple(Domino(6, k) for k in range(4))
    assert left == tuple(Domino.of(k, 4) for k in range(3))
    assert far == tuple(Domino.of(k, 2) for k in reversed(range(3)))
    assert len(table.chain.tiles) == len(table.board.placed) == len(LINE)
    assert table.loose == ()


def test_backs_in_a_hand_are_counted() -> None:
    backs = [Laid(k + 3.0, 8, 90, (0, 0), face_up=False) for k in range(2)]
    (hand,) = rebuild(seen([*LINE, *NEAR, *backs], Eye(away=24))).table.hands
    assert (len(hand.dominoes), hand.face_down) == (4, 2)


@pytest.mark.parametrize("row", [NEAR, [*NEAR, *FAR]])
def test_a_row_without_a_game_is_no_hand(row: list[Laid]) -> None:
    assert rebuild(seen(row, Eye(away=24))).table.hands == ()


def test_a_row_close_to_the_board_is_part_of_it_or_loose() -> None:
    close = [Laid(k - 1, 2.4, 90, (k, 6)) for k in range(3)]
    assert rebuild(seen([*LINE, *close], Eye(away=16))).table.hands == ()


def test_a_board_that_fills_the_picture_is_no_hand() -> None:
    board = Board.parse("1|2 3|4 5|6\n\n0|0 0|1 0|2")
    assert rebuild(seen(laid(board), Eye(away=8))).table.hands == ()
