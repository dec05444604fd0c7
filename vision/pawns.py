"""Pawns and round tokens: where they stand and what colour they are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.peaks import Spot, distinct
from vision.scene import PawnDetection
from vision.straighten import Image

PRESENT = 0.5  # spots with a smaller chance of being one are not reported
BODY = 0.3  # of the width: so far from the middle all is the piece itself


def find_pawns(frame: Image, found: Sequence[Spot]) -> tuple[PawnDetection, ...]:
    """The pawns among the spots of a BGR frame, from the left."""
    return _standing(frame, found, "pawn")


def find_tokens(frame: Image, found: Sequence[Spot]) -> tuple[PawnDetection, ...]:
    """The round tokens among the spots of a BGR frame, from the left."""
    return _standing(frame, found, "token")


def _standing(frame: Image, found: Sequence[Spot], kind: str) -> tuple[PawnDetection, ...]:
    spots = distinct(tuple(s for s in found if s.kind in ("pawn", "token")))
    seen = [
        PawnDetection(s.center, _color(frame, s), s.score, s.edge_px)
        for s in spots
        if s.kind == kind and s.score > PRESENT
    ]
    return tuple(sorted(seen, key=lambda p: p.center_px))


def _color(frame: Image, spot: Spot) -> tuple[int, int, int]:
    """The usual (red, green, blue) of the piece's middle."""
    h, w = frame.shape[:2]
    reach = max(1.0, BODY * spot.edge_px)
    x, y = spot.center
    rows = slice(max(0, int(y - reach)), min(h, int(y + reach) + 1))
    cols = slice(max(0, int(x - reach)), min(w, int(x + reach) + 1))
    part = frame[rows, cols].reshape(-1, 3)
    if len(part) == 0:
        return (0, 0, 0)
    b, g, r = (int(v) for v in np.median(part, axis=0))
    return (r, g, b)
