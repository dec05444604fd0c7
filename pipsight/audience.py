"""Who listens to a table: pages, lights, a voice. Each hears all that happened, and sees how the table stands."""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

STORY = 400  # events that a page which comes later still hears of


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


class Audience:
    """Those who listen to one table, and what they have heard; whoever calls it keeps other threads out."""

    def __init__(self) -> None:
        self.story: deque[dict[str, Any]] = deque(maxlen=STORY)
        self._listeners: list[Listener] = []
        self._view: dict[str, Any] = {}

    def __len__(self) -> int:
        return len(self._listeners)

    def join(self, listener: Listener, view: dict[str, Any], picture: int) -> None:
        """Tell somebody what happened so far, the table as it stands, and all that happens from now on.

        picture: the number of the newest one, 0 for none.
        """
        for event in self.story:
            listener.told({**event, "past": True})
        listener.shown(view)
        self._listeners.append(listener)
        if picture:
            listener.pictured(picture)

    def leave(self, listener: Listener) -> None:
        """Tell somebody no more; doing so twice is no harm."""
        with suppress(ValueError):
            self._listeners.remove(listener)

    def begin(self, past: Iterable[dict[str, Any]]) -> None:
        """Forget what happened, for something else did, which nobody needs to hear now."""
        self.story.clear()
        self.story.extend(past)

    def tell(self, event: dict[str, Any]) -> None:
        """Tell all what happened."""
        self.story.append(event)
        for listener in self._listeners:
            listener.told(event)

    def show(self, view: dict[str, Any]) -> None:
        """Show all how the table stands, if that is news."""
        if _lasting(view) != _lasting(self._view):
            self._view = view
            for listener in self._listeners:
                listener.shown(view)

    def picture(self, number: int) -> None:
        """Tell all that there is a new picture."""
        for listener in self._listeners:
            listener.pictured(number)


def _lasting(view: dict[str, Any]) -> dict[str, Any]:
    """A view without its clocks, which alone are no news."""
    waits = {name: value for name, value in view.get("waits", {}).items() if name != "time_s"}
    return {**view, "waits": waits, "clock_s": 0}
