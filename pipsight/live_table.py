"""One table that is followed live: a session, a camera in a thread of its own, and listeners for what happens."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from pipsight.asking import Hint, Solution
from pipsight.audience import Audience
from pipsight.events import Chosen, Refused, Trouble, as_json
from pipsight.frame_clock import FrameClock
from pipsight.lighting import Lighting
from pipsight.onlooking import Onlooking
from pipsight.page.view import onlooked, view
from pipsight.pictures import Pictures
from pipsight.sessions import renewed
from pipsight.sets import taught_set
from pipsight.sources import opened
from pipsight.standing import Standing
from pipsight.thinking import thought
from pipsight.trouble import PipsightError, sentence
from pipsight.wizards.wizard import trouble
from pipsight.worker import Worker
from vision.camera import LiveCamera, PushedCamera, known_as
from vision.errors import VisionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calibration.tileset import TileSet
    from pipsight.asking import Ask
    from pipsight.audience import Listener
    from pipsight.config import Lights
    from pipsight.events import Event
    from pipsight.session import Session
    from pipsight.sessions import Begun
    from pipsight.wizards.wizard import Desk
    from vision.camera import Camera, Frame
    from vision.motion import Polygon

VIEW_S = 0.2  # what only wanders by parts of a pixel is shown so often
CALIBRATING = "The camera is being calibrated: the table is not followed meanwhile."
OVER = "The film is over."
LIGHTING = frozenset({"hinted", "moved", "taken_back", "resynced", "began", "wrong"})
"""The events after which other cells are lit, or none."""


class NoPicture(PipsightError, LookupError):
    """A picture that is not kept, or not any more."""


class Lent(PipsightError, RuntimeError):
    """A camera that a wizard cannot have now; the text says why."""


class LiveTable:
    """One table that is followed live; its methods may be called from any thread.

    fixed: why nothing can be asked here, nor another game or camera chosen; "" where it can.
    """

    fixed = ""

    def __init__(self, name: str) -> None:
        self.name = name
        self.session: Session | Onlooking = Onlooking()
        self.begun: Begun | None = None
        self._taught: tuple[TileSet, ...] = ()
        self._lock, self._thinking = threading.RLock(), threading.Lock()
        self._leaving = threading.Event()
        self._exchange = threading.RLock()  # one camera for another; a worker never asks for it
        self._audience = Audience()
        self._worker: Worker | None = None
        self._source, self._over, self._away = "", False, ""  # why no frames come
        self._pictures = Pictures()
        self._desk: Desk | None = None
        self._viewed_s = self._began_s = 0.0
        self._lit: tuple[tuple[int, int], ...] = ()
        self._hinted: tuple[tuple[int, int], ...] = ()
        self._clock, self._standing = FrameClock(), Standing()
        self._lighting: Lighting | None = None

    # Who listens

    def join(self, listener: Listener) -> None:
        """Tell somebody all that happened so far, the table as it stands, and all that happens from now on."""
        with self._lock:
            self._audience.join(listener, self.shown(), self.frames_seen)

    def leave(self, listener: Listener) -> None:
        """Tell somebody no more; doing so twice is no harm."""
        with self._lock:
            self._audience.leave(listener)

    @property
    def story(self) -> Sequence[dict[str, Any]]:
        """What happened so far, as the protocol writes it; of a long story the newest part."""
        return self._audience.story

    def shown(self) -> dict[str, Any]:
        """The table as it stands, as the protocol writes it."""
        with self._lock:
            here = self.session
            seen = onlooked(here) if isinstance(here, Onlooking) else view(here, self._lit, self._hinted)
            name = self._camera.name if self._camera else ""
            camera = {"source": known_as(self._source), "name": name, "over": self._over}
            clock_s = round(self._played_s - self._began_s, 1) if seen["view"] in ("playing", "over") else 0.0
            return {
                **seen,
                "table": self.name,
                "camera": camera,
                "clock_s": clock_s,
                "sets": [one.name for one in self._taught],
                "fixed": self.fixed,
            }

    @property
    def _played_s(self) -> float:
        """The time by the clock of the game, which stands while the table is paused."""
        return self.session.played_s(self.session.time_s)

    # What is played

    def play(self, begun: Begun) -> None:
        """Follow another game, or none, on the same table."""
        with self._lock:
            if self.begun:
                self.begun.close()
                self._tell(as_json(Chosen(f"{begun.session.game.info.title} is chosen."), self.session.time_s))
            self._audience.begin(begun.past)
            self._lit = self._hinted = ()
            self._began_s = begun.session.began_s if begun.past else self._played_s
            begun.session.until(self.session.time_s)
            self.session, self.begun = begun.session, begun
            if self._taught:
                self.session.know(self._taught)
            self._publish([Trouble(begun.trouble)] if begun.trouble else [])

    def know(self, sets: Sequence[str]) -> None:
        """Read the table by the taught sets that lie on it, named so. Raises UnknownSet, or BadFile."""
        taught = tuple(taught_set(name) for name in dict.fromkeys(sets))
        with self._lock:
            if taught != self._taught:
                self._taught = taught
                self.session.know(taught)
            self._publish([])

    def do(self, ask: Ask) -> list[Event]:
        """Do what somebody asked for; what happens is told to everybody, a refusal is returned for who asked."""
        if isinstance(ask, Hint | Solution) and not isinstance(self.session, Onlooking):
            return self._think(ask)
        at_s = self._now_s  # before a frame that is being read keeps it waiting
        with self._lock:
            return self._heard(self.session.do(ask, at_s))

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
            work = partial(then.hint, ask.level) if isinstance(ask, Hint) else then.solution
            events = thought(work, self._leaving)
        finally:
            self._thinking.release()  # before anybody hears, for who does may ask at once
        if events is None:
            return [Refused("pipsight is ended: nothing is thought about any more.")]
        with self._lock:
            if session is not self.session or then.made != follower.made:
                return [Refused("The table has changed meanwhile: ask again.")]
            return self._heard(session.kept(events))

    def _heard(self, events: list[Event]) -> list[Event]:
        self._publish([event for event in events if not isinstance(event, Refused)])
        return [event for event in events if isinstance(event, Refused)]

    def tell(self, events: list[Event]) -> None:
        """Tell everybody what happened beside the table, as a press of a button; it is kept with the game."""
        with self._lock:
            if events:
                self._publish(self.session.kept(events))

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

    @property
    def claims(self) -> bool:
        """Whether a press claims now."""
        return self.session.claims

    def moment(self, here_s: float) -> float:
        """A moment of time.monotonic by the clock of the game."""
        return self.session.played_s(self._clock.table_s(here_s, self.session.time_s))

    @property
    def _now_s(self) -> float:
        """This moment by the clock of the frames, which ends with a film."""
        here_s, last_s = time.monotonic(), self.session.time_s
        return last_s if self._over else self._clock.table_s(here_s, last_s)

    # What the camera sees

    def watch(self, source: str) -> None:
        """Look through another camera. Raises CameraError where it cannot be used, Lent where a wizard has this one."""
        with self._exchange:
            self._require_not_lent(source)
            camera = self._opened(source)
            self._stop_watching()
            self._begin(source, camera)

    def _require_not_lent(self, source: str) -> None:
        """Raises Lent where a wizard has another camera than this: it would take one for the other."""
        if source != self._source and self._desk and not self._desk.closed:
            raise Lent("this camera is being calibrated: end that before another one is chosen")

    def _opened(self, source: str) -> Camera:
        """Open a camera; one that is live and watched already is let go first, for nobody can have it twice."""
        before = self._worker
        if before is None or source != self._source or not before.camera.live:
            return opened(source)
        before.stop()
        try:
            return opened(source)
        except VisionError:
            self._begin(source, before.camera)  # closed by now: it is opened once it is back
            raise

    def _begin(self, source: str, camera: Camera) -> None:
        with self._lock:
            self._source, self._over, self._away = source, False, ""
            self._standing = Standing.of(source)
            self._worker = Worker(camera, partial(opened, source), self, self.session.time_s)
            self._worker.start()
            self._publish([])

    def look_away(self) -> None:
        """Look through no camera until another one is chosen. Raises Lent where a wizard has this one."""
        with self._exchange:
            self._require_not_lent("")
            self._stop_watching()
            with self._lock:
                self._source, self._worker, self._over = "", None, False
                self._publish([])

    def _stop_watching(self) -> None:
        if self._worker:
            self._worker.stop()

    def follow(self, source: str) -> None:
        """Look through a camera to the end of its frames, as fast as it gives them. Raises CameraError."""
        self._source, self._standing = source, Standing.of(source)
        since_s = self.session.time_s  # of a session that goes on from its log
        with opened(source) as camera:
            for frame in camera:
                self.see(replace(frame, time_s=since_s + frame.time_s), live=camera.live)
        self.ended()

    @property
    def _camera(self) -> Camera | None:
        """The camera that the table is watched through."""
        worker = self._worker
        return worker.camera if worker else None

    @property
    def pushed(self) -> PushedCamera | None:
        """The camera that a page sends its pictures to, None where the table is seen by another one."""
        return self._camera if isinstance(self._camera, PushedCamera) else None

    @property
    def frames_seen(self) -> int:
        """How many frames were looked at."""
        return self._pictures.number

    def see(self, frame: Frame, *, live: bool) -> None:
        """Look at one frame, or let the wizard that works at this table do so."""
        self._away = ""
        if desk := self._desk:
            desk.see(frame, live=live)
            self.waits()
            return
        with self._lock:
            self._clock.saw(frame.time_s, time.monotonic())
            frame = self._standing.held(frame)
            events = self.session.see(frame, live=live, lit=self._lit_px(frame) if live else ())
            self._pictures.see(frame)
            self._publish(events, soon=False)
            look = self.session.look
            stands = self._standing.see(frame, look.scene, calm=not look.moving)
            self._publish(self.session.kept(stands), soon=False)
            self._audience.picture(self.frames_seen)
        self._pictures.keep(frame)

    def _lit_px(self, frame: Frame) -> tuple[Polygon, ...]:
        """Where the table's own LEDs may shine in a frame."""
        if self._lighting is None:
            return ()
        return self._standing.lit_px(self._lighting.glow(self._clock.here_s(frame.time_s)))

    def lost(self, text: str) -> None:
        """The camera gives no more frames for now, and why."""
        self._away = sentence(text)
        if desk := self._desk:
            desk.tell(trouble(text))
            return
        with self._lock:
            self._publish(self.session.lost(self._away))

    def waits(self) -> None:
        """No frame comes for now, and the clock goes on."""
        with self._lock:
            self._publish(self.session.passed(self._now_s), soon=False)

    def ended(self) -> None:
        """The film is over."""
        if desk := self._desk:
            desk.ended()
        with self._lock:
            self._over, self._away = True, OVER
            self._publish([*self.session.closed(), *self._left_away()])

    def lend(self, desk: Desk) -> None:
        """Let a wizard have the frames from now on; the game waits, and a film begins anew.

        Raises Lent where there is no camera or another wizard has it, CameraError where the film is gone.
        """
        with self._exchange:
            with self._lock:
                if self._desk and not self._desk.closed:
                    raise Lent("this camera is being calibrated already: end that first")
                if self._camera is None:
                    raise Lent("choose a camera first")
                film = None if self._camera.live else self._worker
            if film:
                film.stop()  # before its frames go to the desk, at which nobody works yet
            with self._lock:
                self._desk = desk
                self._publish(self.session.lost(CALIBRATING))
            if film:
                self.watch(self._source)

    def take_back(self, desk: Desk) -> None:
        """Follow the game again, by what is known of the camera now; doing so twice is no harm."""
        with self._lock:
            if self._desk is desk:
                self._desk, self._standing = None, Standing.of(self._source)
                self._publish(self._left_away())

    def _left_away(self) -> list[Event]:
        """After calibrating, why no frame comes that would show the table again."""
        calibrated = self._desk is None and self.session.trouble == CALIBRATING
        return self.session.lost(self._away) if calibrated and self._away else []

    def hold(self) -> None:
        """Tell the camera to keep exposure, focus and white balance as they are, where it can be told."""
        if isinstance(self._camera, LiveCamera):
            self._camera.hold()

    @property
    def live(self) -> bool:
        """Whether the table is watched through a camera, and no film or folder."""
        return self._camera is not None and self._camera.live

    @property
    def source(self) -> str:
        """What the table is watched through, as it was chosen; "" before that."""
        return self._source

    def again(self) -> None:
        """Begin game and film once more. Raises CameraError where the film is gone."""
        with self._exchange:
            self.watch(self._source)
            if self.begun:
                self.play(renewed(self.begun))

    def rewind(self) -> None:
        """Play a film that is over from its beginning. Raises CameraError where it is gone."""
        with self._exchange:
            if self._over:
                self.watch(self._source)

    # Pictures

    def picture(self) -> tuple[int, bytes]:
        """The newest picture, small, as a JPEG, and its number; 0 and nothing where none was taken yet."""
        return self._pictures.newest()

    def finish(self, name: str) -> bytes:
        """A photo finish as a JPEG. Raises NoPicture where it is not kept."""
        found = None if isinstance(self.session, Onlooking) else self.session.finishes.get(name)
        if found is None:
            raise NoPicture(f"there is no photo finish {name} any more: the newest ones are kept")
        return found

    def clip(self) -> bytes:
        """The last seconds as an .mp4 film. Raises PictureError where nothing was seen yet."""
        return self._pictures.clip()

    def leave_off(self) -> None:
        """Think about nothing any more: the program is about to end."""
        self._leaving.set()

    def close(self) -> None:
        """Let camera and log go; doing so twice is no harm."""
        self.leave_off()
        if desk := self._desk:
            desk.close()
        with self._exchange:
            self._stop_watching()
        if self._lighting:
            self._lighting.close()
        with self._lock:  # whoever tells something just now has its log until that is kept
            if self.begun:
                self.begun.close()

    # Telling

    def _publish(self, events: list[Event], *, soon: bool = True) -> None:
        """Tell events to everybody, and how the table stands: at once after events, else now and then."""
        for event in events:
            self._tell(as_json(event, self.session.time_s))
        if self._audience and (events or soon or self.session.time_s - self._viewed_s >= VIEW_S):
            self._viewed_s = self.session.time_s
            self._audience.show(self.shown())

    def _tell(self, told: dict[str, Any]) -> None:
        if told["event"] == "began":
            self._began_s = self._played_s
        if told["event"] in LIGHTING:
            self._lit = tuple(told.get("cells", ()))
            self._hinted = self._lit if told["event"] == "hinted" else ()
        self._audience.tell(told)
