"""The benchmark of the games with players: random games hold, results are kept, and figures have intervals."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks import random_games
from benchmarks.ledger import Ledger
from benchmarks.matches import MATCHES, interval
from benchmarks.play import random_summary, tried, with_players
from benchmarks.random_games import Broken, dominoes, random_game
from rules.domino import DominoSet
from rules.games import game
from rules.games.cobra_paw import GAME as COBRA_PAW

QUICK = ("cobra_paw", "finder")


@pytest.mark.parametrize("slug", with_players())
def test_a_random_game_holds_together_and_is_the_same_again(slug: str) -> None:
    told = random_game(slug, 1, 0 if slug in QUICK else 1)
    assert told["moves"] > 0
    assert told["ends"]
    if slug in QUICK:
        assert random_game(slug, 1, 0) == told
        assert not any("broken" in tried(slug, 2, number) for number in range(3))


def test_every_domino_of_a_game_is_found_in_its_state() -> None:
    state = game("all_fives").set_up(2, Random(1))  # type: ignore[attr-defined]
    assert sorted(dominoes(state)) == sorted(DominoSet(6))


def test_what_breaks_is_told_with_the_game_it_broke_in(monkeypatch: pytest.MonkeyPatch) -> None:
    def losing(value: Any) -> Any:
        return iter(value.face_up)

    monkeypatch.setattr(random_games, "dominoes", losing)
    with pytest.raises(Broken, match=r"cobra_paw, seed 1, game 1 .* changes the set of dominoes"):
        random_game("cobra_paw", 1, 1)
    lines = list(random_summary("cobra_paw", [tried("cobra_paw", 1, 1)]))
    assert lines[0] == "cobra_paw: 1 random games, 0 moves, 1 broken"
    assert lines[-1].startswith("  BROKEN cobra_paw, seed 1, game 1")


def test_a_seat_that_sees_too_much_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(COBRA_PAW), "visible", lambda self, state, seat: state)
    random_games.require_secrets(COBRA_PAW, COBRA_PAW.set_up(2, Random(1)), 2)
    fives: Any = game("all_fives")
    start = fives.set_up(2, Random(1))
    monkeypatch.setattr(
        type(fives), "visible", lambda self, state, seat: state if seat else fives.start("player 1: 64")
    )
    with pytest.raises(Broken, match="both know"):
        random_games.require_secrets(fives, start, 2)


def test_a_run_that_was_stopped_goes_on_from_its_log(tmp_path: Path) -> None:
    log, worked = tmp_path / "logs" / "play.jsonl", list[int]()

    def work(number: int) -> dict[str, Any]:
        worked.append(number)
        return {"square": number * number}

    assert [told["square"] for told in Ledger(log).results("part", range(3), work, 1)] == [0, 1, 4]
    with log.open("a", encoding="utf-8") as file:
        file.write('{"part": "par')
    assert [told["square"] for told in Ledger(log).results("part", range(5), work, 1)] == [0, 1, 4, 9, 16]
    assert [told["square"] for told in Ledger(log).results("part", range(5), work, 1)] == [0, 1, 4, 9, 16]
    assert worked == [0, 1, 2, 3, 4]
    assert list(Ledger(log).results("another", range(1), work, 1)) == [{"square": 0}]


def test_an_interval_holds_the_figure() -> None:
    values = [1.0, 2.0, 3.0, 4.0]
    assert interval(values, lambda places: sum(values[k] for k in places) / 4).startswith("2.500 (1.")


def test_each_match_plays_against_a_player_that_is_there() -> None:
    for match in MATCHES:
        assert callable(match.rivals_player())
        assert match.goal
    finder = next(match for match in MATCHES if match.slug == "finder")
    walks = {
        "advice": {"treasures": 5, "flips": 50, "traps": 4, "first flips": 9, "first traps": 1},
        "rival": {"treasures": 5, "flips": 60, "traps": 8, "first flips": 12, "first traps": 2},
    }
    lines = list(finder.summary([{**walks, "ms": [1.0]}]))
    assert lines[2] == "  traps, advice over rival: 0.500 (0.500 to 0.500)"
    assert lines[6] == "  traps up to the first treasure: 1.00 against 2.00, 0.500 (0.500 to 0.500)"
    assert len(lines) == 8
