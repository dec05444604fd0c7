"""When much of the table looks otherwise at once: an arm over it, a board that was pushed, or another table.

An arm reaches in from outside and goes again, and the tiles beside it look as they did; a pushed board takes its tiles
along; and where none of them is seen for long, they are gone.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.following.claims import Claims, footprint
from vision.following.sighting import Sighting
from vision.motion import Mask, grown

MOST_UNLIKE, MOST_CHANGED = 0.6, 0.4  # from such shares of the tiles or of the picture on, the camera was moved
BOARD = 0.12  # of the picture: so much that changed with tiles on it, and that is no arm, is a pushed board
PATIENT = 90  # frames without movement after which tiles that are all hidden are believed to be gone
CALM = 6  # frames without movement after which what reaches in is looked at whether it is an arm


def most_changed(claims: Claims, known: Sequence[Sighting], moved: int) -> bool:
    """Whether nothing moves and most of the picture is another than it was, or a whole board is.

    moved: the number of the last frame in which something moved.
    """
    if claims.movement.moving.any():
        return False
    most = claims.unlike.sum() >= max(2, MOST_UNLIKE * len(claims.unlike)) and not _rests_on(claims, known, moved)
    slid = any(r.settled and not r.enters and r.cells.mean() > BOARD and claims.disturbs(r) for r in claims.regions)
    return bool(most or slid or claims.movement.changed.mean() > MOST_CHANGED)


def _rests_on(claims: Claims, known: Sequence[Sighting], moved: int) -> bool:
    """Whether what reaches in over tiles may be an arm: for a while, or beside tiles that look as they did.

    A tile that was found since then where it lies now went along with a pushed table, or was laid.
    """
    entering = [region for region in claims.regions if region.enters and claims.disturbs(region)]
    stay = (s for s, gone in zip(known, claims.unlike, strict=True) if not gone)
    as_before = any(s.tile.face_up and s.found <= moved for s in stay)
    return any(as_before or not region.settled for region in entering)


def may_be_pushed(claims: Claims, calm: int) -> bool:
    """Whether so much that reaches in from outside is another than it was as a board that the picture cuts off.

    calm: for how many frames nothing has moved; once they are enough, and in that frame only.
    """
    return calm == CALM and any(r.enters and r.cells.mean() > BOARD and claims.disturbs(r) for r in claims.regions)


def is_another(claims: Claims, known: Sequence[Sighting], calm: int) -> bool:
    """Whether none of the tiles has been seen for so long that this is another table, and nothing lies over it."""
    return calm == PATIENT and bool(claims.unlike.all()) and any(one.covered for one in known)


def lie_over(hands: Mask, board: Sequence[NDArray[np.float64]], by: int, beside: int) -> bool:
    """Whether hands lie over a board, the least convex shape around what lies on it, or so many cells beside it.

    board: the corners of each thing on it, in pixels of the frame. by: as of claims.footprint.
    """
    hull = cv2.convexHull(np.concatenate(board).astype(np.float32))
    whole = footprint(np.asarray(hull, np.float64)[:, 0], by, hands.shape)
    return bool((hands & grown(whole, beside)).any())
