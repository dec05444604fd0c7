"""What moves and what has changed, whatever the light does meanwhile."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.motion import SETTLED, Backdrop, Region, regions
from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2")

LINGERING = 48  # frames, as at thirty a second
WIDTH, HEIGHT = 640, 360


def cloth() -> NDArray[np.float64]:
    """The light that a rough cloth sends to the camera, brighter at the right than any picture shows."""
    rough = np.random.default_rng(5).normal(1.0, 0.03, (HEIGHT, WIDTH, 1))
    return rough * np.linspace(60, 420, WIDTH)[:, None]


def picture(light: NDArray[np.float64], shadow: float = 0.0) -> Image:
    """As the camera shows it, the left part in a soft shadow."""
    deep = np.clip((shadow - np.arange(WIDTH) / WIDTH) / 0.3, 0, 1)
    dimmed = light * (1 - 0.55 * deep)[:, None]
    return np.asarray(np.repeat(np.clip(dimmed, 0, 255), 3, axis=2), np.uint8)


def changed(backdrop: Backdrop, image: Image, times: int = 1) -> list[Region]:
    """The changed regions after some frames alike."""
    return [regions(backdrop.see(image), LINGERING) for _ in range(times)][-1]


@pytest.mark.parametrize("step", [0.04, 0.08, 0.16])
def test_while_a_shadow_sweeps_in_nothing_counts_as_settled(step: float) -> None:
    light, backdrop = cloth(), Backdrop()
    changed(backdrop, picture(light), 2 * LINGERING)
    for edge in np.arange(0.0, 1.3, step):
        assert not any(region.settled for region in changed(backdrop, picture(light, edge)))


def test_what_was_put_down_settles_when_nothing_moves_any_more() -> None:
    light, backdrop = cloth(), Backdrop()
    changed(backdrop, picture(light), 2 * LINGERING)
    light[150:200, 300:350] *= 0.3
    assert not any(region.settled for region in changed(backdrop, picture(light)))
    (put_down,) = changed(backdrop, picture(light), 3 * SETTLED)
    assert put_down.settled


def test_what_is_on_the_whole_as_light_as_the_table_changes_it_all_the_same() -> None:
    """A white die with black pips on grey, for one."""
    backdrop, bare = Backdrop(), np.full((HEIGHT, WIDTH, 3), 170, np.uint8)
    assert changed(backdrop, bare, 2 * LINGERING) == []
    y, x = np.mgrid[150:164, 300:314] // 2
    die = bare.copy()
    die[150:164, 300:314] = np.where((x + y) % 2, 250, 90)[..., None]
    (region,) = changed(backdrop, die, 2 * SETTLED)
    assert region.settled
    backdrop.accept(region.cells)
    assert changed(backdrop, die) == []
    assert len(changed(backdrop, bare, 2 * SETTLED)) == 1


def under_arm(bare: NDArray[np.float64], left: int) -> NDArray[np.float64]:
    under = bare.copy()
    under[200:, left : left + 50] *= 0.3
    return under


def rests(backdrop: Backdrop, image: Image) -> None:
    """What reaches in rests for so long that it is taken for a part of the table."""
    for region in changed(backdrop, image, 2 * LINGERING):
        backdrop.accept(region.cells, rests=region.enters)
    assert changed(backdrop, image) == []


@pytest.mark.parametrize("light", [1.0, 0.85, 1.15])
def test_what_lies_beneath_an_arm_that_rested_is_known_as_soon_as_it_goes(light: float) -> None:
    bare, backdrop = cloth(), Backdrop()
    changed(backdrop, picture(bare), 2 * LINGERING)
    rests(backdrop, picture(under_arm(bare, 100)))
    if light != 1.0:
        backdrop.begin_again()
        changed(backdrop, picture(light * under_arm(bare, 100)))
    laid = bare.copy()
    laid[220:250, 110:140] *= 0.5
    assert backdrop.see(picture(light * laid)).cleared
    (new,) = changed(backdrop, picture(light * laid))
    assert not new.enters


def over_a_tile() -> NDArray[np.bool_]:
    """The cells of a tile beneath the arm, or half beneath it, that looks otherwise than it is known."""
    cells = np.zeros((HEIGHT // 4, WIDTH // 4), np.bool_)
    cells[55:63, 20:32] = True
    return cells


def test_an_arm_that_rested_has_gone_though_a_tile_beneath_looks_otherwise_for_it_set_a_pawn_there() -> None:
    bare, backdrop = cloth(), Backdrop()
    changed(backdrop, picture(bare), 2 * LINGERING)
    rests(backdrop, picture(under_arm(bare, 100)))
    assert backdrop.see(picture(bare), hidden=over_a_tile()).cleared


def test_an_arm_that_comes_back_to_where_one_lay_from_the_first_on_has_not_gone() -> None:
    bare, backdrop = cloth(), Backdrop()
    changed(backdrop, picture(under_arm(bare, 100)), 2 * LINGERING)
    rests(backdrop, picture(bare))
    assert not backdrop.see(picture(under_arm(bare, 100)), hidden=over_a_tile()).cleared


def test_an_arm_that_shifted_while_it_rested_leaves_nothing_behind() -> None:
    bare, backdrop = cloth(), Backdrop()
    changed(backdrop, picture(bare), 2 * LINGERING)
    rests(backdrop, picture(under_arm(bare, 300)))
    rests(backdrop, picture(under_arm(bare, 325)))
    assert backdrop.see(picture(bare)).cleared
    assert changed(backdrop, picture(bare)) == []
    backdrop.see(picture(under_arm(bare, 325)))
    (arm,) = changed(backdrop, picture(under_arm(bare, 325)))
    assert arm.enters


@pytest.mark.parametrize("dark", [12, 40])
def test_noise_in_the_dark_part_of_a_picture_is_no_motion(dark: int) -> None:
    light, backdrop, chance = np.full((HEIGHT, WIDTH, 3), 200.0), Backdrop(), np.random.default_rng(2)
    light[:, : WIDTH // 4] = dark
    for _ in range(12):
        frame = np.clip(light + chance.normal(0, 14, light.shape), 0, 255).astype(np.uint8)
        movement = backdrop.see(frame)
    assert movement.calm.min() >= 12
    light[100:200, 20:120] += 40  # and a hand that comes into the dark is seen
    frame = np.clip(light + chance.normal(0, 14, light.shape), 0, 255).astype(np.uint8)
    assert backdrop.see(frame).calm[25:50, 5:30].max() == 0


def test_a_lamp_that_swings_unevenly_hides_nothing_in_the_dark() -> None:
    light, backdrop = np.full((HEIGHT, WIDTH, 3), 220.0), Backdrop()
    light[:, : WIDTH // 4] = 20
    stripes = np.sin(np.arange(WIDTH) / 25)[None, :, None]  # no smooth field follows them
    swing = [1 + 0.03 * np.sin(k) * stripes for k in range(13)]
    for share in swing[:12]:
        backdrop.see(np.asarray(light * share, np.uint8))
    light[100:200, 20:120] += 15
    assert backdrop.see(np.asarray(light * swing[12], np.uint8)).calm[25:50, 5:30].max() == 0


@pytest.mark.parametrize("dark", [20, 35])
def test_what_a_camera_that_compresses_makes_of_a_dim_table_is_no_motion(dark: int) -> None:
    chance, backdrop = np.random.default_rng(1), Backdrop()
    shades = cv2.resize(chance.normal(dark, 0.15 * dark, (30, 40, 3)).astype(np.float32), (WIDTH, HEIGHT))
    for _ in range(20):
        seen = np.clip(shades + chance.normal(0, 2, shades.shape), 0, 255).astype(np.uint8)
        sent = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, 80])[1]
        movement = backdrop.see(np.asarray(cv2.imdecode(sent, cv2.IMREAD_COLOR), np.uint8))
    assert not movement.moving.any()
    assert not movement.changed.any()
