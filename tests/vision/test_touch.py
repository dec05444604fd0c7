"""Hands that touch tiles, on a rendered film."""

from __future__ import annotations

import pytest

from pipsight.first import first_of
from rules.cobra_paw.state import SIDES
from training.grabs import random_grabs
from training.posed_hands import OTHERWISE
from vision.touch import TouchWatch
from vision.touches import side_of

pytestmark = pytest.mark.needs("cv2")


@pytest.mark.parametrize(
    ("entry", "side"), [((300, 0), "top"), ((0, 200), "left"), ((639, 90), "right"), ((9, 359), "bottom")]
)
def test_the_side_is_where_the_arm_comes_in(entry: tuple[float, float], side: str) -> None:
    assert side_of(entry, (640, 360)) == side


@pytest.mark.parametrize(("seed", "rate"), [(1, 30.0), (3, 30.0), (7, 30.0), (1, 60.0)])
def test_the_first_touch_of_a_rendered_hunt_is_named_where_nobody_pinches(
    seed: int, rate: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(OTHERWISE, "grab")
    assert verdict(seed, rate) == "right"


def test_of_seven_rendered_hunts_most_first_touches_are_named_and_hardly_one_wrongly() -> None:
    verdicts = [verdict(seed, 30.0) for seed in range(1, 8)]
    assert verdicts.count("right") >= 4
    assert verdicts.count("wrong") <= 1


def verdict(seed: int, rate: float) -> str:
    """Whether the first player of a film is named as the right one, as a wrong one, or not at all."""
    film = random_grabs(seed, rate, "tuning")
    watch = TouchWatch(film.still, film.places, seats=SIDES[film.players])
    height, width = film.still.shape[:2]
    told = [contact for frame in film.frames() for contact in watch.see(frame, film.lit(frame.time_s), (film.target,))]
    [true, *_] = [grab for grab in film.grabs if grab.place == film.target and grab.contact_s is not None]
    named = first_of([one for one in told if one.place == film.target], lambda one: one.hand).contact
    if named is None:
        return "too close"
    if side_of(named.entry_px, (width, height)) != true.side:
        return "wrong"
    assert named.time_s == pytest.approx(true.contact_s, abs=0.04)
    assert 0.05 < named.confirmed_s - named.time_s < 0.35
    return "right"


def test_who_takes_the_tile_of_a_rendered_hunt_surely_touched_it() -> None:
    film = random_grabs(36, 30.0, "tuning")
    watch = TouchWatch(film.still, film.places, seats=SIDES[film.players])
    height, width = film.still.shape[:2]
    told = [contact for frame in film.frames() for contact in watch.see(frame, film.lit(frame.time_s), (film.target,))]
    [took] = [contact for contact in told if contact.taken]
    [first, *_] = [grab for grab in film.grabs if grab.place == film.target]
    assert side_of(took.entry_px, (width, height)) == first.side
    assert took.time_s == pytest.approx(first.contact_s, abs=0.05)
    assert first_of([one for one in told if one.place == film.target], lambda one: one.hand).contact is not None
