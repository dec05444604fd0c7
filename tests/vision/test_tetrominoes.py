"""Four squares of cardboard that make one piece."""

from __future__ import annotations

import numpy as np
import pytest

from vision.peaks import Spot
from vision.tetrominoes import find_tetrominoes

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
