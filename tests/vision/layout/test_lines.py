"""Lines of play come back as they were laid: which end met which end, or the long side of a double."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.table import Chain, Side, Table
from tests.vision.laying import Eye, Laid, centered, seen
from vision.reconstruct import rebuild

FEW = settings(max_examples=12)


def table_of(tiles: list[Laid], eye: Eye | None = None) -> Table:
    return rebuild(seen(tiles, eye or Eye(turn_deg=20, tilt_deg=25), noise_px=0.5)).table


# A line through two doubles that lie across it, then down and back: each tile by its middle, direction and numbers.
LINE = [
    Laid(0, 0, 0, (6, 1)),
    Laid(1.5, 0, 90, (1, 1)),
    Laid(3, 0, 180, (4, 1)),
    Laid(4.5, 0, 270, (4, 4)),
    Laid(6, 0, 0, (4, 2)),
    Laid(7.5, 0.5, 90, (2, 5)),
    Laid(7.5, 2.5, 90, (5, 3)),
    Laid(6, 3, 180, (3, 0)),
]


def joints(chain: Chain) -> list[str]:
    """Each joint as the numbers that meet; a long side shows its double's number, else a cross."""
    return [
        f"{number(chain, joint.tile, joint.side)}{number(chain, joint.other, joint.other_side)}"
        for joint in chain.joints
    ]


def number(chain: Chain, tile: int, side: Side) -> str:
    laid_tile = chain.tiles[tile]
    flank = laid_tile.head if laid_tile.domino.is_double else "x"
    return str({Side.HEAD: laid_tile.head, Side.TAIL: laid_tile.tail}.get(side, flank))


@FEW
@given(turn_deg=st.floats(0, 360), tilt_deg=st.floats(0, 40), seed=st.integers(0, 99))
def test_a_line_is_listed_as_it_was_played(turn_deg: float, tilt_deg: float, seed: int) -> None:
    shuffled = [LINE[k] for k in np.random.default_rng(seed).permutation(len(LINE))]
    chain = rebuild(seen(centered(shuffled), Eye(turn_deg, tilt_deg), 0.5, seed)).table.chain
    read = [f"{tile.head}{tile.tail}" for tile in chain.tiles]
    forth, back = "61 11 14 44 42 25 53 30", "03 35 52 24 44 41 11 16"
    assert " ".join(read) in {forth, back}
    assert sorted(joints(chain)) == sorted(f"{k}{k}" for k in "1144253")


def test_a_double_across_the_line_is_joined_at_its_long_sides() -> None:
    chain = table_of(centered(LINE[:3])).chain
    across = {joint.other_side for joint in chain.joints} | {joint.side for joint in chain.joints}
    assert {Side.LEFT, Side.RIGHT} <= across


def test_left_and_right_are_those_of_one_who_looks_from_tail_to_head() -> None:
    upright = Laid(0, 0, 270, (5, 6))
    below, left = Laid(0, -2.0, 270, (3, 5)), Laid(-1.5, 0, 0, (1, 2))
    chain = table_of([upright, below, left], Eye()).chain
    sides = {(chain.tiles[j.tile], j.side) for j in chain.joints} | {
        (chain.tiles[j.other], j.other_side) for j in chain.joints
    }
    (side,) = {side for tile, side in sides if side in {Side.LEFT, Side.RIGHT}}
    (listed,) = [tile for tile, met in sides if met is side]
    # Its tail, the 6, points up the picture: who stands on it and looks at the 5 has the picture's left on the right.
    assert (listed.head, listed.tail, side) in {(5, 6, Side.RIGHT), (6, 5, Side.LEFT)}


def test_doubles_across_lie_off_the_cells_yet_are_not_loose() -> None:
    table = table_of(centered(LINE))
    assert len(table.board.placed) == 6
    assert len(table.chain.tiles) == 8
    assert table.loose == ()


def test_four_arms_meet_at_one_double() -> None:
    arms = [
        Laid(0, 0, 90, (3, 3)),
        Laid(1.5, 0, 0, (3, 1)),
        Laid(-1.5, 0, 180, (3, 2)),
        Laid(0, 2, 90, (3, 4)),
        Laid(0, -2, 270, (3, 5)),
    ]
    chain = table_of(arms).chain
    assert joints(chain) in ([j] * 4 for j in ("33",))
    middle = next(k for k, tile in enumerate(chain.tiles) if tile.domino.is_double)
    met = [joint.side if joint.tile == middle else joint.other_side for joint in chain.joints]
    assert set(met) == set(Side)


def test_a_line_that_curves_is_still_one_line() -> None:
    curve = [
        Laid(8 * np.sin(a), -8 * np.cos(a), float(np.rad2deg(a)), (k, k + 1)) for k, a in enumerate(0.27 * np.arange(6))
    ]
    chain = table_of(centered(curve)).chain
    assert joints(chain) in (["11", "22", "33", "44", "55"], ["55", "44", "33", "22", "11"])
