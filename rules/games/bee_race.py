"""The race of Bee Donimoes: who finds the shortest way for the bees, and can show it, scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from random import Random

from rules.bee.setup import FEWEST, MOST, random_board
from rules.bee.state import flights
from rules.bee_race.events import earliest, happened
from rules.bee_race.flying import ended, failure, verdict
from rules.bee_race.moves import (
    LONGEST_CLAIM,
    Claim,
    Fly,
    GiveUp,
    Hesitated,
    PutBack,
    RaceMove,
    Roll,
    SetUp,
    TimeUp,
    at,
    parsed,
)
from rules.bee_race.reading import alike, differences, left_to_do, read_race, towards, tried
from rules.bee_race.state import AT_FIRST, Phase, Race, said
from rules.bee_race.text import parse_race, told
from rules.bee_race.thinking import advised
from rules.bee_race.variants import WAYS, of_variant
from rules.board import Cell
from rules.diagram import Diagram
from rules.domino import Domino, DominoSet
from rules.ended import judged
from rules.engine import hint as hinted
from rules.errors import BadVariant
from rules.game import (
    ANYONE,
    CHANCE,
    Expected,
    Game,
    GameInfo,
    Hint,
    Mover,
    Outcome,
    Problem,
    Seat,
    Verdict,
)
from rules.games.bee import GAME as BEE
from rules.players import Suggestion
from rules.table import Die, Table
from rules.watch import Watch
from rules.words import count, listing, player, where

_HINT_S = 10.0


class BeeRace(Game[Race, RaceMove]):
    """The puzzle race by Don Kirkby, for one player to six, in rounds.

    Where the rules are silent: a player may better a claim of their own; a claim that is worse than another one's
    counts if those before it fail. A flight that the rules of Bee forbid, one that comes too late, and a last one that
    leaves a bee astray end the demonstration; fewer moves than claimed are as good. Who fails is out for this round. If
    all who claimed a number fail, whoever said "impossible" scores, for nobody has shown a solution. Alone or all
    together the solver judges "impossible". A tie is played on round by round.
    """

    info = GameInfo(
        "bee_race",
        "Bee Donimoes, the race",
        (1, 6),
        "all dominoes up to the number of dice",
        (f"{FEWEST} to {MOST} dice", "a one-minute timer"),
        pieces=(Expected("die", 0, MOST, by_value=True),),
    )
    variants = WAYS

    def set_up(self, players: int, chance: Random, variant: str = "") -> Race:
        """A race before its first board is laid. Besides `variants` it takes an agreed number: "4 dice, 7 rounds"."""
        if not self.info.players[0] <= players <= self.info.players[1]:
            raise ValueError(f"{self.info.title} is for 1 to 6 players, not {players}.")
        try:
            race = of_variant(variant or WAYS[0], players)
        except BadVariant as bad:
            raise BadVariant(f"{self.info.title}: {bad}.") from None
        return self.filled(race, chance)

    def start(self, text: str) -> Race:
        """The race that a text holds, as `str` writes it. Raises BadText with line and column."""
        return parse_race(text)

    def filled(self, state: Race, chance: Random) -> Race:
        """The race with dominoes that shuffle themselves, for players without a table."""
        return state if state.luck is not None else replace(state, luck=chance.getrandbits(32))

    def read(self, table: Table, before: Race | None = None) -> Race:
        """The board and the dice on it. Raises UnreadableTable."""
        return read_race(table, before)

    def candidates(self, state: Race) -> Iterator[RaceMove]:
        """What chance brings; every claim; every legal flight; the end of the time."""
        if state.phase is Phase.SOLVING:
            yield from self._claims(state)
        elif state.phase is Phase.FLYING:
            assert state.swarm
            for number in state.swarm.cells:
                yield from (Fly(flight) for flight in flights(state.swarm, number) if number != state.queen)
            yield GiveUp()
            yield from (Claim(state.flier, None), PutBack()) if state.together else (Hesitated(),)
        else:
            yield from (move for move, _ in self.chances(state))

    def _claims(self, state: Race) -> Iterator[RaceMove]:
        for seat in range(state.players):
            yield from (Claim(seat, moves) for moves in range(1, LONGEST_CLAIM + 1))
            yield Claim(seat, None)
        yield TimeUp() if state.claims else GiveUp()

    def play(self, state: Race, move: RaceMove) -> Race:
        """After an event. Raises IllegalMove for one that cannot be; a wrong flight ends a demonstration instead."""
        return happened(state, move)

    def outcome(self, state: Race) -> Outcome | None:
        """Won, after the agreed rounds, by who has most points alone; alone or together, by a point each round."""
        if not state.over:
            return None
        most = max(state.points)
        best = tuple(seat for seat, had in enumerate(state.points) if had == most)
        if state.alone:
            won = most == state.round
            return Outcome(won, best if won else (), state.points, f"{most} of {count(state.round, 'round')} solved.")
        return Outcome(True, best, state.points, f"{player(best[0])} wins with {count(most, 'point')}.")

    def to_move(self, state: Race) -> Seat | Mover:
        """Anyone claims, who has claimed best demonstrates; nobody decides how dice and dominoes come."""
        if state.phase is Phase.SOLVING:
            return ANYONE
        return state.flier if state.phase is Phase.FLYING else CHANCE

    def chances(self, state: Race) -> Iterable[tuple[RaceMove, float]]:
        """Each empty starting space is as likely as any other; the race's luck, if it has any, shuffles a board."""
        if state.phase is Phase.ROLLING:
            return [(Roll(number), 1 / len(state.empty)) for number in state.empty]
        if state.phase is Phase.SETTING_UP and state.luck is not None:
            return [(_shuffled(state.luck, state.boards, state.dice), 1.0)]
        return [(PutBack(), 1.0)] if state.returns else []

    def stamped(self, state: Race, move: RaceMove, time_s: float) -> RaceMove:
        """The same event with its time; one that has a time already keeps it.

        What is seen late, or lay there before it was its turn, happened no earlier than it could.
        """
        earliest_s = earliest(state, move) or 0.0
        return move if getattr(move, "time_s", 0.0) is not None else at(move, max(time_s, earliest_s))

    def due(self, state: Race) -> RaceMove | None:
        """What the clock alone brings: the end of the minute, or of the patience with who demonstrates."""
        if state.deadline_s is None:
            return None
        return TimeUp(state.deadline_s) if state.phase is Phase.SOLVING else Hesitated(state.deadline_s)

    def since(self, state: Race) -> float | None:
        """When the last event happened; None before any has."""
        return state.since_s

    def describe(self, state: Race, move: RaceMove) -> str:
        """An event in a sentence, the flights counted aloud; not whether one is right, nor what the solver says."""
        match move:
            case SetUp(board):
                return f"{count(len(board.placed), 'domino', 'dominoes')} are laid out, for {state.dice} dice."
            case Roll(number):
                who = "A bee" if len(state.bees) < AT_FIRST else "The queen bee"
                return f"{who}, the {number}, goes to her starting space."
            case Claim(seat, moves):
                what = "it is impossible" if moves is None else count(moves, "move")
                timer = f" The timer runs: {state.timer_s:g} s." if not state.claims and not state.together else ""
                return f"{player(seat)} says: {what}.{timer}"
            case Fly():
                return self._counted(state, move)
            case Hesitated():
                return f"{player(state.flier)} hesitates for too long."
            case GiveUp():
                return f"{player(state.flier)} gives up." if state.shown else "All give up."
        return "The time is up." if isinstance(move, TimeUp) else "The dice go back to their starting spaces."

    def _counted(self, state: Race, move: Fly) -> str:
        assert state.swarm
        number = move.flight.number
        flown = BEE.describe(state.swarm, move.flight) if number in state.swarm.cells else f"The {number} die flies."
        return f"{state.flown + 1}: {flown}"

    def revealed(self, state: Race, move: RaceMove) -> str:
        """Whether a flight was right, who demonstrates next; after a round who scored, and what the solver says."""
        return " ".join(self._comes(state, move))

    def _comes(self, state: Race, move: RaceMove) -> Iterator[str]:
        """What an event leads to."""
        after = happened(state, move)
        if isinstance(move, Fly) and not state.together and (wrong := failure(state, move)):
            yield f"{player(state.flier)} fails. {wrong}"
        if after.phase is Phase.SETTLED:
            yield from (ended(after), verdict(after))
        elif after.shown and (isinstance(move, TimeUp) or after.failed != state.failed):
            yield f"{player(after.flier)} demonstrates {said(after.shown)}."

    def owed(self, state: Race) -> str:
        """What has to be done now."""
        match state.phase:
            case Phase.SETTING_UP:
                rows, columns = state.dice + 1, state.dice + 2
                what = f"Lay the {len(state.used)} dominoes up to double {state.dice} face up"
                return f"{what} in {rows} by {columns} squares; no two with a starting space may touch."
            case Phase.ROLLING:
                who = "a bee" if len(state.bees) < AT_FIRST else "the queen bee"
                return f"Roll {who}: a die that matches an empty starting space, {self._spaces(state)}."
            case Phase.SOLVING:
                timer = "better it before the time is up" if state.claims else "the first claim starts the timer"
                return f"Who brings all bees to the {state.queen}? Say in how many moves: {timer}."
            case Phase.FLYING if state.together:
                return f"{player(state.flier)} flies the bees to the {state.queen}; the others help."
            case Phase.FLYING:
                assert state.shown
                return f"{player(state.flier)} shows move {state.flown + 1} of {state.shown.moves}."
            case Phase.RETURNING:
                return f"Put the dice back: {player(state.flier)} demonstrates next."
        return (self.outcome(state) or Outcome(True, reason=self._next_round(state))).reason

    def _next_round(self, state: Race) -> str:
        if state.used_up:
            return "Take the dice off and shuffle the dominoes: the next round needs a new board."
        if state.bees == state.home:
            return "The dice are back: the next queen may come."
        return "Put the dice back for the next round."

    def _spaces(self, state: Race) -> str:
        return listing(
            [f"the {space.number} at {where([space.cell])}" for space in state.spaces if space.number in state.empty],
            "or",
        )

    def told(self, state: Race, seat: Seat | None = None) -> str:
        """The round, the points, the board with the dice on it, and what was claimed; nothing of this is a secret."""
        return told(state)

    def hint(self, state: Race, level: int) -> Hint:
        """Help for one who plays alone and for those who play together; in a race nobody is helped."""
        if state.phase not in (Phase.SOLVING, Phase.FLYING):
            return Hint(self.owed(state), level=level)
        if not state.alone or state.swarm is None:
            return Hint("Nobody is helped in a race.", level=level)
        if too_many := _too_many(state):
            return Hint(too_many, level=level)
        hopeless = f"There is no solution from here: {_left_without_solution(state)}."
        return hinted(BEE, state.swarm, level, Watch(_HINT_S), hopeless)

    def suggest(self, state: Race, watch: Watch, chance: Random) -> tuple[Suggestion[RaceMove], ...]:
        """The program as a player: each seat's claim with the time it takes to find it, or the next flight."""
        return advised(state, watch, chance)

    def agrees(self, expected: Race, seen: Race) -> bool:
        """Whether the same board lies there and the dice stand where they must."""
        return alike(expected, seen)

    def towards(self, state: Race, seen: Race) -> Iterator[RaceMove]:
        """What brings the table nearer to what is seen."""
        return towards(state, seen)

    def left_to_do(self, state: Race, seen: Race) -> str:
        """Which dice have still to go back, where some did."""
        return left_to_do(state, seen)

    def attempts(self, state: Race, seen: Race) -> Iterator[RaceMove]:
        """Dice that were touched while all think."""
        return tried(state, seen)

    def differences(self, state: Race, seen: Race) -> Iterator[Problem]:
        """The dice that stand elsewhere."""
        return differences(state, seen)

    def on_table(self, state: Race, seen: Race, cell: Cell) -> Cell:
        """Where a cell of the board lies on the table that was seen."""
        return seen.fit.undo(cell)

    def cells(self, state: Race, move: RaceMove) -> tuple[Cell, ...]:
        """The cell of the die that flies, or that to which one comes."""
        if isinstance(move, Fly) and state.swarm and move.flight.number in state.swarm.cells:
            return (state.swarm.cells[move.flight.number],)
        if isinstance(move, Roll):
            return tuple(space.cell for space in state.spaces if space.number == move.number)
        return ()

    def moves(self, state: Race, text: str) -> tuple[RaceMove, ...]:
        """The events that a text names, such as "2:5@31.250", "2:impossible", "time", or "2D1 1D3L3 2L3U1"."""
        return parsed(text)

    def dominoes(self, table: Table, before: Race | None = None) -> Iterable[Domino]:
        """All up to the number of dice; at a first look, the set that fills the rectangle on the table."""
        return BEE.dominoes(table) if before is None else before.used

    def diagram(self, state: Race) -> Diagram:
        """The dominoes and the dice; the queen and her blank are lit."""
        dice = tuple(Die(bee.number, bee.cell) for bee in state.bees)
        lit = (
            (state.swarm.cells[state.swarm.queen], state.swarm.wild) if state.swarm and state.bees == state.home else ()
        )
        caption = f"The {state.queen} is the queen." if state.queen else ""
        return Diagram(Table(state.board, dice=dice), marked=lit, caption=caption)

    def check(self, table: Table, before: Race | None = None) -> Verdict:
        """Whether the table can be one of a race, and whether the race is over."""
        return judged(self, table, before, bare=not table.board.placed and not table.doubts, what="race")


def _too_many(state: Race) -> str:
    """Why the demonstration cannot succeed any more though there is a way to the queen; "" where it can."""
    demonstrates = state.swarm if state.phase is Phase.FLYING and not state.together else None
    moves = BEE.solve(demonstrates, Watch(_HINT_S)).moves if demonstrates else None
    if not moves or len(moves) <= state.left:
        return ""
    claimed = count(state.left, "move")
    return (
        f"Of what was claimed {claimed} {'is' if state.left == 1 else 'are'} left, and it takes {len(moves)}: give up."
    )


def _left_without_solution(state: Race) -> str:
    """What those can do who play alone or together and are not to find a way from here."""
    if state.together:
        return "say that it is impossible" if state.bees == state.home else "put the dice back"
    if state.phase is Phase.FLYING:
        return "give up"
    if not state.claims:
        return "say that it is impossible"
    return "give up when the time is up" if state.shown else "the time runs to its end"


@lru_cache(maxsize=16)
def _shuffled(luck: int, boards: int, dice: int) -> SetUp:
    """The board that chance lays after so many others."""
    return SetUp(random_board(Random(f"{luck} {boards}"), DominoSet(dice)))


GAME = BeeRace()
"""Bee Donimoes as a race: rounds, claims against the clock, demonstrations, points."""
