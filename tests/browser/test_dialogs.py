"""The page's dialogs in a real browser: Enter does what each is for, and a server that is gone is no riddle."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from pipsight.live_table import LiveTable
from pipsight.session import Session
from tests.browser.conftest import FILM, Server
from tests.browser.looking import happened
from tests.pipsight.pages import SAMPLES

pytestmark = pytest.mark.needs("cv2", "chromium")

GONE = "pipsight does not answer: is it still running?"


def test_enter_begins_the_game_that_is_chosen(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("button", name="Choose a game").click()
    page.get_by_label("Capturing Donimoes").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#choosing")).to_be_hidden()
    expect(page.locator("#title")).not_to_be_empty()


def test_the_choice_opens_before_the_games_have_come(page: Page, address: str) -> None:
    held: list[Route] = []

    def hold(games: Route) -> None:
        held.append(games)

    page.route("**/api/games", hold)
    page.goto(address)
    page.get_by_role("button", name="Choose a game").click()
    expect(page.locator("#choosing")).to_be_visible()
    expect(page.locator("#play")).to_be_disabled()
    held[0].continue_()
    expect(page.get_by_role("radio", checked=True)).to_be_focused()
    expect(page.locator("#play")).to_be_enabled()


def test_players_of_cobra_paw_say_where_they_sit(page: Page, address: str, table: LiveTable) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(address)
    page.get_by_role("button", name="Choose a game").click()
    sitting = page.get_by_label("They sit, in the picture, at the")
    expect(sitting).to_be_hidden()
    page.get_by_label("Cobra Paw").check()
    expect(page.locator("#players")).to_be_in_viewport()
    expect(sitting.locator("option").first).to_have_text("calibrated sides, else bottom and top")
    page.locator("#players").select_option("4")
    expect(sitting).to_be_hidden()  # four sit all around
    page.locator("#players").select_option("3")
    assert page.locator("#choosing").evaluate("dialog => dialog.scrollWidth <= dialog.clientWidth")
    sitting.select_option("bottom, left and top")
    page.locator("#play").click()
    expect(page.locator("#choosing")).to_be_hidden()
    assert isinstance(table.session, Session)
    assert table.session.follower.state.sides == ("bottom", "left", "top")


def test_enter_opens_the_camera_that_is_typed(page: Page, address: str, table: LiveTable) -> None:
    page.goto(address)
    page.get_by_role("button", name="Camera", exact=True).click()
    page.locator("#source").fill("nowhere.mp4")
    page.keyboard.press("Enter")
    expect(page.locator("#camera-refused")).to_contain_text("nowhere.mp4")
    page.locator("#source").fill(str(FILM))
    page.keyboard.press("Enter")
    expect(page.locator("#cameras")).to_be_hidden()
    assert table.source == str(FILM)


def test_enter_says_what_a_tile_reads(page: Page, address: str, table: LiveTable) -> None:
    table.watch(str(SAMPLES / "capturing_start.jpg"))
    page.goto(address)
    page.locator("#marks .tile[tabindex='0']").focus()
    page.keyboard.press("Enter")
    page.locator("#typed-first").fill("9")
    page.keyboard.press("Enter")
    expect(page.locator("#correcting")).to_be_hidden()
    happened(page, "9")


def test_enter_begins_the_wizard_that_is_chosen(page: Page, address: str, table: LiveTable) -> None:
    table.watch(str(FILM))
    page.goto(address)
    page.get_by_role("button", name="Calibrate").click()
    page.get_by_role("radio", name="A set").check(force=True)
    page.get_by_label("Its name").fill("grandma")
    expect(page.locator("#begin-wizard")).to_be_enabled()
    page.keyboard.press("Enter")
    expect(page.locator("#wizard")).to_be_visible()


def test_who_presses_begin_twice_begins_one_game(page: Page, address: str) -> None:
    begun: list[str] = []
    page.on("request", lambda asked: begun.append(asked.url) if asked.url.endswith("/game") else None)
    page.goto(address)
    page.get_by_role("button", name="Choose a game").click()
    page.get_by_role("button", name="Begin", exact=True).dblclick()
    expect(page.locator("#choosing")).to_be_hidden()
    assert len(begun) == 1


def test_a_server_that_is_gone_is_told_wherever_something_is_asked_of_it(page: Page, server: Server) -> None:
    server.start("--camera", "page")
    page.goto(server.address)
    happened(page, "Choose a game.")
    server.kill()
    page.set_viewport_size({"width": 390, "height": 500})
    page.get_by_role("button", name="Take back").scroll_into_view_if_needed()
    expect(page.get_by_text("The line is cut; trying again.")).to_be_in_viewport()
    for opening, told in (("Game", "#choosing-refused"), ("Camera", "#camera-refused"), ("Calibrate", "#known-camera")):
        page.get_by_role("button", name=opening, exact=True).click()
        expect(page.locator(told)).to_have_text(GONE)
        page.keyboard.press("Escape")
