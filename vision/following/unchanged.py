"""Where a table was seen without a tile and has not changed since: what seems to be a tile there is hardly one."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from vision.following.claims import GROWN
from vision.motion import Mask, grown

MOSTLY = 0.7  # of a tile's place


class Unchanged:
    """Remembers the cells on which a full read found no tile, as long as nothing comes to them that stays."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """The camera was moved: nothing is known of any place."""
        self._cells: Mask = np.zeros((0, 0), np.bool_)

    def read(self, feet: Iterable[Mask], shape: tuple[int, ...]) -> None:
        """The whole table was read: tiles have these feet, and lie nowhere else. shape: of the frames' cells."""
        self._cells = np.ones(shape, np.bool_)
        for foot in feet:
            self._cells &= ~grown(foot, GROWN)

    def changed(self, cells: Mask) -> None:
        """These cells look otherwise from now on."""
        if self._cells.size:
            self._cells &= ~cells

    def there(self, foot: Mask, changing: Mask | None = None) -> bool:
        """Whether most of a place has looked so since it was read without a tile. changing: where it looks otherwise
        just now."""
        if self._cells.shape != foot.shape or not foot.any():
            return False
        cells = self._cells if changing is None else self._cells & ~changing
        return bool(cells[foot].mean() > MOSTLY)
