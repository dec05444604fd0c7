"""A table and its camera: one camera is exchanged for another, chosen again, lost and found."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Self, cast

import numpy as np
import pytest

from pipsight.asking import Hint, Move, Press
from pipsight.events import LightsLost, PhotoFinish, Refused, Trouble
from pipsight.live_table import CALIBRATING, OVER, LiveTable
from pipsight.record import read_log
from pipsight.referee import Referee
from pipsight.session import Session
from pipsight.sessions import Begun, Choice, begun, unlogged
from pipsight.wizards.wizard import Desk
from rules.games import game
from rules.games.bee_race import GAME
from rules.puzzles import problem
from tests.pipsight.pages import Deaf, waited
from vision.camera import CameraError, CameraLost, Frame

pytestmark = pytest.mark.needs("cv2")


class Webcam:
    """A camera that shows nothing until it is let go; closing_s: how long that takes."""

    live, closing_s = True, 0.0

    def __init__(self, name: str) -> None:
        self.name, self.lost, self._over = name, False, threading.Event()

    @property
    def held(self) -> bool:
        return not self._over.is_set()

    def lose(self) -> None:
        self.lost = True
        self._over.set()

    def close(self) -> None:
        time.sleep(self.closing_s)
        self._over.set()

    def __iter__(self) -> Iterator[Frame]:
        self._over.wait()
        if self.lost:
            raise CameraLost(f"{self.name} was unplugged")
        yield from ()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass
class Cameras:
    """The cameras of a machine, each of which can be had once at a time."""

    made: list[Webcam] = field(default_factory=list)
    asked: int = 0
    there: bool = True  # plugged in
    slow: threading.Event | None = None  # what opening one waits for

    def opened(self, source: str) -> Webcam:
        slow, self.asked = self.slow, self.asked + 1
        if slow:
            slow.wait()
        if not self.there or source in self.held:
            raise CameraError(f"camera {source} does not answer")
        self.made.append(Webcam(source))
        return self.made[-1]

    @property
    def held(self) -> list[str]:
        return [one.name for one in self.made if one.held]


@pytest.fixture
def cameras(monkeypatch: pytest.MonkeyPatch) -> Cameras:
    there = Cameras()
    monkeypatch.setattr("pipsight.live_table.opened", there.opened)
    monkeypatch.setattr("pipsight.worker.RETRY_S", 0.01)
    return there


@pytest.fixture
def table(cameras: Cameras) -> Iterator[LiveTable]:
    one = LiveTable("1")
    one.watch("0")
    yield one
    one.close()
    assert cameras.held == []


def chosen(table: LiveTable, source: str) -> threading.Thread:
    """Somebody who chooses a camera."""
    choosing = threading.Thread(target=table.watch, args=(source,))
    choosing.start()
    return choosing


def watched(table: LiveTable) -> str:
    return str(table.shown()["camera"]["name"])


def test_of_two_cameras_chosen_at_once_one_is_watched_and_the_other_let_go(table: LiveTable, cameras: Cameras) -> None:
    cameras.made[0].closing_s = 0.3
    choosing = [chosen(table, source) for source in "12"]
    for one in choosing:
        one.join()
    assert cameras.held == [watched(table)]
    assert len([one for one in threading.enumerate() if one.name.startswith("watching")]) == 1


def test_a_camera_that_comes_back_after_another_was_chosen_is_let_go(
    table: LiveTable, cameras: Cameras, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipsight.worker.LEAVING_S", 0.1)
    cameras.slow = comes_back = threading.Event()
    cameras.made[0].lose()
    waited(lambda: cameras.asked == 2)  # it is looked for
    cameras.slow = None
    table.watch("1")
    comes_back.set()
    waited(lambda: len(cameras.made) == 3)
    waited(lambda: cameras.held == ["1"])
    assert watched(table) == "1"


def test_no_page_is_shown_the_password_of_a_camera(table: LiveTable) -> None:
    table.watch("http://admin:S3cret@cam/x")
    assert table.source == "http://admin:S3cret@cam/x"
    assert table.shown()["camera"]["source"] == "http://cam/x"


def test_a_camera_that_is_chosen_again_is_let_go_before_it_is_opened(table: LiveTable, cameras: Cameras) -> None:
    table.watch("0")
    table.again()
    assert (len(cameras.made), cameras.held, watched(table)) == (3, ["0"], "0")


def test_a_camera_that_is_chosen_again_and_does_not_answer_is_waited_for(table: LiveTable, cameras: Cameras) -> None:
    cameras.there = False
    with pytest.raises(CameraError):
        table.watch("0")
    cameras.there = True
    waited(lambda: cameras.held == ["0"])


def test_a_camera_that_does_not_answer_does_not_take_the_place_of_another(table: LiveTable, cameras: Cameras) -> None:
    cameras.there = False
    with pytest.raises(CameraError):
        table.watch("1")
    assert (cameras.held, watched(table)) == (["0"], "0")


def test_no_game_begins_again_without_its_camera(table: LiveTable, cameras: Cameras) -> None:
    table.play(game := unlogged(Choice("unmatched", "5")))
    cameras.there = False
    with pytest.raises(CameraError):
        table.again()
    assert table.begun is game
    cameras.there = True
    table.again()
    assert table.begun is not game


def racing() -> Session:
    """A race in which all think, for half a second after the first claim."""
    session = Session(GAME, GAME.set_up(2, Random(3), "4 dice"))
    session.follower.states = [session.follower.start]
    while session.follower.state.phase.value in ("setting up", "rolling"):
        session.follower.chance()
    session.follower.states[-1] = replace(session.follower.state, timer_s=0.5)
    session.until(100.0)
    return session


def test_the_minute_ends_while_the_camera_is_away(table: LiveTable, cameras: Cameras) -> None:
    table.play(Begun(racing(), Choice("bee_race")))
    table.see(Frame(np.zeros((48, 64, 3), np.uint8), 100.0), live=True)
    cameras.there = False
    cameras.made[0].lose()
    table.do(Move("2:7"))
    waited(lambda: any(event.get("move", "").startswith("time@") for event in table.story))


def test_a_race_that_begins_in_the_middle_stands_as_it_did_however_long_the_table_was_watched(table: LiveTable) -> None:
    before = racing()
    before.do(Move("2:7@100"))
    table.session.time_s = 600.0
    table.play(Begun(Session(GAME, before.follower.state), Choice("bee_race")))
    assert table.session.played_s(table.session.time_s) == 100.0


def test_before_the_first_frame_a_game_stands_where_it_stood(table: LiveTable) -> None:
    table.play(Begun(racing(), Choice("bee_race")))
    assert table.moment(time.monotonic()) == 100.0
    table.do(Press(1))
    assert table.story[-1]["at_s"] == 100.0


def test_a_photo_finish_that_is_open_is_made_when_the_camera_goes_and_when_a_film_ends(table: LiveTable) -> None:
    session, opened = racing(), [PhotoFinish("Player 2 was first.", (1,), None, 5, "")]
    session.referee = cast(Referee, SimpleNamespace(pause=lambda: [opened.pop()] if opened else []))
    assert [type(event) for event in session.lost("Unplugged.")] == [Trouble, PhotoFinish]
    opened.append(PhotoFinish("Player 1 was first.", (0,), None, 5, ""))
    table.play(Begun(session, Choice("bee_race")))
    table.ended()
    assert [event["text"] for event in table.story] == ["Player 1 was first."]


class Curious:
    """Asks once more as soon as a hint is heard, and keeps what came of it."""

    def __init__(self, table: LiveTable) -> None:
        self._table, self.refused, self.asked, self.done = table, list[str](), False, False

    def told(self, event: dict[str, Any]) -> None:
        if event["event"] == "hinted" and not self.asked:
            self.asked = True
            asking = threading.Thread(target=self._ask)
            asking.start()
            asking.join(0.3)  # a page's question comes by another thread, and need not wait for this one

    def _ask(self) -> None:
        self.refused += [one.text for one in self._table.do(Hint(1)) if isinstance(one, Refused)]
        self.done = True

    def shown(self, view: dict[str, Any]) -> None:
        """A view is no event."""

    def pictured(self, number: int) -> None:
        """Nor is a picture."""


def test_who_hears_a_hint_may_ask_for_another_at_once(table: LiveTable) -> None:
    session = Session(game("unmatched"), problem("unmatched", "5"))
    session.follower.states = [session.follower.start]
    table.play(Begun(session, Choice("unmatched", "5")))
    curious = Curious(table)
    table.join(curious)
    table.do(Hint(1))
    waited(lambda: curious.done)
    assert curious.refused == []


def test_after_calibrating_a_camera_that_went_meanwhile_is_said_to_be_away(table: LiveTable, cameras: Cameras) -> None:
    cameras.there = False
    desk = Desk(Deaf())
    table.lend(desk)
    assert table.session.trouble == CALIBRATING
    cameras.made[0].lose()
    waited(lambda: cameras.asked > 1)  # so the wizard was told
    assert table.session.trouble == CALIBRATING
    desk.close()
    table.take_back(desk)
    table.take_back(desk)
    assert table.session.trouble == "0 was unplugged: pipsight goes on as soon as it is back."
    assert [told["event"] for told in table.story] == ["trouble", "trouble"]


@pytest.mark.parametrize("first", ["the film ends", "the wizard ends"])
def test_after_calibrating_a_film_that_ended_meanwhile_is_said_to_be_over(first: str, table: LiveTable) -> None:
    desk = Desk(Deaf())
    table.lend(desk)
    if first == "the wizard ends":
        desk.close()
        table.take_back(desk)
    table.ended()
    assert table.session.trouble == (OVER if first == "the wizard ends" else CALIBRATING)
    desk.close()
    table.take_back(desk)
    assert table.session.trouble == OVER


def test_a_film_that_ends_is_no_trouble(table: LiveTable) -> None:
    table.ended()
    assert table.session.trouble == ""


def test_a_fault_in_thinking_is_no_answer(table: LiveTable, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("of all things")

    monkeypatch.setattr("pipsight.follower.Follower.hint", fail)
    table.play(unlogged(Choice("unmatched", "5")))
    for _ in range(2):
        with pytest.raises(ZeroDivisionError, match="of all things"):
            table.do(Hint(1))


def test_a_log_is_let_go_only_once_what_is_told_is_kept(
    table: LiveTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIPSIGHT_HOME", str(tmp_path))
    table.play(game_ := begun(Choice("unmatched", "5")))
    writing, written = threading.Event(), threading.Event()

    def slow(_: int) -> None:
        writing.set()
        assert written.wait(10)

    monkeypatch.setattr("os.fsync", slow)
    telling = threading.Thread(target=table.tell, args=([LightsLost("The lights are gone.")],))
    telling.start()
    assert writing.wait(10)
    leaving = threading.Thread(target=table.close)
    leaving.start()
    leaving.join(0.5)
    assert game_.log
    assert not game_.log._file.closed
    written.set()
    for one in (telling, leaving):
        one.join(10)
    assert game_.log._file.closed
    assert [entry["event"] for entry in read_log(game_.log.path).entries] == ["lights_lost"]


def test_what_was_lit_in_the_game_before_is_not_lit_in_the_next_one() -> None:
    table = LiveTable("1")
    for _ in range(2):
        table.play(unlogged(Choice("unmatched", "5")))
        begin(table)
        assert "#ffd84d" not in table.shown()["board_svg"]
        assert table.do(Hint(3)) == []
        assert "#ffd84d" in table.shown()["board_svg"]


def begin(table: LiveTable) -> None:
    """Let the game begin with its problem."""
    assert isinstance(table.session, Session)
    table.session.follower.states = [table.session.follower.start]


def test_who_listens_hears_of_the_next_game_and_who_comes_later_of_nothing_before_it() -> None:
    table, kinds = LiveTable("1"), list[str]()
    listener = SimpleNamespace(told=lambda event: kinds.append(event["event"]), shown=lambda _: None)
    table.join(cast("Any", listener))
    for _ in range(2):
        table.play(unlogged(Choice("unmatched", "5")))
        begin(table)
        table.do(Move("65L"))
    assert kinds == ["moved", "waits", "chosen", "moved", "waits"]
    assert [event["event"] for event in table.story].count("moved") == 1
