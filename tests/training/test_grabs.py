"""Films of grabs: the truth is what the pictures show, and eyes are judged on nothing that they were tuned on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import islice

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from training import reaching, striking
from training.arms import CUTOUTS, TONES
from training.grabs import GrabFilm, quiet, random_grabs
from training.hunted import Hunted, random_hunted
from training.hunting import WAITS, Hunt, Reach
from training.idling import Idle, idle
from training.lens import looking_down
from training.overhead import FINGER_MM, Lamp, Pose, Sheet, View, paint_arm, paint_shadows
from training.striking import MANNERS
from training.surfaces import FOLDER, LEARNING, SPLITS, texture
from vision.camera import Frame

pytestmark = pytest.mark.needs("cv2")

Points = NDArray[np.float64]
VIEW = View(looking_down(640, 360, 30.0, 0.0, 0.0), 24.0, 8.0)
LAMP = Lamp((0.6, 0.0), 0.1, 0.5, 0.0)


@cache
def hunted(seed: int, split: str) -> Hunted:
    return random_hunted(np.random.default_rng(seed), split)


@cache
def played(seed: int, split: str) -> tuple[Reach, ...]:
    reaches, _ = Hunt(np.random.default_rng(seed), split, hunted(seed, split), 2 + seed % 3, WAITS).played()
    return tuple(reaches)


@cache
def film(seed: int) -> GrabFilm:
    return random_grabs(seed, 30.0, "tuning")


def shortly(told: GrabFilm, until_s: float) -> Iterator[Frame]:
    """The frames up to a moment."""
    return islice(told.frames(), int(until_s * told.rate) + 1)


def inside(quad: tuple[tuple[float, float], ...], at: tuple[float, float]) -> float:
    """How far within a tile a pixel is, negative outside."""
    return float(cv2.pointPolygonTest(np.array(quad, np.float32), at, True))


@pytest.mark.parametrize("split", [*SPLITS, LEARNING])
def test_a_finger_meets_its_tile_at_the_moment_that_the_truth_tells(split: str) -> None:
    for seed in range(5):
        for reach in played(seed, split):
            grab, way = reach.grab, reach.moved.way
            if grab is None or grab.contact_s is None:
                continue
            assert grab.place is not None
            assert grab.at_px is not None
            assert inside(hunted(seed, split).places[grab.place], grab.at_px) > 1
            before, at, resting = way.at([grab.contact_s - 0.02, grab.contact_s, grab.contact_s + 0.035])
            assert before[2] > 0.2 > at[2] > -0.01
            assert abs(resting[2]) < 0.01


@pytest.mark.parametrize("split", [*SPLITS, LEARNING])
def test_a_hand_that_only_feints_never_comes_down_to_a_tile(split: str) -> None:
    feints = [r for seed in range(5) for r in played(seed, split) if r.grab and r.grab.place is None]
    assert feints
    assert all(reach.moved.way.points[:, 2].min() > 0.9 * MANNERS[split].feint_mm[0] for reach in feints)


@pytest.mark.parametrize("split", [*SPLITS, LEARNING])
def test_hands_go_for_tiles_at_the_speeds_of_hands(split: str) -> None:
    rng = np.random.default_rng(1)
    for _ in range(40):
        points = striking.approach(rng, split, (0.0, 300.0, 80.0), (0.0, 0.0, 0.0))
        speed = np.linalg.norm(np.diff(points, axis=0), axis=1) * reaching.STEPS
        assert np.allclose(points[-1], 0)
        assert points[:, 2].min() > -1e-6
        assert 300 < speed.max() < 4500
        assert np.hypot(*(points[-1] - points[-2])[:2]) * reaching.STEPS < 1.5 * striking.FASTEST_AT_TOUCH


@settings(derandomize=True, max_examples=20, deadline=None)
@given(st.integers(0, 2**31), st.sampled_from(SPLITS))
def test_a_reach_goes_on_and_arrives(seed: int, split: str) -> None:
    shape = striking.profile(np.random.default_rng(seed), split)
    way = shape(np.linspace(0, 1, 200))
    assert way[0] == pytest.approx(0, abs=1e-3)
    assert way[-1] == pytest.approx(1)
    assert (np.diff(way) >= -1e-9).all()


def test_the_pictures_show_the_finger_where_and_when_the_truth_says() -> None:
    for seed in (2, 5):
        told = film(seed)
        grab = told.grabs[0]
        assert grab.contact_s is not None
        assert grab.at_px is not None
        soon = [frame for frame in shortly(told, grab.contact_s + 0.07) if frame.time_s > grab.contact_s + 0.03]
        x, y = (round(v) for v in grab.at_px)
        spot = (slice(y - 3, y + 4), slice(x - 3, x + 4))
        changes = [float(abs(frame.image[spot].astype(int) - told.still[spot]).mean()) for frame in soon]
        assert min(changes) > 12, "no finger is seen at the contact"


def test_the_table_before_any_hand_is_the_still_one() -> None:
    told = film(2)
    first = next(told.frames()).image
    apart = abs(first.astype(int) - told.still)
    assert np.median(apart) <= 6
    assert (apart > 40).mean() < 0.05


def test_the_same_seed_gives_the_same_film() -> None:
    one, other = (random_grabs(4, 60.0, "judging") for _ in range(2))
    assert one.grabs == other.grabs
    assert (one.still == other.still).all()
    assert all((a.image == b.image).all() for a, b in islice(zip(one.frames(), other.frames(), strict=True), 20, 23))


def test_nothing_is_shared_between_tuning_and_judging() -> None:
    names = {split: {one.name for one in CUTOUTS if one.split == split} for split in SPLITS}
    assert not names["tuning"] & names["judging"]
    assert len(CUTOUTS) == len(set.union(*names.values()))
    assert not set(TONES["tuning"]) & set(TONES["judging"])
    kinds = {split: {one.kind for one in CUTOUTS if one.split == split} for split in SPLITS}
    assert kinds["tuning"] == kinds["judging"] == {"point", "flat", "grab", "relaxed"}
    drawn = {
        split: {texture(np.random.default_rng(k), ("swatch",), split).tobytes() for k in range(60)} for split in SPLITS
    }
    assert not drawn["tuning"] & drawn["judging"]


def test_every_hand_of_the_folder_is_known() -> None:
    listed = json.loads((FOLDER / "index.json").read_text(encoding="utf-8"))
    cut_out = {one["file"] for one in listed if one["kind"] == "hand"}
    assert cut_out == {f"hands/cutout_mh_{one.name}.png" for one in CUTOUTS}


@cache
def idling(seed: int) -> Idle:
    return idle(np.random.default_rng(seed), "judging", hunted(seed, "judging"), 15.0)


def test_hands_of_a_quiet_film_touch_no_tile() -> None:
    for seed in range(4):
        table = hunted(seed, "judging")
        for moved in idling(seed).arms:
            low = moved.way.points[moved.way.points[:, 2] < 20][::20]
            for tip in low:
                lifted = tip + [0, 0, table.view.face_mm + FINGER_MM]
                tips = np.array([moved.arm.sheet.tip, *moved.arm.others])
                at = moved.arm.sheet.place(tips, lifted, np.array([*moved.elbow_mm, 0.0]))
                seen = table.view.project(at * [1, 1, 0])
                assert max(inside(quad, (float(x), float(y))) for quad in table.places for x, y in seen) < 0


def test_a_quiet_film_has_no_grab_and_lasts_as_long_as_asked() -> None:
    told = quiet(3, 30.0, 0.5, "tuning")
    assert told.grabs == ()
    assert len(list(told.frames())) == 15


def pointing(length: int = 300) -> Sheet:
    """A white finger with nothing behind it."""
    picture = np.zeros((length, 40, 4), np.uint8)
    picture[2:80, 10:30] = 255
    return Sheet(picture, 1.25, (20.0, 8.0), 0.0)


def posed(gap_mm: float, *xs: float) -> Pose:
    """The finger above the middle of the table, or at several places during one exposure."""
    tips = np.array([[x, 0.0, VIEW.face_mm + FINGER_MM + gap_mm] for x in xs or (0.0,)])
    return Pose(pointing(), tips, np.array([0.0, 500.0, 0.0]))


def shadow_apart(gap_mm: float) -> float:
    """How many pixels the middle of a finger's shadow lies beside the finger."""
    image = np.full((360, 640, 3), 200, np.uint8)
    paint_shadows(image, VIEW, LAMP, [posed(gap_mm)])
    dark = (200 - image[200, :, 0].astype(float)).clip(0)
    assert dark.max() > 20
    return float((dark * np.arange(640)).sum() / dark.sum()) - 320


def test_the_shadow_meets_the_finger_on_the_tile_and_leaves_it_in_the_air() -> None:
    apart = [shadow_apart(gap) for gap in (0.0, 15.0, 60.0)]
    assert apart[0] < 8 < apart[1] < apart[2]
    assert apart[2] - apart[0] == pytest.approx(0.6 * 60 * VIEW.px_per_mm, rel=0.2)


def width_seen(gap_mm: float, *xs: float) -> tuple[float, float]:
    """How wide a finger is seen: all that is covered, and how bright at most, from 0 to 1."""
    image = np.zeros((360, 640, 3), np.uint8)
    paint_arm(image, VIEW, posed(gap_mm, *xs))
    row = image[200, :, 0].astype(float) / 255
    return float(row.sum()), float(row.max())


def test_a_hand_nearer_to_the_camera_is_larger() -> None:
    near, far = width_seen(200.0)[0], width_seen(0.0)[0]
    depth = VIEW.lens.distance * VIEW.half_mm - VIEW.face_mm - FINGER_MM
    assert near / far == pytest.approx(depth / (depth - 200), rel=0.04)


@pytest.mark.parametrize("moved_mm", [4.0, 30.0])
def test_a_moving_finger_is_smeared_and_as_much_light_is_seen(moved_mm: float) -> None:
    still, moving = width_seen(0.0), width_seen(0.0, *np.linspace(-moved_mm / 2, moved_mm / 2, 25))
    assert moving[0] == pytest.approx(still[0], rel=0.06)
    assert moving[1] == pytest.approx(min(1.0, 16 / moved_mm), abs=0.12)


def test_the_film_tells_where_lights_shine() -> None:
    told = next(told for told in map(film, range(12)) if told.shooting.glows)
    glow = told.shooting.glows[0]
    assert told.lit(glow.from_s - 0.1) == ()
    (outline, *_) = told.lit((glow.from_s + glow.to_s) / 2)
    assert np.allclose(np.mean(outline, axis=0), glow.middle, atol=1)
