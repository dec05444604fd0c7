"""What the rules of a game let one look for: dominoes that must lie there, and those that somebody may have laid."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from vision.awaited import Awaited
from vision.following.claims import accounts, footprint
from vision.motion import Mask
from vision.overlap import exclude
from vision.quads import Quad

MOSTLY = 0.85  # of some cells
EVERY = 30  # frames in which nothing moves: so often a tile is looked for that went though nothing seemed to change


class Lookout:
    """Which dominoes are to be looked for in their places, each as often as somebody says so.

    must: those that must have lain there when they were last looked for.
    """

    def __init__(self) -> None:
        self.must: Sequence[Awaited] = ()
        self._next: Sequence[Awaited] = ()
        self._may: Callable[[], Sequence[Awaited]] = tuple
        self.forget((0, 0))

    def forget(self, shape: tuple[int, ...]) -> None:
        """The table is known as it lies: nothing strange lies there. shape: of the frames' cells."""
        self._lost: list[Awaited] = []
        self._calm = 0
        self._strange: Mask = np.zeros(shape, np.bool_)
        self._seen_to: Mask = np.zeros(shape, np.bool_)  # where what came was looked for

    def look_for(self, must: Sequence[Awaited], may: Callable[[], Sequence[Awaited]] = tuple) -> None:
        """Look for what must lie there; may: asked for what else may lie where something strange came."""
        self._next, self._may = must, may

    @property
    def waits(self) -> bool:
        """Whether something that must lie there is to be looked for."""
        return bool(self._next)

    def came(self, cells: Mask) -> None:
        """Something came to these cells that nothing found there accounts for; it is looked for once."""
        if cells.any() and self._seen_to[cells].mean() < MOSTLY:
            self._strange |= cells

    def lost(self, tiles: Iterable[Awaited]) -> None:
        """These are not seen any more though nothing seemed to change: what is as light as they are may lie on them."""
        self._lost += tiles

    def lie(self, faces: Iterable[Quad]) -> None:
        """These faces (4, 2) lie there: what was lost in their places is there again, or never will be."""
        lying = [*faces]
        self._lost = [one for one in self._lost if not any(exclude(one.corners, face) for face in lying)]

    def moves(self, cells: Mask) -> None:
        """Something moves there: what came may be gone again."""
        self._strange &= ~cells
        self._seen_to &= ~cells

    def due(self, by: int) -> Sequence[Awaited]:
        """What is to be looked for now, once; by: how many pixels of the frame one of the working picture is wide."""
        if self._next:
            self.must, self._next = self._next, ()
            return self.must
        self._calm += 1
        if not self._strange.any():
            return self._lost if self._calm % EVERY == 0 else ()
        cells, self._strange = self._strange, np.zeros_like(self._strange)
        self._seen_to |= cells
        return [one for one in self._may() if accounts(footprint(one.corners, by, cells.shape), cells)]
