"""Country Road: the way down to the dominoes of the peak, which lie at the two ends."""

from dataclasses import replace
from random import Random

import pytest

from rules.board import Cell
from rules.climbing.state import Pilgrimage
from rules.engine import check, explain, left_to_do, legal_moves, replay, solve
from rules.errors import BadText
from rules.game import IllegalMove
from rules.games.country_road import GAME
from rules.puzzles import problem, published
from rules.table import Table
from rules.watch import Watch
from tests.rules import brute_climbing as brute
from tests.rules.drawing import picture

DOWN = """
2 2 5 5 1 0     3 1 4 5 1 3
- - - - - -     - - - - - -
0 1 1 2 4 5     4 3 0 4 0 2
===
{}
{}
"""
LENGTHS = {
    "2": 29, "3": 33, "4": 35, "5": 36, "6": 41, "7": 46, "8": 47, "9": 49, "10": 54, "11": 55, "12": 58, "13": 59,
    "14": 65, "15": 67, "16": 70, "17": 70, "18": 75, "19": 81, "20": 81,
}  # fmt: skip


def standing(upper: str, lower: str) -> Pilgrimage:
    """Problem 2 on the way down, with the priests where a picture shows them."""
    return GAME.start(picture(DOWN).format(upper, lower))


def table(state: Pilgrimage) -> Table:
    return GAME.diagram(state).table


def test_with_the_fourth_priest_on_the_peak_its_dominoes_go_to_the_two_ends() -> None:
    start = problem("country_road", "2")
    moves = problem_moves("2")
    top, _ = replay(GAME, start, ", ".join(moves[:17]))
    assert not replay(GAME, start, ", ".join(moves[:16]))[0].descending
    assert top.descending
    assert str(top.board) == picture(DOWN.partition("===")[0])
    assert [str(move) for move in legal_moves(GAME, top)]


def problem_moves(name: str) -> list[str]:
    return next(puzzle for puzzle in published("country_road") if puzzle.name == name).moves.replace(",", " ").split()


@pytest.mark.parametrize(
    ("upper", "lower", "move", "after"),
    [
        # From the bare peak by the count, and within it freely: its spaces are blanks.
        ("......PB......", "......NR......", "NR4(+1)", ("......PB......", ".......R...N..")),
        ("......PB......", ".......N..R...", "PD", (".......B......", "......PN..R...")),
        ("......P.......", ".B....N...R...", "PR", (".......P......", ".B....N...R...")),
        # A priest leaves by landing on an end, and may then step to its other half, were it a blank.
        (".P....B.......", "......N...R...", "PL1", None),
        ("..P...B.......", "......N...R...", "PL2", ("P.....B.......", "......N...R...")),
        ("P.....B.......", "......N...R...", "PD", ("......B.......", "P.....N...R...")),
    ],
)
def test_a_priest_goes_down_by_the_count(upper: str, lower: str, move: str, after: tuple[str, str] | None) -> None:
    if after is None:
        with pytest.raises(IllegalMove, match="he would land on a 2 after 1 free space"):
            replay(GAME, standing(upper, lower), move)
    else:
        assert replay(GAME, standing(upper, lower), move)[0] == standing(*after)


@pytest.mark.parametrize(
    ("upper", "lower", "move", "why"),
    [
        ("P.....B.......", "......N...R...", "PR2", "he has left the mountain, and stays off it"),
        ("......B.......", ".P....N...R...", "PL1", "he would land on a blank, which is reached from its other half"),
        ("....P.B.......", "......N...R...", "PR2(+1)", "he would land on a blank"),
    ],
)
def test_what_the_rules_forbid_is_refused(upper: str, lower: str, move: str, why: str) -> None:
    with pytest.raises(IllegalMove, match=why):
        replay(GAME, standing(upper, lower), move)


@pytest.mark.parametrize("puzzle", published("country_road"), ids=lambda puzzle: str(puzzle.name))
def test_a_problem_is_solved_at_the_length_that_was_found(puzzle: object) -> None:
    name, moves = getattr(puzzle, "name", ""), getattr(puzzle, "moves", "")
    start = problem("country_road", name)
    end, made = replay(GAME, start, moves)
    assert GAME.outcome(end)
    solution = solve(GAME, start)
    assert solution.proved
    assert solution.moves
    assert len(solution.moves) == solution.at_least == len(made) == LENGTHS[name]


def test_every_layout_of_fujisan_is_a_problem_but_the_one_whose_peak_nobody_can_leave() -> None:
    assert [puzzle.name for puzzle in published("country_road")] == list(LENGTHS)
    solution = solve(GAME, GAME.start(published("fujisan")[0].start))
    assert (solution.moves, solution.proved) == (None, True)
    assert [puzzle.start for puzzle in published("country_road")] == [one.start for one in published("fujisan")[1:]]


def on_top(seed: int) -> Pilgrimage:
    """A mountain dealt by chance whose four priests have just reached the peak."""
    peak = tuple(Cell(row, col) for row in (0, 1) for col in (5, 6))
    return GAME.settled(replace(GAME.deal(Random(seed), 12), priests=peak))


@pytest.mark.parametrize("seed", range(12))
def test_the_moves_of_a_random_way_down_are_those_of_the_plain_way(seed: int) -> None:
    chance, state = Random(seed), on_top(seed)
    for _ in range(14):
        shown = brute.numbers(state.rows, True)
        there = frozenset((cell.row, cell.col + 1) for cell in state.priests)
        moves = list(legal_moves(GAME, state))
        made = [
            ((a.row, a.col + 1), (b.row, b.col + 1))
            for move in moves
            for a, b in zip(state.priests, GAME.play(state, move).priests, strict=True)
            if a != b
        ]
        assert sorted(made) == sorted(brute.steps(there, shown, True))
        assert GAME.start(str(state)) == state
        if not moves or GAME.outcome(state):
            break
        state = GAME.play(state, chance.choice(moves))


@pytest.mark.parametrize("seed", [0, 2, 4])
def test_the_shortest_way_down_is_that_of_the_plain_way(seed: int) -> None:
    moves, state = solve(GAME, on_top(seed)).moves, on_top(seed)
    for move in moves[:-6] if moves else ():
        state = GAME.play(state, move)
    there = frozenset((cell.row, cell.col + 1) for cell in state.priests)
    assert (moves and 6) == brute.shortest(there, brute.numbers(state.rows, True), True)


def test_the_table_is_followed_up_and_down() -> None:
    state = problem("country_road", "2")
    for word in problem_moves("2"):
        after, made = replay(GAME, state, word)
        explained = explain(GAME, state, table(after))
        assert explained.moves == made
        state = GAME.read(table(after), state)
        assert state == after
    assert check(GAME, table(state), problem("country_road", "2")).state == "solved"
    assert GAME.read(table(state)) == state


def test_the_dominoes_may_still_lie_on_the_peak_when_the_fourth_priest_comes() -> None:
    start = problem("country_road", "2")
    top, _ = replay(GAME, start, ", ".join(problem_moves("2")[:17]))
    peak = replace(top, descending=False)
    assert GAME.agrees(top, GAME.read(table(peak), start))


def test_the_dominoes_of_the_peak_are_carried_to_the_ends_one_after_the_other() -> None:
    top = standing("......PB......", "......NR......")
    bare = replace(table(top), pawns=())
    left, right = (top.board.owner[Cell(0, col)].shifted(0, 1) for col in (-1, 12))
    told = "The dominoes of the peak go to the two ends, and the priests stand on the bare peak."
    up = bare.board.without([left, right])
    for board in (up.laid(left.shifted(0, 6)), up.laid(right.shifted(0, -6)), up, up.laid(left), bare.board):
        assert left_to_do(GAME, top, replace(bare, board=board).moved(lambda cell: cell.turned(2))) == told
    assert not left_to_do(GAME, top, replace(bare, board=bare.board.without([bare.board.owner[Cell(0, 3)]])))
    gone = standing("P......B......", "......NR......")
    assert not left_to_do(GAME, gone, replace(bare, board=up))


def test_the_end_has_all_four_off_the_mountain() -> None:
    state = standing("P.....B.......", "......N...R...")
    verdict = check(GAME, table(state), state)
    assert verdict.state == "unsolved"
    assert len(verdict.problems) == 3
    assert verdict.problems[0].text == "Priest N has not left the mountain: he is at row 2, column 6."


def test_the_goal_is_seen_though_the_priests_hide_the_dominoes_of_both_ends() -> None:
    start = problem("country_road", "2")
    lying = table(standing("P............B", "N............R"))
    seen = replace(lying, board=lying.board.without([lying.board.owner[Cell(0, col)] for col in (0, 13)]))
    assert check(GAME, seen, start).state == "solved"
    assert check(GAME, table(start), start).state == "unsolved"
    verdict = check(GAME, seen)
    assert (verdict.state, verdict.notes[0].text[:31]) == ("undecided", "Pawns hide 2 of the 12 dominoes")


def test_a_picture_with_bare_columns_needs_its_priests() -> None:
    with pytest.raises(BadText, match="a picture of the priests are needed"):
        GAME.start(picture(DOWN.partition("===")[0]))


def test_problems_are_made() -> None:
    made = GAME.generate(Random(5), "easy", Watch())
    assert made
    assert GAME.outcome(replay(GAME, GAME.start(made.text), ", ".join(map(str, made.moves)))[0])
    assert len(made.moves) <= 23
