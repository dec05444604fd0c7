"""The wizards from beginning to end, on rendered video and without a screen or a key."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from benchmarks.guided import found_table, guided, table_errors_mm
from calibration.lens import Image
from calibration.plane import Plane
from calibration.rectangles import SeenTile
from calibration.sheet import png, tag_sheet
from calibration.sighting import turned_back
from calibration.target import SHEET, Target
from pipsight.guide import (
    BENT,
    ENOUGH_VIEWS,
    GOAL_MM,
    MIRRORED,
    MIRRORED_NO_MORE,
    NO_SHEET,
    LensGuide,
    Step,
    progress,
)
from pipsight.wizards.table_guide import LAY_TILES, LOOKS, NO_LENS, PATIENCE_S, By, TableGuide, TableWish
from tests.calibration.staging import EYE, TABLE, TRUE_LENS, covered_page, frame, lying
from tests.calibration.test_rectangles import scattered
from tests.pipsight.wizard_films import RATE, few_views
from training.sheet_video import Eye, page_pose
from vision.camera import Frame
from vision.picture import decode

pytestmark = pytest.mark.needs("cv2")


@cache
def run() -> tuple[LensGuide, float, Eye]:
    """A guided run with a small camera."""
    eye = Eye((640, 360), 75.0, 0.9, 0.002, (0.002, -0.001), (3.0, -4.0))
    guide, seconds = guided(eye, np.random.default_rng(5))
    return guide, seconds, eye


def test_somebody_with_a_shaking_hand_gets_a_lens_within_a_minute() -> None:
    guide, seconds, _ = run()
    assert guide.lens is not None
    assert seconds < 55
    assert guide.lens.rms_px < 0.3
    assert guide.error_mm < 0.35
    assert guide.coverage.share >= 0.8
    assert not guide.mirrored


def test_the_table_is_exact_through_that_lens() -> None:
    guide, _, eye = run()
    assert guide.lens is not None
    told = found_table(eye, 22.0, guide.lens, np.random.default_rng(2))
    assert told["error"] < 1.0
    assert told["seconds"] < 3


def frames(*images: Image, rate: float = 8.0) -> list[Frame]:
    return [Frame(image, k / rate) for k, image in enumerate(images)]


def last(steps: list[Step]) -> Step:
    return steps[-1]


def test_an_empty_table_is_told_to_show_the_sheet_and_where() -> None:
    step = last(list(LensGuide().steps(frames(*[frame()] * 3))))
    assert (step.state, step.words) == ("showing", NO_SHEET)
    assert step.outline_px is not None
    assert ((step.outline_px > -60) & (step.outline_px < [700, 420])).all()
    assert progress(step) == "0 views, 0% of the picture"


@pytest.mark.parametrize(("width", "height"), [(640, 100), (100, 640)])
def test_the_sheet_has_room_in_pictures_however_narrow(width: int, height: int) -> None:
    step = LensGuide().see(Frame(np.full((height, width, 3), 128, np.uint8), 0.0))
    assert step.outline_px is not None
    middle = step.outline_px.mean(axis=0)
    assert (middle > 0).all()
    assert (middle < (width, height)).all()


def test_a_mirroring_camera_is_noticed_and_its_frames_turned_back() -> None:
    guide = LensGuide()
    steps = list(guide.steps(frames(*[turned_back(frame(lying()))] * 5)))
    assert guide.mirrored
    assert "left as right" in steps[0].words
    assert steps[-1].views == 1
    assert steps[-1].sighting is not None
    assert steps[-1].sighting.found


def test_a_still_sheet_is_taken_once_and_drawn() -> None:
    guide = LensGuide()
    steps = list(guide.steps(frames(*[frame(lying())] * 8)))
    assert [step.state for step in steps].count("taken") == 1
    drawn = guide.drawn(steps[-1])
    assert drawn.shape == steps[-1].frame.shape
    assert (drawn != steps[-1].frame).any()


def test_pictures_that_end_leave_the_lens_known_where_they_tell_it_well_enough() -> None:
    guide = LensGuide()
    step = last(list(guide.steps(frames(*few_views(5), rate=RATE))))
    assert (step.state, step.words) == ("done", "The lens is known.")
    assert len(guide.views) < ENOUGH_VIEWS
    assert guide.error_mm < GOAL_MM
    assert not last(list(LensGuide().steps(frames(*few_views(3), rate=RATE)))).over


def test_whoever_turns_the_camera_hears_that_its_views_are_forgotten() -> None:
    turned = np.ascontiguousarray(np.rot90(frame(lying())))
    steps = list(LensGuide().steps(frames(*[frame(lying())] * 4, turned, turned)))
    assert [step.views for step in steps] == [0, 0, 1, 1, 0, 0]
    assert "changed from 640x360 to 360x640: those taken so far are forgotten" in steps[4].words


def test_a_moving_sheet_is_never_taken() -> None:
    steps = list(LensGuide().steps(frames(*[frame(lying(12.0 * k, 0)) for k in range(-4, 5)])))
    assert "taken" not in [step.state for step in steps]


def test_the_words_for_a_bent_sheet_say_what_to_do() -> None:
    assert "stiff board" in BENT.format(3)


def test_the_table_is_found_from_the_sheet_lying_on_it() -> None:
    guide = TableGuide(TableWish(area_mm=(400, 300), seats=("bottom", "top")), TRUE_LENS)
    step = last(list(guide.steps(frames(*[frame(lying(10.0, 5.0, 20.0))] * 14))))
    assert (step.state, step.words) == ("done", "The table is found.")
    assert guide.plane is not None
    assert table_errors_mm(EYE, TABLE, guide.plane, TRUE_LENS).max() < 2.0
    assert guide.plane.viewpoint(TRUE_LENS).tilt_deg == pytest.approx(20.0, abs=0.6)
    assert guide.plane.seats == ("bottom", "top")
    assert (guide.drawn(step) != step.frame).any()


def test_a_table_without_a_known_lens_is_found_and_says_what_is_missing() -> None:
    guide = TableGuide()
    assert last(list(guide.steps(frames(*[frame(lying())] * 14)))).state == "done"
    assert NO_LENS in guide.advice


def tags() -> Image:
    """A picture of the four tags, as they are printed, at four pixels a millimetre."""
    printed = decode(png(tag_sheet("a4")), "the tags")
    return np.asarray(cv2.resize(printed, (840, 1188), interpolation=cv2.INTER_AREA), np.uint8)


@pytest.mark.parametrize(("by", "seen"), [("sheet", frame(lying())), ("tags", tags())])
def test_the_table_is_found_in_a_mirror_and_told_so(by: By, seen: Image) -> None:
    guide = TableGuide(TableWish(by=by))
    steps = list(guide.steps(frames(*[turned_back(seen)] * 14)))
    assert steps[0].words == MIRRORED
    assert steps[-1].state == "done"
    assert guide.mirrored


def test_a_camera_that_was_in_a_mirror_and_is_no_more_is_told_so() -> None:
    guide = TableGuide(mirrored=True)
    steps = list(guide.steps(frames(*[frame(lying())] * 14)))
    assert (steps[0].words, steps[-1].state, guide.mirrored) == (MIRRORED_NO_MORE, "done", False)


def test_a_phone_that_is_turned_meanwhile_is_held_still_and_the_wizard_begun_once_more() -> None:
    guide = TableGuide()
    turned = np.ascontiguousarray(np.rot90(frame(lying())))
    step = last(list(guide.steps(frames(frame(), *[turned] * 14))))
    assert (step.state, guide.plane) == ("failed", None)
    assert step.words.startswith("The pictures changed from 640x360 to 360x640: leave the camera as it is to stand")


def test_tags_are_as_large_as_the_ruler_that_was_printed_with_them() -> None:
    def found(target: Target) -> Plane:
        guide = TableGuide(TableWish(by="tags", target=target))
        assert last(list(guide.steps(frames(*[tags()] * 10)))).state == "done"
        assert guide.plane is not None
        return guide.plane

    whole, small = (np.ptp(np.array(plane.area_mm), axis=0) for plane in (found(SHEET), found(SHEET.measured(188.0))))
    assert small == pytest.approx(0.94 * whole, rel=1e-6)


def test_pictures_that_end_leave_the_reason_why_the_table_was_not_found() -> None:
    lens = replace(TRUE_LENS, model="pinhole", distortion=(-0.6, 0.0, 0.0, 0.0, 0.0))
    step = last(list(TableGuide(lens=lens).steps(frames(*[frame(lying(120.0, 60.0, 20.0))] * 12))))
    assert step.state == "failed"
    assert "misses a plane" in step.words


def test_whoever_lays_the_sheet_late_may_still_mend_what_is_told_of_it() -> None:
    lens = replace(TRUE_LENS, model="pinhole", distortion=(-0.6, 0.0, 0.0, 0.0, 0.0))
    guide, bare, astray = TableGuide(lens=lens), frame(), frame(lying(120.0, 60.0, 20.0))
    guide.see(Frame(bare, 0.0))
    steps = [guide.see(Frame(astray, PATIENCE_S + 1 + k / RATE)) for k in range(LOOKS + 8)]
    assert "misses a plane" in " ".join(step.words for step in steps)
    assert {step.state for step in steps} == {"showing", "holding"}
    assert guide.see(Frame(astray, 2 * PATIENCE_S + 6)).state == "failed"


def test_whoever_spreads_dominoes_slowly_is_waited_for() -> None:
    guide = TableGuide(TableWish(by="tiles"), TRUE_LENS, lambda _: [])
    steps = [guide.see(Frame(frame(), 3.0 * k)) for k in range(LOOKS + 4)]
    assert (steps[-1].state, steps[-1].words) == ("showing", LAY_TILES)


def test_a_covered_sheet_is_not_believed() -> None:
    stage = covered_page(0.0, 0.66, 1.0, 1.0)
    guide = TableGuide(lens=TRUE_LENS)
    step = last(list(guide.steps(frames(*[stage.frame(page_pose(lying()))] * 14))))
    assert guide.plane is None
    assert "covered or cut off at its bottom side" in step.words


def test_the_table_is_found_from_its_dominoes_alone() -> None:
    from tests.calibration.test_lens import STRAIGHT
    from tests.calibration.test_rectangles import table, tiles

    seen = tiles(scattered(table(20.0), 1, 20, 0.4))
    empty = np.full((720, 1280, 3), 120, np.uint8)
    guide = TableGuide(TableWish(by="tiles", tile_mm=48.0), STRAIGHT, lambda image: seen)
    assert last(list(guide.steps(frames(*[empty] * 8)))).state == "done"
    assert guide.plane is not None
    assert guide.plane.scale_known
    none = TableGuide(TableWish(by="tiles"), STRAIGHT, lambda image: seen[:1])
    assert last(list(none.steps(frames(*[empty] * 8)))).words == LAY_TILES


def test_one_photograph_of_dominoes_is_enough_where_no_more_come() -> None:
    from tests.calibration.test_lens import STRAIGHT
    from tests.calibration.test_rectangles import table, tiles

    empty = np.full((720, 1280, 3), 120, np.uint8)
    seen = tiles(scattered(table(20.0), 1, 20, 0.4))
    enough, none = (
        TableGuide(TableWish(by="tiles"), STRAIGHT, look) for look in (lambda image: seen, lambda image: seen[:0])
    )
    assert last(list(enough.steps(frames(empty)))).state == "done"
    assert last(list(none.steps(frames(empty)))).state == "failed"


def test_dominoes_are_looked_at_once_nothing_moves() -> None:
    from tests.calibration.test_lens import STRAIGHT
    from tests.calibration.test_rectangles import table, tiles

    looked = list[float]()

    def look(image: Image) -> list[SeenTile]:
        looked.append(float(image.mean()))
        return tiles(scattered(table(20.0), 1, 20, 0.4))

    guide = TableGuide(TableWish(by="tiles", tile_mm=48.0), STRAIGHT, look)
    rng = np.random.default_rng(1)
    bare = [np.clip(rng.normal(30, 12, (720, 1280, 3)), 0, 255).astype(np.uint8) for _ in range(8)]
    hand = bare[0].copy()
    hand[300:500, 400:600] = 180
    steps = list(guide.steps(frames(hand, hand, *bare)))
    assert [step.state for step in steps] == ["holding"] * 9 + ["done"]
    assert len(looked) == 1
    assert looked[0] == pytest.approx(30, abs=0.5)
