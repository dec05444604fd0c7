"""What is sure about a table: doubts about numbers, and doubts about something else."""

from rules.board import Board, Cell
from rules.certainty import doubt_notes, part
from rules.table import Doubt, Table

BOARD = Board.parse("1|2 3|4")
LEFT, RIGHT = (Cell(0, 0), Cell(0, 1)), (Cell(0, 2), Cell(0, 3))


def test_a_tile_whose_numbers_are_doubtful_may_read_anything() -> None:
    sight = part(Table(BOARD, doubts=(Doubt(LEFT, "12", ("13",), 0.6),)))
    assert sight.wild == (LEFT,)
    assert str(sight.sure).split() == ["3|4"]


def test_a_doubt_about_something_else_leaves_the_numbers_as_they_are() -> None:
    higher = Doubt(RIGHT, "raised", ("flat",), 0.5, "It is not sure whether the 3-4 lies on top of others.")
    sight = part(Table(BOARD, doubts=(higher,)))
    assert sight.wild == ()
    assert sight.sure == BOARD


def test_each_doubt_is_said_in_its_own_words() -> None:
    higher = Doubt(RIGHT, "raised", ("flat",), 0.5, "It is not sure whether the 3-4 lies on top of others.")
    notes = doubt_notes((Doubt(LEFT, "12", ("13",), 0.6), higher), lambda cell: cell)
    assert [note.text for note in notes] == [
        "It is not sure that the tile at row 1, columns 1 and 2 reads 1-2; it may be 1-3.",
        "It is not sure whether the 3-4 lies on top of others.",
    ]
    assert notes[1].cells == RIGHT
