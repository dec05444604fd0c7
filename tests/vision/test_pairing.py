"""Which halves belong together, told by the dominoes that there are."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.board import Board
from rules.domino import Domino, DominoSet
from tests.vision.laying import Eye, Laid, laid, seen
from vision.assignment import assign
from vision.pairing import paired
from vision.reconstruct import rebuild
from vision.scene import TileDetection

pytestmark = pytest.mark.needs("cv2")

FULL = frozenset(DominoSet(6))
THERE = """\
6 4 6|6
- -
2 2 5|5
"""
MISTAKEN = """\
6|4 6|6

2|2 5|5
"""
FEW = frozenset(Domino.of(*pips) for pips in ((6, 2), (4, 2), (6, 6), (5, 5)))
OTHERS = """\
6|4 2|2
"""


def read(board: str) -> tuple[TileDetection, ...]:
    return seen(laid(Board.parse(board)), Eye(turn_deg=30, tilt_deg=20)).tiles


def rebuilt(tiles: tuple[TileDetection, ...]) -> Board:
    return rebuild(replace(seen([], Eye()), tiles=tiles)).table.board


def test_two_tiles_that_lie_elsewhere_are_the_two_missing_ones_across_them() -> None:
    told = assign(replace(seen([], Eye()), tiles=read(MISTAKEN)), FEW).tiles
    assert str(rebuilt(told)) == str(Board.parse(THERE))
    changed = [tile for tile in told if tile.changed_from]
    assert sorted(sorted(tile.pips) for tile in changed) == [[2, 4], [2, 6]]
    assert all("lie elsewhere, so their halves make" in tile.why for tile in changed)


def test_what_each_lies_there_once_stays_as_it_was_seen() -> None:
    tiles = read(MISTAKEN)
    assert paired(tiles, FULL) == tiles


def test_one_domino_laid_twice_stays_visible() -> None:
    tiles = read(MISTAKEN) + read("6|4\n")  # the 2-2 lies there once
    assert paired(tiles, FULL) == tiles


def test_tiles_that_do_not_make_a_square_stay_as_they_were_seen() -> None:
    tiles = read("6|4\n\n\n\n2|2\n") + read(OTHERS)
    assert paired(tiles, FULL) == tiles


@given(st.integers(0, 3), st.integers(0, 5), st.integers(0, 360))
def test_in_a_full_set_halves_that_were_paired_wrongly_are_paired_rightly(row: int, column: int, turn: int) -> None:
    set_ = sorted(FULL)
    upright = [Laid(k % 7 - 3.0, 2.0 * (k // 7) - 3, 90, (d.high, d.low)) for k, d in enumerate(set_)]
    one, other = (upright[7 * row + column + k] for k in (0, 1))
    middle = (one.x + other.x) / 2
    lying = [Laid(middle, one.y - 0.5 + k, 0, (one.pips[k], other.pips[k])) for k in (0, 1)]
    wrong = [tile for tile in upright if tile not in (one, other)] + lying
    told = paired(seen(wrong, Eye(turn_deg=turn)).tiles, FULL)
    assert sorted(Domino.of(*tile.pips) for tile in told) == set_
    assert len({tile.centers_px for tile in told}) == len(told) == 28
