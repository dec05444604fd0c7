"""The letters of a board in text: where numbers and joints stand, and what is wrong with a text that is no board."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rules.domino import pips_text
from rules.errors import BadText

PIPS = "0123456789abcdef"
JOINTS = "|-"


class Written(NamedTuple):
    """One domino as it is written: the place of its head, the joint after it (`|` or `-`) and both numbers."""

    row: int
    col: int
    joint: str
    head: int
    tail: int


def read_text(text: str) -> list[Written]:
    """The dominoes that a text draws, in reading order. Raises BadText at the first character out of place."""
    ink = {(y, x): letter for y, line in enumerate(text.splitlines()) for x, letter in enumerate(line) if letter != " "}
    taken: dict[tuple[int, int], str] = {}
    dominoes = []
    for (y, x), letter in ink.items():
        _require_place(letter, y, x)
    for (y, x), letter in ink.items():
        if letter in JOINTS:
            head, tail = ((y, x - 1), (y, x + 1)) if letter == "|" else ((y - 1, x), (y + 1, x))
            _take(ink, taken, (y, x), (head, tail))
            dominoes.append(Written(head[0] // 2, head[1] // 2, letter, _pips(ink[head]), _pips(ink[tail])))
    for (y, x), letter in ink.items():
        if letter in PIPS and (y, x) not in taken:
            raise BadText(f"the {letter} is joined to no other half", y + 1, x + 1)
    return dominoes


def write_text(dominoes: Iterable[Written]) -> str:
    """The text that draws these dominoes; no place may be above or left of (0, 0)."""
    ink: dict[tuple[int, int], str] = {}
    for row, col, joint, head, tail in dominoes:
        down, right = (0, 1) if joint == "|" else (1, 0)
        ink[2 * row, 2 * col] = pips_text(head)
        ink[2 * row + down, 2 * col + right] = joint
        ink[2 * (row + down), 2 * (col + right)] = pips_text(tail)
    height = max((y for y, _ in ink), default=-1) + 1
    width = max((x for _, x in ink), default=-1) + 1
    return "\n".join("".join(ink.get((y, x), " ") for x in range(width)).rstrip() for y in range(height))


def _require_place(letter: str, y: int, x: int) -> None:
    """Numbers stand on even lines and columns (from 0), joints between them, and nothing stands elsewhere."""
    if letter not in PIPS + JOINTS:
        raise BadText(f"{letter!r} is no number (0-9, a-f) and no joint (| or -)", y + 1, x + 1)
    expected = {(0, 0): PIPS, (0, 1): "|", (1, 0): "-", (1, 1): ""}[y % 2, x % 2]
    if letter not in expected:
        kind = "number" if letter in PIPS else "joint"
        raise BadText(f"no {kind} {letter} may stand here: numbers and joints take turns", y + 1, x + 1)


def _take(
    ink: dict[tuple[int, int], str],
    taken: dict[tuple[int, int], str],
    joint: tuple[int, int],
    halves: tuple[tuple[int, int], tuple[int, int]],
) -> None:
    for half in halves:
        if half not in ink:
            raise BadText(f"the joint {ink[joint]} needs a number on both sides", joint[0] + 1, joint[1] + 1)
        if half in taken:
            raise BadText(f"the {ink[half]} is joined to two halves", half[0] + 1, half[1] + 1)
        taken[half] = ink[joint]


def _pips(letter: str) -> int:
    return PIPS.index(letter)
