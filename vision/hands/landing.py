"""Whether a hand has just touched a tile, and how long ago: what a network says of close-ups, frame after frame."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit, log_softmax, softmax

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
    def of(cls, lags: Floats, upon: Floats) -> Landing:
        """What one look or several at the same hand tell together.

        lags: (n, 17), the logarithm of each lag's chance, the last that nothing touched so lately. upon: (n,) log odds.
        """
        chances = softmax(lags.mean(axis=0, dtype=np.float64))
        chance = float(chances[:LAGS].sum())
        shares = chances[:LAGS] / max(chance, 1e-9)
        ago = float(shares @ MIDDLES)
        return cls(chance, ago, float(np.sqrt(shares @ (MIDDLES - ago) ** 2)), float(expit(upon.mean())))


class LandingEyes:
    """The network; one instance holds one that is loaded."""

    def __init__(self) -> None:
        self._net = network("touch.onnx")

    def look(self, pictures: Floats, before: Floats, where: Floats, who: Floats) -> tuple[Floats, Floats, Floats]:
        """What hands do, by close-ups (n, 8, 108, 108), what is remembered (n, 96, 12) and whereabouts (n, 4).

        who: (n, 2), of which tile each is and as which side sees it, by number. Gives what is to be remembered of these
        close-ups (n, 96), and the lags (n, 17) and log odds (n,) of `Landing.of`.
        """
        features, lags, upon = self._net((pictures, before, where, who), "seen", "lags", "upon")
        return features, np.asarray(log_softmax(lags, axis=1), np.float32), upon


Way = tuple[TableSide, bool]  # that a tile is seen in: as the player of a side sees it, or in a mirror


class Watched:
    """One tile that may be touched, and what was seen there of late, by the ways that it is seen in.

    corners: of the tile's face in pixels; length: of the usual tile; still: the table without hands.
    """

    def __init__(self, corners: ArrayLike, length: float, still: Image) -> None:
        x, y = (float(v) for v in np.mean(np.asarray(corners, np.float64), axis=0))
        self.view, self.size_px = View((x, y), length), still.shape[1::-1]
        self._still, self._corners = still, corners
        self._last: tuple[Image, Image] | None = None
        self.memory: dict[Way, deque[Floats]] = {}

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


@dataclass(frozen=True)
class _Look:
    """A look at one of some tiles, by number."""

    tile: int
    side: TableSide
    mirrored: bool

    @property
    def way(self) -> Way:
        return self.side, self.mirrored

    def shown(self, picture: Floats) -> Floats:
        """What is seen of a tile's picture."""
        here = turned(picture, self.side)
        return np.asarray(here[..., ::-1] if self.mirrored else here, np.float32)

    def whereabouts(self, tile: Watched) -> tuple[float, float, float, float]:
        """As of `View`."""
        left, right, near, far = tile.view.whereabouts(self.side, tile.size_px)
        return (right, left, near, far) if self.mirrored else (left, right, near, far)

    @property
    def who(self) -> tuple[int, int]:
        """As of `LandingEyes`; what is seen in a mirror is another tile."""
        return 2 * self.tile + self.mirrored, SIDES.index(self.side)


class Landings:
    """Looks at some tiles, frame by frame, with eyes that several tables may share."""

    def __init__(self, eyes: LandingEyes) -> None:
        self._eyes = eyes

    def see(
        self,
        tiles: Sequence[Watched],
        now: Image,
        before: Image,
        sides: Sequence[Sequence[TableSide]],
        twice: Collection[int] = (),
    ) -> list[dict[TableSide, Landing]]:
        """For each tile, what hands from its sides may have done. now, before: this frame and the last one.

        twice: those of the tiles, by number, that are looked at in a mirror, too: both looks together are far surer.
        """
        looks = [
            _Look(k, side, mirrored)
            for k, own in enumerate(sides)
            for side in own
            for mirrored in ((False, True) if k in twice else (False,))
        ]
        if not looks:
            return [{} for _ in tiles]
        self._meet(tiles, looks)
        pictures = [one.see(before, now) for one in tiles]
        remembered = [np.stack(tiles[look.tile].memory[look.way], axis=1) for look in looks]
        features, lags, upon = self._look(tiles, looks, pictures, remembered)
        for look, feature in zip(looks, features, strict=True):
            tiles[look.tile].memory[look.way].append(feature)
        rows = defaultdict[tuple[int, TableSide], list[int]](list)
        for row, look in enumerate(looks):
            rows[look.tile, look.side].append(row)
        return [
            {side: Landing.of(lags[rows[k, side]], upon[rows[k, side]]) for side in own} for k, own in enumerate(sides)
        ]

    def _meet(self, tiles: Sequence[Watched], looks: Sequence[_Look]) -> None:
        """What was not looked at before is remembered as it lies still."""
        fresh = [look for look in looks if look.way not in tiles[look.tile].memory]
        if fresh:
            nothing = [np.zeros((FEATURES, MEMORY), np.float32)] * len(fresh)
            features, *_ = self._look(tiles, fresh, [one.calm for one in tiles], nothing)
            for look, feature in zip(fresh, features, strict=True):
                tiles[look.tile].memory[look.way] = deque([feature] * MEMORY, maxlen=MEMORY)

    def _look(
        self, tiles: Sequence[Watched], looks: Sequence[_Look], pictures: Sequence[Floats], before: Sequence[Floats]
    ) -> tuple[Floats, Floats, Floats]:
        shown = np.stack([look.shown(pictures[look.tile]) for look in looks])
        where = np.array([look.whereabouts(tiles[look.tile]) for look in looks], np.float32)
        who = np.array([look.who for look in looks], np.float32)
        return self._eyes.look(np.ascontiguousarray(shown), np.stack(before), where, who)
