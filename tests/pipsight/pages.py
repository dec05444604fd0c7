"""A real server on a free port for tests, and what a page would hear from it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from pipsight.live_table import LiveTable
from pipsight.page.access import Access
from pipsight.page.serving import LARGEST_MESSAGE, Place, listen, serving
from pipsight.tables import Tables
from rules.puzzles import published

SAMPLES = Path(__file__).resolve().parents[2] / "sample_images"
PATIENCE_S = 30.0
SERVER = "the server"  # as its thread is called


@contextmanager
def served(tables: Tables, place: Place | None = None, access: Access | None = None) -> Iterator[str]:
    """Serve these tables by uvicorn in a thread; gives the address without a slash at its end."""
    here = place or listen(0)
    server = serving(tables, here, access)
    thread = threading.Thread(target=server.run, args=([here.listening],), name=SERVER)
    thread.start()
    waited(lambda: server.started)
    try:
        yield here.address.partition("/?")[0].rstrip("/")
    finally:
        server.should_exit = True
        thread.join(PATIENCE_S)


@contextmanager
def seated(table: LiveTable) -> Iterator[str]:
    """Serve one table; gives the address."""
    tables = Tables()
    tables.seat(table)
    with served(tables) as at:
        yield at


def waited(done: Callable[[], Any]) -> Any:
    """What becomes true in time."""
    until = time.monotonic() + PATIENCE_S
    while not (result := done()):
        assert time.monotonic() < until, "it took too long"
        time.sleep(0.02)
    return result


@contextmanager
def page(address: str, table: str = "1", end: str = "live", **more: Any) -> Iterator[ClientConnection]:
    """A WebSocket to a table, as a page opens it."""
    at = address.replace("http", "ws", 1)
    with connect(f"{at}/api/tables/{table}/{end}", max_size=LARGEST_MESSAGE, max_queue=None, **more) as socket:
        yield socket


def ask(socket: ClientConnection, **message: Any) -> None:
    """Ask for something."""
    socket.send(json.dumps(message))


def heard(socket: ClientConnection, wanted: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    """The next message that is wanted; those before it are passed over."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        data = socket.recv(PATIENCE_S)
        message: dict[str, Any] = json.loads(data) if isinstance(data, str) else {"picture": data}
        if wanted(message):
            return message
    raise AssertionError("nothing like that was heard")


def event(kind: str) -> Callable[[dict[str, Any]], bool]:
    """Whether a message is a new event of this kind."""
    return lambda message: message.get("event") == kind and not message.get("past")


def begun_log(folder: Path, *moves: str) -> Path:
    """The log of Unmatched Donimoes 5 after some moves, as a session leaves it."""
    start = next(one.start for one in published("unmatched") if one.name == "5")
    lines: list[dict[str, Any]] = [
        {"log": 1, "game": "unmatched", "began": "2026-11-21T20:00:00+00:00", "problem": "5"},
        {"v": 1, "event": "began", "time_s": 2.0, "text": "Unmatched Donimoes begins.", "state": start},
    ]
    for number, move in enumerate(moves, 1):
        told = {"move": move, "text": f"The move {move}.", "by": "player 1", "number": number}
        lines.append({"v": 1, "event": "moved", "time_s": 2.0 + 3 * number, **told, "seen": True, "cells": []})
    path = folder / "2026-11-21-200000-unmatched.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


class Deaf:
    """Hears nothing of a wizard."""

    def told(self, event: dict[str, Any]) -> None:
        """Nothing."""

    def pictured(self, number: int) -> None:
        """Nothing."""
