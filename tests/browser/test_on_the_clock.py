"""The games on the clock in a real browser: a hunt judged from a film, a race of Bee that is claimed and shown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from pipsight.asking import Move, Press
from pipsight.events import Foul, PhotoFinish, TooClose, WasFirst
from pipsight.live_table import LiveTable
from pipsight.session import Session
from pipsight.sessions import Begun, Choice
from pipsight.tables import Tables
from rules import engine
from rules.bee.setup import random_board
from rules.bee.state import flights
from rules.bee_race.moves import SetUp
from rules.board import Board
from rules.cobra_paw.state import Hunt
from rules.domino import Domino
from rules.games import game
from rules.holding import Holding
from rules.puzzles import problem
from rules.table import Table
from rules.words import said
from tests.browser.filming import Filmed, seated
from tests.browser.looking import accessible, fits_a_phone, happened, kept
from tests.pipsight.pages import served
from training.grabs import GrabFilm, random_grabs
from training.hunted import random_hunted
from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2", "chromium")

FEW = 12  # dominoes that are read quickly
RESTS_S = 0.5  # of the film after the last touch
CALM_S = 0.7  # before the hands come


@cache
def grabbed() -> GrabFilm:
    """The first film of a hunt for what its dice show, among few dominoes."""
    return next(film for seed in range(10_000) if fits(seed) and is_clear(film := random_grabs(seed, 30.0, "tuning")))


def fits(seed: int) -> bool:
    """Whether few dominoes lie there and the dice show the one that is hunted."""
    table = (hunted := random_hunted(np.random.default_rng((seed, 11)), "tuning")).table
    shown = Domino.of(*(die.value for die in table.dice))
    return len(table.loose) <= FEW and table.loose[hunted.target].domino == shown


def is_clear(film: GrabFilm) -> bool:
    """Whether one player alone touches anything, and that is the target."""
    touched = [grab.place for grab in film.grabs if grab.contact_s is not None]
    return touched == [film.target]


@pytest.fixture
def address(hunt: LiveTable, race: LiveTable) -> Iterator[str]:
    """Where a server with a hunt and a race is."""
    tables = Tables()
    tables.seat(hunt)
    tables.seat(race)
    with served(tables) as at:
        yield at
    tables.close()


@pytest.fixture
def hunt() -> LiveTable:
    """The players of a film before its dominoes."""
    lying = grabbed().shooting.hunted.table.loose
    face_up = tuple(sorted(tile.domino for tile in lying))
    return seated("1", "cobra_paw", Hunt((Holding(),) * grabbed().players, face_up))


@pytest.fixture
def race() -> LiveTable:
    """Three players before the first board of a race."""
    return seated("2", "bee_race", game("bee_race").start("players: 3\nvariant: 3 dice, 2 rounds"))  # type: ignore[attr-defined]


def test_a_hunt_is_judged_before_everybody(page: Page, address: str, hunt: LiveTable, tmp_path: Path) -> None:
    page.goto(f"{address}/?table=1")
    expect(page.locator("#first")).to_have_text("Player 1 rolls")
    grabs = grabbed()
    first = f"Player {grabs.grabs[0].seat + 1}"
    hunt.follow(str(filmed_as(tmp_path / "calm.avi", calm(grabs))))
    expect(page.get_by_role("img", name=f"The target: {said(target())}")).to_be_visible()
    accessible(page, "hunt")
    kept(page, "hunt-target")
    frames = [frame for frame in grabs.frames() if frame.time_s < _last_touch_s(grabs) + RESTS_S]
    for frame in frames:
        hunt.see(replace(frame, time_s=CALM_S + frame.time_s), live=False)
    for number in range(1, 21):  # the hands lie there still
        hunt.see(replace(frames[-1], time_s=CALM_S + frames[-1].time_s + number / 30), live=False)
    expect(page.locator("#first")).to_have_text(first)
    expect(page.locator("#margin")).to_have_text(f"{first} alone touched it.")
    expect(page.locator("#taken li").nth(grabs.grabs[0].seat)).to_contain_text("1 of 6")
    expect(page.get_by_alt_text(f"Photo finish: {first} alone touched it.")).to_be_visible()
    assert page.locator("#marks .hand").count() > 0
    assert page.locator("#marks .tip").count() > 0
    accessible(page, "first")
    kept(page, "hunt-first")
    page.locator("#gallery button").click()
    expect(page.locator("#finish-large")).to_be_visible()
    accessible(page, "finish")
    kept(page, "hunt-finish")
    page.keyboard.press("Escape")
    _looks(page, "hunt")


def _last_touch_s(grabs: GrabFilm) -> float:
    return max(grab.contact_s for grab in grabs.grabs if grab.contact_s is not None)


def calm(grabs: GrabFilm) -> list[Image]:
    """The table of a hunt before any hand, as a camera sees it."""
    noise = np.random.default_rng(1)
    grains = [noise.normal(0, 1, grabs.still.shape) for _ in range(4)]
    return [np.clip(grabs.still + grains[number % 4], 0, 255).astype(np.uint8) for number in range(round(30 * CALM_S))]


def filmed_as(path: Path, images: list[Image]) -> Path:
    """A film of these pictures, 30 a second."""
    height, width = images[0].shape[:2]
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30.0, (width, height))
    film.set(cv2.VIDEOWRITER_PROP_QUALITY, 97)
    for image in images:
        film.write(image)
    film.release()
    return path


def target() -> Domino:
    """What is hunted in the film."""
    return grabbed().shooting.hunted.table.loose[grabbed().target].domino


def _looks(page: Page, name: str) -> None:
    """The same page by night, from across the table, and on a phone."""
    page.emulate_media(color_scheme="dark")
    accessible(page, f"{name} by night")
    kept(page, f"{name}-dark")
    page.emulate_media(color_scheme="light")
    page.get_by_role("button", name="Large type").click()
    accessible(page, f"{name} in large type")
    kept(page, f"{name}-large")
    page.get_by_role("button", name="Large type").click()
    fits_a_phone(page, name)


def test_what_nobody_can_decide_the_players_do(page: Page, address: str, hunt: LiveTable) -> None:
    page.goto(f"{address}/?table=1")
    high, low = target().high, target().low
    assert hunt.do(Move(f"roll({high}-{low})")) == []
    hunt.tell([Foul(f"The 3-0 is not the target: the dice show {said(target())}.", 0, (), "30")])
    happened(page, "Player 1: The 3-0 is not the target")
    hunt.tell([TooClose(f"Too close to call on the {said(target())}.", (0, 1), (), str(target()))])
    expect(page.locator("#first")).to_have_text("Too close to call")
    accessible(page, "too close")
    kept(page, "hunt-close")
    page.reload()
    expect(page.locator("#first")).to_have_text("Too close to call")
    hunt.tell([PhotoFinish("Player 2 was 6 ms before Player 1, give or take 9.", (1, 0), 6, 9, "")])
    page.get_by_role("group", name="Who was first?").get_by_role("button", name="Player 2").click()
    happened(page, f"Player 2 finds the {said(target())} and takes it")
    page.get_by_role("button", name="Pause").click()
    expect(page.locator("#roll")).to_be_hidden()
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Roll for us").click()
    happened(page, "The dice show")
    expect(page.locator("#target svg")).to_be_visible()
    hunt.tell([WasFirst("Player 1 was first.", 0)])
    expect(page.locator("#first")).to_have_text("Player 1")
    hunt.tell([PhotoFinish("Player 1 was 46 ms before Player 2, give or take 9.", (0, 1), 46, 9, "")])
    expect(page.locator("#margin")).to_have_text("by 46 ms, give or take 9")


def test_after_a_tie_nobody_has_seven_dominoes_of_six(page: Page, address: str, hunt: LiveTable) -> None:
    six = Holding((), 6)
    hunt.session.follower.states = [Hunt((six, six), tied=(0, 1), before=(6, 6))]  # type: ignore[union-attr]
    page.goto(f"{address}/?table=1")
    for word in ("roll(5-3)", "2:53"):
        assert hunt.do(Move(word)) == []
    happened(page, "Player 2 wins: 7 dominoes.")
    expect(page.locator("#taken .count")).to_have_text(["6 of 6", "7"])


def test_whoever_hunts_again_does_so_for_all_pages(page: Page, address: str, hunt: LiveTable) -> None:
    phone = page.context.new_page()
    for one in (page, phone):
        one.goto(f"{address}/?table=1")
    assert hunt.do(Move(f"roll({target().high}-{target().low})")) == []
    hunt.tell([TooClose(f"Too close to call on the {said(target())}.", (0, 1), (), str(target()))])
    expect(phone.locator("#first")).to_have_text("Too close to call")
    page.get_by_role("button", name="Hunt again").click()
    for one in (page, phone):
        expect(one.locator("#first")).to_have_text(said(target()))
        expect(one.get_by_role("button", name="Hunt again")).to_be_hidden()
    phone.reload()
    happened(phone, "The hunt goes on.")
    expect(phone.locator("#first")).to_have_text(said(target()))


def test_a_claim_that_the_camera_saw_leaves_the_target_to_be_found(page: Page, address: str, hunt: LiveTable) -> None:
    follower = hunt.session.follower  # type: ignore[union-attr]
    follower.states = [Hunt((Holding(),) * 3)]
    page.goto(f"{address}/?table=1")
    assert hunt.do(Move("roll(5-3)")) == []
    hunt.tell([WasFirst("Player 1 was first.", 0), *follower.make("1:00@10.000", seen=True)])
    expect(page.locator("#first")).to_have_text("Player 1: gone")
    expect(page.locator("#margin")).to_have_text("Who finds the 3-5?")
    expect(page.get_by_role("img", name="The target: 3-5")).to_be_visible()
    hunt.tell([PhotoFinish("Player 1 alone touched it.", (0,), None, 5, "")])
    page.get_by_role("button", name="Nobody finds it").click()
    expect(page.locator("#first")).to_have_text("Player 1")
    expect(page.locator("#margin")).to_have_text("may take a domino as a reward.")


def test_the_photo_finish_of_a_claim_says_nothing_of_who_found_the_target(
    page: Page, address: str, hunt: LiveTable
) -> None:
    follower = hunt.session.follower  # type: ignore[union-attr]
    follower.states = [Hunt((Holding(),) * 3)]
    page.goto(f"{address}/?table=1")
    assert hunt.do(Move("roll(5-3)")) == []
    hunt.tell([WasFirst("Player 1 was first.", 0), *follower.make("1:00@10.000", seen=True)])
    hunt.tell([WasFirst("Player 2 was first.", 1), *follower.make("2:53@10.300", seen=True)])
    hunt.tell([PhotoFinish("Player 1 alone touched it.", (0,), None, 5, "", "00")])
    hunt.tell([Foul("The 6-6 is not the target: the dice show 3-5.", 2, (), "66")])
    happened(page, "The 6-6 is not the target")  # and what came before it
    expect(page.locator("#first")).to_have_text("Player 2")
    expect(page.locator("#margin")).to_contain_text("was first. Player 2 and Player 3 may take a domino as a reward.")
    hunt.tell([PhotoFinish("Player 2 alone touched it.", (1,), None, 5, "", "53")])
    expect(page.locator("#margin")).to_contain_text("Player 2 alone touched it.")


@pytest.mark.parametrize("words", ["1:53 3+66 1+65", "none 2+66"])
def test_who_wins_by_a_reward_is_shown_and_not_who_found_the_last_target(
    page: Page, address: str, hunt: LiveTable, words: str
) -> None:
    """Player 2 claims that the target is gone, wrongly or rightly."""
    follower = hunt.session.follower  # type: ignore[union-attr]
    follower.states = [Hunt((Holding(), Holding((), 5), Holding((), 5)))]
    page.goto(f"{address}/?table=1")
    for word in ("roll(5-3)", "2:00", *words.split()):
        assert hunt.do(Move(word)) == []
    won = "Player 3" if words[0] == "1" else "Player 2"
    happened(page, f"{won} wins: 6 dominoes of 6.")
    expect(page.locator("#first")).to_have_text(won)
    expect(page.locator("#margin")).to_have_text("wins.")
    page.reload()
    expect(page.locator("#first")).to_have_text(won)


def test_a_race_is_claimed_against_the_clock_and_shown(page: Page, address: str, race: LiveTable) -> None:
    page.goto(f"{address}/?table=2")
    expect(page.locator("#tables a")).to_have_count(2)
    filmed = Filmed(race)
    assert race.do(Move(str(SetUp(random_board(Random(5), filmed.state.used))))) == []
    for die in (1, 2):
        assert race.do(Move(f"roll({die})")) == []
    page.get_by_role("button", name="Roll for us").click()
    happened(page, "The queen bee, the 3, goes to her starting space")
    filmed.lies(1.0)
    _claim(page, race)
    best = len(engine.solve(game("bee"), filmed.state.swarm).moves or ())
    page.get_by_role("button", name="Pause").click()
    expect(page.locator("#claimers")).to_be_hidden()
    page.get_by_role("button", name="Go on").click()
    expect(page.locator("#claimers")).to_be_visible()
    page.keyboard.press("1")
    page.locator("#claim-keys").get_by_role("button", name=str(best), exact=True).click()
    expect(page.locator("#leading")).to_have_text(f"Player 1: {best} moves")
    accessible(page, "claims")
    kept(page, "race-claims")
    page.reload()
    expect(page.locator("#ring")).to_have_attribute("aria-label", re.compile(r"^(59|60) seconds left$"))
    _looks(page, "race")
    filmed.passes(60.5)
    expect(page.locator("#leading")).to_have_text(f"0 of {best}")
    accessible(page, "demonstration")
    kept(page, "race-shown")
    first, *others = engine.solve(game("bee"), filmed.state.swarm).moves or ()
    filmed.flies(first)
    expect(page.locator("#leading")).to_have_text(f"1 of {best}")
    for flight in others:
        assert race.do(Move(str(flight))) == []
    happened(page, "Player 1 scores a point.")
    expect(page.locator("#points li").first).to_contain_text("1 point")
    kept(page, "race-scored")
    page.get_by_role("button", name="The dice are back").click()
    expect(page.locator("#race-title")).to_contain_text("Round 2 of 2")


def test_all_together_say_that_it_is_impossible(page: Page, address: str, race: LiveTable) -> None:
    together = game("bee_race").start("players: 3\nvariant: 4 dice, together")  # type: ignore[attr-defined]
    race.session.follower.start = together  # type: ignore[union-attr]
    race.session.follower.states = [together]  # type: ignore[union-attr]
    assert race.do(Move(str(SetUp(random_board(Random(5), together.used))))) == []
    for die in (1, 2, 3):
        assert race.do(Move(f"roll({die})")) == []
    page.goto(f"{address}/?table=2")
    expect(page.locator("#leading")).to_have_text("0 flown")
    expect(page.locator("#put-back")).to_be_hidden()
    swarm = race.session.follower.state.swarm  # type: ignore[union-attr]
    assert race.do(Move(str(next(flights(swarm, 1))))) == []
    page.get_by_role("button", name="The dice are back").click()
    expect(page.locator("#leading")).to_have_text("0 flown")
    page.get_by_role("button", name="Impossible").click()
    happened(page, "says: it is impossible")
    expect(page.locator("#leading")).to_have_text("Nobody scores")


def test_a_press_elsewhere_takes_no_field_from_who_types(page: Page, address: str, race: LiveTable) -> None:
    page.goto(f"{address}/?table=2")
    assert race.do(Move(str(SetUp(random_board(Random(5), race.session.follower.state.used))))) == []  # type: ignore[union-attr]
    for die in (1, 2, 3):
        assert race.do(Move(f"roll({die})")) == []
    page.get_by_label("A move that you type").fill("2:")
    assert race.do(Press(0)) == []
    expect(page.locator("#claim-title")).to_have_text("Player 1: in how many moves?")
    page.keyboard.type("7")
    expect(page.get_by_label("A move that you type")).to_have_value("2:7")


def test_of_many_faults_the_first_are_told_one_by_one(page: Page, address: str, hunt: LiveTable) -> None:
    session = Session(game("unmatched"), problem("unmatched", "5"))
    session.follower.see([Table(Board(session.follower.start.board.placed[:1]))], 2.0)
    hunt.play(Begun(session, Choice("unmatched", "5")))
    page.goto(f"{address}/?table=1")
    lines = page.locator("#faults li")
    expect(lines).to_have_count(5)
    expect(lines.nth(3)).to_contain_text("is missing at")
    expect(lines.last).to_have_text(f"and {len(session.follower.wrong) - 4} more")


def _claim(page: Page, race: LiveTable) -> None:
    """Player 2 claims twelve moves by the keys alone; players 3 and 1 press and think better of it."""
    expect(page.locator("#give-up")).to_have_text("All give up")
    _hold(page, "2")
    expect(page.locator("#claim-title")).to_have_text("Player 2: in how many moves?")
    expect(page.locator("#give-up")).to_be_hidden()
    expect(page.locator("#claimed")).to_be_focused()
    _hold(page, "2")
    page.keyboard.up("2")
    expect(page.locator("#claimed")).to_have_value("")
    assert [event["seat"] for event in race.story if event["event"] == "pressed"] == [1]
    accessible(page, "claiming")
    kept(page, "race-claiming")
    page.keyboard.type("12")
    page.keyboard.press("Enter")
    expect(page.locator("#leading")).to_have_text("Player 2: 12 moves")
    expect(page.locator("#ring")).to_be_visible()
    page.locator("#race-title").click()
    page.set_viewport_size({"width": 390, "height": 844})
    page.keyboard.press("3")
    expect(page.locator("#claim-title")).to_have_text("Player 3: in how many moves?")
    expect(page.locator("#claim")).to_be_in_viewport(ratio=1)
    kept(page, "race-claiming-phone")
    page.set_viewport_size({"width": 1280, "height": 860})
    page.keyboard.press("q")  # a letter claims while a number is typed
    page.keyboard.press("Escape")
    expect(page.locator("#claim-title")).to_have_text("Player 1: in how many moves?")
    page.keyboard.press("Escape")
    expect(page.locator("#claim")).to_be_hidden()


def _hold(page: Page, key: str) -> None:
    """Keep a key down until it has come three times."""
    for _ in range(3):
        page.keyboard.down(key)
