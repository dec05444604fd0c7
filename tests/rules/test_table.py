"""What may lie on a table."""

import pytest

from rules.board import Cell
from rules.domino import Domino
from rules.table import Chain, Joint, LaidTile, LooseTile, Place, Side, Table


def test_an_empty_table_is_an_ordinary_one() -> None:
    assert Table() == Table()
    assert not Table().board.placed


def test_a_double_may_lie_across_a_line() -> None:
    across = Joint(0, Side.TAIL, 1, Side.LEFT)
    chain = Chain((LaidTile(2, 4), LaidTile(4, 4)), (across,))
    assert [tile.domino for tile in chain.tiles] == [Domino(4, 2), Domino(4, 4)]


@pytest.mark.parametrize("joint", [(0, 0), (0, 2), (-1, 1)])
def test_a_joint_ties_two_tiles_of_its_chain(joint: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="ties two of the chain's 2 tiles"):
        Chain((LaidTile(2, 4), LaidTile(4, 4)), (Joint(joint[0], Side.TAIL, joint[1], Side.HEAD),))


def test_no_tile_lies_on_one_cell_or_shows_sixteen() -> None:
    with pytest.raises(ValueError, match="two cells or on none"):
        Place((Cell(0, 0),))
    with pytest.raises(ValueError, match="0 to 15"):
        LooseTile(16, 0, 0, 0, 0)
