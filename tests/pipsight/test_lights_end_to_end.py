"""A game on film, the real firmware on a simulated chip: what the strip's pin is sent, and how soon."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.simulated import Lit, SimulatedBoard
from hardware.lights import DARK
from hardware.protocol import Color
from hardware.scheme import DEFAULT
from pipsight.config import Lights
from pipsight.live_table import LiveTable
from pipsight.sessions import Choice, unlogged
from tests.pipsight.pages import waited
from training.course import random_course, stage_of
from training.film import Shot, film
from vision.camera import Frame

pytestmark = pytest.mark.needs("cv2", "simavr")

LEDS, SOON_S = 24, 0.26
SIZE, CLOTH = (480, 270), (90.0, 120.0, 70.0)
LAID = 3  # the first tiles of a hand of All Fives, one by each player in turn


class Hearing:
    """A listener that notes what it is told, when, and how much work the frame was that told it, in seconds."""

    def __init__(self) -> None:
        self.events: list[tuple[dict[str, Any], float, float]] = []
        self.frame_came()

    def frame_came(self) -> None:
        self.frame_s, self._worked_s = time.monotonic(), time.process_time()

    def told(self, event: dict[str, Any]) -> None:
        self.events.append((event, time.monotonic(), time.process_time() - self._worked_s))

    def shown(self, view: dict[str, Any]) -> None:
        pass

    def pictured(self, number: int) -> None:
        pass

    def all(self, *kinds: str) -> list[dict[str, Any]]:
        return [event for event, *_ in self.events if event["event"] in kinds]


def frames() -> Iterator[Frame]:
    """The table of a hand of All Fives as its first tiles are laid."""
    tables = random_course("all_fives", 3, LAID).tables
    stage = stage_of(tables, 3, SIZE, CLOTH)
    return film(stage, [Shot(table, hold_s=0.4) for table in (tables[0], tables[0], *tables[1:])], 7)


def turn_of(seat: int) -> tuple[Color, ...]:
    """What the strip shows while it is one of two players' turn."""
    return tuple(DEFAULT.seats[seat] if k * 2 // LEDS == seat else DARK for k in range(LEDS))


def shown(board: SimulatedBoard, colors: tuple[Color, ...], since_s: float) -> float:
    """When the strip first showed these colors after a moment."""
    return board.wait_for(
        lambda: next((lit.at_s for lit in board.all(Lit) if lit.at_s >= since_s and lit.colors == colors), None)
    )


def test_the_strip_shows_whose_turn_it_is_soon_after_each_move_and_unplugging_keeps_the_game(tmp_path: Path) -> None:
    hearing, table = Hearing(), LiveTable("1")
    with SimulatedBoard(tmp_path) as board:
        table.join(hearing)
        table.play(unlogged(Choice("all_fives", players=2)))
        table.light(Lights(True, board.port))
        waited(lambda: hearing.all("lights_found"))
        began_s = time.monotonic()
        for frame in frames():
            # As fast as it was filmed: what the strip shows of one move is over before the next one.
            time.sleep(max(0.0, began_s + frame.time_s - time.monotonic()))
            hearing.frame_came()
            table.see(frame, live=True)
            if len(hearing.all("moved")) == LAID - 1 and not hearing.all("lights_lost"):
                shown(board, turn_of(0), hearing.frame_s)
                board.unplug()
                waited(lambda: hearing.all("lights_lost"))
        assert [move["by"] for move in hearing.all("moved")] == ["player 1", "player 2", "player 1"]
        before_s = time.monotonic()
        board.plug()
        shown(board, turn_of(1), before_s)
        board.press(1)
        (press,) = waited(lambda: hearing.all("pressed"))
        table.close()
        board.wait_for(lambda: set(board.all(Lit)[-1].colors) == {DARK} or None)
    assert (press["seat"], press["text"], press["means"]) == (1, "Player 2 pressed.", "nothing")
    assert len(hearing.all("lights_lost")) == 1
    assert len(hearing.all("lights_found")) == 2
    assert [event["seat"] for event in hearing.all("waits")] == [0, 1, 0, 1]
    moved = [(e["seat"], at, work) for e, at, work in hearing.events if e["event"] == "waits"][1:LAID]
    late_s = [work + shown(board, turn_of(seat), at) - at for seat, at, work in moved]
    assert min(late_s) < SOON_S  # other work on the machine may delay one of them
