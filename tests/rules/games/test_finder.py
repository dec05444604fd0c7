"""Domino Finder: rows of secret numbers, traps, treasures, and what is remembered."""

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest

from benchmarks.players_of.finder import by_chance
from rules.board import Cell
from rules.domino import Domino
from rules.engine import explain, legal_moves, replay
from rules.errors import BadText
from rules.finder.state import (
    BLANKS,
    FULL_SET,
    Face,
    Flip,
    Idle,
    Move,
    Search,
    Step,
    halves,
    place_of,
    square,
)
from rules.game import CHANCE, IllegalMove, Outcome
from rules.games.finder import GAME
from rules.players import Owes, SetsUp, Suggests, Tells
from rules.two_dice import Roll
from tests.rules.finder.walking import ROWS, a_game, after, chosen, refusal


def test_seven_rows_of_four_have_one_blank_each() -> None:
    state = GAME.set_up(3, Random(1))
    assert sorted(tile.domino for tile in state.tiles if tile.domino) == sorted(FULL_SET)
    assert all(sum(tile.is_trap for tile in state.tiles[row : row + 4]) == 1 for row in range(0, 28, 4))
    assert GAME.start(str(state)) == state
    assert isinstance(GAME, SetsUp)
    assert isinstance(GAME, Suggests)
    assert isinstance(GAME, Owes)
    assert isinstance(GAME, Tells)
    for players, variant in ((5, ""), (2, "chess")):
        with pytest.raises(ValueError, match="Domino Finder"):
            GAME.set_up(players, Random(1), variant)


def test_the_highest_sum_begins_and_ties_roll_again() -> None:
    state = after("roll(6-1) roll(5-2) roll(4-1)", f"players: 3\n{ROWS}")
    assert (state.rolls, state.turn) == ((0, 0, -1), 0)
    assert GAME.owed(state) == "Player 1 and Player 2 rolled the same: Player 1 rolls both dice again."
    state = replay(GAME, state, "roll(1-1)")[0]
    assert GAME.owed(state) == "Player 2 rolls both dice: the highest sum begins."
    state = replay(GAME, state, "roll(2-1)")[0]
    assert (state.rolls, state.turn, state.rolling) == ((), 1, True)
    assert GAME.owed(state) == "Player 2 begins, and rolls both dice for the treasure."
    state = replay(GAME, state, "roll(5-3)")[0]
    assert state.target == Domino(5, 3)
    assert GAME.owed(state) == "Player 2 flips a face-down domino from beside the board."


def test_a_pawn_flips_a_domino_steps_onto_it_and_the_turn_passes_to_the_right() -> None:
    state = after("a2R", f"players: 3\ndice: 53\n{ROWS}")
    assert state.tile_at(Cell(1, 0)).face is Face.UP
    assert state.pawns == (Cell(1, 0), None, None)
    assert state.turn == 2
    state = replay(GAME, state, "h3 a4R")[0]
    assert (state.turn, state.pawns) == (0, (Cell(1, 0), Cell(3, 0), Cell(2, 7)))
    assert GAME.describe(state, Flip(Cell(2, 0), Step.DOWN)) == "Player 1 flips the domino at a3, the 3-1."


@pytest.mark.parametrize(
    ("moves", "why"),
    [
        ("c3R", "Player 1's pawn comes from beside the board: the first domino is flipped from the edge."),
        ("a2R h3 e2R", "Player 1's pawn cannot stand next to e2: d2 lies face down."),
        ("a2R h3 a2R", "The domino at a2 lies face up already."),
        ("a2R h3 h1D", "Player 1's pawn is on the board and cannot go beside it to flip h1."),
        ("a2R h3 d2R", "Player 1's pawn cannot stand next to d2: c2 lies face down."),
        ("pass", "Player 1 can flip a domino, as a1, and has to."),
        ("skip", "Player 1 has no turn to skip."),
        ("roll(2-1)", "Nobody rolls before the treasure is found."),
        ("=24", "No domino has just been flipped."),
        ("hop", "hop is no move: d4R, d4, =24, roll(5-3), skip and pass are."),
    ],
)
def test_what_the_rules_forbid_is_said(moves: str, why: str) -> None:
    assert refusal(moves) == why


def test_a_blank_next_to_the_pawn_is_a_trap_and_costs_a_turn() -> None:
    state = after("b1D")
    assert (state.pawns[0], state.skips) == (Cell(0, 1), frozenset({0}))
    state = replay(GAME, state, "h3")[0]
    assert list(legal_moves(GAME, state)) == [Idle.SKIP]
    assert GAME.owed(state) == "Player 1 stepped in a trap and skips this turn."
    assert refusal("a2", str(state)) == "Player 1 stepped in a trap and has to skip this turn."
    state = replay(GAME, state, "skip")[0]
    assert (state.turn, state.skips) == (1, frozenset())
    assert GAME.describe(after(""), GAME.moves(after(""), "b1D")[0]).endswith("the 1-0, and steps in a trap.")


def test_a_blank_at_the_far_end_is_no_trap_but_bars_the_way() -> None:
    state = after("a1R h3")
    assert not state.skips
    assert not state.walkable(Cell(0, 1))
    assert refusal("c1R", str(state)) == "Player 1's pawn cannot stand next to c1: b1 is a blank."


def test_a_treasure_is_taken_and_the_open_traps_are_turned_down_unless_a_pawn_is_on_them() -> None:
    state = after("a1R h4L")
    assert state.found == ((), (Domino(5, 3),))
    assert state.tile_at(Cell(3, 6)).face is Face.GONE
    assert state.tile_at(Cell(0, 0)).face is Face.UP
    assert GAME.owed(state) == "Roll both dice for the next treasure."
    left = after("a1R h5L a2D h4U")
    assert left.tile_at(Cell(0, 0)).face is Face.DOWN
    assert left.tile_at(Cell(0, 0)).seen


def test_dice_are_rolled_again_for_treasures_pawns_and_open_dominoes() -> None:
    state = after("a2R h5L a3D h4U")
    assert GAME.to_move(state) is CHANCE
    assert GAME.owed(state) == "Roll both dice for the next treasure."
    told = {
        "roll(5-3)": "The dice show 5 and 3: the 3-5 is taken, so they are rolled again.",
        "roll(3-1)": "The dice show 3 and 1: a pawn is on the 1-3, so they are rolled again.",
        "roll(2-2)": "The dice show 2 and 2: the 2-2 is turned face down, and they are rolled again.",
        "roll(4-1)": "The dice show 4 and 1: the treasure is the 1-4.",
    }
    for word, sentence in told.items():
        (move,) = GAME.moves(state, word)
        assert GAME.describe(state, move) == sentence
        assert GAME.play(state, move).rolling is (word != "roll(4-1)")

    turned = replay(GAME, state, "roll(2-2)")[0]
    assert turned.tile_at(Cell(1, 0)).face is Face.DOWN
    assert turned.tile_at(Cell(1, 0)).seen
    assert replay(GAME, turned, "roll(2-2)")[0].target == Domino(2, 2)
    assert sum(chance for _, chance in GAME.chances(state)) == pytest.approx(1)


def test_who_rolls_a_treasure_that_was_found_long_ago_is_told_to_roll_again() -> None:
    found = after("a2R h5L a3D h4U")  # by player 2
    earlier = replace(found, found=((Domino(6, 6),), *found.found[1:]))
    (move,) = GAME.moves(earlier, "roll(6-6)")
    assert GAME.owed(GAME.play(earlier, move)) == "Roll both dice again for the next treasure."


def test_enough_treasures_win_and_blanks_are_never_one() -> None:
    text = f"players: 4\ndice: 53\ntreasures 1: 66 55\n{ROWS}".replace("66 40", "-- 40").replace("43 55", "43 --")
    state = after("h4L", text)
    assert GAME.outcome(state) == Outcome(True, (0,), (3, 0, 0, 0), "Player 1 wins with 3 treasures.")
    assert "have to be rolled" in GAME.told(replace(state, found=((), (), (), ())))
    assert "have to be rolled" not in GAME.told(state)
    assert not {
        Domino.of(*move.dice) for move, _ in GAME.chances(GAME.set_up(2, Random(1))) if isinstance(move, Roll)
    } & set(BLANKS)


def test_who_can_reach_nothing_passes_and_if_all_do_most_treasures_win() -> None:
    text = """
        players: 2
        dice: 66
        treasures 1: 61
        pawns: h1 h1
        row 1: ?? ?? [10] --
        row 2: ?? ?? ?? [20]
    """
    state = after("", text)
    moves = list(legal_moves(GAME, state))
    assert Idle.PASS not in moves
    walled = GAME.start(text.replace("[10] --", "[10] --").replace("?? [20]", "?? [30]"))
    stuck = replace(walled, tiles=tuple(replace(t, face=Face.UP) if t.face is Face.DOWN else t for t in walled.tiles))
    assert list(legal_moves(GAME, stuck)) == [Idle.PASS]
    over = replay(GAME, stuck, "pass pass")[0]
    outcome = GAME.outcome(over)
    assert outcome
    assert outcome.reason == "Nobody can reach a face-down domino: Player 1 wins with 1 treasure."


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("=77", "=77 is no move: d4R, d4, =24, roll(5-3), skip and pass are."),
        ("=12", "The 1-2 is known to be elsewhere."),
        ("=03", "The 0-3 cannot be in row 2: its one domino with a blank is known."),
        ("b3", "First say what the domino at c2 shows, as =24."),
    ],
)
def test_what_a_flipped_domino_cannot_show(word: str, why: str) -> None:
    assert refusal(word, "players: 2\ndice: 53\nlooking: c2\nrow 1: ?? (12) ?? ??\nrow 2: (00) ?? ?? ??") == why


def test_the_last_of_a_row_without_a_blank_has_one() -> None:
    text = "players: 2\ndice: 53\nlooking: a1\nrow 1: ?? (12) (34) (55)"
    assert refusal("=66", text) == "The 6-6 cannot be the last of row 1: one of its dominoes has a blank."


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "line 1, column 1: nothing is given: 'players: 2' is enough"),
        ("players: 5", "line 1, column 1: 2 to 4 play, not 5"),
        ("players: 2\nrow 1: 12 34", "line 2, column 1: a row has 4 dominoes, not 2"),
        ("players: 2\nrow 1: 12 34 56 11", "line 2, column 1: a row has one domino with a blank, not 0"),
        ("players: 2\nrow 1: 12 1x 56 11", "line 2, column 11: '1x' is not understood in row 1"),
        ("row 1: ?? 12 ?? 21", "line 1, column 1: the 21 is in two places"),
        ("players: 2\npawns: a1 -", "line 2, column 1: the pawn at a1 stands on a face-down domino"),
        ("treasures 1: 42", "line 1, column 1: 1 treasure found, and 0 dominoes gone from the rows"),
    ],
)
def test_texts_that_are_no_game(text: str, why: str) -> None:
    with pytest.raises(BadText) as bad:
        GAME.start(text)
    assert str(bad.value) == why


def test_two_hundred_random_games_keep_the_set_and_come_to_an_end() -> None:
    for seed in range(200):
        states = a_game(seed, 2 + seed % 3)
        for state in states[:: max(1, len(states) // 5)]:
            lying = [tile.domino for tile in state.tiles if tile.face is not Face.GONE]
            assert sorted([*filter(None, lying), *state.taken]) == sorted(FULL_SET)
            assert all(cell is None or state.tile_at(cell).face is not Face.DOWN for cell in state.pawns)
            assert GAME.start(str(state)) == state
        assert GAME.outcome(states[-1])
        assert not list(legal_moves(GAME, states[-1]))


def test_the_quick_list_of_moves_holds_what_play_allows() -> None:
    for state in a_game(1)[::7]:
        lawful = {move: GAME.play(state, move) for move in GAME.candidates(state) if allowed(state, move)}
        assert dict(GAME.plays(state)) == lawful


def allowed(state: Search, move: Move) -> bool:
    try:
        GAME.play(state, move)
    except IllegalMove:
        return False
    return True


def test_a_saved_game_is_its_start_and_its_moves() -> None:
    chance = Random(5)
    state = GAME.set_up(2, chance)
    words, text = [], str(state)
    while not GAME.outcome(state):
        move = chosen(state, by_chance, chance)
        words.append(str(move))
        state = GAME.play(state, move)
    assert replay(GAME, GAME.start(text), " ".join(words))[0] == state


def test_a_domino_that_still_seems_face_down_under_the_pawn_was_flipped_as_it_came() -> None:
    states = a_game(3)
    before, flipped = next((a, b) for a, b in pairwise(states) if a.pawns != b.pawns)
    seen = replace(flipped, tiles=before.tiles)
    assert GAME.agrees(flipped, seen)
    assert not GAME.agrees(flipped, replace(seen, pawns=before.pawns))
    explained = explain(GAME, before, seen)
    assert (len(explained.moves), explained.legal) == (1, True)


def test_the_pawns_own_colours_are_the_players_in_their_order_wherever_they_lie() -> None:
    begun = GAME.set_up(2, Random(1))
    table = GAME.diagram(begun).table
    assert len(table.pawns) == 2
    turned_round = replace(table, pawns=table.pawns[::-1])
    assert GAME.read(turned_round, begun).colors == begun.colors


def test_halves_have_names() -> None:
    assert [square(cell) for cell in halves(place_of(Cell(3, 3)))] == ["c4", "d4"]
