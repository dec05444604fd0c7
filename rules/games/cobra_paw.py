"""Cobra Paw: who first puts a finger on the domino that the dice show takes it; six win."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from random import Random

from rules.board import Cell
from rules.cobra_paw.events import happened
from rules.cobra_paw.reading import differences, read_hunt, towards, tried
from rules.cobra_paw.state import BLANK, FULL_SET, GOAL, SIDES, GiveUp, Hunt, Move, Take, Touch
from rules.cobra_paw.text import parsed
from rules.domino import Domino
from rules.ended import judged
from rules.game import (
    ANYONE,
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
from rules.holding import Holding
from rules.players import Suggestion
from rules.table import Table
from rules.two_dice import ROLLS, Roll, roll_named
from rules.watch import Watch
from rules.words import count, listing, player, said, where

USUAL = "six dominoes"
_TOUCH = re.compile(r"([1-9]):([0-6])([0-6])(\(covered\))?(?:@(\d+(?:\.\d+)?))?")
_TAKE = re.compile(r"([1-9])\+([0-6])([0-6])")


class CobraPaw(Game[Hunt, Move]):
    """The quick-reaction game by Derek Weston, for dice and dominoes. Who touched first is told by the events' order.

    Who takes the sixth domino alone wins. Those who take it together hunt on; of them, who is the first to take another
    one alone wins. If nobody finds the target after a claim, the claim counts, as the rules say, wherever it lay.
    """

    info = GameInfo(
        "cobra_paw",
        "Cobra Paw",
        (2, 4),
        "a double-six set",
        ("two dice",),
        pieces=(Expected("die", 0, 2, together=True),),
        hands=True,
    )
    variants = (USUAL,)

    def set_up(self, players: int, chance: Random, variant: str = "") -> Hunt:
        """All dominoes face up in the middle; who rolls first is drawn by lot."""
        if players not in SIDES:
            raise ValueError(f"Cobra Paw is for 2 to 4 players, not {players}.")
        if variant not in ("", USUAL):
            raise ValueError(f"There is no variant {variant!r}; there is {USUAL!r}.")
        return Hunt((Holding(),) * players, roller=chance.randrange(players))

    def start(self, text: str) -> Hunt:
        """The state that a text holds, as `str` writes it. Raises BadText with line and column."""
        return parsed(text)

    def read(self, table: Table, before: Hunt | None = None) -> Hunt:
        """The dominoes in the middle and before the players, and the dice. Raises UnreadableTable."""
        return read_hunt(table, before)

    def candidates(self, state: Hunt) -> Iterator[Move]:
        """The rolls; or each player's finger on the target or the double blank; or the rewards."""
        if state.owed:
            yield from (Take(seat, domino) for seat in state.owed for domino in state.rewards)
        elif not state.hunting:
            yield from () if state.over else (roll for roll, _ in ROLLS)
        else:
            for domino in (state.target, BLANK):
                if domino in state.face_up and domino:
                    yield from (Touch(seat, domino) for seat in range(state.players))
            if state.claimed is not None:
                yield GiveUp()

    def play(self, state: Hunt, move: Move) -> Hunt:
        """A roll, a touch, a reward, or that nobody finds the target. Raises IllegalMove for what does not count."""
        return happened(state, move)

    def outcome(self, state: Hunt) -> Outcome | None:
        """Won by who takes the sixth domino alone; shared where nothing is left to take."""
        counts = state.counts
        if state.winner is not None:
            return Outcome(True, (state.winner,), counts, f"{player(state.winner)} wins: {_sum(counts[state.winner])}.")
        if not state.over:
            return None
        best = state.tied or tuple(seat for seat, held in enumerate(counts) if held == max(counts))
        names = listing([player(seat) for seat in best])
        wins = "win together" if len(best) > 1 else "wins"
        return Outcome(True, best, counts, f"Nothing is left to take: {names} {wins}.")

    def describe(self, state: Hunt, move: Move) -> str:
        """An event in a sentence, with the score that it makes."""
        if isinstance(move, Roll):
            return f"The dice show {move.dice[0]} and {move.dice[1]}: find the {said(Domino.of(*move.dice))}."
        if isinstance(move, GiveUp):
            claimer = player(state.claimed) if state.claimed is not None else "Who claimed it"
            return f"Nobody finds the target: {claimer} may take any domino but the double blank."
        who = player(move.seat)
        if isinstance(move, Touch) and move.domino == BLANK:
            return f"{who} claims that the target is gone."
        score = f"{len(state.taken[move.seat])} + 1 = {_sum(len(state.taken[move.seat]) + 1)}"
        if isinstance(move, Take):
            return f"{who} takes the {said(move.domino)} as a reward: {score}."
        false = (
            f" {player(state.claimed)} was wrong: every other player takes one." if state.claimed is not None else ""
        )
        return f"{who} finds the {said(move.domino)} and takes it: {score}.{false}"

    def to_move(self, state: Hunt) -> Seat | Mover:
        """Chance while the dice roll, anyone in a hunt, and who takes a reward."""
        if state.owed:
            return state.owed[0] if len(state.owed) == 1 else ANYONE
        return ANYONE if state.hunting else CHANCE

    def chances(self, state: Hunt) -> Iterable[tuple[Move, float]]:
        """Two dice: a double comes once in 36, two different numbers twice."""
        return () if state.owed or state.hunting or state.over else ROLLS

    def agrees(self, expected: Hunt, seen: Hunt) -> bool:
        """Whether the same lies in the middle, as many before each player, and the dice show the same."""
        return (expected.face_up, expected.counts, expected.dice) == (seen.face_up, seen.counts, seen.dice)

    def dominoes(self, table: Table, before: Hunt | None = None) -> Iterable[Domino]:
        """A double-six set."""
        return FULL_SET

    def cells(self, state: Hunt, move: Move) -> tuple[Cell, ...]:
        """Where the domino lies, if it lies on cells."""
        if isinstance(move, Roll | GiveUp):
            return ()
        place = dict(state.where).get(move.domino)
        return place.cells if place else ()

    def moves(self, state: Hunt, text: str) -> tuple[Move, ...]:
        """The event that a word names: "roll(5-3)", "2:53@1.25", "2:53(covered)", "2+53" or "none"."""
        touch, take, roll = _TOUCH.fullmatch(text), _TAKE.fullmatch(text), roll_named(text)
        if touch:
            time_s = float(touch[5]) if touch[5] else None
            return (Touch(int(touch[1]) - 1, Domino.of(int(touch[2]), int(touch[3])), time_s, bool(touch[4])),)
        if take:
            return (Take(int(take[1]) - 1, Domino.of(int(take[2]), int(take[3]))),)
        if roll:
            return (roll,)
        if text == str(GiveUp()):
            return (GiveUp(),)
        raise IllegalMove(f"{text} is no move: roll(5-3), 2:53, 2+53 and none are.")

    def towards(self, state: Hunt, seen: Hunt) -> Iterator[Move]:
        """What the table shows to have happened; a claim is guessed only where the target is gone."""
        return towards(state, seen)

    def attempts(self, state: Hunt, seen: Hunt) -> Iterable[Move]:
        """What the table shows, allowed or not."""
        return tried(state, seen)

    def differences(self, state: Hunt, seen: Hunt) -> Iterable[Problem]:
        """What came, went and was turned."""
        return differences(state, seen)

    def on_table(self, state: Hunt, seen: Hunt, cell: Cell) -> Cell:
        """Nothing moves in the middle."""
        return cell

    def check(self, table: Table, before: Hunt | None = None) -> Verdict:
        """Whether the table can be a game, and whether it is over."""
        return judged(self, table, before, bare=table == Table())

    def suggest(self, state: Hunt, watch: Watch, chance: Random) -> tuple[Suggestion[Move], ...]:
        """Where the target lies, or who has it; which reward to take. For every player who may move."""
        if state.owed:
            return tuple(Suggestion[Move](Take(seat, _reward(state)), _WHY) for seat in state.owed if state.rewards)
        if not state.hunting or not state.target:
            return ()
        free = [seat for seat in range(state.players) if seat != state.claimed]
        if state.target in state.face_up:
            return tuple(Suggestion[Move](Touch(seat, state.target), _lies(state, state.target), 1) for seat in free)
        if state.claimed is not None:
            return (Suggestion[Move](GiveUp(), _gone(state, state.target), 1),)
        return tuple(Suggestion[Move](Touch(seat, BLANK), _gone(state, state.target), 1) for seat in free)

    def hint(self, state: Hunt, level: int) -> Hint | None:
        """Whether the target is there (1), where it lies (2), who has it (3)."""
        target = state.target
        if target is None:
            return Hint(self.owed(state), level=level)
        if level <= 1:
            there = "lies in the middle" if target in state.face_up else "is gone"
            return Hint(f"The {said(target)} {there}.", level=1)
        if target not in state.face_up:
            return Hint(_gone(state, target), level=level)
        return Hint(_lies(state, target), self.cells(state, Touch(0, target)), level)

    def owed(self, state: Hunt) -> str:
        """What has to be done now."""
        ended = self.outcome(state)
        if ended:
            return ended.reason
        if state.owed:
            names = listing([player(seat) for seat in state.owed])
            return f"{names} may take any domino but the double blank, face down."
        if state.target is None:
            again = f" {_tie(state)}" if state.tied else ""
            return f"{player(state.roller)} rolls the dice.{again}"
        if state.claimed is None:
            return f"Find the {said(state.target)}; if it is gone, be the first on the double blank."
        return f"{player(state.claimed)} says that the {said(state.target)} is gone: find it, or give up."

    def told(self, state: Hunt, seat: Seat | None = None) -> str:
        """The middle, and what each player has."""
        lines = [f"In the middle: {' '.join(map(said, state.face_up))}"]
        for number, taken in enumerate(state.taken):
            known = f" ({listing(list(map(said, taken)))})" if taken.known else ""
            lines.append(f"{player(number)}: {_sum(len(taken))}{known}")
        return "\n".join(lines)


_WHY = "It is the likeliest of those left to be rolled, and you will know that it is gone."


def _sum(number: int) -> str:
    """So many dominoes, of those that win; of more, as after a tie, nobody can say how many win."""
    return count(number, "domino", "dominoes") + (f" of {GOAL}" if number <= GOAL else "")


def _tie(state: Hunt) -> str:
    names = listing([player(seat) for seat in state.tied])
    return f"{names} took the sixth together: who of them takes another one alone wins."


def _reward(state: Hunt) -> Domino:
    """One that the dice show twice as often as a double; one with a blank they never show."""
    return max(state.rewards, key=lambda domino: (domino.low > 0, not domino.is_double, domino))


def _lies(state: Hunt, target: Domino) -> str:
    place = dict(state.where).get(target)
    if place is None:
        return f"The {said(target)} lies in the middle."
    if place.cells:
        return f"The {said(target)} lies at {where(place.cells)}."
    return f"The {said(target)} lies {place.x:.0f} to the right and {place.y:.0f} down, in {place.unit}."


def _gone(state: Hunt, target: Domino) -> str:
    holders = [player(seat) for seat, taken in enumerate(state.taken) if target in taken.known]
    return f"{holders[0]} has the {said(target)}." if holders else f"The {said(target)} is not in the middle any more."


GAME = CobraPaw()
