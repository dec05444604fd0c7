"""Four squares of cardboard that make one piece."""

from __future__ import annotations

import numpy as np
import pytest

from vision.before import Unseen
from vision.peaks import Spot
from vision.scene import TetrominoDetection, TileDetection
from vision.tetrominoes import find_tetrominoes, shining, sides_told

pytestmark = pytest.mark.needs("cv2")

T = [(0, 0), (1, 0), (2, 0), (1, 1)]
EDGE = 40.0


def spots(
    cells: list[tuple[int, int]], score: float, kind: str = "dark", turned_deg: float = 0.0, votes_off: float = 0.0
) -> list[Spot]:
    """A square on each cell, each of which believes the middle of the piece to be so many edges off."""
    chance, a = np.random.default_rng(1), np.deg2rad(turned_deg)
    points = np.array(cells) @ (EDGE * np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])) + 300
    found = []
    for point in points:
        way = points.mean(axis=0) - point + EDGE * votes_off * np.exp(1j * chance.uniform(0, 7)) * np.array([1, -1j])
        found.append(Spot(kind, (point[0], point[1]), EDGE, turned_deg, (way[0].real, way[1].real), score))
    return found


def domino(head: tuple[int, int], pips: tuple[int, int], *, face_up: bool = True) -> TileDetection:
    """A sure domino that lies on a cell and the one at its right."""
    x, y = (300 + EDGE * at for at in head)
    left, right, top, low = x - EDGE / 2, x + 1.5 * EDGE, y - EDGE / 2, y + EDGE / 2
    sure = tuple(tuple(float(n == number) for n in range(13)) for number in pips)
    return TileDetection(
        corners_px=((left, low), (left, top), (right, top), (right, low)),
        centers_px=((x, y), (x + EDGE, y)),
        pips=pips,
        likelihoods=(sure[0], sure[1]),
        confidence=1.0,
        face_up=face_up,
        doubtful=False,
    )


@pytest.mark.parametrize("turned_deg", [0.0, 20.0, 45.0])
def test_four_squares_that_point_to_one_middle_are_surely_one_piece(turned_deg: float) -> None:
    (one,) = find_tetrominoes(spots(T, 0.8, turned_deg=turned_deg))
    assert one.chance == pytest.approx(0.8)
    assert not one.piece.light  # type: ignore[union-attr]


def test_what_points_past_one_another_is_left_to_a_game_that_has_tetrominoes() -> None:
    (one,) = find_tetrominoes(spots(T, 0.6, votes_off=0.6))
    assert 0.2 < one.chance < 0.5


def test_squares_of_two_pieces_side_by_side_are_told_apart() -> None:
    other = [(x + 3, y) for x, y in T]
    found = find_tetrominoes([*spots(T, 0.7), *spots(other, 0.7)])
    assert sorted(len(one.piece.centers_px) for one in found) == [4, 4]  # type: ignore[union-attr]
    middles = sorted(float(np.mean(one.piece.centers_px, axis=0)[0]) for one in found)  # type: ignore[union-attr]
    assert middles == pytest.approx([340, 460])


def test_a_square_whose_colour_is_not_sure_goes_with_the_others() -> None:
    three, odd = spots(T, 0.7, "light")[:3], spots(T, 0.5, "dark")[3]
    both = Spot("light", odd.center, EDGE, 0.0, odd.way, 0.4)
    (one,) = find_tetrominoes([*three, odd, both])
    assert one.piece.light  # type: ignore[union-attr]


@pytest.mark.parametrize("cells", [T[:3], [(0, 0), (1, 0), (3, 0), (4, 0)], [(0, 0), (1, 0), (1.5, 0.9), (2, 0)]])
def test_three_squares_gaps_and_squares_off_the_grid_are_none(cells: list[tuple[int, int]]) -> None:
    assert find_tetrominoes(spots(cells, 0.9)) == ()


def hidden(*tiles: TileDetection) -> list[Unseen]:
    """Dominoes of which nothing is seen any more."""
    return [Unseen(tile, (0.0, 0.0)) for tile in tiles]


UNDER_T = hidden(domino((0, 0), (3, 4)), domino((2, 0), (5, 1)), domino((1, 1), (2, 2)))


def test_faint_squares_are_cardboard_on_the_cells_of_dominoes_that_lay_there() -> None:
    faint = spots(T, 0.4, votes_off=0.4)
    (anywhere,), (there,) = find_tetrominoes(faint), find_tetrominoes(faint, UNDER_T)
    assert there.chance > 1.2 * anywhere.chance
    assert sorted(there.piece.centers_px) == pytest.approx(  # type: ignore[union-attr]
        np.array([(300, 300), (340, 300), (340, 340), (380, 300)])
    )


def test_where_no_domino_lay_nothing_makes_faint_squares_cardboard() -> None:
    faint = spots([(x, y + 3) for x, y in T], 0.4, votes_off=0.4)
    assert find_tetrominoes(faint, UNDER_T) == find_tetrominoes(faint)


def test_no_cardboard_lies_on_a_half_that_shows_its_pips_and_some_does_beside_it() -> None:
    row = spots([(0, 0), (1, 0), (2, 0), (2, 1), (3, 1)], 0.5)
    upper, last = domino((0, 0), (3, 4)), domino((2, 1), (2, 6))
    beside = hidden(domino((2, 0), (5, 1)))
    (one, *_) = find_tetrominoes(row, [*beside, Unseen(upper, (0.0, 0.0)), Unseen(last, (0.0, 1.0))])
    assert (420.0, 340.0) not in one.piece.centers_px  # type: ignore[union-attr]
    (one, *_) = find_tetrominoes(row, [*beside, Unseen(upper, (1.0, 0.0)), Unseen(last, (0.0, 0.0))])
    assert (300.0, 300.0) not in one.piece.centers_px  # type: ignore[union-attr]


@pytest.mark.parametrize(("pips", "told"), [((3, 4), 0), ((0, 4), 0), ((0, 0), 1)])
def test_no_cardboard_lies_on_dominoes_that_show_as_they_did(pips: tuple[int, int], told: int) -> None:
    light = spots(T, 0.8, "light")
    (one,) = find_tetrominoes(light)
    assert one.chance > 0.5
    found = find_tetrominoes(light, bare=[domino((0, 0), pips)])
    assert len(found) == told
    assert all(one.chance < 0.5 for one in found)  # two blanks look like light cardboard, but something must have come


def test_one_square_twice_as_large_on_four_known_cells_is_a_square_of_four() -> None:
    whole = Spot("light", (320.0, 320.0), 2 * EDGE, 0.0, (30.0, 0.0), 0.4)
    assert find_tetrominoes([whole]) == ()
    (one,) = find_tetrominoes([whole], hidden(domino((0, 0), (3, 4)), domino((0, 1), (4, 4))))
    assert len(one.piece.centers_px) == 4  # type: ignore[union-attr]
    assert one.piece.light  # type: ignore[union-attr]
    assert one.chance > 0.3


@pytest.mark.parametrize(("ends", "blank"), [((0, 4), (0, 0)), ((5, 0), (3, 1))])
def test_a_half_that_is_known_to_be_blank_is_no_square_of_cardboard(
    ends: tuple[int, int], blank: tuple[int, int]
) -> None:
    row = spots([(0, 0), (1, 0), (2, 0), (2, 1), (3, 1)], 0.6, "light")
    known = hidden(domino((0, 0), (ends[0], 3)), domino((2, 0), (3, 4)), domino((2, 1), (2, ends[1])))
    (one, *_) = find_tetrominoes(row, known)
    assert (300 + EDGE * blank[0], 300 + EDGE * blank[1]) not in one.piece.centers_px  # type: ignore[union-attr]


def test_what_looks_light_is_light_upon_a_blank_too() -> None:
    both = [*spots(T, 0.45, "light"), *spots(T, 0.4)]
    known = hidden(domino((0, 0), (0, 0)), domino((2, 0), (0, 1)), domino((1, 1), (2, 0)))
    assert find_tetrominoes(both, known)[0].piece.light  # type: ignore[union-attr]


@pytest.mark.parametrize(("grey", "light"), [(55, False), (180, True)])
def test_cardboard_on_a_black_table_is_light_only_where_it_is_nearly_as_light_as_the_dominoes(
    grey: int, light: bool
) -> None:
    frame = np.zeros((720, 960, 3), np.uint8)
    tile = domino((-4, 0), (2, 3))
    frame[280:320, 120:200] = 235
    for col, row in T:
        frame[280 + 40 * row : 320 + 40 * row, 280 + 40 * col : 320 + 40 * col] = grey
    seen = find_tetrominoes(spots(T, 0.9, "light"))
    (told,) = sides_told(frame, seen, shining(frame, [tile]))
    assert isinstance(told.piece, TetrominoDetection)
    assert told.piece.light == light
    assert sides_told(frame, seen, shining(frame, [])) == seen
