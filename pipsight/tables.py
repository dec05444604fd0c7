"""The tables of one server: each has a session, a camera in a thread of its own, and listeners for what happens."""

from __future__ import annotations

import threading
import time
from collections import deque
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from pipsight.asking import Hint, Solution
from pipsight.events import Refused, Trouble, as_json
from pipsight.frame_clock import FrameClock
from pipsight.lighting import Lighting
from pipsight.onlooking import Onlooking
from pipsight.sessions import renewed
from pipsight.sources import opened
from pipsight.standing import Standing
from pipsight.trouble import PipsightError
from pipsight.view import onlooked, view
from pipsight.worker import Worker
from vision.camera import PushedCamera
from vision.clip import clip, small

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipsight.asking import Ask
    from pipsight.config import Lights
    from pipsight.events import Event
    from pipsight.session import Session
    from pipsight.sessions import Begun
    from vision.camera import Camera, Frame
    from vision.motion import Polygon

STORY = 400  # events that a page which comes later still hears of
VIEW_S = 0.2  # what only wanders by parts of a pixel is shown so often
CLIP_RATE, CLIP_S = 6.0, 10.0
MOST_TABLES = 8
LIGHTING = frozenset({"hinted", "moved", "taken_back", "resynced", "began", "wrong"})
"""The events after which other cells are lit, or none."""


class NoTable(PipsightError, LookupError):
    """A table that is not there; the text says which are."""


class NoPicture(PipsightError, LookupError):
    """A picture that is not kept, or not any more."""


class TooMany(PipsightError, RuntimeError):
    """More tables than one machine can follow."""


class Listener(Protocol):
    """Somebody who hears of a table; called in any thread, and not to be waited for."""

    def told(self, event: dict[str, Any]) -> None:
        """Something happened, as the protocol writes it."""
        ...

    def shown(self, view: dict[str, Any]) -> None:
        """The table stands like this now."""
        ...

    def pictured(self, number: int) -> None:
        """There is a new picture of the table, by its number."""
        ...


class LiveTable:
    """One table that is followed live; its methods may be called from any thread."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.session: Session | Onlooking = Onlooking()
        self.story: deque[dict[str, Any]] = deque(maxlen=STORY)
        self.begun: Begun | None = None
        self._lock, self._thinking = threading.RLock(), threading.Lock()
        self._listeners: list[Listener] = []
        self._worker: Worker | None = None
        self._camera: Camera | None = None
        self._source, self._over = "", False
        self._frame: Frame | None = None
        self._number = 0
        self._small: tuple[int, bytes] = (0, b"")
        self._film: deque[tuple[float, bytes]] = deque(maxlen=round(CLIP_RATE * CLIP_S))
        self._view: dict[str, Any] = {}
        self._viewed_s = self._began_s = 0.0
        self._lit: tuple[tuple[int, int], ...] = ()
        self._hinted: tuple[tuple[int, int], ...] = ()
        self._clock, self._standing = FrameClock(), Standing()
        self._lighting: Lighting | None = None

    # Who listens

    def join(self, listener: Listener) -> None:
        """Tell somebody all that happened so far, the table as it stands, and all that happens from now on."""
        with self._lock:
            for event in self.story:
                listener.told({**event, "past": True})
            listener.shown(self.shown())
            self._listeners.append(listener)
            if self._number:
                listener.pictured(self._number)

    def leave(self, listener: Listener) -> None:
        """Tell somebody no more; doing so twice is no harm."""
        with self._lock, suppress(ValueError):
            self._listeners.remove(listener)

    def shown(self) -> dict[str, Any]:
        """The table as it stands, as the protocol writes it."""
        with self._lock:
            here = self.session
            seen = onlooked(here) if isinstance(here, Onlooking) else view(here, self._lit, self._hinted)
            camera = {"source": self._source, "name": self._camera.name if self._camera else "", "over": self._over}
            clock_s = round(self.session.time_s - self._began_s, 1) if seen["view"] in ("playing", "over") else 0.0
            return {**seen, "table": self.name, "camera": camera, "clock_s": clock_s}

    # What is played

    def play(self, begun: Begun) -> None:
        """Follow another game, or none, on the same table."""
        with self._lock:
            if self.begun:
                self.begun.close()
            self.story.clear()
            self.story.extend(begun.past)
            self._began_s = 0.0 if begun.past else self.session.time_s
            begun.session.time_s = max(begun.session.time_s, self.session.time_s)
            self.session, self.begun = begun.session, begun
            self._publish([Trouble(begun.trouble)] if begun.trouble else [])

    def do(self, ask: Ask) -> list[Event]:
        """Do what somebody asked for; what happens is told to everybody, a refusal is returned for who asked."""
        if isinstance(ask, Hint | Solution) and not isinstance(self.session, Onlooking):
            return self._think(ask)
        with self._lock:
            return self._heard(self.session.do(ask))

    def _think(self, ask: Hint | Solution) -> list[Event]:
        """Help that may take long: the table is followed meanwhile."""
        if not self._thinking.acquire(blocking=False):
            return [Refused("The last question is still being thought about.")]
        try:
            with self._lock:
                session = self.session
                assert not isinstance(session, Onlooking)
                follower = session.follower
                then = replace(follower, states=[*follower.states], made=[*follower.made])
            events = then.hint(ask.level) if isinstance(ask, Hint) else then.solution()
            with self._lock:
                if session is not self.session or then.made != follower.made:
                    return [Refused("The table has changed meanwhile: ask again.")]
                return self._heard(session.tell(events))
        finally:
            self._thinking.release()

    def _heard(self, events: list[Event]) -> list[Event]:
        self._publish([event for event in events if not isinstance(event, Refused)])
        return [event for event in events if isinstance(event, Refused)]

    def tell(self, events: list[Event]) -> None:
        """Tell everybody what happened beside the table, as a press of a button; it is kept with the game."""
        with self._lock:
            if events:
                self._publish(self.session.tell(events))

    # Lights and buttons

    def light(self, settings: Lights) -> None:
        """Give this table the lights and buttons."""
        self._lighting = Lighting(self, settings)
        self.join(self._lighting)

    @property
    def players(self) -> int:
        """How many play."""
        return self.session.players

    @property
    def paused(self) -> bool:
        """Whether the table is not followed for now."""
        return self.session.paused

    def moment(self, here_s: float) -> float:
        """A moment of time.monotonic by the clock of the frames."""
        return self._clock.table_s(here_s)

    # What the camera sees

    def watch(self, source: str) -> None:
        """Look through another camera. Raises CameraError where it cannot be used."""
        found = opened(source)
        with self._lock:
            worker, self._worker = self._worker, None
        if worker:
            worker.stop()
        with self._lock:
            self._source, self._camera, self._over = source, found, False
            self._standing = Standing.of(source)
            self._worker = Worker(found, lambda: self._reopened(source), self, self.session.time_s)
            self._worker.start()
            self._publish([])

    def follow(self, source: str) -> None:
        """Look through a camera to the end of its frames, as fast as it gives them. Raises CameraError."""
        self._source, self._standing = source, Standing.of(source)
        with opened(source) as camera:
            self._camera = camera
            for frame in camera:
                self.see(frame, live=camera.live)

    def _reopened(self, source: str) -> Camera:
        camera = opened(source)
        self._camera = camera
        return camera

    @property
    def pushed(self) -> PushedCamera | None:
        """The camera that a page sends its pictures to, None where the table is seen by another one."""
        return self._camera if isinstance(self._camera, PushedCamera) else None

    @property
    def frames_seen(self) -> int:
        """How many frames were looked at."""
        return self._number

    def see(self, frame: Frame, *, live: bool) -> None:
        """Look at one frame."""
        with self._lock:
            self._clock.saw(frame.time_s, time.monotonic())
            frame = self._standing.upright(frame)
            events = self.session.see(frame, live=live, lit=self._lit_px(frame) if live else ())
            self._frame = frame
            self._number += 1
            self._publish(events, soon=False)
            look = self.session.look
            stands = self._standing.see(frame, look.scene, calm=not look.moving)
            self._publish(self.session.tell(stands), soon=False)
            for listener in self._listeners:
                listener.pictured(self._number)
            due = not self._film or not 0 <= frame.time_s - self._film[-1][0] < 1 / CLIP_RATE
        if due:
            self._film.append((frame.time_s, self.picture()[1]))

    def _lit_px(self, frame: Frame) -> tuple[Polygon, ...]:
        """Where the table's own LEDs may shine in a frame."""
        if self._lighting is None:
            return ()
        return self._standing.lit_px(self._lighting.glow(self._clock.here_s(frame.time_s)))

    def lost(self, text: str) -> None:
        """The camera gives no more frames for now, and why."""
        with self._lock:
            self._publish(self.session.lost(_sentence(text)))

    def ended(self) -> None:
        """The film is over."""
        with self._lock:
            self._over = True
            self._publish([])

    def again(self) -> None:
        """Begin game and film once more. Raises CameraError where the film is gone."""
        if self.begun:
            self.play(renewed(self.begun))
        self.watch(self._source)

    # Pictures

    def picture(self) -> tuple[int, bytes]:
        """The newest picture, small, as a JPEG, and its number; 0 and nothing where none was taken yet."""
        frame, number = self._frame, self._number
        if frame is None:
            return 0, b""
        if self._small[0] != number:
            self._small = (number, small(frame.image))
        return self._small

    def finish(self, name: str) -> bytes:
        """A photo finish as a JPEG. Raises NoPicture where it is not kept."""
        found = None if isinstance(self.session, Onlooking) else self.session.finishes.get(name)
        if found is None:
            raise NoPicture(f"there is no photo finish {name} any more: the newest ones are kept")
        return found

    def clip(self) -> bytes:
        """The last seconds as an .mp4 film. Raises PictureError where nothing was seen yet."""
        film = list(self._film)
        return clip([data for _, data in film], CLIP_RATE)

    def close(self) -> None:
        """Let camera and log go; doing so twice is no harm."""
        with self._lock:
            worker, self._worker = self._worker, None
        if worker:
            worker.stop()
        if self._lighting:
            self._lighting.close()
        if self.begun:
            self.begun.close()

    # Telling

    def _publish(self, events: list[Event], *, soon: bool = True) -> None:
        """Tell events to everybody, and how the table stands: at once after events, else now and then."""
        for event in events:
            self._tell(as_json(event, self.session.time_s))
        if self._listeners and (events or soon or self.session.time_s - self._viewed_s >= VIEW_S):
            self._viewed_s = self.session.time_s
            seen = self.shown()
            if _lasting(seen) != _lasting(self._view):
                self._view = seen
                for listener in self._listeners:
                    listener.shown(seen)

    def _tell(self, told: dict[str, Any]) -> None:
        if told["event"] == "began":
            self._began_s = self.session.time_s
        if told["event"] in LIGHTING:
            self._lit = tuple(told.get("cells", ()))
            self._hinted = self._lit if told["event"] == "hinted" else ()
        self.story.append(told)
        for listener in self._listeners:
            listener.told(told)


def _lasting(seen: dict[str, Any]) -> dict[str, Any]:
    """A view without its clocks, which alone are no news."""
    waits = {name: value for name, value in seen.get("waits", {}).items() if name != "time_s"}
    return {**seen, "waits": waits, "clock_s": 0}


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].removesuffix(".") + "."


class Tables:
    """The tables of one server by their names, "1", "2", ..."""

    def __init__(self) -> None:
        self._tables: dict[str, LiveTable] = {}
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[LiveTable]:
        return iter(list(self._tables.values()))

    def __getitem__(self, name: str) -> LiveTable:
        table = self._tables.get(name)
        if table is None:
            raise NoTable(f"there is no table {name[:20]}: there is {', '.join(self._tables) or 'none'}")
        return table

    def add(self, source: str, begun: Begun | None = None) -> LiveTable:
        """One more table, watched through a camera. Raises TooMany, or CameraError where it cannot be used."""
        with self._lock:
            if len(self._tables) >= MOST_TABLES:
                raise TooMany(f"one pipsight follows at most {MOST_TABLES} tables: start another one")
            table = LiveTable(str(len(self._tables) + 1))
            if begun:
                table.play(begun)
            table.watch(source)
            self._tables[table.name] = table
            return table

    def seat(self, table: LiveTable) -> None:
        """Take in a table that was made elsewhere."""
        with self._lock:
            self._tables[table.name] = table

    def close(self) -> None:
        """Let all cameras and logs go."""
        for table in self:
            table.close()
