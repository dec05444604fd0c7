"""From the chain that a camera saw to the line that was played, and every way in which it is none."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from rules.all_fives.line import EMPTY_LINE, Arm, Line, around
from rules.board import Cell
from rules.domino import Domino, DominoSet
from rules.game import Problem
from rules.table import Chain, LaidTile, Side, Table
from rules.words import count, listing, pair, said

_FACING = {Side.HEAD: Side.TAIL, Side.TAIL: Side.HEAD, Side.LEFT: Side.RIGHT, Side.RIGHT: Side.LEFT}
_SHORT, _LONG = (Side.HEAD, Side.TAIL), (Side.LEFT, Side.RIGHT)
# Quarter turns from right towards down, in the picture, and from where a tile's tail points to where its sides do.
_RIGHT, _LEFT, _UP = 0, 2, 3
_TOWARDS = {Side.TAIL: 0, Side.LEFT: 1, Side.HEAD: 2, Side.RIGHT: 3}

Meetings = dict[int, dict[Side, list[tuple[int, Side]]]]


@dataclass(frozen=True)
class SeenLine:
    """What a table shows of a line: the line itself, None where there is none, and what is wrong."""

    line: Line | None
    problems: tuple[Problem, ...] = ()


def seen_line(
    table: Table,
    allowed: DominoSet,
    before: Line | None = None,
    shown: Collection[Domino] = (),
    aside: Collection[Domino] = (),
) -> SeenLine:
    """The line on the table. `before` tells which double was the sniff.

    shown: dominoes that are seen in hands. aside: dominoes that may lie apart from the line, for they are in a hand.
    Tiles on cells that belong to the chain are not told twice; a single tile needs no chain.
    """
    chain = table.chain if table.chain.tiles else Chain(_single(table, before or EMPTY_LINE, aside))
    survey = _Survey(table, chain, allowed, before or EMPTY_LINE, frozenset(shown), frozenset(aside))
    problems = tuple(survey.problems())
    if problems:
        return SeenLine(None, problems)
    line = survey.line()
    return SeenLine(line.as_in(before) if before else line)


def _single(table: Table, before: Line, aside: Collection[Domino]) -> Arm:
    """The one tile on a table without a chain; of more, the one that is no hand's last."""
    lying = [LaidTile(placed.head, placed.tail) for placed in table.board.placed]
    lying += [LaidTile(tile.head, tile.tail) for tile in table.loose]
    if len(lying) > 1 or before.row:
        lying = [tile for tile in lying if tile.domino not in aside]
    return tuple(lying) if len(lying) == 1 else ()


@dataclass(frozen=True, eq=False)
class _Survey:
    """A chain looked over; `met` is what each tile meets at each of its sides."""

    table: Table
    chain: Chain
    allowed: DominoSet
    before: Line
    shown: frozenset[Domino]
    aside: frozenset[Domino]
    met: Meetings = field(init=False)

    def __post_init__(self) -> None:
        met: Meetings = defaultdict(lambda: defaultdict(list))
        for joint in self.chain.joints:
            met[joint.tile][joint.side].append((joint.other, joint.other_side))
            met[joint.other][joint.other_side].append((joint.tile, joint.side))
        object.__setattr__(self, "met", met)

    def problems(self) -> Iterator[Problem]:
        """Whatever keeps the tiles from being one line."""
        yield from self._strangers()
        yield from self._apart()
        yield from self._lost()
        faults = [*self._mismatches(), *self._crowds(), *self._along()]
        yield from faults
        if not faults and len(self._sniffs()) > 1:
            doubles = [said(self.chain.tiles[k].domino) for k in self._sniffs()]
            yield self._problem(f"Which double was played first, the {listing(doubles, 'or')}?", *self._sniffs())

    def line(self) -> Line:
        """The line, where nothing is wrong."""
        tiles = self.chain.tiles
        if not tiles:
            return EMPTY_LINE
        (sniff,) = self._sniffs() or (None,)
        if sniff is not None:
            arms = {side: self._arm(sniff, side) for side in Side}
            across = any(arms[side] for side in _LONG) or not any(arms[side] for side in _SHORT)
            short, long = self._ordered(sniff, _SHORT, row=not across), self._ordered(sniff, _LONG, row=across)
            return around(tiles[sniff], (arms[short[0]], arms[short[1]]), (arms[long[0]], arms[long[1]]))
        start = next(k for k in range(len(tiles)) if sum(map(len, self.met[k].values())) <= 1)
        side = next((side for side in _SHORT if self.met[start][side]), Side.TAIL)
        return Line((self._from(start, _FACING[side]), *self._arm(start, side)))

    def _ordered(self, sniff: int, sides: tuple[Side, Side], *, row: bool) -> tuple[Side, Side]:
        """Two opposite sides of the sniff as they lie in the picture: left and right or top and bottom of a row, else
        what is above that row and below it."""
        if not self.chain.turns:
            return sides
        first = (_LEFT, _UP) if row else (_UP, _RIGHT)
        there = (self.chain.turns[sniff] + _TOWARDS[sides[0]]) % 4
        return sides if there in first else (sides[1], sides[0])

    def _arm(self, tile: int, side: Side) -> Arm:
        """The tiles that follow at that side, each from the number that is nearer."""
        found: list[LaidTile] = []
        while self.met[tile][side]:
            tile, entered = self.met[tile][side][0]
            found.append(self._from(tile, entered))
            side = _FACING[entered]
        return tuple(found)

    def _from(self, tile: int, side: Side) -> LaidTile:
        laid = self.chain.tiles[tile]
        return LaidTile(laid.tail, laid.head) if side is Side.TAIL else laid

    def _number(self, tile: int, side: Side) -> int | None:
        """What a side shows; None for the middle of a long side that shows two numbers."""
        laid = self.chain.tiles[tile]
        if side in _LONG and not laid.domino.is_double:
            return None
        return laid.tail if side is Side.TAIL else laid.head

    def _sniffs(self) -> list[int]:
        """The doubles that may be the sniff: the one that was, else those played on at an end, else all."""
        doubles = [k for k, tile in enumerate(self.chain.tiles) if tile.domino.is_double]
        known = self.before.sniff_tile
        if known:
            remembered = [k for k in doubles if self.chain.tiles[k].domino == known.domino]
            if remembered:
                return remembered
        ended = [k for k in doubles if any(self.met[k][side] for side in _SHORT)]
        return ended or doubles

    def _strangers(self) -> Iterator[Problem]:
        counted = Counter(tile.domino for tile in self.chain.tiles)
        for domino, times in sorted(counted.items()):
            if domino not in self.allowed:
                yield self._about(f"The {said(domino)} is not in the {self.allowed.name} set.", domino)
            if times > 1:
                yield self._about(f"The {said(domino)} lies in the line {count(times, 'time')}.", domino)
            if domino in self.shown:
                yield self._about(f"The {said(domino)} lies in the line, and in a hand too.", domino)

    def _apart(self) -> Iterator[Problem]:
        """Tiles that are not part of the line, and lie in no hand."""
        lying = [placed.domino for placed in self.table.board.placed] + [tile.domino for tile in self.table.loose]
        inside = {tile.domino for tile in self.chain.tiles}
        for domino in sorted(set(lying) - inside - self.aside):
            text = f"The {said(domino)} lies apart from the line: push it against an end, or take it away."
            yield self._about(text, domino)

    def _lost(self) -> Iterator[Problem]:
        """Tiles that were in the line and are not to be seen, though nothing else was played."""
        inside = {tile.domino for tile in self.chain.tiles}
        lost, new = sorted(self.before.dominoes - inside), inside - self.before.dominoes
        if lost and (not new or len(lost) > 1 or not self._connected()):
            text = f"The {listing([said(domino) for domino in lost])} {'is' if len(lost) == 1 else 'are'} gone from"
            yield Problem(f"{text} the line: put {'it' if len(lost) == 1 else 'them'} back, or take the move back.")
        elif not self._connected():
            yield Problem("The line is in pieces: push its tiles together.")

    def _connected(self) -> bool:
        return len(self.chain.joints) == max(len(self.chain.tiles) - 1, 0)

    def _mismatches(self) -> Iterator[Problem]:
        for joint in self.chain.joints:
            one, other = self._number(joint.tile, joint.side), self._number(joint.other, joint.other_side)
            tiles = (joint.tile, joint.other)
            if one is None or other is None:
                middle, end = tiles if one is None else tiles[::-1]
                yield self._problem(
                    f"The {self._said(end)} lies against the middle of the {self._said(middle)}.", *tiles
                )
            elif one != other:
                text = f"The {one} of the {self._said(joint.tile)} lies against the {other} of the"
                yield self._problem(f"{text} {self._said(joint.other)}: they do not match.", *tiles)

    def _crowds(self) -> Iterator[Problem]:
        """Ends that more than one tile lies against."""
        for tile, sides in self.met.items():
            for side, others in sides.items():
                if len(others) > 1:
                    new = [k for k, _ in others if self.chain.tiles[k].domino not in self.before.dominoes]
                    named = new if 0 < len(new) < len(others) else [k for k, _ in others]
                    who = listing([f"the {self._said(k)}" for k in named])
                    end = f"the {self._number(tile, side)} of the {self._said(tile)}"
                    text = f"{who[0].upper()}{who[1:]} cannot lie there: {end} is not an open end."
                    yield self._problem(text, *named)

    def _along(self) -> Iterator[Problem]:
        """Doubles that are not the sniff, and are played on at an end as if they were."""
        doubles = [k for k, tile in enumerate(self.chain.tiles) if tile.domino.is_double]
        ended = [k for k in doubles if any(self.met[k][side] for side in _SHORT)]
        sniffs = self._sniffs()
        wrong = [k for k in ended if len(sniffs) > 1 or k not in sniffs]
        if wrong:
            who = listing([f"{said(self.chain.tiles[k].domino)}" for k in wrong], "or")
            text = f"The {who} has to lie across the line, with nothing at its ends: only the sniff, the first double,"
            yield self._problem(f"{text} has four sides.", *wrong)

    def _said(self, tile: int) -> str:
        laid = self.chain.tiles[tile]
        return pair(laid.head, laid.tail)

    def _about(self, text: str, domino: Domino) -> Problem:
        return Problem(text, tuple(_cells(self.table, domino)))

    def _problem(self, text: str, *tiles: int) -> Problem:
        return Problem(text, tuple(cell for k in tiles for cell in _cells(self.table, self.chain.tiles[k].domino)))


def _cells(table: Table, domino: Domino) -> Iterator[Cell]:
    for placed in table.board.placed:
        if placed.domino == domino:
            yield from placed.cells
