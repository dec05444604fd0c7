"""Which dominoes a picture must show by what is known of the game, though they were not found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.board import Placed
from rules.foreseen import backs
from rules.game import Game
from vision.awaited import Awaited
from vision.reconstruct import Rebuilt


def awaited(game: Game[Any, Any], rebuilt: Rebuilt, start: Any, lacks: Sequence[Placed] = ()) -> list[Awaited]:
    """Those that lie face down in the state `start` where none was found, and those that the table lacks."""
    table = rebuilt.table
    lying = {*table.board.owner, *(cell for place in table.face_down for cell in place.cells)}
    hidden = (cells for cells in backs(game, table, start) if lying.isdisjoint(cells))
    return [
        *(Awaited(rebuilt.face_px(*one.cells), ((one.head, one.tail),)) for one in lacks),
        *(Awaited(rebuilt.face_px(head, tail), ()) for head, tail in hidden),
    ]
