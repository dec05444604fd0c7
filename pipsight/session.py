"""One loop for one table: frame -> Scene -> steady Table -> what happened. It knows neither HTTP nor HTML.

Frames come by `see`, what people ask for by `do`; both answer with events, which are on disk before they are returned.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pipsight.asking import Ask, Chance, Correct, Hint, HuntAgain, Move, Pause, Press, Resync, Solution, TakeBack
from pipsight.calling import Caller
from pipsight.correcting import corrected
from pipsight.deadlines import Deadlines
from pipsight.events import Paused, Pressed, Recovered, Refused, TakenBack, Trouble, as_json
from pipsight.follower import BEGUN_S, Follower
from pipsight.hunt.finishes import Finishes
from pipsight.look import Look
from pipsight.moments import ahead
from pipsight.opening import REFEREED
from pipsight.presses import SAYS_S, Presses
from pipsight.record import FullDisk, Log, Recorded
from pipsight.referee import NO_HUNT, Referee
from pipsight.trouble import PipsightError
from rules.cobra_paw.state import Hunt
from rules.errors import RulesError
from rules.game import ANYONE, IllegalMove, Mover, Starts
from rules.players import Clocked, Seated
from vision.following.likeness import same_die
from vision.health import Health

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calibration.tileset import TileSet
    from pipsight.events import Event
    from rules.game import Game
    from vision.camera import Frame
    from vision.motion import Polygon
    from vision.scene import DieDetection


DICE_S = 0.45  # dice are read one after the other: until both are, one of them shows what it showed before
FAINT_S = 0.7  # what hardly looks like a die, where one lacks, is believed once it has been looked at for so long
HANDS_S = 4.0  # so long may hands be over what is half done before it is told of as wrong
SEARCHED_S = 1.0  # so long at most the game waits until all that changed was read
LOOK_S = 1 / 45  # a table is read no oftener than that; the referee sees every frame
RACED_S = 0.095  # and no oftener than that while the referee watches hands
MENDED_S = 0.6  # while something moves what was wrong is right, or a move, once it has lain so long
PUZZLED_S = 0.6  # less than the patience with which a fault is told
STANDS = Refused("The table is paused: go on first.")


class CannotResume(PipsightError, ValueError):
    """A session that cannot go on from its log; the text says from which line on."""


class Session:
    """Follows one game on one table.

    start: the state in which the game begins, None where whatever lies on the table is the start. log: where all that
    happens is kept; None keeps nothing.

    >>> session = Session(game("unmatched"), problem("unmatched", "5"))  # doctest: +SKIP
    >>> with open_camera("0") as camera:  # doctest: +SKIP
    ...     for frame in camera:
    ...         for event in session.see(frame, live=camera.live):
    ...             print(event)
    """

    def __init__(self, game: Game[Any, Any], start: Any = None, log: Log | None = None) -> None:
        if isinstance(start, Hunt):
            start = replace(start, since_s=None)  # it was told by another camera's clock
        self.follower = Follower(game, start)
        self.look = Look(game, lambda: self.follower.state, lambda: self.follower.awaited)
        self.paused = False
        self.trouble = ""
        self.time_s = 0.0
        self.began_s = 0.0  # when the game began that is taken up again, by its own clock
        known_s = game.since(start) if isinstance(game, Clocked) and start is not None else None
        self._midway = known_s is not None
        self._stood_s = -(known_s or 0.0)  # a start in the middle of a game goes on by its own clock
        self._resumed_s = self._seen_s = 0.0
        self._health, self._log = Health(), log
        self.finishes = Finishes(log.path if log else None)
        self.referee = Referee(self.follower, self.finishes.keep) if game.info.slug == REFEREED else None
        self._deadlines = Deadlines(self.follower)
        self.presses = Presses()
        self._looked_s = -LOOK_S
        self._caller = Caller()
        self._showed: list[int] = []  # the thrown dice, when the game was last told of them
        self._dice: tuple[DieDetection, ...] = ()  # all dice, as they lay then

    @property
    def game(self) -> Game[Any, Any]:
        """The game that is followed."""
        return self.follower.game

    @property
    def players(self) -> int:
        """How many play."""
        state = self.follower.state
        return state.players if isinstance(state, Seated) else self.game.info.players[0]

    @property
    def claims(self) -> bool:
        """Whether a press claims: in a race, while all think."""
        return self._thinks and not self.paused

    @property
    def _thinks(self) -> bool:
        """Whether all think, in a race."""
        playing = isinstance(self.game, Clocked) and self.follower.phase == "playing"
        return playing and self.game.to_move(self.follower.state) is ANYONE

    def played_s(self, time_s: float) -> float:
        """A moment of the frames' clock by the clock of the game, which stands while the table is paused."""
        return time_s - self._stood_s

    def _clock_s(self, time_s: float) -> float:
        """A moment of the frames' clock by the clock of the moves: the referee sees touches by that of the frames."""
        return self.played_s(time_s) if isinstance(self.game, Clocked) else time_s

    def know(self, taught: Sequence[TileSet]) -> None:
        """Know which taught sets lie on the table."""
        self.look.know(taught)
        self._caller = Caller(taught)

    def see(self, frame: Frame, *, live: bool = False, lit: Sequence[Polygon] = ()) -> list[Event]:
        """What this frame shows to have happened. live: the camera takes pictures at this moment.

        lit: where LEDs may shine in the picture, in pixels.
        """
        self.until(frame.time_s)
        self._seen_s = frame.time_s
        events: list[Event] = []
        trouble = self._health.trouble(frame, live=live)
        if trouble != self.trouble:
            told = Trouble(trouble) if trouble else Recovered("The camera shows the table again.")
            events += [told, *(self.closed() if trouble else [])]
            self.trouble = trouble
        if not trouble and self._health.shows:
            if self.referee and not self.paused:
                events += self.referee.see(frame, self.look, lit)
            if frame.time_s - self._looked_s >= self._pause_s or not live:
                self._looked_s = frame.time_s
                self.look.see(frame, lit)
            if self.follower.phase == "setting up":
                events += self._caller.see(self.look)
            if not self.paused:
                events += self._settled()
        return self.kept([*events, *self._due()])

    @property
    def _pause_s(self) -> float:
        """The least time between two readings of the table: while a referee watches hands it has the time."""
        return RACED_S if self.referee and self.referee.busy else LOOK_S

    def until(self, time_s: float) -> None:
        """Let the time pass up to a moment of the frames' clock; while the game waits it does not count."""
        passed_s = max(0.0, time_s - self.time_s)
        self.time_s += passed_s
        if self._stands:
            self._stood_s += passed_s
            self._resumed_s = self.time_s

    @property
    def _stands(self) -> bool:
        """Whether the clock of the game stands: in a pause, while nobody sees what a player moves in time, and while
        the table is set up for the middle of a game."""
        if self.follower.phase == "setting up":
            return self.paused or self._midway
        blind = self.trouble and isinstance(self.game, Clocked) and self.follower.phase == "playing"
        return self.paused or bool(blind and not isinstance(self.game.to_move(self.follower.state), Mover))

    def passed(self, time_s: float) -> list[Event]:
        """What the clock brings up to a moment of the frames' clock at which there was no frame."""
        self.until(time_s)
        return self.kept(self._due())

    def _due(self) -> list[Event]:
        """What the game's clock brings."""
        now_s = self.played_s(self.time_s)
        if not self._thinks:
            self.presses.forget()  # what was told of only once the time was up
        lapsed = [] if self.paused else self.presses.lapsed(now_s)
        ended = self._deadlines.see(now_s, self.look.still_s, self.presses.first_s, stands=self._stands)
        return [*lapsed, *ended]

    def _settled(self) -> list[Event]:
        """What the table says; where that makes no sense it is read once more as a whole before anybody is told."""
        self.follower.now_s = self.played_s(max(self._resumed_s, self._seen_s - self.look.still_s))
        if self.referee and (self.referee.busy or self.look.still_s < DICE_S):
            return []
        if self.look.searching and self.look.still_s < SEARCHED_S:
            return []
        if self.look.still_s < DICE_S and self._thrown() != self._showed:
            return []
        if self._doubtful_dice and (self.look.still_s < FAINT_S or self.look.moving or self.look.busy):
            if self.look.still_s >= PUZZLED_S:
                self.look.look_again()
            return []
        mends_s = HANDS_S if self.look.covered else MENDED_S
        if self.follower.wrong and self.look.moving and self.look.still_s < mends_s:
            return []  # somebody is mending what was wrong: half of that may look like a move
        tables = self.referee.middle.tables(self.look) if self.referee else self.look.tables
        self._showed, self._dice = self._thrown(), self.look.scene.dice
        events = self.follower.see(tables, self._patience_s)
        if self.follower.puzzled and self.look.still_s >= PUZZLED_S:
            self.look.look_again()
        return events

    @property
    def _patience_s(self) -> float:
        """How long the table has lain so; while a hand is over it, not long enough yet to call anything wrong."""
        still_s = self.look.still_s
        return min(still_s, BEGUN_S) if still_s < HANDS_S and self.look.busy else still_s

    @property
    def _doubtful_dice(self) -> bool:
        """Whether a die that came to its place may be none: one is on its way, and where it lands is not yet read."""
        doubtful = [die for die in self.look.scene.dice if die.doubtful]
        return not all(any(same_die(die, known) for known in self._dice) for die in doubtful)

    def _thrown(self) -> list[int]:
        """What the dice show that stand on no cell."""
        return sorted(die.value for table in self.look.tables[:1] for die in table.dice if die.cell is None)

    def lost(self, text: str) -> list[Event]:
        """The camera gives no more frames, and why; the game waits for it."""
        if text == self.trouble:
            return []
        self.trouble = text
        return self.kept([Trouble(text), *self.closed()])

    def closed(self) -> list[Event]:
        """What was open to the frames that follow, closed by those there were: none follow for now."""
        return self.referee.pause() if self.referee else []

    def do(self, ask: Ask, at_s: float | None = None) -> list[Event]:
        """Do what somebody asked for; what cannot be done is refused in a sentence.

        at_s: when that was, by the frames' clock; None is now. What was due by then happens first.
        """
        at_s = self.time_s if at_s is None else at_s
        return [*self.passed(at_s), *self._done(ask, at_s)]

    def _done(self, ask: Ask, at_s: float) -> list[Event]:
        """Do what somebody asked for; only a press counts from before what is known by now."""
        self.follower.now_s = self.played_s(self.time_s)
        events: list[Event]
        match ask:
            case Press() | Move() | Chance() if self._waits(ask):
                events = [STANDS]
            case Hint() | Solution():
                events = self.follower.hint(ask.level) if isinstance(ask, Hint) else self.follower.solution()
            case Move() | Chance():
                events = self._make(ask)
            case TakeBack():
                events = self._take_back()
            case Resync():
                self.look.see_all()
                events = self.follower.resync(self.look.tables)
            case Pause(on):
                events = self._pause(on=on)
            case HuntAgain():
                events = self.referee.again() if self.referee else [NO_HUNT]
            case Press(seat, on):
                events = self._press(seat, at_s, on=on)
            case Correct():
                events = self._correct(ask)
        return self.kept([*events, *self._due()])

    def _waits(self, ask: Press | Move | Chance) -> bool:
        """Whether that waits for the end of a pause: all in a game on the clock, in a hunt its next dice."""
        rolls = self.referee is not None and isinstance(ask, Chance)
        return self.paused and (rolls or isinstance(self.game, Clocked))

    def _make(self, ask: Move | Chance) -> list[Event]:
        """Make a move that somebody names, or leaves to chance."""
        ask = Move(self.presses.dated(ask.move)) if isinstance(ask, Move) else ask
        if isinstance(ask, Move) and (early := ahead(ask.move, self._clock_s(self.time_s))):
            return [Refused(early)]
        if self.referee is None:
            return self.follower.make(ask.move) if isinstance(ask, Move) else self.follower.chance()
        events = self.referee.decided(ask.move) if isinstance(ask, Move) else self.follower.chance()
        self.referee.middle.overlook(self.look.scene.dice)
        return events

    def go_on(self) -> list[Event]:
        """End a pause in which the program was ended; what the clock brings comes once somebody is there to hear it."""
        return self.kept(self._pause(on=False)) if self.paused else []

    def _pause(self, *, on: bool) -> list[Event]:
        closed = self.closed() if on else []
        self.paused, told = on, "Paused: the table is not followed." if on else "The table is followed again."
        return [*closed, Paused(on, told)]

    def _take_back(self) -> list[Event]:
        events = self.follower.take_back()
        if isinstance(events[0], TakenBack):
            self.allow_anew()
        return events

    def allow_anew(self) -> None:
        """After something was taken back, set the clock back for who moves alone, and for all where the time is up."""
        game, state = self.game, self.follower.state
        if not self.follower.states or not isinstance(game, Clocked) or (since_s := game.since(state)) is None:
            return
        if isinstance(game.to_move(state), Mover):
            due = game.due(state)
            if due is None or due.time_s > self.played_s(self.time_s):
                return  # nobody gets time back while the minute runs
            since_s = min(since_s, due.time_s - SAYS_S)  # another number can be said
        self._stood_s = self.time_s - since_s
        self._deadlines.anew()

    def leave(self) -> None:
        """Keep how far the clock has come, for whoever takes the game up again; nothing is kept after that."""
        self.kept(self._deadlines.left(self.played_s(self.time_s)))
        self._log = None

    def _press(self, seat: int, at_s: float, *, on: bool) -> list[Event]:
        if seat >= self.players:
            return [Refused(f"There is no player {seat + 1}: there are {self.players}.")]
        if on and not self.claims:
            return [Refused("There is nothing to claim now.")]
        told, means = ("pressed", "claim") if on else ("takes the press back", "withdrawn")
        return [Pressed(f"Player {seat + 1} {told}.", seat, round(self.played_s(at_s), 4), means)]

    def _correct(self, ask: Correct) -> list[Event]:
        told = corrected(self.look, ask)
        return [told, *([] if self.paused or isinstance(told, Refused) else self._settled())]

    def kept(self, events: list[Event]) -> list[Event]:
        """The events, once they are on the disk, be they found out beside the session, as a hint that took long.

        A disk that is full does not stop the game, and is said once.
        """
        self.presses.hear(events)
        for number, event in enumerate(events):
            if self._log is None:
                break
            try:
                self._log.write(as_json(event, self.time_s))
            except FullDisk as full:
                self._log = None
                return [*events[:number], Trouble(f"{full}. The game goes on, but is no longer kept"), *events[number:]]
        return events


def resumed(recorded: Recorded, session: Session) -> Session:
    """The session with the game as its log left it: every move is played again by the rules.

    Raises CannotResume at the first line that the rules refuse.
    """
    for number, entry in enumerate(recorded.entries, 2):
        try:
            _passed(session, entry)
            _again(session.follower, entry)
            session.presses.again(entry)
            if entry.get("event") == "taken_back":
                session.allow_anew()
        except (IllegalMove, RulesError) as refused:
            raise CannotResume(f"line {number} of the log cannot be played again: {refused}") from None
        except (ValueError, KeyError, TypeError, IndexError):
            raise CannotResume(f"line {number} of the log cannot be played again: it is damaged") from None
    if session.referee:
        session.referee.middle.taken_up(recorded.entries)
    return session


def _passed(session: Session, entry: dict[str, Any]) -> None:
    """Let the time pass until an entry of the log; what does not count did not count then either."""
    session.until(float(entry.get("time_s", 0.0)))
    match entry.get("event"):
        case "began":
            session.began_s = session.played_s(session.time_s)
        case "paused":
            session.paused = bool(entry["on"])
        case "trouble" | "recovered":
            session.trouble = str(entry["text"]) if entry["event"] == "trouble" else ""


def _again(follower: Follower, entry: dict[str, Any]) -> None:
    """Do to the game what an entry of the log says."""
    match entry.get("event"):
        case "began" | "resynced":
            follower.restart(_state(follower, entry["state"]))
        case "moved":
            follower.again(str(entry["move"]), seen=bool(entry.get("seen", True)))
        case "taken_back":
            follower.back_again(len(entry["moves"]))


def _state(follower: Follower, text: str) -> Any:
    if not text or not isinstance(follower.game, Starts):
        return follower.start
    return follower.game.start(text)
