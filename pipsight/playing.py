"""Playing in text, without a camera: the table is shown, a move is asked for, the program makes its own."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pipsight.moments import ahead
from pipsight.pacing import Pace
from pipsight.sitting import PROGRAM, YOU, Sitting
from rules.course import announced, decision, drawn, heard, warned
from rules.engine import hint, named, suggest, unadvised
from rules.game import CHANCE, IllegalMove, Mover
from rules.players import Owes, Suggests, Tells
from rules.watch import Watch
from rules.words import count, listing

if TYPE_CHECKING:
    from rules.course import Decision

Ask = Callable[[str], str]
Say = Callable[[str], None]

LIMIT_S = 1.0
LOOKED_EVERY_S = 0.25
REACTION_S = (4.0, 12.0)
LISTED = 40
COLUMNS = 4
ADVISED = 3
HELP = "Type a move, or its number in the list that ? shows (#3); hint, undo, quit. An empty line shows the table."
GIVES_UP = "The program knows no way from here, and gives up."


class Quit(Exception):
    """Somebody left the game before its end."""


@dataclass
class Play:
    """A game between people at the keyboard and the program.

    ask: gives the line that is typed after a prompt, and raises EOFError when there is no more. say: prints a line.
    limit_s: how long the program thinks about a move. kept: called after each move. clock: seconds, by which the
    program's finger races yours where whoever is quickest moves. typed: whether a line is there within so many seconds;
    where nobody can tell, a line is waited for, and the clock has its say after it.
    """

    sitting: Sitting
    ask: Ask
    say: Say
    limit_s: float = LIMIT_S
    kept: Callable[[], None] = lambda: None
    clock: Callable[[], float] = time.monotonic
    typed: Callable[[float], bool] = lambda seconds: True
    _hints: tuple[int, int] = field(default=(-1, 0), init=False)
    _listed: int = field(default=-1, init=False)  # after how many moves the list was shown last

    def __post_init__(self) -> None:
        self._pace = Pace(self.sitting, self.clock)

    def run(self) -> None:
        """Play to the end. Raises Quit, EOFError or KeyboardInterrupt where somebody leaves; no move is lost then."""
        game = self.sitting.game
        self.say(f"{game.info.title}. {HELP}")
        while not (ended := game.outcome(self.sitting.state)):
            at = decision(game, self.sitting.state)
            if self.sitting.asks(at) or (not at.moves and YOU in self.sitting.seats):
                self._asked(at)
            elif at.who is CHANCE and at.moves:
                self._make((drawn(game, self.sitting.state, at.moves, self.sitting.chance("chance")),), CHANCE.value)
            elif (move := self._programs_move(at)) is not None:
                self._make((move,))
            else:
                self._show(None)
                self.say(GIVES_UP)
                return
            self.kept()
        self._show(None)
        self.say(ended.reason or ("Won." if ended.won else "Lost."))

    def _make(self, moves: tuple[Any, ...], by: str = "") -> None:
        """Make moves and say them; each is described as those see it who are not to know more. Raises IllegalMove."""
        sitting = self.sitting
        moves = tuple(map(self._pace.stamped, moves))
        first = len(sitting.states) - 1
        sitting.play(moves, by)
        for number, move in enumerate(moves, first):
            before = sitting.states[number]
            mover = sitting.game.to_move(before)
            others = [seat for seat, name in enumerate(sitting.seats) if name == YOU and seat != mover]
            told = [heard(sitting.game, before, move, seat) for seat in others]
            self.say(min(told, key=len) if told else announced(sitting.game, before, move))
            if spoilt := warned(sitting.game, before, move):
                self.say(spoilt.text)

    def _programs_move(self, at: Decision[Any, Any]) -> Any:
        """What the program does: its own best advice, or any move where it has none.

        None where nothing is legal for it, and in a puzzle to which it knows no way: any moves would go on without end.
        """
        if not at.moves:
            return None
        if self._pace.runs and isinstance(at.who, Mover):
            return self._pace.coming(self.limit_s) or at.moves[-1]
        advised = suggest(self.sitting.game, self.sitting.state, Watch(self.limit_s), self.sitting.chance("program"))
        moves = [one.move for one in advised]
        if isinstance(at.who, Mover):
            moves = [*filter(self._moves_for_the_program, moves)] or [*filter(self._moves_for_the_program, at.moves)]
            return self.sitting.chance("race").choice(moves) if moves else None
        if not moves and not isinstance(self.sitting.game, Suggests):
            return None
        return moves[0] if moves else self.sitting.chance("program").choice(at.moves)

    def _moves_for_the_program(self, move: Any) -> bool:
        seat = getattr(move, "seat", None)
        return seat is None or self.sitting.sits(seat) == PROGRAM

    def _asked(self, at: Decision[Any, Any]) -> None:
        """Ask until something happens: a move, or one taken back."""
        seat = None if isinstance(at.who, Mover) else at.who
        self._show(seat)
        if not at.moves:
            self.say("There is no legal move left: undo, or quit.")
        began, length = self.clock(), len(self.sitting.made)
        while len(self.sitting.made) == length:
            try:
                line = self._line()
                self._catch_up()
                if len(self.sitting.made) > length:
                    if not line or not self._is_asked():
                        return
                    at = decision(self.sitting.game, self.sitting.state)
                if not self._answer(at, line, began):
                    return
            except IllegalMove as refused:
                self.say(str(refused))

    def _line(self) -> str:
        """What is typed next; until then, whatever the clock and the program bring is said as it happens."""
        prompt = f"{self._pace.left()}> "
        if not self._pace.runs or self.typed(0):
            return self.ask(prompt).strip()
        self.say(f"Type when you know. {prompt}")
        while not self.typed(LOOKED_EVERY_S):
            if self._pace.overdue(self.limit_s):
                return ""
        return self.ask("").strip()

    def _catch_up(self) -> None:
        """Let happen what should have happened by now."""
        while self._pace.runs and self._is_asked() and (move := self._pace.overdue(self.limit_s)):
            self._make((move,))
            self._pace.told()

    def _is_asked(self) -> bool:
        """Whether it is still for a person to say what happens."""
        game, state = self.sitting.game, self.sitting.state
        return not game.outcome(state) and self.sitting.asks(decision(game, state))

    def _answer(self, at: Decision[Any, Any], text: str, began: float) -> bool:
        """Do what was typed; whether to go on asking unless a move was made. Raises IllegalMove, Quit."""
        match text.lower():
            case "":
                self._show(None if isinstance(at.who, Mover) else at.who)
            case "?" | "help":
                self._list(at)
            case "hint":
                self._help()
            case "undo":
                if self.sitting.take_back():
                    self._pace.taken_back()
                    self.say("Taken back.")
                    return False
                self.say("There is nothing to take back.")
            case "quit":
                raise Quit
            case _:
                self._typed(at, text, began)
        return True

    def _typed(self, at: Decision[Any, Any], text: str, began: float) -> None:
        """Make the move that was typed, unless the program was quicker."""
        if at.who is not CHANCE and isinstance(at.who, Mover) and PROGRAM in self.sitting.seats:
            dreamt = not self._pace.runs and self.clock() - began > self.sitting.chance("finger").uniform(*REACTION_S)
            if dreamt and (quicker := self._programs_move(at)) is not None:
                self.say("The program was quicker.")
                self._make((quicker,))
                return
            if not all(map(self._is_yours, self._named(at, text))):
                raise IllegalMove("That player is the program, which moves for itself.")
        if self._pace.runs:
            self._one_by_one(text)
            return
        moves = self._meant(at, text)
        if at.who is CHANCE and any(move not in at.moves for move in moves):
            raise IllegalMove(f"{text} cannot come now: ? lists what can.")
        self._make(moves)

    def _one_by_one(self, text: str) -> None:
        """Make each of the events that were typed: where the clock runs, what was right counts until one is wrong."""
        if early := ahead(text, self._pace.now_s()):
            raise IllegalMove(early)
        for word in text.replace(",", " ").split():
            self._make(self._meant(decision(self.sitting.game, self.sitting.state), word))

    def _for_you(self, at: Decision[Any, Any]) -> tuple[Any, ...]:
        """The moves that can be typed: not those of the program, nor what the clock brings."""
        return tuple(filter(self._is_yours, self._pace.typed(at.moves)))

    def _is_yours(self, move: Any) -> bool:
        seat = getattr(move, "seat", None)
        return seat is None or self.sitting.sits(seat) == YOU

    def _meant(self, at: Decision[Any, Any], text: str) -> tuple[Any, ...]:
        """The moves that a text means: the notation goes before the number in the list. Raises IllegalMove."""
        game, state, picked = self.sitting.game, self.sitting.state, self._picked(at, text)
        moves = self._named(at, text)
        try:
            for move in moves:
                state = game.play(state, move)
        except IllegalMove:
            if picked is None:
                raise
            return (picked,)
        if picked not in (None, *moves) and self._listed == len(self.sitting.made):
            listed = self._for_you(at)
            ways = [f"#{listed.index(move) + 1} for {move}" for move in (picked, *moves) if move in listed]
            raise IllegalMove(f"{text} is a move, and a number in the list: type {listing(ways, 'or')}.")
        return moves

    def _named(self, at: Decision[Any, Any], text: str) -> tuple[Any, ...]:
        """The moves that a text names, whether they are legal or not. Raises IllegalMove where it names none."""
        picked = self._picked(at, text)
        if picked is not None and text.startswith("#"):
            return (picked,)
        try:
            return named(self.sitting.game, self.sitting.state, text)
        except IllegalMove:
            if picked is None:
                raise
            return (picked,)

    def _picked(self, at: Decision[Any, Any], text: str) -> Any:
        """The move of that number in the list, None where a text is no such number."""
        number, listed = text.removeprefix("#"), self._for_you(at)
        return listed[int(number) - 1] if number.isdecimal() and 1 <= int(number) <= len(listed) else None

    def _show(self, seat: int | None) -> None:
        """The table as a seat sees it (None: as all people at the keyboard may), and what has to be done."""
        game, state = self.sitting.game, self.sitting.state
        if seat is None and YOU in self.sitting.seats and not game.outcome(state):
            seat = self.sitting.seats.index(YOU)
        self.say("")
        self.say(game.told(state, seat) if isinstance(game, Tells) else str(state))
        if isinstance(game, Owes) and not game.outcome(state):
            self.say(game.owed(state))

    def _list(self, at: Decision[Any, Any]) -> None:
        """Every legal move that can be typed, with its number; many of them without their sentences."""
        self.say(HELP)
        self._listed = len(self.sitting.made)
        listed = self._for_you(at)
        names = [f"{number:3}. {move}" for number, move in enumerate(listed, 1)]
        width = max(map(len, names), default=0)
        if len(names) <= LISTED:
            for name, move in zip(names, listed, strict=True):
                self.say(f"{name:{width}}  {self.sitting.game.describe(at.seen, move)}")
            return
        for first in range(0, len(names), COLUMNS):
            self.say("  ".join(f"{name:{width}}" for name in names[first : first + COLUMNS]).rstrip())

    def _help(self) -> None:
        """Advice; in a puzzle a little more each time it is asked for."""
        game, state = self.sitting.game, self.sitting.state
        if self._pace.runs or not isinstance(game, Suggests):
            here, level = self._hints
            level = min(3, level + 1) if here == len(self.sitting.made) else 1
            self._hints = len(self.sitting.made), level
            self.say(hint(game, state, level, Watch(max(self.limit_s, 10.0))).text)
            return
        found = suggest(game, state, Watch(self.limit_s), self.sitting.chance("hint"))
        for one in found[:ADVISED]:
            self.say(f"{one.move}: {one.reason}")
        if not found:
            self.say(unadvised(game, state) or "There is nothing to advise here.")


def summary(sitting: Sitting) -> str:
    """How far a game has come, in a sentence."""
    return f"{sitting.game.info.title}, after {count(len(sitting.made), 'move')}."
