"""Taught sets on a table that is followed: every look is one of somebody who knows them, and the roll is called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from benchmarks.frames import Camera, filmed
from calibration.tileset import TileSet
from pipsight.events import RollCall
from pipsight.onlooking import Onlooking
from tests.calibration.flat import SETS, learnt
from training.arrangements import Lying
from training.render import staged
from vision.awaited import Awaited
from vision.camera import Frame
from vision.reader import Reader
from vision.scene import Scene
from vision.steady import Steady
from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2")

LEFT, RIGHT = ((3, 1), (6, 2), (5, 4)), ((2, 2), (4, 0), (6, 5))


@cache
def taught(name: str) -> TileSet:
    """A set as it was taught."""
    return learnt(SETS[name])


@cache
def pictured(name: str, pips: tuple[tuple[int, int], ...], seed: int = 4) -> Image:
    """Some tiles of a set, one below the other."""
    laid = tuple(Lying(0.0, 1.6 * (k - (len(pips) - 1) / 2), 0.0, head, tail) for k, (head, tail) in enumerate(pips))
    odd, rng = SETS[name], np.random.default_rng(seed)
    return staged(laid, odd.style, rng, 320, 400, tilt_deg=4, half_px=62, front=odd.face)[0]


def beside(left: Image, right: Image) -> Image:
    return np.hstack([left, right])


def followed(steady: Steady, pictures: Sequence[Image]) -> Scene:
    """What is known after a noisy frame of each picture."""
    scene = Scene((0, 0))
    for k, picture in enumerate(pictures):
        scene = steady.see(next(filmed(picture, Camera(), np.random.default_rng(k))), k / 30)
    return scene


def numbers(scene: Scene, of_set: str | None = None) -> list[tuple[int, ...]]:
    return sorted(tuple(sorted(t.pips)) for t in scene.tiles if of_set is None or t.of_set == of_set)


def inorder(*pips: tuple[int, int]) -> list[tuple[int, ...]]:
    return sorted(tuple(sorted(one)) for one in pips)


def test_a_taught_set_is_read_and_stays_read_where_an_unknown_one_is_not() -> None:
    both = beside(pictured("polygons", LEFT), pictured("polygons", RIGHT))
    assert numbers(followed(Steady(), [both] * 6)) != inorder(*LEFT, *RIGHT)
    steady = Steady([taught("polygons")])
    first, later = followed(steady, [both]), followed(steady, [both] * 6)
    assert numbers(first) == numbers(later) == inorder(*LEFT, *RIGHT)
    assert np.mean([t.confidence for t in later.tiles]) > np.mean([t.confidence for t in first.tiles])


def test_a_tile_of_a_taught_set_that_is_laid_down_later_is_read_by_it_too() -> None:
    steady = Steady([taught("polygons")])
    bare = pictured("polygons", LEFT)
    followed(steady, [beside(bare, np.full_like(bare, 130))] * 3)
    scene = followed(steady, [beside(bare, pictured("polygons", RIGHT))] * 14)
    assert numbers(scene, "polygons") == inorder(*LEFT, *RIGHT)


def test_several_sets_lie_on_one_table() -> None:
    both = beside(pictured("polygons", LEFT), pictured("stars", RIGHT))
    scene = followed(Steady([taught("polygons"), taught("stars")]), [both] * 4)
    assert numbers(scene, "polygons") == inorder(*LEFT)
    assert numbers(scene, "stars") == inorder(*RIGHT)


def test_what_a_set_lacks_or_has_twice_is_told_once_while_the_table_is_set_up() -> None:
    table = Onlooking()
    table.know([replace(taught("polygons"), missing=("42",))])
    twice = beside(pictured("polygons", LEFT), pictured("polygons", LEFT))
    events = [event for k in range(24) for event in table.see(Frame(twice, k / 8))]
    (call,) = [event for event in events if isinstance(event, RollCall)]
    assert (call.of_set, call.lacks, call.twice) == ("polygons", ("42",), ("31", "54", "62"))
    assert "Your set polygons lacks 4-2." in call.text
    assert "6-2 of polygons lies here twice." in call.text


def test_another_set_is_known_from_the_next_frame_on() -> None:
    steady, stars = Steady([taught("polygons")]), pictured("stars", LEFT)
    assert {t.of_set for t in followed(steady, [stars]).tiles} == {"polygons"}
    steady.know([taught("stars")])
    assert numbers(followed(steady, [stars]), "stars") == inorder(*LEFT)
    steady.know([])
    assert {t.of_set for t in followed(steady, [stars]).tiles} == {""}


def test_tiles_that_were_read_right_before_their_set_was_known_are_told_to_be_of_it() -> None:
    table, picture = Onlooking(), pictured("rings", LEFT)
    for k in range(6):
        table.see(Frame(picture, k / 8))
    assert numbers(table.look.scene, "") == inorder(*LEFT)
    table.know([taught("rings")])
    for k in range(6, 12):
        table.see(Frame(picture, k / 8))
    assert numbers(table.look.scene, "rings") == inorder(*LEFT)


def test_a_domino_that_must_lie_there_is_read_by_its_set(monkeypatch: pytest.MonkeyPatch) -> None:
    picture, sets = pictured("polygons", LEFT), [taught("polygons")]
    there = Reader(sets).read(picture).tiles
    steady = Steady(sets)
    monkeypatch.setattr(steady._reader, "read", lambda frame, *_: Scene((frame.shape[1], frame.shape[0])))
    assert followed(steady, [picture] * 2).tiles == ()
    steady.look_for([Awaited(np.array(tile.corners_px), (tile.pips,)) for tile in there])
    assert numbers(followed(steady, [picture] * 12), "polygons") == inorder(*LEFT)
