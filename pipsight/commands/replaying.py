"""A session played again from its log by the rules: line by line in text, or on the page as fast as it was played."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from pipsight.events import Refused
from pipsight.live_table import LiveTable
from pipsight.record import Recorded, read_log
from pipsight.session import Session, resumed
from pipsight.sessions import choice_of, unlogged
from pipsight.tables import Tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pipsight.asking import Ask
    from pipsight.events import Event
    from pipsight.page.serving import Place

OF_THE_CAMERA = frozenset({"trouble", "recovered"})
NOTHING = "This is a game played again from its log: nothing can be asked of it."
LONGEST_WAIT_S = 8.0  # nobody wants to see once more how long somebody thought


def replayed(path: Path) -> Iterator[str]:
    """What happened in a session, a line each. Raises BadLog or CannotResume at the line that cannot be played."""
    recorded = read_log(path)
    session = unlogged(choice_of(recorded)).session
    yield f"{session.game.info.title}, begun {recorded.facts.get('began', 'some time')}"
    resumed(recorded, session)
    yield from filter(None, map(_line, recorded.entries))
    if session.follower.states:
        yield f"\n{session.follower.state}"


def _line(entry: dict[str, Any]) -> str:
    time_s, sentence = entry.get("time_s", 0.0), sentence_of(entry)
    move = f"{entry['move']}  " if entry.get("event") == "moved" else ""
    return f"{int(time_s // 60):3}:{time_s % 60:04.1f}  {move}{sentence}" if sentence else ""


def sentence_of(entry: dict[str, Any]) -> str:
    """An event as the log keeps it, in its own words."""
    faults = entry.get("faults") or ()
    return str(entry.get("text") or " ".join(str(fault.get("text", "")) for fault in faults))


class Replay(LiveTable):
    """A table at which a log is played again; nothing can be asked of it.

    speed: how many times as fast as it was played.
    """

    fixed = NOTHING

    def __init__(self, recorded: Recorded, speed: float = 1.0) -> None:
        super().__init__("1")
        self._recorded, self._speed = recorded, speed
        self._stop = threading.Event()
        self.play(unlogged(choice_of(recorded)))
        resumed(recorded, unlogged(choice_of(recorded)).session)  # a log that the rules refuse is refused at once
        self._thread = threading.Thread(target=self._run, name="replay", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def do(self, ask: Ask) -> list[Event]:
        """Nothing: what happened has happened."""
        return [Refused(NOTHING)]

    def shown(self) -> dict[str, Any]:
        """The table as it stood then: nobody can mend now what was wrong with its camera."""
        return {**super().shown(), "trouble": ""}

    def close(self) -> None:
        """End."""
        self._stop.set()
        super().close()

    def _run(self) -> None:
        before_s = 0.0
        for entry in self._recorded.entries:
            time_s = float(entry.get("time_s", before_s))
            if self._stop.wait(min(max(time_s - before_s, 0.0), LONGEST_WAIT_S) / self._speed):
                return
            before_s = time_s
            self._happen(entry)
        with self._lock:
            self._over = True
            self._publish([])

    def _happen(self, entry: dict[str, Any]) -> None:
        with self._lock:
            assert isinstance(self.session, Session)
            resumed(Recorded(self._recorded.facts, (entry,)), self.session)
            if entry.get("event") not in OF_THE_CAMERA:
                self._tell(entry)
            self._publish([])


def show_on_page(path: Path, speed: float, port: int, invite: Callable[[Place], None]) -> None:
    """Play a log on the page until ctrl-C. invite: says where the page is. Raises BadLog or CannotResume."""
    from pipsight.page.serving import listen, serve

    table = Replay(read_log(path), speed)
    tables = Tables()
    tables.seat(table)
    place = listen(port)
    try:
        table.start()
        invite(place)
        serve(tables, place)
    finally:
        tables.close()
