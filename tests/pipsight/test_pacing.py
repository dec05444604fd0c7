"""Games that run on the clock, played in text: what happens while somebody thinks, and what is typed too late."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pipsight.cli import run
from pipsight.pacing import Pace
from pipsight.playing import Play, Quit
from pipsight.sitting import PROGRAM, YOU, Sitting, begin, resumed

if TYPE_CHECKING:
    from collections.abc import Sequence


class Typist:
    """Types lines at moments, and keeps what is said; the clock goes on only with it."""

    def __init__(self, lines: Sequence[tuple[float, str]]) -> None:
        self.lines, self.now_s, self.said = list(lines), 0.0, list[str]()

    def ask(self, prompt: str) -> str:
        self.said.append(prompt)
        if not self.lines:
            raise Quit
        self.now_s, line = self.lines.pop(0)
        return line


def played(sitting: Sitting, *lines: tuple[float, str]) -> list[str]:
    """What is said while somebody types these lines at these seconds."""
    typist = Typist(lines)
    with pytest.raises(Quit):
        Play(sitting, typist.ask, typist.said.append, clock=lambda: typist.now_s).run()
    return typist.said


def race(*seats: str) -> Sitting:
    return begin("bee_race", seats=seats, variant="4 dice", seed=3)


def test_the_timer_runs_by_the_clock_from_the_first_claim() -> None:
    sitting = race(YOU, YOU)
    said = played(sitting, (10, "1:5"), (30, "2:4"), (69, "1:3"), (71, "2:2"))
    assert said[-1] == "27 s > "
    assert "There is nothing to claim now." in said
    assert [one.move for one in sitting.made][-4:] == ["1:5@10.000", "2:4@30.000", "1:3@69.000", "time@70.000"]
    assert "The time is up. Player 1 demonstrates 3 moves." in said


def test_nobody_hesitates_before_it_was_told_whose_turn_it_is() -> None:
    sitting = race(YOU, YOU)
    said = played(sitting, (10, "1:5"), (30, "2:4"), (95, ""), (126, ""))
    assert [line for line in said if line.endswith("s > ")] == ["60 s > ", "40 s > ", "30 s > ", "29 s > "]
    assert [one.move for one in sitting.made][-2:] == ["time@70.000", "late@80.000"]


def test_the_program_shows_in_time_what_it_claimed_however_late_a_line_is_typed() -> None:
    said = played(race(YOU, PROGRAM), (40, ""), (300, ""))
    assert any("Player 2 scores a point." in line for line in said)


def test_what_the_clock_brings_is_no_move_to_choose() -> None:
    said = played(race(YOU, YOU), (5, "?"), (10, "1:5"), (20, "?"), (71, ""), (72, "?"))
    named = [word for line in said for word in re.findall(r"\d+\. ([a-z-]+)", line)]
    assert named == ["give-up", "give-up"]  # before the first claim, and while somebody demonstrates


def test_a_claim_that_lies_ahead_is_refused() -> None:
    sitting = race(YOU, YOU)
    said = played(sitting, (10, "1:5@99999"), (11, "1:5@10.5"))
    assert "Nothing has happened at 99999.000 s yet: now it is 10.000 s." in said
    assert sitting.made[-1].move == "1:5@10.500"


def test_the_program_claims_while_you_think() -> None:
    sitting = race(YOU, PROGRAM)
    said = played(sitting, (5, ""), (40, ""))
    claims = [one.move for one in sitting.made if one.move.startswith("2:")]
    assert len(claims) == 1
    assert float(claims[0].partition("@")[2]) < 40
    assert any(line.startswith("Player 2 says: ") for line in said)
    assert "That player is the program, which moves for itself." in played(race(YOU, PROGRAM), (40, "2:1"))


def test_whoever_is_heard_of_only_when_a_line_is_there_is_heard_of_at_once() -> None:
    sitting, typist = race(YOU, PROGRAM), Typist([(120, "quit")])

    def waiting(seconds: float) -> bool:
        typist.now_s += seconds
        return typist.now_s > 100

    with pytest.raises(Quit):
        Play(sitting, typist.ask, typist.said.append, clock=lambda: typist.now_s, typed=waiting).run()
    assert any(line.startswith("Type when you know.") for line in typist.said)
    assert any(line.startswith("Player 2 says: ") for line in typist.said)
    assert "The time is up." in " ".join(typist.said)


def test_a_whole_demonstration_is_typed_in_one_line_and_ends_where_it_is_wrong() -> None:
    way = "3L2 2U4L2D2 3L2D1"
    sitting = race(YOU, YOU)
    said = played(sitting, (10, "1:3"), (20, "2:4"), (71, way))
    assert (sitting.state.points, sitting.state.round) == ((1, 0), 2)
    assert any("Player 1 scores a point. 3 moves is right: no fewer will do." in line for line in said)
    failed = race(YOU, YOU)
    said = played(failed, (10, "1:3"), (20, "2:4"), (71, "3L2 2L1 3L2D1"))
    assert (failed.state.failed, failed.state.flier, failed.state.flown) == ((0,), 1, 0)
    assert any("Player 1 fails. The 2 die cannot land on the 0" in line for line in said)


def test_who_types_a_flight_has_three_times_as_long_and_no_longer() -> None:
    in_time, late = race(YOU, YOU), race(YOU, YOU)
    played(in_time, (10, "1:3"), (70, ""), (99, "3L2"))
    assert in_time.state.flown == 1
    said = played(late, (10, "1:3"), (70, ""), (101, "3L2"))
    assert any(line.startswith("Player 1 hesitates for too long.") for line in said)


def test_a_race_goes_on_later_with_as_much_time_as_was_left(tmp_path: Path) -> None:
    sitting = race(YOU, YOU)
    played(sitting, (10, "1:5"), (30, "2:4"))
    sitting.write(tmp_path / "race.json")
    again = resumed(tmp_path / "race.json")
    assert again.state == sitting.state
    assert Pace(again, lambda: 5000.0).left() == "40 s "


def test_who_leaves_a_race_while_the_minute_runs_gets_no_time_back(tmp_path: Path) -> None:
    sitting = race(YOU, YOU)
    played(sitting, (10, "1:5"), (55, "quit"))
    sitting.write(tmp_path / "race.json")
    again = resumed(tmp_path / "race.json")
    assert Pace(again, lambda: 5000.0).left() == "15 s "
    assert played(again, (1, "2:4"))[-1] == "14 s > "
    assert again.made[-1].move == "2:4@56.000"


def test_who_takes_back_that_they_gave_up_has_the_whole_time_anew() -> None:
    said = played(race(YOU, YOU), (10, "1:5"), (71, ""), (74, "give-up"), (200, "undo"), (201, ""))
    assert [line for line in said if line.endswith("> ")][-2:] == ["30 s > ", "29 s > "]


def test_who_takes_back_that_the_time_is_up_has_what_was_left_after_the_last_claim() -> None:
    sitting = race(YOU, YOU)
    said = played(sitting, (10, "1:5"), (30, "2:4"), (71, ""), (72, "undo"), (80, "1:3"), (81, ""))
    assert [line for line in said if line.endswith("> ")][-3:] == ["40 s > ", "32 s > ", "31 s > "]
    assert sitting.made[-1].move == "1:3@38.000"


def test_nobody_is_helped_in_a_race_and_whoever_is_alone_is() -> None:
    assert "Nobody is helped in a race." in played(race(YOU, PROGRAM), (1, "hint"))
    assert any("the 1 die" in line or "moves from here" in line for line in played(race(YOU), (1, "hint")))


def test_the_command_plays_races_to_their_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "race.json"
    arguments = ["play", "bee_race", "--seats", "program,program,program", "--variant", "4 dice", "--seed", "2"]
    assert run([*arguments, "--save", str(path)]) == 0
    assert "wins with" in capsys.readouterr().out.splitlines()[-1]
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert any("@" in move for move, _ in kept["moves"])
    assert run([*arguments[:2], "--players", "7"]) == 4
    assert "Bee Donimoes, the race is for 1 to 6 players, not 7." in capsys.readouterr().err
