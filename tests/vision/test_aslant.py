"""Tables seen from a chair: how far they are tilted, and the shape that tiles have there."""

import itertools
from collections import Counter
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.pictures import rendered
from training.arrangements import Lying
from training.course import random_course, stage_of
from training.film import Shot, film
from training.lens import Lens, looking_down
from training.render import staged
from training.samples import set_of
from vision.aslant import Tilt, askew, brought_back, from_above, tilt_of, to_scale, usual_tilts
from vision.peaks import Candidate
from vision.reader import Reader

pytestmark = pytest.mark.needs("cv2")

Floats = NDArray[np.float64]
TURNED = (0, 25, 70, 90, 120, 160)
LYING = [(4.0 * (k % 3) - 4, 4.0 * (k // 3) - 2, turn) for k, turn in enumerate(TURNED)]


def faces(lens: Lens) -> list[Floats]:
    """Six tiles, each turned otherwise, as the lens sees their faces."""
    return [np.asarray(lens.project([(*p, 0.0) for p in rectangle(*tile)]), float) for tile in LYING]


def rectangle(x: float, y: float, turn_deg: float) -> Floats:
    """The corners of a tile of two halves by one on the table."""
    a = np.deg2rad(turn_deg)
    along, across = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)]) / 2
    return np.asarray(np.array([x, y]) + [-along - across, -along + across, along + across, along - across])


def taken_for_square(face: Floats) -> Candidate:
    """The tile as one who takes every tile for a rectangle would have it: its length and its width, but no lean."""
    along, side = (face[2:] - face[1::-1]).sum(0) / 4, (face[1] + face[2] - face[0] - face[3]) / 4
    across = np.array([-along[1], along[0]]) / np.linalg.norm(along) * np.linalg.norm(side)
    across *= np.sign(across @ side)
    x, y = face.mean(0)
    return Candidate((x, y), (along[0], along[1]), (across[0], across[1]), 0.4, True)


def strays(one: NDArray[np.floating], other: Floats) -> float:
    """How far corners are from where they ought to be, in widths; which end is the head is left open."""
    wide = float(np.linalg.norm(other[1] - other[0]))
    return min(float(abs(np.roll(one, turn, axis=0) - other).max()) for turn in (0, 2)) / wide


def test_a_table_seen_from_above_needs_no_help() -> None:
    tilt = tilt_of(faces(looking_down(1280, 720, 60.0, 0.0, 20.0)), [1.0] * 6, (1280, 720))
    assert not tilt.disturbs([(0, 0), (1279, 719)])


@pytest.mark.parametrize("tilt_deg", [35.0, 50.0, 60.0])
def test_the_tilt_shortens_one_direction(tilt_deg: float) -> None:
    tilt = tilt_of(faces(looking_down(1280, 720, 40.0, tilt_deg, 30.0)), [1.0] * 6, (1280, 720))
    assert tilt.disturbs([])
    longest, shortest = tilt.stretch
    assert longest == pytest.approx(40.0, rel=0.06)
    assert shortest / longest == pytest.approx(np.cos(np.deg2rad(tilt_deg)), rel=0.06)


def test_far_from_near_tiles_a_table_that_leans_a_little_looks_flat() -> None:
    """The tiles at the end of a long chain look flat where those before the camera do not."""
    leaning = tilt_of(faces(looking_down(1280, 720, 60.0, 20.0, 0.0)), [1.0] * 6, (1280, 720))
    near = replace(leaning, faces=leaning.faces[3:])
    assert not near.disturbs([(640.0, 600.0)])
    assert near.disturbs([(640.0, 600.0), (640.0, 10.0)])


@pytest.mark.parametrize("tilt_deg", [45.0, 60.0])
def test_a_candidate_taken_for_a_rectangle_gets_the_shape_of_a_tile(tilt_deg: float) -> None:
    seen = faces(looking_down(1280, 720, 40.0, tilt_deg, 30.0))
    tilt = tilt_of(seen, [1.0] * len(seen), (1280, 720))
    wrong = [taken_for_square(face) for face in seen]
    before = max(strays(c.corners, face) for c, face in zip(wrong, seen, strict=True))
    shaped = [*askew(wrong, tilt), *wrong]  # those that need no help are left out of the first
    near = [next(c for c in shaped if np.hypot(*(c.center - face.mean(0))) < 1) for face in seen]
    after = max(strays(c.corners, face) for c, face in zip(near, seen, strict=True))
    assert after < 0.4 * before


@pytest.mark.parametrize("tilt_deg", [35.0, 50.0])
def test_what_is_found_from_above_is_brought_back_to_where_it_is_seen(tilt_deg: float) -> None:
    lens = looking_down(1280, 720, 40.0, tilt_deg, 30.0)
    seen = faces(lens)
    tilt = tilt_of(seen, [1.0] * len(seen), (1280, 720))
    above, back = from_above([np.zeros((720, 1280, 3), np.uint8)], tilt)
    onto = np.linalg.inv(back)
    for face in seen:
        flat = np.concatenate([face, np.ones((4, 1))], axis=1) @ onto.T
        upright = flat[:, :2] / flat[:, 2:]
        assert (upright > 0).all()
        assert (upright < above.shape[1::-1]).all()
        sides = np.linalg.norm(upright - np.roll(upright, 1, axis=0), axis=1)
        assert sides.max() / sides.min() == pytest.approx(2.0, rel=0.1)
        found = taken_for_square(upright)
        again = brought_back([found], tilt, back, (1280, 720))
        assert strays(again[0].corners, face) < 0.12
        twice = replace(found, along=(2 * found.along[0], 2 * found.along[1]))
        assert brought_back([twice], tilt, back, (1280, 720)) == []
    beside = replace(found, center=(-900.0, -900.0))
    assert brought_back([beside], tilt, back, (1280, 720)) == []


@pytest.mark.parametrize(("tilt_deg", "number"), [(42.0, 0), (56.0, 1), (67.0, 2)])
def test_one_of_the_usual_tilts_is_nearly_that_of_a_camera_held_from_a_chair(tilt_deg: float, number: int) -> None:
    seen = faces(looking_down(1280, 720, 40.0, tilt_deg, 0.0))
    flat = [stretch[0] / stretch[1] for stretch in (tilt.stretch for tilt in usual_tilts(seen, (1280, 720)))]
    assert np.argmin(abs(np.array(flat) - 1 / np.cos(np.deg2rad(tilt_deg)))) == number


def test_a_table_is_scaled_so_that_most_that_lies_on_it_is_as_large_as_a_tile() -> None:
    seen = faces(looking_down(1280, 720, 40.0, 50.0, 30.0))
    tilt = tilt_of(seen, [1.0] * len(seen), (1280, 720))
    _, back = from_above([np.zeros((720, 1280, 3), np.uint8)], tilt)
    onto = np.linalg.inv(back)
    flat = [np.concatenate([face, np.ones((4, 1))], axis=1) @ onto.T for face in seen]
    found = [taken_for_square(quad[:, :2] / quad[:, 2:]) for quad in flat]
    larger = Tilt(np.diag([3.0, 3.0, 1.0]) @ tilt.to_table, tilt.faces)
    assert brought_back(found, larger, back, (1280, 720)) == []
    assert len(brought_back(found, to_scale(found, larger, back), back, (1280, 720))) == len(seen)


@pytest.mark.parametrize(("number", "tiles"), [(357, 5), (463, 5), (368, 3)])
def test_tiles_are_read_where_few_of_them_tell_how_low_the_camera_is(number: int, tiles: int) -> None:
    """Photographs as people take them sitting: only the nearest tiles look as from above, and those lean."""
    label, picture = next(islice(rendered(number + 1, 1_000_003), number, None)).take()
    right = [tuple(sorted(tile.pips)) for tile in Reader().read(picture).tiles if tile.face_up]
    assert Counter(tuple(sorted(tile.pips)) for tile in label.tiles) - Counter(right) == Counter()
    assert len(label.tiles) == tiles


def test_tiles_in_a_block_are_read_from_a_low_chair() -> None:
    """Fourteen tiles side by side, at 55 degrees and turned: there each is half as high as it is wide, and leans."""
    laid = tuple(
        Lying(2.05 * column - 6, 1.03 * row - 0.5, 0, head, tail)
        for (column, row), (head, tail) in zip(
            itertools.product(range(7), range(2)), itertools.combinations_with_replacement(range(1, 6), 2), strict=False
        )
    )
    picture, truth = staged(laid, set_of(3), np.random.default_rng(4), tilt_deg=55.0, turn_deg=35.0, half_px=48.0)
    read = sorted(tuple(sorted(tile.pips)) for tile in Reader().read(picture).tiles)
    assert read == sorted(tuple(sorted(tile.pips)) for tile in truth.tiles)


def test_backs_side_by_side_are_found_from_a_chair_though_each_of_them_is_faint() -> None:
    """Twenty-eight dark backs on a black table: none of them alone seems to be anything."""
    table = random_course("finder", 1, 1).tables[0]
    frame = next(iter(film(stage_of([table], 10_076, aslant=True), [Shot(table)], 10_076)))
    found = Reader().read(frame.image).tiles
    assert len(found) >= 24
    assert not any(tile.face_up for tile in found)
