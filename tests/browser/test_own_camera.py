"""A page's own camera in a real browser: it stays until another one is chosen, and then it is told so."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from pipsight.live_table import LiveTable
from pipsight.sources import PAGE
from tests.browser.conftest import chromium
from tests.pipsight.pages import seated, waited

pytestmark = pytest.mark.needs("cv2", "chromium")

FAKE_CAMERA = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")
REMEMBERED = """(() => {
  if (!navigator.mediaDevices) return; // as on a blank page
  const [devices, given] = [navigator.mediaDevices, navigator.mediaDevices.getUserMedia];
  window.streams = [];
  devices.getUserMedia = async (wanted) => {
    const stream = await given.call(devices, wanted);
    window.streams.push(stream);
    return stream;
  };
  window.locks = 0;
  navigator.wakeLock.request = async () => { window.locks += 1; };
})()"""


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """A browser with a camera that shows something that moves."""
    with chromium(playwright, *FAKE_CAMERA) as one:
        yield one


@pytest.fixture
def table(page: Page) -> Iterator[LiveTable]:
    """A table that is seen by the page's own camera."""
    with closing(LiveTable("1")) as table, seated(table) as address:
        table.watch(PAGE)
        page.add_init_script(REMEMBERED)
        page.goto(address)
        films(page)
        sees_more(table)
        yield table
        page.goto("about:blank")


def films(page: Page) -> None:
    """Choose the camera of the device that shows the page."""
    page.get_by_role("button", name="Camera", exact=True).click()
    page.get_by_role("button", name="The camera of this device").click()
    expect(page.locator("#cameras")).to_be_hidden()


def sees_more(table: LiveTable) -> None:
    """Pictures come, one after the other."""
    before = table.frames_seen
    waited(lambda: table.frames_seen > before + 3)


def test_a_camera_that_cannot_be_opened_takes_no_others_place(page: Page, table: LiveTable) -> None:
    page.get_by_role("button", name="Camera", exact=True).click()
    page.locator("#source").fill("nowhere.mp4")
    page.get_by_role("button", name="Open").click()
    expect(page.locator("#camera-refused")).to_contain_text("nowhere.mp4")
    sees_more(table)


def test_the_camera_that_was_chosen_last_alone_shows_the_table(page: Page, table: LiveTable, browser: Browser) -> None:
    with closing(browser.new_context(permissions=["camera"])) as context:
        other = context.new_page()
        other.goto(page.url)
        films(other)
        expect(page.locator("#camera-refused")).to_contain_text("This table is seen by another camera")
        assert not page.evaluate("streams.at(-1).active")
        sees_more(table)
        page.get_by_role("button", name="The camera of this device").click()
        expect(other.locator("#camera-refused")).to_contain_text("This table is seen by another camera")
        sees_more(table)
        other.goto("about:blank")


def test_who_presses_twice_opens_the_camera_once(page: Page, table: LiveTable) -> None:
    page.evaluate("streams[0].getTracks().forEach((track) => track.stop())")
    page.get_by_role("button", name="Camera", exact=True).click()
    page.get_by_role("button", name="The camera of this device").dblclick()
    expect(page.locator("#cameras")).to_be_hidden()
    sees_more(table)
    assert page.evaluate("streams.filter((stream) => stream.active).length") == 1


def test_a_camera_that_was_unplugged_can_be_chosen_anew(page: Page, table: LiveTable) -> None:
    page.evaluate("streams[0].getTracks().forEach((track) => track.stop())")
    films(page)
    sees_more(table)


def test_a_page_that_films_keeps_its_screen_awake_when_people_come_back_to_it(page: Page, table: LiveTable) -> None:
    locks = page.evaluate("locks")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert page.evaluate("locks") == locks + 1
