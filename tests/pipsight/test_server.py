"""The live page's server: a real uvicorn on a free port, real WebSockets, and what pages may and may not do."""

from __future__ import annotations

import gc
import json
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path

import httpx
import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from pipsight.live_table import LiveTable
from pipsight.page.access import UNPAIRED, Access
from pipsight.session import Session
from pipsight.sessions import taken_up
from pipsight.sources import PAGE
from pipsight.tables import Tables
from pipsight.wizards.wizard import Desk
from tests.pipsight.pages import SAMPLES, Deaf, ask, begun_log, event, heard, page, seated, served, waited

pytestmark = pytest.mark.needs("cv2")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of this test's own."""
    monkeypatch.setenv("PIPSIGHT_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def table(home: Path) -> Iterator[LiveTable]:
    """A table at which Unmatched Donimoes 5 goes on after its first move; its camera is a page's."""
    tables = Tables()
    yield tables.add(PAGE, taken_up(begun_log(home / "state" / "sessions", "65L")))
    tables.close()


@pytest.fixture
def address(table: LiveTable) -> Iterator[str]:
    """Where a server with that table is."""
    with seated(table) as at:
        yield at


def test_a_page_hears_the_story_so_far_and_sees_the_table(address: str) -> None:
    with page(address) as socket:
        assert heard(socket, lambda m: m.get("event") == "moved")["past"]
        view = heard(socket, lambda m: "view" in m)
    assert (view["view"], view["game"], view["moves"]) == ("playing", "unmatched", [{"move": "65L", "by": "player 1"}])
    assert view["camera"] == {"source": "page", "name": "the page's camera", "over": False}
    assert view["board_svg"].startswith("<svg")


def test_a_film_that_is_over_is_played_again_for_the_game_that_is_chosen(home: Path) -> None:
    tables = Tables()
    table = tables.add(str(SAMPLES / "unmatched_start.jpg"))
    waited(lambda: table.shown()["camera"]["over"])
    with served(tables) as address:
        httpx.post(f"{address}/api/tables/1/game", json={"game": "unmatched", "problem": "5"}).raise_for_status()
        waited(lambda: table.shown()["view"] == "playing")
    tables.close()


def test_a_server_that_has_ended_keeps_no_table() -> None:
    tables = Tables()
    table = weakref.ref(tables.add(PAGE))
    with served(tables):
        assert table()
    gc.collect()
    assert table() is None


def test_what_one_page_asks_for_is_told_to_all(address: str) -> None:
    with page(address) as one, page(address) as other:
        ask(one, ask="move", move="65L")
        assert heard(other, event("moved"))["move"] == "65L"
        ask(other, ask="take_back")
        assert heard(one, event("taken_back"))["moves"] == ["65L"]
        ask(one, ask="hint", level=3)
        assert heard(other, event("hinted"))["level"] == 3
        ask(other, ask="solution")
        way = heard(one, lambda m: m.get("event") == "hinted" and m["moves"])["moves"]
        assert len(way) == 9
        for move in way:
            ask(one, ask="move", move=move)
        assert heard(other, event("over"))["won"]


def test_who_chooses_the_film_has_its_game_and_who_chooses_a_game_leaves_the_film(address: str) -> None:
    shown = httpx.post(f"{address}/api/tables/1/camera", json={"source": "sample"}, timeout=30).json()
    assert (shown["camera"]["source"], shown["game"]) == ("sample", "unmatched")
    shown = httpx.post(f"{address}/api/tables/1/game", json={"game": "bee"}, timeout=30).json()
    assert (shown["camera"]["source"], shown["game"]) == ("", "bee")


def test_a_refusal_is_told_to_who_asked_alone(address: str) -> None:
    with page(address) as one, page(address) as other:
        ask(one, ask="move", move="99L")
        assert heard(one, event("refused"))["text"]
        ask(one, ask="pause", on=True)
        told = [heard(other, lambda m: m.get("event") and not m.get("past"))["event"]]
        assert told == ["paused"]


@pytest.mark.parametrize(
    ("junk", "told"),
    [
        ("no json", "A message is one JSON object."),
        ("[" * 9000, "A message is one JSON object."),
        ('"' + "x" * 20000 + '"', "A message has at most 16384 characters."),
        ('{"ask": "fly"}', "Nothing can be made of the ask 'fly' with what came along."),
        ('{"ask": "correct", "at_px": [1, 2], "pips": [1, 99]}', "Pips is a whole number from 0 to 15."),
        (b"\x00\x01", "Pictures go to the table's camera, not here."),
    ],
)
def test_junk_is_refused_in_a_sentence(address: str, junk: str | bytes, told: str) -> None:
    with page(address) as socket:
        socket.send(junk)
        assert heard(socket, event("refused"))["text"] == told


def test_too_much_junk_ends_the_line(address: str) -> None:
    with page(address) as socket:
        for _ in range(20):
            socket.send("junk")
        with pytest.raises(ConnectionClosed) as closed:
            heard(socket, lambda m: False)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4400


def test_two_pages_that_correct_at_once_are_served_one_after_the_other(address: str, table: LiveTable) -> None:
    with page(address, end="camera") as camera, page(address) as one, page(address) as other:
        camera.send((SAMPLES / "unmatched_start.jpg").read_bytes())
        assert json.loads(camera.recv()) == {"took": 1}
        tile = heard(one, lambda m: m.get("tiles"))["tiles"][0]
        at = np.mean(tile["corners_px"], axis=0).tolist()
        ask(one, ask="correct", at_px=at, pips=[0, 0])
        ask(other, ask="correct", at_px=at, pips=[6, 6])
        told = {tuple(heard(one, event("corrected"))["pips"]) for _ in range(2)}
        assert told == {(0, 0), (6, 6)}
        last = [one for one in table.story if one["event"] == "corrected"][-1]
        assert table.session.look.scene.tiles[0].pips == last["pips"]
        ask(one, ask="picture")
        assert heard(one, lambda m: "picture" in m)["picture"][:2] == b"\xff\xd8"
        camera.send(b"no picture")
        assert json.loads(camera.recv())["text"].startswith("A picture from the page's camera")
    assert httpx.get(f"{address}/api/tables/1/picture.jpg").headers["content-type"] == "image/jpeg"
    assert httpx.get(f"{address}/api/tables/1/clip.mp4").content[4:8] == b"ftyp"


def test_a_photo_finish_is_kept_under_its_name(address: str, table: LiveTable) -> None:
    assert isinstance(table.session, Session)
    name = table.session.finishes.keep(np.zeros((40, 60, 3), np.uint8))
    answer = httpx.get(f"{address}/api/tables/1/finishes/{name}")
    assert (answer.headers["content-type"], answer.content[:2]) == ("image/jpeg", b"\xff\xd8")
    gone = httpx.get(f"{address}/api/tables/1/finishes/finish-99")
    assert (gone.status_code, gone.json()["detail"]) == (
        404,
        "There is no photo finish finish-99 any more: the newest ones are kept.",
    )
    assert httpx.get(f"{address}/api/tables/1/finishes/..%2Fmoves").status_code in (404, 422)


def test_no_photo_finish_without_the_token(table: LiveTable) -> None:
    tables = Tables()
    tables.seat(table)
    with served(tables, access=Access(token="the-token-of-this-test")) as address:
        assert httpx.get(f"{address}/api/tables/1/finishes/finish-1").json() == {"detail": UNPAIRED}


def test_a_page_whose_camera_is_waited_for_says_which_button_allows_it(address: str, table: LiveTable) -> None:
    with page(address) as socket:
        assert heard(socket, event("trouble"))["text"] == (
            "No page sends a camera's pictures yet: press Camera, then The camera of this device, or choose another."
        )
        with page(address, end="camera") as camera:
            waited(lambda: table.pushed)
            camera.send((SAMPLES / "unmatched_start.jpg").read_bytes())
            heard(socket, event("recovered"))
            assert heard(socket, event("trouble"))["text"] == "The page's camera has sent no picture for 3 seconds."


def test_of_two_pages_cameras_only_the_one_that_was_chosen_last_shows_the_table(address: str, table: LiveTable) -> None:
    picture = (SAMPLES / "unmatched_start.jpg").read_bytes()
    first, second = "page-00000001", "page-00000002"
    with page(address, end=f"camera?source={first}") as one, page(address, end=f"camera?source={second}") as other:
        table.watch(first)
        one.send(picture)
        assert json.loads(one.recv()) == {"took": 1}
        table.watch(second)
        one.send(picture)
        other.send(picture)
        assert json.loads(one.recv())["text"].startswith("This table is seen by another camera")
        assert json.loads(other.recv()) == {"took": 1}


def test_a_table_that_is_not_there(address: str) -> None:
    with page(address, table="7") as socket, pytest.raises(ConnectionClosed) as closed:
        socket.recv()
    assert closed.value.rcvd is not None
    assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4404, "There is no table 7: there is 1.")
    answer = httpx.get(f"{address}/api/tables/7")
    assert (answer.status_code, answer.json()["detail"]) == (404, "There is no table 7: there is 1.")


def test_another_sites_page_is_not_let_in(address: str) -> None:
    with pytest.raises(InvalidStatus), page(address, origin="https://example.org"):
        pass
    assert httpx.get(address, headers={"host": "example.org"}).status_code == 403
    other = {"origin": "http://example.org"}
    assert httpx.post(f"{address}/api/tables/1/again", headers=other).status_code == 403
    with page(address, origin=address) as socket:
        assert heard(socket, lambda m: "view" in m)


def test_a_page_is_paired_by_the_token_of_its_address(table: LiveTable) -> None:
    tables = Tables()
    tables.seat(table)
    with served(tables, access=Access(token="the-token-of-this-test")) as address:
        with page(address) as socket, pytest.raises(ConnectionClosed) as closed:
            socket.recv()
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (4401, UNPAIRED)
        assert httpx.get(address).text == UNPAIRED
        assert httpx.get(f"{address}/api/tables").json() == {"detail": UNPAIRED}
        with httpx.Client(base_url=address) as browser:
            assert browser.get("/?token=wrong").status_code == 403
            assert browser.get("/?token=the-token-of-this-test").status_code == 200
            assert browser.get("/api/tables").status_code == 200
            cookie = {"Cookie": f"pipsight={browser.cookies['pipsight']}"}
        with page(address, additional_headers=cookie) as socket:
            assert heard(socket, lambda m: "view" in m)


def test_games_are_chosen_by_their_published_problems(address: str, home: Path) -> None:
    games = {game["slug"]: game for game in httpx.get(f"{address}/api/games").json()}
    assert len(games["unmatched"]["problems"]) == 20
    assert httpx.get(f"{address}/api/games/unmatched/problems/5.svg").text.startswith("<svg")
    chosen = httpx.post(f"{address}/api/tables/1/game", json={"game": "fujisan", "problem": "3"})
    assert chosen.json()["title"] == "Fujisan"
    assert len(list((home / "state" / "sessions").glob("*fujisan.jsonl"))) == 1
    no_file = httpx.post(f"{address}/api/tables/1/game", json={"game": "fujisan", "problem": "/etc/hosts"})
    assert (no_file.status_code, no_file.json()["detail"]) == (
        409,
        "There is no published problem /etc/hosts of fujisan.",
    )
    unknown = httpx.post(f"{address}/api/tables/1/game", json={"game": "chess"})
    assert unknown.json()["detail"].startswith("There is no game 'chess'")


def test_a_game_that_is_chosen_while_the_film_is_lent_leaves_no_log(address: str, table: LiveTable, home: Path) -> None:
    at = f"{address}/api/tables/1"
    assert httpx.post(f"{at}/camera", json={"source": "sample"}).status_code == 200
    desk = Desk(Deaf())
    table.lend(desk)
    before = sorted((home / "state" / "sessions").iterdir())
    refused = httpx.post(f"{at}/game", json={"game": "fujisan"})
    assert "this camera is being calibrated" in refused.json()["detail"].lower()
    assert sorted((home / "state" / "sessions").iterdir()) == before
    desk.close()


def test_who_chooses_cobra_paw_says_where_the_players_sit(address: str, table: LiveTable) -> None:
    at = f"{address}/api/tables/1"
    assert httpx.post(f"{at}/game", json={"game": "cobra_paw", "seats": ["left", "top"]}).status_code == 200
    assert isinstance(table.session, Session)
    assert table.session.follower.state.sides == ("left", "top")
    alone = httpx.post(f"{at}/game", json={"game": "cobra_paw", "players": 3, "seats": ["left", "top"]})
    assert alone.json()["detail"] == "3 players sit at as many sides of the picture, each at one, not at left and top."
    assert httpx.post(f"{at}/game", json={"game": "cobra_paw", "seats": ["north", "top"]}).status_code == 422


def test_a_full_disk_is_told_and_the_game_goes_on(table: LiveTable, address: str, home: Path) -> None:
    sessions = home / "state" / "sessions"
    table.close()
    for path in sessions.iterdir():
        path.unlink()
    sessions.rmdir()
    sessions.write_text("no folder")
    with page(address) as socket:
        httpx.post(f"{address}/api/tables/1/game", json={"game": "unmatched", "problem": "5"})
        assert heard(socket, event("trouble"))["text"].endswith("The game is not kept")
        assert heard(socket, lambda m: m.get("view") == "setting up")


def test_no_camera_no_change(address: str) -> None:
    answer = httpx.post(f"{address}/api/tables/1/camera", json={"source": "/nowhere.mp4"})
    assert (answer.status_code, answer.json()["detail"]) == (
        409,
        "There is no camera or file /nowhere.mp4: give a number, an address, a video or a folder.",
    )
    assert httpx.get(f"{address}/api/tables/1").json()["camera"]["source"] == "page"


def test_threads_end_with_their_table(table: LiveTable) -> None:
    table.close()
    assert not [one for one in threading.enumerate() if one.name.startswith("watching")]
