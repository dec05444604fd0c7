"""Bee: how dice fly, land and turn, what the queen's blank is for, what players claim, and what a table shows."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from rules.bee.claims import judge
from rules.bee.search import Swarm
from rules.bee.setup import deal_bees, touching_starts
from rules.bee.state import Bee, BeeState
from rules.board import Board, Cell, Placed
from rules.engine import check, explain, hint, legal_moves, replay, solve
from rules.errors import BadText
from rules.game import IllegalMove, UnreadableTable
from rules.games.bee import GAME
from rules.puzzles import problem, published
from rules.table import Die, Doubt, Place, Table
from rules.watch import Watch
from tests.rules.drawing import picture, read_as

EXAMPLE = picture("""
    4|4 0|1 3|3

    2|2 2|1 0|4

    2|3 0|2 1|4

    0|3 4|2 1|1

    4|3 1|3 0|0
""")
START = GAME.start(f"{EXAMPLE}\n---\ndice:1,2,3\nqueen:3")
BLANK = Cell(3, 0)
THE_BLANK = "the queen's blank at row 4, column 1"
FLIPPED = Place((Cell(6, 13), Cell(6, 14)))


def table(state: BeeState, turns: int = 0, covered: bool = False) -> Table:
    """What a camera sees of a round; covered: the tiles under the dice are hidden."""
    under = [placed for placed in state.board.placed if any(cell in state.at for cell in placed.cells)]
    lying = state.board.without(under if covered else []).moved(lambda cell: cell.turned(turns))
    dice = tuple(Die(bee.number, bee.cell.turned(turns).shifted(2, 9)) for bee in state.bees)
    return Table(lying.shifted(2, 9), dice=dice)


def refused(state: BeeState, word: str) -> str:
    """The sentence that refuses a move."""
    with pytest.raises(IllegalMove) as told:
        replay(GAME, state, word)
    return str(told.value)


def test_the_example_of_the_rules_takes_three_moves() -> None:
    end, moves = replay(GAME, START, "2D1, 1D3L3, 2L3U1")
    assert (str(moves[1]), len(moves)) == ("1D3L3", 3)
    outcome = GAME.outcome(end)
    assert outcome
    assert outcome.won
    assert len(solve(GAME, START).moves or ()) == 3


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("3R4", "The queen bee, the 3, does not move in this round."),
        ("5R1", "The 5 die is not on the board."),
        ("2R1", f"The 2 die cannot land on the 1 at row 3, column 5: it lands on 2s, and on {THE_BLANK}."),
        ("1D2R1", "The 1 die cannot turn above row 3, column 4: no other die stands there."),
        ("1D3", f"The 1 die cannot land on the 2 at row 4, column 4: it lands on 1s, and on {THE_BLANK}."),
        ("1D3L2", "The 1 die cannot land at row 4, column 2: the 3 die stands there."),
        ("1D1D2", "The 1 die turns by 90 degrees: 1D1D2 goes on or back."),
        ("1D2U2", "The 1 die turns by 90 degrees: 1D2U2 goes on or back."),
        ("1U1", "The 1 die cannot fly 1U1: its way stays above the dominoes."),
        ("1D2", "The 1 die cannot land at row 3, column 4: the 2 die stands there."),
    ],
)  # fmt: skip
def test_what_the_rules_forbid_is_refused_in_a_sentence(word: str, told: str) -> None:
    start = START.landed(2, Cell(3, 3)) if word == "1D2R1" else START
    assert refused(start, word) == told


def test_dice_pass_over_others_and_over_spaces_of_their_own() -> None:
    over_dice, _ = replay(GAME, START, "2D1, 1D3L3, 1R4")
    assert over_dice.cells[1] == Cell(3, 4)
    over_twos, _ = replay(GAME, START, "2L3, 2U1, 2R2")
    assert over_twos.cells[2] == Cell(1, 2)


def test_any_die_may_land_on_the_queens_blank_and_leave_it_again() -> None:
    there, _ = replay(GAME, START, "2D1, 1D3L3")
    assert there.cells[1] == BLANK == there.wild
    assert refused(there, "2L3") == "The 2 die cannot land at row 4, column 1: the 1 die stands there."
    away, _ = replay(GAME, there, "1R3U2")
    assert away.cells[1] == Cell(1, 3)


def test_a_die_turns_above_the_queen_too() -> None:
    over = GAME.start(f"{EXAMPLE}\n---\ndice:1,2,3\nqueen:1")
    queen = over.cells[1]
    turning = [move for move in legal_moves(GAME, over) if queen in move.stops(over.cells[move.number])[:-1]]
    assert turning
    assert all(GAME.play(over, move) for move in turning)


@pytest.mark.parametrize("name", [puzzle.name for puzzle in published("bee")])
def test_every_published_round_takes_as_many_moves_as_printed(name: str) -> None:
    puzzle = next(each for each in published("bee") if each.name == name)
    start = problem("bee", name)
    end, printed = replay(GAME, start, puzzle.moves)
    solution = solve(GAME, start)
    assert GAME.outcome(end)
    assert solution.proved
    assert len(solution.moves or ()) == len(printed)
    assert GAME.outcome(replay(GAME, start, ", ".join(map(str, solution.moves or ())))[0])


def test_there_are_58_published_rounds() -> None:
    assert len(published("bee")) == 58


def brute_landings(state: BeeState, number: int) -> set[Cell]:
    """Where a die can land, flown space by space: it may turn above any other die that it meets."""
    pips, landed = state.board.pips, set()
    todo = [(state.cells[number], way) for way in ((0, 1), (1, 0), (0, -1), (-1, 0))]
    seen = set(todo)
    while todo:
        cell, (down, right) = todo.pop()
        cell = cell.shifted(down, right)
        if cell not in pips:
            continue
        nexts = [(cell, (down, right))]
        if cell in state.at and cell != state.cells[number]:
            nexts += [(cell, (right, down)), (cell, (-right, -down))]
        elif cell not in state.at and (pips[cell] == number or cell == state.wild):
            landed.add(cell)
        todo += [each for each in nexts if each not in seen]
        seen.update(nexts)
    return landed


def brute_nexts(state: BeeState) -> set[BeeState]:
    """All that is one move away."""
    numbers = [number for number in state.cells if number != state.queen]
    return {state.landed(number, cell) for number in numbers for cell in brute_landings(state, number)}


def brute_shortest(start: BeeState) -> int | None:
    """The fewest moves, found by looking at everything."""
    seen, frontier, depth = {start}, [start], 0
    while frontier:
        for state in frontier:
            group = [state.cells[state.queen]]
            for cell in group:
                group += [near for near in cell.neighbours() if near in state.at and near not in group]
            if len(group) == len(state.bees):
                return depth
        frontier = [after for state in frontier for after in brute_nexts(state) if after not in seen]
        frontier = list(dict.fromkeys(frontier))
        seen.update(frontier)
        depth += 1
    return None


def positions(seed: int, size: int, steps: int) -> Iterator[BeeState]:
    """A random walk over legal moves."""
    chance = Random(seed)
    state = deal_bees(chance, size)
    for _ in range(steps):
        yield state
        state = GAME.play(state, chance.choice(list(legal_moves(GAME, state)) or [None]))  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [10, 15, 21, 28])
def test_search_and_play_and_brute_force_know_the_same_moves(size: int) -> None:
    for seed in range(3):
        for state in positions(seed, size, 12):
            played = {GAME.play(state, move) for move in GAME.candidates(state)}
            swarm = Swarm.of(state)
            packed = {frozenset(swarm.cells(one).items()) for one in swarm.further([swarm.start])}
            moving = {
                frozenset((n, cell) for n, cell in after.cells.items() if n != state.queen)
                for after in (*played, state)
            }
            assert played == brute_nexts(state)
            assert packed == moving
            assert len(set(state.cells.values())) == len(state.cells)


@pytest.mark.parametrize("seed", range(12))
def test_solve_finds_what_brute_force_finds(seed: int) -> None:
    state = deal_bees(Random(seed), (10, 15)[seed % 2])
    solution = solve(GAME, state)
    fewest = brute_shortest(state)
    assert solution.proved
    assert (len(solution.moves) if solution.moves is not None else None) == fewest


def test_a_claim_is_right_wrong_or_to_be_beaten() -> None:
    right, low, high = (judge(START, moves) for moves in (3, 2, 5))
    assert (right.right, right.sentence) == (True, "3 moves is right: no fewer will do.")
    assert (low.right, low.sentence) == (False, "2 moves is wrong: no fewer than 3 moves will do.")
    assert (high.right, high.sentence) == (True, "5 moves is right: 3 moves would do.")
    impossible = judge(START, None)
    assert (impossible.right, impossible.sentence) == (False, "Impossible is wrong: 3 moves will do.")


def test_a_claim_of_impossible_is_proved() -> None:
    stuck = next(
        state for state in (deal_bees(Random(seed), 10) for seed in range(200)) if brute_shortest(state) is None
    )
    assert judge(stuck, None).sentence == "Impossible is right: there is no solution."
    assert judge(stuck, 4).sentence == "4 moves is wrong: it is impossible."
    assert solve(GAME, stuck).proved


def test_a_claim_that_took_too_long_is_left_open_unless_it_is_below_what_is_proved() -> None:
    start = problem("bee", "20")
    bound = Watch(most_states=3)
    claim = judge(start, 13, bound)
    assert claim.right is None
    assert claim.sentence.startswith("13 moves cannot be judged yet: a solution takes")
    assert judge(start, 0, bound).right is False


def test_deals_keep_the_starting_spaces_apart_and_are_written_down() -> None:
    for seed in range(4):
        state = GAME.deal(Random(seed), (10, 15, 21, 28)[seed % 4])
        assert not list(touching_starts(state.board))
        assert GAME.start(str(state)) == state
    with pytest.raises(ValueError, match="10, 15, 21 or 28 dominoes, not 8"):
        GAME.deal(Random(1), 8)


@pytest.mark.parametrize("difficulty", GAME.difficulties)
def test_a_round_that_is_made_up_is_solved_and_the_same_for_the_same_chance(difficulty: str) -> None:
    made, again = (GAME.generate(Random(3), difficulty, Watch()) for _ in range(2))
    assert made == again
    assert made
    end, _ = replay(GAME, GAME.start(made.text), ", ".join(map(str, made.moves)))
    assert GAME.outcome(end)
    assert len(solve(GAME, made.start).moves or ()) == len(made.moves)


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("covered", [False, True])
def test_a_table_is_read_whatever_the_dice_hide_and_however_it_lies(turns: int, covered: bool) -> None:
    after, _ = replay(GAME, START, "2D1")
    assert GAME.read(table(after, turns, covered), START) == after
    assert GAME.read(table(START, 0, covered)) == START


def test_what_a_die_hides_is_not_believed() -> None:
    lying = table(START)
    spoilt = read_as(lying.board, Cell(4, 12), "66")
    assert GAME.read(Table(spoilt, dice=lying.dice), START) == START


def test_what_lies_behind_a_die_is_not_believed_either() -> None:
    lying, behind = table(START), Cell(6, 11)
    spoilt = Table(read_as(lying.board, behind, "23"), dice=lying.dice)
    with pytest.raises(UnreadableTable, match="lies 2-3"):
        GAME.read(spoilt, START)
    spoilt = replace(spoilt, dice=(replace(lying.dice[0], hides=(behind,)), *lying.dice[1:]))
    assert GAME.read(spoilt, START) == START
    assert GAME.read(spoilt) == START  # the set tells what lies there


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda seen: Table(dice=seen.dice), "No domino lies face up on the grid."),
        (lambda seen: Table(seen.board, dice=seen.dice[:2]), "The 3 die is not on the board."),
        (
            lambda seen: Table(seen.board, dice=(*seen.dice, Die(4, Cell(2, 9)))),
            "The 4 die takes no part in this round.",
        ),
        (lambda seen: Table(read_as(seen.board, Cell(6, 11), "31"), dice=seen.dice), "columns 3 and 4 lies 3-1"),
        (
            lambda seen: Table(
                seen.board.without([seen.board.owner[Cell(6, 13)]]), dice=seen.dice, face_down=(FLIPPED,)
            ),
            "lies face down",
        ),
    ],
)  # fmt: skip
def test_a_table_that_is_no_state_of_the_round_is_refused(spoil: object, told: str) -> None:
    with pytest.raises(UnreadableTable, match=told):
        GAME.read(spoil(table(START)), START)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("number", "cell", "told", "at"),
    [
        (2, Cell(2, 4), "The 2 die cannot land on the 1 at row 3, column 5", Cell(2, 4)),
        (2, Cell(1, 1), "The 2 die cannot turn above row", Cell(1, 1)),
        (3, Cell(0, 4), "The queen bee, the 3, does not move in this round.", Cell(0, 4)),
    ],
)
def test_what_went_wrong_is_told_with_its_cells(number: int, cell: Cell, told: str, at: Cell) -> None:
    wrong = START.landed(number, cell)
    explained = explain(GAME, START, table(wrong), 1)
    assert explained.slip == 0
    assert explained.problems[0].text.startswith(told)
    assert at.shifted(2, 9) in explained.problems[0].cells or number == 2


def test_two_legal_moves_are_found_between_two_tables() -> None:
    after, moves = replay(GAME, START, "2D1, 1D3L3")
    explained = explain(GAME, START, table(after))
    assert explained.legal
    assert len(explained.moves) == len(moves)


@pytest.mark.parametrize("turns", range(4))
def test_a_round_is_judged_however_the_table_lies(turns: int) -> None:
    end, _ = replay(GAME, START, "2D1, 1D3L3, 2L3U1")
    assert check(GAME, table(end, turns), START).state == "solved"
    verdict = check(GAME, table(START, turns), START)
    assert (verdict.state, len(verdict.problems)) == ("unsolved", 1)
    assert verdict.problems[0].text == "The 1 and the 2 are not in one group with the queen, the 3."


@pytest.mark.parametrize("turns", range(4))
def test_without_the_problem_what_dice_hide_is_no_fault(turns: int) -> None:
    end, _ = replay(GAME, START, "2D1, 1D3L3, 2L3U1")
    verdict = check(GAME, table(end, turns, covered=True))
    told = "Dice hide dominoes: take the dice off for a moment, or name the problem."
    assert (verdict.state, [note.text for note in verdict.notes]) == ("undecided", [told])
    assert check(GAME, table(end, turns, covered=True), START).state == "solved"


def test_a_domino_that_lacks_where_no_die_stands_is_a_fault() -> None:
    end, _ = replay(GAME, START, "2D1, 1D3L3, 2L3U1")
    lying = table(end)
    verdict = check(GAME, replace(lying, board=lying.board.without([lying.board.owner[Cell(2, 9)]])))
    assert verdict.state == "unsolved"


@pytest.mark.parametrize("before", [START, None])
def test_a_doubtful_tile_that_seems_another_one_leaves_it_open(before: BeeState | None) -> None:
    end, _ = replay(GAME, START, "2D1, 1D3L3, 2L3U1")
    lying = table(end)
    spoilt = replace(lying, board=read_as(lying.board, Cell(2, 9), "33"))
    assert check(GAME, spoilt, before).state == "unsolved"
    doubt = Doubt((Cell(2, 9), Cell(2, 10)), "33", ("44",), 0.6)
    assert check(GAME, replace(spoilt, doubts=(doubt,)), before).state == "undecided"


def test_hints_go_from_a_nudge_to_the_move() -> None:
    assert hint(GAME, START, 1).text == "However it ends, the 1 die will stand at row 4, column 1."
    moves = solve(GAME, START).moves
    assert moves
    assert hint(GAME, START, 2).cells == GAME.cells(START, moves[0])
    assert hint(GAME, START, 3).text == f"Next: {GAME.describe(START, moves[0])} ({moves[0]})"


def test_a_move_is_said_with_the_dice_above_which_it_turns() -> None:
    near, (_, over) = replay(GAME, START, "2D1, 1D3L3")
    before, _ = replay(GAME, START, "2D1")
    told = GAME.describe(before, over)
    assert told == "The 1 die flies down 3 to above the 2, then left 3, and lands at row 4, column 1."
    assert near.at[BLANK] == 1


def test_what_lies_on_the_table_can_be_drawn_and_read_back() -> None:
    drawn = GAME.diagram(START)
    assert GAME.read(drawn.table) == START
    assert drawn.caption == "The 3 is the queen."


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (EXAMPLE, "line 9, column 1: below the board a line of --- is needed"),
        (f"{EXAMPLE}\n---\ndice:1,2,9", "line 11, column 10: the 9 has no starting space"),
        (f"{EXAMPLE}\n---\ndice:1,2\nqueen:4", "line 11, column 1: the queen bee, the 4, is not on the board"),
        (f"{EXAMPLE}\n---\ndice:(0,0)2,3", "line 11, column 1: the 2 die stands on a 4 at row 5, column 1"),
        (f"{EXAMPLE}\n---\nbees:1,2", "line 11, column 1: 'bees' is neither dice: nor queen:"),
        (
            EXAMPLE.replace("4|4", "3|4") + "\n---\ndice:1,2,3",
            "the 3-4 is there twice: at row 1, columns 1 and 2 and at row 5, columns 1 and 2; the 4-4 is missing",
        ),
        ("1|2\n---\ndice:(0,0)1,(1,0)2", "reach over 1 by 2 squares, not 4 by 5"),
    ],
)
def test_a_text_with_a_fault_names_its_place(text: str, told: str) -> None:
    with pytest.raises(BadText, match=told.replace("(", r"\(")):
        GAME.start(text)


def test_bees_are_compared_by_what_stands_where() -> None:
    assert BeeState(Board(START.board.placed), tuple(sorted(START.bees)), 3) == START
    assert START.landed(2, Cell(3, 3)).bees[1] == Bee(2, Cell(3, 3))
    assert isinstance(START.board.owner[BLANK], Placed)
