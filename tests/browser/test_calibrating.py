"""The wizards in a real browser, from rendered video: the lens, the table by the page's own camera, a new set."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Browser, Page, Playwright, Route, WebSocketRoute, expect

from calibration.store import load
from calibration.tileset_file import save
from pipsight.cameras import camera_file
from pipsight.live_table import LiveTable
from pipsight.sets import set_file, taught_set
from pipsight.sources import PAGE
from pipsight.tables import Tables
from tests.browser.conftest import chromium
from tests.browser.looking import accessible, fits_a_phone, kept
from tests.calibration.flat import SETS, learnt
from tests.calibration.staging import frame, lying
from tests.pipsight.pages import served, waited
from tests.pipsight.set_pictures import Shot, recognised, shots
from tests.pipsight.wizard_films import lens_film
from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2", "chromium")

FAKE_CAMERA = ("--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream")
EVERY_S, SURELY = 0.4, 3  # so often a picture is sent, and after so many times it is seen


@pytest.fixture(scope="module")
def lying_sheet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the browser's fake camera shows: the sheet on the table, with a camera's noise."""
    path = tmp_path_factory.mktemp("film") / "camera.mjpeg"
    jpegs = [cv2.imencode(".jpg", frame(lying(10.0, 5.0, 20.0)), [cv2.IMWRITE_JPEG_QUALITY, 95])[1] for _ in range(4)]
    path.write_bytes(b"".join(bytes(jpeg) for jpeg in jpegs) * 30)
    return path


@pytest.fixture(scope="module")
def browser(playwright: Playwright, lying_sheet: Path) -> Iterator[Browser]:
    """A browser whose camera sees the sheet."""
    with chromium(playwright, *FAKE_CAMERA, f"--use-file-for-fake-video-capture={lying_sheet}") as one:
        yield one


@contextmanager
def table_at(page: Page, source: str = "") -> Iterator[LiveTable]:
    """A page of a server with one table, watched through this camera, or through none yet."""
    tables, table = Tables(), LiveTable("1")
    tables.seat(table)
    if source:
        table.watch(source)
    with served(tables) as address:
        page.goto(address)
        yield table
        page.goto("about:blank")
    tables.close()


def begin(page: Page, wizard: str) -> None:
    page.get_by_role("radio", name=wizard).check(force=True)
    accessible(page, wizard)
    kept(page, f"calibrate-{wizard.rsplit(maxsplit=1)[-1]}")
    page.get_by_role("button", name="Begin", exact=True).click()


def over(page: Page, text: str) -> str:
    """What the wizard says at its end."""
    expect(page.locator("#over-says")).to_have_text(text)
    return page.locator("#over-lines").inner_text()


def test_the_lens_is_found_from_a_film_of_the_sheet(page: Page, tmp_path: Path) -> None:
    film = str(lens_film(tmp_path / "lens.avi"))
    with table_at(page, film):
        page.get_by_role("button", name="Calibrate", exact=True).click()
        expect(page.locator("#known-camera")).to_contain_text(film)
        fits_a_phone(page, "wizard-choice")
        begin(page, "The lens")
        expect(page.locator("#wizard-figures")).to_contain_text("Corners missed by")
        accessible(page, "at work")
        kept(page, "wizard-lens")
        assert "640x360" in over(page, "The lens is known.")
        accessible(page, "over")
        kept(page, "wizard-lens-over")
        lens = load(camera_file(film)).lens
        assert lens is not None
        assert lens.rms_px < 0.3


def test_a_camera_whose_file_cannot_be_used_may_be_calibrated_once_more(page: Page, tmp_path: Path) -> None:
    film = str(lens_film(tmp_path / "lens.avi"))
    camera_file(film).parent.mkdir(parents=True)
    camera_file(film).write_text("version = 2\nid = ", encoding="utf-8")
    with table_at(page, film):
        page.get_by_role("button", name="Calibrate", exact=True).click()
        expect(page.locator("#known-camera")).to_contain_text("line 2")
        expect(page.get_by_role("button", name="Begin", exact=True)).to_be_enabled()


def test_half_a_play_area_is_asked_for_whole_and_a_set_is_called_in_any_language(page: Page) -> None:
    with table_at(page, PAGE):
        page.get_by_role("button", name="Calibrate", exact=True).click()
        page.get_by_role("radio", name="The table").check(force=True)
        page.locator("#area-width").fill("600")
        page.get_by_role("button", name="Begin", exact=True).click()
        expect(page.locator("#choosing-wizard")).to_be_visible()
        expect(page.locator("#area-depth")).to_be_focused()
        page.get_by_role("radio", name="A set").check(force=True)
        name = page.locator("#set-name")
        for typed, fits in (("Großmutters Sterne 2", True), ("ドミノ", True), ("a/b", False), (".hidden", False)):
            name.fill(typed)
            assert name.evaluate("field => field.checkValidity()") == fits


def test_the_length_of_the_ruler_is_asked_for_wherever_the_scale_of_the_print_counts(page: Page) -> None:
    with table_at(page, PAGE):
        page.get_by_role("button", name="Calibrate", exact=True).click()
        page.get_by_role("radio", name="The table").check(force=True)
        for by, asked in (("sheet", True), ("tags", True), ("tiles", False)):
            page.get_by_label("Found by").select_option(by)
            assert page.locator("#ruler").is_visible() == asked


def test_the_table_is_found_by_the_pages_own_camera(page: Page) -> None:
    with table_at(page):
        page.get_by_role("button", name="Calibrate", exact=True).click()
        expect(page.locator("#known-camera")).to_have_text("No camera was chosen yet.")
        page.get_by_role("button", name="Another camera").click()
        page.get_by_role("button", name="The camera of this device").click()
        expect(page.locator("#known-camera")).to_contain_text("Nothing is known of this camera yet.")
        page.emulate_media(color_scheme="dark")
        page.get_by_role("radio", name="The table").check(force=True)
        page.get_by_label("Play area, wide").fill("300")
        page.get_by_label("deep, in millimetres").fill("200")
        page.get_by_label("bottom").check()
        begin(page, "The table")
        assert "the play area is 300 by 200 mm" in over(page, "The table is found.")
        kept(page, "wizard-table-over-dark")
        (camera,) = camera_file(PAGE).parent.glob("page-*.toml")
        plane = load(camera).plane
        assert plane is not None
        assert plane.seats == ("bottom",)


def test_a_wizard_that_is_stopped_keeps_what_was_known(page: Page) -> None:
    with table_at(page):
        page.goto(f"{page.url}#calibrate-lens")
        page.reload()
        page.get_by_role("button", name="Another camera").click()
        page.get_by_role("button", name="The camera of this device").click()
        expect(page.get_by_role("button", name="Begin", exact=True)).to_be_enabled()
        page.get_by_role("button", name="Begin", exact=True).press("Enter")
        expect(page.locator("#wizard-says")).to_contain_text("sheet")
        page.keyboard.press("Escape")
        assert over(page, "Stopped. What was known before is kept.") == ""
        assert not camera_file(PAGE).parent.exists()


def test_a_line_that_is_cut_while_a_set_is_tested_does_not_deny_that_it_is_kept(page: Page) -> None:
    lines: list[WebSocketRoute] = []

    def through(line: WebSocketRoute) -> None:
        line.connect_to_server()
        lines.append(line)

    page.route_web_socket("**/calibrate*", through)
    with table_at(page) as table, Phone(table, shots()[0].image) as phone:
        page.get_by_role("button", name="Calibrate", exact=True).click()
        page.get_by_role("radio", name="A set").check(force=True)
        page.get_by_label("Its name").fill("polygons")
        begin(page, "A set")
        take(page, phone, shots()[0], 0)
        page.get_by_role("button", name="Go on without").click()
        answered(page, "#unseen")
        page.get_by_role("button", name="Those that are marked lack").click()
        expect(page.locator("#wizard-says")).to_contain_text("for a test")
        lines[0].close()
        over(page, "The line is cut, and the wizard has ended: what it had not kept by then is as it was before.")
        assert taught_set("polygons")


def test_one_more_table_is_opened_by_the_pages_own_camera(page: Page) -> None:
    with table_at(page, PAGE):
        page.get_by_role("button", name="Camera", exact=True).click()
        page.get_by_label("as one more table").check()
        page.get_by_role("button", name="The camera of this device").click()
        page.wait_for_url("**/?table=2*")
        expect(page.locator("#no-picture")).to_be_hidden()
        expect(page.locator("#tables a")).to_have_count(2)


def test_what_is_known_of_a_set_is_told_in_sentences(page: Page) -> None:
    save(set_file("stars"), replace(learnt(SETS["stars"]), twice=("20",), missing=("42",)))
    with table_at(page, PAGE):
        page.get_by_role("button", name="Camera", exact=True).click()
        told = "double-6. Your set stars has 2-0 twice. Your set stars lacks 4-2."
        expect(page.locator("#sets-taught small")).to_have_text(told)


def test_a_set_whose_file_is_damaged_hides_no_other(page: Page) -> None:
    save(set_file("stars"), learnt(SETS["stars"]))
    set_file("broken").write_text("zzz", encoding="utf-8")
    with table_at(page, PAGE) as table:
        camera = page.get_by_role("button", name="Camera", exact=True)
        camera.click()
        expect(page.get_by_label("broken")).to_be_disabled()
        expect(page.locator("#sets-taught")).to_contain_text("put it right or teach the set again")
        page.get_by_label("stars").check()
        waited(lambda: table.shown()["sets"] == ["stars"])
        page.keyboard.press("Escape")
        page.route("**/api/sets", lambda route: route.abort())
        camera.click()
        expect(page.locator("#camera-refused")).to_have_text("pipsight does not answer: is it still running?")


def test_a_set_whose_file_was_damaged_while_it_lies_on_the_table_can_be_taken_away(page: Page) -> None:
    for name in ("stars", "hearts"):
        save(set_file(name), learnt(SETS["stars"]))
    with table_at(page, PAGE) as table:
        table.know(["stars"])
        set_file("stars").write_text("zzz", encoding="utf-8")
        page.get_by_role("button", name="Camera", exact=True).click()
        page.get_by_label("hearts").check()
        expect(page.locator("#camera-refused")).to_contain_text("put it right or teach the set again")
        page.get_by_label("stars").uncheck()
        waited(lambda: table.shown()["sets"] == ["hearts"])


def test_a_set_that_was_forgotten_while_it_lies_on_the_table_can_be_taken_away(page: Page) -> None:
    save(set_file("stars"), learnt(SETS["stars"]))
    with table_at(page, PAGE) as table:
        table.know(["stars"])
        set_file("stars").unlink()
        page.get_by_role("button", name="Camera", exact=True).click()
        expect(page.locator("#sets-taught")).to_contain_text("It was forgotten, and lies here until it is taken away.")
        page.get_by_label("stars").uncheck()
        waited(lambda: table.shown()["sets"] == [])


def test_what_was_refused_stays_said_though_something_else_goes_well_later(page: Page) -> None:
    save(set_file("stars"), learnt(SETS["stars"]))
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    with table_at(page, PAGE) as table:
        camera, refused = page.get_by_role("button", name="Camera", exact=True), page.locator("#camera-refused")
        camera.click()
        page.route("**/api/tables/*/sets", hold)
        page.get_by_label("stars").check()
        page.keyboard.press("Escape")
        page.route("**/api/sets", lambda route: route.abort())
        camera.click()
        expect(refused).to_have_text("pipsight does not answer: is it still running?")
        with page.expect_response("**/api/tables/*/sets"):
            held[0].continue_()
        waited(lambda: table.shown()["sets"] == ["stars"])
        page.wait_for_timeout(200)
        expect(refused).to_have_text("pipsight does not answer: is it still running?")


class Phone:
    """A page's camera that sends one picture again and again until it is shown another one."""

    def __init__(self, table: LiveTable, image: Image) -> None:
        self._table, self._image, self._times = table, image, 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._send)

    def __enter__(self) -> Phone:
        self._table.watch(PAGE)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def show(self, image: Image) -> None:
        """Send this picture from now on; wait until it was sent."""
        self._image, self._times = image, 0
        waited(lambda: self._times >= SURELY)

    def _send(self) -> None:
        while not self._over.wait(EVERY_S):
            if self._table.pushed:
                self._table.pushed.show(self._image)
                self._times += 1


def take(page: Page, phone: Phone, shot: Shot, taken: int) -> None:
    """Lay these tiles and take the picture; so many were taken before."""
    phone.show(shot.image)
    expect(page.locator("#wizard-figures")).to_contain_text(f"Pictures taken{taken}")
    page.get_by_role("button", name="Take the picture").click()


def answered(page: Page, until: str) -> int:
    """Answer each question by its picture, until another part of the wizard is shown; how many there were."""
    number = 0
    while True:
        shown = page.locator("#question").or_(page.locator(until)).locator("visible=true")
        expect(shown).to_be_visible()
        if page.locator(until).is_visible():
            return number
        number += 1
        if number == 1:
            accessible(page, "question")
            kept(page, "wizard-question")
        head, tail = recognised(page.locator("#question-picture").get_attribute("src") or "")
        page.get_by_label("Left half", exact=True).fill(str(head))
        page.get_by_label("Right half", exact=True).fill(str(tail))
        page.get_by_role("button", name="Say so").click()
        expect(page.locator("#question")).to_be_hidden()


def test_a_set_is_taught_with_a_question_for_each_tile_that_cannot_be_told(page: Page) -> None:
    first, second, fresh = shots()
    with table_at(page) as table, Phone(table, first.image) as phone:
        page.get_by_role("button", name="Calibrate", exact=True).click()
        page.get_by_role("radio", name="A set").check(force=True)
        page.get_by_label("Its name").fill("polygons")
        begin(page, "A set")
        take(page, phone, first, 0)
        kept(page, "wizard-set")
        take(page, phone, second, 1)
        assert answered(page, "#unseen") > 0
        page.get_by_label("4-2").check()
        accessible(page, "unseen")
        kept(page, "wizard-unseen")
        page.get_by_role("button", name="Those that are marked lack").click()
        expect(page.locator("#wizard-says")).to_contain_text("for a test")
        take(page, phone, fresh, 2)
        answered(page, "#wizard-over")
        told = over(page, "The set polygons is known.")
        kept(page, "wizard-set-over")
        assert "Your set lacks 4-2." in told
        assert re.search(r"after: (\d+) of \1 right", told)
        assert taught_set("polygons").missing == ("42",)
        away = set_file("polygons").rename(set_file("elsewhere"))
        page.get_by_role("button", name="It lies on this table").click()
        expect(page.locator("#lay-refused")).to_contain_text("No set polygons was taught")
        away.rename(set_file("polygons"))
        page.get_by_role("button", name="It lies on this table").click()
        expect(page.locator("#lay-set")).to_be_hidden()
        assert table.shown()["sets"] == ["polygons"]
