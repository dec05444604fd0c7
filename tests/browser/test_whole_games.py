"""Whole games on the clock with everything real: film, browser, the controller's own program on a simulated chip."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
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
from pipsight.session import Session
from pipsight.sessions import Choice, unlogged
from pipsight.tables import Tables
from rules import engine
from rules.bee.setup import FEWEST, MOST, random_board
from rules.bee.state import Flight
from rules.bee_race.moves import Fly, PutBack, RaceMove, Roll, SetUp
from rules.bee_race.state import Phase
from rules.domino import DominoSet
from rules.games import game
from rules.table import Table
from rules.words import count, said
from tests.browser.filming import CLOTH, GROUND, Filmed, seated
from tests.browser.looking import accessible, happened, kept
from tests.pipsight.pages import served
from training.course import stage_of
from training.hunt_course import HuntCourse, Told
from training.stage import Stage

pytestmark = pytest.mark.needs("cv2", "chromium", "simavr")

WHOLE = os.environ.get("PIPSIGHT_WHOLE") == "1"  # to their ends, as `make measure` does; else how they begin
FEW_ROUNDS, FEW_HUNTS = 3, 1
SEATS, ROUNDS = 3, 10
SEEN = 0.7  # of the hunts' verdicts come from the finger itself
FAR = 6  # LEDs that a light must pass to have run
BLACK, WHITE = (42.0, 38.0, 36.0), (235.0, 238.0, 240.0)


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


def chased(board: SimulatedBoard, color: Color, after: int) -> None:
    """A light of this color ran along the strip after so many pictures."""

    def ran() -> bool | None:
        heads = {one.colors.index(color) for one in board.all(Lit)[after:] if one.colors.count(color) == 1}
        return len(heads) > FAR or None

    board.wait_for(ran)


def camera_over(layouts: Sequence[Table]) -> Stage:
    """A camera that sees each of these layouts whole: black dominoes, on which white dice are told easily."""
    stage = stage_of(layouts, GROUND, bare=CLOTH)
    black = replace(stage.style, base=BLACK, side=BLACK, pip_colors=(WHITE,) * 13, bar_color=WHITE)
    return replace(stage, style=black)


class Series:
    """Three players at a series: what they lay and roll, claim and fly."""

    def __init__(self, table: LiveTable, page: Page, board: SimulatedBoard) -> None:
        self._chance = Random(4)
        self._layouts = {dice: random_board(Random(dice), DominoSet(dice)) for dice in range(FEWEST, MOST + 1)}
        self._page, self._board = page, board
        self._film = Filmed(table, camera_over([Table(layout) for layout in self._layouts.values()]))

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
        """A player presses a button, and says on the page in how many moves."""
        pictures = len(self._board.all(Lit))
        self._board.press(seat)
        expect(self._page.locator("#claim")).to_be_visible()
        expect(self._page.locator("#claim-title")).to_have_text(f"Player {seat + 1}: in how many moves?")
        self._board.press(seat, down=False)
        self._page.locator("#claim-keys").get_by_role("button", name=str(moves), exact=True).click()
        expect(self._page.locator("#claim")).to_be_hidden()
        assert any((one.seat, one.moves) == (seat, moves) for one in self.race.claims)
        if len(self.race.claims) == 1:
            color = DEFAULT.countdown.color
            assert color
            lit(self._board, color, pictures)  # the minute runs

    def raced(self, hasty: int, thorough: int) -> tuple[int, str]:
        """A round from the first claim: who scores, and how. Where it can pay, the hasty player claims too much."""
        way = engine.solve(game("bee"), self.race.swarm).moves
        assert way
        if len(way) < 3:  # one flight fewer could fail before anybody hesitates
            self.claim(hasty, len(way))
            self.time_passes()
            self.fly(way)
            return hasty, "shown"
        self.claim(hasty, len(way) - 1)
        self.claim(thorough, len(way))
        self.time_passes()
        self.fly(way[:1])
        self.time_passes()
        self._does(PutBack())
        self.fly(way)
        return thorough, "boasted"

    def time_passes(self) -> None:
        """The minute, or the patience with who is to show a way, runs to its end."""
        self._film.passes_until(self.race.deadline_s)

    def fly(self, flights: Sequence[Flight]) -> None:
        """Somebody shows a way, flight by flight."""
        for number, flight in enumerate(flights, 1):
            self._does(Fly(flight))
            if number < len(flights):
                expect(self._page.locator("#leading")).to_contain_text(f"{number} of ")

    def _does(self, move: RaceMove) -> None:
        """People do something on the table, the camera sees it, and the program knows what it was."""
        rules: Any = game("bee_race")
        after = rules.play(self.race, move)
        self._film.becomes(after)
        assert rules.agrees(after, self.race), f"{move} was not seen"
        assert self.race.phase is after.phase, f"{move} was taken for something else"


def test_a_series_of_bee_is_raced_with_buttons_and_lights(page: Page, board: SimulatedBoard) -> None:
    rules: Any = game("bee_race")
    table = seated("1", "bee_race", rules.start(f"players: {SEATS}\nvariant: series"))
    chance, points, ends = Random(2), [0] * SEATS, Counter[str]()
    with shown(page, table, board):
        series = Series(table, page, board)
        while not rules.outcome(series.race) and (WHOLE or ends.total() < FEW_ROUNDS):
            series.begin_round()
            expect(page.locator("#race-title")).to_contain_text(f"Round {ends.total() + 1} of {ROUNDS}")
            winner, how = series.raced(*chance.sample(range(SEATS), 2))
            points[winner] += 1
            ends[how] += 1
            over = rules.outcome(series.race)
            happened(page, over.reason if over else f"Player {winner + 1} scores")
            assert list(series.race.points) == points
            kept(page, f"series-{ends.total()}")
        accessible(page, "a series")
        expect(page.locator("#points li.leads").first).to_contain_text(count(max(points), "point"))
        assert set(ends) == {"shown", "boasted"}
        assert bool(rules.outcome(series.race)) is WHOLE


# A game of Cobra Paw: one player at a time reaches for what the dice show, and lays it face down before them


class Hunting:
    """Three players at a game of Cobra Paw, as the camera sees them."""

    def __init__(self, table: LiveTable, board: SimulatedBoard) -> None:
        self._course = HuntCourse(SEATS, 2, racing=1)
        self._table, self._board = table, board

    @property
    def hunt(self) -> Any:
        """The game as the program follows it."""
        session = self._table.session
        assert isinstance(session, Session)
        return session.follower.state

    def hunts(self) -> Iterator[tuple[Told, bool]]:
        """Each hunt from the roll to the domino that lies before who was first, and whether a finger told who it was.

        Where the finger was not seen, the domino before a player tells.
        """
        for film in self._course.films():
            pictures, heard = len(self._board.all(Lit)), len(self._verdicts)
            for frame in film:
                self._table.see(frame, live=False)
            told, named = self._course.told[-1], self._verdicts[heard:]
            assert named in ([], [told.seats[0]])
            if named:
                chased(self._board, DEFAULT.seats[told.seats[0]], pictures)
            yield told, bool(named)

    @property
    def _verdicts(self) -> list[int]:
        return [event["seat"] for event in self._table.story if event["event"] == "was_first"]


def test_a_game_of_cobra_paw_is_refereed_with_lights(page: Page, board: SimulatedBoard) -> None:
    table, taken, named = LiveTable("1"), Counter[int](), 0
    table.play(unlogged(Choice("cobra_paw", players=SEATS)))
    with shown(page, table, board):
        hunting = Hunting(table, board)
        for told, seen in islice(hunting.hunts(), None if WHOLE else FEW_HUNTS):
            first = told.seats[0]
            taken[first] += 1
            named += seen
            over = game("cobra_paw").outcome(hunting.hunt)
            found = f"Player {first + 1} finds the {said(told.target)} and takes it"
            happened(page, over.reason if over else found)
            assert told.target in hunting.hunt.taken[first].known
            expect(page.locator("#taken li").nth(first)).to_contain_text(f"{taken[first]} of 6")
            kept(page, f"game-{taken.total()}")
        accessible(page, "a game")
        assert named >= SEEN * taken.total()
        assert bool(game("cobra_paw").outcome(hunting.hunt)) is WHOLE
