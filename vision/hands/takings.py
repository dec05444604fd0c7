"""Tiles that are gone, or lie otherwise, once no hand is over them any more: whoever was there touched them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.hands.approach import Position
from vision.scene import Point

Bytes = NDArray[np.uint8]

BARE = 0.6  # of a tile that must be seen beside all hands
GONE, STAYS = 0.3, 0.15  # of what is seen: so much looks otherwise where a tile was taken, so little where it lies
CALM = 0.12  # of a tile: so much may change from frame to frame where nothing moves
MOST = 300  # frames of a visit that are kept: its first halt is what tells
SURE_S = 0.04  # so long it has to look so


@dataclass(eq=False)
class Visit:
    """A hand over a place: its number, where its arm came in, and its way.

    counts: whether it was there since the tile was last seen to lie in its place.
    """

    hand: int
    entry_px: Point
    path: list[Position] = field(default_factory=list)
    counts: bool = True


@dataclass
class _Look:
    """What was last seen of a place: whether its tile lies there, since when it is gone, and how that looks."""

    lies: bool = False
    known: bool = False
    gone_s: float | None = None
    mask: Bytes | None = None


class Takings:
    """Watches some places, as corners in pixels of the masks, for tiles that leave them."""

    def __init__(self, places: Sequence[ArrayLike], size: tuple[int, int]) -> None:
        self._pieces = [_piece(np.asarray(corners, np.float64), size) for corners in places]
        self._looks = [_Look() for _ in places]
        self._visits: list[dict[int, Visit]] = [{} for _ in places]
        self._gone: set[int] = set()

    def visited(self, place: int, hand: int, entry_px: Point, position: Position) -> None:
        """Tell that a hand is over a place, and where on its way it is."""
        visit = self._visits[place].setdefault(hand, Visit(hand, entry_px))
        visit.counts = True
        if len(visit.path) < MOST:
            visit.path.append(position)

    def visit(self, place: int, hand: int) -> Visit | None:
        """A hand's visit to a place, if it is over it or was since its tile was last seen to lie there."""
        return self._visits[place].get(hand)

    def see(self, mask: Bytes, hands: Bytes, now_s: float) -> Iterator[tuple[int, tuple[Visit, ...]]]:
        """The places whose tile turns out to be gone, and who was over each since it was last seen to lie there.

        mask: 255 where something lies over the table or is gone from it. hands: 255 where hands are, with some more.
        """
        for k, (window, shape) in enumerate(self._pieces):
            look = self._looks[k]
            gone = self._is_gone(look, mask[window], hands[window], shape, now_s)
            if gone and k not in self._gone:
                self._gone.add(k)
                yield k, tuple(visit for visit in self._visits[k].values() if visit.counts)
            if look.lies:
                self._visits[k] = {hand: visit for hand, visit in self._visits[k].items() if visit.counts}
                for visit in self._visits[k].values():
                    visit.counts = False

    def _is_gone(self, look: _Look, mask: Bytes, hands: Bytes, shape: Bytes, now_s: float) -> bool:
        seen = cv2.bitwise_and(shape, cv2.bitwise_not(hands))
        whole, part = cv2.countNonZero(shape), cv2.countNonZero(seen)
        look.lies = False
        if part < BARE * whole:
            look.gone_s = look.mask = None
            return False
        other = np.asarray(cv2.bitwise_and(mask, seen), np.uint8)
        share = cv2.countNonZero(other) / part
        look.lies = share < STAYS
        look.known |= look.lies
        calm = look.mask is None or cv2.countNonZero(cv2.absdiff(other, look.mask)) < CALM * whole
        look.mask = other
        if share < GONE or not calm:
            look.gone_s = None
            return False
        look.gone_s = now_s if look.gone_s is None else look.gone_s
        return look.known and now_s - look.gone_s >= SURE_S


def _piece(corners: NDArray[np.float64], size: tuple[int, int]) -> tuple[tuple[slice, slice], Bytes]:
    """The window of a mask in which a place lies, and its shape there."""
    at = np.clip(np.rint(corners), 0, np.array(size) - 1).astype(np.int32)
    (x, y), (right, bottom) = at.min(axis=0), at.max(axis=0)
    shape = np.zeros((int(bottom - y) + 1, int(right - x) + 1), np.uint8)
    cv2.fillConvexPoly(shape, at - (int(x), int(y)), (255,))
    return (slice(int(y), int(bottom) + 1), slice(int(x), int(right) + 1)), shape
