"""What a half of a domino looks like, from blank to fifteen, and figures as strokes, which need no font."""

from __future__ import annotations

from rules.domino import require_pips

APART = 0.27

_COLUMNS = {
    1: (0, 1, 0),
    4: (2, 0, 2),
    5: (2, 1, 2),
    6: (3, 0, 3),
    7: (3, 1, 3),
    8: (3, 2, 3),
    9: (3, 3, 3),
    10: (4, 2, 4),
    11: (4, 3, 4),
    12: (4, 4, 4),
    13: (4, 5, 4),
    14: (5, 4, 5),
    15: (5, 5, 5),
}
_DIAGONAL = {0: (), 2: (-1, 1), 3: (-1, 0, 1)}

_STROKES = {
    "0": "M0-.64Q.34-.64 .34 0Q.34 .64 0 .64Q-.34 .64-.34 0Q-.34-.64 0-.64Z",
    "1": "M-.2-.35L.05-.62V.62",
    "2": "M-.3-.4Q-.2-.65 .05-.62Q.35-.58 .3-.3Q.25-.05-.32 .62H.34",
    "3": "M-.3-.45Q0-.75 .25-.5Q.4-.15-.05-.05Q.5 .05 .3 .45Q.05 .75-.32 .48",
    "4": "M.15 .62V-.62L-.35 .22H.36",
    "5": "M.28-.62H-.24L-.28-.1Q.35-.3 .33 .22Q.28 .75-.32 .52",
    "6": "M.22-.6Q-.35-.3-.3 .25Q-.2 .68 .12 .6Q.42 .45 .3 .1Q.1-.2-.28 .12",
    "7": "M-.32-.62H.32Q0-.1-.08 .62",
    "8": "M0-.04Q-.4-.2-.22-.5Q0-.72 .22-.5Q.4-.2 0-.04Q-.5 .18-.26 .5Q0 .74 .26 .5Q.5 .18 0-.04Z",
    "9": "M-.22 .6Q.35 .3 .3-.25Q.2-.68-.12-.6Q-.42-.45-.3-.1Q-.1 .2 .28-.12",
}


def face(pips: int) -> list[tuple[float, float]]:
    """Where the pips of a half lie, x and y from its middle in sides of the half; the long axis of the domino is y."""
    require_pips(pips)
    if pips in _DIAGONAL:
        return [(APART * step, APART * step) for step in _DIAGONAL[pips]]
    found = []
    for column, number in zip((-1, 0, 1), _COLUMNS[pips], strict=True):
        spread = APART * (1.0 if number <= 3 else 1.16)
        found += [
            (APART * column, spread * (2 * row / (number - 1) - 1) if number > 1 else 0.0) for row in range(number)
        ]
    return found


def figures(number: int) -> list[tuple[float, str]]:
    """The figures of a number: how far right of its middle each stands, and its path, about 1.3 high."""
    told = str(number)
    return [(0.84 * (place - (len(told) - 1) / 2), _STROKES[figure]) for place, figure in enumerate(told)]
