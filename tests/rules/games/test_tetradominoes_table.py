"""Tetradominoes on the table: what is read, followed, remembered, and what cannot lie there."""

from dataclasses import replace
from itertools import pairwise

import pytest

from rules.board import Board, Cell, Placed
from rules.domino import Domino
from rules.engine import check, explain, left_to_do
from rules.game import UnreadableTable
from rules.games.tetradominoes import GAME
from rules.table import Doubt, Hand, Piece, Table, Tetromino
from rules.tetradominoes.state import FULL_SET, Grid
from tests.rules.tetradominoes.gridding import FIRST, L_CELLS, a_game, after


def on_table(state: Grid, *, turns: int = 0, hide: bool = True) -> Table:
    """What a camera sees: dominoes that are not under tetrominoes, tetrominoes and tokens."""
    shown = GAME.diagram(state).table

    def place(cell: Cell) -> Cell:
        return cell.shifted(state.origin.row, state.origin.col).turned(turns).shifted(30, 30)

    kept = [placed for placed in shown.board.placed if not hide or state.covered.isdisjoint(placed.cells)]
    shapes = tuple(Tetromino(tuple(map(place, one.cells)), one.light) for one in shown.tetrominoes)
    tokens = tuple(replace(token, cell=token.cell and place(token.cell)) for token in shown.tokens)
    return Table(Board(tuple(tile.moved(place) for tile in kept)), tetrominoes=shapes, tokens=tokens)


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("players", [1, 2, 3])
def test_covered_numbers_are_remembered_whichever_way_the_table_lies(turns: int, players: int) -> None:
    states = [state for state in a_game(players, players) if len(state.board.placed) > 1]
    for state in states[1:]:
        if len([tile for tile in on_table(state).board.placed if tile.head != tile.tail]) < 2:
            continue  # nothing lies open from which the turn could be told
        seen = GAME.read(on_table(state, turns=turns), state)
        assert GAME.agrees(state, seen)
        assert seen.covered == state.covered


def test_a_real_table_is_followed_by_what_must_have_happened() -> None:
    states = [state for state in a_game(2, 2) if len(state.board.placed) > 1][:16]
    for old, new in pairwise(states):
        explained = explain(GAME, old, on_table(new, hide=False), most=1)
        assert explained.legal


def test_a_domino_that_does_not_match_is_pointed_out_and_one_that_is_lost_too() -> None:
    state = GAME.start(FIRST)
    wrong = state.board.laid(Placed.on(Cell(0, 2), Cell(1, 2), 4, 6))
    found = explain(GAME, state, Table(wrong), most=1)
    assert found.problems[0].text.startswith("Neither number of the 4-6 matches")
    assert found.problems[0].cells == (Cell(0, 2), Cell(1, 2))
    lost = explain(GAME, state, Table(state.board.without([state.board.owner[Cell(0, 0)]])), most=1)
    assert "The 2-3 is gone from the grid: it stays where it was played." in [p.text for p in lost.problems]
    assert explain(GAME, state, Table(state.board)).legal


@pytest.mark.parametrize(
    ("table", "why"),
    [
        (Table(Board.parse("2|3   2|3")), "The 2-3 is there twice"),
        (Table(Board.parse("7|3")), "The 3-7 is not in the double-six set."),
        (Table(Board.parse("2|3     5|5")), "The dominoes lie in 2 groups"),
        (Table(tetrominoes=(Tetromino(L_CELLS, True),)), "No domino lies face up on the grid."),
        (
            Table(Board.parse("2|3"), tetrominoes=(Tetromino(L_CELLS, True),)),
            "Nobody has seen which numbers lie under the light tetromino",
        ),
        (
            Table(Board.parse("2|3"), tetrominoes=(Tetromino((*L_CELLS[:3], Cell(5, 5)), True),)),
            "has none of the seven shapes",
        ),
        (Table(Board.parse("2|3"), hands=(Hand(0, tuple(FULL_SET)[8:9]),)), "The 2-3 is in a hand and somewhere else."),
        (
            Table(Board.parse("2|3"), hands=(Hand(0, (), 20), Hand(1, (), 8))),
            "28 dominoes in hands and 1 on the grid are 29; the double-six set has 28.",
        ),
    ],
)
def test_tables_that_cannot_be_this_game(table: Table, why: str) -> None:
    with pytest.raises(UnreadableTable) as unreadable:
        GAME.read(table)
    assert why in str(unreadable.value)
    assert check(GAME, table).state == "unsolved"


def misfits(table: Table) -> list[tuple[str, tuple[Cell, ...]]]:
    with pytest.raises(UnreadableTable) as unreadable:
        GAME.read(table)
    return [(problem.text, problem.cells) for problem in unreadable.value.problems]


def test_a_domino_that_is_there_twice_is_told_of_once_with_both_places() -> None:
    told = "The 2-3 is there twice: at row 1, columns 1 and 2 and at row 1, columns 5 and 6."
    assert misfits(Table(Board.parse("2|3 3|1 2|3")))[:1] == [
        (told, (Cell(0, 0), Cell(0, 1), Cell(0, 4), Cell(0, 5))),
    ]
    assert [text for text, _ in misfits(Table(Board.parse("2|3 3|1 2|3"))) if "twice" in text] == [told]


def test_a_tetromino_that_is_there_twice_is_told_of_once_with_both_places() -> None:
    row, below = (tuple(Cell(number, col) for col in range(4)) for number in (0, 1))
    found = misfits(Table(Board.parse("2|3"), tetrominoes=(Tetromino(row, True), Tetromino(below, True))))
    (told,) = [one for one in found if "twice" in one[0]]
    places = "at row 1, columns 1 to 4 and at row 2, columns 1 to 4"
    assert told[0] == f"The I tetromino is there twice: {places}; each of the seven is there once."
    assert told[1] == (*row, *below)


def test_at_a_first_look_each_domino_hangs_on_a_matching_one() -> None:
    laid = "in Tetradominoes each domino is laid beside a matching one."
    assert misfits(Table(Board.parse("2|3 5|3"))) == [
        (f"The 3-5 touches no equal number: {laid}", (Cell(0, 2), Cell(0, 3)))
    ]
    assert misfits(Table(Board.parse("2|3\n\n5|1 1|4"))) == [
        (f"The 2-3 touches no equal number: {laid}", (Cell(0, 0), Cell(0, 1)))
    ]
    assert [text for text, _ in misfits(Table(Board.parse("1|1 1|2 3|4 4|4")))] == [
        f"The 3-4 and the 4-4 touch no equal number of the others: {laid}"
    ]
    assert GAME.read(Table(Board.parse("2|3 3|5 5|0"))).board.size == (1, 6)


def test_many_dominoes_that_do_not_match_are_told_by_their_places() -> None:
    verdict = check(GAME, Table(Board.parse("0|0 0|1 1|1 1|6 2|3 3|3 3|4 4|4")))
    assert [problem.text.split(" touch")[0] for problem in verdict.problems] == [
        "The 4 dominoes at row 1, columns 9 to 16"
    ]


def test_what_has_been_covered_whole_may_touch_another_number() -> None:
    board = Board.parse("1|1 1|4 2|3 3|6")
    over = Tetromino(tuple(Cell(0, col) for col in range(4)), True)
    assert GAME.read(Table(board, tetrominoes=(over,))).covered == set(over.cells)
    further = Table(board.laid(Placed.on(Cell(0, 8), Cell(0, 9), 5, 5)), tetrominoes=(over,))
    assert misfits(further)[0][0].startswith("The 5-5 touches no equal number")


@pytest.mark.parametrize("cells", [(0, 1), (2, 3)])
def test_a_doubtful_domino_may_match(cells: tuple[int, int]) -> None:
    board = Board.parse("2|3 5|3")
    doubt = Doubt(tuple(Cell(0, col) for col in cells), str(board.owner[Cell(0, cells[0])]), ("33",), 0.6)
    assert GAME.read(Table(board, doubts=(doubt,))).board == board
    assert [fault.text for fault in check(GAME, Table(board, doubts=(doubt,))).problems] == ["The game is not over."]
    beyond = board.laid(Placed.on(Cell(0, 4), Cell(0, 5), 6, 6))
    sure = [text for text, _ in misfits(Table(beyond, doubts=(replace(doubt, where=(Cell(0, 0), Cell(0, 1))),)))]
    assert sure == ["The 6-6 touches no equal number: in Tetradominoes each domino is laid beside a matching one."]


def test_a_doubtful_domino_is_the_one_that_lay_there_only_if_it_may_read_so() -> None:
    start = after("64V4.2")
    lies = on_table(start)
    last = next(placed for placed in lies.board.placed if placed.domino == Domino(6, 4))
    doubtful = replace(lies, board=Board((*lies.board.without([last]).placed, replace(last, head=5, tail=3))))
    may, cannot = (Doubt(last.cells, "53", others, 0.5) for others in (("51", "46"), ("51", "33")))
    assert GAME.read(replace(doubtful, doubts=(may,)), start).board == start.board
    told = explain(GAME, start, replace(doubtful, doubts=(cannot,)))
    assert "not sure" in told.problems[0].text


def test_a_domino_that_lies_there_twice_is_told_of_though_nobody_can_tell_which_of_the_two_it_is() -> None:
    start = GAME.start(FIRST)
    known = start.board.placed[0]
    other = Placed.on(Cell(0, 2), Cell(1, 2), known.head, known.tail)
    doubts = tuple(Doubt(one.cells, f"{one.head}{one.tail}", ("01", "66"), 0.8) for one in (known, other))
    with pytest.raises(UnreadableTable) as told:
        GAME.read(Table(start.board.laid(other), doubts=doubts), start)
    assert "is there twice" in str(told.value)


def test_doubtful_dominoes_tell_where_the_grid_lies_where_no_other_does() -> None:
    start = after("64V4.2")
    seen = on_table(start)
    unsure = tuple(Doubt(placed.cells, str(placed.domino), (), 0.7) for placed in seen.board.placed)
    moved = seen.moved(lambda cell: cell.shifted(2, -1))
    doubts = tuple(replace(doubt, where=tuple(cell.shifted(2, -1) for cell in doubt.where)) for doubt in unsure)
    assert GAME.agrees(start, GAME.read(replace(moved, doubts=doubts), start))


def test_what_lies_under_an_unseen_number_is_not_guessed_at() -> None:
    seen = Board.parse("2|3         4|4")
    over = Tetromino(tuple(Cell(0, col) for col in range(2, 6)), True)
    told = "Nobody has seen which numbers lie under the light tetromino at row 1, columns 3 to 6"
    rest = "lift it for a moment; it may hang off the edge, too."
    assert [text for text, _ in misfits(Table(seen, tetrominoes=(over,)))] == [f"{told}: {rest}"]


def test_a_tile_that_may_lie_face_down_parts_nothing() -> None:
    board = Board.parse("2|3     4|5")
    doubt = Doubt((Cell(0, 2), Cell(0, 3)), "face down", ("34",), 0.5)
    assert GAME.read(Table(board, doubts=(doubt,))).board == board


def test_a_game_that_is_followed_needs_no_first_look() -> None:
    state = GAME.start("players: 2\n===\n2|3 5|3")
    assert GAME.read(Table(state.board), state).board == state.board


BETWEEN = next(state for state in a_game(2, 2, "tournament") if state.next_is_dealt)


def test_after_a_game_of_a_tournament_the_grid_is_taken_up_and_the_next_one_begins() -> None:
    assert explain(GAME, BETWEEN, on_table(BETWEEN)).moves == ()
    assert list(map(str, explain(GAME, BETWEEN, Table()).moves)) == ["deal"]
    new = next(domino for domino in FULL_SET if domino not in {placed.domino for placed in BETWEEN.board.placed})
    begun = explain(GAME, replace(BETWEEN, seed=None), Table(Board.parse(f"{new.high}|{new.low}")))
    assert begun.legal
    assert [type(move).__name__ for move in begun.moves] == ["Act", "Lay"]


def test_while_the_grid_of_a_tournament_is_taken_up_nothing_is_wrong() -> None:
    told = "The game is over: all dominoes and tetrominoes are taken up, and the next game is dealt."
    lying = BETWEEN.board.placed
    for table in (Table(BETWEEN.board), Table(Board(lying[:9])), Table(Board((lying[0], lying[-1])))):
        assert left_to_do(GAME, BETWEEN, table) == told
        assert explain(GAME, BETWEEN, table).moves == ()


def test_tokens_say_whose_a_tetromino_is() -> None:
    board = Board.parse("1|1 1|4")
    seen = Table(board, tetrominoes=(Tetromino(tuple(board.pips), True),), tokens=(Piece((30, 60, 200), Cell(0, 0)),))
    state = GAME.read(seen, replace(GAME.start("players: 3"), board=board))
    assert state.laid[0].seat == 1


@pytest.mark.parametrize(("players", "lead"), [(2, 0), (2, 1), (4, 0), (4, 3)])
def test_the_colour_says_whose_a_tetromino_of_a_tournament_is(players: int, lead: int) -> None:
    board = Board.parse("1|1 1|4")
    state = replace(GAME.start(f"players: {players}\nvariant: tournament"), board=board, lead=lead, turn=lead)
    for light, side in ((True, lead % 2), (False, (lead + 1) % 2)):
        seen = GAME.read(Table(board, tetrominoes=(Tetromino(tuple(board.pips), light),)), state)
        assert seen.side(seen.laid[0].seat) == side


def test_the_game_begins_with_the_hands_face_down_before_their_players() -> None:
    start = GAME.start("players: 2")
    dealt = Table(hands=(Hand(0, (), 4), Hand(1, (), 4)))
    assert GAME.read(dealt, start) == start
    first = explain(GAME, start, replace(dealt, board=Board.parse("2|3")))
    assert first.legal
    assert [type(move).__name__ for move in first.moves] == ["Lay"]
    with pytest.raises(UnreadableTable, match="There are 3 hands; 2 players were expected"):
        GAME.read(Table(hands=tuple(Hand(seat, (), 4) for seat in range(3))), start)


def test_a_shown_hand_is_taken_in() -> None:
    state = GAME.start("players: 2\n===\n1|1")
    hand = Hand(0, tuple(FULL_SET)[-3:], 1)
    seen = GAME.read(Table(state.board, hands=(hand,)), state)
    assert (seen.hands[0].known, seen.hands[0].unknown) == (hand.dominoes, 1)


def test_many_moves_of_hands_that_nobody_sees_are_followed_at_once() -> None:
    states = [state for state in a_game(5, 2) if state.board.placed]
    early, late = states[6], states[12]
    assert len(late.board.placed) >= len(early.board.placed) + 3
    backs = tuple(hand.unseen() for hand in early.hands)
    watched = replace(early, hands=backs, pile=early.pile.unseen(), seed=None)
    explained = explain(GAME, watched, on_table(late, hide=False))
    assert explained.legal
    reached = watched
    for move in explained.moves:
        reached = GAME.play(reached, move)
    assert (reached.board, reached.covered) == (late.board, late.covered)


def test_where_a_draw_is_not_told_it_is_asked_for() -> None:
    state = GAME.start("players: 2\nhand 1: 21 31 41 51\n===\n1|1")
    further = state.board.laid(Placed.on(Cell(0, 2), Cell(0, 3), 1, 2)).laid(Placed.on(Cell(0, 4), Cell(0, 5), 2, 2))
    found = explain(GAME, state, Table(further))
    assert found.problems[0].text == "What player 1 draws has to be said, as =42, before more can be followed."
