"""Which of the places where tiles may lie hold one: no two that overlap much, and together the likeliest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.choosing import chances, likeliest
from vision.odds import log_odds
from vision.overlap import OVERLAP, conflicts
from vision.place import Place
from vision.quads import Quad

FAINTEST = 0.1  # places with a smaller chance of being a tile are forgotten
EITHER = 0.51  # what was likelier than not stays at least as likely as this, whatever else may lie there
ALMOST = 0.85  # of the smaller face: places that share as much are one
SUREST = 0.95  # surer than this makes no difference: two neighbours' halves, a seam for a bar, look surely like a tile


def settled(places: Sequence[Place]) -> list[Place]:
    """Those of the places, no two of which overlap much, that are the likeliest together; the likeliest comes first.

    Which of those that are likelier than not lie there is one choice for the whole table: in a packed rectangle one
    wrong tile would push aside a whole row. The others fill what is left.
    """
    faces = sorted((p for p in places if p.presence >= FAINTEST and convex(p.quad)), key=lambda p: -p.presence)
    clash = conflicts([p.quad for p in faces], OVERLAP)
    kept = list(likeliest(np.array([log_odds(min(p.presence, SUREST)) for p in faces]), clash))
    for k in range(len(faces)):
        if k not in kept and not clash[k, kept].any():
            kept.append(k)
    return [faces[k] for k in sorted(kept)]


def weighed(places: Sequence[Place]) -> list[Place]:
    """Those that are `settled`, each as likely as it is beside all that might lie there instead.

    What was likelier than not stays so: that something lies there is not in doubt, but what.
    """
    kept = settled(places)
    faces = _apart([*kept, *places])
    likely = np.array([log_odds(p.presence) for p in faces])
    told = chances(likely, conflicts([p.quad for p in faces], OVERLAP), range(len(kept)))
    return [_beside(place, chance) for place, chance in zip(kept, told, strict=True)]


def _apart(places: Sequence[Place]) -> list[Place]:
    """Those that may be tiles, the first of each that are nearly the same."""
    faces = [p for p in places if p.presence >= FAINTEST and convex(p.quad)]
    same = conflicts([p.quad for p in faces], ALMOST)
    return [faces[k] for k in unrivalled(same)]


def _beside(place: Place, chance: float) -> Place:
    """A place that is as likely as that, if others are thought of, too."""
    least = EITHER if place.presence > EITHER else 0.0
    return replace(place, against=max(0.0, log_odds(place.presence) - log_odds(max(chance, least))))


def convex(quad: Quad) -> bool:
    """Whether a face (4, 2) has a form that a tile may have."""
    return bool(cv2.isContourConvex(quad.astype(np.float32)) and cv2.contourArea(quad.astype(np.float32)) > 16)


def unrivalled(clash: NDArray[np.bool_]) -> list[int]:
    """Taken one after the other, those that conflict with none taken before."""
    kept: list[int] = []
    for k in range(len(clash)):
        if not clash[k, kept].any():
            kept.append(k)
    return kept
