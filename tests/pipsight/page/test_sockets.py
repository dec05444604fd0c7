"""The WebSockets of a table while it looks at a picture, for which it may take long: nobody else waits for it."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from pipsight.live_table import LiveTable
from tests.pipsight.pages import heard, page, seated, waited

pytestmark = pytest.mark.needs("cv2")


@pytest.fixture
def table() -> LiveTable:
    return LiveTable("1")


@pytest.fixture
def address(table: LiveTable) -> Iterator[str]:
    with seated(table) as at:
        yield at


def answers(address: str) -> bool:
    """Whether the server serves its page at once."""
    return httpx.get(address, timeout=5).status_code == 200


def test_a_page_that_comes_while_the_table_is_read_stops_no_other(address: str, table: LiveTable) -> None:
    table._lock.acquire()  # as a whole read does
    with page(address) as socket:
        try:
            assert answers(address)
        finally:
            table._lock.release()
        assert heard(socket, lambda message: "view" in message)["table"] == "1"


def test_a_page_that_leaves_while_the_table_is_read_stops_no_other(address: str, table: LiveTable) -> None:
    with page(address) as socket:
        heard(socket, lambda message: "view" in message)
        with table._lock:
            socket.close()
            assert answers(address)
    waited(lambda: not table._audience)
