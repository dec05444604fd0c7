"""What a round of Bee needs on the table: a whole set in a rectangle, dice on their numbers; and deals of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from rules.bee.state import Bee, BeeState, start_spaces
from rules.board import Board, Cell, Placed
from rules.domino import Domino, DominoSet
from rules.game import Problem
from rules.grid import takes_full_set
from rules.words import count, listing, pair, said, where

FEWEST, MOST = 3, 6
SETS = tuple(DominoSet(highest) for highest in range(FEWEST, MOST + 1))


def set_for(rows: int, cols: int) -> DominoSet | None:
    """The set that fills a rectangle of this size; None where none of double-three to double-six does."""
    highest = min(rows, cols) - 1
    return DominoSet(highest) if takes_full_set(rows, cols) and FEWEST <= highest <= MOST else None


def board_faults(board: Board) -> Iterator[Problem]:
    """What keeps dominoes from being a board for Bee: another size, gaps, dominoes that lack or are twins."""
    rows, cols = board.size
    used = set_for(rows, cols)
    if not used:
        sizes = listing([f"{each.highest + 1} by {each.highest + 2}" for each in SETS], "or")
        yield Problem(f"The dominoes reach over {rows} by {cols} squares, not {sizes}.")
        return
    first = board.top_left
    squares = [first.shifted(row, col) for row in range(rows) for col in range(cols)]
    empty = tuple(cell for cell in squares if cell not in board.owner)
    if empty:
        yield Problem(
            f"{count(len(empty), 'square')} {'is' if len(empty) == 1 else 'are'} empty: {where(empty)}.", empty
        )
    yield from _set_faults(board, used)


def _set_faults(board: Board, used: DominoSet) -> Iterator[Problem]:
    there: dict[Domino, Placed] = {}
    for placed in board.placed:
        if placed.domino not in used:
            name = pair(placed.head, placed.tail)
            yield Problem(f"The {name} at {where(placed.cells)} is not in the {used.name} set.", placed.cells)
        elif placed.domino in there:
            twin = there[placed.domino].cells
            text = f"The {said(placed.domino)} is there twice: at {where(twin)} and at {where(placed.cells)}."
            yield Problem(text, (*placed.cells, *twin))
        there[placed.domino] = placed
    lacking = [said(domino) for domino in used if domino not in there]
    if lacking:
        yield Problem(f"The {listing(lacking)} {'is' if len(lacking) == 1 else 'are'} missing.")


def touching_starts(board: Board) -> Iterator[Problem]:
    """Dominoes with a starting space that lie side by side, each two once: the setup forbids it, though published
    problems have it."""
    starting = {cell: board.owner[space] for space in start_spaces(board).values() for cell in board.owner[space].cells}
    near = ((cell, other) for cell in starting for other in cell.neighbours()[:2] if other in starting)
    met = {(starting[one], starting[other]) for one, other in near if starting[one] != starting[other]}
    for one, other in sorted(met, key=lambda two: (two[0].cell, two[1].cell)):
        text = f"The starting spaces {pair(one.head, one.tail)} and {pair(other.head, other.tail)} touch"
        yield Problem(f"{text}: swap one of them with a neighbour.", (*one.cells, *other.cells))


def dice_faults(board: Board, bees: Iterable[Bee], queen: int) -> Iterator[Problem]:
    """What is wrong with the dice on a board: there twice, off it, one upon another, the queen not at home."""
    seen: dict[int, Cell] = {}
    for bee in bees:
        if bee.cell not in board.owner:
            yield Problem(f"The {bee.number} die stands off the board.")
        elif bee.number in seen:
            yield Problem(f"There are two dice with a {bee.number}.", (seen[bee.number], bee.cell))
        elif bee.cell in seen.values():
            yield Problem(f"Two dice stand at {where([bee.cell])}.", (bee.cell,))
        seen.setdefault(bee.number, bee.cell)
    if len(seen) < 2:
        yield Problem("A round takes two dice at least.")
    home = start_spaces(board).get(queen)
    if queen not in seen:
        yield Problem(f"The queen bee, the {queen}, is not on the board.")
    elif home is None:
        yield Problem(f"The {queen} cannot be the queen: no domino joins it to a blank.", (seen[queen],))
    elif seen[queen] != home:
        text = f"The queen bee, the {queen}, stands at {where([seen[queen]])}, not on her starting space"
        yield Problem(f"{text}, {where([home])}.", (seen[queen], home))


def strays(state: BeeState) -> Iterator[Problem]:
    """A sentence for each die that stands where it could never have landed."""
    for bee in state.bees:
        shown = state.board.pips[bee.cell]
        if shown != bee.number and bee.cell != state.wild:
            text = f"The {bee.number} die stands on a {shown} at {where([bee.cell])}"
            yield Problem(f"{text}: it lands on {bee.number}s, and on the queen's blank.", (bee.cell,))


def deal_bees(chance: Random, size: int) -> BeeState:
    """A round at random on a set of so many dominoes: some dice, on their starting spaces, and any of them the queen.

    Raises ValueError unless there is such a set, of 10, 15, 21 or 28.
    """
    used = next((each for each in SETS if len(each) == size), None)
    if used is None:
        sizes = listing([str(len(each)) for each in SETS], "or")
        raise ValueError(f"a round of Bee takes {sizes} dominoes, not {size}")
    return random_round(chance, random_board(chance, used), used.highest)


def random_round(chance: Random, board: Board, most: int) -> BeeState:
    """Three dice at random or more, up to `most`, on their starting spaces of a board, and any of them the queen."""
    spaces = start_spaces(board)
    dice = sorted(chance.sample(sorted(spaces), chance.randint(FEWEST, most)))
    return BeeState(board, tuple(Bee(number, spaces[number]) for number in dice), chance.choice(dice))


def random_board(chance: Random, used: DominoSet) -> Board:
    """A whole set that fills its rectangle at random, no two starting spaces' dominoes side by side."""
    while True:
        places = _filled(chance, used.highest + 1, used.highest + 2)
        dominoes = chance.sample(used.dominoes, len(used))
        halves = [chance.sample((domino.high, domino.low), 2) for domino in dominoes]
        board = Board(tuple(Placed.on(*cells, *pips) for cells, pips in zip(places, halves, strict=True)))
        if not any(touching_starts(board)):
            return board


def _filled(chance: Random, rows: int, cols: int) -> list[tuple[Cell, Cell]]:
    """A rectangle covered by dominoes at random, row by row, begun again where a square is left alone."""
    free = [Cell(row, col) for row in range(rows) for col in range(cols)]
    places: list[tuple[Cell, Cell]] = []
    left = dict.fromkeys(free)
    while left:
        cell = next(iter(left))
        other = [near for near in cell.neighbours()[:2] if near in left]
        if not other:
            places, left = [], dict.fromkeys(free)
            continue
        pair_of = (cell, chance.choice(other))
        places.append(pair_of)
        for covered in pair_of:
            del left[covered]
    return places
