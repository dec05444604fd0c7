"""A domino keeps its numbers while a piece stands on it, and is read again when the piece goes on."""

from __future__ import annotations

import numpy as np
import pytest

from training.course import random_course, stage_of
from vision.scene import Scene
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


def numbers(scene: Scene) -> list[tuple[int, ...]]:
    return sorted(tuple(sorted(tile.pips)) for tile in scene.tiles)


def test_a_priest_on_a_domino_does_not_take_its_numbers_away() -> None:
    before, upon, gone_on = followed(pictures())
    assert len(numbers(before)) == 12
    assert numbers(upon) == numbers(before)
    assert numbers(gone_on) == numbers(before)
