"""The commands watch and replay, sessions that go on after a power cut, the film that comes along, and the voice."""

from __future__ import annotations

import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
from itertools import islice
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from pipsight.cli import run
from pipsight.commands.replaying import Replay
from pipsight.events import Began
from pipsight.live_table import LiveTable
from pipsight.onlooking import Onlooking
from pipsight.record import BadLog, Log, read_log
from pipsight.sessions import Begun, Choice, begun, newest_unfinished, taken_up, unlogged
from pipsight.sources import SAMPLE, SAMPLE_CHOICE, SAMPLE_FILM, opened
from pipsight.tables import Tables
from pipsight.voice import NoVoice, Voice
from rules.puzzles import published
from tests.pipsight.pages import SAMPLES, ask, begun_log, event, heard, page, served, waited
from vision.camera import CameraError, PushedCamera, open_camera
from vision.picture import encode

pytestmark = pytest.mark.needs("cv2")


NO_FOO = (
    "Domineering has no variant 'foo': choose 'two pieces', 'four pieces', 'four pieces diagonal', 'kept dominoes', "
    "'four pieces, kept dominoes' or 'four pieces diagonal, kept dominoes'."
)


@pytest.fixture(autouse=True)
def sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the logs of this test lie."""
    monkeypatch.setenv("PIPSIGHT_HOME", str(tmp_path))
    return tmp_path / "state" / "sessions"


def test_a_game_is_followed_line_by_line_and_goes_on_where_it_stood(
    tmp_path: Path, sessions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number in range(3):
        shutil.copy(SAMPLES / "unmatched_start.jpg", folder / f"{number}.jpg")
    assert run(["watch", "unmatched", "--problem", "5", "--camera", str(folder), "--json"]) == 0
    printed = capsys.readouterr()
    told = [json.loads(line) for line in printed.out.splitlines()]
    assert [one["event"] for one in told] == ["began", "waits"]
    (log,) = sessions.glob("*.jsonl")
    assert printed.err == (
        f"Kept: {log}\nTell it again with: pipsight replay {log.name}\nGo on with: pipsight watch --resume\n"
    )
    assert list(read_log(log).entries) == told
    assert run(["watch", "--resume", "--camera", str(folder), "--json"]) == 0
    waits = json.loads(capsys.readouterr().out)
    assert (waits["event"], waits["text"], waits["seat"]) == ("waits", "Your move.", 0)
    assert newest_unfinished() == log
    assert run(["watch", "unmatched", "--resume"]) == 2
    told_wrong = " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert f"the newest unfinished game, {log.name}, goes on and names itself: leave GAME out" in told_wrong


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--players", "4"], "--players 4: in mine.txt there are 2."),
        (["--players", "2", "--variant", "standard"], "leave --variant out: mine.txt says what is played."),
    ],
)
def test_a_text_says_itself_how_many_play_it_and_how(
    more: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.txt").write_text("players: 2")
    assert run(["watch", "finder", "--problem", "mine.txt", "--camera", "sample", "--json", *more]) == 4
    assert told in capsys.readouterr().err


def test_a_game_from_a_file_of_ones_own_goes_on_wherever_that_file_is_by_now(
    tmp_path: Path, sessions: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    mine = tmp_path / "mine.txt"
    mine.write_text(start := published("unmatched")[4].start)
    game = begun(Choice("unmatched", "mine.txt"))
    assert game.log
    for event_ in ({"event": "began", "state": start}, {"event": "moved", "move": "65L", "by": "player 1"}):
        game.log.write(event_)
    game.close()
    mine.write_text("0|1 1|2")
    assert again() == ["65L"]
    mine.unlink()
    assert again() == ["65L"]
    assert run(["replay", str(newest_unfinished())]) == 0
    assert "Unmatched Donimoes, begun" in capsys.readouterr().out


def again() -> list[str]:
    """The moves of the newest game as it is taken up."""
    game = taken_up(newest_unfinished())
    game.close()
    return [made.move for made in game.session.follower.made]


def begun_alone(*arguments: str) -> subprocess.Popen[str]:
    """A command in a process of its own, which hears ctrl-C though a job in the background is deaf to it."""
    program = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from pipsight.cli import main; main()"
    )
    return subprocess.Popen([sys.executable, "-c", program, *arguments], stdout=subprocess.PIPE, text=True)


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot send one process ctrl-C")
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("command", [["watch", "unmatched", "--problem", "5"], ["referee", "cobra-paw"]])
def test_ctrl_c_and_a_kill_end_the_page(command: list[str], end: int, sessions: Path) -> None:
    with begun_alone(*command, "--camera", "page", "--port", "0", "--no-browser") as process:
        assert process.stdout
        address = process.stdout.readline().split()[2]
        assert httpx.get(address).status_code == 200
        process.send_signal(end)
    assert process.returncode == 0
    assert not [*sessions.glob("*")]  # of a game in which nothing happened


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal")
def test_pages_are_told_where_the_window_is_closed(capfd: pytest.CaptureFixture[str]) -> None:
    command = ["watch", "unmatched", "--problem", "5", "--camera", "page", "--port", "0", "--no-browser"]
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # which a program that is begun here inherits
    with begun_alone(*command) as process:
        signal.signal(signal.SIGHUP, before)
        assert process.stdout
        with page(process.stdout.readline().split()[2].rstrip("/")) as following:
            heard(following, lambda message: "view" in message)
            process.send_signal(signal.SIGHUP)
            with pytest.raises(ConnectionClosed) as closed:
                heard(following, lambda _: False)
    assert closed.value.rcvd
    assert (process.returncode, closed.value.rcvd.code) == (0, 1012)
    assert capfd.readouterr().err == ""


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot send one process ctrl-C")
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_and_a_kill_end_a_log_that_is_played_on_the_page(end: int, sessions: Path) -> None:
    log = begun_log(sessions, "65L")
    with begun_alone("replay", str(log), "--page", "--port", "0", "--no-browser") as process:
        assert process.stdout
        address = process.stdout.readline().split()[2]
        assert httpx.get(address).status_code == 200
        process.send_signal(end)
    assert process.returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot send one process ctrl-C")
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_and_a_kill_end_the_lines_and_all_that_was_told_is_kept(end: int, sessions: Path) -> None:
    with begun_alone("watch", "unmatched", "--problem", "5", "--camera", str(SAMPLE_FILM), "--json") as process:
        assert process.stdout
        told = list[dict[str, Any]]()
        for line in process.stdout:
            told.append(json.loads(line))
            if told[-1]["event"] == "began":
                process.send_signal(end)
    assert process.returncode == 0
    (log,) = sessions.glob("*.jsonl")
    assert list(read_log(log).entries)[: len(told)] == told
    assert newest_unfinished() == log


def test_whoever_leaves_a_game_on_the_page_is_told_where_it_is_kept(
    sessions: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def left(tables: Tables, _: object) -> None:
        if isinstance(tables["1"].session, Onlooking):
            tables["1"].play(begun(Choice("cobra_paw", players=3)))  # as the page does where a game is chosen on it
        raise KeyboardInterrupt

    monkeypatch.setattr("pipsight.page.serving.serve", left)
    log = begun_log(sessions, "65L")
    assert run(["watch", "--camera", "page", "--port", "0", "--no-browser"]) == 0
    assert capsys.readouterr().err == ""  # of a game in which nothing happened
    assert run(["watch", "--resume", "--camera", "page", "--port", "0", "--no-browser"]) == 0
    kept = f"Kept: {log}\nTell it again with: pipsight replay {log.name}\n"
    assert capsys.readouterr().err == f"{kept}Go on with: pipsight watch --resume\n"
    with log.open("a", encoding="utf-8") as file:
        file.write('{"event": "over", "time_s": 9, "text": "Solved."}\n')
    monkeypatch.setattr("pipsight.sessions.newest_unfinished", lambda: log)
    assert run(["watch", "--resume", "--camera", "page", "--port", "0", "--no-browser"]) == 0
    assert capsys.readouterr().err == kept


def test_a_game_that_was_cut_off_in_the_middle_of_a_line_goes_on_before_it(sessions: Path) -> None:
    log = begun_log(sessions, "65L", "65L")
    log.write_bytes(log.read_bytes()[:-20])
    begun = taken_up(newest_unfinished())
    assert [made.move for made in begun.session.follower.made] == ["65L"]
    begun.session.follower.make("65L")
    assert begun.log
    begun.log.close()


def test_a_game_that_is_taken_up_shows_the_time_since_it_began(sessions: Path) -> None:
    with Log.begin(sessions, "unmatched", problem="5") as log:
        log.write({"event": "paused", "time_s": 10.0, "text": "", "on": True})
        log.write({"event": "paused", "time_s": 30.0, "text": "", "on": False})
        log.write({"event": "began", "time_s": 60.0, "text": "", "state": ""})
        log.write({"event": "paused", "time_s": 64.0, "text": "", "on": True})
        log.write({"event": "paused", "time_s": 70.0, "text": "", "on": False})
        log.write({"event": "moved", "time_s": 75.0, "text": "", "move": "65L"})
        log.write({"event": "paused", "time_s": 80.0, "text": "", "on": True})
    begun = taken_up(newest_unfinished())
    table = LiveTable("1")
    table.play(begun)
    assert table.shown()["clock_s"] == 14.0
    begun.session.until(85.0)
    assert table.shown()["clock_s"] == 19.0
    table.close()
    replay = Replay(read_log(log.path), speed=1000.0)
    replay._run()
    assert replay.shown()["clock_s"] == 14.0


def test_the_clock_of_a_game_that_is_played_again_stands_once_its_log_is_over(sessions: Path) -> None:
    replay = Replay(read_log(begun_log(sessions, "65L")), speed=1000.0)
    assert not replay.shown()["camera"]["over"]
    replay._run()
    assert replay.shown()["camera"]["over"]


@pytest.mark.parametrize(
    ("what", "choice"), [("game", {"game": "bee"}), ("camera", {"source": "sample"}), ("again", {})]
)
def test_nothing_else_is_played_where_a_game_is_played_again(what: str, choice: Any, sessions: Path) -> None:
    replay, tables = Replay(read_log(begun_log(sessions, "65L"))), Tables()
    tables.seat(replay)
    with served(tables) as address:
        answer = httpx.post(f"{address}/api/tables/1/{what}", json=choice)
        assert (answer.status_code, answer.json()) == (
            409,
            {"detail": "This is a game played again from its log: nothing can be asked of it."},
        )
        assert httpx.get(f"{address}/api/tables/1").json()["game"] == "unmatched"
    assert len([*sessions.glob("*")]) == 1


def test_a_game_that_another_program_plays_is_not_taken_up(sessions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    began = {"event": "began", "time_s": 1.0, "text": "", "state": ""}
    older = Log.begin(sessions, "unmatched", problem="5")
    older.write(began)
    older.close()
    os.utime(older.path, (1.0, 1.0))
    with Log.begin(sessions, "unmatched", problem="5") as played:
        played.write(began)
        assert newest_unfinished() == older.path
        older.path.unlink()
        assert run(["watch", "--resume", "--camera", "page", "--port", "0", "--no-browser"]) == 4
        assert f"the game {played.path} is being played by another pipsight" in capsys.readouterr().err
    assert newest_unfinished() == played.path


def test_a_film_that_was_left_is_no_game_to_go_on_with(sessions: Path) -> None:
    with Log.begin(sessions, "unmatched", problem="5", film="sample") as log:
        log.write({"event": "began", "time_s": 1.0, "text": "", "state": ""})
    assert log.path.exists()
    with pytest.raises(BadLog, match="no unfinished game"):
        newest_unfinished()


@pytest.mark.parametrize("way", [["--json"], ["--port", "0", "--no-browser"]])
def test_what_cannot_be_begun_leaves_no_log(way: list[str], sessions: Path) -> None:
    assert run(["watch", "--camera", "sample", "--taught", "nobodys", *way]) == 4
    assert run(["watch", "bee", "--camera", "/nowhere", *way]) == 4
    assert not [*sessions.glob("*")]


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["watch", "--camera", "0", "--json"], 2, "name the GAME that is played"),
        (["watch", "unmatched", "--camera", "page", "--json"], 2, "there is no page"),
        (["watch", "unmatched", "--camera", "0", "--camera", "1", "--json"], 2, "name one --camera"),
        (["watch", "unmatched", "--resume"], 4, "there is no unfinished game"),
        (["watch", "--resume"], 4, "there is no unfinished game"),
        (["watch", "chess"], 2, "There is no game 'chess'"),
        (["watch", "--problem", "5"], 2, "name the game that --problem, --players, --variant and --seats are about"),
        (["watch", "--players", "3"], 2, "name the game that --problem, --players, --variant and --seats are about"),
        (
            ["watch", "--variant", "series"],
            2,
            "name the game that --problem, --players, --variant and --seats are about",
        ),
        (["watch", "unmatched", "--problem", "5", "--camera", "/nowhere", "--json"], 4, "there is no camera or file"),
        (["watch", "--seats", "left"], 2, "name the game that --problem, --players, --variant and --seats are about"),
        (["referee", "dominosa"], 2, "only cobra-paw has a referee"),
        (["referee", "cobra-paw", "--seats", "left,north"], 2, "north is none of bottom, left, top, right"),
        (["referee", "cobra-paw", "--seats", "left,left"], 2, "one player sits at each side: name left once"),
        (["referee", "cobra-paw", "--seats", "left"], 4, "Cobra Paw is for 2 to 4 players, not 1"),
        (["referee", "cobra-paw", "--players", "3", "--seats", "left,top"], 4, "3 players sit at as many sides"),
        (["watch", "fujisan", "--seats", "left"], 4, "only Cobra Paw does: leave --seats out"),
        (["referee", "cobra-paw", "--players", "5"], 4, "Cobra Paw is for 2 to 4 players"),
        (["referee", "Cobra Paw", "--players", "5"], 4, "Cobra Paw is for 2 to 4 players"),
        (["watch", "Cobra-Paw", "--players", "5"], 4, "Cobra Paw is for 2 to 4 players"),
        (["watch", "unmatched", "--problem", "5", "--players", "3"], 4, "Unmatched Donimoes is for 1 player, not 3."),
        (["watch", "unmatched", "--problem", "5", "--variant", "foo"], 4, "Unmatched Donimoes has no variant 'foo'."),
        (["watch", "domineering", "--variant", "foo"], 4, NO_FOO),
        (["watch", "unmatched", "--camera", "", "--json"], 4, "no camera is named: give a number, an address, a video"),
        (["referee", "cobra_paw", "--camera", "/nowhere", "--json"], 4, "there is no camera or file"),
        (["replay", "/nowhere.jsonl"], 4, "/nowhere.jsonl cannot be read"),
    ],
)
def test_what_cannot_be_watched_is_said(
    arguments: list[str], code: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == code
    assert told in " ".join(capsys.readouterr().err.replace("│", " ").split())


@pytest.fixture
def no_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without any camera."""

    def refused(source: str) -> None:
        raise CameraError(f"camera {source} does not answer")

    monkeypatch.setattr("vision.camera.open_camera", refused)


@pytest.mark.usefixtures("no_camera")
@pytest.mark.parametrize(
    ("game", "source", "told"),
    [
        (["unmatched", "--problem", "5"], "page", "the page waits for one. Press Camera there"),
        ([], "sample", "a film that comes along is played"),
    ],
)
def test_without_a_camera_a_game_waits_for_the_page_and_else_a_film_is_played(
    game: list[str], source: str, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    watched = list[str]()

    def add(tables: Tables, source: str, session: Begun, sets: object, lights: object) -> None:
        watched.append(source)
        session.close()

    monkeypatch.setattr("pipsight.tables.Tables.add", add)
    monkeypatch.setattr("pipsight.page.serving.serve", lambda *_: None)
    assert run(["watch", *game, "--port", "0", "--no-browser"]) == 0
    assert watched == [source]
    assert told in capsys.readouterr().out


@pytest.mark.parametrize(
    ("began", "named", "source"),
    [
        ("http://admin:S3cret@cam/x", [], "http://cam/x"),
        ("page", [], "page"),
        ("http://cam/x", ["--camera", "2"], "2"),
        ("film.mp4", [], "0"),
    ],
)
def test_a_game_goes_on_through_the_camera_it_began_with(
    began: str,
    named: list[str],
    source: str,
    sessions: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    watched = list[str]()

    def add(tables: Tables, source: str, session: Begun, *_: object) -> None:
        watched.append(source)
        assert session.log
        session.log.write({"event": "began", "time_s": 1.0, "text": "", "state": ""})

    monkeypatch.setattr("pipsight.tables.Tables.add", add)
    monkeypatch.setattr("pipsight.page.serving.serve", lambda *_: None)
    monkeypatch.setattr("vision.camera.open_camera", lambda _: PushedCamera())
    page = ["--port", "0", "--no-browser"]
    assert run(["watch", "unmatched", "--problem", "5", "--camera", began, *page]) == 0
    assert run(["watch", "--resume", *named, *page]) == 0
    assert watched == [began, source]
    assert ("as it began" in capsys.readouterr().err) == (source in ("http://cam/x", "page"))
    (log,) = sessions.glob("*.jsonl")
    assert "S3cret" not in log.read_text(encoding="utf-8")


@pytest.mark.usefixtures("no_camera")
def test_lines_without_a_camera_ask_for_one(sessions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["watch", "unmatched", "--problem", "5", "--json"]) == 2
    told = " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert "for --json: there is no camera: name one, as --camera 0 or --camera FILM.mp4" in told
    assert not [*sessions.glob("*")]


def test_a_log_is_played_again_in_text(sessions: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = begun_log(sessions, "65L", "65L", "52D")
    assert run(["replay", str(log)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == [
        "Unmatched Donimoes, begun 2026-11-21T20:00:00+00:00",
        "  0:02.0  Unmatched Donimoes begins.",
        "  0:05.0  65L  The move 65L.",
    ]


def test_a_log_is_played_again_by_its_name_alone(
    sessions: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["replay", "mine"]) == 4
    told = f"pipsight: there is no log mine: none is kept in {sessions}, begin a game by pipsight watch GAME.\n"
    assert capsys.readouterr().err == told
    log = begun_log(sessions, "65L")
    for name in (log.name, log.stem, str(log)):
        assert run(["replay", name]) == 0
        assert "65L  The move 65L." in capsys.readouterr().out
    assert run(["replay", "mine"]) == 4
    assert capsys.readouterr().err == f"pipsight: there is no log mine: in {sessions} there is {log.name}.\n"


def test_a_game_that_was_left_in_text_is_told_by_its_name_to_be_no_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("builtins.input", lambda _: "quit")
    assert run(["play", "unmatched", "--seed", "3"]) == 0
    (left,) = (tmp_path / "state" / "games").iterdir()
    capsys.readouterr()
    for name in (left.name, left.stem):
        assert run(["replay", name]) == 4
        assert "is a saved game, no log of a session: pipsight play --resume" in capsys.readouterr().err


def test_a_log_with_a_move_that_the_rules_refuse_is_named_by_its_line(
    sessions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["replay", str(begun_log(sessions, "65L", "99U"))]) == 4
    assert "line 4 of the log cannot be played again" in capsys.readouterr().err
    with begun_log(sessions, "65L").open("a", encoding="utf-8") as log:
        log.write('{"event": "moved", "time_s": 9}\n')
    assert run(["replay", log.name]) == 4
    assert capsys.readouterr().err == "pipsight: line 4 of the log cannot be played again: it is damaged.\n"


def test_a_log_is_played_again_on_the_page(sessions: Path) -> None:
    tables = Tables()
    table = Replay(read_log(begun_log(sessions, "65L", "65L")), speed=1000)
    tables.seat(table)
    with served(tables) as address, page(address) as socket:
        table.start()
        heard(socket, lambda m: m.get("event") == "moved" and m["number"] == 2)
        assert len(heard(socket, lambda m: len(m.get("moves", ())) == 2)["moves"]) == 2
        ask(socket, ask="take_back")
        assert "played again from its log" in heard(socket, event("refused"))["text"]


def test_what_was_wrong_with_the_camera_is_not_told_when_the_log_is_played_on_the_page(sessions: Path) -> None:
    with begun_log(sessions, "65L").open("a", encoding="utf-8") as log:
        log.write('{"event": "trouble", "time_s": 9, "text": "No page sends pictures yet: press Camera."}\n')
    replay = Replay(read_log(Path(log.name)), speed=1000)
    replay._run()
    assert replay.shown()["trouble"] == ""
    assert [told["event"] for told in replay.story][-1] == "moved"


def test_the_film_that_comes_along_begins_its_game() -> None:
    session = unlogged(SAMPLE_CHOICE).session
    with opened(SAMPLE) as camera:
        events = [event for frame in islice(camera, 40) for event in session.see(frame)]
    assert any(isinstance(event, Began) for event in events)


def test_the_voice_of_the_machine_says_what_has_just_happened(tmp_path: Path) -> None:
    said, program = tmp_path / "said.txt", tmp_path / "speak"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$2" >> {said}\n')
    program.chmod(0o755)
    voice = Voice((str(program), "--"))
    voice.told({"event": "moved", "text": "Long ago.", "past": True})
    voice.told({"event": "waits", "text": "Your move."})
    voice.told({"event": "moved", "text": "-rf; a $HOME move"})
    waited(lambda: said.exists() and said.read_text())
    voice.told({"event": "wrong", "faults": [{"text": "The 5-6 is gone."}]})
    assert waited(lambda: said.read_text().count("\n") == 2)
    assert said.read_text() == "-rf; a $HOME move\nThe 5-6 is gone.\n"


class Overtaken(queue.Queue[str]):
    """Sentences that the voice takes just as there are found to be too many."""

    overtaken = False

    def put_nowait(self, item: str) -> None:
        if not self.overtaken:
            self.overtaken = True
            raise queue.Full
        super().put_nowait(item)


def test_nobody_waits_for_a_voice_that_has_just_said_all() -> None:
    voice = Voice(("/nowhere/speak",))
    voice._sentences = sentences = Overtaken(3)
    telling = threading.Thread(target=voice.say, args=("Your move.",), daemon=True)
    telling.start()
    telling.join(10)
    assert not telling.is_alive()
    assert sentences.get_nowait() == "Your move."


def test_a_machine_without_a_voice_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(NoVoice, match="install espeak-ng"):
        Voice.found()


def test_a_folder_of_pictures_is_followed_move_by_move(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with open_camera(str(SAMPLE_FILM)) as film:
        stills = [frame.image for frame in islice(film, 98) if round(frame.time_s, 1) in (3.7, 7.3, 9.7)]
    for number, image in enumerate(stills):
        (tmp_path / f"{number}.png").write_bytes(encode(image, ".png"))
    assert run(["watch", "unmatched", "--problem", "5", "--json", "--no-lights", "--camera", str(tmp_path)]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["move"] for event in told if event["event"] == "moved"] == ["65L", "65L"]
