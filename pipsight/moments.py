"""The moments that people say with their moves, as in "2:5@31.250": none lies ahead."""

from __future__ import annotations

import re

AHEAD_S = 1.0  # by so much may the clocks of cameras and buttons differ
_MOMENT = re.compile(r"@(\d+(?:\.\d+)?)")


def ahead(text: str, now_s: float) -> str:
    """Why what is said to have happened cannot have done so yet, in a sentence; "" where all of it can."""
    latest_s = max(map(float, _MOMENT.findall(text)), default=0.0)
    if latest_s <= now_s + AHEAD_S:
        return ""
    return f"Nothing has happened at {latest_s:.3f} s yet: now it is {now_s:.3f} s."
