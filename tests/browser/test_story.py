"""What the page tells in a real browser: once, and drawn as it was meant."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from pipsight.commands.replaying import Replay
from pipsight.live_table import LiveTable
from pipsight.record import read_log
from pipsight.session import Session
from pipsight.sessions import Choice, unlogged
from rules.cobra_paw.state import Hunt
from rules.holding import Holding
from tests.browser.looking import accessible, happened
from tests.pipsight.pages import SAMPLES, begun_log, seated

pytestmark = pytest.mark.needs("cv2", "chromium")

ROWS = """() => [...document.querySelectorAll("#told span")].filter((row) => row.textContent.includes("trap"))
  .map((row) => [...row.getClientRects()].filter(({ width }) => width).length)"""


def begin(table: LiveTable, choice: Choice, start: object = None) -> None:
    """Let a game begin."""
    table.play(unlogged(choice))
    assert isinstance(table.session, Session)
    table.session.follower.states = [start or table.session.follower.start]


def test_what_is_waited_for_is_told_once_where_help_can_say_no_more(page: Page, address: str, table: LiveTable) -> None:
    begin(table, Choice("cobra_paw", players=4), Hunt((Holding(),) * 4))
    page.goto(address)
    page.get_by_role("button", name="Pause").click()
    expect(page.locator("#waits")).to_have_text("Paused.")
    page.get_by_role("button", name="Go on").click()
    expect(page.locator("#waits")).to_have_text("Player 1 rolls the dice.")
    expect(page.locator("#waits")).to_be_visible()
    page.get_by_role("button", name="A nudge").click()
    happened(page, "Player 1 rolls the dice.")
    expect(page.locator("#waits")).to_be_hidden()


def test_the_game_that_is_played_is_chosen_as_the_games_are_opened(page: Page, address: str, table: LiveTable) -> None:
    begin(table, Choice("unmatched", "5"))
    page.goto(address)
    expect(page.locator("#title")).to_have_text("Unmatched Donimoes")
    for _ in range(2):  # also after another one was looked at
        page.get_by_role("button", name="Game", exact=True).click()
        expect(page.get_by_label("Unmatched Donimoes")).to_be_checked()
        expect(page.get_by_label("Problem").get_by_role("option")).to_have_count(21)
        page.locator("#games").get_by_text("Cobra Paw").click()
        page.get_by_role("button", name="Leave it").click()


def test_a_game_played_again_offers_nothing_that_cannot_be_asked(page: Page, tmp_path: Path) -> None:
    replay = Replay(read_log(begun_log(tmp_path, "65L")), speed=1000)
    with closing(replay), seated(replay) as address:
        page.goto(address)
        expect(page.locator("#title")).to_have_text("Unmatched Donimoes")
        for name in ("A nudge", "Solution", "Take back", "Make it", "Game", "Camera", "Calibrate"):
            expect(page.get_by_role("button", name=name, exact=True)).to_be_hidden()
        expect(page.get_by_role("button", name="Large type")).to_be_visible()
        page.goto("about:blank")


def test_a_row_of_a_board_in_letters_stays_one_row_on_a_phone(page: Page, address: str, table: LiveTable) -> None:
    begin(table, Choice("finder", players=4))
    page.set_viewport_size({"width": 375, "height": 800})
    page.goto(address)
    expect(page.locator("#told")).to_contain_text("trap 14%")
    assert set(page.evaluate(ROWS)) == {1}


def test_the_board_is_drawn_once_and_what_it_says_is_read_below_it(page: Page, address: str, table: LiveTable) -> None:
    begin(table, Choice("fujisan", str(SAMPLES / "fujisan.txt")))
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(address)
    expect(page.locator("#board-says")).to_have_text("P is red, N blue, B yellow, R green.")
    expect(page.locator("#board-drawn svg")).to_be_visible()
    expect(page.locator("#board-drawn text")).to_have_count(0)  # in the drawing it would be as small as that is
    expect(page.locator("#told")).to_be_hidden()
    accessible(page, "fujisan on a phone")


def test_an_answer_is_seen_by_whoever_asked_far_below_it(page: Page, address: str, table: LiveTable) -> None:
    begin(table, Choice("unmatched", "5"))
    page.set_viewport_size({"width": 390, "height": 500})
    page.goto(address)
    page.get_by_role("button", name="The place").click()
    expect(page.locator("#board-drawn rect[fill='#ffd84d']")).to_have_count(2)
    expect(page.locator("#happened")).to_be_in_viewport()
    page.get_by_role("button", name="Solution").click()
    expect(page.locator("#step")).to_be_in_viewport()
