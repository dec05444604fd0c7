"""The page in a real browser: a game set up, played, corrected, helped with, and taken up again after a power cut."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, Route, expect

from tests.browser.conftest import Server, chromium
from tests.browser.looking import accessible, fits_a_phone, happened, kept

pytestmark = pytest.mark.needs("cv2", "chromium")

FAKE_CAMERA = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")


@pytest.fixture(scope="module")
def browser(playwright: Playwright, filmed: Path) -> Iterator[Browser]:
    """A browser with our film as its camera."""
    with chromium(playwright, *FAKE_CAMERA, f"--use-file-for-fake-video-capture={filmed}") as one:
        yield one


def moves(page: Page, *made: str) -> None:
    """The moves so far: each in its notation, who made it, and in a sentence."""
    told = [re.compile(rf"^{move}player 1The .*\.$") for move in made]
    expect(page.locator("#moves li")).to_have_text(told)


def test_a_game_from_its_set_up_to_a_power_cut(page: Page, server: Server) -> None:
    server.start("--camera", "page")
    page.goto(server.address)
    happened(page, "Choose a game.")
    expect(page.locator("#no-picture")).to_have_text("No picture yet. Press Camera, then The camera of this device.")
    _choose(page)
    _film(page)
    _correct(page)
    _ask(page)
    _reload_and_cut(page, server)


def _choose(page: Page) -> None:
    page.get_by_role("button", name="Choose a game").click()
    _stays(page, "Capturing Donimoes")
    page.locator("#games").get_by_text("Unmatched Donimoes").click()
    expect(page.get_by_label("Unmatched Donimoes")).to_be_checked()
    page.get_by_label("Problem").select_option("5")
    expect(page.get_by_alt_text("The set-up of problem 5")).to_be_visible()
    accessible(page, "choosing")
    kept(page, "choosing")
    page.get_by_role("button", name="Begin", exact=True).click()
    expect(page.locator("#board-title")).to_have_text("Lay this")


def _stays(page: Page, game: str) -> None:
    """No game moves away while the picture of one's set-up is on its way."""
    held: list[Route] = []

    def hold(picture: Route) -> None:
        held.append(picture)

    page.route("**/problems/*.svg", hold)
    chosen = page.locator("#games").get_by_text(game)
    chosen.click()
    before = chosen.bounding_box()
    for one in held:
        one.continue_()
    page.unroute("**/problems/*.svg")
    picture = page.get_by_alt_text("The set-up of problem")
    page.wait_for_function("img => img.naturalWidth > 0", arg=picture.element_handle())
    assert held
    assert chosen.bounding_box() == before


def _film(page: Page) -> None:
    page.get_by_role("button", name="Camera", exact=True).click()
    accessible(page, "cameras")
    page.get_by_role("button", name="The camera of this device").click()
    happened(page, "The 5-6 is missing at row 5, columns 5 and 6.")
    expect(page.locator("#happened .whole")).to_have_text("5-6")  # no line ends within it
    kept(page, "setting-up")
    happened(page, "Unmatched Donimoes begins.")
    moves(page, "65L", "65L")
    accessible(page, "playing")
    kept(page, "playing-light")
    page.emulate_media(color_scheme="dark")
    accessible(page, "dark")
    kept(page, "playing-dark")
    page.emulate_media(color_scheme="light")
    fits_a_phone(page, "playing")
    page.get_by_role("button", name="Large type").click()
    kept(page, "playing-large")
    page.get_by_role("button", name="Large type").click()


def _correct(page: Page) -> None:
    """Two taps say what a tile reads; two more take it back."""
    tile = page.get_by_role("button", name="3-4", exact=True).or_(page.get_by_role("button", name="4-3", exact=True))
    tile.first.click(force=True)
    accessible(page, "correcting")
    kept(page, "correcting")
    expect(page.locator("#pad-first button")).to_have_text([str(number) for number in range(7)])
    page.get_by_label("Left half, typed").or_(page.get_by_label("Upper half, typed")).fill("12")
    expect(page.get_by_role("button", name="It is 12 |")).to_be_enabled()
    page.locator("#pad-first").get_by_role("button", name="6", exact=True).click()
    page.locator("#pad-second").get_by_role("button", name="6", exact=True).click()
    page.get_by_role("button", name="It is 6 | 6").click()
    happened(page, "The 6-6 at rows 2 and 3, column 3 is not in this problem.")
    expect(page.locator("#marks .wrong-cell").first).to_be_attached()  # the tiles are drawn anew with it
    kept(page, "wrong")
    page.get_by_role("button", name="A nudge").click()
    expect(page.locator("#happened")).to_contain_text("from here will do")
    expect(page.locator("#faults")).to_contain_text("The 6-6 at rows 2 and 3, column 3 is not in this problem.")
    page.locator("#marks").get_by_role("button", name="6-6", exact=True).first.click(force=True)
    page.locator("#pad-first").get_by_role("button", name="3", exact=True).click()
    page.locator("#pad-second").get_by_role("button", name="4", exact=True).click()
    page.get_by_role("button", name="It is 3 | 4").click()
    happened(page, "The table is right again.")


def _ask(page: Page) -> None:
    page.get_by_role("button", name="The move", exact=True).click()
    happened(page, "(52D)")
    expect(page.locator("#board-drawn rect[fill='#ffd84d']")).to_have_count(2)
    kept(page, "hint")
    page.get_by_role("button", name="Solution").click()
    expect(page.locator("#step")).to_have_text(re.compile(r"^Step 1 of 8: The 5-2 at .* slides down\.$"))
    page.get_by_role("button", name="Next step").click()
    expect(page.locator("#step")).to_have_text(re.compile(r"^Step 2 of 8: The 1-4 at .* slides down\.$"))
    page.get_by_role("button", name="Pause").click()
    expect(page.locator("#waits")).to_have_text("Paused.")
    stood = page.locator("#clock").inner_text()
    page.wait_for_timeout(2500)
    expect(page.locator("#clock")).to_have_text(stood)
    page.get_by_label("A move that you type").fill("52D")
    page.get_by_role("button", name="Make it").click()
    moves(page, "65L", "65L", "52D")
    page.get_by_role("button", name="Take back").click()
    happened(page, "Taken back: The 5-2 at ")
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()


def _reload_and_cut(page: Page, server: Server) -> None:
    page.reload()
    moves(page, "65L", "65L")
    port = server.port
    server.kill()
    expect(page.locator("#connection")).to_have_text("The line is cut; trying again.")
    kept(page, "cut")
    server.start("--resume", "--camera", "page", port=port)
    expect(page.locator("#connection")).to_have_text("Connected.")
    moves(page, "65L", "65L")


def test_the_keyboard_alone_corrects_a_tile(page: Page, server: Server) -> None:
    server.start("--camera", "sample")
    page.goto(server.address)
    expect(page.locator("#marks .tile").nth(7)).to_be_attached()
    page.locator("#marks .tile[tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#correcting")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#correcting")).to_be_hidden()
    said = page.evaluate("JSON.stringify([...document.querySelectorAll('[aria-pressed]')].map((one) => one.id))")
    assert {"sounds", "voice", "large", "pause"} <= set(json.loads(said))
