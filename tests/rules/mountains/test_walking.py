"""Walking over maps, against the slowest way of finding out."""

from itertools import combinations, product

from hypothesis import given
from hypothesis import strategies as st

from rules.board import Cell
from rules.domino import DominoSet
from rules.mountains.walking import Map, can_be_walked

HEIGHTS = st.integers(0, 6)
SIDE = 3
SQUARE = [Cell(row, col) for row in range(SIDE) for col in range(SIDE)]
EDGES = [(one, other) for one in SQUARE for other in one.neighbours()[:2] if other in SQUARE]


def maps(side_pips: st.SearchStrategy[int] = HEIGHTS) -> st.SearchStrategy[Map]:
    """A map of 3 by 3 squares."""
    return st.lists(side_pips, min_size=9, max_size=9).map(lambda row: Map(dict(zip(SQUARE, row, strict=True))))


def drawn(*rows: str) -> Map:
    """The map that rows of figures show."""
    return Map({Cell(row, col): int(pips) for row, line in enumerate(rows) for col, pips in enumerate(line)})


def reached(heights: dict[Cell, int]) -> set[Cell]:
    """Every square that can be walked to from the top left one, found by spreading until nothing changes."""
    there = {SQUARE[0]}
    while True:
        more = {
            other
            for one, other in [*EDGES, *((other, one) for one, other in EDGES)]
            if one in there and abs(heights[one] - heights[other]) <= 1
        }
        if more <= there:
            return there
        there |= more


def cheapest_crossing(heights: dict[Cell, int]) -> int:
    """The cheapest choice of crossings that joins all squares, among all choices of eight edges."""
    costs = {edge: max(0, abs(heights[edge[0]] - heights[edge[1]])) for edge in EDGES}
    costs = {edge: cost if cost > 1 else 0 for edge, cost in costs.items()}
    return min(sum(costs[edge] for edge in tree) for tree in TREES)


def spans(edges: tuple[tuple[Cell, Cell], ...]) -> bool:
    """Whether these edges join all squares."""
    there = {SQUARE[0]}
    for _ in edges:
        there |= {cell for edge in edges if there & set(edge) for cell in edge}
    return len(there) == len(SQUARE)


TREES = [edges for edges in combinations(EDGES, len(SQUARE) - 1) if spans(edges)]


@given(maps())
def test_areas_are_what_can_be_reached_on_foot(known: Map) -> None:
    area = next(area for area in known.areas() if SQUARE[0] in area)
    assert set(area) == reached(dict(known.heights))


@given(maps())
def test_the_penalty_is_the_cheapest_way_to_join_all_squares(known: Map) -> None:
    assert known.penalty() == cheapest_crossing(dict(known.heights))


@given(maps())
def test_cliffs_stand_exactly_where_the_map_falls_apart(known: Map) -> None:
    assert bool(known.cliffs()) == (len(known.areas()) > 1) == (known.penalty() > 0)
    assert all(known.drop(*cliff) > 1 for cliff in known.cliffs())


def test_a_step_of_two_levels_costs_two() -> None:
    known = drawn("333", "335", "355")
    assert known.areas() == (
        (Cell(0, 0), Cell(0, 1), Cell(0, 2), Cell(1, 0), Cell(1, 1), Cell(2, 0)),
        (Cell(1, 2), Cell(2, 1), Cell(2, 2)),
    )
    assert known.penalty() == 2
    assert known.cliffs() == (
        (Cell(0, 2), Cell(1, 2)),
        (Cell(1, 1), Cell(1, 2)),
        (Cell(1, 1), Cell(2, 1)),
        (Cell(2, 0), Cell(2, 1)),
    )


def test_two_steps_of_three_are_dearer_than_one() -> None:
    assert drawn("000", "333", "666").penalty() == 6


def test_one_walks_over_open_squares_as_one_likes() -> None:
    known = Map({Cell(0, 0): 0, Cell(0, 2): 6}, frozenset({Cell(0, 1)}))
    assert (len(known.areas()), known.cliffs(), known.penalty()) == (1, (), 0)


PLACES = st.sampled_from([edges for edges in combinations(EDGES, 2) if len({*edges[0], *edges[1]}) == 4])


@given(maps(st.integers(0, 3)), PLACES, st.sets(st.sampled_from(DominoSet(3).dominoes), min_size=1))
def test_unsure_tiles_can_be_walked_over_only_if_some_dominoes_make_it_so(
    known: Map, tiles: tuple[tuple[Cell, Cell], tuple[Cell, Cell]], left: set[object]
) -> None:
    dominoes = frozenset(domino for domino in DominoSet(3) if domino in left)
    unsure = {cell for tile in tiles for cell in tile}
    worlds = (
        dict(known.heights) | {tiles[0][0]: a, tiles[0][1]: b, tiles[1][0]: c, tiles[1][1]: d}
        for one, other in product(dominoes, repeat=2)
        if one != other
        for a, b in ((one.low, one.high), (one.high, one.low))
        for c, d in ((other.low, other.high), (other.high, other.low))
    )
    sure = Map({cell: height for cell, height in known.heights.items() if cell not in unsure}, frozenset(unsure))
    assert can_be_walked(sure, tiles, dominoes) == any(len(reached(world)) == len(SQUARE) for world in worlds)


def test_a_search_that_takes_too_long_condemns_nothing() -> None:
    known = Map({Cell(0, 0): 0, Cell(0, 20): 6}, frozenset(Cell(0, col) for col in range(1, 20)))
    tiles = [(Cell(0, col), Cell(0, col + 1)) for col in range(1, 19, 2)]
    assert can_be_walked(known, tiles, frozenset(DominoSet(6)))
