"""A line of play: dominoes end to end, the sniff with its four sides, and which ends are open and counted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from rules.domino import Domino
from rules.table import LaidTile

Arm = tuple[LaidTile, ...]
Shape = tuple[object, ...]


class End(Enum):
    """Where a line can be played on: at its two ends, and at the two sides of the sniff that are not in the line."""

    LEFT = "L"
    UP = "U"
    DOWN = "D"
    RIGHT = "R"

    @property
    def place(self) -> str:
        """How players call it."""
        return {"L": "at the left end", "R": "at the right end", "U": "above the sniff", "D": "below the sniff"}[
            self.value
        ]


class OpenEnd(NamedTuple):
    """The number that can be played on, and the numbers that are added up there: both of a double that lies across."""

    number: int
    counted: tuple[int, ...]


@dataclass(frozen=True)
class Line:
    """A line as it was played, bent or not.

    row: the tiles from left to right, each with its left number as head. sniff: the place of the first double in the
    row, None before there is one. across: whether the sniff lies across the row. up, down: the tiles played on the
    sniff's other two sides, from the sniff outwards, the nearer number as head.

    A sniff shows its number on all four sides, and each of its two short ends is counted until it is covered.
    """

    row: Arm = ()
    sniff: int | None = None
    across: bool = True
    up: Arm = ()
    down: Arm = ()

    @cached_property
    def tiles(self) -> Arm:
        """Every tile of the line: the row, then what lies above and below the sniff."""
        return (*self.row, *self.up, *self.down)

    @cached_property
    def dominoes(self) -> frozenset[Domino]:
        """Which dominoes of the set were played."""
        return frozenset(tile.domino for tile in self.tiles)

    @property
    def sniff_tile(self) -> LaidTile | None:
        """The first double that was played, None before there is one."""
        return None if self.sniff is None else self.row[self.sniff]

    @cached_property
    def ends(self) -> dict[End, OpenEnd]:
        """What can be played on, in the order in which it is added up: left, up, down, right."""
        if not self.row:
            return {}
        if self.sniff is None:
            left, right = self.row[0].head, self.row[-1].tail
            return {End.LEFT: OpenEnd(left, (left,)), End.RIGHT: OpenEnd(right, (right,))}
        return {end: self._open(end) for end in End}

    @cached_property
    def counted(self) -> tuple[int, ...]:
        """The numbers that are added up."""
        return tuple(number for end in self.ends.values() for number in end.counted)

    @cached_property
    def total(self) -> int:
        """The sum of the ends."""
        return sum(self.counted)

    def arm(self, end: End) -> Arm:
        """The tiles from the sniff to that end, each with the nearer number as head; only once there is a sniff."""
        if self.sniff is None:
            raise ValueError("only a sniff has arms")
        if end is End.LEFT:
            return _turned(self.row[: self.sniff])
        return {End.RIGHT: self.row[self.sniff + 1 :], End.UP: self.up, End.DOWN: self.down}[end]

    def extended(self, domino: Domino, end: End, in_line: bool = False) -> Line:
        """The line with one more domino at an end whose number it has; at any end where it is the first.

        in_line: for the sniff alone: along the line instead of across.
        """
        shown = self.ends[end].number if self.row else domino.high
        tile = LaidTile(shown, domino.low if shown == domino.high else domino.high)
        if end in (End.UP, End.DOWN):
            return replace(self, up=(*self.up, tile)) if end is End.UP else replace(self, down=(*self.down, tile))
        sniff, across = self.sniff, self.across
        if sniff is None and domino.is_double:
            sniff, across = (0 if end is End.LEFT else len(self.row)), not in_line
        elif sniff is not None and end is End.LEFT:
            sniff += 1
        row = (*_turned((tile,)), *self.row) if end is End.LEFT else (*self.row, tile)
        return replace(self, row=row, sniff=sniff, across=across)

    @cached_property
    def shape(self) -> Shape:
        """What does not depend on how the line is turned: lines with the same shape are the same line."""
        if self.sniff is None:
            return min(_numbers(self.row), _numbers(_turned(self.row)))
        ends, sides = sorted(map(_numbers, self._short)), sorted(map(_numbers, self._long))
        return self.row[self.sniff].head, *ends, *sides

    def as_in(self, before: Line) -> Line:
        """The same line, turned and mirrored so that as many tiles as possible lie as they did before."""
        return max(self._ways(), key=lambda way: (before.likeness(way), way.across == before.across))

    def likeness(self, other: Line) -> int:
        """How many tiles of another line lie in the row, above or below as they do here, and how many side by side."""
        pairs = ((other.row, self.row), (other.up, self.up), (other.down, self.down))
        alone = sum(tile in here for there, here in pairs for tile in there)
        return alone + sum(two in [*pairwise(here)] for there, here in pairs for two in pairwise(there))

    @property
    def _short(self) -> tuple[Arm, Arm]:
        ends = (End.UP, End.DOWN) if self.across else (End.LEFT, End.RIGHT)
        return self.arm(ends[0]), self.arm(ends[1])

    @property
    def _long(self) -> tuple[Arm, Arm]:
        sides = (End.LEFT, End.RIGHT) if self.across else (End.UP, End.DOWN)
        return self.arm(sides[0]), self.arm(sides[1])

    def _open(self, end: End) -> OpenEnd:
        assert self.sniff is not None
        sniff, arm = self.row[self.sniff], self.arm(end)
        if not arm:
            short = self.across == (end in (End.UP, End.DOWN))
            return OpenEnd(sniff.head, (sniff.head,) if short else ())
        last = arm[-1]
        return OpenEnd(last.tail, (last.tail,) * (2 if last.domino.is_double else 1))

    def _ways(self) -> Iterator[Line]:
        """The same line, looked at from every side, and after those as in a mirror."""
        if self.sniff is None:
            yield from (self, Line(_turned(self.row)))
            return
        left, right, up, down = self.arm(End.LEFT), self.arm(End.RIGHT), self.up, self.down
        for above, below in ((up, down), (down, up)):
            yield self._laid(self.across, (left, right), (above, below))
            yield self._laid(self.across, (right, left), (below, above))
            yield self._laid(not self.across, (below, above), (left, right))
            yield self._laid(not self.across, (above, below), (right, left))

    def _laid(self, across: bool, row: tuple[Arm, Arm], column: tuple[Arm, Arm]) -> Line:
        """The sniff with what lies left and right of it, and above and below."""
        assert self.sniff is not None
        return Line((*_turned(row[0]), self.row[self.sniff], *row[1]), len(row[0]), across, *column)


EMPTY_LINE = Line()


def around(sniff: LaidTile, short: tuple[Arm, Arm], long: tuple[Arm, Arm]) -> Line:
    """The line of a sniff with the tiles played on its two short ends and on its two long sides."""
    across = any(long) or not any(short)
    (left, right), (up, down) = (long, short) if across else (short, long)
    return Line((*_turned(left), sniff, *right), len(left), across, up, down)


def _turned(tiles: Arm) -> Arm:
    return tuple(LaidTile(tile.tail, tile.head) for tile in reversed(tiles))


def _numbers(tiles: Arm) -> tuple[tuple[int, int], ...]:
    return tuple((tile.head, tile.tail) for tile in tiles)
