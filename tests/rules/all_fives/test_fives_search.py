"""The search of All Fives: its compact twin is held to the rules, its guesses to what is known, its advice is told."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.matches import Timed
from benchmarks.players_of.all_fives import by_chance, greedy
from rules.all_fives.advice import advice
from rules.all_fives.compact import (
    BITS,
    Position,
    bits,
    each,
    ends_of,
    final_points,
    greedy_to_the_end,
    laid,
)
from rules.all_fives.guess import Guesses
from rules.all_fives.scoring import settled
from rules.all_fives.state import Action, FivesMove, FivesState, Lay, Phase
from rules.course import Player
from rules.domino import Domino, DominoSet
from rules.engine import legal_moves, replay
from rules.games.all_fives import GAME
from rules.holding import Holding
from rules.watch import Watch

SET = DominoSet(6).dominoes


def compact(state: FivesState) -> Position:
    """The same moment, as the search sees it."""
    hands = tuple(bits(hand.known) for hand in state.hands)
    boneyard = tuple(BITS[domino] for domino in reversed(state.boneyard.known))
    sniff = state.line.sniff is not None
    return Position(hands, boneyard, ends_of(state.line), state.line.total, sniff, state.turn, state.passes)


def layings(state: FivesState) -> list[Lay]:
    return [move for move in legal_moves(GAME, state) if isinstance(move, Lay)]


@given(st.integers(0, 100_000))
def test_the_search_plays_by_the_rules(seed: int) -> None:
    chance = Random(seed)
    state = GAME.set_up(2 + seed % 3, chance)
    while state.phase is Phase.PLAYING:
        position, plays = compact(state), layings(state)
        for move in plays:
            after, twin = GAME.play(state, move), laid(position, move)
            assert (twin.ends, twin.total, twin.sniff) == (
                ends_of(after.line),
                after.line.total,
                after.line.sniff is not None,
            )
            assert twin.points == after.line.total * (after.line.total % 5 == 0)
        state = GAME.play(state, chance.choice(plays or list(legal_moves(GAME, state))))


@given(st.integers(0, 100_000))
def test_hands_are_settled_as_the_rules_say(seed: int) -> None:
    chance = Random(seed)
    hands = [Holding(tuple(chance.sample(SET, chance.randrange(1, 4)))) for _ in range(2 + seed % 3)]
    if seed % 2:
        hands[0] = Holding()
    assert tuple(final_points(bits(hand.known) for hand in hands)) == settled(hands).points


@given(st.integers(0, 100_000))
def test_a_playout_is_a_game_between_greedy_players(seed: int) -> None:
    state = GAME.set_up(2 + seed % 3, Random(seed))
    expected = greedy_to_the_end(compact(GAME.play(state, first := layings(state)[0])))
    state, before = GAME.play(state, first), GAME.play(state, first).scores
    while state.phase is Phase.PLAYING:
        plays = layings(state)
        here = compact(state)

        def gain(move: Lay, here: Position = here) -> tuple[int, int]:
            return laid(here, move).points, move.domino.high + move.domino.low

        best = [move for move in plays if gain(move) == max(map(gain, plays))]
        if len(best) > 1:
            return
        state = GAME.play(state, best[0] if best else next(legal_moves(GAME, state)))
    assert [now - then for now, then in zip(state.scores, before, strict=True)] == expected


@given(st.integers(0, 100_000))
def test_a_guess_keeps_to_what_is_known(seed: int) -> None:
    chance = Random(seed)
    state = GAME.set_up(2 + seed % 3, chance)
    for _ in range(chance.randrange(14)):
        if state.phase is Phase.PLAYING:
            state = GAME.play(state, by_chance(GAME, state, list(legal_moves(GAME, state)), chance))
    if state.phase is not Phase.PLAYING:
        return
    seen = GAME.visible(state, state.turn)
    position = next(Guesses(seen, chance))
    assert [hand.bit_count() for hand in position.hands] == [len(hand) for hand in state.hands]
    assert len(position.boneyard) == len(state.boneyard)
    assert position.hands[state.turn] == bits(seen.hand.known)
    everything = [
        *position.boneyard,
        *(bit for hand in position.hands for bit in each(hand)),
        *map(BITS.get, state.line.dominoes),
    ]
    assert sorted(filter(None, everything)) == sorted(BITS.values())
    for hand, holding in zip(position.hands, seen.hands, strict=True):
        assert not hand & bits(holding.lacks)


def test_a_hand_is_rarely_guessed_to_have_what_its_player_would_have_played() -> None:
    state = GAME.start("player 1: 61 50 11 10 00 33 44\nplayer 2: +7\nline: 63 32\nturn: 2")
    after = replay(GAME, state, "draw, 24R")[0]
    fits = bits(d for d in after.unseen if {6, 2} & {d.high, d.low})
    chance = Random(1)
    guesses = Guesses(GAME.visible(after, 0), chance)
    suspected = sum(bool(next(guesses).hands[1] & fits) for _ in range(300))
    assert 0 < suspected < 180
    sure = Guesses(GAME.visible(after, 0), chance, trust=1)
    assert not any(next(sure).hands[1] & fits for _ in range(100))


def test_signs_that_contradict_each_other_are_forgotten() -> None:
    state = GAME.start("player 1: 61 50\nplayer 2: +2\nboneyard: +22\nline: 63 32")
    nothing = state.with_hand(1, Holding(unknown=2, lacks=frozenset(SET)))
    assert next(Guesses(nothing, Random(1))).hands[1].bit_count() == 2


def test_advice_takes_the_points_that_end_the_hand_and_says_so() -> None:
    state = GAME.start("player 1: 50\nplayer 2: +3\nline: 53 30")
    best = GAME.suggest(state, Watch(), Random(1))[0]
    assert str(best.move) == "50R"
    assert best.reason.startswith("5 + 5 = 10, score 10; over ")
    assert "points ahead by the end of the hand" in best.reason


def test_who_can_go_out_with_more_than_two_hundred_points_is_told_to_win() -> None:
    line = "line: 60 00 02 23 35 [55] 51 12 22 26 66 65\ndown: 50 01 13 34 42"
    state = GAME.start(f"player 1: 61\nplayer 2: +1\n{line}\nscores: 200 0")
    state = state.with_hand(1, Holding(unknown=1, lacks=frozenset(SET) - {Domino(3, 3)}))
    assert str(GAME.suggest(state, Watch(), Random(1))[0].move) == "draw"
    wins = GAME.suggest(replace(state, scores=(205, 0)), Watch(), Random(1))[0]
    assert (str(wins.move), wins.reason) == ("61L", "1 + 5 + 2 + 5 = 13, no score; it goes out and wins the game.")


def test_advice_names_what_others_seem_to_lack() -> None:
    state = GAME.start("player 1: 61 50 64\nplayer 2: +7\nline: 63 32\nturn: 2")
    after = replay(GAME, state, "draw, 24R")[0]
    assert "player 2 seems to have no twos or sixes" in GAME.suggest(after, Watch(), Random(1))[0].reason


def test_the_only_move_needs_no_search() -> None:
    state = GAME.start("player 1: 11\nplayer 2: +3\nline: 63 32")
    (only,) = GAME.suggest(state, Watch(), Random(1))
    assert (only.move, only.reason) == (Action.DRAW, "None of your dominoes can be played: draw one.")


def test_no_advice_without_a_hand_or_for_chance() -> None:
    assert GAME.suggest(GAME.start("players: 2\nline: 63 32"), Watch(), Random(1)) == ()
    drawing = replay(GAME, GAME.start("player 1: 11\nplayer 2: +3\nline: 63 32"), "draw")[0]
    assert GAME.suggest(drawing, Watch(), Random(1)) == ()


def test_advice_does_not_look_at_hidden_dominoes() -> None:
    state = GAME.set_up(2, Random(3))
    assert GAME.suggest(state, Watch(), Random(1)) == GAME.suggest(GAME.visible(state, state.turn), Watch(), Random(1))


def test_advice_ends_when_it_is_told_to() -> None:
    ticks = iter(range(10_000))
    watch = Watch(5, clock=lambda: float(next(ticks)))
    state = GAME.set_up(2, Random(3))
    found = advice(GAME.visible(state, state.turn), list(legal_moves(GAME, state)), watch, Random(1))
    assert found
    assert next(ticks) < 20


@pytest.mark.parametrize("players", [2, 4])
def test_a_hand_is_played_to_its_end_by_the_players(players: int) -> None:
    chance, state = Random(players), GAME.set_up(players, Random(players))
    seats: list[Player[FivesState, FivesMove]] = [Timed(), greedy, by_chance, greedy]
    while state.phase is Phase.PLAYING:
        seen = GAME.visible(state, state.turn)
        moves = list(legal_moves(GAME, state))
        state = GAME.play(state, seats[state.turn](GAME, seen, moves, chance))
    assert not all(len(hand) for hand in state.hands) or state.passes == players
