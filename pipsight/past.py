"""What a table shows of a game: the state now, an earlier one, or what other moves than those made would lead to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rules import engine
from rules.domino import Domino
from rules.game import CHANCE, Draws, Narrows, UnreadableTable
from rules.players import Clocked

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from rules.game import Game
    from rules.saved import Made
    from rules.table import Table

MISPAIRED = 2  # moves of one table that halves make which are paired wrongly
CLEARED = 6  # moves: who takes up what more of them laid has left the game, or ended a hand, and takes none back
OVERLOOKED = 3  # moves: a domino that was laid, and what had to be drawn before
OTHERWISE_S = 0.3  # of work to think of how the last moves may have been made otherwise


def read(game: Game[Any, Any], table: Table, before: Any) -> Any:
    """The state on the table, or a tuple of problems."""
    try:
        return game.read(table, before)
    except UnreadableTable as unreadable:
        return unreadable.problems


def shows(game: Game[Any, Any], table: Table, state: Any) -> bool:
    """Whether a table is what lies there in a state."""
    seen = read(game, table, state)
    return not isinstance(seen, tuple) and bool(game.agrees(state, seen))


def missing(game: Game[Any, Any], table: Table, state: Any) -> int:
    """How many dominoes fewer lie on the table than in a state; those that wait may lie beside it or not."""
    if not isinstance(game, Draws):
        return 0
    drawn = game.diagram(state)
    for pips in drawn.queue:
        table = table.without(Domino.of(*pips))
    return _dominoes(drawn.table) - _dominoes(table)


def bare(table: Table) -> bool:
    """Whether no domino lies on a table, those in hands left out."""
    return not _dominoes(table)


def legal(game: Game[Any, Any], table: Table, state: Any) -> bool:
    """Whether a table is what legal moves lead to."""
    explained = engine.explain(game, state, table)
    return explained.legal and bool(explained.moves)


@dataclass(frozen=True)
class Past:
    """The states of a game from its start to now, and the moves between them.

    missed: how many dominoes were overlooked when the last move was seen. implied: which moves, by their place among
    those made, were told by the same table as the one before.
    """

    game: Game[Any, Any]
    states: Sequence[Any]
    made: Sequence[Made]
    missed: int = 0
    implied: Collection[int] = ()

    @property
    def rolled(self) -> bool:
        """Whether the last move was chance's."""
        return bool(self.made) and self.made[-1].by == CHANCE.value

    @property
    def _most(self) -> int:
        """How many moves may be taken back by hand; where the clock runs, what happened has happened."""
        return 0 if isinstance(self.game, Clocked) else len(self.states) - 1

    @property
    def _known(self) -> int:
        """How many moves ago a table is known to have lain as it lies now: not at all where nobody draws it."""
        return self._most if isinstance(self.game, Draws) else 0

    def taken_back(self, tables: Sequence[Table]) -> int:
        """How many moves were taken back: the last, with what was told by it alone, as that a domino was passed.

        None for what may be no domino, where it is one that was played.
        """
        if self._most < 1:
            return 0
        likeliest = tables[0]
        if self.rolled and legal(self.game, likeliest, self.states[-1]):
            return 0  # nobody takes a roll back, and dice may show again what they showed
        before = [table for table in tables if self._was(table, 1)]
        if not before or (before[0] is not likeliest and legal(self.game, likeliest, self.states[-1])):
            return 0
        back = 1
        while len(self.made) - back in self.implied and self._was(before[0], back + 1):
            back += 1
        return back

    def returned(self, table: Table, moves: int) -> bool:
        """Whether no more moves were taken back than it takes to come there: then nobody made those."""
        most = 0 if self.rolled else min(moves, self._known)
        return any(self._was(table, back) for back in range(2, most + 1))

    def as_earlier(self, tables: Sequence[Table]) -> int:
        """How many moves ago, two or more, a table lay like this; 0 if it never did."""
        cleared = self.game.info.players[1] > 1 and all(map(bare, tables))
        earlier = range(2, (min(self._known, CLEARED) if cleared else self._known) + 1)
        return next((back for back in earlier if any(self._was(table, back) for table in tables)), 0)

    def otherwise(self, tables: Sequence[Table]) -> int:
        """How many moves, the last that shows, are taken back where others lead to a table; 0 if none do.

        With it go those that were told by the same table: halves that are paired wrongly make two wrong moves. As many
        others; or more, in a game whose table shows each of them: then one of them was overlooked.
        """
        narrows = isinstance(self.game, Narrows)
        more = OVERLOOKED if narrows else 0
        shown = 0
        for back in range(1, self._most + 1):
            together = shown < MISPAIRED and len(self.made) - back + 1 in self.implied
            if shown and (self._changed(back) or self._rolled_alone(back)) and not together:
                return 0
            shown, before, most = shown + self._changed(back), self.states[-1 - back], back + narrows
            told = (engine.explain(self.game, before, table, most=most, limit_s=OTHERWISE_S) for table in tables)
            if any(explained.legal and 0 < len(explained.moves) <= back + more for explained in told):
                return back
        return 0

    def _was(self, table: Table, back: int) -> bool:
        """Whether the table lies as it did so many moves ago: a state that ignores what lies astray is not enough.

        Dominoes that were overlooked before the last move may be overlooked still, and those that lack tell nothing
        where as many lay there as now: pawns and dice hide them.
        """
        before, now = self.states[-1 - back], self.states[-1]
        apart = missing(self.game, table, before)
        as_many = apart in (0, self.missed) or apart == missing(self.game, table, now) > 0
        return as_many and shows(self.game, table, before)

    def _changed(self, back: int) -> bool:
        """Whether the move so many moves ago changed the table; where nobody draws that, more than the dice."""
        before, after = self.states[-1 - back], self.states[-back]
        if not isinstance(self.game, Draws):
            return self.made[-back].by != CHANCE.value and not self.game.agrees(before, after)
        return bool(self.game.diagram(before).table != self.game.diagram(after).table)

    def _rolled_alone(self, back: int) -> bool:
        """Whether it was a roll, in a game that nobody draws: before that other moves may fit any table."""
        return not isinstance(self.game, Draws) and self.made[-back].by == CHANCE.value


def _dominoes(table: Table) -> int:
    """How many dominoes lie on a table, those in hands not counted."""
    apart = len(table.loose) + len(table.spots) + len(table.face_down)
    return max(len(table.board.placed) + apart, len(table.chain.tiles) + apart)
