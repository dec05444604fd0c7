"""What is looked for: once what must lie there, and what may lie there where something came that nothing tells of."""

from __future__ import annotations

import numpy as np
import pytest

from vision.awaited import MAY, Awaited
from vision.following.lookout import EVERY, Lookout
from vision.motion import CELL, Mask

pytestmark = pytest.mark.needs("cv2")

SHAPE = (40, 60)


def cells(top: int, left: int) -> Mask:
    mask = np.zeros(SHAPE, np.bool_)
    mask[top : top + 4, left : left + 8] = True
    return mask


def domino(top: int, left: int, odds: float = MAY) -> Awaited:
    """One that lies on these cells, in a picture of the working size."""
    corners = np.array([[left, top], [left + 8, top], [left + 8, top + 4], [left, top + 4]], float) * CELL
    return Awaited(corners, ((3, 4),), odds)


def looking(*may: Awaited) -> Lookout:
    lookout = Lookout()
    lookout.forget(SHAPE)
    lookout.look_for((), lambda: may)
    return lookout


def test_what_must_lie_there_is_looked_for_once_and_remembered() -> None:
    lookout, one = looking(), domino(10, 10)
    lookout.look_for([one])
    assert lookout.due(1) == [one]
    assert not lookout.due(1)
    assert lookout.must == [one]


def test_what_may_lie_there_is_looked_for_where_something_came() -> None:
    here, there = domino(10, 10), domino(30, 40)
    lookout = looking(here, there)
    assert not lookout.due(1)
    lookout.came(cells(30, 40))
    assert lookout.due(1) == [there]
    assert not lookout.due(1)


def test_nothing_is_looked_for_where_it_moves_on_or_the_table_is_read_anew() -> None:
    lookout = looking(domino(30, 40))
    lookout.came(cells(30, 40))
    lookout.moves(cells(30, 40))
    assert not lookout.due(1)
    lookout.came(cells(30, 40))
    lookout.forget(SHAPE)
    assert not lookout.due(1)


def test_what_stays_strange_is_looked_for_once_until_something_moves_there() -> None:
    here = domino(10, 10)
    lookout = looking(here)
    for _ in range(3):
        lookout.came(cells(10, 10))
    assert lookout.due(1) == [here]
    lookout.came(cells(10, 10))
    assert not lookout.due(1)
    lookout.moves(cells(10, 10))
    lookout.came(cells(10, 10))
    assert lookout.due(1) == [here]


def test_what_went_though_nothing_seemed_to_change_is_looked_for_now_and_then_until_something_lies_there() -> None:
    lookout, one = looking(), domino(10, 10)
    lookout.lost([one])
    looks = [list(lookout.due(1)) for _ in range(3 * EVERY)]
    assert [look for look in looks if look] == [[one]] * 3
    lookout.lie([domino(30, 30).corners])
    assert any(lookout.due(1) for _ in range(EVERY))
    lookout.lie([domino(10, 12).corners])
    assert not any(lookout.due(1) for _ in range(EVERY))
