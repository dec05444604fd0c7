"""A colour is called what most people call it, in bright light and in dim."""

import pytest

from rules.colors import SHADES, color_name
from rules.table import Piece


@pytest.mark.parametrize(
    ("color", "name"),
    [
        ((200, 30, 30), "red"),
        ((95, 12, 18), "red"),
        ((240, 130, 20), "orange"),
        ((110, 70, 30), "brown"),
        ((230, 210, 170), "beige"),
        ((235, 210, 30), "yellow"),
        ((30, 140, 50), "green"),
        ((20, 60, 25), "green"),
        ((30, 170, 170), "turquoise"),
        ((30, 60, 190), "blue"),
        ((110, 40, 160), "purple"),
        ((240, 150, 180), "pink"),
        ((20, 20, 22), "black"),
        ((128, 125, 130), "grey"),
        ((245, 244, 240), "white"),
        ((0, 0, 0), "black"),
        ((300, -5, 0), "red"),
    ],
)
def test_a_colour_has_its_common_name(color: tuple[int, int, int], name: str) -> None:
    assert color_name(color) == name


def test_a_piece_says_what_it_is_called_by() -> None:
    assert Piece((200, 30, 30)).color_name == "red"


@pytest.mark.parametrize("name", SHADES)
def test_a_piece_is_drawn_in_a_shade_of_its_name(name: str) -> None:
    assert color_name(SHADES[name]) == name
