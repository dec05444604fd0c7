"""Saved games: a round trip for every game, and what is said where one cannot be loaded."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from rules.course import by_chance, playout
from rules.engine import legal_moves
from rules.game import Starts
from rules.games import game, slugs
from rules.players import SetsUp
from rules.puzzles import problem, published
from rules.saved import BadSave, Made, SavedGame, dumps, loads, maker, replayed

STARTING = [slug for slug in slugs() if isinstance(game(slug), Starts)]
MOVES = 12


def begun(slug: str) -> Any:
    rules: Any = game(slug)
    if isinstance(game(slug), SetsUp):
        return rules.set_up(rules.info.players[1], Random(5))
    return problem(slug, published(slug)[0].name) if published(slug) else rules.deal(Random(5), 28)


@pytest.mark.parametrize("slug", STARTING)
def test_a_game_comes_to_the_same_state_once_more(slug: str) -> None:
    rules: Any = game(slug)
    with_players = isinstance(game(slug), SetsUp)
    first = begun(slug)
    state, made = first, list[Made]()
    if with_players:
        for move, after in playout(rules, first, [by_chance] * rules.info.players[1], Random(5)):
            made.append(Made(str(move), maker(rules, state)))
            state = after
            if len(made) == MOVES:
                break
    else:
        move = next(iter(legal_moves(rules, first)))
        made.append(Made(str(move), maker(rules, first)))
        state = rules.play(first, move)
    kept = SavedGame(slug, str(first), tuple(made), version="1.2", notes={"seed": 5})
    assert loads(dumps(kept)) == kept
    loaded = replayed(loads(dumps(kept)))
    assert loaded.states[0] == first
    assert loaded.states[-1] == state
    assert len(loaded.states) == len(made) + 1


GOOD = SavedGame("all_fives", "player 1: 64 31 22 50 11 65 42\nline: 63", (Made("31R", "player 1"),), version="0.9")


def spoilt(**changes: Any) -> str:
    return json.dumps({**json.loads(dumps(GOOD)), **changes})


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "This is no saved game, for it is no JSON (line 1, column 2)."),
        ("[]", "This is no saved game: it names no format."),
        (spoilt(format=7), "This game was saved by pipsight 0.9 in format 7, and this one knows format 1."),
        (spoilt(game="whist"), "This saved game cannot be loaded: There is no game 'whist'"),
        (spoilt(start="x"), "This saved game lacks its start, a list of lines."),
        (spoilt(start=["x"]), "The start of this game of All Fives is no longer understood: line 1, column 1: 'x'"),
        (spoilt(moves=None), "This saved game lacks its moves, a list."),
        (spoilt(moves=[["31R"]]), 'Move 1 of this saved game is not a move and who made it: ["31R"].'),
        (
            spoilt(moves=[["31R", "player 1"], ["99R", "player 2"]]),
            "Move 2, 99R by player 2, is no longer allowed: The 9-9 is not in the double-six set. It was saved by",
        ),
        (
            spoilt(moves=[["31R", "player 2"]]),
            "Move 1, 31R by player 2, is no longer allowed: It is the turn of player",
        ),
    ],
)
def test_what_cannot_be_loaded_is_said_with_its_place(text: str, sentence: str) -> None:
    with pytest.raises(BadSave) as bad:
        replayed(loads(text))
    assert str(bad.value).startswith(sentence)


def test_no_move_comes_after_the_end() -> None:
    rules = game("unmatched")
    puzzle = published("unmatched")[0]
    moves = [Made(word, "player 1") for word in puzzle.moves.split(", ")]
    kept = SavedGame("unmatched", puzzle.start, tuple(moves))
    assert rules.outcome(replayed(kept).states[-1])
    with pytest.raises(BadSave, match=r"The game is over\."):
        replayed(SavedGame("unmatched", puzzle.start, (*moves, moves[0])))
