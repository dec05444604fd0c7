"""From a table to a moment of All Fives: the line with what is remembered of it, and the hands that can be seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rules.all_fives.line import Line
from rules.all_fives.line_reading import seen_line
from rules.all_fives.scoring import final
from rules.all_fives.state import FULL_SET, Action, FivesState, Phase, hand_size
from rules.all_fives.turns import ended, played
from rules.domino import Domino
from rules.game import Problem, Seat, UnreadableTable
from rules.holding import Holding, fewer
from rules.table import Hand, Table
from rules.words import count, player, said

_SEATS_BY_SIDE = {
    2: {"bottom": 0, "left": 1, "top": 1, "right": 1},
    3: {"bottom": 0, "left": 1, "top": 2, "right": 2},
    4: {"bottom": 0, "left": 1, "top": 2, "right": 3},
}
_MOST_PLAYERS = 4


def read_state(table: Table, before: FivesState | None) -> FivesState:
    """The line and the hands that the table shows; all else as it was before. Raises UnreadableTable.

    After a hand the line is taken up and the next one dealt, and what lies there then is the new line.
    """
    if before and before.phase is Phase.DEALING and (lying := _lying(table)) != before.line.dominoes:
        if final(before.scores):
            raise UnreadableTable((Problem("The game is over: no other hand is dealt."),))
        if lying and lying < before.line.dominoes:
            text = "The hand is over: all dominoes are taken up, and the next hand is dealt."
            raise UnreadableTable((Problem(text, unfinished=True),))
        before = played(before, Action.DEAL)
    if before and before.phase is Phase.SHOWING and _lying(table) < before.line.dominoes:
        text = "The hand is over: before the line is taken up, what is left in the hands is shown, to be counted."
        raise UnreadableTable((Problem(text, unfinished=True),))
    players = before.players if before else max(2, len(table.hands))
    if players > _MOST_PLAYERS:
        raise UnreadableTable((Problem(f"There are {players} hands on the table, and at most {_MOST_PLAYERS} play."),))
    hands = _hands(table.hands, players)
    problems = [*_on_squares(table), *_impossible(hands, before)]
    shown = {domino for hand in hands.values() for domino in hand.known}
    seen = seen_line(table, FULL_SET, before.line if before else None, shown, _single_ones(before))
    problems += _too_many(hands, seen.line)
    if seen.line is None or problems:
        raise UnreadableTable((*problems, *seen.problems))
    return _with_hands(before or _first_look(seen.line, players), seen.line, hands)


def _lying(table: Table) -> set[Domino]:
    """The dominoes that lie face up, those in hands left out."""
    placed, chained, loose = table.board.placed, table.chain.tiles, table.loose
    return {p.domino for p in placed}.union((c.domino for c in chained), (tile.domino for tile in loose))


def _single_ones(before: FivesState | None) -> set[Domino]:
    """The last dominoes of hands: one tile alone before a player is not seen as a hand."""
    return {domino for hand in before.hands if len(hand) == 1 for domino in hand.known} if before else set()


def _hands(seen: Sequence[Hand], players: int) -> dict[Seat, Holding]:
    """The hands on the table by seat: in order where all are there, else by the side of the picture."""
    places = _SEATS_BY_SIDE[players]
    direct = len(seen) == players
    return {
        (hand.seat if direct or hand.side is None else places[hand.side]): Holding(hand.dominoes, hand.face_down)
        for hand in seen
    }


def _on_squares(table: Table) -> Iterator[Problem]:
    """Dominoes that lie on a board with squares, which is another game's."""
    if table.spots:
        cells = tuple(spot.cell for spot in table.spots)
        lie = count(len(cells), "domino lies", "dominoes lie")
        yield Problem(f"{lie} on one square of a board each: here a domino lies against an end of the line.", cells)


def _impossible(hands: dict[Seat, Holding], before: FivesState | None) -> Iterator[Problem]:
    """What no hand can be."""
    counted = Counter(domino for hand in hands.values() for domino in hand.known)
    for domino, times in sorted(counted.items()):
        if domino not in FULL_SET:
            yield Problem(f"The {said(domino)} in a hand is not in the {FULL_SET.name} set.")
        if times > 1:
            yield Problem(f"The {said(domino)} is in the hands {count(times, 'time')}.")
    for seat, hand in hands.items() if before else ():
        yield from _contradictions(seat, hand, before) if before else ()


def _too_many(hands: dict[Seat, Holding], line: Line | None) -> Iterator[Problem]:
    held, laid = sum(map(len, hands.values())), len(line.tiles) if line else 0
    if held + laid > len(FULL_SET):
        text = f"{count(held, 'domino', 'dominoes')} in hands and {laid} in the line are {held + laid}"
        yield Problem(f"{text}; the {FULL_SET.name} set has {len(FULL_SET)}.")


def _contradictions(seat: Seat, hand: Holding, before: FivesState) -> Iterator[Problem]:
    """Dominoes that are known to be somewhere else, or that a pass has shown not to be there."""
    known = before.hands[seat]
    for domino in hand.known:
        if domino in known.known:
            continue
        if domino in before.seen - before.line.dominoes:
            yield Problem(
                f"The {said(domino)} cannot be in {player(seat).lower()}'s hand: it is known to be elsewhere."
            )
        elif len(hand) <= len(known) and domino in known.lacks:
            yield Problem(f"{player(seat)} passed and cannot have the {said(domino)}, which could have been played.")


def _first_look(line: Line, players: int) -> FivesState:
    """A game that nobody has followed: how many dominoes each player has is a guess."""
    left = len(FULL_SET) - len(line.tiles)
    size = max(1, min(hand_size(players), left // players))
    hands = tuple(Holding(unknown=size) for _ in range(players))
    return FivesState(hands, Holding(unknown=max(0, left - size * players)), scores=(0,) * players)


def _with_hands(state: FivesState, line: Line, hands: dict[Seat, Holding]) -> FivesState:
    """The state with what was seen; what is in the boneyard follows from the rest."""
    held = tuple(_merged(old.apart_from(line.dominoes), hands.get(seat)) for seat, old in enumerate(state.hands))
    left = len(FULL_SET) - len(line.tiles) - sum(map(len, held))
    if left < 0:
        held = fewer(held, -left, state.turn)
    known = {domino for hand in held for domino in hand.known} | line.dominoes
    boneyard = tuple(domino for domino in state.boneyard.known if domino not in known)[: max(left, 0)]
    rest = replace(state.boneyard, known=boneyard, unknown=max(0, left - len(boneyard)))
    after = replace(state, line=line, hands=held, boneyard=rest, shown=frozenset(hands))
    return ended(after) if state.phase is Phase.SHOWING else after


def _merged(old: Holding, seen: Holding | None) -> Holding:
    """A hand as it is seen, with what was known of its face-down dominoes."""
    if seen is None:
        return old
    kept = tuple(domino for domino in old.known if domino not in seen.known)[: seen.unknown]
    return Holding((*seen.known, *kept), seen.unknown - len(kept), old.lacks)
