"""How long a table has lain as it lies: readings that waver do not make it a new one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipsight.demo import SAMPLES
from pipsight.look import Look
from vision.camera import Frame
from vision.picture import load
from vision.reader import Reader
from vision.scene import Scene

pytestmark = pytest.mark.needs("cv2")

PICTURE = load(str(SAMPLES / "bee.jpg"))
SCENE = Reader().read(PICTURE)


def shown(*scenes: Scene) -> Look:
    """A look at these scenes, one each second."""
    look, coming = Look(), iter(scenes)
    look._steady.see = lambda *_: next(coming)  # type: ignore[method-assign]
    for second in range(len(scenes)):
        look.see(Frame(PICTURE, float(second)))
    return look


def test_a_die_that_is_sure_at_last_lies_as_it_lay() -> None:
    doubtful = replace(SCENE, dice=tuple(replace(die, doubtful=True) for die in SCENE.dice))
    look = shown(doubtful, SCENE)
    assert look.still_s == 1.0
    assert not any(die.doubtful for die in look.scene.dice)


def test_a_tile_that_becomes_doubtful_lies_as_it_lay_and_is_told_of_as_doubtful() -> None:
    wavering = replace(SCENE, tiles=(replace(SCENE.tiles[0], doubtful=True), *SCENE.tiles[1:]))
    look = shown(SCENE, SCENE, wavering)
    assert look.still_s == 2.0
    assert look.scene.tiles[0].doubtful


def test_a_die_that_was_turned_lies_otherwise() -> None:
    turned = replace(SCENE, dice=(replace(SCENE.dice[0], value=6), *SCENE.dice[1:]))
    assert shown(SCENE, SCENE, turned).still_s == 0.0
