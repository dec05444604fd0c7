"""What people call a colour, so that a person can be told of "the red pawn"."""

from __future__ import annotations

from colorsys import rgb_to_hsv

Color = tuple[int, int, int]

# Where each name ends on the wheel of hues, in degrees from red: light changes how bright a piece looks, not its hue.
_HUES = (
    (14, "red"),
    (42, "orange"),
    (68, "yellow"),
    (160, "green"),
    (195, "turquoise"),
    (255, "blue"),
    (295, "purple"),
    (340, "pink"),
    (360, "red"),
)
SHADES: dict[str, Color] = {
    "red": (200, 30, 30),
    "orange": (240, 130, 20),
    "brown": (110, 70, 30),
    "beige": (230, 210, 170),
    "yellow": (230, 200, 30),
    "green": (30, 150, 60),
    "turquoise": (30, 170, 170),
    "blue": (30, 60, 200),
    "purple": (110, 40, 160),
    "pink": (240, 150, 180),
    "black": (20, 20, 20),
    "grey": (120, 120, 120),
    "white": (245, 245, 245),
}
"""How a piece of each name is drawn."""

_DARKEST, _DARK, _LIGHT = 0.2, 0.62, 0.78
_GREYEST, _PALE = 0.2, 0.45


def color_name(color: Color) -> str:
    """Return what most people would call a colour: `color_name((200, 30, 30))` is "red".

    color: (red, green, blue), 0 to 255 each.
    """
    hue, fullness, brightness = rgb_to_hsv(*(min(max(part, 0), 255) / 255 for part in color))
    if brightness < _DARKEST:
        return "black"
    if fullness < _GREYEST:
        return "white" if brightness > _LIGHT else "grey"
    name = next(name for end, name in _HUES if hue * 360 <= end)
    if name == "orange" and brightness < _DARK:
        return "brown"
    if name in ("orange", "yellow") and fullness < _PALE:
        return "beige"
    return "pink" if name == "red" and fullness < _PALE and brightness > _DARK else name
