"""Tiles that lie upon others are told from tiles that lie on the table, where one picture shows the difference."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.board import Board, Cell
from rules.table import Table
from tests.vision.laying import Eye, Laid, laid, seen
from vision.reconstruct import rebuild

FEW = settings(max_examples=10)
COLUMNS, PEAK = 12, (5, 6)

FLAT = Board.parse("""\
6|4 0 1|1 2
    -     -
2 5 3 4|4 0
- -
1 6 3|5 2|6

0|0 1|5 6|6""")


def mountain(high: Iterable[int], seed: int, height: float = 0.4) -> list[Laid]:
    """Twelve dominoes side by side as a hand lays them, some of them lifted by others below."""
    rng = np.random.default_rng(seed)
    astray = rng.uniform(-0.04, 0.04, (COLUMNS, 2))
    return [
        Laid(k - 5.5 + astray[k, 0], astray[k, 1], 90.0, (k % 6, 6), height=height * (k in set(high)))
        for k in range(COLUMNS)
    ]


def table_of(tiles: list[Laid], eye: Eye, seed: int = 0) -> Table:
    return rebuild(seen(tiles, eye, 0.4, seed)).table


@FEW
@given(tilt_deg=st.floats(25, 54), turn_deg=st.floats(-30, 30), seed=st.integers(0, 99))
def test_the_peak_of_a_mountain_is_raised(tilt_deg: float, turn_deg: float, seed: int) -> None:
    table = table_of(mountain(PEAK, seed), Eye(turn_deg, tilt_deg, away=20), seed)
    assert len(table.board.placed) == COLUMNS
    assert table.raised == tuple(Cell(row, col) for row in range(2) for col in PEAK)
    assert table.doubts == ()


@FEW
@given(
    tilt_deg=st.floats(0, 54),
    turn_deg=st.floats(0, 360),
    astray=st.floats(0, 0.1),
    gap=st.floats(0, 0.1),
    seed=st.integers(0, 99),
)
def test_no_tile_of_a_flat_board_is_raised(
    tilt_deg: float, turn_deg: float, astray: float, gap: float, seed: int
) -> None:
    table = table_of(laid(FLAT, gap, astray, 2.0, seed), Eye(turn_deg, tilt_deg), seed)
    assert table.raised == ()
    assert table_of(mountain((), seed), Eye(turn_deg, tilt_deg), seed).raised == ()


def test_seen_from_right_above_nothing_tells_and_the_board_is_whole() -> None:
    table = table_of(mountain(PEAK, 1), Eye())
    assert len(table.board.placed) == COLUMNS
    assert set(table.raised) <= {Cell(row, col) for row in range(2) for col in PEAK}


def test_a_lift_too_small_to_be_sure_of_is_told_in_a_sentence() -> None:
    tables = [table_of(mountain(PEAK, 3, height), Eye(0, 28, away=20), 3) for height in np.linspace(0.0, 0.4, 21)]
    told = [doubt for table in tables for doubt in table.doubts]
    assert told
    assert all("lie on others" in doubt.sentence for doubt in told)
    assert not any(table.raised and table.doubts for table in tables)
    assert (tables[0].raised, tables[0].doubts) == ((), ())
    assert len(tables[-1].raised) == 4


def test_a_tile_across_two_others_lies_upon_them() -> None:
    below = [Laid(0, 0, 0, (1, 2)), Laid(0, 1, 0, (3, 4)), Laid(2, 0, 0, (5, 5)), Laid(2, 1, 0, (6, 1))]
    above = Laid(0.5, 0.5, 90, (0, 6), height=0.4)
    scene = seen([*below, above], Eye(), 0.2)
    *hidden, clear, other, top = scene.tiles
    unsure = [replace(tile, doubtful=True, confidence=0.4) for tile in hidden]
    table = rebuild(replace(scene, tiles=(*unsure, clear, other, top))).table
    assert table.raised == (Cell(0, 0), Cell(1, 0))
    assert [table.board.pips[cell] for cell in table.raised] == [0, 6]
