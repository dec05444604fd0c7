"""One table from its first frame: rendered films of real courses of play are followed by the networks that ship."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from pipsight.asking import BadAsk, Correct, Hint, HuntAgain, Move, Pause, Resync, Solution, TakeBack, asked
from pipsight.commands.demo import SAMPLES
from pipsight.events import Corrected, Hinted, Moved, Over, Paused, Recovered, Refused, TakenBack, Trouble, Wrong
from pipsight.onlooking import Onlooking
from pipsight.page.view import view
from pipsight.record import Log, read_log
from pipsight.session import CannotResume, Session, resumed
from rules.board import Board
from rules.engine import replay
from rules.games import game
from rules.puzzles import problem, published
from rules.table import Table
from training.course import stage_of, steadied
from training.film import Shot, film
from vision.camera import Frame
from vision.picture import load
from vision.scene import Scene

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pipsight.events import Event
    from training.stage import Stage

pytestmark = pytest.mark.needs("cv2")

CLOTH = (90.0, 120.0, 70.0)
SIZE = (960, 540)


def staged(tables: list[Table]) -> Stage:
    return stage_of(tables, 3, SIZE, CLOTH)


def played(slug: str, name: str, moves: str) -> list[Table]:
    """The tables of a course of play, from the start of a published problem."""
    rules: Any = game(slug)
    states = [problem(slug, name)]
    for word in moves.split(", "):
        states.append(replay(rules, states[-1], word)[0])
    return steadied(rules.diagram(state).table for state in states)


def watched(session: Session, shots: list[Shot]) -> list[Event]:
    """What a session says of a film."""
    stage = staged([shot.table for shot in shots])
    return [event for frame in film(stage, shots, 7) for event in session.see(frame, live=True)]


@cache
def capturing() -> tuple[list[Table], list[str]]:
    moves = next(p.moves for p in published("capturing") if p.name == "1")
    return played("capturing", "1", moves), moves.split(", ")


def test_a_whole_game_is_followed_through_hands_a_takeback_a_fault_a_nudge_and_a_shadow(tmp_path: Path) -> None:
    tables, moves = capturing()
    first = tables[0]
    astray = Table(Board(first.board.placed[1:]))  # somebody took a domino that was not captured
    shots = [
        Shot(first),
        Shot(tables[1]),
        Shot(first),
        Shot(astray, hold_s=2.2),
        Shot(first, shadow=True, hold_s=1.5),
        Shot(first, hand=False, nudged=(0.1, 0.06)),
        *(Shot(table, rests=number == 1, carried=number > 1) for number, table in enumerate(tables[1:])),
    ]
    with Log.begin(tmp_path, "capturing", problem="1") as log:
        session = Session(game("capturing"), problem("capturing", "1"), log)
        events = watched(session, shots)
    told = [e for e in events if isinstance(e, Moved | TakenBack | Wrong | Over | Trouble)]
    assert [e.move for e in told if isinstance(e, Moved)] == [moves[0], *moves]
    assert [e.moves for e in told if isinstance(e, TakenBack)] == [(moves[0],)]
    assert [type(e).__name__ for e in told][1:4] == ["TakenBack", "Wrong", "Moved"]
    assert isinstance(told[-1], Over)
    assert told[-1].won
    again = resumed(read_log(log.path), Session(game("capturing"), problem("capturing", "1")))
    assert again.follower.state == session.follower.state


def a_session() -> tuple[Session, list[Frame]]:
    """A session whose table is set up, and the frames that showed it."""
    table = capturing()[0][0]
    session = Session(game("capturing"), problem("capturing", "1"))
    frames = list(islice(film(staged([table]), [Shot(table, hold_s=1.0)], 7), 30))
    for frame in frames:
        session.see(frame, live=True)
    assert session.follower.phase == "playing"
    return session, frames


def test_what_people_ask_for_is_done_or_refused() -> None:
    session, frames = a_session()
    assert isinstance(session.do(Hint(3))[0], Hinted)
    assert isinstance(session.do(Solution())[0], Hinted)
    assert isinstance(session.do(Move("nonsense"))[0], Refused)
    assert isinstance(session.do(TakeBack())[0], Refused)
    assert isinstance(session.do(Pause(True))[0], Paused)
    assert session.see(frames[-1], live=True) == []
    session.do(Pause(False))
    assert "moves" in view(session)
    assert [type(event).__name__ for event in session.do(Resync())][:1] == ["Resynced"]


def test_a_correction_is_believed_where_the_tile_lies() -> None:
    session, _ = a_session()
    tile = session.look.scene.tiles[0]
    middle = tuple(float(v) for v in np.mean(tile.centers_px, axis=0))
    wrong = (tile.pips[0], (tile.pips[1] + 1) % 7)
    events = session.do(Correct((middle[0], middle[1]), wrong))
    assert isinstance(events[0], Corrected)
    assert session.look.scene.tiles[0].pips == wrong
    assert not session.look.scene.tiles[0].doubtful
    session.do(Correct((middle[0], middle[1]), tile.pips))
    assert session.look.scene.tiles[0].pips == tile.pips
    assert isinstance(session.do(Correct((-500.0, -500.0), (1, 1)))[0], Refused)


def test_a_tile_that_lies_face_down_is_told_so_and_may_be_told_otherwise() -> None:
    session, _ = a_session()
    tile = session.look.scene.tiles[0]
    middle = tuple(float(v) for v in np.mean(tile.centers_px, axis=0))
    (told, *_) = session.do(Correct((middle[0], middle[1]), "back"))
    assert isinstance(told, Corrected)
    assert told.pips == ()
    back = session.look.scene.tiles[0]
    assert (back.face_up, back.pips, back.doubtful, back.alternatives) == (False, (0, 0), False, ())
    assert len(session.look.tables[0].face_down) == 1
    session.do(Correct((middle[0], middle[1]), tile.pips))
    assert session.look.scene.tiles[0].face_up
    assert session.look.scene.tiles[0].pips == tile.pips


def test_what_is_no_domino_is_taken_out_until_another_one_is_clearly_read_there() -> None:
    session, _ = a_session()
    tiles = session.look.scene.tiles
    middle = tuple(float(v) for v in np.mean(tiles[0].centers_px, axis=0))
    (told, *_) = session.do(Correct((middle[0], middle[1]), None))
    assert isinstance(told, Corrected)
    assert told.pips == ()
    assert [tile.pips for tile in session.look.scene.tiles] == [tile.pips for tile in tiles[1:]]
    assert len(session.look.tables[0].board.placed) == len(tiles) - 1
    other = replace(tiles[0], pips=(tiles[0].pips[0], (tiles[0].pips[1] + 1) % 7), doubtful=False)
    assert session.look._dominoes(Scene((1, 1), tiles=(other,))).tiles == (other,)
    session.do(Resync())
    assert len(session.look.scene.tiles) == len(tiles)


def test_a_covered_a_dark_and_a_frozen_camera_are_told_and_the_game_waits() -> None:
    session, frames = a_session()
    grey, black = (np.full_like(frames[0].image, level) for level in (120, 2))
    told: list[Event] = []
    for k in range(45):
        told += session.see(Frame(grey, 2 + k / 30), live=True)
    told += session.see(replace(frames[0], time_s=4.0), live=True)
    for k in range(45):
        told += session.see(Frame(black, 5 + k / 30), live=True)
    assert [e.text[:9] for e in told if isinstance(e, Trouble)] == ["Something", "The room "]
    assert any(isinstance(e, Recovered) for e in told)
    assert session.follower.phase == "playing"
    frozen: list[Event] = []
    for k in range(0, 300, 10):
        frozen += session.see(replace(frames[-1], time_s=10 + k / 30), live=True)
    assert any(isinstance(e, Trouble) and "same picture" in e.text for e in frozen)


@pytest.mark.parametrize("begun", [Onlooking, lambda: Session(game("unmatched"), problem("unmatched", "5"))])
def test_under_a_lens_cap_the_dominoes_lie_where_they_lay(begun: Callable[[], Session | Onlooking]) -> None:
    table, session = load(str(SAMPLES / "unmatched_start.jpg")), begun()
    for k in range(20):
        session.see(Frame(table, k / 10), live=False)
    tiles, black = session.look.scene.tiles, np.full_like(table, 3)
    assert len(tiles) == 8
    told = [event for k in range(20) for event in session.see(Frame(black, 2 + k / 10), live=False)]
    assert session.look.scene.tiles == tiles
    told += [event for k in range(10) for event in session.see(Frame(table, 4 + k / 10), live=False)]
    assert [type(event) for event in told] == [Trouble, Recovered]
    assert len(session.look.scene.tiles) == len(tiles)


def test_what_lay_wrong_when_the_camera_went_is_not_told_before_the_table_was_seen_again() -> None:
    tables, _ = capturing()
    session, frames = a_session()
    astray = Table(Board(tables[0].board.placed[1:]))
    taken = list(islice(film(staged(tables[:1]), [Shot(astray, hold_s=1.3)], 7), 39))
    told = [e for k, frame in enumerate(taken) for e in session.see(replace(frame, time_s=1 + k / 30), live=True)]
    told += session.lost("camera 0 was unplugged")
    told += [e for k, frame in enumerate(frames) for e in session.see(replace(frame, time_s=9 + k / 30), live=True)]
    assert [type(e) for e in told if isinstance(e, Trouble | Recovered | Wrong)] == [Trouble, Recovered]


def test_a_lost_camera_is_told_once() -> None:
    session, _ = a_session()
    assert isinstance(session.lost("camera 0 was unplugged")[0], Trouble)
    assert session.lost("camera 0 was unplugged") == []


def test_a_log_that_the_rules_refuse_names_its_line(tmp_path: Path) -> None:
    with Log.begin(tmp_path, "capturing") as log:
        log.write({"event": "began", "state": str(problem("capturing", "1"))})
        log.write({"event": "moved", "move": "99R"})
    with pytest.raises(CannotResume, match="line 3 of the log"):
        resumed(read_log(log.path), Session(game("capturing"), problem("capturing", "1")))


@pytest.mark.parametrize(
    ("message", "meant"),
    [
        ({"ask": "hint", "level": 2}, Hint(2)),
        ({"ask": "solution"}, Solution()),
        ({"ask": "move", "move": "24R"}, Move("24R")),
        ({"ask": "take_back"}, TakeBack()),
        ({"ask": "resync"}, Resync()),
        ({"ask": "hunt_again"}, HuntAgain()),
        ({"ask": "pause", "on": False}, Pause(False)),
        ({"ask": "correct", "at_px": [10, 20.5], "pips": [2, 4]}, Correct((10.0, 20.5), (2, 4))),
        ({"ask": "correct", "at_px": [10, 20.5], "pips": None}, Correct((10.0, 20.5), None)),
        ({"ask": "correct", "at_px": [10, 20.5], "pips": "back"}, Correct((10.0, 20.5), "back")),
    ],
)
def test_what_is_asked_on_the_wire(message: dict[str, Any], meant: object) -> None:
    assert asked(message) == meant


@pytest.mark.parametrize(
    "message",
    [
        None,
        [],
        {},
        {"ask": 3},
        {"ask": "dance"},
        {"ask": "hint", "level": 9},
        {"ask": "hint", "level": True},
        {"ask": "move", "move": ""},
        {"ask": "move", "move": "x" * 1000},
        {"ask": "pause", "on": "yes"},
        {"ask": "correct", "at_px": [1, 2], "pips": [2, 99]},
        {"ask": "correct", "at_px": [1, float("nan")], "pips": [2, 3]},
    ],
)
def test_junk_on_the_wire_is_refused(message: Any) -> None:
    with pytest.raises(BadAsk):
        asked(message)
