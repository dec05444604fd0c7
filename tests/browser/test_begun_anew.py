"""The page in a real browser when a game begins anew: nothing of the one before is told any more."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from pipsight.asking import Move, Solution
from pipsight.events import PhotoFinish, TooClose
from pipsight.live_table import LiveTable
from pipsight.session import Session
from pipsight.sessions import Choice, unlogged
from rules.cobra_paw.state import Hunt
from rules.holding import Holding
from rules.puzzles import problem
from tests.browser.conftest import Server
from tests.browser.filming import seated
from tests.browser.looking import happened
from tests.pipsight import pages

pytestmark = pytest.mark.needs("cv2", "chromium")


@pytest.fixture
def hunt(page: Page) -> Iterator[LiveTable]:
    """A table at which a hunt was too close to call, and its page."""
    with closing(seated("1", "cobra_paw", Hunt((Holding(),) * 4))) as table, pages.seated(table) as address:
        page.goto(address)
        expect(page.locator("#connection")).to_have_text("Connected.")
        assert isinstance(table.session, Session)
        table.do(Move("roll(5-3)"))
        picture = table.session.finishes.keep(np.zeros((40, 60, 3), np.uint8))
        table.tell([PhotoFinish("Player 1 alone touched it.", (0,), None, 5, picture)])
        table.tell([TooClose("Too close to call on the 3-5.", (0, 1), (), "53")])
        happened(page, "Too close to call")
        yield table
        page.goto("about:blank")


def test_the_same_game_once_more_tells_nothing_of_the_one_before(page: Page, hunt: LiveTable) -> None:
    hunt.play(unlogged(Choice("cobra_paw", players=4)))
    expect(page.locator("#happened")).to_have_text("Set the table up.")
    expect(page.locator("#happened")).to_have_class("happened")
    expect(page.locator("#waits")).to_be_hidden()
    hunt.session.follower.states = [Hunt((Holding(),) * 4)]  # type: ignore[union-attr]
    assert hunt.do(Move("roll(6-3)")) == []
    expect(page.locator("#first")).to_have_text("3-6")
    expect(page.locator("#between")).to_be_hidden()
    expect(page.locator("#finishes")).to_be_hidden()


def test_the_steps_of_a_solution_go_with_their_game(page: Page, hunt: LiveTable) -> None:
    hunt.play(unlogged(Choice("unmatched", "5")))
    hunt.session.follower.states = [problem("unmatched", "5")]  # type: ignore[union-attr]
    assert hunt.do(Solution()) == []
    expect(page.locator("#step")).to_contain_text("Step 1 of ")
    hunt.play(unlogged(Choice("unmatched", "4")))
    expect(page.locator("#steps")).to_be_hidden()


def test_a_server_that_was_started_anew_has_seen_nothing_yet(page: Page, server: Server) -> None:
    server.start("--camera", "sample")
    page.goto(server.address)
    happened(page, "Unmatched Donimoes begins.")
    port = server.port
    server.kill()
    server.start("unmatched", "--problem", "5", "--camera", "page", port=port)
    expect(page.locator("#connection")).to_have_text("Connected.")
    expect(page.locator("#happened")).to_have_text("Set the table up.")
