"""What the live page's server is made of: mailboxes, who is let in, the certificate, cameras that come and go."""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import stat
import threading
import time
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.client import ClientProtocol
from websockets.protocol import State
from websockets.uri import parse_uri

from pipsight.asking import BadAsk, Resync, asked
from pipsight.events import Event, Refused
from pipsight.follower import Follower
from pipsight.live_table import LiveTable
from pipsight.page.access import FOREIGN, STRANGE, UNPAIRED, Access, kept_token
from pipsight.page.certificate import own_certificate
from pipsight.page.mailbox import MOST_EVENTS, Behind, Mailbox
from pipsight.page.serving import CannotListen, Place, listen
from pipsight.sessions import Choice, unlogged
from pipsight.sources import is_on_disk
from pipsight.tables import Tables
from tests.pipsight.pages import PATIENCE_S, SAMPLES, SERVER, ask, heard, page, served, waited

pytestmark = pytest.mark.needs("cv2")

OWN = [(b"host", b"127.0.0.1:8760")]


async def taken(mailbox: Mailbox, count: int) -> list[str | None]:
    """So many messages of a mailbox."""
    found: list[str | None] = []
    async for message in mailbox.news():
        found.append(message)
        if len(found) == count:
            break
    return found


def test_a_slow_browser_misses_views_and_pictures_but_no_event() -> None:
    async def slow() -> list[str | None]:
        mailbox = Mailbox()
        mailbox.want_picture()
        for number in range(1, 1001):
            mailbox.told({"number": number})
            mailbox.shown({"view": number})
            mailbox.pictured(number)
        return await taken(mailbox, 1002)

    *events, view, picture = asyncio.run(slow())
    assert [json.loads(event or "")["number"] for event in events] == list(range(1, 1001))
    assert (json.loads(view or ""), picture) == ({"view": 1000}, None)


def test_a_picture_is_given_once_for_each_time_of_asking() -> None:
    async def asks() -> list[str | None]:
        mailbox = Mailbox()
        mailbox.pictured(1)
        mailbox.want_picture()
        first = await taken(mailbox, 1)
        mailbox.sent_picture(1)
        mailbox.want_picture()
        mailbox.told({"number": 1})
        return [*first, *await taken(mailbox, 1)]

    assert asyncio.run(asks()) == [None, '{"number": 1}']


def test_a_browser_that_takes_nothing_is_given_up() -> None:
    async def never() -> None:
        mailbox = Mailbox()
        for number in range(6000):
            mailbox.told({"number": number})
        assert len(mailbox._events) == MOST_EVENTS + 1  # though who waits for it to take one may wait for ever
        await taken(mailbox, 1)

    with pytest.raises(Behind):
        asyncio.run(never())


@pytest.mark.parametrize(
    ("headers", "query", "refusal"),
    [
        (OWN, b"token=right", ""),
        ([*OWN, (b"cookie", b"other=1; pipsight=right")], b"", ""),
        ([*OWN, (b"origin", b"http://127.0.0.1:8760")], b"token=right", ""),
        (OWN, b"", UNPAIRED),
        (OWN, b"token=wrong", UNPAIRED),
        ([*OWN, (b"cookie", b"pipsight=wrong")], b"", UNPAIRED),
        ([(b"host", b"evil.example:8760")], b"token=right", STRANGE),
        ([], b"token=right", STRANGE),
        ([*OWN, (b"origin", b"http://evil.example")], b"token=right", FOREIGN),
        ([*OWN, (b"origin", b"http://127.0.0.1:9999")], b"token=right", FOREIGN),
        ([*OWN, (b"origin", b"null")], b"token=right", FOREIGN),
        ([*OWN, (b"sec-fetch-site", b"same-origin"), (b"sec-fetch-mode", b"no-cors")], b"token=right", ""),
        ([*OWN, (b"sec-fetch-site", b"cross-site"), (b"sec-fetch-mode", b"navigate")], b"token=right", ""),
        ([*OWN, (b"sec-fetch-site", b"cross-site"), (b"sec-fetch-mode", b"no-cors")], b"token=right", FOREIGN),
        ([*OWN, (b"sec-fetch-site", b"same-site"), (b"sec-fetch-mode", b"no-cors")], b"token=right", FOREIGN),
    ],
)
def test_who_is_let_in(headers: list[tuple[bytes, bytes]], query: bytes, refusal: str) -> None:
    scope: dict[str, Any] = {"headers": headers, "query_string": query}
    assert Access(token="right").refusal(scope) == refusal


@given(st.binary(max_size=40), st.binary(max_size=40), st.binary(max_size=40))
def test_no_header_breaks_the_door(host: bytes, cookie: bytes, query: bytes) -> None:
    headers = [(b"host", host), (b"origin", host), (b"cookie", b"pipsight=" + cookie)]
    assert Access(token="right").refusal({"headers": headers, "query_string": query}) in (STRANGE, FOREIGN, UNPAIRED)


def test_the_token_is_kept_for_this_user_alone(tmp_path: Path) -> None:
    token = kept_token(tmp_path / "token")
    assert kept_token(tmp_path / "token") == token
    assert len(token) >= 16
    assert stat.S_IMODE((tmp_path / "token").stat().st_mode) == 0o600


def test_a_certificate_is_made_once_and_anew_for_other_names(tmp_path: Path) -> None:
    files = own_certificate(tmp_path, ["127.0.0.1", "localhost"])
    first = files.certificate.read_bytes()
    assert own_certificate(tmp_path, ["localhost"]).certificate.read_bytes() == first
    assert own_certificate(tmp_path, ["localhost", "192.0.2.7"]).certificate.read_bytes() != first
    assert stat.S_IMODE(files.key.stat().st_mode) == 0o600


@pytest.mark.parametrize("key", ["another's", "cut off"])
def test_a_certificate_whose_key_is_not_its_own_is_made_anew(key: str, tmp_path: Path) -> None:
    files, other = (own_certificate(tmp_path / name, ["127.0.0.1"]) for name in ("own", "other"))
    files.key.write_bytes(other.key.read_bytes() if key == "another's" else b"")
    assert own_certificate(tmp_path / "own", ["127.0.0.1"]) == files
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(files.certificate, files.key)


def test_in_the_local_network_the_page_is_served_by_https_to_paired_browsers(tmp_path: Path) -> None:
    taken = listen(0).listening
    files = own_certificate(tmp_path, ["127.0.0.1", "localhost"])
    place = Place(taken, Access(token="right"), f"https://127.0.0.1:{taken.getsockname()[1]}/?token=right", "", files)
    tables = Tables()
    tables.seat(LiveTable("1"))
    trusted = ssl.create_default_context(cafile=str(files.certificate))
    with served(tables, place) as address:
        assert httpx.get(address, verify=trusted).status_code == 403
        answer = httpx.get(f"{address}/?token=right", verify=trusted)
        assert "Secure" in answer.headers["set-cookie"]
        with page(address, ssl=trusted, additional_headers={"cookie": "pipsight=right"}) as open_page:
            assert heard(open_page, lambda m: "view" in m)["view"] == "choosing"


def test_the_server_stops_while_a_page_leaves_slowly(tmp_path: Path) -> None:
    taken = listen(0).listening
    files = own_certificate(tmp_path, ["127.0.0.1"])
    place = Place(taken, Access(), f"https://127.0.0.1:{taken.getsockname()[1]}/", "", files)
    tables = Tables()
    tables.seat(LiveTable("1"))
    trusted = ssl.create_default_context(cafile=str(files.certificate))
    leaving = ClientProtocol(parse_uri(f"wss://127.0.0.1:{taken.getsockname()[1]}/api/tables/1/live"))
    with served(tables, place):
        plain = socket.create_connection(taken.getsockname())
        line = trusted.wrap_socket(plain, server_hostname="127.0.0.1")
        leaving.send_request(leaving.connect())
        line.sendall(b"".join(leaving.data_to_send()))
        while leaving.state is not State.OPEN:
            leaving.receive_data(line.recv(4096))
        leaving.send_close()
        line.sendall(b"".join(leaving.data_to_send()))
        time.sleep(0.2)
        threading.Timer(0.5, line.close).start()  # till then the server waits for the end of the encrypted line


def test_the_server_stops_while_somebody_waits_for_a_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, over = threading.Event(), threading.Event()

    def slow(_: Follower) -> list[Event]:
        begun.set()
        over.wait(60)
        return []

    monkeypatch.setattr(Follower, "solution", slow)
    tables, table = Tables(), LiveTable("1")
    tables.seat(table)
    table.play(unlogged(Choice("unmatched", "5")))
    with served(tables) as address, page(address) as waiting:
        server = next(one for one in threading.enumerate() if one.name == SERVER)
        ask(waiting, ask="solution")
        assert begun.wait(PATIENCE_S)
    assert not server.is_alive()
    over.set()


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    first = listen(0).listening
    with pytest.raises(CannotListen, match="choose another by --port"):
        listen(first.getsockname()[1])
    first.close()


@pytest.mark.parametrize(
    ("source", "on_disk"),
    [("0", False), ("page", False), ("sample", False), ("http://cam/", False), ("a.mp4", True), ("/", True)],
)
def test_which_sources_are_files_of_this_machine(source: str, on_disk: bool) -> None:
    assert is_on_disk(source) is on_disk


def test_a_folder_of_pictures_is_watched_to_its_end(tmp_path: Path) -> None:
    for number in range(2):
        (tmp_path / f"{number}.jpg").write_bytes((SAMPLES / "unmatched_start.jpg").read_bytes())
    table = LiveTable("1")
    table.watch(str(tmp_path))
    waited(lambda: table.shown()["camera"]["over"])
    assert len(table.shown()["tiles"]) == 8
    assert len(table.clip()) > 1000
    table.close()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=6), inside, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from(["hint", "solution", "move", "take_back", "resync", "pause", "correct", "fly"])
ASKS = st.fixed_dictionaries(
    {"ask": NAMES | JSON}, optional=dict.fromkeys(("level", "move", "on", "at_px", "pips"), JSON)
)


NO_GAME, NO_TILE = "Choose a game first.", "No tile lies there."


@cache
def empty_table() -> LiveTable:
    return LiveTable("1")


@settings(max_examples=200)
@given(ASKS | JSON)
def test_whatever_is_asked_is_done_or_refused(message: Any) -> None:
    try:
        ask = asked(message)
    except BadAsk:
        return
    refused = empty_table().do(ask)
    seen_anew = isinstance(ask, Resync)  # that can be done before a game is chosen
    assert refused == [] if seen_anew else refused in ([Refused(NO_GAME)], [Refused(NO_TILE)])
