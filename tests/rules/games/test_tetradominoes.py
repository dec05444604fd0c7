"""Tetradominoes: matching dominoes, the seven real tetrominoes, draws and trades, the solitaire and the tournament."""

from dataclasses import replace
from random import Random

import pytest

from benchmarks.players_of.tetradominoes import by_chance
from rules.board import Board, Cell, Placed
from rules.course import heard
from rules.domino import Domino
from rules.engine import legal_moves, replay
from rules.errors import BadText
from rules.game import CHANCE, IllegalMove, UnreadableTable
from rules.games.tetradominoes import GAME
from rules.players import Owes, SetsUp, Suggests, Tells
from rules.table import Table
from rules.tetradominoes.shapes import MAKERS, PIECES, piece_of
from rules.tetradominoes.state import FULL_SET, Act, Cover, Covering, Discard, Drew, Lay, Offer, Phase
from tests.rules.tetradominoes.gridding import (
    ALONE,
    KINDS,
    L_CELLS,
    SECOND,
    STUCK,
    a_game,
    after,
    chosen,
    placements,
    refusal,
)


def test_four_dominoes_each_and_the_rest_in_the_pile() -> None:
    for players in range(1, 5):
        state = GAME.set_up(players, Random(players))
        assert [len(hand) for hand in state.hands] == [4] * players
        assert len(state.pile) == 28 - 4 * players
        assert GAME.start(str(state)) == state
    assert isinstance(GAME, SetsUp)
    assert isinstance(GAME, Suggests)
    assert isinstance(GAME, Owes)
    assert isinstance(GAME, Tells)
    for players, variant in ((5, ""), (1, "tournament"), (2, "level 1")):
        with pytest.raises(ValueError, match=r"Tetradominoes|there is"):
            GAME.set_up(players, Random(1), variant)


def test_a_number_next_to_a_matching_one_is_enough() -> None:
    assert after("36V4.2").last == Placed.on(Cell(0, 2), Cell(1, 2), 3, 6)
    assert after("46H4.3").board.pips[Cell(1, 3)] == 6
    assert after("64V4.2").board.pips[Cell(1, 2)] == 4
    assert refusal("46V4.2") == "Neither number of the 4-6 matches: next to it lies 3 and 4, not beside its own number."


@pytest.mark.parametrize(
    ("moves", "why"),
    [
        ("36V2.2", "A domino lies at rows 1 and 2, column 1 already."),
        ("66H4.2", "Player 1 does not have the 6-6."),
        ("23H4.2", "The 2-3 lies on the grid already."),
        ("36H9.9", "The 3-6 touches nothing: one of its numbers has to be next to a matching one."),
        ("pass", "Player 1 can play the 3-6, and has to."),
        ("reveal(00/11)", "Player 1 can play the 3-6, and has to."),
        ("done", "A domino has to be played first."),
        ("discard(L)", "With others, two dominoes are revealed where none can be played."),
    ],
)
def test_what_the_rules_forbid_is_said(moves: str, why: str) -> None:
    assert refusal(moves) == why


def test_an_l_may_cover_4_4_4_6() -> None:
    state = after("46H4.3 =50", SECOND)
    cells = (Cell(0, 1), Cell(1, 1), Cell(1, 2), Cell(1, 3))
    assert [move.cells for move in placements(state)] == [cells]
    (cover,) = placements(state)
    assert (cover.piece, cover.light) == (piece_of(cells, light=True), True)
    done = GAME.play(state, cover)
    assert (done.score(0), done.turn, done.phase) == (1, 1, Phase.PLAY)
    assert GAME.describe(state, cover).endswith("Tetrominoes of Player 1: 1 of 4, Player 2: 0 of 4.")


def covering(text: str, cells: str, light: bool = True, piece: str = "") -> str:
    at = tuple(Cell(int(word[0]), int(word[1])) for word in cells.split())
    with pytest.raises(IllegalMove) as refused:
        GAME.play(after("46H4.3 =50", text), Cover(piece or piece_of(at, light) or "?", light, at))
    return str(refused.value)


def test_where_a_tetromino_may_not_lie() -> None:
    assert covering(SECOND, "01 11 12 13", light=False) == "Player 1 plays tetrominoes with the light side up."
    assert covering(SECOND, "01 11 21 12").startswith("It covers 5; only 4 or 6 may be covered.")
    assert covering(SECOND, "11 12 13 14").startswith("It hangs off the edge of the dominoes at row 2, column 5.")
    assert covering(SECOND, "00 01 11 21").startswith("It has to cover a number of the domino that was just played.")
    assert covering(SECOND, "01 11 12 13", piece="J" if piece_of(L_CELLS, light=True) == "L" else "L").startswith(
        "With its light side up that is the"
    )


def test_turning_a_piece_over_mirrors_it_and_there_are_seven() -> None:
    assert sorted({piece for made in MAKERS.values() for piece, _ in made}) == sorted(PIECES)
    assert len(MAKERS) == 19
    for shape in MAKERS:
        mirrored = tuple(Cell(cell.row, -cell.col) for cell in shape)
        assert piece_of(shape, light=True) == piece_of(mirrored, light=False)
    state = after("46H4.3 =50", SECOND)
    gone = replace(state, gone=(piece_of(L_CELLS, light=True) or "",))
    assert placements(gone) == ()


def test_light_and_dark_may_touch_but_not_light_and_light() -> None:
    board = Board.parse("1|1 1|4\n\n3|3 3|2\n\n3|5")
    laid = (Covering("I", True, tuple(Cell(0, col) for col in range(4)), 0),)
    base = GAME.start("players: 2\nhand 1: 66 65 64 62")
    last = board.owner[Cell(1, 0)]
    state = replace(base, board=board, laid=laid, last=last, phase=Phase.COVER)
    assert placements(state) == ()
    dark = replace(state, laid=(replace(laid[0], light=False, seat=1),))
    assert len(placements(dark)) == 1


def test_with_three_players_the_owner_counts_and_all_play_light() -> None:
    board = Board.parse("1|1 1|4\n\n3|3 3|2\n\n3|5")
    laid = (Covering("I", True, tuple(Cell(0, col) for col in range(4)), 0),)
    base = GAME.start("players: 3\nhand 1: 66 65 64 62")
    state = replace(base, board=board, laid=laid, last=board.owner[Cell(1, 0)], phase=Phase.COVER)
    assert placements(state) == ()
    assert len(placements(replace(state, turn=1))) == 1


def test_if_all_is_covered_any_covered_number_will_do() -> None:
    text = "players: 2\nhand 1: 66 55 00 22\nlaid: Ow1@2.2-3.2-2.3-3.3\n===\n1|1\n\n3|1"
    state = after("66H2.4", text)
    assert state.board.pips[Cell(2, 0)] == 6
    assert GAME.owed(GAME.start(text)) == "Player 1 plays a domino next to a covered number."


def test_who_cannot_play_reveals_two_and_draws_one_until_something_fits() -> None:
    state = GAME.start(STUCK)
    assert GAME.owed(state) == "Player 1 can play no domino: reveal two hidden ones and draw one."
    state = replay(GAME, state, "reveal(66/55)")[0]
    assert (str(state.shown[0][0]), len(state.hands[0]), state.turn) == ("66", 3, 0)
    state = replay(GAME, state, "reveal(44/22)")[0]
    assert state.phase is Phase.LOOK
    assert GAME.to_move(state) is CHANCE
    assert sum(chance for _, chance in GAME.chances(state)) == pytest.approx(1)
    state = replay(GAME, state, "=21 12H4.2")[0]
    assert (state.phase, state.held(0)) == (Phase.COVER, 5)
    assert [move.piece for move in placements(state)] == ["I"]


def test_without_a_pile_all_is_revealed_and_the_turn_passed_until_the_game_ends() -> None:
    state = replace(GAME.start(STUCK), pile=replace(GAME.start(STUCK).pile, known=(), unknown=0))
    assert GAME.owed(state) == "Player 1 can play no domino: reveal the hand and pass."
    passed = replay(GAME, state, "pass")[0]
    assert (len(passed.shown[0]), len(passed.hands[0]), passed.turn) == (4, 0, 1)


def test_a_domino_is_drawn_up_to_four_and_nobody_sees_the_others() -> None:
    state = GAME.set_up(2, Random(4))
    lay = next(move for move in legal_moves(GAME, state) if isinstance(move, Lay))
    assert GAME.play(state, lay).held(0) == 4
    mine, theirs = GAME.visible(state, 0), GAME.visible(state, 1)
    assert GAME.play(mine, lay).phase is Phase.LOOK
    assert GAME.play(theirs, lay).hands[0].unknown == 4
    assert theirs.hands[0].known == ()


def test_partners_trade_after_a_tetromino_of_the_others() -> None:
    text = SECOND.replace("players: 2", "players: 4")
    text = text.replace("hand 1: 64 00 11 22", "hand 1: 64 00 11 22\nhand 2: 33 10 20 30\nhand 4: 66 65 63 62")
    state = after("46H4.3 =50", text)
    state = GAME.play(state, placements(state)[0])
    assert (state.phase, state.turn) == (Phase.TRADE, 1)
    assert GAME.owed(state) == "Player 2 may give a domino to player 4 in a trade, or keeps."
    assert refusal("offer(66)", str(state)) == "Player 2 does not have the 6-6."
    traded = replay(GAME, state, "offer(33) offer(66)")[0]
    assert "66" in map(str, traded.hands[1])
    assert "33" in map(str, traded.hands[3])
    assert (traded.phase, traded.turn) == (Phase.PLAY, 1)
    assert replay(GAME, state, "keep")[0].hands == state.hands
    assert replay(GAME, state, "offer(33) keep")[0].turn == 1


REVEALED = """
players: 4
turn: 2
phase: trade
hand 2: 10 20 30
shown 2: 33
hand 4: 66 65 63
shown 4: 62
===
2|4
"""


def test_a_revealed_domino_stays_so_in_a_trade() -> None:
    state = GAME.start(REVEALED)
    offered = after("offer(33)", REVEALED)
    assert GAME.start(str(offered)) == offered
    assert {heard(GAME, state, Offer(Domino(3, 3)), seat) for seat in range(4)} == {
        "Player 2 gives the partner the 3-3."
    }
    assert GAME.visible(offered, 0).offer == Domino(3, 3)
    kept = after("keep", str(offered))
    assert (kept.hands, kept.shown, kept.phase) == (state.hands, state.shown, Phase.PLAY)
    for answer, received, shown in (("62", (Domino(6, 2),), (Domino(3, 3),)), ("66", (), (Domino(6, 2), Domino(3, 3)))):
        traded = after(f"offer({answer})", str(offered))
        assert (traded.shown[1], traded.shown[3]) == (received, shown)
    hidden = after("offer(10) offer(62)", REVEALED)
    assert (hidden.shown[1], hidden.shown[3]) == ((Domino(3, 3), Domino(6, 2)), ())
    assert Domino(1, 0) in hidden.hands[3].known


def test_alone_as_few_dominoes_as_wanted_are_drawn() -> None:
    found = {str(move) for move in legal_moves(GAME, GAME.start(ALONE)) if isinstance(move, Discard)}
    assert found == {f"discard({piece}/{drawn})" for piece in PIECES for drawn in range(5)}
    chosen_two = after("discard(L/2)", ALONE)
    assert (len(chosen_two.hands[0]), chosen_two.back) == (6, 2)
    assert after("discard(L/0)", ALONE).phase is Phase.PLAY


def test_alone_a_tetromino_is_given_up_and_as_many_dominoes_go_back_as_were_drawn() -> None:
    assert refusal("pass", ALONE) == "Alone, a tetromino is given up where no domino can be played."
    state = after("discard(L)", ALONE)
    assert (state.phase, len(state.hands[0]), state.back) == (Phase.RETURN, 8, 4)
    assert refusal("return(11)", str(state)) == "The 1-1 is not in the hand."
    state = replay(GAME, state, "return(66) return(55) return(44) return(22)")[0]
    assert (state.phase, len(state.hands[0]), len(state.pile)) == (Phase.PLAY, 4, 23)
    assert "L" not in state.pieces


def test_alone_a_tetromino_has_to_be_played_and_the_score_is_a_sum() -> None:
    state = after("46H4.3 =50", SECOND.replace("players: 2", "variant: level 2"))
    with pytest.raises(IllegalMove, match="has to be played"):
        GAME.play(state, Act.DONE)
    assert refusal("64V9.9", str(state)) == "First the tetromino is played that can be: alone nobody does without it."
    cover = placements(state)[0]
    assert {move.light for move in placements(state)} == {True, False}
    assert GAME.describe(state, cover).endswith("0 x 1 + 7 x 6 + 4 = 46, score 46.") or not cover.light


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "nothing is given: 'players: 2' or 'variant: level 1' is enough"),
        ("players: 6", "1 to 4 play, not 6"),
        ("players: 2\nvariant: level 1", "'level 1' is no variant for 2: standard or tournament"),
        ("hand 1: 66 6x", "'6x' is no domino of the double-six set, as 42"),
        ("hand 1: 66\nhand 2: 66", "the 66 is in two places"),
        ("players: 2\nlaid: Iw1@1.1-1.2-1.3-2.3", "'Iw1@1.1-1.2-1.3-2.3' is no tetromino, as Lw1@2.2-2.3-2.4-3.4"),
        ("players: 2\nphase: cover", "which domino was played last is not given, as 'last: 3.2'"),
        ("players: 2\nphase: look", "in the phase 'look', and in no other, dominoes are due, as 'due: 1'"),
        ("players: 2\ndue: 3", "in the phase 'look', and in no other, dominoes are due, as 'due: 1'"),
        ("players: 1\nphase: return", "how many dominoes go back is not given, as 'back: 4'"),
        ("players: 2\nphase: trade", "only four players trade, two partners each"),
        ("players: 4\noffer: 42", "a domino is offered in the phase 'trade' alone"),
        ("players: 4\nphase: trade\noffer: 42 open", "an offer is a domino, as 42 or '42 revealed', not '42 open'"),
        ("players: 2\nhand 1: 42 24", "the 42 stands there twice"),
        ("players: 2\npile: +3", "there are 11 dominoes, and the double-six set has 28"),
    ],
)
def test_texts_that_are_no_game(text: str, why: str) -> None:
    with pytest.raises(BadText) as bad:
        GAME.start(text)
    assert bad.value.reason == why


def test_the_examples_of_what_may_be_said_are_moves() -> None:
    with pytest.raises(IllegalMove) as refused:
        GAME.moves(GAME.start("players: 2"), "what")
    (cover,) = (word.strip(",") for word in str(refused.value).split() if "@" in word)
    (move,) = GAME.moves(GAME.start("players: 2"), cover)
    assert isinstance(move, Cover)
    assert piece_of(move.cells, move.light) == move.piece == "L"


@pytest.mark.parametrize(
    "word",
    ["46V3.2", "Lw@2.2-2.3-2.4-3.4", "Sb@2.2-2.3-3.3-3.4", "offer(42)", "return(42)", "reveal(42/63)", "discard(L/2)"]
    + ["done", "pass", "keep", "deal"],
)
def test_a_move_may_be_typed_in_small_letters_or_capitals(word: str) -> None:
    state = GAME.start("players: 2")
    assert GAME.moves(state, word.lower()) == GAME.moves(state, word.upper()) == GAME.moves(state, word)


def test_two_hundred_random_games_keep_the_set_and_come_to_an_end() -> None:
    for seed in range(200):
        players, variant = KINDS[seed % len(KINDS)]
        states = a_game(seed, players, variant)
        for state in (*states[:: max(1, len(states) // 3)], states[-1]):
            held = [domino for hand in (*state.hands, state.pile) for domino in hand]
            revealed = [domino for row in state.shown for domino in row]
            lying = [placed.domino for placed in state.board.placed]
            offered = [state.offer] if state.offer else []
            assert sorted([*held, *revealed, *lying, *offered]) == sorted(FULL_SET)
            assert len({one.piece for one in state.laid}) == len(state.laid)
            assert state.board.is_connected()
            assert GAME.start(str(state)) == state
        assert not list(GAME.candidates(states[-1]))


def test_a_saved_game_is_its_start_and_its_moves() -> None:
    for players, variant in KINDS:
        chance = Random(players)
        state = GAME.set_up(players, chance, variant)
        words, text = [], str(state)
        for _ in range(60):
            if GAME.outcome(state):
                break
            move = chosen(state, by_chance, chance)
            words.append(str(move))
            state = GAME.play(state, move)
        assert replay(GAME, GAME.start(text), " ".join(words))[0] == state


def test_a_tournament_goes_on_until_seven_points() -> None:
    states = a_game(1, 2, "tournament")
    outcome = GAME.outcome(states[-1])
    assert outcome
    assert max(outcome.scores) >= 7
    assert states[-1].game > 1
    between = next(state for state in states if state.phase is Phase.OVER)
    assert GAME.owed(between) == "Deal the next game of the tournament."


@pytest.mark.parametrize(("players", "lead"), [(2, 1), (2, 2), (4, 1), (4, 2), (4, 3), (4, 4)])
def test_whoever_begins_a_game_of_a_tournament_plays_light_and_the_partner_too(players: int, lead: int) -> None:
    text = f"players: {players}\nvariant: tournament\nlead: {lead}\nturn: "
    for turn in range(1, players + 1):
        assert GAME.start(text + str(turn)).colors() == ((turn - lead) % 2 == 0,)
    begun = SECOND.replace("players: 2", f"{text}{lead}").replace("hand 1", f"hand {lead}")
    state = after("46H4.3 =50", begun)
    assert {cover.light for cover in placements(state)} == {True}


def test_the_tetrominoes_that_are_left_are_told_be_there_none() -> None:
    assert "Tetrominoes left: O T S Z J L." in GAME.told(GAME.start("variant: level 1\ngone: I"))
    assert "Tetrominoes left: none." in GAME.told(GAME.start(f"variant: level 1\ngone: {' '.join(PIECES)}"))


def test_what_is_drawn_and_offered_others_do_not_hear() -> None:
    drawing = after("46H4.3", SECOND.replace("players: 2", "players: 4"))
    assert heard(GAME, drawing, Drew(Domino(5, 0)), 0) == "Player 1 draws the 0-5."
    assert heard(GAME, drawing, Drew(Domino(5, 0)), 1) == "Player 1 draws a domino."
    trading = GAME.play(replay(GAME, drawing, "=50")[0], placements(replay(GAME, drawing, "=50")[0])[0])
    offer = Offer(Domino(3, 3))
    assert heard(GAME, trading, offer, 1) == "Player 2 gives the partner the 3-3."
    assert {heard(GAME, trading, offer, seat) for seat in (0, 2, 3)} == {"Player 2 gives the partner a domino."}
    returned = Offer(Domino(6, 6))
    exchanged = GAME.play(trading, offer)
    assert heard(GAME, exchanged, returned, 1) == "Player 4 gives the partner the 6-6."
    assert heard(GAME, exchanged, returned, 0) == "Player 4 gives the partner a domino."


def test_hands_that_nobody_knows_can_be_dealt() -> None:
    state = GAME.filled(GAME.start("players: 3\nhand 1: 66 +3\n===\n1|1"), Random(1))
    held = [domino for hand in state.hands for domino in hand.known]
    assert len(set(held)) == len(held) == 12
    assert Domino(6, 6) in state.hands[0].known
    assert Domino(1, 1) not in held


def test_the_game_begins_on_a_bare_table() -> None:
    begun = GAME.set_up(1, Random(1))
    assert GAME.read(Table(), begun) == begun
    with pytest.raises(UnreadableTable, match="No domino lies face up"):
        GAME.read(Table())
