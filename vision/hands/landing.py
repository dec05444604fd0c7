"""Whether a hand has just touched a tile, and how long ago: what a network says of close-ups, frame after frame."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, softmax

from rules.table import TableSide
from vision.hands.closeup import Closeups, View, face, turned
from vision.layout.seats import SIDES
from vision.networks import network
from vision.straighten import Image

Floats = NDArray[np.float32]

LAGS, LAG = 16, 0.5  # how many times since a touch are told apart, and how far apart they are, in frames
MEMORY, FEATURES = 12, 96  # frames before the last that the network remembers, and what it remembers of each
MIDDLES = (np.arange(LAGS) + 0.5) * LAG


@dataclass(frozen=True)
class Landing:
    """What may be a touch, as one frame shows it: how likely one was lately, how many frames ago, give or take.

    upon: how likely the hand is on the tile in this very frame, however long ago it touched.
    """

    chance: float
    ago: float
    spread: float
    upon: float

    @classmethod
    def of(cls, lags: Floats, upon: float) -> Landing:
        """lags: (17,), the chance of each lag, the last that nothing touched so lately."""
        chance = float(lags[:LAGS].sum())
        shares = lags[:LAGS] / max(chance, 1e-9)
        ago = float(shares @ MIDDLES)
        return cls(chance, ago, float(np.sqrt(shares @ (MIDDLES - ago) ** 2)), upon)


class LandingEyes:
    """The network; one instance holds one that is loaded."""

    def __init__(self) -> None:
        self._net = network("touch.onnx")

    def look(self, pictures: Floats, before: Floats, where: Floats, who: Floats) -> tuple[Floats, list[Landing]]:
        """What hands do, by close-ups (n, 8, 108, 108), what is remembered (n, 96, 12) and whereabouts (n, 4).

        who: (n, 2), of which tile each is and as which side sees it, by number. Gives what is to be remembered of
        these close-ups (n, 96), too.
        """
        features, lags, upon = self._net((pictures, before, where, who), "seen", "lags", "upon")
        told = zip(softmax(lags, axis=1), expit(upon), strict=True)
        return features, [Landing.of(np.asarray(chances, np.float32), float(here)) for chances, here in told]


class Watched:
    """One tile that may be touched, and what was seen there of late, as the player of each side sees it.

    corners: of the tile's face in pixels; length: of the usual tile; still: the table without hands.
    """

    def __init__(self, corners: ArrayLike, length: float, still: Image) -> None:
        x, y = (float(v) for v in np.mean(np.asarray(corners, np.float64), axis=0))
        self.view, self.size_px = View((x, y), length), still.shape[1::-1]
        self._still, self._corners = still, corners
        self._last: tuple[Image, Image] | None = None
        self.memory: dict[TableSide, deque[Floats]] = {}

    @cached_property
    def _closeups(self) -> Closeups:
        """Made for the first hand: most tiles are never touched."""
        return Closeups(self.view.see(self._still), face(self.view.onto(self._corners)))

    @property
    def calm(self) -> Floats:
        """What the network sees here while nothing happens."""
        return self._closeups.calm

    def see(self, before: Image, now: Image) -> Floats:
        """What the network sees here in a frame, after the one before."""
        return self._closeups.of(self._closeup(before), self._closeup(now))

    def _closeup(self, frame: Image) -> Image:
        """The close-up of a frame; the last one is remembered, for it is the one before the next."""
        if self._last is None or self._last[0] is not frame:
            self._last = frame, self.view.see(frame)
        return self._last[1]

    def forget(self) -> None:
        """Nothing happens here: the next hand is met afresh."""
        self.memory.clear()
        self._last = None  # it would hold on to a whole frame


class Landings:
    """Looks at some tiles, frame by frame, with eyes that several tables may share."""

    def __init__(self, eyes: LandingEyes) -> None:
        self._eyes = eyes

    def see(
        self, tiles: Sequence[Watched], now: Image, before: Image, sides: Sequence[Sequence[TableSide]]
    ) -> list[dict[TableSide, Landing]]:
        """For each tile, what hands from its sides may have done. now, before: this frame and the last one."""
        if not any(sides):
            return [{} for _ in tiles]
        self._meet(tiles, sides)
        pictures = [one.see(before, now) for one in tiles]
        seen_by = zip(tiles, pictures, sides, strict=True)
        rows = [(one, side, picture) for one, picture, own in seen_by for side in own]
        features, landings = self._look(rows, [np.stack(one.memory[side], axis=1) for one, side, _ in rows])
        for (one, side, _), feature in zip(rows, features, strict=True):
            one.memory[side].append(feature)
        told = iter(landings)
        return [{side: next(told) for side in own} for own in sides]

    def _meet(self, tiles: Sequence[Watched], sides: Sequence[Sequence[TableSide]]) -> None:
        """Where no hand of a side was over a tile before, remember it as it lies still."""
        pairs = ((one, side) for one, own in zip(tiles, sides, strict=True) for side in own)
        fresh = [(one, side) for one, side in pairs if side not in one.memory]
        if fresh:
            rows = [(one, side, one.calm) for one, side in fresh]
            features, _ = self._look(rows, [np.zeros((FEATURES, MEMORY), np.float32)] * len(rows))
            for (one, side), feature in zip(fresh, features, strict=True):
                one.memory[side] = deque([feature] * MEMORY, maxlen=MEMORY)

    def _look(
        self, rows: Sequence[tuple[Watched, TableSide, Floats]], before: Sequence[Floats]
    ) -> tuple[Floats, list[Landing]]:
        pictures = np.stack([turned(picture, side) for _, side, picture in rows])
        where = np.array([one.view.whereabouts(side, one.size_px) for one, side, _ in rows], np.float32)
        numbers = {id(one): k for k, (one, _, _) in enumerate(rows)}
        who = np.array([(numbers[id(one)], SIDES.index(side)) for one, side, _ in rows], np.float32)
        return self._eyes.look(np.ascontiguousarray(pictures), np.stack(before), where, who)
