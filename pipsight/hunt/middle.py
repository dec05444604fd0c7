"""What lies on the table in a hunt: what was won and waits to be taken away is gone, idle dice are not there."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from itertools import pairwise
from math import dist
from typing import TYPE_CHECKING, Any

from rules.cobra_paw.state import Hunt
from rules.table import Hand, Table
from vision.layout.seats import side_depths

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipsight.follower import Follower
    from pipsight.look import Look
    from rules.domino import Domino
    from rules.game import Seat
    from rules.table import TableSide
    from rules.two_dice import Dice
    from vision.scene import DieDetection, Point, Scene, TileDetection

ROLLED = 0.5  # edges: a die that lies so far from where it lay was rolled
ROLL_S = 2.0  # dice are read one after the other: for so long one that lies where it lay may be yet to be read
BEFORE = 0.25  # of the picture: so near its side a domino lies before a player


class Middle:
    """The table of one game of Cobra Paw as the game has to see it. follower: the game."""

    def __init__(self, follower: Follower) -> None:
        self._follower = follower
        self._won: set[Domino] = set()  # lately, and perhaps still on the table
        start = follower.start  # in a game that is taken up again whatever is won since then may lie there still
        self._there = set(start.face_up) if isinstance(start, Hunt) else set[Domino]()  # in the middle, as last known
        self._idle: tuple[Point, ...] = ()  # where dice lie that nobody plays with
        self._overlooks = False  # dice that lie there by the next look
        self._lay: tuple[Point, ...] = ()  # where the dice of the last roll lie
        self._besides = (0,) * follower.state.players  # what looks like dominoes before players and is none of theirs

    def tables(self, look: Look) -> tuple[Table, ...]:
        """What lies there, without dominoes that were won and not yet taken away, and with those before players.

        Dice that lie about before the game begins, or while the program rolls, are not there either, nor are those of
        which only one was rolled: both are, and a die may be pushed aside; nor any before all rewards are taken, for
        whoever finds the target rolls at once.
        """
        self.lacks()
        self._won &= {domino for table in look.tables for domino in _face_up(table)}
        if not self._follower.states or self._overlooks:
            self._overlooks = False
            self._idle = tuple(die.center_px for die in look.scene.dice)
        elif any(lies_elsewhere(die, self._idle) for die in look.scene.dice):
            self._idle = ()
        cleared = (reduce(Table.without, self._won, table) for table in look.tables)
        apart = bool(self._idle) or self._half_rolled(look) or self._rewards_are_due
        played = (replace(table, dice=()) if apart else table for table in cleared)
        return tuple(self._with_hands(table, look.scene) for table in played)

    @property
    def _rewards_are_due(self) -> bool:
        """Whether somebody may still take a domino before the dice count."""
        state = self._follower.state
        return isinstance(state, Hunt) and bool(state.owed)

    def _half_rolled(self, look: Look) -> bool:
        """Whether one die only lies elsewhere than at the last roll; where that lies is remembered."""
        dice, state = look.scene.dice, self._follower.state
        if half_rolled(dice, self._lay) and look.still_s < ROLL_S:
            return True
        if isinstance(state, Hunt) and state.dice and sorted(state.dice) == sorted(die.value for die in dice):
            self._lay = tuple(die.center_px for die in dice)
        return False

    def lacks(self) -> None:
        """Remember which dominoes were won lately, by a finger or by people's word: they may lie there for a while."""
        state = self._follower.state
        there = set(state.face_up) if isinstance(state, Hunt) else set()
        self._won = (self._won | (self._there - there)) - there
        self._there = there

    def overlook(self, dice: Sequence[DieDetection]) -> None:
        """Pass over dice that show something else than was rolled without them, until somebody rolls them."""
        state = self._follower.state
        rolled = state.dice if isinstance(state, Hunt) and state.hunting else None
        if rolled and sorted(rolled) != sorted(die.value for die in dice):
            self._idle = tuple(die.center_px for die in dice)

    def taken_up(self, entries: Sequence[dict[str, Any]]) -> None:
        """Hear what happened before a game is taken up again: where the program rolled last, dice that lie about then
        are idle still."""
        moves = [entry for entry in entries if entry.get("event") == "moved"]
        rolls = [entry for entry in moves if str(entry["move"]).startswith("roll")]
        self._overlooks = bool(rolls) and not rolls[-1].get("seen", True)

    def _with_hands(self, table: Table, scene: Scene) -> Table:
        """The table with the dominoes before players, where as many came face down as are gone from the middle, or
        where the last one lies before another player than the one who was named."""
        state = self._follower.state
        if not isinstance(state, Hunt) or table.hands:
            return table
        gone = set(state.face_up) - _face_up(table)
        seen = list(_counts_before(scene, state.sides))
        if state.hunting and not gone:
            self._besides = tuple(max(0, one - count) for one, count in zip(seen[0], state.counts, strict=True))
        backs = [tuple(max(0, n - less) for n, less in zip(one, self._besides, strict=True)) for one in seen]
        if gone:
            fitting = (one for one in backs if _came(one, state.counts) == len(gone))
            more = [max(one, had) for one, had in zip(next(fitting, state.counts), state.counts, strict=True)]
            return replace(table, hands=_hands(more, state))  # dark backs may be missed on a dark table
        if _shows(table, state.dice) and self._lies_before_another(backs[-1], state.counts):
            return replace(table, hands=_hands(backs[-1], state))
        return table

    def _lies_before_another(self, backs: Sequence[int], counts: Sequence[int]) -> bool:
        """Whether one domino more lies before somebody, and who was last to take one is the one who lacks one."""
        if not _came(backs, counts) == _came(counts, backs) == 1:
            return False
        states = reversed(self._follower.states)
        last = next((seat for after, before in pairwise(states) if (seat := _grown(before, after)) is not None), None)
        return last is not None and backs[last] < counts[last]


def lies_elsewhere(die: DieDetection, places: Sequence[Point]) -> bool:
    """Whether a die lies in none of the places where dice lay."""
    return all(dist(die.center_px, old) > ROLLED * die.edge_px for old in places)


def half_rolled(dice: Sequence[DieDetection], lay: Sequence[Point]) -> bool:
    """Whether one only of two dice lies in none of the places where both lay."""
    return len(dice) == len(lay) == 2 and sum(lies_elsewhere(die, lay) for die in dice) == 1


def _shows(table: Table, dice: Dice | None) -> bool:
    """Whether no other dice lie there: once they are rolled, that comes first."""
    return not table.dice or sorted(die.value for die in table.dice) == sorted(dice or ())


def _came(backs: Sequence[int], counts: Sequence[int]) -> int:
    """How many more dominoes lie before players than they had."""
    return sum(max(0, there - had) for there, had in zip(backs, counts, strict=True))


def _grown(before: Hunt, after: Hunt) -> Seat | None:
    """Who has more dominoes than before."""
    return next((seat for seat, had in enumerate(before.counts) if after.counts[seat] > had), None)


def _hands(backs: Sequence[int], state: Hunt) -> tuple[Hand, ...]:
    """The dominoes that lie face down before those players who have not as many as they had."""
    counts, sides = state.counts, state.sides
    return tuple(Hand(k, (), n, sides[k]) for k, n in enumerate(backs) if n != counts[k])


def _counts_before(scene: Scene, sides: Sequence[TableSide]) -> Iterator[tuple[int, ...]]:
    """How many dominoes lie face down along each player's side of the picture: all that are seen, then without those
    in doubt, the least likely first."""
    seen = sorted(_before_seats(scene, sides), key=lambda told: (told[1].doubtful, -told[1].confidence))
    sure = sum(not tile.doubtful for _, tile in seen)
    for many in range(len(seen), sure - 1, -1):
        seats = [seat for seat, _ in seen[:many]]
        yield tuple(seats.count(seat) for seat in range(len(sides)))


def _before_seats(scene: Scene, sides: Sequence[TableSide]) -> Iterator[tuple[Seat, TileDetection]]:
    """The dominoes that lie face down along a player's side of the picture, or beyond all that lies face up: where a
    camera looks aslant, the far side of the table is far from the picture's edge."""
    middles = [[sum(values) / 2 for values in zip(*tile.centers_px, strict=True)] for tile in scene.tiles]
    seen = [(tile, side_depths(x, y, scene.size_px)) for tile, (x, y) in zip(scene.tiles, middles, strict=True)]
    for tile, depths in seen:
        side = min(sides, key=lambda one: depths[one])
        beyond = min((other[side] for up, other in seen if up.face_up), default=0.0)
        if not tile.face_up and depths[side] < max(BEFORE, beyond):
            yield sides.index(side), tile


def _face_up(table: Table) -> set[Domino]:
    """The dominoes that lie face up on a table, those before players not counted."""
    return {
        *(placed.domino for placed in table.board.placed),
        *(tile.domino for tile in table.chain.tiles),
        *(spot.domino for spot in table.spots),
        *(tile.domino for tile in table.loose),
    }
