"""Domineering in bits, for looking far ahead: how far pieces can run, and which dominoes lose.

A square is a number 0 to 63, row by row; a set of squares is an int with a bit each, and so is a set of dominoes. A
piece that can run M squares in its best direction can move any distance up to M, so that two pieces with M and N, M not
less than N, can play a domino if its higher number is at most M and its lower one at most N. That is all there is to
it, but for pieces that get into each other's way; those are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple, TypeAlias

from rules.board import Cell
from rules.domineering.state import FULL_SET, LONGEST, SIDE, Position
from rules.domino import Domino

Runs: TypeAlias = tuple[int, int, int, int]

BIT = {domino: 1 << number for number, domino in enumerate(FULL_SET)}
_COLUMN = sum(1 << SIDE * row for row in range(SIDE))
_GATHER = sum(1 << (SIDE - 1) * row for row in range(SIDE))
_RIM = (SIDE - 1) * (SIDE - 1)


class Bits(NamedTuple):
    """A position as the search sees it: whose turn it is to draw stands first."""

    mine: tuple[int, ...]
    theirs: tuple[int, ...]
    taken: int
    left: int

    @classmethod
    def of(cls, state: Position) -> Bits:
        """The position for the player whose turn it is."""
        mine, theirs = (tuple(map(_number, state.pieces[seat])) for seat in (state.turn, 1 - state.turn))
        return cls(mine, theirs, sum(1 << _number(cell) for cell in state.taken), sum(BIT[d] for d in state.left))


class Reply(NamedTuple):
    """A turn: which piece goes where first, and which second; and how far each of them goes."""

    first: int
    first_to: int
    second: int
    second_to: int
    one: int
    other: int


def _number(cell: Cell) -> int:
    return SIDE * cell.row + cell.col


def cell_of(number: int) -> Cell:
    """The cell of a square's number."""
    return Cell(*divmod(number, SIDE))


def _along(at: int, line: int) -> tuple[int, int]:
    """How far a piece at a place of a line of eight can go up and down it, where `line` is taken."""
    runs = []
    for step in (1, -1):
        far = 0
        while far < LONGEST and not line >> (at + step * (far + 1)) % SIDE & 1:
            far += 1
        runs.append(far)
    return runs[0], runs[1]


_ALONG = [[_along(at, line) for line in range(1 << SIDE)] for at in range(SIDE)]


def runs(number: int, taken: int) -> Runs:
    """How far a piece can go right, left, down and up."""
    row, col = number >> 3, number & 7
    line = (((taken >> col) & _COLUMN) * _GATHER) >> _RIM & 255
    return _ALONG[col][taken >> (number & 56) & 255] + _ALONG[row][line]


@cache
def _ends(number: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """For each direction, the squares 1 to 6 steps away, each with the bits of the squares up to it."""
    rays = []
    for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        row, col = divmod(number, SIDE)
        ray, passed = list[tuple[int, int]](), 0
        for _ in range(LONGEST):
            row, col = (row + down) % SIDE, (col + right) % SIDE
            passed |= 1 << SIDE * row + col
            ray.append((SIDE * row + col, passed))
        rays.append(tuple(ray))
    return tuple(rays)


def steps(number: int, reach: Runs, exactly: int = 0) -> list[tuple[int, int, int]]:
    """Where a piece can go: how far, the square, and the bits of the way; `exactly` so far, 0 for any distance."""
    found = []
    for ray, far in zip(_ends(number), reach, strict=True):
        if exactly:
            if exactly <= far:
                found.append((exactly, *ray[exactly - 1]))
        else:
            found += [(step + 1, *ray[step]) for step in range(far)]
    return found


def _mask(dominoes: Iterable[Domino]) -> int:
    return sum(BIT[domino] for domino in dominoes)


@cache
def _losing(best: int, second: int) -> int:
    """The dominoes that cannot be played by pieces that run so far, even if they are never in each other's way."""
    return _mask(d for d in FULL_SET if max(d.low, 1) > second or max(d.high, 1) > best)


@cache
def _sure(one: tuple[int, int], other: tuple[int, int]) -> int:
    """The dominoes that two pieces can play whatever is in the way: where one of them has two directions to go in, one
    square blocks one of these at most. one, other: how far each runs in its best direction, and in the next best."""
    found = []
    for domino in FULL_SET:
        high, low = max(domino.high, 1), max(domino.low, 1)
        for a, b in ((high, low), (low, high)):
            if a <= one[0] and b <= other[0] and (a <= one[1] or b <= other[1]):
                found.append(domino)
                break
    return _mask(found)


def unplayable(pieces: tuple[int, ...], taken: int, left: int, reach: list[Runs]) -> int:
    """The dominoes of `left` by which these pieces cannot move; reach: what `runs` says of each."""
    furthest = [sorted(run, reverse=True) for run in reach]
    bests = sorted([run[0] for run in furthest], reverse=True)
    losing = _losing(bests[0], bests[1]) & left
    open_ = left & ~losing
    for number, one in enumerate(furthest):
        for other in furthest[:number]:
            open_ &= ~_sure((one[0], one[1]), (other[0], other[1]))
    if open_:
        for domino, bit in BIT.items():
            if open_ & bit and not _can_play(pieces, reach, domino):
                losing |= bit
    return losing


def _can_play(pieces: tuple[int, ...], reach: list[Runs], domino: Domino) -> bool:
    ready = list(zip(pieces, reach, strict=True))
    for number, run in ready:
        for other, further in ready:
            if number != other:
                for _, end, _ in steps(number, run, domino.high):
                    bit = 1 << end
                    if not all(way & bit for _, _, way in steps(other, further, domino.low)):
                        return True
                for _, end, _ in steps(number, run, domino.low):
                    bit = 1 << end
                    if not all(way & bit for _, _, way in steps(other, further, domino.high)):
                        return True
    return False


def replies(at: Bits, reach: list[Runs], domino: Domino | None = None) -> Iterator[Reply]:
    """Every turn by a domino, or by any domino at all; two that lead to the same place may come twice."""
    numbers = {(domino.high, domino.low), (domino.low, domino.high)} if domino else {(0, 0)}
    ready = list(zip(at.mine, reach, strict=True))
    for a, b in numbers:
        goes = [steps(number, run, a) for number, run in ready]
        follows = [steps(number, run, b) for number, run in ready]
        for k, first in enumerate(at.mine):
            for far, end, _ in goes[k]:
                bit = 1 << end
                for j, second in enumerate(at.mine):
                    if j != k:
                        for further, stop, way in follows[j]:
                            if not way & bit:
                                yield Reply(first, end, second, stop, far, further)


def played(at: Bits, reply: Reply, left: int) -> Bits:
    """The position after a turn, seen by the other player, whose turn it is; left: the dominoes that remain then."""
    ends = {reply.first: reply.first_to, reply.second: reply.second_to}
    mine = tuple([ends.get(number, number) for number in at.mine])
    taken = at.taken & ~(1 << reply.second) | 1 << reply.first_to | 1 << reply.second_to
    return Bits(at.theirs, mine, taken, left)
