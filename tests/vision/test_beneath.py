"""A domino keeps its numbers while a piece stands on it, and is read again when the piece goes on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rules.domino import Domino, DominoSet
from training.course import random_course, stage_of
from vision.assignment import assign
from vision.beneath import UNKNOWN, WHY, beneath_told, veiled
from vision.pips import NUMBERS
from vision.scene import DieDetection, Faint, PawnDetection, Scene, TileDetection
from vision.steady import Steady
from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2")

SIZE = (960, 540)
FRAMES = 24  # of each table: enough for what moved to settle, and for a lifted tile to be given up


def pictures() -> list[Image]:
    """A row of twelve dominoes, a priest set upon one of them, and the same priest gone on to another."""
    course = random_course("fujisan", 0, 3)
    stage = stage_of(course.tables, 0, SIZE)
    return [stage.picture(course.tables[k])[0] for k in (0, 1, 3)]


def followed(images: list[Image]) -> list[Scene]:
    """What is known after each of the pictures was seen for some time."""
    steady, chance, scenes, seen = Steady(), np.random.default_rng(1), list[Scene](), 0
    steady.expect(["pawn"])
    for image in images:
        for _ in range(FRAMES):
            noise = chance.normal(0, 3, image.shape)
            scene = steady.see(np.clip(image + noise, 0, 255).astype(np.uint8), seen / 30)
            seen += 1
        scenes.append(scene)
    return scenes


def sure(scene: Scene) -> list[tuple[int, ...]]:
    return [tuple(sorted(tile.pips)) for tile in scene.tiles if not tile.doubtful]


def numbers(scene: Scene) -> list[tuple[int, ...]]:
    return sorted(tuple(sorted(tile.pips)) for tile in scene.tiles)


def test_numbers_that_nobody_saw_are_not_sure_until_the_priest_goes_on() -> None:
    _, upon, gone_on = pictures()
    hidden, open_ = followed([upon, gone_on])
    assert (len(sure(hidden)), len(sure(open_))) == (11, 12)
    assert set(sure(hidden)) < set(sure(open_))


def domino() -> TileDetection:
    """A tile that surely reads 4-2."""
    return TileDetection(
        ((280.0, 180.0), (280.0, 220.0), (360.0, 220.0), (360.0, 180.0)),
        ((300.0, 200.0), (340.0, 200.0)),
        (4, 2),
        0.95,
        likelihoods=(certain(4), certain(2)),
    )


def test_only_the_half_under_the_piece_is_unknown() -> None:
    pawn = PawnDetection((300.0, 200.0), (20, 40, 200), 0.9, 30.0)
    tile = domino()
    seen = veiled(tile, Scene((640, 480), pawns=(pawn,)), ["pawn"])
    assert seen.likelihoods == (UNKNOWN, certain(2))
    assert seen.doubtful
    assert veiled(tile, Scene((640, 480), pawns=(pawn,)), ["die"]) == tile
    lack = DominoSet(6).dominoes
    known = assign(Scene((640, 480), tiles=(seen,)), [Domino.of(2, 5), *(d for d in lack if 2 not in (d.low, d.high))])
    assert (known.tiles[0].pips, known.tiles[0].doubtful) == ((5, 2), False)


def test_without_a_game_nobody_reads_beneath_a_piece_that_is_told() -> None:
    tile, die = domino(), DieDetection((300.0, 200.0), 4, 0.9)
    (seen,) = beneath_told(Scene((640, 480), (tile,), dice=(die,))).tiles
    assert (seen.likelihoods, seen.doubtful, seen.why) == ((UNKNOWN, certain(2)), True, WHY)
    maybe = Scene((640, 480), (tile,), faint=(Faint("die", 0.9, die),))
    beside = Scene((640, 480), (tile,), dice=(replace(die, center_px=(300.0, 240.0)),))
    assert (beneath_told(maybe), beneath_told(beside)) == (maybe, beside)


def certain(pips: int) -> tuple[float, ...]:
    return tuple(float(number == pips) for number in range(NUMBERS))


def test_a_priest_on_a_domino_does_not_take_its_numbers_away() -> None:
    before, upon, gone_on = followed(pictures())
    assert len(numbers(before)) == 12
    assert numbers(upon) == numbers(before)
    assert numbers(gone_on) == numbers(before)
