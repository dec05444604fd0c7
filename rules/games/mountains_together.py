"""Mountains and Valleys played together: pass one of your dominoes to the left, where it is laid on the common map."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from random import Random

from rules.board import Board, Cell, Placed
from rules.board_text import PIPS
from rules.diagram import Diagram
from rules.domino import Domino
from rules.game import Game, GameInfo, IllegalMove, Outcome, Problem, Seat, Verdict
from rules.games.mountains import GAME as MOUNTAINS
from rules.games.mountains import GOOD, STUCK
from rules.holding import Holding, guessed
from rules.laying import Lay
from rules.mountains.advice import why_hopeless
from rules.mountains.checking import ORIGIN, map_objections, room
from rules.mountains.frames import frames
from rules.mountains.heights import SIDE
from rules.mountains.state import FULL_SET, TILES, Take
from rules.mountains.walking import Map
from rules.mountains_together.advice import advise
from rules.mountains_together.reading import hand_differences, read_together
from rules.mountains_together.state import (
    HAND_SIZES,
    Pass,
    TogetherMove,
    TogetherState,
    dealt,
    hand_said,
    hidden,
)
from rules.mountains_together.text import parse_together
from rules.players import Suggestion
from rules.table import Table
from rules.watch import Watch
from rules.words import listing, pair, player, said, where

_PASS = re.compile(r"pass([0-6]{2})?", re.IGNORECASE)


class MountainsTogether(Game[TogetherState, TogetherMove]):
    """The cooperative version of the solitaire by Sid Sackson; all players win or lose together."""

    info = GameInfo("mountains_together", "Mountains and Valleys together", (2, 4), "a double-six set", hands=True)
    variants = ("cooperative",)

    def set_up(self, players: int, chance: Random, variant: str = "") -> TogetherState:
        """Hands of 9, 6 or 5 dominoes for 2, 3 or 4 players, who begins chosen by lot."""
        if players not in HAND_SIZES:
            raise ValueError(f"{self.info.title} is for 2 to 4 players, not {players}.")
        if variant not in ("", *self.variants):
            raise ValueError(f"{self.info.title} has no variant {variant!r}: there is {listing(self.variants)}.")
        return dealt(players, chance)

    def start(self, text: str) -> TogetherState:
        """The position that a text sets up, "player 1: 64 31 ...". Raises BadText with line and column."""
        return parse_together(text)

    def filled(self, state: TogetherState, chance: Random) -> TogetherState:
        """The position with the hidden hands, and the domino that was passed, dealt from what is not laid."""
        dealt = guessed((state.passed, *state.hands), state.laid, FULL_SET.dominoes, chance)
        return replace(state, passed=dealt[0], hands=dealt[1:]) if dealt else state

    def read(self, table: Table, before: TogetherState | None = None) -> TogetherState:
        """The map on the table, and the hands that are shown; `before` tells the others, and whose turn it is.

        Raises UnreadableTable for what cannot lie there, and hands that nobody can have.
        """
        lying = MOUNTAINS.read(replace(table, hands=()), before.map if before else None)
        return read_together(table, lying.board, lying.fit, before)

    def candidates(self, state: TogetherState) -> Iterator[TogetherMove]:
        """Every domino that may be passed, an unknown one as such; or every place beside the map for the passed one."""
        if state.is_full:
            return
        if not len(state.passed):
            yield from map(Pass, state.hand.known)
            if state.hand.unknown:
                yield Pass()
            return
        places = _places(state.board)
        for domino in state.passed.known or state.unseen:
            for pips in {(domino.low, domino.high), (domino.high, domino.low)}:
                yield from (Lay(Placed.on(*cells, *pips)) for cells in places)

    def play(self, state: TogetherState, move: TogetherMove) -> TogetherState:
        """Passes a domino, or lays the passed one. Raises IllegalMove for a domino that is not there, for a place that
        is taken, touches nothing or does not fit in 6 by 6, and once the map is complete or takes no other domino."""
        if state.is_full:
            raise IllegalMove("The map is complete.")
        if isinstance(move, Lay):
            return _laid(state, move.placed)
        stuck = _stuck(self, state)
        if stuck:
            raise IllegalMove(stuck.reason)
        return _given(state, move)

    def outcome(self, state: TogetherState) -> Outcome | None:
        """Over once the map is complete, the score the penalty; or lost, once the passed domino fits nowhere."""
        if not state.is_full:
            return _stuck(self, state)
        penalty = MOUNTAINS.penalty(state.map)
        if not penalty:
            everybody = tuple(range(state.players))
            return Outcome(True, everybody, (0,), "Every square can be walked to: a perfect game, penalty 0.")
        good = f" That is a good game: less than {GOOD}." if penalty < GOOD else ""
        steps = " + ".join(str(levels) for _, _, levels in Map(state.board.pips).climbs())
        return Outcome(False, (), (penalty,), f"Joining the areas costs {steps} = {penalty}, penalty {penalty}.{good}")

    def heard(self, state: TogetherState, move: TogetherMove, seat: Seat) -> str:
        """A move in a sentence; only who gives and who gets a domino sees which one it is."""
        secret = isinstance(move, Pass) and seat not in (state.turn, state.left)
        return self.describe(state, Pass() if secret else move)

    def describe(self, state: TogetherState, move: TogetherMove) -> str:
        """A move in a sentence."""
        if isinstance(move, Pass):
            named = f"the {said(move.domino)}" if move.domino else "a domino"
            return f"{player(state.turn)} passes {named} to {player(state.left).lower()}."
        placed = move.placed
        text = f"{player(state.turn)} lays the {pair(placed.head, placed.tail)} at {where(placed.cells)}."
        try:
            ended = self.outcome(self.play(state, move))
        except IllegalMove:
            return text
        return f"{text} {ended.reason}" if ended else text

    def warning(self, state: TogetherState, move: TogetherMove) -> Problem | None:
        """What to say about a placement that makes 6 by 6 impossible, or a map that can be walked over; None where
        nothing is proved, or it was so before. Raises IllegalMove."""
        after = self.play(state, move)
        if isinstance(move, Pass) or why_hopeless(state.board, state.may_come):
            return None
        hopeless = why_hopeless(after.board, after.may_come)
        if not hopeless or self.outcome(after):
            return None
        what = "a perfect map" if any(frames(after.board)) else "6 by 6"
        return Problem(f"This placement makes {what} impossible. {hopeless.text}", move.placed.cells)

    def to_move(self, state: TogetherState) -> Seat:
        """Who passes a domino, or lays the one that was passed."""
        return state.turn

    def visible(self, state: TogetherState, seat: Seat) -> TogetherState:
        """The map, that seat's hand, and the passed domino for who gave it and who got it."""
        return hidden(state, seat)

    def agrees(self, expected: TogetherState, seen: TogetherState) -> bool:
        """Whether the map is the same, and the hands that are shown may be those."""
        return expected.board == seen.board and all(
            expected.hands[seat].may_be(seen.hands[seat]) for seat in seen.shown if seat < expected.players
        )

    def moves(self, state: TogetherState, text: str) -> tuple[TogetherMove, ...]:
        """The move that a word names: "pass42", "pass" for an unseen domino, "23V21" for laying."""
        passed = _PASS.fullmatch(text)
        if passed:
            return (Pass(Domino.of(*map(PIPS.index, passed[1])) if passed[1] else None),)
        moves = tuple(move for move in MOUNTAINS.moves(state.map, text) if isinstance(move, Lay))
        if not moves:
            raise IllegalMove("Nothing is taken back in this game: what lies there stays.")
        return moves

    def cells(self, state: TogetherState, move: TogetherMove) -> tuple[Cell, ...]:
        """The cells that the domino covers."""
        return move.placed.cells if isinstance(move, Lay) else ()

    def owed(self, state: TogetherState) -> str:
        """What has to be done now."""
        ended = self.outcome(state)
        if ended:
            return ended.reason
        if not len(state.passed):
            return f"{player(state.turn)} passes a domino to {player(state.left).lower()}."
        what = f"the {said(state.passed.known[0])}" if state.passed.known else "the domino that was passed"
        beside = " beside another one" if state.board.placed else ""
        return f"{player(state.turn)} lays {what}{beside}."

    def told(self, state: TogetherState, seat: Seat | None = None) -> str:
        """The map, the hands as that seat sees them, the passed domino, and the penalty so far."""
        known = state if seat is None else hidden(state, seat)
        lines = [str(state.board), ""] if state.board.placed else ["Nothing is laid yet."]
        for number, hand in enumerate(known.hands):
            mark = " <- to move" if number == state.turn and not state.is_full else ""
            lines.append(f"{player(number)}: {hand_said(hand)}{mark}")
        if len(state.passed):
            lines.append(f"Passed to {player(state.turn).lower()}: {hand_said(known.passed)}")
        least = "" if state.is_full else " at least"
        lines.append(f"Laid: {len(state.laid)} of {TILES}. Penalty{least}: {MOUNTAINS.penalty(state.map)}.")
        return "\n".join(lines)

    def suggest(self, state: TogetherState, watch: Watch, chance: Random) -> tuple[Suggestion[TogetherMove], ...]:
        """Which domino to pass, or where to lay the passed one, by how the unknown hands may complete the map."""
        if self.outcome(state):
            return ()
        known = hidden(state, state.turn)
        return advise(self, known, watch, chance)

    def check(self, table: Table, before: TogetherState | None = None) -> Verdict:
        """Every fault of a map, the cliffs and the penalty too."""
        return MOUNTAINS.check(replace(table, hands=()))

    def dominoes(self, table: Table, before: TogetherState | None = None) -> Collection[Domino]:
        """The whole set."""
        return FULL_SET.dominoes

    def attempts(self, state: TogetherState, seen: TogetherState) -> Iterator[TogetherMove]:
        """Whatever is new on the table, laid where it lies."""
        yield from (move for move in MOUNTAINS.attempts(state.map, seen.map) if isinstance(move, Lay))

    def towards(self, state: TogetherState, seen: TogetherState) -> Iterator[TogetherMove]:
        """What is new on the table, laid where it lies, and passed before, which nobody sees."""
        new = list(self.attempts(state, seen))
        if len(state.passed):
            yield from new
            return
        laid = [move.placed.domino for move in new if isinstance(move, Lay)]
        yield from (Pass(domino) for domino in laid if domino in state.hand.known)
        if state.hand.unknown:
            yield Pass()

    def differences(self, state: TogetherState, seen: TogetherState) -> Iterator[Problem]:
        """What is new, what is gone, what lies elsewhere, and what the hands should not show."""
        for move in MOUNTAINS.attempts(state.map, seen.map):
            if isinstance(move, Take):
                yield Problem(f"The {said(move.placed.domino)} no longer lies where it lay: put it back.")
        gone = " no longer lies where it lay."
        yield from (told for told in MOUNTAINS.differences(state.map, seen.map) if not told.text.endswith(gone))
        yield from hand_differences(state, seen)

    def on_table(self, state: TogetherState, seen: TogetherState, cell: Cell) -> Cell:
        """Where a cell lies on the table that was seen."""
        return seen.fit.undo(cell) if state is seen else MOUNTAINS.on_table(state.map, seen.map, cell)

    def diagram(self, state: TogetherState) -> Diagram:
        """The map with its paths."""
        return MOUNTAINS.diagram(state.map)


def _places(board: Board) -> list[tuple[Cell, Cell]]:
    """Every two free cells beside the map that one 6 by 6 square with it could hold."""
    if not board.placed:
        return [(ORIGIN, ORIGIN.shifted(0, 1)), (ORIGIN, ORIGIN.shifted(1, 0))]
    free = set(room(*board.size)).difference(board.owner)
    near = {other for cell in board.owner for other in cell.neighbours()}
    pairs = ((cell, other) for cell in sorted(free) for other in cell.neighbours()[:2] if other in free)
    return [cells for cells in pairs if not near.isdisjoint(cells)]


def _given(state: TogetherState, move: Pass) -> TogetherState:
    who, hand = player(state.turn), state.hand
    if len(state.passed):
        raise IllegalMove(f"{who} lays the domino that was passed before passing one on.")
    if move.domino is None:
        if not hand.unknown:
            raise IllegalMove(f"Say which domino {who.lower()} passes: {hand_said(hand)}.")
        after, passed = replace(hand, unknown=hand.unknown - 1), Holding(unknown=1)
    else:
        elsewhere = move.domino in state.seen and move.domino not in hand.known
        if elsewhere or move.domino not in FULL_SET or not hand.may_hold(move.domino):
            raise IllegalMove(f"The {said(move.domino)} is not in {who.lower()}'s hand.")
        after, passed = hand.without(move.domino), Holding((move.domino,))
    return replace(state.with_hand(state.turn, after), turn=state.left, passed=passed)


def _laid(state: TogetherState, placed: Placed) -> TogetherState:
    who = player(state.turn)
    if not len(state.passed):
        raise IllegalMove(f"{who} passes a domino first, and {player(state.left).lower()} lays it.")
    for problem in map_objections(placed, state.board, FULL_SET.dominoes):
        raise IllegalMove(problem)
    laid = state.board.laid(placed)
    after = replace(state, board=laid.shifted(-laid.top_left.row, -laid.top_left.col), passed=Holding())
    for text in _against(state, placed, laid):
        raise IllegalMove(Problem(text, placed.cells), lambda: after)
    return after


def _against(state: TogetherState, placed: Placed, laid: Board) -> Iterator[str]:
    """What forbids a placement on free cells."""
    if placed.domino not in state.passed.known and (not state.passed.unknown or placed.domino in state.seen):
        passed = f"the {said(state.passed.known[0])}" if state.passed.known else "another domino"
        yield f"The {said(placed.domino)} was not passed to {player(state.turn).lower()}, but {passed}."
    near = {other for cell in placed.cells for other in cell.neighbours()}
    if state.board.placed and near.isdisjoint(state.board.owner):
        yield f"The {pair(placed.head, placed.tail)} at {where(placed.cells)} touches no other domino."
    if max(laid.size) > SIDE:
        yield f"With it the map would be {laid.size[0]} by {laid.size[1]}, more than 6 by 6."


def _stuck(game: MountainsTogether, state: TogetherState) -> Outcome | None:
    """The end of a game in which nothing fits any more; whether a domino does hangs on the free cells alone."""
    for domino in state.may_come[:1]:
        waiting = replace(state, passed=Holding((domino,)))
        for move in game.candidates(waiting):
            try:
                game.play(waiting, move)
            except IllegalMove:
                continue
            return None
    return STUCK


GAME = MountainsTogether()
