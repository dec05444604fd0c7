"""Keeps a clock: keys, buttons and time come in, what happened is said, shown, lit and sounded."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hardware.conversation import Linked
from hardware.link import Lost
from hardware.protocol import LONGEST_COUNTDOWN_MS, SHORTEST_COUNTDOWN_MS, Pressed
from pipsight.keyboard import ENDED
from pipsight.timer import Kind, Press, Timer, lead_text, player
from pipsight.trouble import sentence
from rules.words import count

if TYPE_CHECKING:
    from hardware.feedback import Feedback
    from hardware.link import Event
    from pipsight.clock_face import Face

STEP_S = 10.0
SETTLES_S = 0.25  # a button that was pressed earlier may still be on its way
LAG_S = 0.05  # and so may one that was pressed just in time
QUITS, GOES_ON, ANEW = frozenset("qQ"), frozenset(" "), frozenset("\r\n")


@dataclass
class Timekeeper:
    """Lets everything happen to one clock. Times are those of one clock, such as time.monotonic, given with each call.

    feedback: the controller's lights and sounds, None without one. done: whether it is time to leave.
    """

    timer: Timer
    face: Face
    feedback: Feedback | None = None
    done: bool = field(default=False, init=False)
    _ticked_s: float = field(default=0.0, init=False)
    _told: int = field(default=0, init=False)
    _counted: bool = field(default=False, init=False)  # by the controller

    def begin(self, now_s: float) -> None:
        """Let a countdown run at once; any other clock waits for somebody to press."""
        self._ticked_s = now_s
        if self.timer.kind is Kind.COUNTDOWN:
            self._set(self.timer.resumed(now_s), now_s)
            self.face.say(f"{count(round(self.timer.length_s), 'second')} from now on.")

    def key(self, key: str, at_s: float) -> None:
        """A key was pressed."""
        if key in QUITS and key:
            self.done = True
        elif key == ENDED:
            self.done = self.done or (self.feedback is None and self.timer.kind is not Kind.COUNTDOWN)
        elif key in GOES_ON:
            self._paused_or_resumed(at_s)
        elif key in ANEW:
            self._again(at_s)
        elif key in "+-":
            self._change(STEP_S if key == "+" else -STEP_S, at_s)
        elif key.isdecimal():
            self._press(Press(int(key) - 1, at_s, "key"), f"Key {key}", at_s)

    def event(self, event: Event, now_s: float) -> None:
        """The controller says something: a button, or that it is there or gone."""
        match event:
            case Pressed(button, True):
                at_s = now_s if event.at_s is None else event.at_s
                self._press(Press(button, at_s, "button"), f"Button {button + 1}", now_s)
            case Lost(text):
                self.face.say(f"{sentence(text)} The clock goes on, with keys.")
            case Linked():
                self._linked(event, now_s)

    def tick(self, now_s: float) -> None:
        """Time has gone on: warn, and tell what is over or decided."""
        for second in self.timer.warned(self._ticked_s, now_s):
            if second:
                self.face.say(f"{count(second, 'second')}.")
        self._ticked_s = now_s
        if self._can_count(now_s) and not self._counted:
            self._count(now_s)
        if self.timer.runs and self.timer.is_over(now_s - LAG_S):
            self._end(now_s)
        if self._is_settled(now_s):
            self._decide()
        self.face.show(self.timer, now_s)

    def leave(self, now_s: float) -> None:
        """Let the lights go dark; the alarm of a countdown that is over plays on, and goes out by itself."""
        if self.feedback and self.timer.kind is Kind.COUNTDOWN and self.timer.is_over(now_s):
            self.feedback.turn(None)
        elif self.feedback:
            self.feedback.dark()

    def _press(self, press: Press, name: str, now_s: float) -> None:
        if not 0 <= press.seat < self.timer.players:
            self.face.say(f"{name} is nobody's: {count(self.timer.players, 'player')} take part.")
            return
        before, self.timer = self.timer, self.timer.pressed(press)
        if self.timer == before:
            if self.timer.misses(press) and not self.timer.is_over(press.at_s):
                self.face.say("The time stands still: go on first.")
            return
        self._ticked_s = min(self._ticked_s, press.at_s)
        if self.timer.kind is Kind.CHESS:
            self.face.say(f"{player(self.timer.turn)} is to move.")
            self._light(self.timer.turn)
        elif self.timer.kind is not Kind.FIRST:
            self._claimed(press, before, now_s)

    def _claimed(self, press: Press, before: Timer, now_s: float) -> None:
        """Tell a claim, and let the time run from the first one on."""
        margin_s = press.at_s - self.timer.presses[0].at_s
        self.face.say(f"{player(press.seat)} claims" + (f", {margin_s:.3f} s after the first." if margin_s else "."))
        self._light(self.timer.presses[0].seat)
        if self.timer.since_s != before.since_s:
            self._count(now_s)

    def _paused_or_resumed(self, now_s: float) -> None:
        if self.timer.is_over(now_s):
            return  # its end is only waited with, for a press that may still be on its way
        if self.timer.runs:
            self._set(self.timer.paused(now_s), now_s)
            self.face.say("The time stands still.")
        elif self.timer.stands:
            self._set(self.timer.resumed(now_s), now_s)
            self.face.say("The time runs again.")

    def _change(self, seconds: float, now_s: float) -> None:
        """Make the time longer or shorter; one that stands still ends at once where nothing is left of it."""
        was_over = self.timer.is_over(now_s)
        self._set(self.timer.more(seconds, now_s), now_s)
        if self.timer.is_over(now_s) and not was_over and not self.timer.runs:
            self._end(now_s)

    def _again(self, now_s: float) -> None:
        if self.timer.kind is Kind.COUNTDOWN:
            return
        self._told = 0
        self._set(self.timer.again(), now_s)
        if self.feedback:
            self.feedback.ready()
        self.face.say("Ready.")

    def _set(self, timer: Timer, now_s: float) -> None:
        self.timer = timer
        self._count(now_s)

    def _count(self, now_s: float) -> None:
        """Let the controller count what is left, if it can, so that it ends in time whatever happens here."""
        if not self.feedback or self.timer.kind not in (Kind.COUNTDOWN, Kind.CLAIMS):
            return
        self._counted = self._can_count(now_s)
        if self._counted:
            self.feedback.countdown(self.timer.left(now_s))
        else:
            self.feedback.stop_countdown()

    def _can_count(self, now_s: float) -> bool:
        """Whether what is left is neither too long nor too short for the controller."""
        return self.timer.runs and SHORTEST_COUNTDOWN_MS <= self.timer.left(now_s) * 1000 <= LONGEST_COUNTDOWN_MS

    def _linked(self, linked: Linked, now_s: float) -> None:
        """The controller is there: tell it what is held, and the countdown unless it runs that one still."""
        if self.feedback:
            self.feedback.linked(linked)
            left_s = self.timer.left(now_s) if self.timer.runs else 0.0
            if not linked.counts(left_s):
                self._count(now_s)
        self.face.say(sentence(str(linked)))

    def _light(self, seat: int) -> None:
        if self.feedback:
            self.feedback.turn(seat)

    def _end(self, now_s: float) -> None:
        """The time is up: say so once, and who was first."""
        self.timer = self.timer.paused(now_s)
        whose = f" for {player(self.timer.turn)}" if self.timer.kind is Kind.CHESS else ""
        self.face.say(f"The time is up{whose}.")
        if self.timer.presses:
            self.face.say(lead_text(self.timer))
        if self.feedback and self.timer.kind is Kind.CHESS:
            self.feedback.wrong()
        elif self.feedback and not self._counted:
            self.feedback.over()  # else the controller's own alarm says so
        self.done = self.done or self.timer.kind is Kind.COUNTDOWN

    def _is_settled(self, now_s: float) -> bool:
        """Whether there is something new to say about who was first, and nothing earlier can come any more."""
        if self.timer.kind is not Kind.FIRST or not self.timer.presses:
            return False
        waited = now_s - self.timer.presses[min(1, len(self.timer.presses) - 1)].at_s >= SETTLES_S
        return waited and self._told < min(2, len(self.timer.presses))

    def _decide(self) -> None:
        lit, self._told = bool(self._told), min(2, len(self.timer.presses))
        lead = self.timer.lead
        assert lead
        self.face.say(lead_text(self.timer))
        if not self.feedback or lit:
            return
        if lead.seat is None:
            self.feedback.too_close()
        else:
            self.feedback.winner(lead.seat)
