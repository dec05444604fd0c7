"""Domino Finder: what the chances are, and what the advice makes of them."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from random import Random

import pytest

from benchmarks.matches import Timed
from benchmarks.players_of.finder import nearest
from rules.board import Cell
from rules.finder.outlook import Outlook
from rules.finder.state import (
    Idle,
    Seen,
)
from rules.games.finder import GAME
from rules.watch import Watch
from tests.rules.finder.walking import BEGUN, a_game, after


def test_chances_go_by_row_and_by_what_was_seen() -> None:
    fresh = Outlook(GAME.start("players: 2\ndice: 53"))
    assert fresh.trap(Cell(0, 0)) == pytest.approx(1 / 4 * 4 / 7)
    assert sum(fresh.treasure(place) for place in range(28)) == pytest.approx(1)
    seen = Outlook(GAME.start("players: 2\ndice: 53\nrow 1: (05) ?? ?? ??\nrow 2: (12) (34) ?? ??"))
    assert seen.trap(Cell(0, 0)) == 1
    assert seen.trap(Cell(0, 1)) == 0
    assert seen.trap(Cell(0, 2)) == 0
    assert seen.trap(Cell(1, 4)) == pytest.approx(1 / 2 * 3.5 / 6)
    assert seen.treasure(1) > seen.treasure(8) > seen.treasure(6)


def test_what_is_flipped_comes_with_the_chance_of_all_deals_that_fit() -> None:
    text = "players: 2\ndice: 53\nlooking: a1\nrow 1: ?? (12) ?? ??\nrow 2: (00) ?? ?? ??"
    chances = dict(GAME.chances(GAME.start(text)))
    assert sum(chances.values()) == pytest.approx(1)
    assert chances[Seen(0, 5)] == pytest.approx(1 / 3 / 6 / 2)
    assert chances[Seen(6, 6)] == pytest.approx(2 / 3 / 20)
    assert Seen(1, 2) not in chances
    drawn = Counter[bool]()
    chance = Random(7)
    for _ in range(400):
        state = GAME.set_up(2, chance)
        drawn[state.tiles[0].is_trap] += 1
    assert 70 <= drawn[True] <= 130


def test_what_nobody_has_seen_is_hidden_and_takes_no_part_in_advice() -> None:
    state = after("a2R h5L")
    seen = GAME.visible(state, 1)
    assert [tile.pips for tile in seen.tiles if tile.pips] == [(2, 2), (6, 2)]
    assert "66" not in GAME.told(state, 0)
    advice = GAME.suggest(state, Watch(), Random(1))
    assert advice == GAME.suggest(seen, Watch(), Random(1))
    assert advice[0].reason.startswith(("The blank of row", "No trap"))


def test_advice_takes_the_treasure_the_safe_end_and_the_way_to_what_is_remembered() -> None:
    rows = "row 1: [12] (03) (53) ??"
    state = GAME.start(f"players: 2\ndice: 53\npawns: b1 -\n{rows}")
    best = GAME.suggest(state, Watch(), Random(1))[0]
    assert "remembered" in best.reason or "1 unknown" in best.reason
    near = GAME.start("players: 2\ndice: 53\npawns: b1 -\nrow 1: [12] (53) ?? ??")
    best = GAME.suggest(near, Watch(), Random(1))[0]
    assert (str(best.move), best.worth) == ("c1R", 1.0)
    assert best.reason == "The 5-3 is remembered: no trap. It is the 3-5, the treasure."
    safe = Outlook(GAME.start(f"players: 2\ndice: 66\n{rows}"))
    assert (safe.trap(Cell(0, 2)), safe.trap(Cell(0, 3))) == (1, 0)
    assert GAME.suggest(after("b1D h3", BEGUN), Watch(), Random(1))[0].move is Idle.SKIP


def counted(player: object, seeds: Sequence[int]) -> tuple[float, float]:
    """Flips and traps for each treasure found."""
    flips = traps = treasures = 0
    for seed in seeds:
        states = a_game(seed, 2, player)
        for old, new in pairwise(states):
            if old.turn != new.turn or old.pawns != new.pawns:
                flips += old.pawns != new.pawns
                traps += len(new.skips - old.skips)
        treasures += len(states[-1].taken)
    return flips / treasures, traps / treasures


def test_no_flip_is_said_to_lead_to_a_treasure_that_blanks_shut_in() -> None:
    rows = "row 1: (66) [01] ?? ??\nrow 2: [00] ?? ?? ??"
    for flip in GAME.suggest(GAME.start(f"players: 2\ndice: 66\npawns: d1 -\n{rows}"), Watch(), Random(1)):
        assert flip.reason.endswith("No way leads on from it to the 6-6, remembered at a1.")


def test_the_advice_steps_in_fewer_traps_than_the_nearest_domino() -> None:
    seeds = range(4)
    assert counted(Timed(), seeds)[1] < 0.8 * counted(nearest, seeds)[1]
