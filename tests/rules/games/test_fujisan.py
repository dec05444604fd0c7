"""Fujisan: what a priest may do, and what a table says of it."""

from dataclasses import replace
from random import Random

import pytest

from rules.board import Board, Cell, Placed, Way
from rules.climbing.state import HOMES, LETTERS, Pilgrimage
from rules.engine import check, explain, find_move, hint, legal_moves, replay, solve
from rules.errors import BadText
from rules.foreseen import promised
from rules.game import IllegalMove, UnreadableTable
from rules.games.fujisan import GAME, GRADES
from rules.puzzles import problem, published
from rules.table import Doubt, Piece, Place, Table
from rules.watch import Watch
from tests.rules import brute_climbing as brute
from tests.rules.drawing import picture

BOARD = """
3 2 1 0 0 1 0 3 1 2 3 1
- - - - - - - - - - - -
4 0 0 4 5 2 3 2 5 5 1 4
"""
GREY = Piece((128, 128, 128))


def standing(priests: str) -> Pilgrimage:
    """The mountain of problem 1 with the priests where a picture shows them."""
    return GAME.start(picture(BOARD) + "\n===\n" + picture(priests))


def test_whoever_plays_is_told_where_the_priests_wait() -> None:
    start = GAME.start(picture(BOARD))
    assert GAME.told(start) == f"{start}\n===\nP............B\nN............R"
    assert GAME.told(moved := GAME.play(start, GAME.moves(start, "PR2")[0])) == str(moved)


def table(state: Pilgrimage) -> Table:
    """A state laid out with four pawns of the same colour."""
    return replace(GAME.diagram(state).table, pawns=tuple(replace(GREY, cell=cell) for cell in state.priests))


def turned(lying: Table, turns: int) -> Table:
    """The same table seen by somebody who sits on another side."""
    first = lying.board.moved(lambda cell: cell.turned(turns)).top_left

    def where(cell: Cell) -> Cell:
        return cell.turned(turns).shifted(2 - first.row, 3 - first.col)

    pawns = tuple(replace(pawn, cell=pawn.cell and where(pawn.cell)) for pawn in lying.pawns)
    return replace(lying, board=lying.board.moved(where), pawns=pawns, raised=tuple(map(where, lying.raised)))


@pytest.mark.parametrize(
    ("priests", "moves", "after"),
    [
        # Only the unoccupied spaces are counted, and the one that he lands on is one of them.
        ("P............B\nN............R", "PR2", "..P..........B\nN............R"),
        ("..P..........B\nN............R", "PR1", "...P.........B\nN............R"),
        (".PB...........\nN............R", "PR1(+1)", "..BP..........\nN............R"),
        # The other half of the domino is free, a blank too.
        ("..P..........B\nN............R", "PD", ".............B\nN.P..........R"),
        # The peak may be passed, and is reached by counting.
        (".....P......B.\nN............R", "PR1", "......P.....B.\nN............R"),
        (".....P.......B\nN............R", "PR3", "........P....B\nN............R"),
        # On the peak one steps freely, onto a blank as well.
        ("......P......B\nN............R", "PR", ".......P.....B\nN............R"),
        ("......P......B\nN............R", "PD", ".............B\nN.....P......R"),
    ],
)
def test_a_priest_goes_where_the_rules_lead_him(priests: str, moves: str, after: str) -> None:
    assert replay(GAME, standing(priests), moves)[0] == standing(after)


@pytest.mark.parametrize(
    ("priests", "move", "why"),
    [
        (
            "P............B\nN............R",
            "PR1",
            "at the left end of row 1 cannot move right: he would land on a 3 after 1",
        ),
        (
            "P............B\nN............R",
            "PR4",
            "he would land on a blank, which is reached from its other half only.",
        ),
        ("P............B\nN............R", "PD", "another priest stands at the left end of row 2."),
        ("P............B\n.N...........R", "PD", "he enters from his own row."),
        ("P............B\nN............R", "PL1", "there is no space."),
        ("..P..........B\nN............R", "PL2", "no priest goes back to the ground."),
        ("......P......B\nN............R", "PR2", "he has reached the peak, and stays on it."),
        ("......PN.....B\n.............R", "PR", "another priest stands at row 1, column 7."),
        ("PB............\nN............R", "PR2", "the way to row 1, column 2 has 1 unoccupied space and 1 occupied."),
        ("P............B\nN............R", "PR", "only the other domino of the peak is reached without counting."),
        ("P............B\nN............R", "PU", "there is no space."),
        ("P............B\nN............R", "XU", "XU is no move"),
    ],
)
def test_what_the_rules_forbid_is_refused_with_the_reason(priests: str, move: str, why: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        replay(GAME, standing(priests), move)
    assert why in str(refused.value)


def test_a_refusal_points_at_the_priest_and_at_the_space() -> None:
    with pytest.raises(IllegalMove) as refused:
        replay(GAME, GAME.start(picture(BOARD)), "PR1")
    assert refused.value.cells == (Cell(0, -1), Cell(0, 0))
    assert refused.value.after.priests[0] == Cell(0, 0)


@pytest.mark.parametrize("puzzle", published("fujisan"), ids=lambda puzzle: str(puzzle.name))
def test_a_published_problem_is_solved_at_its_published_length(puzzle: object) -> None:
    name, moves = getattr(puzzle, "name", ""), getattr(puzzle, "moves", "")
    start = problem("fujisan", name)
    end, printed = replay(GAME, start, moves)
    assert GAME.outcome(end)
    assert ", ".join(map(str, printed)) == " ".join(moves.split())
    solution = solve(GAME, start)
    assert solution.proved
    assert solution.moves
    assert len(solution.moves) == solution.at_least == len(printed)
    assert GAME.outcome(replay(GAME, start, ", ".join(map(str, solution.moves)))[0])


def test_the_book_has_twenty_problems_of_14_to_70_moves() -> None:
    lengths = [len(puzzle.moves.split()) for puzzle in published("fujisan")]
    assert lengths == [14, 17, 20, 23, 26, 29, 32, 35, 38, 42, 44, 47, 49, 52, 56, 58, 61, 64, 68, 70]


@pytest.mark.parametrize("seed", range(25))
def test_the_moves_of_a_random_walk_are_those_of_the_plain_way(seed: int) -> None:
    chance = Random(seed)
    state = GAME.deal(chance, 12)
    for _ in range(12):
        shown = brute.numbers(state.rows, False)
        there = frozenset((cell.row, cell.col + 1) for cell in state.priests)
        moves = list(legal_moves(GAME, state))
        made = [
            ((a.row, a.col + 1), (b.row, b.col + 1))
            for move in moves
            for a, b in zip(state.priests, GAME.play(state, move).priests, strict=True)
            if a != b
        ]
        assert sorted(made) == sorted(brute.steps(there, shown, False))
        assert [GAME.moves(state, str(move)) for move in moves] == [(move,) for move in moves]
        if not moves or GAME.outcome(state):
            break
        after = GAME.play(state, chance.choice(moves))
        assert len(set(after.priests)) == len(LETTERS)
        assert GAME.start(str(after)) == after
        state = after


@pytest.mark.parametrize("seed", [3, 6, 11])
def test_the_shortest_length_is_that_of_the_plain_way(seed: int) -> None:
    chance = Random(seed)
    state = GAME.deal(chance, 12)
    for _ in range(16):
        state = GAME.play(state, chance.choice(list(legal_moves(GAME, state))))
    there = frozenset((cell.row, cell.col + 1) for cell in state.priests)
    solution = solve(GAME, state)
    assert solution.proved
    assert (solution.moves and len(solution.moves)) == brute.shortest(there, brute.numbers(state.rows, False), False)


@pytest.mark.parametrize("turns", range(4))
def test_the_table_is_followed_whichever_way_round_it_lies(turns: int) -> None:
    state = problem("fujisan", "14")
    for word in published("fujisan")[13].moves.replace(",", " ").split()[:5]:
        after, made = replay(GAME, state, word)
        seen = turned(table(after), turns)
        explained = explain(GAME, state, seen)
        assert explained.moves == made
        assert explained.legal
        assert GAME.read(seen, state) == after
        state = GAME.read(seen, state)


def test_two_moves_at_once_are_found_too() -> None:
    start = problem("fujisan", "1")
    after, made = replay(GAME, start, "NR4 NR2")
    assert explain(GAME, start, table(after)).moves == made


@pytest.mark.parametrize(
    ("priests", "seen", "told"),
    [
        (
            "P............B\nN............R",
            "....P........B\nN............R",
            "Priest P at the left end of row 1 cannot move right: he would land on a blank",
        ),
        (
            "P............B\nN............R",
            "....B.........\nNP...........R",
            "Priest P went from the left end of row 1 to row 2, column 1, which is no straight line.",
        ),
        (
            ".P...........B\nN............R",
            ".........P...B\nN............R",
            "Priest P at row 1, column 1 cannot move right: he would land on a 1 after 8 free spaces.",
        ),
        (
            "......P......B\nN............R",
            ".....P.......B\nN............R",
            "Priest P at row 1, column 6 cannot move left: he has reached the peak, and stays on it.",
        ),
    ],
)
def test_what_went_wrong_is_told(priests: str, seen: str, told: str) -> None:
    explained = explain(GAME, standing(priests), table(standing(seen)))
    assert told in " ".join(found.text for found in explained.problems)


def test_pawns_are_told_apart_by_colour_where_they_differ() -> None:
    start = GAME.read(GAME.diagram(standing(".P...........B\nN............R")).table)
    swapped = replace(start, priests=(start.priests[2], start.priests[1], start.priests[0], start.priests[3]))
    assert start.colors == ("red", "blue", "yellow", "green")
    assert not GAME.agrees(start, GAME.read(GAME.diagram(swapped).table, start))
    assert GAME.agrees(start, GAME.read(table(swapped), start))


def test_what_stands_under_a_pawn_need_not_be_seen() -> None:
    state = standing("..P..........B\nN............R")
    lying = table(state)
    under = lying.board.owner[Cell(0, 1)]
    for board in (
        lying.board.without([under]),
        lying.board.without([under]).laid(Placed(Cell(0, 1), Way.DOWN, 0, 6)),
    ):
        assert GAME.read(replace(lying, board=board), state) == state
    with pytest.raises(UnreadableTable, match="11 dominoes lie in the row, not 12"):
        GAME.read(replace(lying, board=lying.board.without([lying.board.owner[Cell(0, 11)]])))


def test_without_a_problem_nobody_can_tell_what_lies_under_a_pawn() -> None:
    start = problem("fujisan", "1")
    end, _ = replay(GAME, start, published("fujisan")[0].moves)
    lying = table(end)
    under = [lying.board.owner[Cell(0, col)] for col in (5, 6)]
    seen = replace(lying, board=lying.board.without(under), raised=())
    told = "Pawns hide 2 of the 12 dominoes: name the problem, which tells what lies under them."
    for turns in range(4):
        verdict = check(GAME, turned(seen, turns))
        assert (verdict.state, [note.text for note in verdict.notes]) == ("undecided", [told])
        assert check(GAME, turned(seen, turns), start).state == "solved"
    with pytest.raises(UnreadableTable, match=told):
        GAME.read(seen)


def test_a_pawn_on_the_second_of_two_hidden_dominoes_seems_to_stand_far_off() -> None:
    lying = table(standing("...........PB.\n......N.....R."))
    under = [lying.board.owner[Cell(0, col)] for col in (5, 10, 11)]
    away = [replace(pawn, cell=None) if pawn.cell and pawn.cell.col == 11 else pawn for pawn in lying.pawns]
    verdict = check(GAME, replace(lying, board=lying.board.without(under), pawns=tuple(away), raised=()))
    assert (verdict.state, verdict.notes[0].text[:31]) == ("undecided", "Pawns hide 3 of the 12 dominoes")


@pytest.mark.parametrize("col", [0, 4, 11])
def test_a_domino_that_no_pawn_hides_lacks(col: int) -> None:
    lying = table(problem("fujisan", "1"))
    verdict = check(GAME, replace(lying, board=lying.board.without([lying.board.owner[Cell(0, col)]]), raised=()))
    assert verdict.state == "unsolved"
    assert "11 dominoes lie in the row, not 12" in verdict.problems[0].text


def test_what_may_be_a_thirteenth_domino_leaves_it_open() -> None:
    end, _ = replay(GAME, problem("fujisan", "1"), published("fujisan")[0].moves)
    lying = table(end)
    there = replace(lying, board=lying.board.laid(Placed(Cell(4, 3), Way.RIGHT, 0, 1)))
    assert check(GAME, there).state == "unsolved"
    assert check(GAME, replace(there, doubts=(Doubt((Cell(4, 3), Cell(4, 4)), "01", (), 0.4),))).state == "undecided"


def changed(lying: Table, col: int, head: int, tail: int) -> Table:
    without = lying.board.without([lying.board.owner[Cell(0, col)]])
    return replace(lying, board=without.laid(Placed(Cell(0, col), Way.DOWN, head, tail)))


def test_a_domino_that_is_there_twice_is_told_with_both_places() -> None:
    lying = table(problem("fujisan", "1"))
    twin = lying.board.owner[Cell(0, 5)]
    with pytest.raises(UnreadableTable) as unreadable:
        GAME.read(changed(lying, 2, twin.tail, twin.head))
    name = f"{twin.domino.low}-{twin.domino.high}"
    told = f"The {name} is there twice: at rows 1 and 2, column 3 and at rows 1 and 2, column 6."
    assert told in [found.text for found in unreadable.value.problems]


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda lying: Table(), "No domino lies face up on the grid."),
        (lambda lying: Table(Board.parse("2|3")), "The dominoes on the table are not those of this problem."),
        (lambda lying: changed(lying, 2, 1, 5), "At rows 1 and 2, column 3 lies 1-5, but the mountain has 1-0 there."),
        (
            lambda lying: replace(lying, board=lying.board.without([lying.board.owner[Cell(0, 2)]])),
            "2 squares are empty: rows 1 and 2, column 3.",
        ),
        (
            lambda lying: replace(lying, board=lying.board.laid(Placed(Cell(4, 0), Way.RIGHT, 4, 4))),
            "The 4-4 at row 5, columns 1 and 2 lies beside the mountain.",
        ),
        (
            lambda lying: replace(lying, pawns=lying.pawns[:3]),
            "3 pawns are on the table: a pilgrimage has four priests.",
        ),
        (lambda lying: replace(lying, pawns=(*lying.pawns[:3], GREY)), "A pawn stands too far from the dominoes"),
        (
            lambda lying: replace(lying, pawns=(*lying.pawns[:3], replace(GREY, cell=Cell(-1, 4)))),
            "stands beside the mountain: there is no space.",
        ),
        (
            lambda lying: replace(lying, pawns=(lying.pawns[0], *lying.pawns[:3])),
            "2 pawns stand together at the left end",
        ),
        (
            lambda lying: replace(lying, raised=(Cell(0, 2), Cell(1, 2))),
            "The dominoes raised as the peak are the two in the middle, not those at rows 1 and 2, column 3.",
        ),
    ],
)
def test_a_table_that_is_no_mountain_with_four_priests_is_refused(spoil: object, words: str) -> None:
    assert callable(spoil)
    start = problem("fujisan", "1")
    lying = spoil(table(start))
    with pytest.raises(UnreadableTable) as refused:
        GAME.read(lying, start)
    assert words in str(refused.value)
    assert words in " ".join(fault.text for fault in check(GAME, lying, start).problems)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1, column 1: there is no domino here"),
        ("1 2\n- -\n2", "line 2, column 3: the joint - needs a number on both sides"),
        ("1|2", "line 1, column 1: 12 upright dominoes side by side are a mountain"),
        ("1 6\n- -\n2 1", "line 1, column 3: 61 is not in the set"),
        ("1 2\n- -\n2 1", "line 1, column 3: 21 is there twice"),
        ("1 3\n- -\n2 1", "line 1, column 1: a mountain has 12 dominoes, not 2; left are 0-1, 0-2"),
        (f"{picture(BOARD)}\n===\nP..\nN..", "line 5, column 1: priest B stands nowhere"),
        (f"{picture(BOARD)}\n===\nPX..", "line 5, column 2: the letters P, N, B and R stand here once each"),
        (f"{picture(BOARD)}\n===\n.\n...............P", "line 6, column 16: priest P stands beyond the mountain"),
    ],
)
def test_a_bad_start_is_refused_with_its_place(text: str, words: str) -> None:
    with pytest.raises(BadText, match=words):
        GAME.start(text)


def test_the_end_has_all_four_on_the_peak() -> None:
    start = problem("fujisan", "1")
    end, _ = replay(GAME, start, published("fujisan")[0].moves)
    for turns in range(4):
        assert check(GAME, turned(table(end), turns), start).state == "solved"
    verdict = check(GAME, table(start), start)
    assert verdict.problems[0].text == "Priest P is not on the peak, but at the left end of row 1."
    assert verdict.problems[0].cells == (Cell(0, -1),)


def test_a_doubtful_tile_leaves_a_fault_open_unless_a_pawn_hides_it() -> None:
    start = problem("fujisan", "1")
    end, _ = replay(GAME, start, published("fujisan")[0].moves)
    lying = changed(table(end), 2, 1, 5)
    doubt = Doubt((Cell(0, 2), Cell(1, 2)), "15", ("10",), 0.6)
    assert check(GAME, lying, start).state == "unsolved"
    assert check(GAME, replace(lying, doubts=(doubt,)), start).state == "undecided"
    hidden = Doubt((Cell(0, 5), Cell(1, 5)), "15", ("12",), 0.6)
    assert check(GAME, replace(table(end), doubts=(hidden,)), start).state == "solved"


def test_spare_tiles_face_down_beside_the_mountain_do_not_matter() -> None:
    start = problem("fujisan", "1")
    spare = Place((Cell(4, 0), Cell(4, 1)))
    assert GAME.read(replace(table(start), face_down=(spare,)), start) == start


def test_that_there_is_no_solution_is_proved_and_a_limit_is_kept() -> None:
    unsolvable = next(
        state for state in (GAME.deal(Random(seed), 12) for seed in range(60)) if not solve(GAME, state).moves
    )
    solution = solve(GAME, unsolvable)
    assert (solution.moves, solution.proved) == (None, True)
    assert hint(GAME, unsolvable).text.startswith("There is no solution from here")
    limited = solve(GAME, problem("fujisan", "20"), Watch(most_states=200))
    assert (limited.moves, limited.proved) == (None, False)
    assert 0 < limited.at_least < 70


def test_hints_give_away_more_and_more() -> None:
    start = problem("fujisan", "1")
    first, place, move = (hint(GAME, start, level) for level in (1, 2, 3))
    assert first.text == "14 moves from here will do."
    assert place.cells == move.cells
    assert move.cells[0] in HOMES
    assert find_move(GAME, start, GAME.play(start, GAME.moves(start, move.text.split("(", 1)[1][:-1])[0]))


def test_the_promised_dominoes_are_those_of_the_problem() -> None:
    start = problem("fujisan", "1")
    assert set(promised(GAME, Table(), start)) == start.dominoes
    assert len(promised(GAME, Table())) == 15


@pytest.mark.parametrize("grade", GRADES[:2], ids=lambda grade: str(grade.name))
def test_problems_of_each_grade_are_made(grade: object) -> None:
    name = getattr(grade, "name", "")
    made = GAME.generate(Random(3), name, Watch())
    assert made == GAME.generate(Random(3), name, Watch())
    assert made
    assert GAME.start(made.text) == made.start
    assert GAME.outcome(replay(GAME, made.start, ", ".join(map(str, made.moves)))[0])
    assert getattr(grade, "shortest", 0) <= len(made.moves) <= getattr(grade, "longest", 0)


def test_making_ends_where_it_is_stopped() -> None:
    assert GAME.generate(Random(3), "extreme", Watch(limit_s=0)) is None


def test_a_hint_names_the_priest_who_goes_next_wherever_he_stands() -> None:
    told = hint(GAME, problem("fujisan", "1"), 2)
    assert (
        told.text
        == "14 moves from here will do; the next one is made by priest N, who stands at the left end of row 2."
    )
    assert told.cells == (Cell(1, -1),)
    assert hint(GAME, problem("fujisan", "1"), 1).text == "14 moves from here will do."


def test_a_mountain_of_a_grade_is_looked_for_until_there_is_one_or_the_watch_ends_it() -> None:
    assert all(GAME.generate(Random(seed), "medium", Watch()) for seed in range(3))
    assert GAME.generate(Random(1), "extreme", Watch(limit_s=0)) is None
