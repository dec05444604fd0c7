"""The computer's side of the talk, with the fake controller and a clock set by hand."""

from __future__ import annotations

import pytest

from hardware.conversation import Conversation, Event, Linked
from hardware.errors import Silent, Unplugged
from hardware.fake import FakeDevice
from hardware.protocol import Pressed

TURN_S = 0.02


class Talk:
    """A conversation with a fake controller, of which whole turns and halves of them pass."""

    def __init__(self) -> None:
        self.now_s = 50.0
        self.device = FakeDevice(clock=lambda: self.now_s)
        self.port = self.device.port()
        self.conversation = Conversation("fake", self.now_s)
        self.mute = False

    def say(self) -> None:
        said = self.conversation.say(self.now_s)
        if not self.mute:
            self.port.write(said)

    def hear(self) -> list[Event]:
        return self.conversation.hear(self.port.read(self.port.in_waiting), self.now_s)

    def turns(self, seconds: float) -> list[Event]:
        """What is told within so many seconds."""
        told: list[Event] = []
        for _ in range(round(seconds / TURN_S)):
            self.say()
            self.now_s += TURN_S
            told += self.hear()
        return told


@pytest.fixture
def talk() -> Talk:
    one = Talk()
    (linked,) = one.turns(1)
    assert isinstance(linked, Linked)
    return one


@pytest.mark.parametrize("before_saying", [True, False])
def test_a_computer_that_stood_still_hears_what_came_meanwhile(talk: Talk, before_saying: bool) -> None:
    talk.device.press(2)
    if not before_saying:
        talk.say()
    talk.now_s += 1.7
    (press,) = talk.turns(1)
    assert isinstance(press, Pressed)
    assert press.at_s == pytest.approx(51, abs=TURN_S)


def test_a_press_on_a_controller_that_has_just_started_anew_is_not_timed_by_its_clock_of_before(talk: Talk) -> None:
    talk.now_s += 600
    talk.turns(1)
    talk.device.unplug()
    talk.device.plug()
    talk.port = talk.device.port()
    while not [event for event in talk.turns(TURN_S) if isinstance(event, Linked)]:
        pass
    talk.device.press(0)
    (press,) = talk.hear()
    assert isinstance(press, Pressed)
    assert press.at_s is None


def test_a_controller_that_says_nothing_is_lost_although_the_computer_stood_still_before(talk: Talk) -> None:
    talk.now_s += 5
    talk.mute = True
    talk.turns(1.2)
    with pytest.raises(Unplugged, match="says nothing any more"):
        talk.turns(0.4)


def test_a_controller_has_its_whole_time_to_greet() -> None:
    talk = Talk()
    talk.mute = True
    talk.turns(2)
    talk.now_s += 5
    talk.turns(1.9)
    with pytest.raises(Silent):
        talk.turns(0.2)
