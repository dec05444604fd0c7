"""Hands that touch tiles, on a rendered film."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from pipsight.hunt.first import first_of
from rules.cobra_paw.state import SIDES
from training.grabs import Grab, GrabFilm, random_grabs
from training.posed_hands import WAYS
from vision.hands.touch import TouchWatch
from vision.hands.touches import Contact, side_of

pytestmark = pytest.mark.needs("cv2")


@pytest.mark.parametrize(
    ("entry", "side"), [((300, 0), "top"), ((0, 200), "left"), ((639, 90), "right"), ((9, 359), "bottom")]
)
def test_the_side_is_where_the_arm_comes_in(entry: tuple[float, float], side: str) -> None:
    assert side_of(entry, (640, 360)) == side


@dataclass(frozen=True)
class Hunted:
    """A rendered hunt, and what the eyes told of the hunted tile."""

    film: GrabFilm
    told: tuple[Contact, ...]

    @classmethod
    def of(cls, seed: int, rate: float) -> Hunted:
        film = random_grabs(seed, rate, "tuning")
        watch = TouchWatch(film.still, film.places, seats=SIDES[film.players])
        told = [one for frame in film.frames() for one in watch.see(frame, film.lit(frame.time_s), (film.target,))]
        return cls(film, tuple(one for one in told if one.place == film.target))

    @property
    def first(self) -> Grab:
        return next(grab for grab in self.film.grabs if grab.place == self.film.target)

    @property
    def clear(self) -> bool:
        """Whether no other hand lies over the finger that touches first, nor touches within two frames of it."""
        times = [grab.contact_s for grab in self.film.grabs if grab.place == self.film.target and grab.contact_s]
        return self.first.sight > 0.5 and all(time_s - times[0] > 2 / self.film.rate for time_s in times[1:])

    def side(self, contact: Contact) -> str:
        height, width = self.film.still.shape[:2]
        return side_of(contact.entry_px, (width, height))

    @property
    def verdict(self) -> str:
        """Whether the first player is named as the right one, as a wrong one, or not at all."""
        named = first_of(self.told, self.side).contact
        if named is None:
            return "too close"
        if self.side(named) != self.first.side:
            return "wrong"
        told_s = min(one.confirmed_s for one in self.told if one.number == named.number)
        if self.first.sight > 0.5:  # of a finger beneath another hand nobody sees when it comes down
            assert named.time_s == pytest.approx(self.first.contact_s, abs=0.04)
            assert 0.05 < told_s - named.time_s < 0.35
        return "right"


def hunted(seed: int) -> Hunted:
    """At 30 frames a second."""
    return Hunted.of(seed, 30.0)


SEVEN = pytest.mark.ahead(hunted, *range(1, 8))


@pytest.mark.parametrize(("seed", "rate"), [(1, 30.0), (3, 30.0), (7, 30.0), (1, 60.0)])
def test_the_first_touch_of_a_rendered_hunt_is_named_where_nobody_pinches(
    seed: int, rate: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(WAYS, "grab")
    assert Hunted.of(seed, rate).verdict == "right"


@SEVEN
def test_of_seven_rendered_hunts_those_that_can_be_seen_are_named_but_one_and_hardly_any_wrongly(
    ahead: list[Hunted],
) -> None:
    visible = [hunted.verdict for hunted in ahead if hunted.clear]
    assert len(visible) >= 4
    assert visible.count("right") >= len(visible) - 1
    verdicts = [hunted.verdict for hunted in ahead]
    assert verdicts.count("right") >= 4
    assert verdicts.count("wrong") <= 1


@SEVEN
def test_who_is_seen_to_take_the_tile_took_it(ahead: list[Hunted]) -> None:
    took = [(hunted, one) for hunted in ahead for one in hunted.told if one.taken]
    assert len(took) >= 2
    for hunted, one in took:
        assert any(carried.place == hunted.film.target for carried in hunted.film.shooting.carried)
        assert (hunted.side(one), one.chance > 0.95) == (hunted.first.side, True)
        assert one.time_s == pytest.approx(hunted.first.contact_s, abs=0.05)
