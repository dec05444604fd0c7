"""What the person behind the camera might change, where a picture does not show enough."""

from __future__ import annotations

import cv2
import numpy as np

from vision.detector import LONGEST_SIDE, Detector
from vision.quads import corners_of, length_of
from vision.scene import TileDetection
from vision.straighten import Image

READABLE_PX = 45.0  # a tile shorter than this is read badly whatever the light
DARKEST = 20.0  # of 255: pictures whose bright parts are below this are too dark
WHITE, BURNT = 252, 0.25  # of 255; a picture of which so much is lighter in every colour shows no white domino there
BLURRY = 0.5  # sharp pictures are below, those that are out of focus above
TINY_PEAK, TINY_COUNT = 0.5, 2  # so many such peaks in the enlarged picture are dominoes too small to read
PART_PX, COARSE = 640, 4  # so much of a large picture is enlarged, and by so much smaller it shows where edges are

NEARER = f"dominoes have to be {READABLE_PX:.0f} pixels long: come nearer or take a larger picture."
BLURRED = "The picture is blurred: hold the camera still and let it focus."
DARK = "The picture is too dark: give the table more light."
TOO_BRIGHT = "Much of the picture is pure white: turn the camera's exposure down, or shade the table."
UNCLEAR = "Many dominoes are hard to read: hold the camera still, give more light, and avoid glare on the tiles."


def advice(frame: Image, tiles: tuple[TileDetection, ...], detector: Detector) -> tuple[str, ...]:
    """Sentences for the person behind the camera, the most urgent first; none if the picture will do."""
    if not tiles:
        return tuple(_nothing_found(frame, detector))
    length = float(np.median([length_of(corners_of(t)) for t in tiles]))
    if length < READABLE_PX:
        return (f"The dominoes are only {length:.0f} pixels long; {NEARER}",)
    unclear = sum(t.doubtful for t in tiles)
    many = unclear > max(2, 0.4 * len(tiles))
    if not many and unclear < len(tiles):
        return ()
    if burnt(frame) > BURNT:
        return (TOO_BRIGHT,)
    if blur(frame) > BLURRY:
        return (BLURRED,)
    return (UNCLEAR,) if many else ()


def advice_on_faults(frame: Image, known: tuple[str, ...]) -> tuple[str, ...]:
    """What is known to keep a picture from showing enough, where something on it looks wrong.

    Tiles that a blur hides, or makes others of, leave no doubt in those that are told. To measure it takes longer than
    there is time for with every picture.
    """
    return known or ((BLURRED,) if blur(frame) > BLURRY else ())


def _nothing_found(frame: Image, detector: Detector) -> list[str]:
    if brightness(frame) < DARKEST:
        return [DARK]
    if burnt(frame) > BURNT:
        return [TOO_BRIGHT]
    if _tiny(frame, detector) >= TINY_COUNT:
        return [f"There may be dominoes too small to read; {NEARER}"]
    return [BLURRED] if min(frame.shape[:2]) >= 64 and blur(frame) > BLURRY else []


def brightness(frame: Image) -> float:
    """How light the light parts of a picture are, 0 to 255."""
    return float(np.percentile(frame[::8, ::8].max(axis=2), 98))


def burnt(frame: Image) -> float:
    """The share of a picture that is pure white."""
    return float((frame[::8, ::8].min(axis=2) >= WHITE).mean())


def blur(frame: Image) -> float:
    """How blurred a picture is at 640 pixels, 0 to 1: what blurring it once more takes away from it (Crete 2007)."""
    from skimage.measure import blur_effect  # loads for longer than most pictures, which are sharp, take to read

    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    shrink = min(1.0, 640 / max(grey.shape))
    return float(blur_effect(cv2.resize(grey, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)))


def _tiny(frame: Image, detector: Detector) -> int:
    """How many dominoes the detector sees once the picture, or the busiest part of a large one, is enlarged."""
    part = frame if max(frame.shape[:2]) <= LONGEST_SIDE else _busiest(frame)
    shown = np.asarray(cv2.resize(part, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR), np.uint8)
    return sum(c.score > TINY_PEAK for c in detector.find(shown, longest_side=2 * LONGEST_SIDE).tiles)


def _busiest(frame: Image) -> Image:
    """The part of a large picture, at most PART_PX wide and high, that has most edges."""
    small = cv2.resize(frame, None, fx=1 / COARSE, fy=1 / COARSE, interpolation=cv2.INTER_AREA)
    edges = np.abs(cv2.Laplacian(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), cv2.CV_32F))
    high, wide = (min(side, PART_PX // COARSE) for side in edges.shape)
    sums = cv2.integral(edges)
    told = sums[high:, wide:] - sums[:-high, wide:] - sums[high:, :-wide] + sums[:-high, :-wide]
    top, left = (int(k) * COARSE for k in np.unravel_index(told.argmax(), told.shape))
    return frame[top : top + PART_PX, left : left + PART_PX]
