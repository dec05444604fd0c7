"""All Fives: match numbers at the ends of a line, and score whenever the ends add up to a multiple of five."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from random import Random

from rules.all_fives.advice import advice
from rules.all_fives.chances import likelihoods
from rules.all_fives.drawing import drawn
from rules.all_fives.line import End, Line
from rules.all_fives.reading import read_state
from rules.all_fives.scoring import final
from rules.all_fives.state import FULL_SET, Action, FivesMove, FivesState, Lay, Phase, Turned, dealt
from rules.all_fives.text import parse_fives, told
from rules.all_fives.turns import ended, gone_out, hidden, looked_at, played, results
from rules.board import Cell
from rules.domino import Domino
from rules.ended import judged
from rules.engine import legal_moves
from rules.game import CHANCE, Game, GameInfo, IllegalMove, Mover, Outcome, Problem, Seat, Verdict
from rules.holding import guessed
from rules.players import Suggestion
from rules.table import Table
from rules.watch import Watch
from rules.words import count, listing, player, said

_WORD = re.compile(r"(=?)([0-9a-f])([0-9a-f])([LRUD]?)(I?)", re.IGNORECASE)
_DRAW, _PASS, _DEAL = Action.DRAW, Action.PASS, Action.DEAL


class AllFives(Game[FivesState, FivesMove]):
    """The traditional game for two to four, hand after hand, until somebody has more than 200 points."""

    info = GameInfo("all_fives", "All Fives", (2, 4), "a double-six set", hands=True)
    variants = ("standard",)

    def set_up(self, players: int, chance: Random, variant: str = "") -> FivesState:
        """The first hand, dealt, the first player chosen by lot. Raises ValueError for other than 2 to 4 players."""
        if not self.info.players[0] <= players <= self.info.players[1]:
            raise ValueError(f"All Fives is for 2 to 4 players, not {players}.")
        if variant not in ("", *self.variants):
            raise ValueError(f"All Fives has no variant {variant!r}: there is {listing(self.variants)}.")
        return dealt(players, chance.randrange(players), chance.getrandbits(32))

    def start(self, text: str) -> FivesState:
        """The position that a text sets up, "player 1: 64 31 22 ...". Raises BadText with line and column."""
        return parse_fives(text)

    def filled(self, state: FivesState, chance: Random) -> FivesState:
        """The position with the hands dealt from what lies neither in the line nor in the known boneyard."""
        seen = state.line.dominoes.union(state.boneyard.known)
        filled = replace(state, hands=guessed(state.hands, seen, FULL_SET.dominoes, chance) or state.hands)
        return ended(filled) if state.phase is Phase.SHOWING else filled

    def read(self, table: Table, before: FivesState | None = None) -> FivesState:
        """The line and the hands on the table; `before` tells the sniff, and what cannot be seen.

        Raises UnreadableTable where the tiles are no line, or hands cannot be what they are.
        """
        return read_state(table, before)

    def candidates(self, state: FivesState) -> Iterator[FivesMove]:
        """Every domino that the hand has or may have at every end, drawing, passing; or what else is waited for."""
        if state.phase is Phase.DEALING:
            yield _DEAL
        elif state.phase is Phase.PLAYING:
            for domino in state.may_have(state.hand):
                yield from _layings(state, domino)
            yield _DRAW if len(state.boneyard) else _PASS
        else:
            yield from (Turned(domino) for domino in sorted(state.unseen))
            yield from [_DRAW] if gone_out(state) is not None else ()

    def play(self, state: FivesState, move: FivesMove) -> FivesState:
        """The state after a move, with its points. Raises IllegalMove with the rule that forbids it."""
        return played(state, move)

    def outcome(self, state: FivesState) -> Outcome | None:
        """Over once somebody has more than 200 points after a hand, and more than anybody else."""
        return final(state.scores) if state.phase is Phase.DEALING else None

    def describe(self, state: FivesState, move: FivesMove) -> str:
        """A move in a sentence, with the ends added up: "6 + 2 + 2 + 0 = 10, score 10"."""
        if move is _DEAL:
            return f"Hand {state.number + 1} is dealt, and {player((state.lead + 1) % state.players).lower()} leads."
        who = player(state.turn)
        if isinstance(move, Turned):
            seat = looked_at(state) if state.phase is Phase.SHOWING else None
            whose = f"{who} draws" if seat is None else f"{player(seat)} has left"
            return f"{whose} the {said(move.domino)}."
        if isinstance(move, Lay):
            way = " along the line" if move.in_line else ""
            place = f" {move.end.place}" if move.end and state.line.row else ""
            return f"{who} lays the {said(move.domino)}{way}{place}: {results(state, move)}"
        if move is _DRAW:
            out = gone_out(state)
            return f"{who} draws a domino." if out is None else f"{player(out)} had drawn a domino before."
        return f"{who} passes.{results(state, move)}"

    def to_move(self, state: FivesState) -> Seat | Mover:
        """The player whose turn it is; who leads next deals; chance tells a domino that nobody knew."""
        if state.phase in (Phase.DRAWING, Phase.SHOWING):
            return CHANCE
        return state.turn if state.phase is Phase.PLAYING else (state.lead + 1) % state.players

    def chances(self, state: FivesState) -> Iterable[tuple[FivesMove, float]]:
        """The domino that is looked at, with its probability after all passes; soft signs take no part in it."""
        if state.phase not in (Phase.DRAWING, Phase.SHOWING):
            return ()
        return [(Turned(domino), chance) for domino, chance in likelihoods(state).items()]

    def visible(self, state: FivesState, seat: Seat) -> FivesState:
        """That seat's hand, the line and how many dominoes the others and the boneyard have; all hands after play."""
        return hidden(state, seat)

    def agrees(self, expected: FivesState, seen: FivesState) -> bool:
        """Whether the line is the same, however it is turned, and the hands that are shown may be those; what is left
        in a hand that is to be counted is counted first."""
        return (
            not _to_count(expected, seen)
            and expected.line.shape == seen.line.shape
            and all(expected.hands[seat].may_be(seen.hands[seat]) for seat in seen.shown)
        )

    def moves(self, state: FivesState, text: str) -> tuple[FivesMove, ...]:
        """The move that a word names: 24R, 44Ri (the sniff along the line), draw, pass, deal, =24 (it is the 24)."""
        if text.lower() in (action.value for action in Action):
            return (Action(text.lower()),)
        word = _WORD.fullmatch(text)
        if not word:
            raise IllegalMove(
                f"{text!r} is no move: say 24R, 44Ri, draw, pass, deal, or =24 for a domino that is seen."
            )
        domino = Domino.of(int(word[2], 16), int(word[3], 16))
        if word[1]:
            return (Turned(domino),)
        end = End(word[4].upper()) if word[4] else _only_end(state, domino)
        return (Lay(domino, end if state.line.row else None, bool(word[5])),)

    def owed(self, state: FivesState) -> str:
        """What has to be done now."""
        who = player(state.turn)
        if state.phase is Phase.DRAWING:
            return f"{who} has drawn: say which domino it is."
        if state.phase is Phase.SHOWING:
            return f"{player(looked_at(state) or 0)} shows what is left in the hand, to be counted."
        if state.phase is Phase.DEALING:
            leader = player((state.lead + 1) % state.players).lower()
            return "The game is over." if self.outcome(state) else f"Deal the next hand; {leader} leads."
        if any(domino in state.playable for domino in state.may_have(state.hand)):
            return f"{who} plays a domino{', or draws first' if len(state.boneyard) else ''}."
        left = len(state.boneyard)
        return f"{who} draws, for nothing fits." if left else f"{who} passes: nothing fits, and the boneyard is empty."

    def told(self, state: FivesState, seat: Seat | None = None) -> str:
        """The line with its sum, the hands as that seat sees them, the boneyard and the scores."""
        return told(state, seat)

    def suggest(self, state: FivesState, watch: Watch, chance: Random) -> tuple[Suggestion[FivesMove], ...]:
        """The plays by how they come out in many deals of the dominoes that are hidden from who is to move."""
        if isinstance(self.to_move(state), Mover) or self.outcome(state):
            return ()
        known = hidden(state, state.turn)
        moves = [m for m in legal_moves(self, known) if not isinstance(m, Lay) or m.domino in known.hand.known]
        if known.hand.unknown and not any(isinstance(move, Lay) for move in moves):
            return ()
        return advice(known, moves, watch, chance)

    def check(self, table: Table, before: FivesState | None = None) -> Verdict:
        """Whether the tiles on the table are a line as it may be played, and whether the game is over."""
        return judged(self, table, before, bare=not (table.board.placed or table.chain.tiles or table.loose))

    def dominoes(self, table: Table, before: FivesState | None = None) -> Collection[Domino]:
        """The whole set."""
        return FULL_SET.dominoes

    def attempts(self, state: FivesState, seen: FivesState) -> Iterator[FivesMove]:
        """The dominoes that are new in the line, at every end, whoever's they are."""
        for domino in sorted(seen.line.dominoes - state.line.dominoes):
            yield from (Lay(domino, end) for end in (state.line.ends or (None,)))

    def towards(self, state: FivesState, seen: FivesState) -> Iterator[FivesMove]:
        """The dominoes that are new in the line, first where they lie as they are seen; else what nobody sees."""
        new = sorted(seen.line.dominoes - state.line.dominoes)
        if state.phase is not Phase.PLAYING:
            counted = [Turned(domino) for domino in _to_count(state, seen)]
            yield from [_DRAW] if new and gone_out(state) is not None else counted or self.candidates(state)
            return
        lays = [lay for domino in new for lay in _layings(state, domino)]
        lays.sort(key=lambda lay: -seen.line.likeness(_with(state.line, lay)))
        idle: list[FivesMove] = [_DRAW if len(state.boneyard) else _PASS]
        no_fewer = state.turn in seen.shown and len(seen.hands[state.turn]) >= len(state.hand)
        yield from (*idle, *lays) if no_fewer else (*lays, *idle)

    def differences(self, state: FivesState, seen: FivesState) -> Iterator[Problem]:
        """Which dominoes came to the line, left it, or lie elsewhere now; and what the shown hands should not show."""
        new, gone = (sorted(one - other) for one, other in _both_ways(state, seen))
        if new:
            yield Problem(f"New in the line: {listing([said(domino) for domino in new])}; no moves put them there.")
        if gone:
            yield Problem(f"Gone from the line: {listing([said(domino) for domino in gone])}.")
        if not new and not gone and state.line.shape != seen.line.shape:
            yield Problem("The line's dominoes are the same, but they lie in another order.")
        for seat in sorted(seen.shown):
            yield from map(Problem, state.hands[seat].unlike(seen.hands[seat], player(seat)))

    def on_table(self, state: FivesState, seen: FivesState, cell: Cell) -> Cell:
        """The same cell."""
        return cell

    diagram = staticmethod(drawn)


def _to_count(state: FivesState, seen: FivesState) -> list[Domino]:
    """What the hand that has to be shown after a hand of the game shows of dominoes that nobody knew."""
    seat = looked_at(state) if state.phase is Phase.SHOWING else None
    if seat is None or seat not in seen.shown:
        return []
    return [domino for domino in seen.hands[seat].known if domino not in state.hands[seat].known]


def _layings(state: FivesState, domino: Domino) -> Iterator[Lay]:
    """Every end that shows one of the domino's numbers, and the sniff both ways."""
    if not state.line.row:
        yield Lay(domino)
    for end, open_end in state.line.ends.items():
        if open_end.number in (domino.high, domino.low):
            yield Lay(domino, end)
            if domino.is_double and state.line.sniff is None:
                yield Lay(domino, end, in_line=True)


def _with(line: Line, lay: Lay) -> Line:
    return line.extended(lay.domino, lay.end or End.RIGHT, lay.in_line)


def _only_end(state: FivesState, domino: Domino) -> End | None:
    """The one end that a domino fits; None where it fits none. Raises IllegalMove where it fits several."""
    ends = list(dict.fromkeys(lay.end for lay in _layings(state, domino) if lay.end))
    if len(ends) > 1:
        places = [f"{domino}{end.value} ({end.place})" for end in ends]
        raise IllegalMove(f"The {said(domino)} fits {count(len(ends), 'end')}: say {listing(places, 'or')}.")
    return ends[0] if ends else None


def _both_ways(state: FivesState, seen: FivesState) -> tuple[tuple[frozenset[Domino], frozenset[Domino]], ...]:
    return (seen.line.dominoes, state.line.dominoes), (state.line.dominoes, seen.line.dominoes)


GAME = AllFives()
