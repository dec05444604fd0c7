"""Dominoes Freecell: what may be moved, what the variants forbid, and what a table says."""

from dataclasses import replace
from random import Random

import pytest

from rules.board import Board, Cell, Placed, Way
from rules.domino import Domino
from rules.engine import check, explain, hint, legal_moves, replay, solve
from rules.errors import BadText
from rules.foreseen import promised
from rules.freecell.compact import UP, Rules, position_of
from rules.freecell.tableau import Tableau, Variant
from rules.game import IllegalMove, UnreadableTable
from rules.games.freecell import GAME
from rules.table import Doubt, Table
from rules.watch import Watch
from tests.rules.drawing import picture

START = """
0 1 2 3 4 5 6
- - - - - - -
0 0 0 0 0 0 0

  6 5 3 4 6 3
  - - - - - -
  5 5 2 1 2 3

  6 6 4 5 6 2
  - - - - - -
  4 6 4 1 3 2

  3 5 1 6 5 4
  - - - - - -
  1 3 1 1 2 3

    4     5 2
    -     - -
    2     4 1
"""
VARIANTS = [
    Variant(),
    Variant("suited"),
    Variant("alternating"),
    Variant(single=True),
    Variant(free_cells=1),
    Variant("alternating", True, 2),
]


def start(variant: str = "") -> Tableau:
    return GAME.start(picture(START) + (f"\n===\n{variant}" if variant else ""))


def tile(text: str) -> Domino:
    return Domino(int(text[0]), int(text[1]))


def dealt(seed: int, variant: Variant, size: int = 28) -> Tableau:
    return replace(GAME.deal(Random(seed), size), variant=variant)


def test_the_start_has_its_blanks_in_a_row_and_an_empty_column_under_the_double_blank() -> None:
    state = start()
    assert state.columns[0] == ()
    assert state.columns[1] == (tile("65"), tile("64"), tile("31"))
    assert state.up == (0,) * 7
    assert state.empty == [0]
    assert GAME.start(str(state)) == state


@pytest.mark.parametrize(
    ("moves", "column", "tiles"),
    [
        ("31^", 1, "65 64"),  # up above the 3-0
        ("31>32", 3, ""),  # the 3-2 does not end its column
        ("42>0", 0, "42"),  # into the empty column
        ("31^ 53>64", 1, "65 64 53 42"),  # a stack, whatever its suits
        ("53>64", 1, ""),  # the 6-4 does not end its column
        ("42>43", 6, ""),
        ("11^ 61^ 31^ 21^ 41^", 4, ""),
    ],
)
def test_tiles_go_up_or_under_the_next_higher_rank(moves: str, column: int, tiles: str) -> None:
    if tiles:
        after, _ = replay(GAME, start(), moves)
        assert after.columns[column] == tuple(map(tile, tiles.split()))
    else:
        with pytest.raises(IllegalMove):
            replay(GAME, start(), moves)


def test_a_stack_moves_as_a_whole() -> None:
    after, _ = replay(GAME, start(), "31^ 21^ 42>43 11^")
    assert after.columns[6][-2:] == (tile("43"), tile("42"))
    moved, _ = replay(GAME, after, "43>54")
    assert moved.columns[5][-3:] == (tile("54"), tile("43"), tile("42"))


@pytest.mark.parametrize(
    ("variant", "moves", "why"),
    [
        ("", "32^", "The 3-2 cannot move there: the 4-4 lies below it, and tiles go up one by one."),
        ("", "42^", "The 4-2 cannot move there: it goes up above the 4-1, which is not there yet."),
        ("", "55>0", "The 5-5 cannot move there: the 6-6 below the 5-5 is no stack with it."),
        ("", "31>54", "a tile under the 5-4 is one lower in rank."),
        ("", "31>5", "The column of suit 5 is not empty."),
        ("", "31>65", "The 6-5 does not end its column."),
        ("", "66>55", "The 5-5 does not end its column."),
        ("", "31^ 31^", "The 3-1 does not lie in a column."),
        ("", "31x", "31x is no move"),
        ("suited", "31>42", "a tile under the 4-2 is one lower in rank and of the same suit."),
        ("alternating", "31>0 42>31", "a tile under the 3-1 is one lower in rank and of an even suit."),
        ("alternating", "61>42", "a tile under the 4-2 is one lower in rank and of an odd suit."),
        ("1 free cell", "31>0 42>0", "1 free cell takes one tile each."),
        ("1 free cell", "42>0 31>42", "The 4-2 lies in a free cell: nothing is laid under it."),
        ("single", "31^ 21^ 42>0 42>43 11^ 44>0 43>54", "one by one only 1 tile can be moved there, not 2"),
    ],
)
def test_what_the_rules_forbid_is_refused_with_the_reason(variant: str, moves: str, why: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        replay(GAME, start(variant), moves)
    assert why in str(refused.value)


def test_a_refusal_points_at_the_tile() -> None:
    with pytest.raises(IllegalMove) as refused:
        replay(GAME, start(), "42^")
    assert refused.value.cells == (Cell(8, 2), Cell(9, 2))
    assert refused.value.after is None  # no table shows a 4-2 that is up while the 4-1 still lies below


def further(state: Tableau, rules: Rules) -> set[frozenset[bytes]]:
    """What the compact rules reach, one tile up at most where that is forced."""
    position = position_of(state)
    return {position.after(step).key for _, step in rules.further(position)}


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_compact_rules_are_those_of_play(variant: Variant) -> None:
    for seed in range(10):
        chance = Random(seed)
        state, rules = dealt(seed, variant), Rules(6, variant)
        for _ in range(16):
            plays = {move: GAME.play(state, move) for move in legal_moves(GAME, state)}
            if not plays:
                break
            keys = {position_of(after).key for after in plays.values()} - {position_of(state).key}
            found = further(state, rules)
            assert found <= keys
            position = position_of(state)
            forced = rules.further(position)
            assert found == keys or (len(forced) == 1 and forced[0][1][2] == UP)
            assert all(rules.least(position.after(step)) - rules.least(position) == more for more, step in forced)
            state = plays[chance.choice(list(plays))]


def test_the_shortest_length_is_that_of_a_plain_search_from_near_the_end() -> None:
    for seed in range(5):
        state = dealt(seed, Variant())
        moves = solve(GAME, state).moves or ()
        for move in moves[:-6]:
            state = GAME.play(state, move)
        seen, frontier, depth = {position_of(state).key}, [state], 0
        while not any(GAME.outcome(one) for one in frontier):
            depth += 1
            plays = (GAME.play(one, move) for one in frontier for move in legal_moves(GAME, one))
            reached = {position_of(after).key: after for after in plays}
            frontier = [after for key, after in reached.items() if key not in seen]
            seen |= reached.keys()
        assert len(solve(GAME, state).moves or ()) == depth == 6


@pytest.mark.parametrize(("size", "proved"), [(28, True), (55, False), (91, False)])
def test_every_set_is_solved_and_only_what_is_shortest_is_called_so(size: int, proved: bool) -> None:
    state = GAME.deal(Random(4), size)
    solution = solve(GAME, state)
    assert solution.moves
    assert len(solution.moves) >= solution.at_least
    assert solution.proved == (proved or len(solution.moves) == solution.at_least)
    assert GAME.outcome(replay(GAME, state, " ".join(map(str, solution.moves)))[0])


@pytest.mark.parametrize("variant", VARIANTS[1:], ids=str)
def test_the_variants_are_solved_too(variant: Variant) -> None:
    solutions = [
        (state, solve(GAME, state, Watch(most_states=4000))) for state in (dealt(k, variant) for k in range(3))
    ]
    for state, solution in solutions:
        assert solution.proved or solution.moves is None
        if solution.moves:
            assert GAME.outcome(replay(GAME, state, " ".join(map(str, solution.moves)))[0])
    assert any(solution.moves for _, solution in solutions)


def test_a_random_walk_keeps_the_set() -> None:
    for variant in VARIANTS:
        chance, state = Random(str(variant)), dealt(1, variant)
        for number in range(30):
            moves = list(legal_moves(GAME, state))
            if not moves:
                break
            state = GAME.play(state, chance.choice(moves))
            assert {placed.domino for placed in state.board.placed} == set(state.set)
            assert number % 6 or GAME.start(str(state)) == state


@pytest.mark.parametrize("turns", range(4))
def test_the_table_is_followed_whichever_way_round_it_lies(turns: int) -> None:
    state = start()
    for move in (solve(GAME, state).moves or ())[:8]:
        after = GAME.play(state, move)
        lying = Table(after.board.rotated(turns).shifted(1, 2))
        assert GAME.read(lying, state) == after
        explained = explain(GAME, state, lying)
        assert explained.legal
        assert [GAME.play(state, made) for made in explained.moves] == [after]
        state = GAME.read(lying, state)


def test_piles_may_lie_stacked_so_that_only_their_highest_tile_is_seen() -> None:
    after, _ = replay(GAME, start(), "31^ 21^ 42>0 43>54 22^")
    covered = [placed for placed in after.board.placed if str(placed) in ("20", "21")]
    stacked = after.board.without([*covered, after.board.owner[Cell(0, 2)]]).laid(Placed(Cell(4, 2), Way.DOWN, 2, 2))
    assert GAME.read(Table(stacked), after) == after


@pytest.mark.parametrize(
    ("board", "words"),
    [
        ("", "No domino lies face up on the grid."),
        ("1 2\n- -\n0 0", "The 0-0, which begins the row of blanks, is not to be seen."),
        ("0 1 2\n- - -\n0 0 0", "The row has 3 blanks; a double-six, -nine or -twelve set has 7, 10 or 13."),
        (
            picture(START).replace("  - - - - - -\n  5 5 2 1 2 3", "  - - - - - -\n  4 5 2 1 2 3", 1),
            "4-6 is there 2 times",
        ),
        (picture(START).rsplit("\n", 4)[0], "The 1-2, 2-4 and 4-5 are missing from the set."),
    ],
)
def test_a_table_that_is_no_whole_set_says_what_lacks_and_what_is_double(board: str, words: str) -> None:
    with pytest.raises(UnreadableTable) as refused:
        GAME.read(Table(Board.parse(board)))
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1, column 1: No domino lies"),
        ("0 2\n- -\n0 0", "line 1, column 3: In the row of blanks the 1-0 belongs at rows 1 and 2, column 2"),
        (f"{picture(START)}\n===\nsuited, twice", "line 21, column 9: 'twice' is no variant"),
        (f"{picture(START)}x", "line 19, column 14: 'x' is no number"),
    ],
)
def test_a_bad_start_is_refused_with_its_place(text: str, words: str) -> None:
    with pytest.raises(BadText, match=words):
        GAME.start(text)


def test_what_went_wrong_is_told() -> None:
    state = start()
    with pytest.raises(IllegalMove) as refused:
        replay(GAME, state, "31>54")
    explained = explain(GAME, state, Table(refused.value.after.board))
    assert [str(move) for move in explained.moves] == ["31>54"]
    assert "a tile under the 5-4 is one lower in rank" in explained.problems[0].text


def test_the_end_has_every_tile_up() -> None:
    state = start()
    end, _ = replay(GAME, state, " ".join(map(str, solve(GAME, state).moves or ())))
    assert check(GAME, Table(end.board), state).state == "solved"
    verdict = check(GAME, Table(state.board), state)
    assert verdict.problems[0].text.startswith("21 tiles are not up yet")
    doubt = Doubt(end.board.placed[3].cells, str(end.board.placed[3]), ("65",), 0.5)
    assert check(GAME, Table(end.board, doubts=(doubt,)), state).state == "undecided"


def finished() -> Board:
    """The end of a game: every tile above the blank of its suit."""
    state = start()
    return replay(GAME, state, " ".join(map(str, solve(GAME, state).moves or ())))[0].board


@pytest.mark.parametrize("turns", range(4))
def test_a_pile_goes_up_in_the_order_of_its_ranks(turns: int) -> None:
    end = finished()
    one, two = (next(placed for placed in end.placed if placed.domino == tile(name)) for name in ("31", "32"))
    swapped = end.without([one, two]).laid(replace(one, tail=2)).laid(replace(two, tail=1))
    verdict = check(GAME, Table(swapped.rotated(turns)))
    told = "The 1-3 at rows 9 and 10, column 4 lies above the 2-3: a pile goes up by its ranks."
    assert (verdict.state, [fault.text for fault in verdict.problems]) == ("unsolved", [told])
    assert len(set(verdict.problems[0].cells) & swapped.rotated(turns).owner.keys()) == 4


@pytest.mark.parametrize("turns", range(4))
def test_a_tile_that_lacks_in_a_pile_that_lies_spread_is_missed_but_not_in_a_stack(turns: int) -> None:
    end = finished()
    one, two, three = (next(p for p in end.placed if p.domino == tile(name)) for name in ("31", "32", "33"))
    spread = end.without([one]).rotated(turns)
    verdict = check(GAME, Table(spread))
    told = "The 1-3 is missing at rows 11 and 12, column 4."
    assert (verdict.state, [fault.text for fault in verdict.problems]) == ("unsolved", [told])
    stacked = end.without([one, two, three]).laid(replace(three, cell=one.cell)).rotated(turns)
    assert check(GAME, Table(stacked)).state == "solved"


def test_a_doubtful_tile_does_not_hide_that_others_are_not_up() -> None:
    lying = start().board
    last = lying.owner[Cell(8, 6)]
    doubt = Doubt(last.cells, str(last), ("65",), 0.5)
    verdict = check(GAME, Table(lying, doubts=(doubt,)))
    assert verdict.state == "unsolved"
    assert verdict.problems[0].text.startswith("20 tiles are not up yet")
    assert not set(last.cells) & set(verdict.problems[0].cells)


def test_what_seems_to_be_the_double_blank_tells_nothing_of_the_row() -> None:
    end = finished()
    six = next(placed for placed in end.placed if placed.domino == tile("66"))
    seen = end.without([six]).laid(replace(six, head=0, tail=0))
    doubt = Doubt(six.cells, "00", ("66",), 0.5)
    assert check(GAME, Table(seen)).state == "unsolved"
    assert check(GAME, Table(seen, doubts=(doubt,))).state == "undecided"


@pytest.mark.parametrize("turns", range(4))
def test_what_is_said_of_a_turned_table_counts_as_its_columns_stand(turns: int) -> None:
    lying = start().board
    last = lying.owner[Cell(8, 6)]
    seen = lying.rotated(turns)
    there = next(placed for placed in seen.placed if placed.domino == last.domino)
    verdict = check(GAME, Table(seen, doubts=(Doubt(there.cells, str(there), (), 0.5),)))
    assert verdict.notes[0].text == "It is not sure that the tile at rows 9 and 10, column 7 reads 2-1."
    assert (verdict.turn + turns) % 4 == 0


def test_tiles_are_pointed_at_where_they_lie_though_piles_are_stacked() -> None:
    after, _ = replay(GAME, start(), "31^ 21^ 42>0 43>54 22^")
    covered = [placed for placed in after.board.placed if str(placed) in ("20", "21")]
    stacked = after.board.without([*covered, after.board.owner[Cell(0, 2)]]).laid(Placed(Cell(4, 2), Way.DOWN, 2, 2))
    seen = GAME.read(Table(stacked), after)
    for domino in seen.where:
        assert [stacked.owner[GAME.on_table(seen, seen, cell)].domino for cell in seen.cells(domino)] == [domino] * 2


def test_hints_and_deals_and_made_problems() -> None:
    state = start()
    assert hint(GAME, state, 1).text.endswith("moves from here will do.")
    assert hint(GAME, state, 3).text.startswith("Next: The ")
    assert len(promised(GAME, Table(state.board))) == 28
    assert [len(column) for column in GAME.deal(Random(1), 28).columns] == [0, 4, 4, 4, 3, 3, 3]
    assert [len(column) for column in GAME.deal(Random(1), 55).columns] == [0, *[5] * 9]
    with pytest.raises(ValueError, match="a whole set of 28, 55 or 91 dominoes"):
        GAME.deal(Random(1), 8)


@pytest.mark.parametrize(
    ("difficulty", "highest", "variant", "detours"),
    [
        ("easy", 6, "", range(3)),
        ("hard", 6, "", range(5, 99)),
        ("medium 9", 9, "", range(24, 34)),
        ("medium suited", 6, "suited", range(3, 5)),
        ("easy 6 alternating, single", 6, "alternating, single", range(3)),
        ("medium 1 free cell", 6, "1 free cell", range(3, 5)),
    ],
)
def test_a_deal_of_a_grade_has_a_solution_that_shows_it(
    difficulty: str, highest: int, variant: str, detours: range
) -> None:
    made = GAME.generate(Random(2), difficulty, Watch())
    assert made
    assert made == GAME.generate(Random(2), difficulty, Watch())
    begun = GAME.start(made.text)
    assert (begun.set.highest, str(begun.variant)) == (highest, variant)
    assert GAME.outcome(replay(GAME, begun, " ".join(map(str, made.moves)))[0])
    assert sum(not str(move).endswith("^") for move in made.moves) in detours


@pytest.mark.parametrize("difficulty", ["dull", "easy 7", "hard purple"])
def test_a_difficulty_that_nobody_knows_is_refused(difficulty: str) -> None:
    with pytest.raises(ValueError, match="is no difficulty"):
        GAME.generate(Random(2), difficulty, Watch())


def test_a_search_ends_at_its_limit() -> None:
    solution = solve(GAME, GAME.deal(Random(4), 91), Watch(limit_s=0))
    assert (solution.moves, solution.proved) == (None, False)
    assert solution.at_least >= 78
