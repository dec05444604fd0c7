"""The sliding puzzles once more, the plain way: a board is a set of dominoes, each with its cells."""

from collections.abc import Iterator

from rules.board import Board

Cell = tuple[int, int]
Piece = tuple[Cell, Cell, int, int]
Pieces = frozenset[Piece]
State = tuple[Pieces, tuple[tuple[int, int], ...]]
WAYS = {"R": (0, 1), "L": (0, -1), "D": (1, 0), "U": (-1, 0)}


def pieces(board: Board) -> Pieces:
    """The dominoes of a board."""
    return frozenset(
        ((head.row, head.col), (tail.row, tail.col), placed.head, placed.tail)
        for placed in board.placed
        for head, tail in [placed.cells]
    )


def home(lying: Pieces) -> Pieces:
    """The dominoes with their top left at (0, 0)."""
    cells = [cell for piece in lying for cell in piece[:2]] or [(0, 0)]
    top, left = min(row for row, _ in cells), min(col for _, col in cells)
    return frozenset(((a[0] - top, a[1] - left), (b[0] - top, b[1] - left), head, tail) for a, b, head, tail in lying)


def numbers(lying: Pieces) -> dict[Cell, int]:
    """The number on each cell."""
    return {cell: pips for a, b, head, tail in lying for cell, pips in ((a, head), (b, tail))}


def one_group(lying: Pieces) -> bool:
    """Whether all hang together."""
    cells = set(numbers(lying))
    reached = {min(cells)} if cells else set()
    while True:
        more = {(r + dr, c + dc) for r, c in reached for dr, dc in WAYS.values()} & cells | reached
        if more == reached:
            return reached == cells
        reached = more


def meetings(piece: Piece, others: Pieces) -> list[tuple[int, int, Cell]]:
    """Each half's number with that of each neighbour, and the neighbour's cell."""
    lying = numbers(others)
    return [
        (pips, lying[row + dr, col + dc], (row + dr, col + dc))
        for (row, col), pips in ((piece[0], piece[2]), (piece[1], piece[3]))
        for dr, dc in WAYS.values()
        if (row + dr, col + dc) in lying
    ]


def moves(game: str, state: State) -> Iterator[tuple[str, State]]:
    """Every legal move by the words of the rules, with what it leads to."""
    lying, queue = state
    for piece in lying:
        a, b, head, tail = piece
        for way, (dr, dc) in WAYS.items():
            if (a[0] == b[0]) != (dr == 0):
                continue
            slid = ((a[0] + dr, a[1] + dc), (b[0] + dr, b[1] + dc), head, tail)
            others = lying - {piece}
            if not set(slid[:2]) & set(numbers(others)) and one_group(others | {slid}):
                left = judged(game, slid, others)
                if left is not None and one_group(left):
                    yield f"{head}{tail}{way}", (home(left), queue)
    if queue:
        yield from adds(lying, queue)


def judged(game: str, slid: Piece, others: Pieces) -> Pieces | None:
    """What lies there after the slide, None where the game forbids it."""
    met = meetings(slid, others)
    alike = [cell for own, other, cell in met if own == other]
    six = any(own + other == 6 for own, other, _ in met)
    whole = others | {slid}
    if game == "unmatched":
        return None if alike else whole
    if game == "adding":
        return whole if six or len(alike) >= 2 else None
    if alike:
        return frozenset(other for other in others if not set(other[:2]) & set(alike))
    return whole if six else None


def adds(lying: Pieces, queue: tuple[tuple[int, int], ...]) -> Iterator[tuple[str, State]]:
    """Every way to add the next domino."""
    covered = numbers(lying)
    for row in range(-2, max(r for r, _ in covered) + 3):
        for col in range(-2, max(c for _, c in covered) + 3):
            for letter, other in (("H", (row, col + 1)), ("V", (row + 1, col))):
                for head, tail in {queue[0], queue[0][::-1]}:
                    if {(row, col), other} & set(covered):
                        continue
                    new = ((row, col), other, head, tail)
                    if sum(own == met for own, met, _ in meetings(new, lying)) >= 2:
                        yield f"{head}{tail}{letter}{col + 2}{row + 2}", (home(lying | {new}), queue[1:])


def won(game: str, state: State) -> bool:
    """Whether the puzzle is solved."""
    lying, queue = state
    if game == "unmatched":
        rows, cols = ({cell[axis] for cell in numbers(lying)} for axis in (0, 1))
        return len(rows) * len(cols) == 2 * len(lying)
    return not lying if game == "capturing" else not queue


def shortest(game: str, start: State) -> int | None:
    """The fewest moves that solve it, None where nothing does."""
    seen, frontier, depth = {start}, [start], 0
    while frontier:
        if any(won(game, state) for state in frontier):
            return depth
        depth += 1
        reached = {after for state in frontier for _, after in moves(game, state)}
        frontier = [state for state in reached if state not in seen]
        seen |= reached
    return None
