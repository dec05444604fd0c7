"""Each tile's portrait: a few hundred points of it, by which a later frame tells whether it still lies there uncovered.

Compared is how much of a patch no change of light explains: no gain, no offset, no slope of brightness over the tile.
A portrait remembers where a piece hid the tile when it was taken: a pawn that left tells nothing of the tile. How far
each tile slid since then is tracked as well (Lucas and Kanade 1981): portraits that follow the light follow a slow
camera, too, and would show next to no change.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.straighten import Image

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

ACROSS, ALONG = 16, 32  # points of a portrait
MARGIN = 0.1  # of the tile's sides, seen around it
NOISE = 4.0  # grey levels of variance that no patch is trusted below
LEAST, TIMES = 0.06, 3.0  # an unexplained share of a patch is a change above this and so many times the usual
DIMMEST, BRIGHTEST = 0.45, 2.2  # lights change so far between two frames; a face that fades more has gone
FIRST = 0.08  # what is usual for a portrait just taken
MOSTLY, PLAIN = 0.5, 100.0  # an unexplained share that no shadow makes; a variance below which nothing is there to tell
ENOUGH = 0.25  # of a tile has to be seen beside a piece to tell whether it is still there
FOLLOW = 0.05  # how quickly portraits, and what is usual for them, follow
FAINT = 1e3  # grey levels squared, of all of a patch: by so faint edges a step is told slowly


class Portraits:
    """The portraits of the tiles on the table, in the order in which they were added."""

    def __init__(self) -> None:
        self._points = np.zeros((0, ACROSS * ALONG, 2), np.float32)
        self._taken = np.zeros((0, ACROSS * ALONG), np.float32)
        self._open = np.zeros((0, ACROSS * ALONG), np.bool_)
        self._usual = np.zeros(0, np.float32)
        self._first = np.zeros((0, ACROSS * ALONG), np.float32)  # as taken, without light
        self._telling = np.zeros((0, 2, ACROSS * ALONG), np.float32)  # of steps, as of _telling
        self._slid, self._strayed = np.zeros((0, 2), np.float32), np.zeros((0, 2), np.float32)
        self._lightest = 0.0

    def __len__(self) -> int:
        return len(self._points)

    def add(self, grey: Image, corners: ArrayLike, hidden: Mask | None = None) -> None:
        """Take the portrait of one more tile: its four corners are in pixels of the grey picture.

        hidden: where in that picture pieces stand.
        """
        points = _grid(np.asarray(corners, np.float32))[None]
        self._points = np.concatenate([self._points, points])
        self._taken = np.concatenate([self._taken, _patches(grey, points)])
        self._open = np.concatenate([self._open, _open(points, hidden)])
        self._usual = np.append(self._usual, np.float32(FIRST))
        self._first = np.concatenate([self._first, _flat(self._taken[-1:])])
        self._telling = np.concatenate([self._telling, _telling(grey, points)])
        self._slid, self._strayed = (np.pad(one, ((0, 1), (0, 0))) for one in (self._slid, self._strayed))

    def retake(self, k: int, grey: Image, corners: ArrayLike, hidden: Mask | None = None) -> None:
        """Take tile k's portrait anew, as it lies now."""
        self._points[k] = _grid(np.asarray(corners, np.float32))
        self._taken[k] = _patches(grey, self._points[k : k + 1])[0]
        self._open[k] = _open(self._points[k : k + 1], hidden)[0]
        self._usual[k] = FIRST
        self._first[k] = _flat(self._taken[k : k + 1])[0]
        self._telling[k] = _telling(grey, self._points[k : k + 1])[0]
        self._slid[k] = 0

    def keep(self, which: Sequence[int]) -> None:
        """Forget all portraits but these."""
        index = list(which)
        self._points, self._taken = self._points[index], self._taken[index]
        self._open, self._usual = self._open[index], self._usual[index]
        self._first, self._telling = self._first[index], self._telling[index]
        self._slid, self._strayed = self._slid[index], self._strayed[index]

    def unlike(self, grey: Image) -> NDArray[np.bool_]:
        """For each tile whether the grey picture shows something else in its place; those alike are followed."""
        if not len(self):
            return np.zeros(0, np.bool_)
        now = _patches(grey, self._points)
        share, fitted = _unexplained(now, self._taken)
        unlike = share > LEAST + TIMES * self._usual
        alike = ~unlike
        self._usual[alike] += FOLLOW * (share - self._usual)[alike]
        self._taken[alike] += FOLLOW * (now - fitted)[alike]
        return np.asarray(unlike, np.bool_)

    def slid(self, grey: Image, unlike: Mask) -> NDArray[np.float64]:
        """How far each tile has slid, (n, 2) in pixels of the grey picture; ask once for each frame.

        unlike: as told for this picture; those may be covered, and are taken to have slid as far as most others.
        """
        if unlike.all():
            return np.zeros((len(self), 2))
        now = _flat(_patches(grey, self._points + self._slid[:, None]))
        self._slid[~unlike] += _steps(now, self._first, self._telling)[~unlike]
        slid = np.where(unlike[:, None], np.median(self._slid[~unlike], axis=0), self._slid)
        return np.asarray(slid, np.float64)

    def shift(self, by: NDArray[np.float64]) -> None:
        """The camera drifted: from now on each tile is looked for so many pixels farther on, (n, 2)."""
        self._points += by.astype(np.float32)[:, None]
        self._slid -= by.astype(np.float32)
        self._strayed += by.astype(np.float32)

    def strayed(self) -> float:
        """How far most tiles have been shifted since they were added, in pixels."""
        return float(np.median(np.linalg.norm(self._strayed, axis=1)))

    def hidden(self, k: int) -> float:
        """The share of tile k that pieces hid when its portrait was taken."""
        return 1 - float(self._open[k].mean())

    def lightest(self) -> float:
        """How light the lightest parts of the tiles that show are, 0 to 255; where none do, of those that did last."""
        shows = self._open.mean(axis=1) > ENOUGH
        if shows.any():
            parts = [
                np.percentile(taken[open_], 90)
                for taken, open_ in zip(self._taken[shows], self._open[shows], strict=True)
            ]
            self._lightest = float(np.median(parts))
        return self._lightest

    def beside(self, k: int, grey: Image, hidden: Mask) -> bool:
        """Whether tile k is surely another, or gone, by what was and is seen of it beside pieces."""
        outside = self._open[k] & _open(self._points[k : k + 1], hidden)[0]
        if outside.mean() < ENOUGH:
            return False
        now, taken = _patches(grey, self._points[k : k + 1])[0][outside], self._taken[k][outside]
        light = np.vstack([_LIGHT[:, outside], taken]).T
        left = now - light @ np.linalg.lstsq(light, now, rcond=None)[0]
        share = float((left**2).mean() / (max(now.var(), taken.var()) + PLAIN))
        brighter = float((now.mean() + NOISE) / (taken.mean() + NOISE))
        return share > MOSTLY or not DIMMEST < brighter < BRIGHTEST


def _open(points: Floats, hidden: Mask | None) -> Mask:
    """(n, 512): the points of each portrait that nothing hides."""
    if hidden is None:
        return np.ones(points.shape[:2], np.bool_)
    x, y = (np.clip(np.round(points[..., k]).astype(int), 0, hidden.shape[1 - k] - 1) for k in (0, 1))
    return np.asarray(~hidden[y, x], np.bool_)


def _grid(corners: Floats) -> Floats:
    """(512, 2): points spread over a tile and a little beyond it."""
    y, x = np.mgrid[0:ACROSS, 0:ALONG].astype(np.float32)
    u = (x / (ALONG - 1) * (1 + 2 * MARGIN) - MARGIN).ravel()
    v = (y / (ACROSS - 1) * (1 + 2 * MARGIN) - MARGIN).ravel()
    unit = np.array([[0, 0], [0, 1], [1, 1], [1, 0]], np.float32)
    warp = cv2.getPerspectiveTransform(unit, corners)
    return np.asarray(cv2.perspectiveTransform(np.stack([u, v], axis=1)[None], warp)[0], np.float32)


def _patches(grey: Image, points: Floats) -> Floats:
    """(n, 512): the light at the points of each portrait."""
    x, y = (np.ascontiguousarray(points[..., k]) for k in (0, 1))
    seen = cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float32)


def _telling(grey: Image, points: Floats) -> Floats:
    """(n, 2, 512): by how much each point, where it is lighter than in its portrait, tells of a step right and down."""
    ways = np.eye(2, dtype=np.float32)
    edges = np.stack([_flat(_patches(grey, points - way) - _patches(grey, points + way)) / 2 for way in ways], axis=1)
    return np.asarray(np.linalg.solve(edges @ edges.transpose(0, 2, 1) + FAINT * ways, edges), np.float32)


def _steps(now: Floats, first: Floats, telling: Floats) -> Floats:
    """(n, 2): how much farther on each patch shows what its portrait did, a pixel at the most; both without light."""
    gain = np.clip((now * first).sum(axis=1) / ((first**2).sum(axis=1) + NOISE), DIMMEST, BRIGHTEST)
    steps = (telling @ (now / gain[:, None] - first)[..., None])[..., 0]
    return np.asarray(np.clip(steps, -1, 1), np.float32)


def _slopes() -> NDArray[np.float32]:
    """(3, 512): orthonormal: constant, along, across."""
    y, x = np.mgrid[0:ACROSS, 0:ALONG].astype(np.float64)
    rows = np.stack([np.ones(x.size), (x - x.mean()).ravel(), (y - y.mean()).ravel()])
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


_LIGHT = _slopes()


def _flat(patches: Floats) -> Floats:
    """(n, 512): patches without their light and its slope."""
    return np.asarray(patches - patches @ _LIGHT.T @ _LIGHT, np.float32)


def _unexplained(now: Floats, taken: Floats) -> tuple[Floats, Floats]:
    """The share (n,) of each patch's variance that its portrait in the same light leaves; that portrait (n, 512).

    Where it shows more faintly than in the dimmest light, it hardly shows at all.
    """
    flat_now, flat_taken = _flat(now), _flat(taken)
    power = (flat_taken**2).sum(axis=1) + NOISE
    shows = (flat_now * flat_taken).sum(axis=1) / power
    gain = np.clip(shows, DIMMEST, BRIGHTEST)
    fitted = now - flat_now + gain[:, None] * flat_taken
    left = ((now - fitted) ** 2).mean(axis=1)
    spread = np.maximum((flat_now**2).mean(axis=1), (flat_taken**2).mean(axis=1))
    share = np.maximum(left / (spread + NOISE), 1 - shows / DIMMEST)
    return np.asarray(share, np.float32), np.asarray(fitted, np.float32)
