"""Hints where several play: a nudge that leaves the move to be found, then its place, then the move."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from rules.engine import hint, legal_moves, suggest
from rules.game import Mover
from rules.games import game
from rules.watch import Watch

WATCH = Watch(most_states=4)


def decisions(of: Any, seed: int) -> Iterator[tuple[Any, Any]]:
    """The moments of a game played by chance in which somebody has a choice, each with the best advice."""
    chance = Random(seed)
    state = of.set_up(2, chance)
    while not of.outcome(state):
        moves = list(legal_moves(of, state))
        advised = suggest(of, state, WATCH) if not isinstance(of.to_move(state), Mover) else ()
        if len(moves) > 1 and len(advised) > 1:
            yield state, advised[0]
        state = of.play(state, chance.choice(moves))


@pytest.mark.parametrize("slug", ["all_fives", "finder", "mountains_together", "tetradominoes"])
def test_only_the_third_hint_names_the_move(slug: str) -> None:
    of: Any = game(slug)
    for state, best in list(decisions(of, 1))[:20]:
        seen = of.visible(state, of.to_move(state))
        nudge, place, move = (hint(of, state, level, WATCH) for level in (1, 2, 3))
        named = of.describe(seen, best.move), f"({best.move})"
        assert all(name in move.text for name in named)
        assert not any(name in earlier.text for name in named for earlier in (nudge, place))
        assert not nudge.cells
        assert nudge.text != place.text


def test_the_nudge_of_a_memory_game_does_not_say_where_the_treasure_lies() -> None:
    finder: Any = game("finder")
    state = finder.start("players: 2\nturn: 1\ndice: 66\nrolling: no\nrow 7: (66) ?? ?? ??")
    nudge, place = (hint(finder, state, level).text for level in (1, 2))
    assert nudge == "Remember where the 6-6 lies: somebody has seen it. The best flip is no trap."
    assert place == "The best flip is that of a7 and b7."


def test_a_second_hint_of_all_fives_says_at_which_end() -> None:
    fives: Any = game("all_fives")
    state = fives.start("player 1: 42 11 53\nline: 63 32\nturn: 1")
    assert hint(fives, state, 2).text == "What seems best is laid at the right end."
    begins = hint(fives, fives.start("player 1: 64 63 62 61 60 66 65"), 2, WATCH).text
    assert begins == "What seems best begins the line with a 6 at one end."


def test_who_is_to_pass_a_domino_hears_second_where_it_can_be_laid() -> None:
    together: Any = game("mountains_together")
    state = together.start("player 1: 64 31 22 +6\nplayer 2: +8\n===\n1|2")
    assert hint(together, state, 2, WATCH).text.startswith("Player 2 can lay the best one at ")


@pytest.mark.parametrize(("hand", "known"), [("+7", "what"), ("53 31 41 +4", "all that")])
def test_nothing_is_advised_to_a_hand_of_which_too_little_is_known(hand: str, known: str) -> None:
    fives: Any = game("all_fives")
    told = hint(fives, fives.start(f"player 1: {hand}\nline: 60 02"), 1).text
    assert told.endswith(f"Nobody knows {known} player 1 has: the hand has to be shown, or named.")
