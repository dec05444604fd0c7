"""Numbers and places in sentences."""

import pytest

from rules.board import Cell
from rules.domino import Domino
from rules.words import count, listing, said, said_reading, where


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ([(0, 1)], "row 1, column 2"),
        ([(0, 1), (0, 2)], "row 1, columns 2 and 3"),
        ([(2, 3), (3, 3)], "rows 3 and 4, column 4"),
        ([(0, 0), (0, 1), (0, 2), (0, 4)], "row 1, columns 1 to 3 and 5"),
        ([(0, 0), (1, 1)], "row 1, column 1; row 2, column 2"),
        ([(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)], "rows 1 to 3, columns 1 and 2"),
        ([(-1, 0)], "the row above row 1, column 1"),
        ([(-2, 0), (-1, 0)], "the 2 rows above row 1, column 1"),
        ([(-1, 2), (0, 2)], "the row above row 1 and row 1, column 3"),
        ([(0, -3)], "row 1, 3 columns left of column 1"),
        ([(0, -3), (0, -2)], "row 1, 2 and 3 columns left of column 1"),
    ],
)
def test_places_are_counted_from_one_and_runs_are_drawn_together(cells: list[tuple[int, int]], words: str) -> None:
    assert where([Cell(*cell) for cell in cells]) == words


def test_things_in_a_row() -> None:
    assert listing(["a"]) == "a"
    assert listing(["a", "b", "c"]) == "a, b and c"
    assert listing(["a", "b"], "or") == "a or b"


def test_one_is_not_many() -> None:
    assert (count(1, "domino"), count(2, "square"), count(2, "domino", "dominoes")) == (
        "1 domino",
        "2 squares",
        "2 dominoes",
    )


def test_dominoes_are_said_in_plain_numbers() -> None:
    assert said(Domino.of(12, 3)) == "3-12"
    assert said_reading("c3") == "12-3"
    assert said_reading("c3", turned=True) == "3-12"
    assert said_reading("face down", turned=True) == "face down"
