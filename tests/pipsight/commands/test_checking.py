"""What is judged on a picture that does not show all of the table."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from pipsight.cli import run
from pipsight.commands.beyond import CUT
from pipsight.commands.demo import SAMPLES
from vision.picture import encode, load

pytestmark = pytest.mark.needs("cv2")

MORE = "More dominoes may lie beyond the edge of the picture."


def cut(name: str, tiles: int, path: Path) -> str:
    """A sample without what lies right of the middle of its so many leftmost tiles."""
    told = json.loads((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))["tiles"]
    right = sorted(max(x for x, _ in tile["corners_px"]) for tile in told)
    picture = load(str(SAMPLES / f"{name}.jpg"))
    path.write_bytes(encode(np.ascontiguousarray(picture[:, : int(right[tiles - 1]) + 12]), ".png"))
    return str(path)


@pytest.mark.parametrize("name", ["dominosa_solved", "mountains_solved"])
def test_what_lacks_may_lie_beyond_the_edge(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", name.partition("_")[0], cut(name, 9, tmp_path / "cut.png")]) == 3
    out = capsys.readouterr().out
    assert f"  ? {MORE}\n" in out
    assert out.endswith(f"{CUT}\n")


def test_what_is_wrong_with_what_was_seen_is_wrong_whatever_lies_beyond(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", "mountains", cut("mountains_spoilt", 18, tmp_path / "cut.png")]) == 1
    assert "cannot be reached from the rest" in capsys.readouterr().out


def test_a_filled_rectangle_may_go_on_beyond_the_edge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "unmatched", str(SAMPLES / "unmatched_end.jpg")]) == 0
    tight = cut("unmatched_end", 8, tmp_path / "tight.png")
    assert run(["check", "unmatched", tight]) == 3
    assert MORE in capsys.readouterr().out
    assert run(["check", "unmatched", tight, "--problem", str(SAMPLES / "unmatched_start.txt")]) == 0


@pytest.mark.parametrize("command", ["check", "solve", "moves", "hint", "suggest"])
def test_the_number_of_a_problem_in_the_place_of_its_picture_is_told_where_it_belongs(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([command, "unmatched", "5"]) == 4
    assert capsys.readouterr().err == "pipsight: there is no picture 5: --problem 5 names the problem.\n"
