"""Messages become bytes and come back; what is not exactly one whole frame is nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.errors import BadMessage
from hardware.framing import Frame, Splitter, stuffed, unstuffed
from hardware.protocol import (
    KINDS,
    Ack,
    Animate,
    Countdown,
    Finished,
    Greeting,
    Hello,
    Light,
    Message,
    Nack,
    Off,
    Pattern,
    Ping,
    Pong,
    Pressed,
    Reason,
    Sound,
    Stretch,
    decoded,
    encoded,
)

MESSAGES: tuple[Message, ...] = (
    Hello(),
    Greeting(1, (1, 2), 24, 4, (0, 3), 5000, 77),
    Ping(),
    Pong(4_000_000_000),
    Light((Stretch(0, 24, (0, 0, 255)), Stretch(3, 1, (9, 8, 7)))),
    Animate(Pattern.CHASE, Stretch(1, 2, (3, 4, 5)), 300, 2),
    Countdown(60_000, (1, 2, 3), loud=False),
    Sound(((440, 100), (0, 5))),
    Off(),
    Pressed(1, True, 5),
    Finished(6),
    Ack(),
    Nack(Reason.BAD),
)
SMALL_BYTES = st.binary(max_size=60)
FRAMES = st.builds(Frame, st.integers(0, 255), st.integers(0, 65_535), st.binary(max_size=240))


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_every_message_comes_back_from_its_bytes(message: Message) -> None:
    (frame,) = Splitter().feed(encoded(message, 65_535))
    assert (frame.sequence, decoded(frame)) == (65_535, message)


def test_every_kind_of_message_is_tried() -> None:
    assert {type(message) for message in MESSAGES} == set(KINDS)


@given(FRAMES, SMALL_BYTES, st.integers(1, 300))
def test_a_frame_is_found_after_any_junk_and_in_any_pieces(frame: Frame, junk: bytes, piece: int) -> None:
    stream, splitter = junk + b"\0" + frame.wire(), Splitter()
    found = [one for k in range(0, len(stream), piece) for one in splitter.feed(stream[k : k + piece])]
    assert found == [frame]


@given(st.binary(max_size=250))
def test_stuffing_leaves_no_zero_and_comes_back(body: bytes) -> None:
    assert 0 not in stuffed(body)
    assert unstuffed(stuffed(body)) == body


@given(FRAMES, st.data())
def test_a_frame_with_one_wrong_byte_is_nothing(frame: Frame, data: st.DataObject) -> None:
    wire = bytearray(frame.wire())
    at = data.draw(st.integers(1, len(wire) - 2))
    wire[at] ^= data.draw(st.integers(1, 255))
    assert Splitter().feed(bytes(wire)) == []


@given(FRAMES, st.data())
def test_a_frame_that_was_cut_is_nothing_and_the_next_one_is_whole(frame: Frame, data: st.DataObject) -> None:
    wire = frame.wire()
    kept = data.draw(st.integers(0, len(wire) - 2))
    assert Splitter().feed(wire[:kept] + wire) == [frame]


def test_a_message_of_a_later_version_is_nothing() -> None:
    assert decoded(Frame(0x7F, 1)) is None
    assert decoded(Frame(KINDS[Nack], 1, b"\x63")) is None
    assert decoded(Frame(KINDS[Light], 1, b"\x00\x01")) is None


def test_of_a_greeting_in_another_version_only_the_version_is_read() -> None:
    assert decoded(Frame(KINDS[Greeting], 1, b"\x07and something else")) == Greeting(7, (0, 0), 0, 0)


@pytest.mark.parametrize(
    "message",
    [
        Light((Stretch(0, 1, (256, 0, 0)),)),
        Countdown(-1),
        Animate(Pattern.BLINK, Stretch(0, 300, (0, 0, 0)), 100),
        Sound(((70_000, 1),)),
        Light((Stretch(0, 1, (0, 0, 0)),) * 49),
    ],
)
def test_what_does_not_fit_is_refused_before_it_is_sent(message: Message) -> None:
    with pytest.raises(BadMessage, match=r"does not fit the protocol|send it as several"):
        encoded(message, 1)
