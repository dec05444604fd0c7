"""Mountains and Valleys: any deal solved, sound advice, changes that keep a map, the harder solitaire."""

from contextlib import suppress
from itertools import count, permutations, product
from random import Random

import pytest

from rules.board import EMPTY, Board, Cell, Placed
from rules.course import warned
from rules.domino import Domino
from rules.engine import explain, hint, replay, solve, suggest
from rules.errors import BadText
from rules.game import IllegalMove
from rules.games.mountains import GAME, MountainsState
from rules.laying import Lay
from rules.mountains.advice import why_hopeless
from rules.mountains.frames import covering, frames, squares_at
from rules.mountains.heights import OPEN, areas_of
from rules.mountains.state import FULL_SET, Take
from rules.mountains.walking import Map
from rules.puzzles import problem
from rules.table import Table
from rules.watch import Watch
from tests.rules.drawing import board, read_as

SQUARE = squares_at(Cell(0, 0))
SOLVED = board("""
    0|1 2|1 0|4

    2 1|5 4|1 4
    -         -
    0 0|6 4|2 4

    0|3 3|3 4|5

    1 2 3|6 5|5
    - -
    3 2 1|6 5|6
""")
DEAL: MountainsState = problem("mountains", "1")
HARDER = GAME.start("harder\n66 01 55 02 44 03 33 04 22 06 11 12 13 14 15 16 24 36")


def played(state: MountainsState, moves: tuple[Lay | Take, ...]) -> MountainsState:
    """The state after legal moves."""
    for move in moves:
        state = GAME.play(state, move)
    return state


@pytest.mark.parametrize("name", ["1", "2", "3"])
def test_the_example_and_both_hard_deals_are_solved_by_legal_moves(name: str) -> None:
    start = problem("mountains", name)
    solution = solve(GAME, start)
    assert len(solution.moves or ()) == 18
    assert not solution.proved
    outcome = GAME.outcome(played(start, solution.moves or ()))
    assert outcome
    assert outcome.won


@pytest.mark.parametrize("seed", range(10))
def test_any_deal_is_solved_and_written_down(seed: int) -> None:
    start = GAME.deal(Random(seed), 18)
    end = played(start, solve(GAME, start).moves or ())
    assert GAME.outcome(end)
    assert GAME.penalty(end) == 0
    assert GAME.start(str(end)) == end
    assert GAME.read(GAME.diagram(end).table, start) == end


def test_a_deal_without_a_height_in_between_is_proved_impossible() -> None:
    without_threes = tuple(domino for domino in FULL_SET if 3 not in (domino.high, domino.low))
    start = MountainsState(deal=without_threes[:18])
    solution = solve(GAME, start)
    assert (solution.moves, solution.proved) == (None, True)
    assert hint(GAME, start).text == "No domino has a 3, and nobody can step from 2 or less to 4 or more."


def test_a_wrong_map_is_mended_by_moving_dominoes() -> None:
    wrong = MountainsState(read_as(SOLVED, Cell(1, 1), "51"), DEAL.deal)
    assert GAME.penalty(wrong) > 0
    solution = solve(GAME, wrong)
    assert GAME.penalty(played(wrong, solution.moves or ())) == 0
    assert isinstance((solution.moves or ())[0], Take)


@pytest.mark.parametrize("seed", range(30))
def test_areas_as_bits_are_the_areas_of_the_map(seed: int) -> None:
    chance = Random(seed)
    heights = [chance.choice((*range(7), OPEN)) for _ in SQUARE]
    known = {cell: height for cell, height in zip(SQUARE, heights, strict=True) if height != OPEN}
    areas = Map(known, frozenset(SQUARE) - known.keys()).areas()
    number, biggest = areas_of(heights)
    assert (number, biggest.bit_count()) == (len(areas), len(areas[0]))


def coverable(squares: frozenset[Cell]) -> bool:
    """Whether dominoes can cover squares, by trying."""
    if not squares:
        return True
    cell = min(squares)
    return any(coverable(squares - {cell, near}) for near in cell.neighbours()[:2] if near in squares)


@pytest.mark.parametrize("seed", range(30))
def test_squares_are_covered_wherever_trying_covers_them(seed: int) -> None:
    chance = Random(seed)
    squares = frozenset(chance.sample([cell for cell in SQUARE if cell.row < 4 and cell.col < 4], 12))
    way = covering(squares, chance)
    assert (way is not None) == coverable(squares)
    if way is not None:
        assert sorted(cell for place in way for cell in place) == sorted(squares)


def test_a_board_fits_into_every_square_around_it_that_dominoes_can_fill() -> None:
    assert list(frames(SOLVED)) == [Cell(0, 0)]
    lonely = board("1|2\n\n  3\n  -\n  4")
    assert set(frames(lonely)) == {
        Cell(row, col)
        for row, col in product(range(-3, 1), range(-4, 1))
        if coverable(frozenset(squares_at(Cell(row, col))) - lonely.owner.keys())
    }


def completions(lying: Board, left: list[Domino], free: list[tuple[Cell, Cell]]) -> bool:
    """Whether dominoes on these places make a map to walk over, by trying all."""
    for order in permutations(left, len(free)):
        for turned in product((False, True), repeat=len(free)):
            halves = [(d.low, d.high) if turn else (d.high, d.low) for d, turn in zip(order, turned, strict=True)]
            whole = dict(lying.pips)
            for place, pair in zip(free, halves, strict=True):
                whole.update(zip(place, pair, strict=True))
            if len(Map(whole).areas()) == 1:
                return True
    return False


@pytest.mark.parametrize("seed", range(12))
def test_advice_on_the_last_dominoes_is_what_trying_all_of_them_says(seed: int) -> None:
    chance = Random(seed)
    gone = [SOLVED.owner[Cell(2, 1)], SOLVED.owner[Cell(1, 3)]]
    lying = SOLVED.without(gone)
    places = [placed.cells for placed in gone]
    assert not coverable(frozenset(places[0]) | {places[1][0]})
    left = chance.sample([domino for domino in FULL_SET if domino not in {p.domino for p in lying.placed}], 2)
    assert (why_hopeless(lying, left) is None) == completions(lying, left, places)


def test_a_placement_that_leaves_a_square_alone_is_warned_of_with_its_cells() -> None:
    begun = MountainsState(board("0|1 2|1 0|4\n\n2 1|5 4|1 4\n-         -\n0         4"), DEAL.deal)
    bad = Lay(Placed.on(Cell(2, 2), Cell(2, 3), 0, 6))
    good = Lay(Placed.on(Cell(2, 1), Cell(2, 2), 0, 6))
    told = GAME.warning(begun, bad)
    assert told
    assert told.cells == bad.placed.cells
    assert told.text.startswith("This placement makes a solution impossible. Row 2, columns 3 and 4 can no longer")
    assert GAME.warning(begun, good) is None


def test_a_placement_after_which_no_six_by_six_can_be_filled_is_warned_of() -> None:
    begun = MountainsState(board("0|1 1\n    -\n    2\n\n  2|2"), DEAL.deal)
    closing = Lay(Placed.on(Cell(1, 0), Cell(2, 0), 1, 3))
    hole = warned(GAME, begun, closing)
    assert hole
    assert hole.text.startswith("This placement makes 6 by 6 impossible.")
    assert GAME.warning(GAME.play(begun, closing), Take(closing.placed)) is None


def test_the_rules_example_can_have_its_5_6_turned_and_nothing_said_is_wrong() -> None:
    state = MountainsState(SOLVED, DEAL.deal)
    turned = GAME.turns(state)
    assert "56" in [str(placed) for placed in turned]
    for placed in SOLVED.placed:
        if placed.head != placed.tail:
            after = SOLVED.without([placed]).laid(Placed(placed.cell, placed.way, placed.tail, placed.head))
            assert (len(Map(after.pips).areas()) == 1) == (placed in turned)
    for one, other in GAME.swaps(state):
        after = SOLVED.without([one, other])
        after = after.laid(Placed(one.cell, one.way, other.head, other.tail))
        after = after.laid(Placed(other.cell, other.way, one.head, one.tail))
        assert len(Map(after.pips).areas()) == 1


def test_the_hint_on_a_solved_map_says_what_may_change() -> None:
    state = MountainsState(SOLVED, DEAL.deal)
    few, many = (hint(GAME, state, level) for level in (1, 3))
    assert few.text.endswith("1 domino could be turned end for end, or 10 pairs could change places.")
    assert "the 5-6 at " in many.text or "the 6-5 at " in many.text
    assert set(many.cells) == {cell for placed in GAME.turns(state) for cell in placed.cells}


def test_the_nudge_names_the_height_that_the_fewest_squares_show() -> None:
    halves = [half for domino in DEAL.deal for half in (domino.high, domino.low)]
    fewest = min(halves.count(height) for height in range(1, 6))
    nudge = hint(GAME, DEAL, 1)
    assert nudge.text.startswith(f"Only {fewest} squares show a ")
    assert halves.count(int(nudge.text.split(":")[0][-1])) == fewest


def test_a_map_that_is_not_solved_has_nothing_to_keep() -> None:
    assert not GAME.turns(DEAL)
    assert not GAME.swaps(DEAL)


def test_paths_are_every_step_that_can_be_walked() -> None:
    known = Map({Cell(0, 0): 1, Cell(0, 1): 2, Cell(0, 2): 4, Cell(1, 0): 3, Cell(1, 1): 3, Cell(1, 2): 4})
    assert known.paths() == (
        (Cell(0, 0), Cell(0, 1)),
        (Cell(1, 0), Cell(1, 1), Cell(1, 2)),
        (Cell(0, 1), Cell(1, 1)),
        (Cell(0, 2), Cell(1, 2)),
    )
    drawn = GAME.diagram(MountainsState(SOLVED, DEAL.deal))
    assert drawn.lines == Map(SOLVED.pips).paths()
    assert drawn.caption == "Penalty 0."


def test_the_harder_solitaire_turns_up_one_more_for_each_that_is_laid() -> None:
    assert [str(domino) for domino in HARDER.waiting] == ["66", "10", "55", "20", "44"]
    laid = GAME.play(HARDER, Lay(Placed.on(Cell(0, 0), Cell(0, 1), 6, 6)))
    assert [str(domino) for domino in laid.waiting] == ["10", "55", "20", "44", "30"]
    assert len(GAME.visible(laid, 0).deal) == 6
    assert GAME.start(str(HARDER)) == HARDER


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("24H13", "The 2-4 lies face down still."),
        ("55H41", "The 5-5 at row 1, columns 4 and 5 touches no other domino."),
        ("-66H11", "The 6-6 stays where it lies: the harder solitaire takes nothing back."),
        ("01H21", "Something lies at row 1, column 2 already."),
    ],
)
def test_the_harder_solitaire_has_rules_of_its_own(word: str, told: str) -> None:
    laid, _ = replay(GAME, HARDER, "66H11")
    with pytest.raises(IllegalMove) as refused:
        replay(GAME, laid, word)
    assert str(refused.value) == told
    assert refused.value.cells


def test_a_harder_deal_is_solved_in_the_order_of_its_queue() -> None:
    solution = solve(GAME, HARDER)
    assert GAME.penalty(played(HARDER, solution.moves or ())) == 0
    assert hint(GAME, HARDER, 3).cells


def test_a_hint_of_the_harder_solitaire_peeks_at_nothing() -> None:
    other = MountainsState(deal=(*HARDER.deal[:5], *reversed(HARDER.deal[5:])), harder=True)
    assert hint(GAME, HARDER, 3) == hint(GAME, other, 3)


def test_advice_in_the_harder_solitaire_peeks_at_nothing() -> None:
    other = MountainsState(deal=(*HARDER.deal[:5], *reversed(HARDER.deal[5:])), harder=True)
    (advised,) = suggest(GAME, HARDER)
    assert suggest(GAME, other) == (advised,)
    assert advised.reason == "18 moves from here will do, if what nobody sees is as guessed."
    assert GAME.play(HARDER, advised.move)


STUBBORN = """
02 35 05 23 03 36 33 06 46
13 11 44 12 25 15 24 55 00
===
        3 1
        - -
3 2     0 1
- -
3 3 0|2 3|6

6|4 0 0
    - -
  4 6 5
  -
  4
"""


def test_a_hint_of_the_harder_solitaire_peeks_at_nothing_where_no_guess_comes_out_well() -> None:
    stubborn = GAME.start(f"harder{STUBBORN}")
    other = MountainsState(stubborn.board, (*stubborn.shown, *reversed(stubborn.deal[15:])), harder=True)
    told = "No way was found to lay the rest so that every square can be walked to, whatever was guessed to lie face"
    for level in (1, 2, 3):
        assert hint(GAME, stubborn, level).text == hint(GAME, other, level).text == f"{told} down."


def test_a_map_is_looked_for_no_longer_than_the_limit_says() -> None:
    ticks = count()
    solution = solve(GAME, GAME.start(STUBBORN), Watch(limit_s=10, clock=lambda: float(next(ticks))))
    assert solution.moves is None
    assert next(ticks) < 10 + 5


def test_a_map_is_looked_for_in_no_more_positions_than_the_limit_says() -> None:
    assert solve(GAME, GAME.start(STUBBORN), Watch(most_states=3_000)).states_seen < 2 * 3_000


TWO_HOLES = board("""
    0|1 2|1 0|4

      1|5 4|1 4
              -
    0 0|6 4|2 4
    -
    2 3|3 3|4 5
              -
    1 2 3|6   5
    - -
    3 2 1|6 5|6
""")


def test_the_harder_solitaire_is_lost_once_no_other_domino_fits() -> None:
    last = TWO_HOLES.owner[Cell(5, 4)]
    deal = (*(placed.domino for placed in TWO_HOLES.placed), Domino(6, 6))
    before = MountainsState(TWO_HOLES.without([last]), deal, harder=True)
    assert GAME.outcome(before) is None
    lost = GAME.outcome(GAME.play(before, Lay(last)))
    assert lost
    assert (lost.won, lost.reason) == (False, "No other domino fits on the map: it cannot be completed.")
    assert GAME.outcome(MountainsState(TWO_HOLES, deal)) is None  # the other solitaire may take dominoes back


def test_in_the_solitaire_dominoes_may_be_taken_back() -> None:
    laid, _ = replay(GAME, DEAL, "12H11, 24V13")
    back, (move,) = replay(GAME, laid, "-12H11")
    assert GAME.describe(laid, move) == "The 1-2 is taken back from row 1, columns 1 and 2."
    assert str(back.board) == "2\n-\n4"
    with pytest.raises(IllegalMove, match="No 1-2 lies at"):
        replay(GAME, back, "-12H11")


def test_what_is_new_on_the_table_is_found_wherever_the_map_now_begins() -> None:
    before = MountainsState(board("1|2"), DEAL.deal)
    seen = Table(board("0|3\n\n1|2").shifted(4, 4))
    explained = explain(GAME, before, seen, 1)
    assert [str(move) for move in explained.moves] == ["03H10"]
    strange = GAME.read(Table(board("1|2\n\n1|1")))
    (tried,) = GAME.attempts(before, strange)
    with pytest.raises(IllegalMove, match="The 1-1 at row 2, columns 1 and 2 is not in the deal") as refused:
        GAME.play(before, tried)
    assert refused.value.after.board == strange.board
    assert [fault.text for fault in GAME.differences(before, strange)] == ["The 1-1 is new at row 2, columns 1 and 2."]


@pytest.mark.parametrize("difficulty", ["easy", "medium", "harder"])
def test_a_deal_that_is_made_up_is_solved_and_the_same_for_the_same_chance(difficulty: str) -> None:
    made, again = (GAME.generate(Random(2), difficulty, Watch()) for _ in range(2))
    assert made == again
    assert made
    assert GAME.outcome(played(GAME.start(made.text), made.moves))


def _some(chance: Random, state: MountainsState) -> list[Lay | Take]:
    """Some moves that may be legal."""
    moves = sorted(GAME.candidates(state), key=str)
    return chance.sample(moves, min(8, len(moves)))


@pytest.mark.parametrize("seed", range(3))
def test_legal_play_of_the_harder_solitaire_keeps_one_group(seed: int) -> None:
    chance = Random(seed)
    state = MountainsState(deal=tuple(chance.sample(FULL_SET.dominoes, 18)), harder=True)
    for _ in range(18):
        for move in _some(chance, state):
            with suppress(IllegalMove):
                state = GAME.play(state, move)
        assert state.board.is_connected()
        assert max(state.board.size) <= 6
        assert {placed.domino for placed in state.board.placed} <= set(state.shown)
    assert state.board.placed


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("harder\n01 02", "line 2, column 1: 18 dominoes are dealt, not 2"),
        (f"{DEAL}\n===\n1|2\n\n1|2", "line 6, column 1: the 1-2 is there twice"),
        (f"{DEAL}\n===\n6|2", "line 4, column 1: the 6-2 at row 1, columns 1 and 2 is not in the deal"),
    ],
)
def test_a_text_with_a_fault_names_its_place(text: str, told: str) -> None:
    with pytest.raises(BadText, match=told):
        GAME.start(text)


def test_no_other_number_of_dominoes_is_dealt() -> None:
    with pytest.raises(ValueError, match="18 dominoes are dealt"):
        GAME.deal(Random(1), 8)
    assert DEAL.board == EMPTY
