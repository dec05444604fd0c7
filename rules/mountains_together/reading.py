"""From a table to a position of cooperative Mountains and Valleys: the map, and the hands that are shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rules.board import Board
from rules.domino import Domino
from rules.fit import Fit
from rules.game import Problem, Seat, UnreadableTable
from rules.holding import Holding
from rules.mountains.state import FULL_SET, TILES
from rules.mountains_together.state import HAND_SIZES, TogetherState
from rules.table import Table
from rules.words import count, player, said


def read_together(table: Table, board: Board, fit: Fit, before: TogetherState | None) -> TogetherState:
    """The position whose map is read already; a hand that is not shown is as it was, or unknown.

    Raises UnreadableTable for hands that nobody can have.
    """
    hands = {hand.seat: Holding(hand.dominoes, hand.face_down) for hand in table.hands}
    players = before.players if before else max(2, *(seat + 1 for seat in hands), 0)
    problems = tuple(_impossible(hands, board, players))
    if problems:
        raise UnreadableTable(problems)
    if before is None:
        before = _first_look(board, players)
    laid = {placed.domino for placed in board.placed}
    held = tuple(hands.get(seat, old.apart_from(laid)) for seat, old in enumerate(before.hands))
    passed = before.passed.apart_from(laid)
    return replace(before, hands=held, board=board, passed=passed, fit=fit, shown=frozenset(hands))


def _first_look(board: Board, players: int) -> TogetherState:
    """A game that nobody has followed: player 1 is taken to have begun."""
    laid = len(board.placed)
    passes = [len(range(seat, laid, players)) for seat in range(players)]
    hands = tuple(Holding(unknown=max(0, HAND_SIZES[players] - made)) for made in passes)
    return TogetherState(hands, board, laid % players)


def _impossible(hands: dict[Seat, Holding], board: Board, players: int) -> Iterator[Problem]:
    most = HAND_SIZES.get(players, 0)
    if not most:
        yield Problem(f"2 to {max(HAND_SIZES)} play, but {count(players, 'player')} show a hand.")
    where = {placed.domino: "on the map" for placed in board.placed}
    for seat, hand in sorted(hands.items()):
        if len(hand) > most > 0:
            text = f"{player(seat)} shows {len(hand)} dominoes; with {players} players there are {most} at most."
            yield Problem(text)
        for domino in hand.known:
            yield from _misplaced(domino, seat, where)
            where[domino] = f"in {player(seat).lower()}'s hand"
    if len(board.placed) > TILES:
        yield Problem(f"The map has {len(board.placed)} dominoes, and {TILES} make it 6 by 6.")


def _misplaced(domino: Domino, seat: Seat, where: dict[Domino, str]) -> Iterator[Problem]:
    if domino not in FULL_SET:
        yield Problem(f"The {said(domino)} in {player(seat).lower()}'s hand is not in the {FULL_SET.name} set.")
    if domino in where:
        yield Problem(f"The {said(domino)} is in {player(seat).lower()}'s hand, and {where[domino]} too.")


def hand_differences(state: TogetherState, seen: TogetherState) -> Iterator[Problem]:
    """What the shown hands have that they should not have, or lack."""
    for seat in sorted(seen.shown):
        yield from map(Problem, state.hands[seat].unlike(seen.hands[seat], player(seat)))
