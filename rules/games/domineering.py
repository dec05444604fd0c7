"""Domineering: two players hem each other in on a board that wraps around, by dominoes drawn blindly."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random

from rules.board import Cell
from rules.diagram import Diagram
from rules.domineering import turns
from rules.domineering.advice import advise, risk
from rules.domineering.reading import differences, left_to_do, read_position, towards, tried
from rules.domineering.state import (
    COLORS,
    FILES,
    FULL_SET,
    SIDE,
    USUAL,
    VARIANTS,
    Draw,
    Keep,
    Move,
    Position,
    Turn,
    cell_at,
    said_high,
    square,
)
from rules.domineering.text import drawn_line, parsed
from rules.domino import Domino
from rules.ended import judged
from rules.game import (
    CHANCE,
    Expected,
    Game,
    GameInfo,
    Hint,
    IllegalMove,
    Mover,
    Outcome,
    Problem,
    Seat,
    Verdict,
)
from rules.players import Suggestion
from rules.table import Piece, Table
from rules.watch import Watch
from rules.words import count, listing

_HINT_S = 2.0
_SHADES = ((245, 245, 245), (20, 20, 20))
_TURN = re.compile(r"([a-h][1-8])-([a-h][1-8])[/,]([a-h][1-8])-([a-h][1-8])(?:\((\d)-?(\d)\))?")
_OFF = re.compile(r"(draw|keep)\((\d)-?(\d)\)")


class Domineering(Game[Position, Move]):
    """With all its variants. Seat 0 plays White, seat 1 Black; who begins is drawn by
    lot. A pool that runs out while both can move ends the game without a winner, unless dominoes are kept."""

    info = GameInfo(
        "domineering",
        "Domineering",
        (2, 2),
        "a double-six set",
        ("an 8 by 8 board", "pieces in two colours"),
        "checkered",
        (Expected("pawn", 4, 8),),
    )
    variants = tuple(VARIANTS)

    def set_up(self, players: int, chance: Random, variant: str = "") -> Position:
        """The pieces in their places, the dominoes shuffled, and who begins chosen by lot."""
        if players != len(COLORS):
            raise ValueError(f"Domineering is for two players, not {players}.")
        if variant and variant not in VARIANTS:
            raise ValueError(f"There is no variant {variant!r}; there are {listing(self.variants)}.")
        first = chance.randrange(2)
        return Position.fresh(variant or USUAL, first, tuple(chance.sample(FULL_SET.dominoes, len(FULL_SET))))

    def start(self, text: str) -> Position:
        """The position that a text holds, as `str` writes it; what it lacks is as in a new game. Raises BadText."""
        return parsed(text)

    def read(self, table: Table, before: Position | None = None) -> Position:
        """The position on the table. Raises UnreadableTable for other pieces, and tiles that cannot lie there."""
        return read_position(table, before)

    def candidates(self, state: Position) -> Iterator[Move]:
        """The turns that the drawn domino may allow, keeping it, or the dominoes that may be drawn."""
        if state.drawn is None:
            yield from map(Draw, state.pool[:1] or state.left)
            return
        yield from turns.candidates(state)
        if state.keeps:
            yield Keep(state.drawn)

    def play(self, state: Position, move: Move) -> Position:
        """Draws, moves two pieces and lays the domino, or keeps it. Raises IllegalMove."""
        if isinstance(move, Draw):
            return turns.drawn(state, move)
        if isinstance(move, Keep):
            return turns.kept(state, move, _can_move(state))
        return turns.turned(state, move)

    def outcome(self, state: Position) -> Outcome | None:
        """Lost by who cannot move both pieces; where dominoes are kept, once all are drawn, by who kept more of them,
        and by who began if both kept as many."""
        if state.drawn is None:
            return None if state.left else _ended(state)
        if (state.keeps and state.left) or _can_move(state):
            return None
        if state.keeps:  # the last domino has to be kept, which leaves nothing to do and changes nothing on the table
            return _ended(turns.kept(state, Keep(state.drawn), can_move=False))
        loser, winner = COLORS[state.turn], COLORS[1 - state.turn]
        reason = f"{loser} cannot move two pieces by the {said_high(state.drawn)}: {winner} wins."
        return Outcome(True, (1 - state.turn,), (), reason)

    def describe(self, state: Position, move: Move) -> str:
        """A move in a sentence."""
        who = COLORS[state.turn]
        if isinstance(move, Draw):
            return f"{who} draws the {said_high(move.domino)}."
        if isinstance(move, Keep):
            held = len(state.kept[state.turn])
            score = f"{held} + 1 = {held + 1}, {count(held + 1, 'domino', 'dominoes')} kept"
            return f"{who} cannot move and keeps the {said_high(move.domino)}: {score}."
        squares = [square(cell) for cell in (move.first, move.first_to, move.second, move.second_to)]
        laid = f"lays the {said_high(move.domino)} on {squares[0]}"
        return f"{who} moves {squares[0]} to {squares[1]}, {laid}, then moves {squares[2]} to {squares[3]}."

    def to_move(self, state: Position) -> Seat | Mover:
        """Who has to move, or chance where a domino has to be drawn and nobody knows which comes."""
        return CHANCE if state.drawn is None and state.left and not state.pool else state.turn

    def chances(self, state: Position) -> Iterable[tuple[Move, float]]:
        """Every domino left is as likely as any other."""
        if state.drawn is None and not state.pool:
            return tuple((Draw(domino), 1 / len(state.left)) for domino in state.left)
        return ()

    def visible(self, state: Position, seat: Seat) -> Position:
        """Everything but the order of the pool."""
        return replace(state, pool=())

    def agrees(self, expected: Position, seen: Position) -> bool:
        """Whether the same lies on the board; a domino in play may not have been shown."""
        if (expected.pieces, expected.laid) != (seen.pieces, seen.laid):
            return False
        return seen.drawn is None or seen.drawn == expected.drawn or any(seen.drawn in held for held in expected.kept)

    def dominoes(self, table: Table, before: Position | None = None) -> Iterable[Domino]:
        """A double-six set."""
        return FULL_SET

    def cells(self, state: Position, move: Move) -> tuple[Cell, ...]:
        """The squares from which the two pieces start; once they have gone, those on which all three lie."""
        if not isinstance(move, Turn):
            return ()
        to_come = any(move.first in side for side in state.pieces)
        return (move.first, move.second) if to_come else (move.first_to, move.first, move.second_to)

    def moves(self, state: Position, text: str) -> tuple[Move, ...]:
        """The move that a word names: "d4-b4/e5-e8(5-2)", also without the drawn domino, "draw(5-2)" or "keep(5-2)"."""
        turn, off = _TURN.fullmatch(text.lower()), _OFF.fullmatch(text.lower())
        if turn:
            first, first_to, second, second_to = map(cell_at, turn.groups()[:4])
            domino = Domino.of(int(turn[5]), int(turn[6])) if turn[5] else state.drawn
            if domino is None:
                raise IllegalMove("A domino is drawn first, as draw(5-2).")
            return (Turn(first, first_to, second, second_to, domino),)
        if off:
            kind = Draw if off[1] == "draw" else Keep
            return (kind(Domino.of(int(off[2]), int(off[3]))),)
        raise IllegalMove(f"{text} is no move: d4-b4/e5-e8(5-2), draw(5-2) and keep(5-2) are.")

    def attempts(self, state: Position, seen: Position) -> Iterable[Move]:
        """The turn that the table shows, allowed or not."""
        return tried(state, seen)

    def towards(self, state: Position, seen: Position) -> Iterable[Move]:
        """The turns of either side that the table shows, and the dominoes that were drawn for them."""
        return towards(state, seen)

    def left_to_do(self, state: Position, seen: Position) -> str:
        """That the domino has still to be laid, or that another piece has to move too."""
        return left_to_do(state, seen)

    def differences(self, state: Position, seen: Position) -> Iterable[Problem]:
        """What moved, came and went."""
        return differences(state, seen)

    def on_table(self, state: Position, seen: Position, cell: Cell) -> Cell:
        """The board has its own origin."""
        return cell

    def check(self, table: Table, before: Position | None = None) -> Verdict:
        """Whether the table can be a position, and whether the game on it is over."""
        return judged(self, table, before, bare=table == Table())

    def diagram(self, state: Position) -> Diagram:
        """The board as it lies, and the domino to play beside it."""
        pawns = tuple(Piece(_SHADES[seat], cell) for seat in (0, 1) for cell in state.pieces[seat])
        queue = ((state.drawn.high, state.drawn.low),) if state.drawn else ()
        return Diagram(
            Table(spots=state.laid, pawns=pawns),
            queue=queue,
            caption=self.owed(state),
            ranks="87654321",
            files=FILES,
            checkered=True,
        )

    def suggest(self, state: Position, watch: Watch, chance: Random) -> tuple[Suggestion[Move], ...]:
        """The turns that look best, by what may be drawn after them. The order of the pool is looked at for no turn: it
        tells only which domino comes where somebody has to draw."""
        return advise(state, watch)

    def hint(self, state: Position, level: int) -> Hint | None:
        """How dangerous it is (1), a piece to move first (2), the turn (3); once the game is over, who has won."""
        if self.outcome(state):
            return Hint(self.owed(state), level=level)
        if state.drawn is None or level <= 1:
            return Hint(risk(state), level=1)
        best = self.suggest(state, Watch(_HINT_S), Random(0))
        if not best or not isinstance(best[0].move, Turn):
            return Hint(self.owed(state), level=level)
        move = best[0].move
        if level == 2:
            return Hint(f"Begin with the piece at {square(move.first)}.", (move.first,), 2)
        return Hint(f"Next: {self.describe(state, move)} {best[0].reason}", (move.first, move.second), level)

    def owed(self, state: Position) -> str:
        """What has to be done now."""
        ended = self.outcome(state)
        who = COLORS[state.turn]
        if ended:
            return ended.reason
        if state.drawn is None:
            return f"{who} draws a domino."
        if not _can_move(state):
            return f"{who} cannot move by the {said_high(state.drawn)} and keeps it, face up."
        blank = ", the blank as any number from 1 to 6" if state.drawn.low == 0 else ""
        numbers = f"one by {state.drawn.high} and another by {state.drawn.low}"
        return f"{who} moves two pieces, {numbers}{blank}, and lays the domino where the first one stood."

    def told(self, state: Position, seat: Seat | None = None) -> str:
        """The board, what was kept and drawn, and the danger of the next draw."""
        lines = [drawn_line(state, row) for row in range(SIDE)]
        lines.append("  a  b  c  d  e  f  g  h")
        for color, held in zip(COLORS, state.kept, strict=True):
            if held:
                lines.append(f"{color} keeps {listing(list(map(said_high, held)))}.")
        if state.drawn:
            lines.append(f"The {said_high(state.drawn)} is drawn.")
        return "\n".join([*lines, risk(state)])


def _can_move(state: Position) -> bool:
    """Whether some turn by the drawn domino is legal."""
    for move in turns.candidates(state):
        try:
            turns.turned(state, move)
        except IllegalMove:
            continue
        return True
    return False


def _ended(state: Position) -> Outcome:
    """The pool is used up."""
    if not state.keeps:
        return Outcome(False, (), (), "All dominoes are played and nobody is stuck: the game is a tie.")
    white, black = map(len, state.kept)
    score = f"White kept {white} and Black {black}"
    if white == black:
        second = 1 - state.first
        return Outcome(True, (second,), (white, black), f"{score}: a tie, which {COLORS[second]} wins as the second.")
    winner = 0 if white < black else 1
    return Outcome(True, (winner,), (white, black), f"{score}: {COLORS[winner]} wins.")


GAME = Domineering()
