"""Pawns and round tokens: where they stand and what colour they are."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np

from vision.peaks import Spot, distinct
from vision.scene import DieDetection, Faint, PawnDetection, TileDetection
from vision.straighten import Image

ON_TILE, ON_DIE = 0.32, 0.5  # of a tile's width, of a die's edge: what is smaller is one of its pips
BODY = 0.3  # of the width: so far from the middle all is the piece itself
HEAD, ABOVE = 0.8, 1.2  # of a foot's width: so wide at most is a pawn's head, so far from the foot it is seen
AROUND = 0.25  # of the wider one's width: what is nearer is around the other
LIKELY = 0.5  # what seems to be a foot and is less likely may be a shadow around a pawn
ALIKE = 60  # so far apart at most, of 0 to 255, are the colors of a pawn's head and foot


def find_round(
    frame: Image, found: Sequence[Spot], tiles: Sequence[TileDetection] = (), dice: Sequence[DieDetection] = ()
) -> tuple[Faint, ...]:
    """What may be a pawn or a token among the spots of a BGR frame, the likeliest first; a pip is none.

    tiles, dice: those on the same frame.
    """
    spots = distinct(tuple(s for s in found if s.kind in ("pawn", "token") and not _is_pip(s, tiles, dice)))
    pieces = [PawnDetection(s.center, _color(frame, s), s.score, s.edge_px) for s in spots]
    feet = [piece for spot, piece in zip(spots, pieces, strict=True) if spot.kind == "pawn" and spot.score > LIKELY]
    return tuple(
        Faint(spot.kind, spot.score, piece)
        for spot, piece in zip(spots, pieces, strict=True)
        if not any(_is_head(piece, foot) or _is_around(piece, foot) for foot in feet)
    )


def _is_head(one: PawnDetection, foot: PawnDetection) -> bool:
    """Whether one is but the head of the other: to a camera that looks aslant it is beside the foot."""
    near = math.dist(one.center_px, foot.center_px) < ABOVE * foot.width_px
    return near and _is_narrower(one, foot) and not _is_around(foot, one)


def _is_around(one: PawnDetection, pawn: PawnDetection) -> bool:
    """Whether one is but what is seen around the other, as its shadow: it is wider and less likely."""
    there = math.dist(one.center_px, pawn.center_px) < AROUND * one.width_px
    return there and _is_narrower(pawn, one) and one.confidence < pawn.confidence


def _is_narrower(one: PawnDetection, other: PawnDetection) -> bool:
    """Whether one is too narrow to be the other, but has its colour."""
    return one.width_px < HEAD * other.width_px and math.dist(one.color, other.color) < ALIKE


def _is_pip(spot: Spot, tiles: Sequence[TileDetection], dice: Sequence[DieDetection]) -> bool:
    """Whether it lies on a tile or a die, and is as small as the pips there."""
    on_die = any(
        math.dist(spot.center, die.center_px) < die.edge_px / 2 and spot.edge_px < ON_DIE * die.edge_px for die in dice
    )
    return on_die or any(
        spot.edge_px < ON_TILE * math.dist(*tile.corners_px[:2])
        and cv2.pointPolygonTest(np.array(tile.corners_px, np.float32), spot.center, False) >= 0
        for tile in tiles
    )


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
