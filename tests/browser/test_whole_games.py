"""Games on the clock with everything real: film, browser, and the controller's own program on a simulated chip."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from benchmarks.simulated import Lit, SimulatedBoard
from hardware.lights import DARK
from hardware.protocol import Color
from hardware.scheme import DEFAULT
from pipsight.config import Lights
from pipsight.live_table import LiveTable
from pipsight.tables import Tables
from rules import engine
from rules.bee.setup import random_board
from rules.bee.state import Flight
from rules.bee_race.moves import Fly, PutBack, RaceMove, Roll, SetUp
from rules.bee_race.state import Phase
from rules.domino import DominoSet
from rules.games import game
from rules.table import Table
from tests.browser.filming import Filmed, seated
from tests.browser.looking import accessible, happened, kept
from tests.pipsight.pages import served

pytestmark = pytest.mark.needs("cv2", "chromium", "simavr")

SEATS, ROUNDS = 3, 3


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home of this test's own."""
    monkeypatch.setenv("PIPSIGHT_HOME", str(tmp_path))


@pytest.fixture
def board(tmp_path: Path) -> Iterator[SimulatedBoard]:
    """A controller."""
    with SimulatedBoard(tmp_path) as one:
        yield one


@contextmanager
def shown(page: Page, table: LiveTable, board: SimulatedBoard) -> Iterator[None]:
    """A table with lights, and the page on which people follow it."""
    tables = Tables()
    tables.seat(table)
    table.light(Lights(True, board.port))
    with served(tables) as address:
        page.goto(f"{address}/?table={table.name}")
        yield
    tables.close()


def lit(board: SimulatedBoard, color: Color, after: int) -> None:
    """The strip shows nothing but this color, on some LEDs at least, after so many pictures."""
    board.wait_for(lambda: next((one for one in board.all(Lit)[after:] if set(one.colors) - {DARK} == {color}), None))


# A series of Bee: whoever claims presses a button of the controller and says the number on the page


class Series:
    """Three players at a series: what they lay and roll, claim and fly."""

    def __init__(self, table: LiveTable, page: Page, board: SimulatedBoard) -> None:
        self._chance = Random(4)
        self._layouts = {dice: random_board(Random(dice), DominoSet(dice)) for dice in (3, 4)}
        self._page, self._board = page, board
        self._film = Filmed(table, [Table(layout) for layout in self._layouts.values()])

    @property
    def race(self) -> Any:
        """The race as the program follows it."""
        return self._film.state

    def begin_round(self) -> None:
        """A new board where it is time for one, and dice until there is a queen."""
        if self.race.phase is Phase.SETTLED:
            self._does(PutBack())
        if self.race.phase is Phase.SETTING_UP:
            self._does(SetUp(self._layouts[self.race.dice]))
        while self.race.phase is Phase.ROLLING:
            self._does(Roll(self._chance.choice(self.race.empty)))

    def claim(self, seat: int, moves: int) -> None:
        """A player presses a button, and says a number on the page."""
        pictures = len(self._board.all(Lit))
        self._board.press(seat)
        expect(self._page.locator("#claim")).to_be_visible()
        expect(self._page.locator("#claim-title")).to_have_text(f"Player {seat + 1}: in how many moves?")
        self._board.press(seat, down=False)
        self._page.locator("#claim-keys").get_by_role("button", name=str(moves), exact=True).click()
        expect(self._page.locator("#claim")).to_be_hidden()
        if len(self.race.claims) == 1:
            color = DEFAULT.countdown.color
            assert color
            lit(self._board, color, pictures)  # the minute runs

    def minute_passes(self) -> None:
        """The timer runs to its end."""
        self._film.goes_on_until(self.race.deadline_s)

    def hesitate(self) -> None:
        """Who is to show a way does nothing for too long."""
        self._film.goes_on_until(self.race.deadline_s)

    def fly(self, flights: Sequence[Flight]) -> None:
        """Somebody shows a way, flight by flight."""
        for number, flight in enumerate(flights, 1):
            self._does(Fly(flight))
            if number < len(flights):
                expect(self._page.locator("#leading")).to_contain_text(f"{number} of ")

    def put_back(self) -> None:
        """The dice go back to where they began."""
        self._does(PutBack())

    def _does(self, move: RaceMove) -> None:
        """People do something on the table, the camera sees it, and the program knows what it was."""
        rules: Any = game("bee_race")
        after = rules.play(self.race, move)
        self._film.becomes(after)
        assert rules.agrees(after, self.race), f"{move} was not seen"
        assert self.race.phase is after.phase, f"{move} was taken for something else"


def test_the_first_rounds_of_a_series_are_raced_with_buttons_and_lights(page: Page, board: SimulatedBoard) -> None:
    table = seated("1", "bee_race", game("bee_race").start("players: 3\nvariant: series"))  # type: ignore[attr-defined]
    chance, points, boasted = Random(2), [0] * SEATS, 0
    with shown(page, table, board):
        series = Series(table, page, board)
        for number in range(1, ROUNDS + 1):
            series.begin_round()
            expect(page.locator("#race-title")).to_contain_text(f"Round {number} of 10")
            way = engine.solve(game("bee"), series.race.swarm).moves
            assert way
            first, second, _ = chance.sample(range(SEATS), SEATS)
            boasts = len(way) > 2  # whoever claims first claims too much
            boasted += boasts
            series.claim(first, len(way) - boasts)
            if boasts:
                series.claim(second, len(way))
            series.minute_passes()
            if boasts:
                series.fly(way[:1])
                series.hesitate()
                series.put_back()
            series.fly(way)
            winner = second if boasts else first
            points[winner] += 1
            happened(page, f"Player {winner + 1} scores")
            assert list(series.race.points) == points
            kept(page, f"series-{number}")
        assert 0 < boasted < ROUNDS
        accessible(page, "a series")
        expect(page.locator("#points li.leads").first).to_contain_text(f"{max(points)} point")
