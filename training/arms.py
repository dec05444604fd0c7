"""Arms as people reach over a table: a hand cut out of a picture, on a bare forearm, in a sleeve, or in a glove.

Hands and cloths belong to one of two splits, "tuning" and "judging": eyes are judged on none that they were tuned on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from training import surfaces
from training.overhead import Sheet
from training.posed_hands import random_hand
from training.sets import random_color
from training.surfaces import LEARNING, split_of
from vision.straighten import Image

Rng = np.random.Generator
Floats = NDArray[np.float32]
Color = tuple[float, float, float]

ARM_MM = 950.0  # out of any picture
WRIST_MM = (41.0, 66.0)  # how broad wrists are, children's to large men's
BELOW_WRIST = 6  # rows of a cut-out under the narrowest one that are still a hand
PAD = 11.0  # pixels of a cut-out from the outline's end to the middle of the skin that touches
POSED = 0.65  # of the hands to learn from are in a pose that was never seen
PITCH_DEG = {"tuning": (5.0, 14.0), "judging": (5.0, 14.0), LEARNING: (3.0, 22.0)}  # how steeply forearms rise
SPREAD = {"tuning": 0.16, "judging": 0.1, LEARNING: 0.25}  # of the lightness of skin about its tones, as a share

# Fitzpatrick's six types and one between, blue, green, red; each split takes its own, and spreads about them.
TONES: dict[str, tuple[Color, ...]] = {
    "tuning": ((172, 190, 228), (118, 148, 205), (72, 98, 158), (46, 60, 98)),
    "judging": ((148, 172, 222), (94, 122, 182), (58, 76, 126), (34, 44, 72)),
}


@dataclass(frozen=True)
class Cutout:
    """A hand in training/backgrounds/hands: its kind, its split, and where in its picture fingertips end, in pixels.

    The fingertip that is led comes first. pinched: whether the tips are the skin itself, and not the outline's ends.
    """

    name: str
    kind: str
    split: str
    tips: tuple[tuple[float, float], ...]
    pinched: bool = False


CUTOUTS = (
    Cutout("point_03", "point", "tuning", ((129, 3),)),
    Cutout("point_27", "point", "tuning", ((148, 4),)),
    Cutout("two_15", "point", "tuning", ((75, 4), (123, 24))),
    Cutout("flat_00", "flat", "tuning", ((149, 3), (81, 24), (190, 46), (219, 92))),
    Cutout("flat_24", "flat", "tuning", ((125, 5), (67, 25), (165, 3), (192, 62))),
    Cutout("spread_01", "flat", "tuning", ((75, 3), (41, 28), (129, 27), (12, 80))),
    Cutout("spread_25", "flat", "tuning", ((82, 4), (40, 28), (125, 32), (12, 85))),
    Cutout("grab_05", "grab", "tuning", ((106, 8), (163, 14), (62, 22)), True),
    Cutout("pinch_12", "grab", "tuning", ((21, 48),), True),
    Cutout("relaxed_18", "relaxed", "tuning", ((128, 8), (68, 14)), True),
    Cutout("fist_14", "relaxed", "tuning", ((85, 8),), True),
    Cutout("point_19", "point", "judging", ((160, 4),)),
    Cutout("two_07", "point", "judging", ((76, 4), (126, 27))),
    Cutout("two_23", "point", "judging", ((86, 4), (137, 20))),
    Cutout("flat_08", "flat", "judging", ((101, 3), (45, 22), (158, 27), (184, 82))),
    Cutout("flat_16", "flat", "judging", ((150, 3), (85, 37), (187, 45))),
    Cutout("spread_09", "flat", "judging", ((79, 4), (45, 22), (130, 24), (13, 82))),
    Cutout("spread_17", "flat", "judging", ((73, 4), (40, 28), (129, 35), (14, 83))),
    Cutout("grab_13", "grab", "judging", ((93, 8), (153, 20), (57, 32)), True),
    Cutout("grab_21", "grab", "judging", ((195, 60), (237, 48)), True),
    Cutout("pinch_04", "grab", "judging", ((22, 48),), True),
    Cutout("relaxed_26", "relaxed", "judging", ((76, 14), (133, 10)), True),
    Cutout("fist_22", "relaxed", "judging", ((100, 8),), True),
)


@dataclass(frozen=True, eq=False)
class Arm:
    """A person's arm: its sheet, the other fingertips in the sheet's pixels, and words for what it is like."""

    sheet: Sheet
    others: tuple[tuple[float, float], ...]
    kind: str
    dress: str


@dataclass(frozen=True)
class Dress:
    """What an arm wears. word: "bare", "sleeve", "glove" or "band"; from_mm: where cloth begins, from the wrist."""

    word: str
    from_mm: float = 0.0
    wider: float = 1.0


def random_arm(rng: Rng, split: str, kinds: Sequence[str], px_per_mm: float) -> Arm:
    """An arm whose hand is of one of these kinds, as large as some person's, its picture as fine as the camera's."""
    kind = kinds[int(rng.integers(len(kinds)))]
    picture, touching = _some_hand(rng, split, kind)
    broad_px = float((picture[-BELOW_WRIST, :, 3] > 128).sum())
    broad_mm = float(np.clip(rng.normal(56, 5), *WRIST_MM)) if rng.random() < 0.85 else float(rng.uniform(41, 48))
    scale = 1.25 * px_per_mm
    grown = scale * broad_mm / broad_px * np.array([rng.uniform(0.94, 1.06), rng.uniform(0.94, 1.08)])
    hand = cv2.resize(picture, None, fx=grown[0], fy=grown[1], interpolation=cv2.INTER_AREA)
    dress = _random_dress(rng)
    hand = _toned(np.asarray(hand, np.uint8), rng, split, gloved=dress.word == "glove")
    sheet, left = _with_forearm(hand, dress, rng, split, scale)
    tips = [(x * grown[0] + left, y * grown[1]) for x, y in touching]
    if rng.random() < 0.5:
        sheet = np.ascontiguousarray(sheet[:, ::-1])
        tips = [(sheet.shape[1] - x, y) for x, y in tips]
    pitch = float(np.radians(rng.uniform(*PITCH_DEG[split])))
    return Arm(Sheet(sheet, scale, tips[0], pitch), tuple(tips[1:]), kind, dress.word)


def _some_hand(rng: Rng, split: str, kind: str) -> tuple[Image, list[tuple[float, float]]]:
    """A hand of a kind down to its wrist, fingers up, and where its fingertips touch, in pixels."""
    if split_of(split) == "tuning" and rng.random() < POSED:
        return random_hand(rng, kind)
    known = [one for one in CUTOUTS if one.split == split_of(split) and one.kind == kind]
    cutout = known[int(rng.integers(len(known)))]
    picture = surfaces.picture(f"hands/cutout_mh_{cutout.name}.png")
    wrist = 200 + int((picture[200:400, :, 3] > 128).sum(axis=1).argmin())
    picture = picture[: wrist + BELOW_WRIST]
    tips = [(x, y + (0 if cutout.pinched else PAD)) for x, y in cutout.tips]
    return (picture, tips) if split == "judging" else _bent(picture, tips, rng)


def _bent(picture: Image, tips: list[tuple[float, float]], rng: Rng) -> tuple[Image, list[tuple[float, float]]]:
    """The hand bent to a side, more toward its fingers, and broader or narrower there."""
    height, width = picture.shape[:2]
    up = np.linspace(1, 0, height, dtype=np.float32)
    aside = float(rng.normal(0, 0.12)) * width * up**2 + float(rng.normal(0, 0.03)) * width * np.sin(4 * up)
    broader = 1 + float(rng.normal(0, 0.12)) * up
    pad = round(float(abs(aside).max()) + 0.5 * width * max(0.0, float(broader.max()) - 1)) + 2
    middle = width / 2
    x = (np.arange(width + 2 * pad, dtype=np.float32)[None] - pad - middle - aside[:, None]) / broader[:, None] + middle
    rows = np.repeat(np.arange(height, dtype=np.float32)[:, None], x.shape[1], axis=1)
    bent = cv2.remap(picture, x.astype(np.float32), rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    row = [min(height - 1, max(0, round(y))) for _, y in tips]
    moved = [((x - middle) * broader[k] + middle + aside[k] + pad, y) for k, (x, y) in zip(row, tips, strict=True)]
    return np.asarray(bent, np.uint8), [(float(x), float(y)) for x, y in moved]


def ghost(arm: Arm) -> Arm:
    """The same arm where only its shadow is seen."""
    sheet = arm.sheet
    return Arm(Sheet(sheet.picture, sheet.scale, sheet.tip, sheet.pitch, True), arm.others, "shadow", arm.dress)


def _random_dress(rng: Rng) -> Dress:
    word = str(rng.choice(["bare", "sleeve", "glove", "band"], p=[0.3, 0.45, 0.1, 0.15]))
    if word == "sleeve":
        far = float(rng.uniform(0, 25) if rng.random() < 0.65 else rng.uniform(40, 160))
        return Dress(word, far, float(rng.uniform(1.2, 1.7)))
    if word == "glove":
        return Dress(word, float(rng.uniform(10, 70)), float(rng.uniform(1.15, 1.5)))
    return Dress(word, float(rng.uniform(8, 35)))


def _toned(hand: Image, rng: Rng, split: str, *, gloved: bool) -> Image:
    """The hand in another skin tone, or in the colour of a glove, its own light and dark kept."""
    tones = TONES[split_of(split)]
    tone = np.array(tones[int(rng.integers(len(tones)))])
    tone = tone * np.exp(rng.normal(0, 0.05, 3)) * np.exp(rng.normal(0, SPREAD[split]))
    if gloved:
        tone = np.array(random_color(rng))
    skin = hand[..., 3] > 200
    mean = hand[..., :3][skin].mean(axis=0)
    color = hand[..., :3].astype(np.float32)
    if (tone / mean).max() > 1.5:
        color = np.asarray(cv2.GaussianBlur(color, (0, 0), 1.0), np.float32)
    color /= mean.astype(np.float32)
    shape = color.mean(axis=2, keepdims=True)
    color = np.clip(shape + (0.0 if gloved else 0.4) * (color - shape), 0.3, 1.6)
    out = np.clip(color * tone.astype(np.float32), 0, 255).astype(np.uint8)
    return np.dstack([out, hand[..., 3]])


def _with_forearm(hand: Image, dress: Dress, rng: Rng, split: str, scale: float) -> tuple[Image, float]:
    """The hand on a forearm, multiplied by its alpha, and how far to the right of the picture's left it begins."""
    row = np.flatnonzero(hand[-3, :, 3] > 128)
    middle, broad = (row[0] + row[-1]) / 2, float(row[-1] - row[0] + 1)
    width = int(max(2.2 * broad * max(1.0, dress.wider), 2 * max(middle, hand.shape[1] - middle))) + 6
    left = round(width / 2 - middle)
    height = round(ARM_MM * scale)
    whole = np.zeros((height, width, 4), np.uint8)
    down = (np.arange(height - hand.shape[0]) / scale).astype(np.float32)  # millimetres below the hand
    tone = hand[-6:-2, row[0] + 2 : row[-1] - 1, :3].mean(axis=(0, 1))
    half = broad / 2 * (1 + 0.45 * np.clip(down / 200, 0, 1))
    whole[hand.shape[0] :] = _tube(half, width, tone, rng)
    whole[: hand.shape[0], left : left + hand.shape[1]] = hand
    _blend_seam(whole, hand.shape[0])
    _dressed(whole, hand.shape[0], broad / 2, dress, rng, split, scale)
    alpha = whole[..., 3:].astype(np.float32) / 255
    whole[..., :3] = (whole[..., :3] * alpha).astype(np.uint8)
    return whole, float(left)


def _tube(half: NDArray[np.floating], width: int, tone: ArrayLike, rng: Rng) -> Image:
    """A limb or a sleeve seen from above: half as wide as this in each row, darker to its sides."""
    across = (np.arange(width, dtype=np.float32) - width / 2)[None] / half[:, None].astype(np.float32)
    lean = float(rng.uniform(-0.35, 0.35))
    shade = np.sqrt(np.clip(1 - (across - lean) ** 2 / (1 + abs(lean)) ** 2, 0, 1)) * 0.42 + 0.64
    edge = np.clip((1 - abs(across)) * half[:, None] + 0.5, 0, 1)
    return np.asarray(np.dstack([np.clip(shade[..., None] * np.asarray(tone), 0, 255), edge * 255]), np.uint8)


def _blend_seam(whole: Image, at: int) -> None:
    """No seam where the forearm goes on from the cut-out."""
    rows = slice(max(0, at - 10), at + 14)
    part = whole[rows]
    solid = part[..., 3:] > 250
    soft = cv2.GaussianBlur(part[..., :3], (1, 15), 0.1, sigmaY=5)
    part[..., :3] = np.where(solid, soft, part[..., :3])


def _dressed(whole: Image, at: int, half: float, dress: Dress, rng: Rng, split: str, scale: float) -> None:
    """Put a sleeve, a glove's cuff, a bracelet or a watch on an arm."""
    if dress.word == "bare":
        return
    start = min(whole.shape[0] - 2, at + round((dress.from_mm - (20 if dress.word == "band" else 0)) * scale))
    if dress.word == "band":
        thick = max(3, round(float(rng.uniform(5, 26)) * scale))
        rows = slice(start, start + thick)
        whole[rows] = _tube(np.full(whole[rows].shape[0], half * 1.06), whole.shape[1], random_color(rng), rng)
        return
    down = np.arange(whole.shape[0] - start) / scale
    wide = half * dress.wider * (1 + 0.4 * np.clip(down / 220, 0, 1)) + rng.normal(0, 0.6, down.shape).cumsum() * 0.05
    tube = _tube(np.asarray(wide, np.float32), whole.shape[1], np.full(3, 255.0), rng)
    cloth = _cloth(tube.shape[0], tube.shape[1], rng, split, scale)
    tube[..., :3] = (cloth * (tube[..., :3].astype(np.float32) / 255) * _folds(tube.shape[:2], rng, scale)).clip(0, 255)
    alpha = tube[..., 3:].astype(np.float32) / 255
    below = whole[start:]
    below[:] = (below * (1 - alpha) + np.dstack([tube[..., :3], np.full(tube.shape[:2], 255)]) * alpha).astype(np.uint8)
    cuff = whole[max(0, start - round(2 * scale)) : start, :, :3]
    cuff[:] = (cuff * 0.7).astype(np.uint8)  # the sleeve's own shadow on the wrist


def _cloth(height: int, width: int, rng: Rng, split: str, scale: float) -> Floats:
    """A sleeve's cloth: of one colour, or a swatch in its own or another one."""
    if rng.random() < 0.45:
        return np.full((height, width, 3), random_color(rng), np.float32)
    swatch = surfaces.texture(rng, ("swatch",), split)
    if rng.random() < 0.5:
        swatch = surfaces.recolored(swatch, rng)
    side = max(24, round(float(rng.uniform(60, 160)) * scale))
    small = cv2.resize(swatch, (side, side), interpolation=cv2.INTER_AREA)
    turns = (height // side + 1, width // side + 1, 1)
    return np.asarray(np.tile(small, turns)[:height, :width], np.float32)


def _folds(shape: tuple[int, int], rng: Rng, scale: float) -> Floats:
    """Light and dark across a sleeve where its cloth folds."""
    coarse = rng.normal(0, 1, (max(3, round(shape[0] / scale / 28)), 4)).astype(np.float32)
    soft = cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return np.asarray(1 + float(rng.uniform(0.03, 0.13)) * soft[..., None], np.float32)
