"""Hands over a known table: what is one, what is none, and that each keeps its number."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.camera import Frame
from vision.hands.outlines import Hands
from vision.scene import HandDetection
from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2")

WIDTH, HEIGHT, FINGER = 640, 360, 12
TONES = {"light": (150, 180, 225), "dark": (45, 55, 85), "glove": (40, 140, 60), "black": (18, 18, 18)}


@pytest.fixture(scope="module")
def table() -> Image:
    """A table with some grain and six white tiles."""
    rng = np.random.default_rng(5)
    coarse = rng.normal(0, 14, (HEIGHT // 6, WIDTH // 6, 1)).astype(np.float32)
    ground = cv2.resize(coarse, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)[..., None] + (70, 110, 140)
    for k in range(6):
        cv2.rectangle(ground, (150 + 60 * k, 150), (190 + 60 * k, 170), (225, 230, 228), -1)
    return np.asarray(np.clip(ground, 0, 255), np.uint8)


def photographed(picture: Image, number: int, light: float = 1.0) -> Frame:
    noise = np.random.default_rng(number).normal(0, 2.5, picture.shape)
    return Frame(np.clip(picture * light + noise, 0, 255).astype(np.uint8), number / 30)


def with_hand(picture: Image, tip: tuple[int, int], tone: str, *, from_top: bool = True) -> Image:
    """An arm that comes in above or below and ends in one finger."""
    out, (x, y), way = picture.copy(), tip, -1 if from_top else 1
    color = TONES[tone]
    cv2.line(out, (x, y + way * FINGER // 2), (x, y + way * 50), color, FINGER, cv2.LINE_AA)
    cv2.ellipse(out, (x + 10, y + way * 70), (28, 34), 0, 0, 360, color, -1, cv2.LINE_AA)
    cv2.line(out, (x + 10, y + way * 70), (x + 10, y + way * 400), color, 34, cv2.LINE_AA)
    return out


def seen(table: Image, pictures: list[Image], **how: float) -> list[tuple[HandDetection, ...]]:
    hands = Hands(table, FINGER)
    return [hands.see(photographed(picture, number, **how)) for number, picture in enumerate(pictures)]


@pytest.mark.parametrize("tone", TONES)
def test_a_finger_ends_where_it_ends(table: Image, tone: str) -> None:
    (hand,) = seen(table, [with_hand(table, (300, 160), tone)] * 2)[-1]
    assert np.hypot(hand.tips_px[0][0] - 300, hand.tips_px[0][1] - 160) < 5
    assert hand.entry_px[1] == pytest.approx(0, abs=2)
    assert hand.entry_px[0] == pytest.approx(310, abs=8)


def test_light_that_changes_is_no_hand(table: Image) -> None:
    across = np.linspace(0.75, 1.2, WIDTH)[None, :, None]
    assert seen(table, [table, np.clip(table * across, 0, 255).astype(np.uint8)])[-1] == ()
    assert seen(table, [table] * 2, light=0.7)[-1] == ()


def test_a_shadow_is_no_hand(table: Image) -> None:
    shape = with_hand(np.full_like(table, 255), (300, 200), "black")
    shade = cv2.GaussianBlur(shape, (0, 0), 4).astype(np.float32) / 255
    assert seen(table, [table, (table * (0.5 + 0.5 * shade)).astype(np.uint8)])[-1] == ()


def test_where_a_shadow_leaves_nothing_comes_and_a_hand_that_reaches_there_is_seen(table: Image) -> None:
    beside = np.clip((np.arange(WIDTH) - 250) / 40, 0, 1)[None, :, None]
    hands = Hands(np.asarray(table * (0.5 + 0.5 * beside), np.uint8), FINGER)
    lit = [hands.see(photographed(table, number)) for number in range(4)]
    assert lit[0] == lit[-1] == ()
    assert np.count_nonzero(hands.mask) < 0.002 * hands.mask.size
    for tone in TONES:
        (hand,) = [hands.see(photographed(with_hand(table, (200, 160), tone), number)) for number in range(4, 7)][-1]
        assert np.hypot(hand.tips_px[0][0] - 200, hand.tips_px[0][1] - 160) < 8


def test_light_swings_where_a_large_shadow_comes_and_not_where_a_camera_opens_up(table: Image) -> None:
    hands, shade = Hands(table, FINGER), np.linspace(0.5, 1, WIDTH)[None, :, None]
    shaded = np.asarray(table * shade, np.uint8)
    for number in range(8):
        hands.see(photographed(table, number, 1.0 if number < 4 else 0.65))
        assert not hands.swings
    for number in range(8, 32):
        hands.see(photographed(shaded, number))
        assert hands.swings == (number < 17)


def test_lamps_of_our_own_are_no_hands(table: Image) -> None:
    shining = table.copy()
    cv2.rectangle(shining, (0, 40), (200, 100), (60, 255, 120), -1)
    frame = photographed(shining, 0)
    assert Hands(table, FINGER).see(frame) != ()
    assert Hands(table, FINGER).see(frame, [((0, 36), (204, 36), (204, 104), (0, 104))]) == ()


def test_two_hands_that_meet_keep_their_numbers_and_sides(table: Image) -> None:
    hands = Hands(table, FINGER)
    frames = [
        with_hand(with_hand(table, (300, 60 + 10 * k), "light"), (300, 300 - 10 * k), "light", from_top=False)
        for k in range(12)
    ]
    told = [{hand.number: hand.entry_px[1] for hand in hands.see(photographed(f, k))} for k, f in enumerate(frames)]
    assert all(one.keys() == told[1].keys() for one in told[1:])
    for number, y in told[1].items():
        assert all(abs(one[number] - y) < 2 for one in told[1:])


def test_a_hand_has_come_once_it_has_moved_and_what_lies_there_from_one_frame_to_the_next_has_not(table: Image) -> None:
    arriving = [with_hand(table, (300, 20 + 15 * k), "light") for k in range(8)]
    lit = table.copy()
    cv2.rectangle(lit, (200, 0), (400, 120), (120, 200, 250), -1)
    for pictures, come in ((arriving, True), ([lit] * 8, False)):
        hands = Hands(table, FINGER)
        (hand,) = [hands.see(photographed(picture, number)) for number, picture in enumerate(pictures)][-1]
        assert hands.came(hand.number) == come


def along_the_border(table: Image, tip: int, tone: str = "light") -> Image:
    """A hand whose upper half is cut off, which reaches along the border from the right."""
    out = table.copy()
    cv2.line(out, (tip, 14), (WIDTH, -20), TONES[tone], 3 * FINGER, cv2.LINE_AA)
    cv2.line(out, (tip - 30, 16), (tip, 14), TONES[tone], FINGER, cv2.LINE_AA)
    return out


def test_a_hand_that_reaches_in_along_the_border_comes_in_where_it_came_in_before_and_is_followed(table: Image) -> None:
    hands = Hands(table, FINGER)
    places = [*range(620, 380, -20), *[380] * 4, *range(380, 300, -10)]
    told = []
    for number, tip in enumerate(places):
        seen = hands.see(photographed(along_the_border(table, tip), number))
        told.append((seen[0].entry_px[0], hands.moves[seen[0].number][0], seen[0].tips_px[0][0]) if seen else None)
    assert len({hand.number for hand in seen}) == 1
    for tip, one in list(zip(places, told, strict=True))[-8:]:
        assert one is not None
        entry, moved, end = one
        assert entry > tip + 60
        assert moved == pytest.approx(-10 if tip < 380 else 0, abs=3)
        assert end == pytest.approx(tip - 36, abs=8)


def test_a_hand_that_races_in_farther_than_it_is_looked_for_does_not_seem_to_rest(table: Image) -> None:
    hands = Hands(table, FINGER)
    for number, reach in enumerate((20, 40, 60, 320)):
        seen = hands.see(photographed(with_hand(table, (300, reach), "light"), number))
    assert hands.moves[seen[0].number][1] > 100


def test_a_finger_is_seen_in_the_noise_of_a_dark_room(table: Image) -> None:
    rng = np.random.default_rng(8)

    def dim(picture: Image) -> Image:
        return np.clip(picture * 0.5 + rng.normal(0, 6, picture.shape), 0, 255).astype(np.uint8)

    hands = Hands(dim(table), FINGER)
    for number in range(6):
        picture = with_hand(table, (300, 160), "light") if number > 2 else table
        seen = hands.see(Frame(dim(picture), number / 30))
        assert len(seen) == (number > 2)
    assert np.hypot(seen[0].tips_px[0][0] - 300, seen[0].tips_px[0][1] - 160) < 6
