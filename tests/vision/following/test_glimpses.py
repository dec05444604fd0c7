"""Dice that hardly show are looked at again; on the whole the looks have to show one."""

from __future__ import annotations

import pytest

from vision.following.glimpses import WIDER, Glimpses, seen_again
from vision.pieces import Pieces
from vision.scene import DieDetection, Faint, Scene

pytestmark = pytest.mark.needs("cv2", "onnxruntime")


def die(x: float = 100.0, confidence: float = 0.7, value: int = 1) -> DieDetection:
    return DieDetection((x, 50.0), value, confidence, edge_px=20.0)


def hardly(chance: float, x: float = 100.0) -> Faint:
    return Faint("die", chance, die(x, chance))


def looked_at(scene: Scene, *looks: Pieces) -> Scene:
    """A scene after so many more looks, each for the die that is due."""
    glimpses = Glimpses()
    for look in looks:
        glimpse = glimpses.due(scene)
        assert glimpse
        scene = seen_again(scene, glimpse, look)
    assert glimpses.due(scene) is None
    return scene


def test_a_die_that_shows_in_other_parts_of_the_frame_is_one_in_doubt() -> None:
    scene = looked_at(Scene((300, 100), faint=(hardly(0.4),)), Pieces(dice=(die(101.0, 0.6),)), Pieces(dice=(die(),)))
    assert [(one.value, one.doubtful) for one in scene.dice] == [(1, True)]
    assert scene.faint == ()


def test_a_die_that_shows_in_one_part_alone_is_none() -> None:
    for looks in ((Pieces(), Pieces(dice=(die(),))), (Pieces(dice=(die(),)), Pieces(faint=(hardly(0.1),)))):
        scene = looked_at(Scene((300, 100), faint=(hardly(0.4),)), *looks)
        assert (scene.dice, len(scene.faint)) == ((), 1)


def test_what_shows_elsewhere_is_another_die() -> None:
    elsewhere = Pieces(dice=(die(160.0),))
    assert looked_at(Scene((300, 100), faint=(hardly(0.4),)), elsewhere, elsewhere).dice == ()


def test_what_can_hardly_be_one_and_what_is_no_die_is_looked_at_once() -> None:
    pawn = Faint("pawn", 0.45, die())
    assert Glimpses().due(Scene((300, 100), faint=(hardly(0.1), pawn))) is None


def test_each_look_is_at_a_wider_part_and_the_likeliest_comes_first() -> None:
    scene = Scene((900, 900), faint=(hardly(0.35, 700.0), hardly(0.45, 100.0)))
    glimpses = Glimpses()
    boxes = []
    for _ in WIDER:
        glimpse = glimpses.due(scene)
        assert glimpse
        boxes.append(glimpse.box(80.0))
        seen_again(scene, glimpse, Pieces())
    assert boxes == [(82, 32, 118, 68), (34, -16, 166, 116)]
