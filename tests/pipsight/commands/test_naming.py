"""Games are known by their names however people write them."""

from __future__ import annotations

import pytest

from pipsight.cli import run
from pipsight.commands.naming import known


@pytest.mark.parametrize("name", ["all_fives", "all-fives", "All Fives", "ALL_FIVES", " all  fives "])
def test_capitals_hyphens_and_blanks_make_no_other_game(name: str) -> None:
    assert known(name) == "all_fives"


@pytest.mark.parametrize("command", ["check", "solve", "moves", "hint", "suggest"])
def test_every_command_knows_a_game_by_such_a_name(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([command, "Country-Road", "nowhere.txt"]) == 4
    assert "nowhere.txt" in capsys.readouterr().err


def test_a_game_that_is_generated_or_played_may_be_written_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["generate", "Cobra-Paw"]) == 4
    assert run(["play", "Cobra Paw", "--players", "7"]) == 4
    assert capsys.readouterr().err.count("Cobra Paw") == 2
