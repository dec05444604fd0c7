"""The page's line to its table in a real browser: cut, unknown, without anything to see, and busy."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from pipsight.events import Recovered
from pipsight.live_table import LiveTable
from tests.browser.conftest import Server
from tests.browser.looking import happened
from tests.pipsight.pages import SAMPLES, begun_log, waited

pytestmark = pytest.mark.needs("cv2", "chromium")

SHOWS = """(address) => new Promise((told) => {
  const image = new Image();
  image.onload = () => told(true);
  image.onerror = () => told(false);
  image.src = address;
})"""


def test_what_was_asked_while_the_line_was_cut_for_long_is_not_done_later(
    page: Page, server: Server, tmp_path: Path
) -> None:
    begun_log(tmp_path / "home" / "state" / "sessions", "65L", "65L")
    server.start("--resume", "--camera", "page")
    page.goto(server.address)
    expect(page.locator("#moves li")).to_have_count(2)
    port = server.port
    server.kill()
    expect(page.locator("#connection")).to_have_text("The line is cut; trying again.")
    page.get_by_role("button", name="Take back").click(click_count=2)
    page.wait_for_timeout(3100)
    server.start("--resume", "--camera", "page", port=port)
    expect(page.locator("#connection")).to_have_text("Connected.")
    page.get_by_role("button", name="Pause").click()
    expect(page.locator("#waits")).to_have_text("Paused.")
    expect(page.locator("#moves li")).to_have_count(2)


def test_a_table_that_is_not_there_is_told_in_large_type(page: Page, address: str) -> None:
    page.goto(f"{address}/?table=9")
    expect(page.locator("#happened")).to_have_text("There is no table 9: there is 1.")
    expect(page.locator("#connection")).to_have_text("Not connected.")


def test_a_table_that_nobody_has_seen_yet_offers_no_picture_to_save(page: Page, address: str, table: LiveTable) -> None:
    page.goto(address)
    expect(page.locator("#board-drawn")).to_have_text("There is no board to draw yet.")
    expect(page.locator("#save-picture")).to_be_hidden()
    expect(page.locator("#save-clip")).to_be_hidden()
    table.watch(str(SAMPLES / "capturing_start.jpg"))
    expect(page.locator("#save-picture")).to_be_visible()
    expect(page.locator("#save-clip")).to_be_visible()


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[str]:
    """Another site, with an empty page."""
    (tmp_path / "index.html").write_text("<!doctype html>", encoding="utf-8")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=tmp_path)) as site:
        threading.Thread(target=site.serve_forever).start()
        yield f"http://127.0.0.1:{site.server_port}/"
        site.shutdown()


def test_another_sites_page_shows_no_picture_of_the_table(
    page: Page, address: str, table: LiveTable, elsewhere: str
) -> None:
    table.watch(str(SAMPLES / "capturing_start.jpg"))
    waited(lambda: table.picture()[0])
    page.goto(address)
    assert page.evaluate(SHOWS, f"{address}/api/tables/1/picture.jpg")
    page.goto(elsewhere)
    assert not page.evaluate(SHOWS, f"{address}/api/tables/1/picture.jpg")


class Wobbling:
    """A line on which the first tile is in doubt, and lies a little elsewhere whenever it is pushed."""

    def __init__(self, page: Page) -> None:
        self._view: dict[str, Any] = {}
        self._kept: list[bytes] = []
        self.keeps_pictures = False
        page.route_web_socket("**/live", self._routed)

    def _routed(self, line: WebSocketRoute) -> None:
        self._line = line
        line.connect_to_server().on_message(self._passed)

    def _passed(self, message: str | bytes) -> None:
        if self.keeps_pictures and isinstance(message, bytes):
            return self._kept.append(message)
        said = json.loads(message) if isinstance(message, str) else {}
        if not said.get("tiles"):
            return self._line.send(message)
        said["tiles"][0]["doubtful"] = True
        self._view = said
        return self._line.send(json.dumps(said))

    def push(self) -> None:
        """Let the tile lie a pixel farther right."""
        for point in self._view["tiles"][0]["corners_px"]:
            point[0] += 1
        self._line.send(json.dumps(self._view))

    def let_pictures_pass(self) -> None:
        """Send the page the pictures kept back, and keep none from now on."""
        self.keeps_pictures = False
        for picture in self._kept:
            self._line.send(picture)


def test_a_doubt_can_be_pressed_while_its_tile_wobbles(page: Page, address: str, table: LiveTable) -> None:
    wobbling = Wobbling(page)
    table.watch(str(SAMPLES / "capturing_start.jpg"))
    page.goto(address)
    doubt = page.locator("#doubts button")
    doubt.focus()
    doubt.hover()
    page.mouse.down()
    _pushed(page, wobbling)
    page.mouse.up()
    expect(page.locator("#correcting")).to_be_visible()
    page.keyboard.press("Escape")
    _pushed(page, wobbling)
    expect(doubt).to_be_focused()


def test_a_doubt_can_be_pressed_while_the_first_picture_comes(page: Page, address: str, table: LiveTable) -> None:
    late = Wobbling(page)
    late.keeps_pictures = True
    table.watch(str(SAMPLES / "capturing_start.jpg"))
    page.goto(address)
    doubt = page.locator("#doubts button")
    doubt.hover()
    page.mouse.down()
    late.let_pictures_pass()
    expect(page.locator("#no-picture")).to_be_hidden()
    page.mouse.up()
    expect(page.locator("#correcting")).to_be_visible()


def test_help_stays_beneath_a_finger_whether_one_line_is_told_or_two(
    page: Page, address: str, table: LiveTable
) -> None:
    page.goto(address)
    expect(page.locator("#begin")).to_be_visible()
    tops = []
    for told in ("Your move.", "The 6-5 at row 5, columns 4 and 5 slides left, and the 5-2 at rows 3 and 4 down."):
        table.tell([Recovered(told)])
        happened(page, told)
        tops.append(page.locator("#asks-title").evaluate("one => one.getBoundingClientRect().top"))
    assert tops[0] == tops[1]


def _pushed(page: Page, wobbling: Wobbling) -> None:
    """Push the first tile, and wait until the page shows it elsewhere."""
    drawn = page.locator("#marks .tile").first
    before = drawn.get_attribute("points") or ""
    wobbling.push()
    expect(drawn).not_to_have_attribute("points", before)
