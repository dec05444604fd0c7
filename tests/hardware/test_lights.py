"""What a strip shows at each moment: held colors, over them a countdown, over them an animation."""

from __future__ import annotations

import pytest

from hardware.lights import Shown, dimmed
from hardware.protocol import Animate, Color, Command, Countdown, Light, Off, Pattern, Stretch

RED: Color = (250, 0, 0)
LETTERS = {(0, 0, 0): ".", RED: "R", (62, 0, 0): "r", (15, 0, 0): "-", (3, 0, 0): "'"}
HELD = Light((Stretch(0, 2, RED),))


def picture(shown: Shown, ms: int) -> str:
    """The LEDs as letters: R bright, r dimmer, then - and ', . dark, + anything between."""
    return "".join(LETTERS.get(color, "+") for color in shown.colors(ms * 1000))


def told(*commands: Command) -> Shown:
    shown = Shown(8)
    for command in commands:
        shown = shown.told(command, 0)
    return shown


@pytest.mark.parametrize(
    ("command", "pictures"),
    [
        (HELD, {0: "RR......", 9999: "RR......"}),
        (Animate(Pattern.STEADY, Stretch(4, 3, RED), 100, 2), {0: "....RRR.", 199: "....RRR.", 200: "........"}),
        (Animate(Pattern.BLINK, Stretch(4, 2, RED), 100, 2), {0: "....RR..", 50: "........", 149: "....RR.."}),
        (Animate(Pattern.PULSE, Stretch(0, 1, RED), 100, 0), {0: "........", 25: "+.......", 9950: "R......."}),
        (Animate(Pattern.CHASE, Stretch(0, 8, RED), 80, 0), {0: "R....'-r", 30: "'-rR....", 70: "....'-rR"}),
        (Countdown(8000, RED), {0: "RRRRRRRR", 4000: "RRRR....", 4500: "RRR+....", 7999: "........", 8000: "RRRRRRRR"}),
        (Countdown(8000, RED), {8250: "........", 8500: "RRRRRRRR", 9249: "RRRRRRRR", 9500: "........"}),
    ],
)
def test_each_command_shows_what_it_says(command: Command, pictures: dict[int, str]) -> None:
    shown = told(command)
    assert {ms: picture(shown, ms) for ms in pictures} == pictures


def test_an_animation_covers_a_countdown_and_a_countdown_what_is_held() -> None:
    shown = told(HELD, Countdown(8000, RED), Animate(Pattern.BLINK, Stretch(0, 2, RED), 1000, 1))
    assert [picture(shown, ms) for ms in (0, 500, 6000, 9999)] == ["RRRRRRRR", "..RRRRR+", "RR......", "RR......"]


def test_held_colors_replace_those_before_and_the_last_one_counts() -> None:
    shown = told(HELD, Light((Stretch(1, 3, (1, 1, 1)), Stretch(2, 1, RED))))
    assert picture(shown, 0) == ".+R+...."


def test_off_is_off() -> None:
    assert picture(told(HELD, Countdown(8000, RED), Off()), 0) == "........"


@pytest.mark.parametrize(
    "command",
    [
        Light((Stretch(7, 2, RED),)),
        Light((Stretch(0, 0, RED),)),
        Animate(Pattern.BLINK, Stretch(0, 1, RED), 19),
        Countdown(999),
        Countdown(3_600_001),
    ],
)
def test_what_a_strip_cannot_show_is_no_picture(command: Command) -> None:
    with pytest.raises(ValueError, match=r"too short|too long|not all there"):
        told(command)


def test_white_on_all_of_many_leds_is_dimmed_to_what_a_port_can_feed() -> None:
    white: tuple[Color, ...] = ((255, 255, 255),) * 24
    assert sum(map(sum, dimmed(white))) * 20 / 255 <= 400
    assert dimmed(((9, 9, 9),) * 24) == ((9, 9, 9),) * 24
