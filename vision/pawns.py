"""Pawns and round tokens: where they stand and what colour they are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.peaks import Spot, distinct
from vision.scene import Faint, PawnDetection
from vision.straighten import Image

BODY = 0.3  # of the width: so far from the middle all is the piece itself


def find_round(frame: Image, found: Sequence[Spot]) -> tuple[Faint, ...]:
    """What may be a pawn or a token among the spots of a BGR frame, the likeliest first."""
    spots = distinct(tuple(s for s in found if s.kind in ("pawn", "token")))
    return tuple(Faint(s.kind, s.score, PawnDetection(s.center, _color(frame, s), s.score, s.edge_px)) for s in spots)


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
