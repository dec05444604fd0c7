"""Playing in text and asking for advice: whole games through a pipe, bad input, and games that are saved."""

from __future__ import annotations

import errno
import io
import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from pipsight.cli import main, run
from pipsight.dealing import dealt
from pipsight.making import made, orders
from pipsight.playing import Play, Quit
from pipsight.sitting import PROGRAM, YOU, Sitting, begin, resumed
from rules.course import decision
from rules.engine import solve
from rules.games import game, slugs
from rules.games.cobra_paw import GAME as COBRA_PAW
from rules.games.domineering import GAME as DOMINEERING
from rules.watch import Watch

ROOT = Path(__file__).resolve().parents[2]
SPARSE = "player 1: 64 31 +5\nline: 63"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PIPSIGHT_HOME", str(tmp_path / "home"))
    return tmp_path


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_a_puzzle_is_solved_through_a_pipe(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "24L", "hint", "hint", "hint", "24R", "24R", "23D")
    assert run(["play", "unmatched", "--problem", "1", "--save", "game.json"]) == 0
    out = capsys.readouterr().out
    assert "3 moves from here will do" in out
    assert "(24R)" in out
    kept = json.loads((here / "game.json").read_text())
    assert kept["moves"] == [["24R", "player 1"], ["24R", "player 1"], ["23D", "player 1"]]


MANY = """\
player 1: 32 65 21 51 10 11 54 31 41
player 2: 43
boneyard: 64 53 40 20 44 66 62 60 33 42
line: 16 63 30 00 05 [55]
up: 52 22
"""


def test_where_a_number_of_the_list_is_a_move_too_it_is_asked_which_one_is_meant(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("many.txt").write_text(MANY)
    begin_it = ["play", "all_fives", "--problem", "many.txt", "--seats", "you,you"]
    typed(monkeypatch, "?", "10", "quit")
    run(begin_it)
    assert " 10. 11L " in (told := capsys.readouterr().out)
    assert "10 is a move, and a number in the list: type #10 for 11L or #9 for 10L." in told
    typed(monkeypatch, "10", "quit")  # nobody saw a list
    run(begin_it)
    assert "lays the 0-1" in capsys.readouterr().out
    typed(monkeypatch, "?", "#10", "quit")
    run(begin_it)
    assert capsys.readouterr().out.count("lays the 1-1") == 2


def test_in_a_race_against_the_program_moves_are_picked_by_their_numbers_too(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "?", "1", "quit")
    run(["play", "cobra_paw", "--seed", "7"])
    told = capsys.readouterr().out
    assert "is no move" not in told
    assert "finds the" in told.rpartition("?")[2]


def test_what_the_program_may_claim_in_a_race_is_not_listed_for_those_who_type(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "?", "quit")
    run(["play", "bee_race", "--seats", "you,program,you", "--seed", "1", "--variant", "3 dice"])
    told = capsys.readouterr().out
    assert "1:impossible" in told
    assert "2:impossible" not in told
    assert "3:impossible" in told


def test_the_program_plays_whole_games_with_itself(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for slug in ("cobra_paw", "finder"):
        assert run(["play", slug, "--seats", "program,program", "--seed", "2", "--limit", "0.01"]) == 0
        assert "win" in capsys.readouterr().out.splitlines()[-1]
    assert not (here / "home").exists()


def test_leaving_saves_and_the_game_goes_on_as_it_would_have(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "#1", "quit")
    begin_it = ["play", "all_fives", "--seed", "3", "--limit", "0"]
    assert run([*begin_it, "--save", "game.json"]) == 0
    assert "Go on with: pipsight play --resume game.json" in capsys.readouterr().out
    before = json.loads((here / "game.json").read_text())["moves"]
    typed(monkeypatch, "hint", "undo", "undo", "#2")
    assert run(["play", "--resume", "game.json", "--limit", "0"]) == 0
    out = capsys.readouterr().out
    assert "Taken back." in out
    assert "There is nothing to take back." in out
    after = json.loads((here / "game.json").read_text())["moves"]
    assert before[0] != after[0]
    assert before[0][1] == after[0][1] == "player 1"


def test_a_game_that_goes_on_in_two_windows_at_once_loses_no_move(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "24R", "quit")
    assert run(["play", "unmatched", "--problem", "1", "--save", "game.json"]) == 0
    resume, lines = ["play", "--resume", "game.json"], iter(["24L", "24R", "quit"])

    def meanwhile(prompt: str) -> str:
        monkeypatch.undo()
        monkeypatch.chdir(here)
        monkeypatch.setenv("PIPSIGHT_HOME", str(here / "home"))
        typed(monkeypatch, "24R", "quit")
        assert run(resume) == 0
        monkeypatch.setattr("builtins.input", lambda prompt: next(lines))
        return next(lines)

    monkeypatch.setattr("builtins.input", meanwhile)
    assert run(resume) == 0
    (other,) = (here / "home" / "state" / "games").iterdir()
    out = capsys.readouterr().out
    assert out.count(f"game.json was changed meanwhile and stays as it is: this game is kept in {other} from now") == 1
    assert f"Go on with: pipsight play --resume {other}" in out
    assert [[made.move for made in resumed(path).made] for path in (Path("game.json"), other)] == [
        ["24R", "24R"],
        ["24R", "24L", "24R"],
    ]


def test_a_game_whose_folder_goes_while_it_is_played_is_kept_elsewhere(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stick, lines = here / "stick", iter(["24R", "24R", "quit"])
    stick.mkdir()

    def meanwhile(prompt: str) -> str:
        line = next(lines)
        if line == "quit":
            (stick / "game.json").unlink()
            stick.rmdir()
        return line

    monkeypatch.setattr("builtins.input", meanwhile)
    assert run(["play", "unmatched", "--problem", "1", "--save", str(stick / "game.json")]) == 0
    (other,) = (here / "home" / "state" / "games").iterdir()
    out = capsys.readouterr().out
    lost = f"{stick / 'game.json'} cannot be written: {os.strerror(errno.ENOENT)}"
    assert out.count(f"{lost}: this game is kept in {other} from now on.") == 1
    assert [made.move for made in resumed(other).made] == ["24R", "24R"]


@pytest.mark.skipif(os.name == "nt", reason="Windows parts words by rules of its own")
def test_what_goes_on_with_a_game_can_be_typed_as_it_stands_whatever_its_folder_is_called(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PIPSIGHT_HOME", str(here / "Application Support" / "grandma's"))
    typed(monkeypatch, "quit")
    assert run(["play", "unmatched"]) == 0
    told = capsys.readouterr().out.rpartition("Go on with: pipsight ")[2]
    typed(monkeypatch, "quit")
    assert run(shlex.split(told)) == 0


def test_two_games_that_are_left_in_the_same_second_are_both_kept(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.strftime", lambda form: "20260101-120000")
    for _ in range(3):
        typed(monkeypatch, "quit")
        assert run(["play", "unmatched"]) == 0
    kept = sorted(path.name for path in (here / "home" / "state" / "games").iterdir())
    assert kept == [f"unmatched-20260101-120000{extra}.json" for extra in ("-2", "-3", "")]
    assert all(resumed(here / "home" / "state" / "games" / name) for name in kept)


def test_a_game_in_which_nobody_known_sits_is_not_played_by_the_program(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "quit")
    assert run(["play", "unmatched", "--save", "game.json"]) == 0
    kept = (here / "game.json").read_text()
    (here / "game.json").write_text(kept.replace('"you"', '"You"'))
    assert run(["play", "--resume", "game.json"]) == 4
    assert "game.json: The seats of a saved game are of you and program, not of 'You'." in capsys.readouterr().err
    assert (here / "game.json").read_text() == kept.replace('"you"', '"You"')


def test_a_game_without_anything_to_type_on_is_kept(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["pipsight", "play", "unmatched"])
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 0
    assert len([*(here / "home" / "state" / "games").iterdir()]) == 1


@pytest.mark.parametrize("gone", [BrokenPipeError(), OSError(errno.EIO, "Input/output error")])
def test_a_game_whose_terminal_is_gone_is_kept(here: Path, monkeypatch: pytest.MonkeyPatch, gone: OSError) -> None:
    def lost(prompt: str) -> str:
        raise gone

    monkeypatch.setattr("builtins.input", lost)
    assert run(["play", "unmatched"]) != 0
    assert len([*(here / "home" / "state" / "games").iterdir()]) == 1


def test_a_game_that_was_left_goes_on_by_its_name_and_the_newest_is_named(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for slug in ("unmatched", "freecell"):
        typed(monkeypatch, "quit")
        assert run(["play", slug, "--seed", "3"]) == 0
    games = here / "home" / "state" / "games"
    (newer,), (older,) = games.glob("freecell-*"), games.glob("unmatched-*")
    os.utime(older, (1, 1))
    capsys.readouterr()
    for command, words in (
        (["play", "--resume"], "name a saved game"),
        (["play", "--resume", "--limit", "0"], "name a saved game"),
        (["play", "--resume", "chess.json"], "there is no saved game chess.json"),
    ):
        assert run(command) == 4
        assert capsys.readouterr().err == (
            f"pipsight: {words}: in {games} there are, the newest first, {newer.name} and {older.name}; "
            f"go on with pipsight play --resume {newer.name}.\n"
        )
    for name in (older.name, older.stem):
        typed(monkeypatch, "#1", "quit")
        assert run(["play", "--resume", name]) == 0
        assert f"Saved: {older}" in capsys.readouterr().out
    assert run(["suggest", "freecell", newer.name]) == 0


def test_a_new_game_is_not_saved_over_what_is_there(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "mine.json").write_text("mine")
    assert run(["play", "unmatched", "--seed", "1", "--save", "mine.json"]) == 4
    assert capsys.readouterr().err == (
        "pipsight: mine.json is there already: choose another name, or go on by pipsight play --resume mine.json.\n"
    )
    assert (here / "mine.json").read_text() == "mine"


def test_what_is_typed_wrong_is_one_sentence_and_loses_nothing(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "nonsense", "99", "#99", "?", "", "quit")
    assert run(["play", "all_fives", "--seed", "3", "--save", "game.json"]) == 0
    out = capsys.readouterr().out
    assert "'nonsense' is no move" in out
    assert "The 9-9 is not in the double-six set." in out
    assert "'#99' is no move" in out
    assert "  1. 60    Player 1 lays the 0-6" in out
    assert out.count("The line is empty.") == 2
    assert json.loads((here / "game.json").read_text())["moves"] == []


def test_ctrl_c_saves_too(here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)
    assert run(["play", "mountains_together", "--seed", "1", "--seats", "you,program"]) == 130
    assert "Saved:" in capsys.readouterr().out
    (kept,) = (here / "home" / "state" / "games").iterdir()
    assert json.loads(kept.read_text())["game"] == "mountains_together"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
@pytest.mark.parametrize("name", ["SIGHUP", "SIGTERM"])
def test_a_window_that_is_closed_and_a_kill_lose_no_move(name: str, here: Path) -> None:
    program = [sys.executable, "-m", "pipsight", "play", "unmatched", "--problem", "1"]
    pipe = subprocess.PIPE
    with subprocess.Popen(program, cwd=ROOT, text=True, stdin=pipe, stdout=pipe) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write("24R\n?\n")
        process.stdin.flush()
        while not process.stdout.readline().lstrip().startswith("1. "):
            pass
        process.send_signal(getattr(signal, name))
        assert "Saved: " in process.stdout.read()
    assert process.returncode == 130
    (kept,) = (here / "home" / "state" / "games").iterdir()
    assert json.loads(kept.read_text())["moves"] == [["24R", "player 1"]]


def test_what_a_closed_window_ends_is_kept_though_it_says_so_again_meanwhile(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, told = Sitting.write, list[str]()

    def interrupted(sitting: Sitting, path: Path) -> None:
        told.append(path.name)
        if len(told) == 1:
            raise KeyboardInterrupt
        write(sitting, path)

    monkeypatch.setattr(Sitting, "write", interrupted)
    typed(monkeypatch, "24R")  # and no more comes from a window that is closed
    assert run(["play", "unmatched", "--problem", "1"]) == 130
    (kept,) = (here / "home" / "state" / "games").iterdir()
    assert told == [kept.name] * 2


def test_a_move_that_spoils_the_end_is_warned_of(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    deal = "01 02 12 22 03 13 33 04 14\n24 44 15 45 55 06 16 36 56"
    (here / "ring.txt").write_text(f"{deal}\n===\n0|1 1\n    -\n    2\n\n  2|2\n")
    typed(monkeypatch, "13V12", "undo", "13V41", "quit")
    assert run(["play", "mountains", "--problem", "ring.txt"]) == 0
    out = capsys.readouterr().out
    assert "The 1-3 is laid at rows 2 and 3, column 1.\nThis placement makes 6 by 6 impossible." in out
    assert out.count("impossible") == 1


def test_dice_may_be_typed(here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed(monkeypatch, "1:53", "roll(7-7)", "roll(5-3)", "1:53")
    assert run(["play", "cobra_paw", "--dice", "typed", "--seats", "you,you", "--save", "game.json"]) == 0
    out = capsys.readouterr().out
    assert "The dice show 5 and 3: find the 3-5." in out
    assert "Player 1 finds the 3-5" in out
    made = [move for move, _ in json.loads((here / "game.json").read_text())["moves"]]
    assert made == ["roll(5-3)", "1:53"]


def test_two_dice_are_typed_in_any_order(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed(monkeypatch, "roll(3-5)", "2:53")
    assert run(["play", "cobra_paw", "--dice", "typed", "--seats", "you,you"]) == 0
    assert "Player 2 finds the 3-5" in capsys.readouterr().out


@pytest.mark.parametrize("slug", slugs())
def test_dice_are_typed_in_games_in_which_dice_are_rolled_only(
    slug: str, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rolled = slug in ("bee_race", "cobra_paw", "finder")
    refusal = f"pipsight: nothing is rolled in {game(slug).info.title}: leave --dice typed out.\n"
    for arguments in ([slug, "--dice", "typed"], [slug, "--save", "left.json"], ["--resume", "left.json"]):
        typed(monkeypatch, "quit")
        usual = "--save" in arguments
        asked = ["play", *arguments, *([] if usual else ["--dice", "typed"])]
        assert run(asked) == (0 if rolled or usual else 4)
        assert capsys.readouterr().err == ("" if rolled or usual else refusal)


def test_a_draw_that_a_text_leaves_open_may_be_typed(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    start = str(DOMINEERING.set_up(2, Random(1)))
    (here / "drawn.txt").write_text(start.partition("\npool:")[0])
    typed(monkeypatch, "?", "quit")
    assert run(["play", "domineering", "--problem", "drawn.txt", "--seats", "you,you", "--dice", "typed"]) == 0
    assert capsys.readouterr().err == ""


def test_the_program_is_quicker_than_a_player_who_dreams() -> None:
    sitting = begin("cobra_paw", seats=(YOU, PROGRAM), seed=4)
    ticks, told = iter(range(0, 10_000, 60)), list[str]()

    def ask(prompt: str) -> str:
        if any("quicker" in line for line in told):
            raise Quit
        return f"1:{sitting.state.target}"

    with pytest.raises(Quit):
        Play(sitting, ask, told.append, clock=lambda: float(next(ticks))).run()
    assert len(sitting.state.taken[1]) == 1


def test_the_program_takes_no_reward_that_is_due_to_others_however_long_they_choose() -> None:
    text = "players: 4\ndice: 53\nowed: 2 3"  # the first was wrong, the second found it, the program has its reward
    sitting = Sitting(COBRA_PAW, (YOU, YOU, YOU, PROGRAM), 1, text, [COBRA_PAW.start(text)])
    ticks, lines, told = iter(range(0, 10_000, 60)), iter(["2+61", "3+62", "quit"]), list[str]()
    with pytest.raises(Quit):
        Play(sitting, lambda prompt: next(lines), told.append, clock=lambda: float(next(ticks))).run()
    assert [made.move for made in sitting.made][:2] == ["2+61", "3+62"]
    assert not any("quicker" in line for line in told)


def test_what_another_player_gets_in_secret_is_not_said() -> None:
    sitting = begin("mountains_together", seats=(YOU, PROGRAM, PROGRAM), seed=1)
    told = list[str]()
    while sitting.asks(at := decision(sitting.game, sitting.state)):
        sitting.play(at.moves[:1])
    play = Play(sitting, lambda prompt: "quit", told.append, limit_s=0)
    with pytest.raises(Quit):
        play.run()
    assert any(line == "Player 2 passes a domino to player 3." for line in told)


def test_a_text_says_who_plays_and_deals_what_it_leaves_unknown(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "mine.txt").write_text("player 1: 64 31 +5\nplayer 2: +7\nplayer 3: 55 +6\nline: 63")
    typed(monkeypatch, "quit")
    assert run(["play", "all_fives", "--problem", "mine.txt", "--seed", "2", "--save", "game.json"]) == 0
    assert "Player 3: 0 points, hand: 7 unknown" in capsys.readouterr().out
    kept = json.loads((here / "game.json").read_text())
    assert kept["notes"]["seats"] == [YOU, PROGRAM, PROGRAM]
    hands = [line.split(": ")[1].split() for line in kept["start"][:3]]
    assert [len(set(hand)) for hand in hands] == [7, 7, 7]
    assert (hands[0][:2], hands[2][0], "+" in str(hands)) == (["64", "31"], "55", False)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["play", "all_fives", "--problem", "mine.txt", "--players", "3"], 4, "--players 3: in mine.txt there are 2."),
        (["play", "all_fives", "--problem", "mine.txt", "--variant", "x"], 4, "mine.txt says what is played."),
        (["play", "all_fives", "--problem", "no.txt"], 4, "There is no file no.txt"),
        (["play"], 2, "name a game"),
        (["play", "whist"], 2, "There is no game 'whist'"),
        (["play", "all_fives", "--players", "7"], 4, "All Fives is for 2 to 4 players, not 7."),
        (["play", "all_fives", "--variant", "x"], 4, "All Fives has no variant 'x': choose 'standard'."),
        (
            ["play", "tetradominoes", "--players", "4", "--variant", "level 1"],
            4,
            "has no variant 'level 1' for 4 players:",
        ),
        (
            ["play", "bee_race", "--variant", "4 dice, 0 rounds"],
            4,
            "Bee Donimoes, the race: a race has 1 to 99 rounds, not 0 as in '4 dice, 0 rounds'.",
        ),
        (["play", "domineering", "--variant", "foo"], 4, "'four pieces, kept dominoes' or 'four pieces diagonal, kept"),
        (["play", "unmatched", "--players", "2"], 4, "Unmatched Donimoes is for 1 player, not 2."),
        (["play", "unmatched", "--problem", "5", "--players", "2"], 4, "Unmatched Donimoes is for 1 player, not 2."),
        (["play", "unmatched", "--seats", "you,program"], 4, "Unmatched Donimoes is for 1 player, not 2."),
        (["play", "unmatched", "--variant", "x"], 4, "Unmatched Donimoes has no variant 'x'."),
        (
            ["play", "all_fives", "--seats", "you,robot"],
            4,
            "--seats names you and program, parted by commas, not 'robot'",
        ),
        (["play", "all_fives", "--seats", "you,,program"], 4, "you and program, parted by commas, not ''."),
        (["play", "all_fives", "--seats", "you", "--players", "2"], 4, "--seats names 1 of 2 players."),
        (["play", "all_fives", "--resume", "none.json"], 4, "there is no saved game none.json: none is kept in "),
        (["play", "--resume"], 4, "name a saved game: none is kept in "),
        (
            ["play", "all_fives", "--save", "no/where.json"],
            4,
            "no/where.json cannot be written: there is no such folder",
        ),
        (["play", "--resume", "bad.json"], 4, "bad.json: This is no saved game, for it is no JSON (line 1, column 1)."),
        (["suggest", "all_fives"], 4, "name a picture"),
        (["suggest", "all_fives", "mine.txt", "--seat", "2"], 4, "it is the turn of player 1, not of player 2."),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_line(
    arguments: list[str], code: int, words: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "bad.json").write_text("no")
    (here / "mine.txt").write_text(SPARSE)
    assert run(arguments) == code
    err = " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert words in err


def test_advice_names_each_move_with_its_reason(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "mine.txt").write_text("player 1: 64 31 22 50 11 65 42\nline: 63")
    assert run(["suggest", "all_fives", "mine.txt", "--limit", "0.1"]) == 0
    first, best, *others = capsys.readouterr().out.splitlines()
    assert first == "All Fives: Player 1 plays a domino, or draws first."
    assert best.startswith("  1. ")
    assert "guesses at the hidden dominoes" in best
    assert others


def test_advice_in_a_saved_game_in_a_puzzle_and_where_there_is_none(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "quit")
    run(["play", "mountains_together", "--seed", "1", "--save", "game.json", "--limit", "0"])
    capsys.readouterr()
    assert run(["suggest", "mountains_together", "game.json", "--limit", "0.5"]) == 0
    assert "of the unknown dominoes a perfect map was soon found" in capsys.readouterr().out
    assert run(["suggest", "unmatched", "--problem", "1"]) == 0
    assert "24R" in capsys.readouterr().out
    (here / "wrong.txt").write_text("2 2|1 2\n\n0 0 1 0\n\n1 2 0 1\n")
    assert run(["suggest", "dominosa", "wrong.txt"]) == 3
    assert "there is nothing to advise. 1 domino lies wrong." in capsys.readouterr().out
    (here / "roll.txt").write_text("players: 2")
    assert run(["suggest", "cobra_paw", "roll.txt"]) == 3
    assert "there is nothing to advise" in capsys.readouterr().out
    assert run(["suggest", "all_fives", "game.json"]) == 4


@pytest.mark.parametrize("slug", ["freecell", "fujisan", "unmatched", "dominosa"])
def test_a_puzzle_is_dealt_where_no_problem_is_named_and_the_seed_deals_it_again(slug: str) -> None:
    first, again, other = (begin(slug, seed=seed) for seed in (1, 1, 2))
    assert first.start == again.start != other.start


@pytest.mark.parametrize("slug", ["unmatched", "capturing", "adding", "bee", "fujisan", "country_road", "mountains"])
def test_a_puzzle_that_nobody_chose_can_be_solved(slug: str) -> None:
    for seed in range(1, 11):
        sitting = begin(slug, seed=seed)
        assert solve(sitting.game, sitting.state, Watch(most_states=20_000)).moves


def test_a_deal_without_a_solution_gives_way_to_the_problem_that_is_made_up_by_its_seed() -> None:
    problem = made(orders("unmatched", "easy", 7, 1)[0])
    assert problem
    assert begin("unmatched", seed=7).start == problem.text
    assert begin("fujisan", seed=1).start == str(dealt(game("fujisan"), 1))


@pytest.mark.parametrize(
    ("slug", "start"),
    [
        ("unmatched", "2 3\n- -\n6 3 1 0\n    - -\n    3 2"),
        ("capturing", "0|1 2|3"),
        ("adding", "0 2 4\n- - -\n1 3 5"),
        ("bee", "3|0 0 1 0\n    - - -\n3|3 0 3 2\n\n2|2 1|2 1\n        -\n2|3 1|0 1\n---\ndice:1,2,3\nqueen:3"),
    ],
)
def test_the_program_gives_up_a_puzzle_to_which_it_knows_no_way(
    slug: str, start: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "mine.txt").write_text(start)
    assert run(["play", slug, "--problem", "mine.txt", "--seats", "program"]) == 0
    assert capsys.readouterr().out.endswith("\nThe program knows no way from here, and gives up.\n")


def test_the_program_solves_the_puzzle_that_it_is_dealt(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "unmatched", "--seed", "2", "--seats", "program"]) == 0
    assert "gives up" not in capsys.readouterr().out
    assert not (here / "home").exists()


def test_the_list_of_moves_does_not_tell_whether_the_race_has_a_solution(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "?", "give-up", "quit")
    assert run(["play", "bee_race", "--players", "1", "--seed", "1", "--variant", "3 dice"]) == 0
    listed, _, ended = capsys.readouterr().out.partition("give-up       All give up.\n")
    assert "1:impossible  Player 1 says: it is impossible. The timer runs: 60 s.\n" in listed
    assert "All give up. Nobody scores. 4 moves will do.\n" in ended
