"""From a picture to a verdict, with the reader that is shipped, on the samples that are shipped."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from pipsight.cli import run
from pipsight.commands.demo import SAMPLES
from rules.puzzles import published
from vision.picture import encode, load

if TYPE_CHECKING:
    from collections.abc import Callable

    from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2")

NAMES = (
    "adding_end", "adding_start", "capturing_end", "capturing_start", "chain", "dominosa_solved", "dominosa_spoilt",
    "loose", "mountains_solved", "mountains_spoilt", "unmatched_end", "unmatched_start",
)  # fmt: skip
Tile = dict[str, Any]


def sample(name: str) -> str:
    return str(SAMPLES / f"{name}.jpg")


def dominosa_problem() -> str:
    """The published problem that the Dominosa samples show."""
    board = (SAMPLES / "dominosa_solved.txt").read_text(encoding="utf-8").rstrip()
    return next(problem.name for problem in published("dominosa") if problem.solution.rstrip() == board)


def middle(tile: Tile) -> tuple[float, float]:
    x, y = (sum(axis) / 4 for axis in zip(*tile["corners_px"], strict=True))
    return x, y


def agrees(seen: Tile, true: Tile) -> bool:
    """Whether both lie on one place and tell the same numbers, end for end."""
    (x, y), half = middle(true), math.dist(true["corners_px"][1], true["corners_px"][2]) / 2
    if math.dist(middle(seen), (x, y)) > half / 2:
        return False
    head = [sum(axis) / 2 for axis in zip(*true["corners_px"][:2], strict=True)]
    near, far = seen["centers_px"]
    pips = seen["pips"] if math.dist(near, head) < math.dist(far, head) else seen["pips"][::-1]
    return list(pips) == list(true["pips"])


@pytest.mark.parametrize("name", NAMES)
def test_every_sample_is_read_as_it_was_laid(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["read", "--json", sample(name)]) == 0
    told = json.loads(capsys.readouterr().out)
    seen = [tile for tile in told["tiles"] if tile["face_up"]]
    truth = json.loads((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    laid = [tile for tile in truth["tiles"] if tile["face_up"]]
    assert told["size_px"] == truth["size_px"]
    assert sum(any(agrees(tile, true) for tile in seen) for true in laid) == len(laid)
    assert [tile for tile in seen if not tile["doubtful"] and not any(agrees(tile, true) for true in laid)] == []


def without_four(picture: Image, name: str) -> Image:
    """A picture after four of its dominoes were taken away."""
    tiles = json.loads((SAMPLES / f"{name}.json").read_text(encoding="utf-8"))["tiles"]
    gone = np.zeros(picture.shape[:2], np.uint8)
    for tile in tiles[:4]:
        cv2.fillConvexPoly(gone, np.asarray(tile["corners_px"], np.int32), 255)
    bare = cv2.dilate(gone, np.ones((9, 9), np.uint8)) > 0
    return np.where(bare[..., None], picture[:1, :1], picture)


@pytest.mark.parametrize(
    ("game", "name", "code", "told"),
    [
        ("dominosa", "smaller", 3, "The dominoes are only 19 pixels long;"),
        ("dominosa", "blurred", 3, "The picture is blurred:"),
        ("mountains", "blurred", 3, "The picture is blurred:"),
        ("dominosa", "without four", 1, "squares are empty"),
        ("mountains", "without four", 1, "squares are empty"),
    ],
)
def test_only_a_picture_that_shows_enough_shows_that_something_lacks(
    game: str, name: str, code: int, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = load(sample(f"{game}_solved"))
    ways: dict[str, Callable[[], Any]] = {
        "smaller": lambda: cv2.resize(picture, None, fx=0.15, fy=0.15, interpolation=cv2.INTER_AREA),
        "blurred": lambda: cv2.GaussianBlur(picture, (0, 0), 8),
        "without four": lambda: without_four(picture, f"{game}_solved"),
    }
    (tmp_path / "table.png").write_bytes(encode(ways[name](), ".png"))
    assert run(["check", game, str(tmp_path / "table.png")]) == code
    assert told in capsys.readouterr().out


def test_where_nothing_can_be_read_the_picture_is_said_to_be_blurred(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    soft = cv2.GaussianBlur(load(sample("unmatched_start")), (0, 0), 14)
    (tmp_path / "soft.png").write_bytes(encode(np.asarray(soft, np.uint8), ".png"))
    assert run(["hint", "unmatched", str(tmp_path / "soft.png")]) == 4
    assert "No domino lies face up on the grid. The picture is blurred: hold" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("game", "name", "code"),
    [
        ("dominosa", "dominosa_solved", 0),
        ("dominosa", "dominosa_spoilt", 1),
        ("mountains", "mountains_solved", 0),
        ("mountains", "mountains_spoilt", 1),
        ("unmatched", "unmatched_end", 0),
        ("unmatched", "unmatched_start", 1),
        ("capturing", "capturing_end", 1),
        ("adding", "adding_end", 0),
    ],
)
def test_every_sample_gets_its_verdict(
    game: str, name: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    problem = {"dominosa": ["--problem", dominosa_problem()], "adding": ["--problem", "1"]}.get(game, [])
    assert run(["check", game, sample(name), *problem, "--out", str(tmp_path)]) == code
    assert f"Drawn: {tmp_path / name}.check.jpg" in capsys.readouterr().out
    assert (tmp_path / f"{name}.check.jpg").stat().st_size > 10_000


def test_the_demo_shows_a_reading_a_verdict_and_where_the_picture_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PIPSIGHT_HOME", str(tmp_path))
    assert run(["demo"]) == 0
    out = capsys.readouterr().out
    drawn = tmp_path / "state" / "demo" / "mountains_spoilt.check.jpg"
    assert "18 dominoes" in out
    assert "Mountains and Valleys: not solved" in out
    assert str(drawn) in out
    assert drawn.stat().st_size > 10_000


def test_dice_beside_the_dominoes_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    truth = json.loads((SAMPLES / "pieces.json").read_text(encoding="utf-8"))
    assert run(["read", "--json", sample("pieces")]) == 0
    dice = json.loads(capsys.readouterr().out)["dice"]
    true = [(die["value"], middle(die)) for die in truth["dice"]]
    near = [[value for value, at in true if math.dist(at, die["center_px"]) < 20] for die in dice]
    assert near == [[die["value"]] for die in dice]
    assert len(dice) >= len(true) - 1
