"""The score: a tile is right only if both numbers are, half for half; what is wrong and not doubted is silent."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.scoring import Label, LabelledDie, LabelledTile, judged, readings, score, wilson
from vision.scene import DieDetection, TileDetection

TRUE = LabelledTile((2, 5), (100.0, 100.0), (150.0, 100.0))
TABLE = Label("table", (640, 480), (TRUE,))


def seen(
    pips: tuple[int, int], at: float = 100.0, *, doubtful: bool = False, face_up: bool = True, turned: bool = False
) -> TileDetection:
    a, b = ((at, 100.0), (at + 50, 100.0))
    return TileDetection(((0, 0),) * 4, (b, a) if turned else (a, b), pips, 0.9, doubtful, face_up)


@pytest.mark.parametrize(
    ("reading", "counts"),
    [
        (seen((2, 5)), {"found": 1, "right": 1, "halves": 2, "exact": 1}),
        (seen((5, 2), turned=True), {"found": 1, "right": 1, "halves": 2, "exact": 1}),
        (seen((2, 5), doubtful=True), {"right": 1, "doubted": 1, "exact": 1}),
        (seen((2, 4)), {"found": 1, "halves": 1, "silent": 1}),
        (seen((5, 2)), {"found": 1, "halves": 0, "silent": 1}),
        (seen((2, 4), doubtful=True), {"found": 1, "silent": 0}),
        (seen((2, 5), at=300.0), {"found": 0, "spurious": 1, "silent": 1}),
        (seen((0, 0), face_up=False), {"found": 0, "silent": 1, "spurious": 0}),
    ],
)
def test_one_tile(reading: TileDetection, counts: dict[str, int]) -> None:
    n = score(TABLE, [reading])
    assert {key: n[key] for key in counts} == counts


def test_a_tile_is_matched_once_and_the_nearest_wins() -> None:
    n = score(TABLE, [seen((2, 4), at=110), seen((2, 5), at=101)])
    assert (n["right"], n["spurious"]) == (1, 1)


def test_half_hidden_tiles_count_for_nothing_once_each() -> None:
    label = Label("table", (640, 480), (), optional=((3, 1),))
    assert score(label, [seen((1, 3)), seen((1, 3), at=300)])["spurious"] == 1


def test_outside_the_region_of_interest_nothing_counts() -> None:
    label = Label("table", (640, 480), (), roi=(0.0, 0.0, 50.0, 50.0))
    assert score(label, [seen((1, 3))])["spurious"] == 0


def test_the_interval_holds_the_share() -> None:
    assert wilson(9, 10) == "0.9000 (0.596-0.982) 9/10"


@pytest.mark.parametrize(
    ("reading", "right"),
    [
        (seen((2, 5)), True),
        (seen((5, 2), turned=True), True),
        (seen((5, 2)), False),
        (seen((2, 5), at=300.0), False),
        (seen((0, 0), face_up=False), False),
        (seen((0, 0), at=400.0, face_up=False), True),
    ],
)
def test_a_reading_is_right_or_wrong(reading: TileDetection, right: bool) -> None:
    table = replace(TABLE, backs=((425.0, 100.0),), tile_px=100)
    assert judged(table, [reading]) == [(reading, right)]


def test_readings_follow_the_label() -> None:
    other = LabelledTile((6, 6), (100.0, 300.0), (150.0, 300.0))
    table = replace(TABLE, tiles=(other, TRUE))
    assert readings(table, [seen((5, 2), turned=True)]) == (None, (2, 5))


def test_each_die_is_judged_by_the_reading_nearest_to_it_and_the_rest_are_extra() -> None:
    label = Label("a", (1000, 800), (), dice=(LabelledDie(5, (100, 100)), LabelledDie(2, (160, 100))))
    seen = [DieDetection(at, value, 0.9) for at, value in (((104, 98), 5), ((158, 103), 3), ((700, 700), 6))]
    n = score(label, (), seen)
    assert (n["dice"], n["dice_right"], n["dice_extra"]) == (2, 1, 1)


def test_a_die_counts_on_a_tile_that_it_hides_and_what_is_seen_besides_there_does_not() -> None:
    hidden = (50.0, 50.0, 250.0, 150.0)
    label = Label("a", (1000, 800), (), ignore=(hidden,), dice=(LabelledDie(5, (100, 100)),))
    seen = [DieDetection((101, 99), 5, 0.9), DieDetection((220, 100), 6, 0.9)]
    n = score(label, (), seen)
    assert (n["dice"], n["dice_right"], n["dice_extra"]) == (1, 1, 0)
