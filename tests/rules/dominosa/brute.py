"""Dominosa once more, the plain way: pairs of cells, tried one after the other."""

from collections.abc import Collection, Iterator

from rules.board import Cell
from rules.dominosa import Deduction
from rules.dominosa.places import bits
from rules.grid import Grid

Pair = tuple[Cell, Cell]
Numbers = tuple[int, int]


def pairs(grid: Grid) -> list[Pair]:
    """Every two neighbouring cells."""
    return [(cell, other) for cell in grid.pips for other in cell.neighbours()[:2] if other in grid.pips]


def on(grid: Grid, pair: Pair) -> Numbers:
    """The domino that lies on a pair, lower number first."""
    one, other = sorted(grid.pips[cell] for cell in pair)
    return one, other


def solutions(grid: Grid) -> list[frozenset[Pair]]:
    """Every way to cover the grid with different dominoes: the first free cell goes with the right or lower one."""
    cells = sorted(grid.pips)

    def further(used: tuple[Pair, ...]) -> Iterator[frozenset[Pair]]:
        covered = {cell for pair in used for cell in pair}
        cell = next((cell for cell in cells if cell not in covered), None)
        if cell is None:
            yield frozenset(used)
            return
        taken = {on(grid, pair) for pair in used}
        for other in cell.neighbours()[:2]:
            if other in grid.pips and other not in covered and on(grid, (cell, other)) not in taken:
                yield from further((*used, (cell, other)))

    return list(further(()))


def open_pairs(step: Deduction) -> list[Pair]:
    """The pairs that were open before a step."""
    return [step.before.places.placed(place).cells for place in bits(step.before.open)]


def follows(grid: Grid, step: Deduction) -> bool:
    """Whether a step follows from what was open before it and what it says it reasons from, and nothing else."""
    open_ = open_pairs(step)
    if step.technique.title == "taken":
        lying = [step.before.places.placed(place).cells for place in bits(step.before.laid)]
        return all(any(_clash(grid, pair, one) for one in lying) for pair in step.pairs)
    if step.technique.title == "parity":
        return _is_even_beyond(step, open_)
    if step.technique.title == "contradiction":
        return not any(set(step.pairs) & found for found in solutions(grid) if found <= set(open_))
    named = [(domino.low, domino.high) for domino in step.from_dominoes]
    for placed in step.dominoes:
        others = [pair for pair in open_ if pair != placed.cells]
        if _can_cover(grid, others, step.from_cells, named, ()):
            return False
    return not any(_can_cover(grid, open_, step.from_cells, named, (pair,)) for pair in step.pairs)


def _can_cover(
    grid: Grid, open_: list[Pair], cells: Collection[Cell], dominoes: list[Numbers], used: tuple[Pair, ...]
) -> bool:
    """Whether open pairs that do not clash can cover all of these cells and use all of these dominoes."""
    covered, taken = {cell for pair in used for cell in pair}, {on(grid, pair) for pair in used}
    cell = next((cell for cell in cells if cell not in covered), None)
    domino = next((domino for domino in dominoes if domino not in taken), None)
    if cell is None and domino is None:
        return True
    choices = [pair for pair in open_ if (cell in pair if cell is not None else on(grid, pair) == domino)]
    return any(
        _can_cover(grid, open_, cells, dominoes, (*used, pair))
        for pair in choices
        if not any(_clash(grid, pair, other) for other in used)
    )


def _clash(grid: Grid, one: Pair, other: Pair) -> bool:
    return one != other and (not set(one).isdisjoint(other) or on(grid, one) == on(grid, other))


def _is_even_beyond(step: Deduction, open_: list[Pair]) -> bool:
    """Whether a neck is all that joins an even number of cells to the rest, and just the pairs across it are out."""
    across, cells = set(step.pairs), set(step.from_cells)
    (neck,) = (
        set.intersection(*(set(pair) for pair in across), cells) if len(across) > 1 else _neck(across, open_, cells)
    )
    area = cells - {neck}
    leaving = {pair for pair in open_ if len(area.intersection(pair)) == 1}
    return len(area) % 2 == 0 and leaving == across and all(neck in pair for pair in leaving)


def _neck(across: set[Pair], open_: list[Pair], cells: set[Cell]) -> set[Cell]:
    """The end of the only pair across that other cells outside are joined to."""
    (pair,) = across
    outside = {cell for one in open_ if not cells.issuperset(one) for cell in one}
    return cells.intersection(pair, outside)
