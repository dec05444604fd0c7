"""Domineering: turns on a board that wraps around, the dominoes that lose, and tables that are read."""

from collections.abc import Iterable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.players_of.domineering import one_ply, peaceful
from pipsight.opening import opening
from rules.board import Board, Cell
from rules.course import playout
from rules.domineering.bits import BIT, Bits, replies, runs, unplayable
from rules.domineering.state import COLORS, FULL_SET, VARIANTS, Draw, Keep, Move, Position, Turn, cell_at, said_high
from rules.domino import Domino
from rules.engine import check, explain, left_to_do, legal_moves, replay
from rules.errors import BadText
from rules.game import CHANCE, IllegalMove, Outcome, UnreadableTable
from rules.games.domineering import GAME
from rules.players import Owes, SetsUp, Suggests, Tells
from rules.table import LooseTile, Piece, Spot, Table
from rules.watch import Watch
from tests.rules.drawing import picture

EXAMPLE = "draw(5-2) d4-b4/e5-e8(5-2) draw(3-0) h1-h4/a8-b8(3-0) draw(3-1) e8-h8/b4-b5(3-1)"
AFTER = """
    8 .  W  .  .  31 .  .  B
    7 .  .  .  .  .  .  .  .
    6 .  .  .  .  .  .  .  .
    5 .  B  .  .  .  .  .  .
    4 .  .  .  52 .  .  .  W
    3 .  .  .  .  .  .  .  .
    2 .  .  .  .  .  .  .  .
    1 .  .  .  .  .  .  .  30
      a  b  c  d  e  f  g  h
    """
STUCK = """
    variant: two pieces
    first: White
    to move: White
    8 .  .  .  .  .  .  .  .
    7 .  .  B  .  .  .  .  .
    6 .  10 W  .  .  W  .  .
    5 .  .  B  .  .  .  .  .
    4 .  .  .  .  .  .  .  .
    3 .  .  .  .  .  .  .  .
    2 .  .  .  .  .  .  .  .
    1 .  .  .  .  .  .  .  .
    drawn: 65
    """
CHANCES = st.integers(0, 10_000).map(Random)


def example() -> Position:
    return replay(GAME, GAME.start("first: Black"), EXAMPLE)[0]


def squares(move: Turn) -> tuple[int, ...]:
    return tuple(8 * cell.row + cell.col for cell in (move.first, move.first_to, move.second, move.second_to))


def any_move(state: Position, chance: Random) -> Move:
    """A legal move at random: the first of the shuffled candidates that is one."""
    candidates = list(GAME.candidates(state))
    for move in chance.sample(candidates, len(candidates)):
        try:
            GAME.play(state, move)
        except IllegalMove:
            continue
        return move
    raise AssertionError(f"nothing can be played:\n{state}")


def anyhow(chance: Random, variant: str, turns: int) -> Position:
    """A position after some turns made at random."""
    state = GAME.set_up(2, chance, variant)
    for _ in range(2 * turns):
        state = state if GAME.outcome(state) else GAME.play(state, any_move(state, chance))
    return state


def lying(cells: Iterable[Cell], dominoes: Iterable[Domino]) -> tuple[Spot, ...]:
    return tuple(Spot(cell, domino) for cell, domino in zip(cells, dominoes, strict=False))


def table(state: Position, *beside: Domino) -> Table:
    shades = ((240, 240, 240), (15, 15, 15))
    pawns = tuple(Piece(shades[seat], cell) for seat in (0, 1) for cell in state.pieces[seat])
    loose = tuple(LooseTile(domino.high, domino.low, 12, number, 0) for number, domino in enumerate(beside))
    return Table(spots=state.laid, pawns=pawns, loose=loose)


def test_the_example_of_the_text_and_its_thirteen_losing_dominoes() -> None:
    state = example()
    assert [line.rstrip() for line in str(state).splitlines()[3:12]] == picture(AFTER).splitlines()
    losing = [d for d in state.left if GAME.outcome(GAME.play(state, Draw(d)))]
    assert {(d.low, d.high) for d in losing} == {
        *((0, 5), (0, 6), (1, 5), (1, 6), (2, 6), (3, 5), (3, 6)),
        *((4, 4), (4, 5), (4, 6), (5, 5), (5, 6), (6, 6)),
    }
    assert GAME.told(state).endswith("13 of the 25 dominoes left would stop White, 6 Black.")


def test_a_piece_stuck_behind_its_own_domino_loses() -> None:
    state = GAME.start(picture(STUCK))
    ended = GAME.outcome(state)
    assert ended
    assert ended.winners == (1,)
    assert ended.reason == "White cannot move two pieces by the 6-5: Black wins."
    with pytest.raises(IllegalMove, match="The piece at c6 cannot pass f6: the domino lies there at once"):
        replay(GAME, state, "f6-f1/c6-a6(6-5)")


@pytest.mark.parametrize(
    ("word", "why", "squares"),
    [
        ("d4-b4/e5-e8(4-2)", "The 5-2 was drawn, not the 4-2.", ""),
        ("d4-b4/e5-e7(5-2)", "The 5-2 does not take d4 to b4 and e5 to e7: that is 2 or 6 and 2 or 6.", "d4 b4 e5 e7"),
        ("d4-b5/e5-e8(5-2)", "d4 to b5 is no straight line of 1 to 6 squares.", "d4 b5"),
        ("a8-c8/h1-h6(5-2)", "No piece of Black stands at a8.", "a8"),
        ("d4-b4/d4-d1(5-2)", "Two different pieces move, not twice the one at d4.", "d4 d4"),
        ("draw(4-2)", "The 5-2 is drawn already: it has to be played first.", ""),
        ("keep(5-2)", "Nobody keeps a domino in this variant: who cannot move has lost.", ""),
    ],
)
def test_what_the_rules_forbid_is_refused(word: str, why: str, squares: str) -> None:
    state = GAME.start("first: Black\ndrawn: 52")
    with pytest.raises(IllegalMove) as refused:
        GAME.play(state, GAME.moves(state, word)[0])
    assert str(refused.value) == why
    assert refused.value.cells == tuple(map(cell_at, squares.split()))


@pytest.mark.parametrize("word", ["d4-b4/e5-e8(5-2)", "draw(5-2)", "keep(5-2)"])
def test_a_move_may_be_typed_in_capitals(word: str) -> None:
    state = GAME.start("first: Black")
    assert GAME.moves(state, word.upper()) == GAME.moves(state, word)


def test_the_drawn_domino_need_not_be_named() -> None:
    drawn = replay(GAME, GAME.start("first: Black"), "draw(5-2)")[0]
    assert GAME.moves(drawn, "d4-b4/e5-e8") == GAME.moves(drawn, "d4-b4/e5-e8(5-2)")
    with pytest.raises(IllegalMove, match="A domino is drawn first"):
        GAME.moves(GAME.start("first: Black"), "d4-b4/e5-e8")


def test_pieces_and_dominoes_block_the_way() -> None:
    state = replace(example(), drawn=Domino(2, 1))
    with pytest.raises(IllegalMove, match="The piece at b8 cannot pass the 3-1 at e8"):
        GAME.play(replace(state, drawn=Domino(5, 1)), GAME.moves(state, "b8-g8/h4-g4(5-1)")[0])
    with pytest.raises(IllegalMove, match="The piece at h4 cannot pass the 5-2 at d4"):
        GAME.play(replace(state, drawn=Domino(4, 1)), GAME.moves(state, "h4-d4/b8-c8(4-1)")[0])
    with pytest.raises(IllegalMove, match="cannot pass h4: the domino lies there at once"):
        GAME.play(
            replace(state, pieces=((Cell(4, 6), Cell(4, 7)), state.pieces[1])), GAME.moves(state, "h4-h3/g4-a4(2-1)")[0]
        )


def test_a_blank_is_any_number_and_the_board_wraps_around() -> None:
    state = GAME.start("drawn: 10")
    ends = {(str(m)[:5]) for m in legal_moves(GAME, state) if str(m).startswith("h1")}
    assert {"h1-a1", "h1-f1", "h1-h2", "h1-h7"} <= ends
    assert "h1-h8" in ends
    assert replay(GAME, GAME.start("drawn: 60"), "h1-b1/a8-a5(6-0)")[0].drawn is None


def test_in_the_kept_variant_a_domino_is_kept_only_when_it_cannot_be_played() -> None:
    state = GAME.start(picture(STUCK).replace("two pieces", "kept dominoes"))
    assert GAME.outcome(state) is None
    assert list(legal_moves(GAME, state)) == [Keep(Domino(6, 5))]
    assert GAME.owed(state) == "White cannot move by the 6-5 and keeps it, face up."
    assert GAME.describe(state, Keep(Domino(6, 5))).endswith("keeps the 6-5: 0 + 1 = 1, 1 domino kept.")
    after = GAME.play(state, Keep(Domino(6, 5)))
    assert (after.turn, after.kept) == (1, ((Domino(6, 5),), ()))
    with pytest.raises(IllegalMove, match="can move by the 2-1 and may not keep it"):
        GAME.play(replace(state, drawn=Domino(2, 1)), Keep(Domino(2, 1)))


def test_a_domino_that_is_drawn_into_the_hand_and_played_after_one_was_kept_is_followed() -> None:
    state = GAME.start(picture(STUCK).replace("two pieces", "kept dominoes"))
    beside = LooseTile(6, 5, 12.0, 12.0, 0.0)
    for drawn in ((state, "keep(6-5)"), (replace(state, drawn=None), "draw(6-5) keep(6-5)")):
        before, word = drawn
        kept = replay(GAME, before, f"{word} draw(2-1)")[0]
        move = next(iter(legal_moves(GAME, kept)))
        after = GAME.play(kept, move)
        table = replace(GAME.diagram(after).table, loose=(beside,))
        explained = explain(GAME, before, table)
        assert explained.legal
        assert " ".join(map(str, explained.moves)) == f"{word} draw(2-1) {move}"
        assert GAME.read(table, state).turn == after.turn
        more = LooseTile(5, 5, 14.0, 12.0, 0.0), LooseTile(4, 4, 16.0, 12.0, 0.0)
        with pytest.raises(UnreadableTable, match="Beside the board lie the 4-4, the 5-5 and the 6-5"):
            GAME.read(replace(table, loose=(beside, *more)), state)


def test_the_game_is_over_once_the_last_domino_has_to_be_kept() -> None:
    state = GAME.start(picture(STUCK).replace("two pieces", "kept dominoes"))
    held = tuple(domino for domino in state.left if domino != Domino(6, 5))
    last = replace(state, kept=((), held))
    ended = GAME.outcome(last)
    assert ended
    assert (ended.winners, ended.scores) == ((0,), (1, len(held)))
    assert GAME.outcome(GAME.play(last, Keep(Domino(6, 5)))) == ended
    assert GAME.outcome(replace(last, kept=((), held[1:]))) is None


@pytest.mark.parametrize(
    ("white", "black", "winner", "why"),
    [(2, 1, 1, "Black wins."), (1, 2, 0, "White wins."), (2, 2, 1, "a tie, which Black wins as the second.")],
)
def test_the_kept_variant_ends_with_the_pool(white: int, black: int, winner: int, why: str) -> None:
    start = Position.fresh("kept dominoes")
    held = FULL_SET.dominoes[:white], FULL_SET.dominoes[white : white + black]
    free = [Cell(row, col) for row in range(8) for col in range(8) if Cell(row, col) not in start.taken]
    laid = lying(free, FULL_SET.dominoes[white + black :])
    ended = GAME.outcome(replace(start, kept=held, laid=laid))
    assert ended
    assert (ended.winners, ended.scores) == ((winner,), (white, black))
    assert ended.reason.endswith(why)
    tie = GAME.outcome(replace(start, variant="two pieces", laid=lying(free, FULL_SET.dominoes)))
    assert tie
    assert not tie.winners


@pytest.mark.parametrize(("variant", "games"), [*zip(VARIANTS, (100, 20, 20, 40, 10, 10), strict=True)])
def test_random_games_keep_every_domino_once_and_can_be_written_down(variant: str, games: int) -> None:
    assert all(isinstance(GAME, asked) for asked in (SetsUp, Suggests, Owes, Tells))
    for seed in range(games):
        chance = Random(seed)
        state = start = GAME.set_up(2, chance, variant)
        made = []
        while GAME.outcome(state) is None:
            assert seed % 5 or GAME.start(str(state)) == state
            move = any_move(state, chance)
            made.append(str(move))
            state = GAME.play(state, move)
            seen = [*state.dominoes.values(), *state.kept[0], *state.kept[1], *state.left]
            assert sorted([*seen, *([state.drawn] if state.drawn else [])]) == sorted(FULL_SET)
            assert len(state.taken) == len(state.laid) + sum(map(len, state.pieces))
        assert replay(GAME, GAME.start(str(start)), " ".join(made))[0] == state


@settings(derandomize=True, max_examples=20, deadline=None)
@given(CHANCES, st.sampled_from(tuple(VARIANTS)), st.integers(0, 12))
def test_the_bits_know_the_turns_and_the_losing_dominoes_of_the_rules(chance: Random, variant: str, turns: int) -> None:
    state = replace(anyhow(chance, variant, turns), drawn=None, pool=())
    at = Bits.of(state)
    reach = [runs(piece, at.taken) for piece in at.mine]
    losing = unplayable(at.mine, at.taken, at.left, reach)
    for domino in chance.sample(state.left, min(6, len(state.left))):
        legal = set(legal_moves(GAME, replace(state, drawn=domino, variant="two pieces")))
        ours = {reply[:4] for reply in replies(at, reach, domino)}
        assert ours == {squares(move) for move in legal if isinstance(move, Turn)}
        assert bool(losing & BIT[domino]) == (not legal)


def test_where_the_order_is_unknown_every_domino_left_is_as_likely() -> None:
    state = GAME.set_up(2, Random(1))
    assert GAME.to_move(state) == state.turn
    assert list(legal_moves(GAME, state)) == [Draw(state.pool[0])]
    unseen = GAME.visible(state, 0)
    assert GAME.to_move(unseen) is CHANCE
    assert [p for _, p in GAME.chances(unseen)] == [1 / 28] * 28
    assert not GAME.suggest(unseen, Watch(), Random(0))


def test_advice_takes_a_sure_win_and_says_why() -> None:
    state = replace(example(), drawn=Domino(2, 1))
    best = GAME.suggest(state, Watch(2), Random(0))[0]
    assert best.reason.endswith("White.")
    assert "of the 24 dominoes left would stop Black" in best.reason
    assert best.move in legal_moves(GAME, state)
    assert GAME.suggest(replace(state, pool=state.left[::-1]), Watch(2), Random(0))[0] == best


def test_advice_beats_a_player_who_looks_no_further_than_his_turn() -> None:
    won = 0
    for seed in range(6):
        chance = Random(seed)
        state = GAME.set_up(2, chance)
        while (ended := GAME.outcome(state)) is None:
            moves = list(legal_moves(GAME, state))
            if len(moves) == 1 or state.turn == seed % 2:
                move = GAME.suggest(state, Watch(0), chance)[0].move
            else:
                move = one_ply(GAME, GAME.visible(state, state.turn), moves, chance)
            state = GAME.play(state, move)
        won += ended.winners == (seed % 2,)
    assert won >= 3


def test_players_who_keep_out_of_each_others_way_play_every_domino() -> None:
    ends = []
    for seed in range(16, 22):
        chance = Random(seed)
        *_, (_, last) = playout(GAME, GAME.set_up(2, chance), (peaceful, peaceful), chance)
        ends.append(GAME.outcome(last))
    assert Outcome(False, (), (), "All dominoes are played and nobody is stuck: the game is a tie.") in ends


def test_a_real_table_is_followed_turn_by_turn() -> None:
    start = GAME.start("first: Black")
    after = replay(GAME, start, "draw(5-2) d4-b4/e5-e8(5-2)")[0]
    assert GAME.read(table(after), start) == after
    assert " ".join(map(str, explain(GAME, start, table(after)).moves)) == "draw(5-2) d4-b4/e5-e8(5-2)"
    shown = explain(GAME, after, table(after, Domino(3, 0)))
    assert list(map(str, shown.moves)) == ["draw(3-0)"]


def test_two_turns_that_nobody_saw_are_told_by_the_pieces_of_each_side() -> None:
    start = GAME.start("first: Black")
    moves = "draw(5-2) d4-b4/e5-e8(5-2) draw(6-1) a8-a2/h1-g1(6-1)"
    after = replay(GAME, start, moves)[0]
    assert " ".join(map(str, explain(GAME, start, table(after)).moves)) == moves


def test_a_turn_of_which_one_piece_has_moved_is_no_fault_unless_the_domino_lies_wrong() -> None:
    state = GAME.start("first: Black")
    moved = replace(state, pieces=(state.pieces[0], (cell_at("b4"), cell_at("e5"))))
    laid = replace(moved, laid=(Spot(cell_at("d4"), Domino(5, 2)),))
    astray = replace(moved, laid=(Spot(cell_at("c4"), Domino(5, 2)),))
    assert [left_to_do(GAME, state, table(seen)) for seen in (state, moved, laid, astray)] == [
        "",
        "Black moved from d4 to b4: the domino has still to be laid on d4.",
        "Black has moved one piece, from d4 to b4: another one has to move too.",
        "",
    ]


@pytest.mark.parametrize("drawn", [Domino(5, 2), None])
def test_the_domino_may_be_laid_after_both_pieces_have_moved(drawn: Domino | None) -> None:
    state = replace(GAME.start("first: Black"), drawn=drawn)
    after = replay(GAME, replace(state, drawn=Domino(5, 2)), "d4-b4/e5-e8")[0]
    moved = GAME.diagram(replace(after, laid=())).table
    told = "Black has moved both pieces: the domino has still to be laid on e5 or d4, where the first one stood."
    assert left_to_do(GAME, state, moved) == told
    beyond = replace(after, pieces=(after.pieces[0], (cell_at("b3"), cell_at("e8"))), laid=())
    assert left_to_do(GAME, state, GAME.diagram(beyond).table) == ""


def test_a_white_piece_in_a_shadow_stays_white() -> None:
    start = GAME.start("")
    good = table(start)
    white = next(k for k, pawn in enumerate(good.pawns) if pawn.color_name == "white")
    pawns = [replace(pawn, color=(130, 130, 130)) if k == white else pawn for k, pawn in enumerate(good.pawns)]
    assert GAME.read(replace(good, pawns=tuple(pawns)), start) == start


def test_a_black_piece_in_the_warm_light_of_a_lamp_stays_black() -> None:
    start = GAME.start("")
    good = table(start)
    black = next(k for k, pawn in enumerate(good.pawns) if pawn.color_name == "black")
    pawns = [replace(pawn, color=(60, 40, 25)) if k == black else pawn for k, pawn in enumerate(good.pawns)]
    assert {pawn.color_name for pawn in pawns} == {"white", "black", "brown"}
    assert GAME.read(replace(good, pawns=tuple(pawns)), start) == start


def test_what_went_wrong_on_the_table_is_said() -> None:
    state = GAME.start("first: Black\ndrawn: 52")
    moved = replace(state, pieces=(state.pieces[0], (cell_at("b4"), cell_at("e5"))))
    laid = replace(moved, laid=(Spot(cell_at("d4"), Domino(5, 2)),))
    astray = replace(moved, laid=(Spot(cell_at("c4"), Domino(5, 2)),))
    both = replace(laid, pieces=(state.pieces[0], (cell_at("b4"), cell_at("e7"))))
    assert [said(state, seen) for seen in (moved, laid, astray, both)] == [
        "Black moved from d4 to b4: the domino has still to be laid on d4.",
        "Black has moved one piece, from d4 to b4: another one has to move too.",
        "The domino belongs on d4, where the first piece stood, not on c4.",
        "The 5-2 does not take d4 to b4 and e5 to e7: that is 2 or 6 and 2 or 6.",
    ]
    bare = replace(example(), laid=example().laid[:2])
    assert said(example(), bare) == "The 3-0 is gone from h1: put it back."


def said(before: Position, seen: Position) -> str:
    return " ".join(problem.text for problem in explain(GAME, before, table(seen), 1).problems)


def test_a_table_that_cannot_be_this_game_says_what_is_there() -> None:
    start = GAME.start("")
    good = table(start)
    red = Piece((200, 20, 20), Cell(3, 3))
    for wrong, why in (
        (replace(good, pawns=good.pawns[:3]), "Black has 1 piece on the board; two colours with 2 pieces each are"),
        (replace(good, pawns=(*good.pawns, red)), "On the board is 2 white pieces, 2 black pieces and 1 red piece"),
        (replace(good, spots=(Spot(Cell(0, 0), Domino(5, 2)),)), "Two things are on a8"),
        (replace(good, spots=(Spot(Cell(1, 9), Domino(5, 2)),)), "The 5-2 lies beyond the 8 by 8 squares"),
        (replace(good, spots=(Spot(Cell(1, 1), Domino(7, 2)),)), "The 7-2 is not in the double-six set"),
        (
            replace(good, spots=tuple(Spot(cell_at(name), Domino(5, 2)) for name in ("b7", "c6"))),
            "The 5-2 is there twice: on b7 and on c6",
        ),
        (
            replace(table(start, Domino(5, 2)), spots=(Spot(cell_at("b7"), Domino(5, 2)),)),
            "The 5-2 is there twice: on b7 and beside the board",
        ),
        (replace(good, board=Board.parse("1|2")), "1 domino lies on two squares each"),
        (table(start, Domino(5, 2), Domino(1, 1)), "Beside the board lie the 1-1 and the 5-2: one domino is drawn"),
    ):
        with pytest.raises(UnreadableTable, match=why):
            GAME.read(wrong, start)


def test_check_and_texts_that_are_no_position() -> None:
    assert check(GAME, table(GAME.start(""))).problems[0].text == "The game is not over."
    stuck = GAME.start(picture(STUCK))
    assert check(GAME, table(stuck, Domino(6, 5)), replace(stuck, drawn=None)).state == "solved"
    for text, why in (
        ("variant: two", "line 1, column 10: there is no variant 'two'"),
        ("first: Green", "line 1, column 8: 'Green' is neither White nor Black"),
        ("drawn: 52 31", "one domino is drawn at a time"),
        ("drawn: 72", "line 1, column 8: 72 is not in the double-six set"),
        ("drawn: 52\npool: 52", "line 2, column 1: 52 is there twice"),
        (AFTER.replace("W  .", ".  ."), "White has 1 piece, not 2"),
        ("8 . . .", "rank 8 has 3 squares, not 8|the board lacks rank 7"),
        ("hello", "a line begins with a rank"),
    ):
        with pytest.raises(BadText, match=why):
            GAME.start(text)


def test_players_are_two_and_a_hint_gives_away_more_and_more() -> None:
    with pytest.raises(ValueError, match="for two players, not 3"):
        GAME.set_up(3, Random(0))
    with pytest.raises(ValueError, match="no variant 'five'"):
        GAME.set_up(2, Random(0), "five")
    state = replace(example(), drawn=Domino(2, 1))
    hints = [GAME.hint(state, level) for level in (1, 2, 3)]
    assert [len(hint.cells) for hint in hints if hint] == [0, 1, 2]
    assert GAME.owed(state).startswith(f"{COLORS[0]} moves two pieces, one by 2 and another by 1")
    assert said_high(Domino(2, 1)) == "2-1"
    assert len(GAME.diagram(state).table.pawns) == 4


def test_who_cannot_move_is_told_that_the_game_is_lost_and_not_how_dangerous_the_next_draw_is() -> None:
    hints = [GAME.hint(GAME.start(STUCK), level) for level in (1, 2, 3)]
    assert {hint.text for hint in hints if hint} == {"White cannot move two pieces by the 6-5: Black wins."}


def test_a_bare_board_is_told_where_the_pieces_begin() -> None:
    begins = "the game begins with light ones on a8 and h1, dark ones on d4 and e5"
    with pytest.raises(UnreadableTable, match=f"On the board is no piece; .* are expected; {begins}"):
        GAME.read(Table())
    lying = Table(spots=(Spot(cell_at("c3"), Domino(5, 3)),))
    with pytest.raises(UnreadableTable, match="2 pieces each are expected\\."):
        GAME.read(lying)


def test_two_who_begin_lay_the_pieces_where_the_variant_puts_them() -> None:
    _, start = opening("domineering", None, 2, "four pieces, kept dominoes")
    assert start == Position.fresh("four pieces, kept dominoes")
    assert GAME.read(GAME.diagram(start).table, start) == start
    with pytest.raises(BadText, match="for two"):
        GAME.start("players: 3")
