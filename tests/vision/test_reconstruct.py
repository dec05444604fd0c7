"""From pixels back to the board that was laid, whatever the hand and the camera did."""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.board import Board, Cell, extent
from rules.table import Chain, Table
from tests.vision.laying import Array, Eye, Laid, centered, laid, likelihoods, seen
from vision.reconstruct import Rebuilt, rebuild
from vision.scene import DieDetection, PawnDetection, Point, Scene, TetrominoDetection, TileDetection

FEW = settings(max_examples=12)


def board(picture: str) -> Board:
    return Board.parse(dedent(picture).strip("\n"))


PACKED = board("""
    6|4 0 1|1 2
        -     -
    2 5 3 4|4 0
    - -
    1 6 3|5 2|6

    0|0 1|5 6|6

    4 2|2 3 0|5
    -     -
    1 6|3 3 1|2
    """)

SCATTERED_ON_A_GRID = board("""
    6|4         1
                -
                3

      2|2

            5
            -
    3       0
    -
    4

        1|0   6|6
    """)


def same_up_to_a_turn(one: Board, other: Board) -> bool:
    return any(one == other.rotated(turns) for turns in range(4))


def rebuilt_board(tiles: list[Laid], eye: Eye, noise_px: float = 0.0) -> Board:
    return rebuild(seen(tiles, eye, noise_px)).table.board


def table_of(tiles: list[Laid], eye: Eye | None = None) -> Table:
    return rebuild(seen(tiles, eye or Eye(turn_deg=20, tilt_deg=25), noise_px=0.5)).table


# Boards


def test_a_board_seen_from_above_is_the_board_that_was_laid() -> None:
    assert rebuilt_board(laid(PACKED), Eye()) == PACKED


@pytest.mark.parametrize("turn_deg", [-40, -20, 0, 15, 40])
def test_rows_grow_down_the_picture_as_nearly_as_they_can(turn_deg: float) -> None:
    assert rebuilt_board(laid(PACKED), Eye(turn_deg=turn_deg, tilt_deg=20)) == PACKED


@FEW
@given(
    turn_deg=st.floats(0, 360),
    tilt_deg=st.floats(0, 50),
    lean_deg=st.floats(0, 360),
    away=st.floats(15, 40),
    bend=st.floats(-0.1, 0.1),
)
def test_turning_the_camera_changes_the_board_only_by_a_quarter_turn(
    turn_deg: float, tilt_deg: float, lean_deg: float, away: float, bend: float
) -> None:
    eye = Eye(turn_deg, tilt_deg, lean_deg, away, bend)
    assert same_up_to_a_turn(rebuilt_board(laid(PACKED, 0.05, 0.05, 1.5), eye, 0.5), PACKED)


@FEW
@given(
    gap=st.floats(0, 0.15),
    astray=st.floats(0, 0.15),
    turned_deg=st.floats(0, 5),
    turn_deg=st.floats(0, 360),
    seed=st.integers(0, 99),
)
def test_a_crooked_hand_lays_the_same_board(
    gap: float, astray: float, turned_deg: float, turn_deg: float, seed: int
) -> None:
    tiles = laid(PACKED, gap, astray, turned_deg, seed)
    assert same_up_to_a_turn(rebuilt_board(tiles, Eye(turn_deg=turn_deg, tilt_deg=35), 0.7), PACKED)


@FEW
@given(turn_deg=st.floats(0, 360), tilt_deg=st.floats(0, 45), seed=st.integers(0, 99))
def test_tiles_that_touch_nowhere_share_one_grid(turn_deg: float, tilt_deg: float, seed: int) -> None:
    tiles = laid(SCATTERED_ON_A_GRID, gap=0.03, astray=0.03, turned_deg=1, seed=seed)
    table = rebuild(seen(tiles, Eye(turn_deg, tilt_deg), 0.5)).table
    assert same_up_to_a_turn(table.board, SCATTERED_ON_A_GRID)
    assert table.loose == ()


@pytest.mark.parametrize(("apart", "together"), [(2.0, True), (6.0, False)])
def test_two_tiles_that_lie_far_apart_share_no_grid(apart: float, together: bool) -> None:
    tiles = [Laid(0, 0, 90, (2, 1)), Laid(-apart - 0.5, 1.5, 0, (2, 0))]
    table = rebuild(seen(tiles, Eye())).table
    assert (len(table.board.placed), len(table.loose)) == ((2, 0) if together else (0, 2))


def test_the_largest_board_of_a_double_fourteen_set_comes_back() -> None:
    rows = [[f"{(row + col) % 15:x}|{(row * col) % 15:x}" for col in range(8)] for row in range(15)]
    large = board("\n\n".join(" ".join(row) for row in rows))
    tiles = laid(large, gap=0.08, astray=0.08, turned_deg=2)
    assert same_up_to_a_turn(rebuilt_board(tiles, Eye(turn_deg=70, tilt_deg=40, away=40), 0.5), large)


def test_one_tile_alone_is_a_board_of_its_own() -> None:
    assert rebuilt_board([Laid(0, 0, 3, (2, 4))], Eye()) == board("2|4")
    assert rebuilt_board([Laid(0, 0, 93, (2, 4))], Eye()) == board("2\n-\n4")
    assert rebuilt_board([Laid(0, 0, 183, (2, 4))], Eye()) == board("4|2")


# Cells and the picture


@FEW
@given(turn_deg=st.floats(0, 360), tilt_deg=st.floats(0, 45))
def test_the_middle_of_each_half_lies_in_its_cell_of_the_picture(turn_deg: float, tilt_deg: float) -> None:
    scene = seen(laid(PACKED, gap=0.05), Eye(turn_deg, tilt_deg))
    rebuilt = rebuild(scene)
    for tile, cells in zip(scene.tiles, rebuilt.cells, strict=True):
        assert cells is not None
        for middle, cell, pips in zip(tile.centers_px, cells, tile.pips, strict=True):
            assert np.hypot(*np.subtract(middle, np.mean(rebuilt.quad_px(cell), 0))) < 0.2 * side_px(rebuilt, cell)
            assert rebuilt.table.board.pips[cell] == pips


def side_px(rebuilt: Rebuilt, cell: Cell) -> float:
    corners = np.array(rebuilt.quad_px(cell))
    return float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).min())


def test_a_cell_is_drawn_from_its_top_left_corner_round() -> None:
    one, two, three, four = rebuild(seen(laid(PACKED), Eye(turn_deg=10))).quad_px(Cell(2, 3))
    assert one[0] < two[0]
    assert two[1] < three[1]
    assert four[0] < three[0]
    assert one[1] < four[1]


def test_a_packed_block_is_no_line() -> None:
    assert table_of(laid(PACKED)).chain == Chain()


# Loose and face-down tiles


def test_tiles_thrown_on_the_table_are_loose() -> None:
    thrown = [Laid(-5, -3, 10, (1, 2)), Laid(0, 4, 50, (3, 3)), Laid(5, -2, 110, (0, 6)), Laid(-6, 4, 162, (5, 4))]
    table = rebuild(seen(thrown, Eye(tilt_deg=10), 0.3)).table
    assert table.board == Board()
    assert [(tile.head, tile.tail) for tile in table.loose] == [tile.pips for tile in thrown]


def test_a_loose_tile_says_where_it_lies_from_the_first() -> None:
    table = rebuild(seen([Laid(0, 0, 0, (1, 1)), Laid(4, 3, 30, (2, 5))], Eye())).table
    second = table.loose[1]
    assert second.unit == "halves"
    assert np.allclose((second.x, second.y, second.angle_deg), (4, 3, 30), atol=0.5)


def test_a_tile_askew_beside_the_board_stays_off_it() -> None:
    table = table_of([*laid(PACKED), Laid(6.5, 0.3, 40, (1, 4))])
    assert same_up_to_a_turn(table.board, PACKED)
    assert [str(tile.domino) for tile in table.loose] == ["41"]


def test_of_two_boards_at_different_angles_the_larger_counts() -> None:
    turn = np.deg2rad(30)
    spare = [Laid(9 + k * np.cos(turn), k * np.sin(turn), 120 + 180 * (k % 2), (k, 6)) for k in range(4)]
    table = table_of(centered([*laid(PACKED), *spare]), Eye(turn_deg=5, tilt_deg=20, away=34))
    assert same_up_to_a_turn(table.board, PACKED)
    assert len(table.loose) == 4


def test_face_down_tiles_hold_their_cells() -> None:
    tiles = [replace(tile, face_up=tile.pips not in {(6, 6), (0, 0)}) for tile in laid(PACKED)]
    table = rebuild(seen(tiles, Eye(tilt_deg=20))).table
    assert len(table.board.placed) == 16
    assert {place.cells for place in table.face_down} == {
        (Cell(3, 0), Cell(3, 1)),
        (Cell(3, 4), Cell(3, 5)),
    }


# Doubts


def doubtful(scene: Scene, pips: tuple[int, int], second: int, confidence: float) -> Scene:
    """The scene with the tile that reads `pips`, either way round, in doubt: its second number may be another."""

    def unsure(tile: TileDetection) -> TileDetection:
        if tile.pips not in {pips, pips[::-1]}:
            return tile
        chances = likelihoods(*pips, second)
        chances = chances if tile.pips == pips else (chances[1], chances[0])
        return replace(tile, doubtful=True, confidence=confidence, likelihoods=chances)

    return replace(scene, tiles=tuple(map(unsure, scene.tiles)))


@pytest.mark.parametrize("seed", range(4))
def test_a_doubt_names_its_cells_its_reading_and_what_else_it_may_be(seed: int) -> None:
    scene = doubtful(seen(laid(PACKED, seed=seed), Eye(tilt_deg=20)), (6, 3), 5, 0.7)
    (doubt,) = rebuild(scene).table.doubts
    assert (doubt.where, doubt.reading, doubt.others) == ((Cell(5, 1), Cell(5, 2)), "63", ("65",))
    assert doubt.confidence == 0.7


def test_a_doubtful_tile_on_no_cells_has_a_doubt_without_a_place() -> None:
    tiles = [*laid(PACKED), Laid(6.5, 0.3, 40, (1, 9))]
    (doubt,) = rebuild(doubtful(seen(tiles, Eye()), (1, 9), 12, 0.5)).table.doubts
    assert (doubt.where, doubt.reading, doubt.others) == ((), "19", ("1c",))


def test_a_doubtful_back_says_so() -> None:
    scene = seen([replace(tile, face_up=tile.pips != (0, 0)) for tile in laid(PACKED)], Eye())
    backs = tuple(tile if tile.face_up else replace(tile, doubtful=True) for tile in scene.tiles)
    (doubt,) = rebuild(replace(scene, tiles=backs)).table.doubts
    assert (doubt.where, doubt.reading) == ((Cell(3, 0), Cell(3, 1)), "face down")


def test_a_tile_seen_twice_is_one_tile_and_a_doubt() -> None:
    scene = seen(laid(PACKED), Eye())
    twice = next(tile for tile in scene.tiles if tile.pips in {(6, 3), (3, 6)})
    middles, corners = twice.centers_px, twice.corners_px
    turned = replace(
        twice,
        centers_px=(middles[1], middles[0]),
        corners_px=(*corners[2:], *corners[:2]),
        pips=(4, twice.pips[0]),
        confidence=0.4,
    )
    table = rebuild(replace(scene, tiles=(*scene.tiles, turned))).table
    (doubt,) = table.doubts
    assert table.board == PACKED
    assert table.loose == ()
    assert (doubt.where, doubt.reading) == ((Cell(5, 1), Cell(5, 2)), "63")
    assert doubt.others == (("64",) if twice.pips == (6, 3) else ("43",))


def test_up_to_three_other_readings_travel_along_best_first() -> None:
    scene = seen([Laid(0, 0, 0, (2, 4))], Eye())
    row = np.zeros(13)
    row[[4, 5, 3, 6, 1]] = 0.5, 0.2, 0.15, 0.1, 0.05
    head = scene.tiles[0].likelihoods[0]
    tile = replace(scene.tiles[0], pips=(2, 4), doubtful=True, likelihoods=(head, tuple(float(c) for c in row)))
    assert tile.others == ((2, 5), (2, 3), (2, 6))
    assert [round(other.chance, 3) for other in tile.alternatives] == [0.2, 0.15, 0.1]
    (doubt,) = rebuild(replace(scene, tiles=(tile,))).table.doubts
    assert {"".join(sorted(text)) for text in doubt.others} == {"25", "23", "26"}


def test_a_tile_across_two_others_makes_all_three_doubtful() -> None:
    tiles = laid(PACKED)
    left = next(tile for tile in tiles if tile.pips == (0, 0))
    false = Laid(left.x + 1, left.y, 0, (0, 5))
    scene = seen([*tiles, false], Eye())
    unsure = replace(scene.tiles[-1], confidence=0.3)
    table = rebuild(replace(scene, tiles=(*scene.tiles[:-1], unsure))).table
    assert table.board == PACKED
    assert Cell(3, 1) in {cell for doubt in table.doubts for cell in doubt.where}
    assert "05" in {doubt.reading for doubt in table.doubts}
    assert [str(tile.domino) for tile in table.loose] == ["50"]


# Other pieces


def test_pieces_stand_on_the_cells_they_cover() -> None:
    scene = seen(laid(PACKED), Eye(turn_deg=7))
    cells = [Cell(0, 0), Cell(0, 1), Cell(1, 0), Cell(1, 1)]
    at = [middle_px(scene, cell) for cell in cells]
    scene = replace(
        scene,
        dice=(DieDetection(at[3], 5, 0.9), DieDetection((5.0, 5.0), 2, 0.9)),
        pawns=(PawnDetection(at[0], (200, 0, 0), 0.9),),
        tetrominoes=(TetrominoDetection(tuple(at), True, 0.9),),
    )
    table = rebuild(scene).table
    assert [(die.value, die.cell) for die in table.dice] == [(5, Cell(1, 1)), (2, None)]
    assert table.pawns[0].cell == Cell(0, 0)
    assert table.tetrominoes[0].cells == tuple(cells)


@pytest.mark.parametrize(("tilt_deg", "hidden"), [(0, ()), (15, ()), (45, (Cell(2, 2),))])
def test_a_die_hides_the_cell_behind_it_from_a_camera_that_looks_aslant(tilt_deg: float, hidden: tuple[Cell]) -> None:
    tiles, eye, edge = centered(laid(PACKED)), Eye(tilt_deg=tilt_deg), 0.8
    rows, cols = extent(PACKED.owner)
    at = np.array([2.5 - cols / 2, 3.5 - rows / 2])
    top, aside = eye.sees(np.stack([at, at + [edge, 0]]), edge)
    die = DieDetection((float(top[0]), float(top[1])), 4, 0.9, edge_px=float(np.linalg.norm(aside - top)))
    (told,) = rebuild(replace(seen(tiles, eye), dice=(die,))).table.dice
    assert (told.cell, told.hides) == (Cell(3, 2), hidden)


def middle_px(scene: Scene, cell: Cell) -> tuple[float, float]:
    x, y = np.mean(rebuild(scene).quad_px(cell), 0)
    return float(x), float(y)


# Odd input


def test_a_die_that_seems_to_stand_beyond_all_measure_breaks_nothing() -> None:
    far = (DieDetection((1e9, -1e9), 4, 0.9, edge_px=1e9), DieDetection((640.0, float("nan")), 4, 0.9, edge_px=40.0))
    for eye in (Eye(), Eye(tilt_deg=60)):
        assert len(rebuild(replace(seen(laid(PACKED), eye), dice=far)).table.dice) == 2


def test_an_empty_scene_is_an_empty_table() -> None:
    rebuilt = rebuild(Scene((640, 480)))
    assert rebuilt.table == Table()
    assert rebuilt.cells == ()
    assert np.isfinite(rebuilt.quad_px(Cell(0, 0))).all()


def pixels(one: Array, two: Array, three: Array, four: Array) -> tuple[Point, Point, Point, Point]:
    (a, b), (c, d), (e, f), (g, h) = (map(float, point) for point in (one, two, three, four))
    return (a, b), (c, d), (e, f), (g, h)


def test_a_thing_of_the_wrong_size_is_loose_and_doubted() -> None:
    scene = seen([*laid(PACKED), Laid(9, 0, 0, (1, 4))], Eye(away=34))
    huge = scene.tiles[-1]
    one, two, three, four = (np.array(corner) * 4 - np.mean(huge.corners_px, 0) * 3 for corner in huge.corners_px)
    scene = replace(scene, tiles=(*scene.tiles[:-1], replace(huge, corners_px=pixels(one, two, three, four))))
    table = rebuild(scene).table
    assert table.board == PACKED
    assert [str(tile.domino) for tile in table.loose] == ["41"]
    assert [doubt.reading for doubt in table.doubts] == ["14"]


coordinate = st.one_of(st.integers(0, 1280).map(float), st.sampled_from([np.nan, np.inf, -1e30, 0.0]))
point = st.tuples(coordinate, coordinate)
junk = st.builds(
    TileDetection,
    corners_px=st.tuples(point, point, point, point),
    centers_px=st.tuples(point, point),
    pips=st.tuples(st.integers(-1, 99), st.integers(0, 12)),
    confidence=st.sampled_from([0.0, 0.5, 1.0, np.nan]),
    doubtful=st.booleans(),
    face_up=st.booleans(),
)


@FEW
@given(st.lists(junk, max_size=12))
def test_nonsense_never_breaks_it_and_no_tile_is_lost(tiles: list[TileDetection]) -> None:
    rebuilt = rebuild(Scene((1280, 960), tuple(tiles)))
    table = rebuilt.table
    assert len(rebuilt.cells) == len(tiles)
    told = (
        len(table.board.placed) + len(table.chain.tiles) + len(table.loose) + len(table.face_down) + len(table.doubts)
    )
    assert bool(told) == bool(tiles)
    assert np.isfinite(rebuilt.quad_px(Cell(0, 0))).all()


@FEW
@given(seed=st.integers(0, 99))
def test_the_same_scene_gives_the_same_table(seed: int) -> None:
    scene = seen(laid(PACKED, 0.1, 0.15, 5, seed), Eye(turn_deg=seed), 1.0, seed)
    assert rebuild(scene).table == rebuild(scene).table
