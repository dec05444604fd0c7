"""One game followed by what lies on the table: Tables in, events out. It knows neither cameras nor pages."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Literal

from pipsight.events import (
    Began,
    Moved,
    Over,
    Refused,
    Resynced,
    Righted,
    SettingUp,
    TakenBack,
    Waits,
    Wrong,
    faults_of,
    places,
)
from pipsight.helping import hinted, sentences, told_to_all, way_to_the_end
from pipsight.past import Past, bare, legal, missing, read, shows
from pipsight.trouble import sentence
from rules import engine
from rules.certainty import doubt_notes
from rules.errors import BadText
from rules.game import CHANCE, NOTHING, IllegalMove, Mover, Points, Problem, Slips, Starts
from rules.inference import MOST_MOVES
from rules.players import Clocked, Owes
from rules.saved import Made, maker
from rules.turns import in_turn

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipsight.events import Event
    from rules.game import Game
    from rules.table import Table

NOTHING_LEFT = "With what lies here nothing is left to do: lay more, or choose a problem."
NOT_SET_UP = Refused("The table has first to be set up.")

Phase = Literal["setting up", "playing", "over"]

SETTLED_S = 0.1  # a table that has lain still so long is worth a look
WAVERING_S = 0.6  # no move is named by what reads otherwise as likely as not before it was looked at for so long
WAVERING = 0.5  # the chance below which a reading is that
BEGUN_S = 1.0  # a start that nobody wrote down counts once it has lain so long
PATIENCE_S = 1.5  # nobody is told of a fault while a hand may be on its way to mend it
BELIEVED_S = 1.0  # a thing that may be no domino is taken for one that was played once it has lain so long
MOST_UNEXPLAINED = 8  # tables that are remembered until a later one tells what they meant


@dataclass
class _Unsettled:
    """What is open about the table as it lies: nothing of it counts once a move, or its taking back, explains that.

    wrong: what was last told to be wrong. half_done: whether it was said what is left to do of a move. overruled: what
    the table may still show, whatever was said. unexplained: tables that wait for a later one to tell what they meant.
    """

    wrong: tuple[Problem, ...] = ()
    half_done: bool = False
    overruled: list[Any] = field(default_factory=list)
    unexplained: list[Table] = field(default_factory=list)


@dataclass
class Follower:
    """Follows one game from its set-up to its end.

    start: the state in which the game begins, None where whatever lies there is the start.
    states: every state from the start to now; made: the moves between them. puzzled: whether the table that was seen
    last is neither the start nor what a legal move leads to. now_s: when what is made or seen now happened, for games
    that run on the clock.

    >>> follower = Follower(game("unmatched"), problem("unmatched", "5"))  # doctest: +SKIP
    >>> for event in follower.see(table, still_s=0.2):  # doctest: +SKIP
    ...     print(event)
    """

    game: Game[Any, Any]
    start: Any = None
    states: list[Any] = field(default_factory=list)
    made: list[Made] = field(default_factory=list)
    puzzled: bool = field(default=False, init=False)
    now_s: float | None = field(default=None, init=False)
    _looked: tuple[Any, ...] = field(default=(), init=False)
    _said: str = field(default="", init=False)
    _unsettled: _Unsettled = field(default_factory=_Unsettled, init=False)
    _missed: int = field(default=0, init=False)
    _implied: set[int] = field(default_factory=set, init=False)  # the moves that were told together with the one before

    @property
    def phase(self) -> Phase:
        """Whether the game is being set up, played, or over."""
        if not self.states:
            return "setting up"
        return "over" if self.game.outcome(self.state) else "playing"

    @property
    def state(self) -> Any:
        """The state now; the start while the table is set up."""
        return self.states[-1] if self.states else self.start

    @property
    def awaited(self) -> Any:
        """The start while the table is set up, None once the game goes on."""
        return None if self.states else self.start

    @property
    def wrong(self) -> tuple[Problem, ...]:
        """What is wrong on the table, as it was last told."""
        return self._unsettled.wrong

    @property
    def _alone(self) -> bool:
        """Whether it is a puzzle, that somebody solves alone."""
        return bool(self.game.info.players == (1, 1))

    @property
    def _past(self) -> Past:
        return Past(self.game, self.states, self.made, self._missed, self._implied)

    def see(self, tables: Sequence[Table], still_s: float) -> list[Event]:
        """What the table tells that has lain like this for still_s seconds.

        tables: what lies there, the likeliest first, where things that may be none leave more than one answer.
        """
        if still_s < SETTLED_S or not tables:
            return []
        looked = (tuple(tables), len(self.made), *(still_s >= s for s in (WAVERING_S, BEGUN_S, PATIENCE_S)))
        if looked == self._looked:
            return []
        self._looked, self.puzzled = looked, False
        return [*(self._follow(tables, still_s) if self.states else self._set_up(tables, still_s))]

    def _set_up(self, tables: Sequence[Table], still_s: float) -> Iterator[Event]:
        seen = [read(self.game, table, self.start) for table in tables]
        states = [one for one in seen if not isinstance(one, tuple)]
        if self.start is None:
            doubts = doubt_notes(tables[-1].doubts, lambda cell: cell)
            if states and not doubts and still_s >= BEGUN_S:
                ended = self._ended(states[-1])
                yield from self._missing((ended,), still_s) if ended else self._begin(states[-1])
            elif doubts or not states:
                yield from self._missing(seen[-1] if isinstance(seen[-1], tuple) else doubts, still_s)
        elif begun := [one for one in states if self.game.agrees(self.start, one)]:
            # An equal state knows besides where on the table it lies; one that merely agrees may know less.
            yield from self._begin(begun[0] if begun[0] == self.start else self.start)
        elif still_s >= BEGUN_S and (brought := self._brought(self.start, tables)):
            self.restart(self.start)
            yield Began(f"{self.game.info.title} begins.", str(self.start))
            yield from self._made(*brought)
        else:
            last = seen[-1]
            yield from self._missing(last if isinstance(last, tuple) else self._differences(self.start, last), still_s)

    def _ended(self, state: Any) -> Problem | None:
        """That a start leaves nothing to do, and why; None where something is left."""
        outcome = self.game.outcome(state)
        if outcome is None:
            return None
        return Problem(f"{outcome.reason} {NOTHING_LEFT}" if outcome.reason else NOTHING_LEFT)

    def _brought(self, state: Any, tables: Sequence[Table]) -> tuple[Sequence[Any], Table] | None:
        """What chance, and nobody else, has brought about unseen since a state, and the table that shows it."""
        if self.game.to_move(state) is not CHANCE:
            return None
        explained = [(engine.explain(self.game, state, table), table) for table in tables]
        return next(((one.moves, table) for one, table in explained if one.legal and one.moves), None)

    def _missing(self, problems: Sequence[Problem], still_s: float) -> Iterator[Event]:
        self.puzzled = True
        if still_s >= BEGUN_S and tuple(problems) != self._unsettled.wrong:
            self._unsettled.wrong = tuple(problems)
            yield SettingUp(faults_of(problems))

    def _differences(self, state: Any, seen: Any) -> tuple[Problem, ...]:
        told = tuple(self.game.differences(state, seen)) if isinstance(self.game, Slips) else ()
        return told or (Problem("The table is not as this game begins."),)

    def _begin(self, state: Any) -> Iterator[Event]:
        self.restart(state)
        yield Began(f"{self.game.info.title} begins.", str(state))
        yield from self._next()

    def _follow(self, tables: Sequence[Table], still_s: float) -> Iterator[Event]:
        for table in tables:
            seen = read(self.game, table, self.state)
            if not isinstance(seen, tuple) and self.game.agrees(self.state, seen):
                if table is not tables[0] and still_s >= BELIEVED_S and legal(self.game, tables[0], self.state):
                    break  # what may be no domino was played
                self._unsettled.overruled.clear()
                self._refit(seen)
                self._missed = missing(self.game, table, self.state)
                yield from self._in_order()
                return
        if self._lies_overruled(tables):
            yield from self._in_order()  # nobody has done on the table yet what was said
        elif self.phase == "over" and bare(tables[0]):
            return  # what is taken up after the end is no move that is taken back
        elif back := self._past.taken_back(tables):
            if still_s >= PATIENCE_S or not self._left_to_do(tables):
                yield from self._retreat(back)
        elif self.start is None and still_s >= BEGUN_S and (more := self._laid_on(tables)):
            self.restart(more)
            yield Resynced("More was laid before the first move: the game begins with all that lies there.", str(more))
            yield from self._next()
        else:
            yield from self._explain(tables, still_s)

    def _in_order(self) -> Iterator[Event]:
        """What lies there is what should, or may still lie there."""
        self._unsettled.unexplained.clear()  # not what was overruled: it may be that which still lies there
        yield from self._righted()
        if self._unsettled.half_done:
            self._unsettled.half_done = False
            yield from self._say(self.waits())

    def _lies_overruled(self, tables: Sequence[Table]) -> bool:
        """Whether the table still shows what it showed before people said otherwise, or has come nearer to that."""
        overruled = self._unsettled.overruled
        for number, state in enumerate(overruled):
            if any(shows(self.game, table, state) or engine.left_to_do(self.game, state, table) for table in tables):
                del overruled[:number]
                return True
        return False

    def _laid_on(self, tables: Sequence[Table]) -> Any:
        """What lies there, if it is more than the game began with before anybody moved, and nobody said what should."""
        table, now = tables[0], self.state
        if self.made or table.doubts or missing(self.game, table, now) >= 0 or legal(self.game, table, now):
            return None
        state = read(self.game, table, None)
        return None if isinstance(state, tuple) or self.game.outcome(state) else state

    def _refit(self, seen: Any) -> None:
        """Take over where on the table the state lies, which takes no part in being equal; the rest may be known
        better than it is seen."""
        placed = replace(self.state, **{one.name: getattr(seen, one.name) for one in fields(seen) if not one.compare})
        if self.game.agrees(placed, seen):  # else what was seen counts its things in another order
            self.states[-1] = placed

    def _righted(self) -> Iterator[Event]:
        if self._unsettled.wrong:
            self._unsettled.wrong = ()
            yield Righted()

    def _retreat(self, back: int) -> Iterator[Event]:
        gone = tuple(made.move for made in self.made[-back:])
        first = _first_sentence(" ".join(sentences(self.game, self.states[-1 - back], gone[:1])))
        text = f"Taken back: {first}" if back == 1 else f"{back} moves are taken back, from this one on: {first}"
        del self.states[-back:], self.made[-back:]
        self._implied = {number for number in self._implied if number < len(self.made)}
        self._unsettled = _Unsettled()
        yield TakenBack(gone, len(self.made), text)
        yield from self._next()

    def _explain(self, tables: Sequence[Table], still_s: float, most: int = MOST_MOVES) -> Iterator[Event]:
        for table in tables:
            explained = engine.explain(self.game, self.state, table, most=most)
            if explained.legal and explained.moves:
                if self._past.returned(table, len(explained.moves)):
                    break
                if still_s >= WAVERING_S or not _wavers(table):
                    yield from self._made(explained.moves, table)
                return
        self._unsettled.unexplained = [*self._unsettled.unexplained[-MOST_UNEXPLAINED:], tables[0]]
        back, patient = self._past.as_earlier(tables), still_s >= PATIENCE_S
        self.puzzled = not (back and patient)
        if not patient:
            return  # nothing is undone for one tile that was overlooked: the table is looked at once more first
        if back:
            yield from self._retreat(back)
        elif self.phase != "over" and (left := self._left_to_do(tables)):
            self._unsettled.half_done = True
            yield from self._righted()
            yield from self._say(replace(self.waits(), text=left))
        elif otherwise := self._past.otherwise(tables):
            yield from self._retreat(otherwise)
            yield from self._explain(tables, still_s, max(MOST_MOVES, otherwise + 1))
        elif self.phase != "over" and explained.problems not in ((), self._unsettled.wrong):
            self._unsettled.wrong = explained.problems
            yield Wrong(faults_of(explained.problems))

    def _made(self, moves: Sequence[Any], table: Table) -> Iterator[Event]:
        """Make the moves that lead to a table."""
        between, self._unsettled = self._unsettled.unexplained, _Unsettled()
        for number, move in enumerate(in_turn(self.game, self.state, moves, table, between)):
            try:
                told = self._play(move)
            except IllegalMove:
                if not (number and isinstance(self.game, Clocked)):
                    raise
                break  # the one before came too late: whoever moved on did so for nothing
            if number:
                self._implied.add(len(self.made) - 1)
            yield told
        self._refit_to(table)
        yield from self._next()

    def _left_to_do(self, tables: Sequence[Table]) -> str:
        """What is still to be done of a move that somebody began, "" where nothing was."""
        told = (engine.left_to_do(self.game, self.state, table) for table in tables)
        return next(filter(None, told), "")

    def _refit_to(self, table: Table) -> None:
        self._missed = missing(self.game, table, self.state)
        seen = read(self.game, table, self.state)
        if not isinstance(seen, tuple) and self.game.agrees(self.state, seen):
            self._refit(seen)

    def _play(self, move: Any, *, seen: bool = True) -> Moved:
        """Make one move. Raises IllegalMove."""
        before = self.state
        if self.now_s is not None and isinstance(self.game, Clocked):
            move = self.game.stamped(before, move, self.now_s)
        after = self.game.play(before, move)
        by = maker(self.game, before)
        cells = (self.game.cells(after, move) or self.game.cells(before, move)) if isinstance(self.game, Points) else ()
        self.states.append(after)
        self.made.append(Made(str(move), by))
        return Moved(len(self.made), str(move), told_to_all(self.game, before, move), by, seen, places(cells))

    def _next(self) -> Iterator[Event]:
        """What is waited for now, or how the game ended."""
        outcome = self.game.outcome(self.state)
        if outcome:
            text = outcome.reason or ("Won." if outcome.won else "Lost.")
            yield Over(outcome.won, outcome.winners, outcome.scores, text)
            return
        yield from self._say(self.waits())

    def _say(self, waits: Waits) -> Iterator[Event]:
        """Say what is waited for, once."""
        if waits.text != self._said:
            self._said = waits.text
            yield waits

    def waits(self) -> Waits:
        """What the program waits for."""
        if not self.states:
            return Waits("Set the table up.")
        if self.phase == "over":
            return Waits("The game is over.")
        who = self.game.to_move(self.state)
        seat = None if isinstance(who, Mover) else who
        if isinstance(self.game, Owes):
            return Waits(self.game.owed(self.state), seat)
        return Waits("Your move." if self._alone or seat is None else f"Player {seat + 1} moves.", seat)

    def make(self, word: str, *, seen: bool = False) -> list[Event]:
        """Make the moves that somebody typed or tapped, or that were seen to be made: all, or none if one is refused.

        What the table shows may stay as it is until somebody makes the move there, too.
        """
        if not self.states:
            return [NOT_SET_UP]
        before, states, made = self.state, len(self.states), len(self.made)
        try:
            events: list[Event] = [self._play(move, seen=seen) for move in engine.named(self.game, self.state, word)]
        except IllegalMove as refused:
            del self.states[states:], self.made[made:]
            return [Refused(str(refused))]
        self._unsettled.overruled.append(before)  # nothing else is settled: the table lies as it lay
        return [*events, *self._next()]

    def chance(self) -> list[Event]:
        """Let the program roll or draw, where it is chance's turn."""
        moves = [*self.game.chances(self.state)] if self.states else []
        if not moves:
            return [Refused("There is nothing to roll or to draw now.")]
        chosen = random.choices([move for move, _ in moves], [share for _, share in moves])[0]
        return self.make(str(chosen))

    def again(self, word: str, *, seen: bool = True) -> None:
        """Make a move once more, as a log tells it. Raises IllegalMove."""
        self._unsettled.overruled = [] if seen else [*self._unsettled.overruled, self.state]
        for move in engine.named(self.game, self.state, word):
            self._play(move)

    def back_again(self, moves: int) -> None:
        """Take so many moves back once more, as a log tells it; who did that, and whether on the table, it does not."""
        self._unsettled.overruled.append(self.state)
        del self.states[-moves:], self.made[-moves:]

    def take_back(self) -> list[Event]:
        """Take the last move back; the tiles have to be put back by hand."""
        if not self.made:
            return [Refused("There is no move to take back.")]
        shown = [*self._unsettled.overruled, self.state]
        events = [*self._retreat(1)]
        self._unsettled.overruled = shown  # the table lies as it lay here, too
        return events

    def restart(self, state: Any) -> None:
        """Let the game go on from a state without a move before it, whatever was there until now."""
        self.states, self.made = [state], []
        self._unsettled, self._missed, self._implied = _Unsettled(), 0, set()

    def resync(self, tables: Sequence[Table]) -> list[Event]:
        """Take what lies there now for the game as it stands; hands and all that nobody sees stay as they were."""
        seen = [read(self.game, table, self.state) for table in tables]
        if self._alone and self.start is None:  # nobody has a hand, and there is no problem to keep to
            seen += [read(self.game, table, None) for table in tables]
        states = [one for one in seen if not isinstance(one, tuple)]
        if not states:
            problems = seen[0] if seen else (Problem("The table has not been seen yet."),)
            return [Refused(" ".join(problem.text for problem in problems))]
        brought = None if self.state is None else self._brought(self.state, tables)
        begun = self.state if brought else states[0]
        if refused := self._untenable(begun):
            return [Refused(refused)]
        self.restart(begun)
        resynced = Resynced("The table as it lies is taken for the game.", str(begun))
        return [resynced, *(self._made(*brought) if brought else self._next())]

    def _untenable(self, state: Any) -> str:
        """Why no game can be taken up again from what is written down of a state, in a sentence; "" where one can: not
        from a bare table, nor from one on which a queue is used up, or dice stand where they may not yet."""
        if not isinstance(self.game, Starts):
            return ""
        try:
            self.game.start(str(state))
        except BadText as bad:
            if not self._alone:
                return sentence(bad.reason)
            ended = self.game.outcome(state)
            return ended.reason if ended else NOTHING.text
        return ""

    def hint(self, level: int) -> list[Event]:
        """Help: a nudge (1), the place (2), or the move (3)."""
        return [hinted(self.game, self.state, level) if self.states else NOT_SET_UP]

    def solution(self) -> list[Event]:
        """How the puzzle goes on from here to its end, move by move."""
        return [way_to_the_end(self.game, self.state) if self.states else NOT_SET_UP]


def _wavers(table: Table) -> bool:
    """Whether a tile on a table may just as well read otherwise."""
    return any(doubt.confidence < WAVERING and not doubt.sentence for doubt in table.doubts)


def _first_sentence(text: str) -> str:
    first, stop, _ = text.partition(". ")
    return f"{first}." if stop else text
