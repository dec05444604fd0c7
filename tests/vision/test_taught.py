"""Taught sets: no picture tells the light of another, and each domino is there as often as the set has it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rules.domino import Domino, DominoSet
from tests.calibration.flat import SETS, learnt
from training.arrangements import Lying
from training.render import staged
from vision.awaited import Awaited, found_there
from vision.blanks import MAY_BE_BLANK
from vision.pips import PipReader
from vision.reader import Reader
from vision.scene import Scene, TileDetection
from vision.straighten import Image
from vision.taught import TaughtSets, each_once

pytestmark = pytest.mark.needs("cv2")

MANY, FEW = ((3, 1), (6, 2), (5, 4), (2, 2), (4, 0), (6, 5)), ((4, 1), (0, 5), (3, 3))
DIM = 0.2


def pictured(pips: tuple[tuple[int, int], ...], light: float = 1.0) -> Image:
    """Some tiles of a strange set, three below each other."""
    laid = tuple(Lying(2.6 * (k // 3), 1.6 * (k % 3 - 1), 0.0, head, tail) for k, (head, tail) in enumerate(pips))
    odd = SETS["polygons"]
    image = staged(laid, odd.style, np.random.default_rng(4), 640, 400, tilt_deg=4, half_px=62, front=odd.face)[0]
    return np.asarray(np.clip(image * light, 0, 255), np.uint8)


def test_a_picture_reads_the_same_whatever_was_read_before() -> None:
    taught, few = learnt(SETS["polygons"]), pictured(FEW, DIM)
    one_after_the_other = Reader([taught])
    assert len(one_after_the_other.read(pictured(MANY)).tiles) == len(MANY)
    later = one_after_the_other.read(few)
    assert later == Reader([taught]).read(few)
    assert {tuple(sorted(tile.pips)) for tile in later.tiles} == {tuple(sorted(pips)) for pips in FEW}


def lying(head: int, tail: int, chance: float = 0.999) -> TileDetection:
    """A tile of the set whose tail reads so with this chance, or as one number less."""
    rows = (likely({head: 0.999}), likely({tail: chance, tail - 1: 1 - chance} if tail else {0: chance}))
    corners = ((0.0, 0.0), (0.0, 40.0), (80.0, 40.0), (80.0, 0.0))
    seen = TileDetection(corners, ((20.0, 20.0), (60.0, 20.0)), (head, tail), 0.97 * chance, likelihoods=rows)
    return replace(seen, of_set="polygons", doubtful=chance < 0.8)


def likely(chances: dict[int, float]) -> tuple[float, ...]:
    return tuple(chances.get(number, 1e-4) for number in range(13))


def test_a_domino_that_the_set_has_twice_is_read_twice() -> None:
    once = learnt(SETS["polygons"])
    scene = Scene((640, 480), (lying(6, 4), lying(6, 4, 0.85)))
    assert [tile.pips for tile in each_once(scene, [once]).tiles] == [(6, 4), (6, 3)]
    known = each_once(scene, [replace(once, twice=("64",))])
    assert [(tile.pips, tile.doubtful) for tile in known.tiles] == [((6, 4), False)] * 2
    game = each_once(scene, [replace(once, twice=("64",))], [*DominoSet(6)])
    assert [tile.pips for tile in game.tiles] == [(6, 4), (6, 3)]


def test_a_third_one_of_a_domino_that_the_set_has_twice_is_another() -> None:
    scene = Scene((640, 480), (lying(6, 4), lying(6, 4), lying(6, 4, 0.85)))
    known = each_once(scene, [replace(learnt(SETS["polygons"]), twice=("64",))])
    assert [tile.pips for tile in known.tiles] == [(6, 4), (6, 4), (6, 3)]


def test_a_back_of_a_taught_set_is_the_double_blank_where_the_game_has_none_face_down() -> None:
    back = replace(lying(0, 0), face_up=False, likelihoods=((), ()), why=MAY_BE_BLANK, doubtful=True)
    scene, dominoes = Scene((640, 480), (back, lying(6, 4))), [Domino(0, 0), Domino(6, 4), *DominoSet(3)]
    taught = [learnt(SETS["polygons"])]
    assert each_once(scene, taught, dominoes).tiles[0].face_up is False
    assert each_once(scene, taught, dominoes, face_down=False).tiles[0].face_up is True


def test_a_domino_that_is_awaited_is_looked_for_as_one_of_its_set() -> None:
    taught, picture = [learnt(SETS["polygons"]), learnt(SETS["stars"])], pictured(MANY)
    places = [
        Awaited(np.array(tile.corners_px), (tile.pips,))
        for tile in Reader(taught).read(picture).tiles
        if all(tile.pips)
    ]
    found = found_there(picture, places, PipReader(), TaughtSets(taught))
    assert [tile.pips for tile in found] == [place.pips[0] for place in places[:4]]
    assert {tile.of_set for tile in found} == {"polygons"}
    assert len(found_there(picture, places, PipReader())) < len(found)
