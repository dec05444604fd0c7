"""A voice of this machine, for a table without a browser near it: whichever speaking program is installed says it."""

from __future__ import annotations

import queue
import shutil
import subprocess
import threading
from contextlib import suppress
from typing import Any

from pipsight.trouble import PipsightError

PROGRAMS = (("espeak-ng", "--"), ("espeak", "--"), ("say", "--"), ("spd-say", "--wait", "--"))
SPOKEN = frozenset(
    "began moved wrong taken_back hinted resynced over trouble recovered lights_lost calibration".split()
)
WAITING = 3  # sentences; older ones are no news any more
LONGEST_S = 20.0


class NoVoice(PipsightError, RuntimeError):
    """No program that speaks is installed."""


def program() -> tuple[str, ...]:
    """The program that speaks on this machine, and its options. Raises NoVoice where none is installed."""
    for name, *options in PROGRAMS:
        if path := shutil.which(name):
            return (path, *options)
    raise NoVoice("no program that speaks is installed: install espeak-ng, or switch the page's voice on")


class Voice:
    """An `audience.Listener` that says aloud what happens, one sentence after the other, in a thread of its own.

    command: a program and its options; the sentence is its last argument.
    """

    def __init__(self, command: tuple[str, ...]) -> None:
        self._command = command
        self._sentences: queue.Queue[str] = queue.Queue(WAITING)
        threading.Thread(target=self._speak, name="voice", daemon=True).start()

    @classmethod
    def found(cls) -> Voice:
        """The voice of this machine. Raises NoVoice where none is installed."""
        return cls(program())

    def say(self, sentence: str) -> None:
        """Say a sentence after those that wait; where too many do, the oldest is left out."""
        while True:
            try:
                self._sentences.put_nowait(sentence)
            except queue.Full:
                with suppress(queue.Empty):  # the voice may take them all just now, and whoever tells waits for nobody
                    self._sentences.get_nowait()
            else:
                return

    def told(self, event: dict[str, Any]) -> None:
        """Say what has just happened."""
        faults = event.get("faults") or [{}]
        sentence = str(event.get("text") or faults[0].get("text", ""))
        if event.get("event") in SPOKEN and sentence and not event.get("past"):
            self.say(sentence)

    def shown(self, view: dict[str, Any]) -> None:
        """A view is not for ears."""

    def pictured(self, number: int) -> None:
        """Nor is a picture."""

    def _speak(self) -> None:
        while True:
            command = [*self._command, self._sentences.get()]
            try:
                subprocess.run(command, capture_output=True, timeout=LONGEST_S)
            except (OSError, subprocess.TimeoutExpired):
                continue
