"""A wizard that works at a live table: frames and answers go in, events and pictures come out.

The work itself, such as finding a lens, is a plain function that asks its desk for the next frame or for an answer and
waits. It runs in a thread of its own; whoever stops it makes that waiting end.
"""

from __future__ import annotations

import queue
import threading
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Protocol

from pipsight.events import kind_of
from pipsight.trouble import in_words, sentence
from pipsight.wizards.wizard_events import VERSION, Finished, Guided
from vision.clip import small

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pipsight.wizards.wizard_asks import Reply
    from pipsight.wizards.wizard_events import WizardEvent
    from vision.camera import Frame
    from vision.straighten import Image

    Work = Callable[["Desk"], Finished]

KEPT_BEFORE = "What was known before is kept."
STOPPED = f"Stopped. {KEPT_BEFORE}"
OVER = f"The camera gives no more pictures. {KEPT_BEFORE}"
PATIENCE_S = 0.2  # so often who waits looks up whether it was stopped


class Stopped(Exception):
    """Nobody waits for the wizard any more, or no more frames come; the text says which."""


class Over(Stopped):
    """No more frames come."""


class Listener(Protocol):
    """Whoever hears of a wizard; called in its thread, and not to be waited for."""

    def told(self, event: dict[str, Any]) -> None:
        """The wizard says something, as the protocol writes it."""
        ...

    def pictured(self, number: int) -> None:
        """There is a new picture, by its number."""
        ...


class Desk:
    """What a wizard works at: the camera's frames, a person's replies, and somebody who listens."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._frames: queue.Queue[Frame | None] = queue.Queue(1)
        self._replies: queue.SimpleQueue[Reply] = queue.SimpleQueue()
        self._closed = threading.Event()
        self._picture: tuple[int, bytes] = (0, b"")
        self._said: WizardEvent | None = None
        self._ended = False

    # Outside: the table and the page

    def see(self, frame: Frame, *, live: bool) -> None:
        """Take one frame; a live camera's newest one wins, a film waits until its frame was looked at."""
        while not self._closed.is_set():
            try:
                self._frames.put(frame, timeout=None if live else PATIENCE_S, block=not live)
                return
            except queue.Full:
                if live:
                    with suppress(queue.Empty):
                        self._frames.get_nowait()

    def ended(self) -> None:
        """Say that the film is over."""
        while not self._closed.is_set():
            with suppress(queue.Full):
                self._frames.put(None, timeout=PATIENCE_S)
                return

    def reply(self, reply: Reply) -> None:
        """Hand in what a person says."""
        self._replies.put(reply)

    def picture(self) -> tuple[int, bytes]:
        """The newest picture, as a JPEG, and its number."""
        return self._picture

    def close(self) -> None:
        """Let nobody wait at this desk any longer."""
        self._closed.set()

    @property
    def closed(self) -> bool:
        """Whether the wizard was stopped, or has come to its end."""
        return self._closed.is_set()

    # Inside: the wizard

    def frames(self, *, held: bool = False) -> Iterator[Frame]:
        """The frames as they come. held: the last one again where no newer one comes. Raises Stopped, and Over."""
        last: Frame | None = None
        while True:
            self.check()
            frame = self._next()
            if frame is None and self._ended and not (held and last):
                raise Over(OVER)
            last = frame or (last if held else None)
            if last is not None:
                yield last

    def _next(self) -> Frame | None:
        """The next frame, None where none comes for a while."""
        try:
            frame = self._frames.get(timeout=PATIENCE_S)
        except queue.Empty:
            return None
        self._ended = frame is None
        return frame

    def replied(self) -> Reply | None:
        """What a person said meanwhile, None where nothing was said. Raises Stopped."""
        self.check()
        with suppress(queue.Empty):
            return self._replies.get_nowait()
        return None

    def answer(self) -> Reply:
        """Wait for what a person says. Raises Stopped."""
        while True:
            self.check()
            with suppress(queue.Empty):
                return self._replies.get(timeout=PATIENCE_S)

    def check(self) -> None:
        """Go on only while somebody wants that. Raises Stopped."""
        if self._closed.is_set():
            raise Stopped(STOPPED)

    def tell(self, event: WizardEvent) -> None:
        """Say something, unless it was the last thing said."""
        if event != self._said:
            self._said = event
            self._listener.told({"v": VERSION, "event": kind_of(event), **asdict(event)})

    def show(self, image: Image) -> None:
        """Show a BGR picture."""
        number = self._picture[0] + 1
        self._picture = (number, small(image))
        self._listener.pictured(number)


class Wizard:
    """One wizard's work at its desk, in a thread of its own; over: called at its end, whatever came of it."""

    def __init__(self, desk: Desk, work: Work, over: Callable[[], None]) -> None:
        self.desk, self._work, self._over = desk, work, over
        self._thread = threading.Thread(target=self._run, name="wizard", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End, keeping what was known before; doing so twice is no harm."""
        self.desk.close()

    def _run(self) -> None:
        try:
            end = self._work(self.desk)
        except Stopped as stopped:
            end = Finished(str(stopped))
        except Exception as error:
            words = in_words(error)
            end = Finished(f"{sentence(words)} {KEPT_BEFORE}" if words else KEPT_BEFORE)
            if words is None:
                raise
        finally:
            self.desk.close()
            self._over()
            self.desk.tell(end)


def trouble(text: str) -> Guided:
    """What is said while the camera shows nothing."""
    return Guided(sentence(text), "waiting")
