"""The wizards of the page without a browser: over a real server's sockets, from rendered film."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection

from calibration.store import load
from calibration.target import RULER_LIMITS_MM
from calibration.tileset_file import save
from pipsight.asking import BadAsk
from pipsight.cameras import FILE_ANEW, camera_file
from pipsight.events import EVENTS, kind_of
from pipsight.live_table import LiveTable
from pipsight.sets import set_file
from pipsight.sources import PAGE, SAMPLE
from pipsight.wizards.set_lesson import guesses_for
from pipsight.wizards.table_guide import TableWish
from pipsight.wizards.wizard_asks import Answer, Enough, Lacking, LensWish, SetWish, Take, replied, wished
from pipsight.wizards.wizard_events import WIZARD_EVENTS
from rules.domino import Domino
from tests.calibration.flat import SETS, learnt
from tests.pipsight.pages import SAMPLES, ask, event, heard, page, seated, waited
from tests.pipsight.wizard_films import few_views, table_film, written
from vision.scene import TileDetection

pytestmark = pytest.mark.needs("cv2")

PROTOCOL = Path(__file__).resolve().parents[3] / "docs" / "protocol.md"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home of this test's own."""
    monkeypatch.setenv("PIPSIGHT_HOME", str(tmp_path / "home"))


@pytest.fixture
def film(tmp_path: Path) -> str:
    """The sheet lying on the table, and how it is not there long enough for a lens."""
    return str(table_film(tmp_path / "table.avi"))


@pytest.fixture
def table() -> Iterator[LiveTable]:
    """A table without a camera."""
    yield (one := LiveTable("1"))
    one.close()


@pytest.fixture
def address(table: LiveTable) -> Iterator[str]:
    """Where a server with this table is."""
    with seated(table) as at:
        yield at


def begin(socket: ClientConnection, what: str, **more: Any) -> None:
    ask(socket, ask="begin", what=what, **more)


def test_the_table_is_found_shown_and_kept(address: str, table: LiveTable, film: str) -> None:
    table.watch(film)
    with page(address, end="calibrate") as socket:
        begin(socket, "table", area_mm=[400, 300], seats=["top", "bottom"], ruler_mm=188)
        ask(socket, ask="picture")
        assert heard(socket, lambda m: "picture" in m)["picture"][:2] == b"\xff\xd8"
        told = heard(socket, event("guided"))
        assert set(told) == {"v", "event", "text", "state", "share", "figures", "warnings", "may"}
        end = heard(socket, event("finished"))
    assert (end["text"], end["kept"]) == ("The table is found.", True)
    assert any("400 by 300 mm" in line for line in end["lines"])
    plane = load(camera_file(film)).plane
    assert plane is not None
    assert plane.seats == ("bottom", "top")
    lines = httpx.get(f"{address}/api/tables/1/calibration", timeout=30).json()["lines"]
    assert lines[:2] == ["The lens is not known.", "The table is known."]


def test_frames_that_end_before_a_wizard_does_keep_what_was_known(address: str, table: LiveTable, film: str) -> None:
    table.watch(film)
    with page(address, end="calibrate") as socket:
        begin(socket, "lens")
        end = heard(socket, event("finished"))
    assert (end["kept"], end["text"]) == (False, "The camera gives no more pictures. What was known before is kept.")
    assert not camera_file(film).exists()


def test_a_film_that_ends_leaves_the_lens_known_where_it_tells_it_well_enough(
    address: str, table: LiveTable, tmp_path: Path
) -> None:
    film = str(written(tmp_path / "few.avi", few_views(5)))
    table.watch(film)
    with page(address, end="calibrate") as socket:
        begin(socket, "lens")
        end = heard(socket, event("finished"))
    assert (end["text"], end["kept"]) == ("The lens is known.", True)
    assert load(camera_file(film)).lens


def test_a_film_is_no_camera_that_could_change_its_focus(table: LiveTable, film: str) -> None:
    assert not table.live
    table.watch(film)
    assert not table.live
    table.watch(PAGE)
    assert table.live


def test_the_page_takes_a_ruler_as_the_terminal_does() -> None:
    least, most = RULER_LIMITS_MM
    page = (resources.files("pipsight") / "static" / "index.html").read_text(encoding="utf-8")
    assert f'id="ruler" type="number" min="{least:.0f}" max="{most:.0f}"' in page


def test_the_game_waits_for_a_wizard_and_goes_on_when_the_page_leaves(address: str, table: LiveTable) -> None:
    table.watch(PAGE)
    picture = (SAMPLES / "unmatched_start.jpg").read_bytes()
    with page(address) as follower, page(address, end="camera") as camera:
        with page(address, end="calibrate") as socket:
            begin(socket, "lens")
            assert "is being calibrated" in heard(follower, event("trouble"))["text"]
            camera.send(picture)
            assert heard(socket, event("guided"))["text"] == "Hold the sheet before the camera."
            with page(address, end="calibrate") as other:
                begin(other, "table")
                assert "being calibrated already" in heard(other, event("refused"))["text"]

        def seen() -> int:
            camera.send(picture)
            camera.recv()
            return table.frames_seen

        waited(seen)
        heard(follower, event("recovered"))


@pytest.mark.parametrize("chosen", ["page-1f2e3d4c", SAMPLE])
def test_no_other_camera_is_chosen_while_one_is_calibrated(chosen: str, address: str, table: LiveTable) -> None:
    table.watch(PAGE)
    with page(address) as follower, page(address, end="calibrate") as socket:
        begin(socket, "lens")
        assert "is being calibrated" in heard(follower, event("trouble"))["text"]
        for source, code in ((chosen, 409), (PAGE, 200)):
            answer = httpx.post(f"{address}/api/tables/1/camera", json={"source": source}, timeout=30)
            assert answer.status_code == code
            assert table.source == PAGE
        ask(socket, ask="stop")
        heard(socket, event("finished"))
    assert httpx.post(f"{address}/api/tables/1/camera", json={"source": chosen}, timeout=30).status_code == 200


def test_a_wizard_that_is_stopped_says_that_nothing_changed(address: str, table: LiveTable) -> None:
    table.watch(PAGE)
    with page(address, end="calibrate") as socket:
        begin(socket, "set", name="grandma")
        ask(socket, ask="stop")
        end = heard(socket, event("finished"))
    assert (end["text"], end["kept"]) == ("Stopped. What was known before is kept.", False)
    assert not set_file("grandma").exists()


def test_without_a_camera_and_with_a_bad_name_it_is_said_why(address: str, table: LiveTable, film: str) -> None:
    with page(address, end="calibrate") as socket:
        begin(socket, "lens")
        assert heard(socket, event("refused"))["text"] == "Choose a camera first."
        table.watch(film)
        begin(socket, "set", name="../../etc")
        assert "cannot name a set" in heard(socket, event("finished"))["text"]


@pytest.mark.parametrize(("what", "more"), [("lens", {}), ("table", {}), ("set", {"name": "grandma"})])
def test_where_nothing_can_be_kept_nobody_holds_the_sheet_up_or_lays_tiles_out_in_vain(
    what: str,
    more: dict[str, str],
    address: str,
    table: LiveTable,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("PIPSIGHT_HOME", str(tmp_path / "file" / "home"))
    table.watch(PAGE)
    with page(address, end="calibrate") as socket:
        begin(socket, what, **more)
        end = heard(socket, event("finished"))
    assert not end["kept"]
    assert end["text"].startswith("Nothing can be kept in ")
    assert "name another folder by PIPSIGHT_HOME" in end["text"]


def test_a_calibration_that_was_cut_off_is_said_and_written_anew(address: str, table: LiveTable, film: str) -> None:
    camera_file(film).parent.mkdir(parents=True)
    camera_file(film).write_text("version = 2\nid = ", encoding="utf-8")
    table.watch(film)
    (line,) = httpx.get(f"{address}/api/tables/1/calibration", timeout=30).json()["lines"]
    assert "line 2" in line
    with page(address, end="calibrate") as socket:
        begin(socket, "table")
        end = heard(socket, event("finished"))
    assert (end["kept"], end["lines"][0]) == (True, FILE_ANEW)
    assert load(camera_file(film)).plane


def test_what_a_listed_set_has_twice_is_said_of_the_set_and_not_of_the_table(address: str) -> None:
    save(set_file("stars"), replace(learnt(SETS["stars"]), twice=("20",), missing=("42",)))
    [stars] = httpx.get(f"{address}/api/sets").json()
    assert stars["lines"] == ["Your set stars has 2-0 twice.", "Your set stars lacks 4-2."]


def test_sets_are_listed_and_laid_on_a_table(address: str, table: LiveTable) -> None:
    assert httpx.get(f"{address}/api/sets").json() == []
    save(set_file("stars"), learnt(SETS["stars"]))
    assert httpx.get(f"{address}/api/sets").json() == [{"name": "stars", "highest": 6, "lines": []}]
    laid = httpx.post(f"{address}/api/tables/1/sets", json={"sets": ["stars", "stars"]})
    assert laid.json() == {"table": "1", "sets": ["stars"]}
    assert table.shown()["sets"] == ["stars"]
    set_file("broken").write_text("zzz", encoding="utf-8")
    broken, stars = httpx.get(f"{address}/api/sets").json()
    assert (broken["name"], broken["highest"], stars["name"]) == ("broken", None, "stars")
    assert "put it right or teach the set again" in broken["lines"][0]
    unknown = httpx.post(f"{address}/api/tables/1/sets", json={"sets": ["moons"]})
    assert (unknown.status_code, "there are: broken, stars" in unknown.json()["detail"]) == (409, True)


def test_guesses_are_offered_as_the_tile_lies() -> None:
    chances = (0.0, 0.0, 0.6, 0.4), (0.0, 0.0, 0.4, 0.6)
    corners = ((0.0, 0.0), (0.0, 10.0), (20.0, 10.0), (20.0, 0.0))
    tile = TileDetection(corners, ((5.0, 5.0), (15.0, 5.0)), (2, 3), 0.4, likelihoods=chances)
    assert guesses_for(tile, 6) == ((2, 3), (2, 2), (3, 3))
    assert guesses_for(tile, 2) == ((2, 2),)


@pytest.mark.parametrize("name", ["sheet-a4", "tags-letter"])
def test_the_sheet_can_be_printed_from_the_page(name: str, address: str) -> None:
    assert httpx.get(f"{address}/api/sheets/{name}.pdf").content[:5] == b"%PDF-"


@pytest.mark.parametrize(
    ("message", "means"),
    [
        ({"ask": "begin", "what": "lens"}, LensWish()),
        ({"ask": "begin", "what": "table", "by": "tiles", "tile_mm": 48}, TableWish(by="tiles", tile_mm=48.0)),
        ({"ask": "begin", "what": "set", "name": "a", "highest": 12}, SetWish("a", 12)),
        ({"ask": "take"}, Take()),
        ({"ask": "enough"}, Enough()),
        ({"ask": "answer", "pips": [4, 2]}, Answer((4, 2))),
        ({"ask": "answer", "pips": None}, Answer(None)),
        ({"ask": "lacking", "dominoes": ["24", "a0"]}, Lacking((Domino(4, 2), Domino(10, 0)))),
    ],
)
def test_what_a_message_means(message: dict[str, Any], means: object) -> None:
    read: Callable[[Any], object] = wished if message["ask"] == "begin" else replied
    assert read(message) == means


@pytest.mark.parametrize(
    "message",
    [
        None,
        {"ask": "begin"},
        {"ask": "begin", "what": "table", "by": "magic"},
        {"ask": "begin", "what": "table", "seats": ["below"]},
        {"ask": "begin", "what": "table", "seats": [[]]},
        {"ask": "begin", "what": "table", "area_mm": [600]},
        {"ask": "begin", "what": "table", "area_mm": [0, 0]},
        {"ask": "begin", "what": "table", "ruler_mm": "200"},
        {"ask": "begin", "what": "table", "ruler_mm": 20},
        {"ask": "begin", "what": "set", "name": "a", "highest": 7},
        {"ask": "answer", "pips": [True, 2]},
        {"ask": "lacking", "dominoes": ["4-2"]},
    ],
)
def test_what_means_nothing_is_refused(message: Any) -> None:
    with pytest.raises(BadAsk):
        (wished if json.dumps(message).count("begin") else replied)(message)


@pytest.mark.parametrize("kind", [kind_of(one) for one in (*EVENTS, *WIZARD_EVENTS)])
def test_every_event_is_in_the_protocol(kind: str) -> None:
    assert f"| `{kind}` |" in PROTOCOL.read_text(encoding="utf-8")
