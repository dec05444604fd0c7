"""A table followed through many frames: what changes is read again, what is covered is kept, doubts resolve."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest

from benchmarks.frames import Camera, Reaching, filmed, grains, taken
from benchmarks.pictures import label_of
from benchmarks.scoring import score
from rules.board import Board
from training.dice import die, random_die
from training.lens import looking_down
from training.render import staged
from training.samples import laid, set_of
from training.solids import Box
from vision import steady
from vision.following.newcomers import New
from vision.following.sighting import Sighting, look_again
from vision.pieces import Pieces
from vision.scene import Faint, PawnDetection, Scene, TetrominoDetection, TileDetection
from vision.steady import Steady
from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2")

SQUARE = """\
0|1 2|3

4 5|6 1
-     -
2 3|3 5
"""
WIDTH, HEIGHT = 480, 360
LAID = [(0, 1), (1, 5), (2, 3), (2, 4), (3, 3), (5, 6)]
STEADY = Steady()


@cache
def table() -> tuple[Image, tuple[tuple[float, float], ...]]:
    """A table with six dominoes, and the corners of the one in the middle of the lower row."""
    tiles = laid(Board.parse(SQUARE), np.random.default_rng(1))
    image, truth = staged(tiles, set_of(43), np.random.default_rng(43), WIDTH, HEIGHT, half_px=45)
    return image, next(t.corners_px for t in truth.tiles if t.pips == (3, 3))


def still() -> Image:
    return table()[0]


def patched(part: Image) -> Image:
    """The table with another picture where the double three lies."""
    corners = np.array(table()[1])
    mask = np.zeros(still().shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(1.12 * (corners - corners.mean(0)) + corners.mean(0)).astype(np.int32)], 255)
    return np.asarray(np.where(mask[..., None] > 0, part, still()), np.uint8)


def taken_away() -> Image:
    return patched(np.full_like(still(), still()[4:12, 4:12].reshape(-1, 3).mean(0).astype(np.uint8)))


def shifted(image: Image, dx: float, dy: float) -> Image:
    warp = np.array([[1, 0, dx], [0, 1, dy]], float)
    return np.asarray(cv2.warpAffine(image, warp, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REFLECT), np.uint8)


def shown(pictures: Iterable[Image], *, anew: bool = True) -> Scene:
    """What is known after a noisy frame of each picture."""
    if anew:
        STEADY.reset()
    scene = Scene((0, 0))
    for k, picture in enumerate(pictures):
        frame = next(filmed(picture, Camera(), np.random.default_rng(k)))
        scene = STEADY.see(frame, time_s=k / 30)
    return scene


def numbers(scene: Scene) -> list[tuple[int, ...]]:
    return sorted(tuple(sorted(t.pips)) for t in scene.tiles if t.face_up)


def test_a_still_table_is_read_once_and_stays() -> None:
    scene = shown([still()] * 12)
    assert numbers(scene) == LAID
    assert STEADY.covered == ()
    assert scene.time_s == pytest.approx(11 / 30)


def test_looks_add_up() -> None:
    first = {t.pips: t for t in shown([still()]).tiles}
    later = {t.pips: t for t in shown([still()] * 10, anew=False).tiles}
    assert first.keys() == later.keys()
    assert np.mean([t.confidence for t in later.values()]) > np.mean([t.confidence for t in first.values()])


def test_a_tile_taken_away_disappears() -> None:
    scene = shown([still()] * 3 + [taken_away()] * 14)
    assert numbers(scene) == [pair for pair in LAID if pair != (3, 3)]


def test_a_tile_put_down_is_found() -> None:
    scene = shown([taken_away()] * 3 + [still()] * 12)
    assert numbers(scene) == LAID


def test_a_tile_exchanged_is_read_again() -> None:
    corners = np.array(table()[1], np.float32)
    onto_another = cv2.getPerspectiveTransform(np.array(place_of(2, 3), np.float32), corners)
    other = np.asarray(cv2.warpPerspective(still(), onto_another, (WIDTH, HEIGHT)), np.uint8)
    scene = shown([still()] * 3 + [patched(other)] * 12)
    assert numbers(scene) == sorted([*(pair for pair in LAID if pair != (3, 3)), (2, 3)])


def place_of(head: int, tail: int) -> tuple[tuple[float, float], ...]:
    """Where the tile with these numbers is seen."""
    return next(t.corners_px for t in shown([still()]).tiles if sorted(t.pips) == [head, tail])


@pytest.mark.parametrize(("seed", "still_before"), [(2, 3), (3, 20)])  # over three tiles, and over a pip of one
def test_tiles_under_a_hand_keep_their_numbers(seed: int, still_before: int) -> None:
    hand = Reaching(WIDTH, HEIGHT, np.random.default_rng(seed), period=28)
    covered = 0
    shown([still()] * still_before)
    for k in range(28):
        scene = shown([hand.over(still(), k)], anew=False)
        covered = max(covered, len(STEADY.covered))
        assert numbers(scene) == LAID
    assert covered
    shown([still()] * 6, anew=False)
    assert STEADY.covered == ()


def under_an_arm() -> Image:
    """An arm rests on four of the six dominoes, and a seventh is on it."""
    under = still().copy()
    under[157:, 120:360] = (120, 150, 200)
    under[280:330, 142:242] = still()[106:156, 142:242]
    return under


@pytest.mark.parametrize("frames", [12, 40])
def test_under_an_arm_that_rests_on_most_of_a_small_board_nothing_is_lost(frames: int) -> None:
    assert len(shown([under_an_arm()]).tiles) == len(LAID) / 2
    shown([still()] * 3)
    shown([under_an_arm()] * frames, anew=False)
    assert len(STEADY.covered) == 4
    assert STEADY.busy
    assert numbers(shown([still()] * 12, anew=False)) == LAID
    assert not STEADY.busy


def test_an_arm_that_was_there_from_the_first_on_and_comes_back_hides_what_lies_beneath() -> None:
    arm = still().copy()
    arm[157:, 120:360] = (120, 150, 200)
    shown([arm] * 6)
    assert numbers(shown([still()] * 60, anew=False)) == LAID
    assert numbers(shown([arm] * 60, anew=False)) == LAID
    assert len(STEADY.covered) == 4


def test_what_an_arm_lays_down_that_rested_while_all_was_read_once_more_is_found_as_soon_as_it_goes() -> None:
    arm, laid = still().copy(), still().copy()
    arm[322:, 20:80] = (120, 150, 200)
    laid[272:322, 14:114] = still()[106:156, 142:242]
    shown([still()] * 6)
    shown([arm] * 8, anew=False)
    STEADY.read_again()
    shown([arm] * 3, anew=False)
    assert len(shown([laid] * 12, anew=False).tiles) == len(LAID) + 1


def test_what_moves_at_the_edge_of_the_table_is_no_hand_over_the_board() -> None:
    shown([still()] * 6)
    for k in range(6):
        edge = still().copy()
        edge[HEIGHT - 30 - 3 * k :] = (120, 150, 200)
        shown([edge], anew=False)
        assert STEADY.moving.any()
        assert not STEADY.busy
    shown([under_an_arm()], anew=False)
    assert STEADY.busy


def test_while_a_hand_moves_nothing_that_is_sure_is_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = {False: 0, True: 0}

    def counted(levels: Sequence[Image], sightings: Sequence[Sighting], *rest: Any) -> list[Any]:
        looks[bool(STEADY.moving.any())] += len(sightings)
        return look_again(levels, sightings, *rest)

    hand = Reaching(WIDTH, HEIGHT, np.random.default_rng(3), period=28)
    shown([still()] * 20)
    monkeypatch.setattr(steady, "look_again", counted)
    shown([hand.over(still(), k) for k in range(12)], anew=False)
    assert looks[True] == 0
    shown([still()] * 20, anew=False)
    assert looks[False] > 10


def test_lamps_that_dim_and_lean_change_nothing() -> None:
    slope = np.linspace(0.9, 0.5, WIDTH)[None, :, None]
    shown([still()] * 3)
    for share in np.linspace(0, 1, 10):
        frame = (still() * (1 - share + share * slope)).astype(np.uint8)
        assert numbers(shown([frame], anew=False)) == LAID
        assert STEADY.covered == ()


def test_a_camera_that_is_nudged_is_noticed() -> None:
    before = shown([still()] * 3)
    after = shown([shifted(still(), 9, -6)] * 10, anew=False)
    assert numbers(after) == LAID
    was, now = (np.mean([t.centers_px for t in scene.tiles], axis=(0, 1)) for scene in (before, after))
    assert now - was == pytest.approx([9, -6], abs=1.5)


def by_a_drifting_camera(step: float, frames: int) -> Iterable[Image]:
    """The table as a camera on a sagging arm shows it, from far at the left to far at the right."""
    for k in range(frames):
        yield shifted(still(), step * (k - frames / 2), 0)


@pytest.mark.parametrize("noise", [4.0, 14.0])
def test_a_camera_that_drifts_slowly_takes_all_tiles_along(noise: float) -> None:
    """So slowly that nothing seems to move, nor to change."""
    following, rng = Steady(), np.random.default_rng(3)
    grain = grains(still().shape, Camera(noise), rng)
    for k, picture in enumerate(by_a_drifting_camera(0.25, 200)):
        scene = following.see(taken(picture, Camera(noise), grain, rng, k), k / 30)
        assert numbers(scene) == LAID
    there = {tuple(sorted(t.pips)): np.mean(t.corners_px, axis=0) for t in scene.tiles}
    want = np.mean(table()[1], axis=0) + [0.25 * 99, 0]
    assert there[3, 3] == pytest.approx(want, abs=2)


def in_line(dx: float) -> tuple[Image, dict[tuple[int, int], tuple[float, float]]]:
    """A line of five dominoes so many halves to the right, and where each is seen."""
    tiles = laid(Board.parse("1|4 4|0 0|2 2|5 5|6"), np.random.default_rng(1))
    there = tuple(replace(tile, x=tile.x + dx, y=tile.y + 1.5) for tile in tiles)
    image, truth = staged(there, set_of(43), np.random.default_rng(43), WIDTH, HEIGHT, half_px=32)
    return image, {tile.pips: tuple(np.mean(tile.corners_px, axis=0)) for tile in truth.tiles}


def test_what_an_arm_hid_that_pushed_a_line_and_rested_on_it_is_found_as_soon_as_it_goes() -> None:
    shown([in_line(-1.05)[0]] * 8)
    pushed, there = in_line(1.05)
    under = pushed.copy()
    under[170:, 220:300] = (60, 80, 110)
    assert len(shown([under] * 60, anew=False).tiles) < len(there)
    seen = {tile.pips: tile.middle_px for tile in shown([pushed] * 12, anew=False).tiles}
    assert seen.keys() == there.keys()
    assert all(seen[pips] == pytest.approx(there[pips], abs=4) for pips in there)


@pytest.mark.parametrize(("domino", "from_y", "to_y"), [((2, 5), 2, 112), ((2, 5), -112, -2), ((1, 4), 6, 116)])
def test_a_domino_that_a_phone_hid_in_part_is_read_anew_once_the_phone_is_taken_away(
    domino: tuple[int, int], from_y: int, to_y: int
) -> None:
    bare, there = in_line(0.0)
    x, y = (int(at) for at in there[domino])
    phone = bare.copy()
    phone[y + from_y : y + to_y, x - 60 : x + 50] = (25, 22, 22)
    shown([phone] * 10)
    assert {tile.pips for tile in shown([bare] * 30, anew=False).tiles} == there.keys()
    assert STEADY.covered == ()


def on_board(dx: int, dy: int) -> Image:
    """One domino on a checkered board that the picture cuts off, the board pushed so far on its table."""
    board = np.kron(np.indices((6, 6)).sum(0) % 2, np.ones((40, 40)))
    squares = np.repeat(np.where(board, 205, 95).astype(np.uint8)[..., None], 3, axis=2)
    corners = np.array(table()[1], int)
    (left, top), (right, low) = corners.min(0), corners.max(0)
    squares[40 : 40 + low - top, 80 : 80 + right - left] = still()[top:low, left:right]
    frame = np.full((HEIGHT + 60, WIDTH, 3), 60, np.uint8)
    frame[140 + dy : 380 + dy, 120 + dx : 360 + dx] = squares
    return frame[:HEIGHT]


def test_a_pushed_board_that_the_picture_cuts_off_is_noticed_and_an_arm_on_it_hides_what_lies_there() -> None:
    (before,) = shown([on_board(0, 0)] * 4).tiles
    (after,) = shown([on_board(7, -5)] * 24, anew=False).tiles
    moved = np.subtract(after.centers_px, before.centers_px).mean(axis=0)
    assert (after.pips, *moved) == (before.pips, pytest.approx(7, abs=1), pytest.approx(-5, abs=1))
    under = on_board(7, -5)
    under[150:, 180:300] = (120, 150, 200)
    shown([under] * 12, anew=False)
    assert numbers(shown([on_board(7, -5)] * 4, anew=False)) == [(3, 3)]


def test_a_pushed_board_that_the_picture_cuts_off_is_noticed_beside_dominoes_that_stay() -> None:
    def frame(dx: int, dy: int) -> Image:
        both = on_board(dx, dy)
        for left, (head, tail) in ((6, (0, 1)), (240, (2, 3))):
            corners = np.array(place_of(head, tail), int)
            (x, y), (right, low) = corners.min(0) - 3, corners.max(0) + 3
            both[6 : 6 + low - y, left : left + right - x] = still()[y:low, x:right]
        return both

    pictures = frame(0, 0), frame(20, 10)
    before = {tile.pips: tile for tile in shown([pictures[0]] * 6).tiles}
    after = {tile.pips: tile for tile in shown([pictures[1]] * 30, anew=False).tiles}
    steps = {pips: np.subtract(after[pips].centers_px, tile.centers_px).mean(axis=0) for pips, tile in before.items()}
    assert len(steps) == 3
    assert steps.pop((3, 3)) == pytest.approx([20, 10], abs=1.5)
    assert all(step == pytest.approx([0, 0], abs=1) for step in steps.values())


def test_an_empty_table_stays_empty() -> None:
    assert shown([np.full((HEIGHT, WIDTH, 3), 90, np.uint8)] * 8).tiles == ()


def test_a_cloth_that_is_laid_on_an_empty_table_leaves_it_empty() -> None:
    bare = np.full((HEIGHT, WIDTH, 3), 90, np.uint8)
    cloth = bare.copy()
    cloth[:, :300] = (200, 60, 30)
    assert shown([*[bare] * 10, *[cloth] * 20]).tiles == ()


def test_a_camera_that_was_turned_to_another_table_forgets_the_one_before() -> None:
    shown([still()] * 3)
    grain = np.random.default_rng(4).normal(0, 14, (45, 60, 3))
    bare = np.clip(np.array([90.0, 120, 150]) + cv2.resize(grain, (WIDTH, HEIGHT)), 0, 255).astype(np.uint8)
    assert len(shown([bare] * 40, anew=False).tiles) == len(LAID)  # something may lie over them for a while
    assert shown([bare] * 90, anew=False).tiles == ()


def test_another_size_of_frame_is_another_table() -> None:
    shown([still()] * 2)
    assert shown([np.full((240, 320, 3), 90, np.uint8)], anew=False).tiles == ()


def with_die(value: int) -> Image:
    """The table with a white die in its free corner."""
    image, rng = still().copy(), np.random.default_rng(5)
    lens = looking_down(WIDTH, HEIGHT, 45, 0, 0)
    white = replace(random_die(rng), body=(240, 240, 240), inks=((25, 25, 25),) * 7, glow=0.0, wooden=False)
    solid, _ = die(lens, Box(3.9, 2.6, 0.42, 0.42, 20, 0.84), white, value, 0.0, rng)
    solid.paint(image)
    return image


def test_a_die_is_found_read_again_when_it_was_turned_and_forgotten_when_it_is_gone() -> None:
    assert shown([still()] * 3).dice == ()
    assert [d.value for d in shown([with_die(5)] * 12, anew=False).dice] == [5]
    assert [d.value for d in shown([with_die(3)] * 12, anew=False).dice] == [3]
    assert shown([still()] * 12, anew=False).dice == ()
    assert numbers(shown([still()], anew=False)) == LAID


def test_pieces_that_a_whole_new_look_missed_are_sought_one_a_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    following = Steady()
    following.expect(["pawn"])
    scenes, sought = [following.see(still(), 0.0)], list[int]()
    pawns = tuple(PawnDetection((x, 340.0), (200, 30, 30), 0.9, 20.0) for x in (40.0, 140.0, 240.0))
    following._scene = replace(scenes[0], pawns=pawns)
    find = following._newcomers.find

    def counted(*rest: Any) -> New:
        sought.append(len(scenes))
        return find(*rest)

    monkeypatch.setattr(following._newcomers, "find", counted)
    following.read_again()
    for k in range(1, 8):
        scenes.append(following.see(still(), k / 30))
        assert following.searching == (len(scenes[-1].pawns) > 0)
    assert [len(scene.pawns) for scene in scenes[1:]] == [3, 2, 1, 0, 0, 0, 0]
    assert sought == [2, 3, 4]


def test_cardboard_that_a_whole_new_look_sees_faintly_stays_and_so_do_the_tiles_beneath_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    following, sought = Steady(), list[list[TileDetection]]()
    following.expect(["tetromino"])
    lay = following.see(still(), 0.0)
    (x0, y0), (x1, y1) = lay.tiles[0].centers_px
    bar = TetrominoDetection(tuple((x0 + k * (x1 - x0), y0 + k * (y1 - y0)) for k in range(4)), True, 0.6)
    faintly = replace(lay, tiles=lay.tiles[1:], faint=(Faint("tetromino", 0.4, bar),))

    def seen(*rest: Any) -> New:
        sought.append(list(rest[5].tiles))
        return New([], Pieces(faint=faintly.faint))

    following._scene = replace(lay, tetrominoes=(bar,))
    monkeypatch.setattr(following._reader, "read", lambda *_: faintly)
    monkeypatch.setattr(following._newcomers, "find", seen)
    following.read_again()
    scenes = [following.see(still(), k / 30) for k in range(1, 4)]
    assert [scene.tetrominoes for scene in scenes] == [(bar,)] * 3
    assert [numbers(scene) for scene in scenes] == [LAID] * 3
    (told,) = sought  # the one closer look knows what lies beneath
    assert lay.tiles[0].pips in [tile.pips for tile in told]


@pytest.mark.parametrize("value", [1, 4, 5, 6])
def test_a_white_die_is_found_upon_a_white_domino_of_its_own_number_in_a_game_with_dice(value: int) -> None:
    tiles = laid(Board.parse(f"{value}|0 2|6\n\n3|5 4|4"), np.random.default_rng(1))
    bare, truth = staged(tiles, set_of(3), np.random.default_rng(3), WIDTH, HEIGHT, half_px=45)
    corners = np.array(next(t.corners_px for t in truth.tiles if t.pips == (value, 0)))
    x, y = (0.75 * corners[:2].mean(0) + 0.25 * corners[2:].mean(0) - [WIDTH / 2, HEIGHT / 2]) / 45
    rng, image = np.random.default_rng(5), bare.copy()
    white = replace(random_die(rng), body=(245, 245, 245), inks=((25, 25, 25),) * 7, glow=0.0, wooden=False)
    lens = looking_down(WIDTH, HEIGHT, 45, 0, 0)
    die(lens, Box(x + 0.05, y - 0.04, 0.33, 0.33, 25, 1.1), white, value, 0.0, rng)[0].paint(image)
    before, after = (blinding(picture) for picture in (bare, image))
    STEADY.expect(("die",))
    assert shown([before] * 6).dice == ()
    assert [d.value for d in shown([after] * 24, anew=False).dice] == [value]
    STEADY.expect(())


def blinding(image: Image) -> Image:
    """A picture in too much light, and not quite sharp."""
    return np.asarray(cv2.GaussianBlur(np.clip(image * 1.2, 0, 255).astype(np.uint8), (0, 0), 1.5), np.uint8)


@pytest.mark.parametrize("upon", [True, False])
def test_a_tile_on_whose_place_a_piece_stands_now_lies_beneath_it_unless_pieces_stand_on_none(
    monkeypatch: pytest.MonkeyPatch, upon: bool
) -> None:
    following = Steady()
    following.expect(["pawn"], upon=upon)
    corners = np.array(table()[1])
    at, length = corners.mean(axis=0), float(np.linalg.norm(corners[2:].mean(axis=0) - corners[:2].mean(axis=0)))
    pawn = PawnDetection((float(at[0]), float(at[1])), (200, 30, 30), 0.9, length)
    pieces = Pieces(pawns=(pawn,))
    scenes = [following.see(still(), 0.0)]
    monkeypatch.setattr(following._newcomers, "find", lambda *_: New([], pieces))
    scenes += [following.see(taken_away(), 0.1 * k) for k in range(1, 12)]
    assert numbers(scenes[0]) == LAID
    assert (len(scenes[-1].tiles) == len(LAID)) == upon


def test_a_tile_in_another_light_is_looked_at_before_it_is_taken_for_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a search finds nothing a hand's shadow may be the reason."""
    steady = Steady()
    monkeypatch.setattr(steady, "_newcomers", _Blind())
    before = steady.see(still())
    shade = np.zeros(still().shape[:2], np.uint8)
    cv2.fillPoly(shade, [np.round(table()[1][:3]).astype(np.int32)], 255)
    shadowed = np.where(shade[..., None] > 0, still() // 5 * 2, still()).astype(np.uint8)
    for number in range(1, 40):
        after = steady.see(shadowed, number / 30)
    known, seen = (sorted(sorted(tile.pips) for tile in scene.tiles) for scene in (before, after))
    assert known == seen


class _Blind:
    """A search that finds nothing new."""

    def find(self, *_: object) -> New:
        return New([], Pieces())


def test_tiles_that_one_noisy_frame_hides_are_found_in_the_mean_of_many() -> None:
    chance = np.random.default_rng(8)
    image, truth = staged(laid(Board.parse(SQUARE), chance), set_of(8), chance, WIDTH, HEIGHT, half_px=30)
    dim = filmed((0.16 * image).astype(np.uint8), Camera(noise=14.0, jpeg=60), chance)
    STEADY.reset()
    right = [score(label_of("dim", truth), STEADY.see(next(dim)).tiles)["right"] for _ in range(12)]
    assert right[0] < right[-1] == len(LAID)
