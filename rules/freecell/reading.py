"""From a board to the columns of Freecell and back to words: which row holds the blanks, what lacks, what is double."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from rules.board import Board, Cell, Placed, Way
from rules.domino import Domino, DominoSet
from rules.entries import parted
from rules.errors import BadText
from rules.fit import Fit
from rules.freecell.tableau import SETS, Building, Tableau, Variant
from rules.game import NOTHING, Problem
from rules.sliding.layout_reading import home
from rules.words import listing, said, where

CORNER = Domino(0, 0)
IN_HAND = 2  # dominoes that somebody may have taken up to lay them elsewhere


@dataclass(frozen=True)
class Survey:
    """What was made of a board: the columns, None where it is no Freecell; its faults; the way to its cells."""

    state: Tableau | None
    faults: tuple[Problem, ...]
    fit: Fit = Fit()


def survey(board: Board, variant: Variant) -> Survey:
    """The columns on a board, turned to where the blanks stand in a row with the higher numbers up.

    A pile above the blanks may lie spread or stacked: its highest tile tells that all lower ones are there.
    """
    if not board.placed:
        return Survey(None, (NOTHING,))
    fit = max((home(board.owner, turn) for turn in range(4)), key=lambda fit: _standing(board.moved(fit.apply)))
    lying = board.moved(fit.apply)
    corner = next((placed for placed in lying.placed if placed.domino == CORNER), None)
    if corner is None:
        return Survey(None, (Problem("The 0-0, which begins the row of blanks, is not to be seen."),), fit)
    row = [placed for placed in lying.placed if placed.cell.row == corner.cell.row]
    faults = tuple(_row_faults(lying, row))
    if faults:
        return Survey(None, faults, fit)
    return _columns(lying, row, variant, fit)


def parse_tableau(text: str) -> Tableau:
    """The columns that a text draws as they lie, and below a line of "===" the words of a variant.

    "suited" or "alternating" building, "single" tiles, "1 free cell" or more. Raises BadText with line and column.
    """
    parts = parted(text)
    board = Board.parse(parts.above if parts else text)
    variant = parse_variant(parts.below, parts.lines) if parts else Variant()
    seen = survey(board, variant)
    if seen.state is None:
        fault = seen.faults[0]
        at = seen.fit.undo(fault.cells[0]) if fault.cells else Cell(0, 0)
        raise BadText(fault.text.rstrip("."), 2 * at.row + 1, 2 * at.col + 1)
    return seen.state


def _standing(board: Board) -> int:
    """How many dominoes stand upright with the higher number up; lying ones count against it."""
    return sum((1 if p.head >= p.tail else -1) if p.way is Way.DOWN else -2 for p in board.placed)


def _row_faults(board: Board, row: Sequence[Placed]) -> Iterator[Problem]:
    """Tiles that lie across, and a row of blanks that is no 0, 1, 2 and so on."""
    for placed in board.placed:
        if placed.way is not Way.DOWN:
            yield Problem(f"The {said(placed.domino)} at {where(placed.cells)} lies across.", placed.cells)
    for suit, placed in enumerate(row):
        if placed.domino.high != suit:
            text = f"In the row of blanks the {suit}-0 belongs at {where(placed.cells)}, not the {said(placed.domino)}."
            yield Problem(text, placed.cells)
            return
    if len(row) - 1 not in SETS:
        yield Problem(f"The row has {len(row)} blanks; a double-six, -nine or -twelve set has 7, 10 or 13.")
        return
    columns = {placed.cell.col for placed in row}
    for placed in board.placed:
        if placed.cell.col not in columns:
            yield Problem(f"The {said(placed.domino)} at {where(placed.cells)} lies in no column.", placed.cells)


def _columns(board: Board, row: Sequence[Placed], variant: Variant, fit: Fit) -> Survey:
    suits = {placed.cell.col: suit for suit, placed in enumerate(row)}
    up, below = [0] * len(row), [list[Placed]() for _ in row]
    piles: list[list[Placed]] = [[] for _ in row]
    faults: list[Problem] = []
    for placed in board.placed:
        suit = suits[placed.cell.col]
        if placed.cell.row > row[0].cell.row:
            below[suit].append(placed)
        elif placed.domino.high != suit:
            text = (
                f"The {said(placed.domino)} at {where(placed.cells)} lies above the {suit}-0, but is not of its suit."
            )
            faults.append(Problem(text, placed.cells))
        else:
            up[suit] = max(up[suit], placed.domino.low)
            piles[suit].append(placed)
    faults += _pile_faults(piles)
    faults += _set_faults(board, below, up)
    if variant.free_cells and len(below[0]) > variant.free_cells:
        faults.append(Problem("More tiles lie under the 0-0 than there are free cells."))
    if faults:
        return Survey(None, tuple(faults), fit)
    columns = [tuple(placed.domino for placed in column) for column in below]
    if variant.free_cells:
        columns[0] = tuple(sorted(columns[0]))
    spread = replace(fit, rows=fit.rows + 2 * max(up) - row[0].cell.row)
    return Survey(Tableau(tuple(columns), tuple(up), variant, spread), (), fit)


def _pile_faults(piles: Iterable[Sequence[Placed]]) -> Iterator[Problem]:
    """What lies in a pile above a tile of a higher rank."""
    for pile in piles:
        upwards = sorted(pile, key=lambda placed: -placed.cell.row)
        for lower, upper in pairwise(upwards):
            if upper.domino.low < lower.domino.low:
                text = f"The {said(upper.domino)} at {where(upper.cells)} lies above the {said(lower.domino)}"
                yield Problem(f"{text}: a pile goes up by its ranks.", (*upper.cells, *lower.cells))


def holes(lying: Board, state: Tableau) -> Iterator[Problem]:
    """What lacks in a pile that lies spread: there is room for it between a lower rank and a higher, and nothing lies
    there, nor can it lie under another tile."""
    for suit in range(len(state.up)):
        pile = [placed for placed in lying.placed if placed.domino.high == suit and placed.domino not in state.where]
        for lower, upper in pairwise(sorted(pile, key=lambda placed: -placed.cell.row)):
            bare = tuple(Cell(row, lower.cell.col) for row in range(upper.cell.row + 2, lower.cell.row))
            gone = [said(Domino(suit, rank)) for rank in range(lower.domino.low + 1, upper.domino.low)]
            if bare and gone:
                text = f"The {listing(gone)} {'is' if len(gone) == 1 else 'are'} missing at {where(bare)}."
                yield Problem(text, bare)


def _set_faults(board: Board, below: Sequence[Sequence[Placed]], up: Sequence[int]) -> Iterator[Problem]:
    """What is double, what lies below though a higher one of its suit is up, and what lacks."""
    highest = len(up) - 1
    counted = Counter(placed.domino for placed in board.placed)
    for domino in sorted(domino for domino, number in counted.items() if number > 1):
        cells = tuple(cell for placed in board.placed if placed.domino == domino for cell in placed.cells)
        yield Problem(f"The {said(domino)} is there {counted[domino]} times: at {where(cells)}.", cells)
    for placed in board.placed:
        if placed.domino.high > highest:
            yield Problem(f"The {said(placed.domino)} is not in the {DominoSet(highest).name} set.", placed.cells)
    present = {placed.domino for column in below for placed in column}
    for placed in (placed for column in below for placed in column):
        high, low = placed.domino.high, placed.domino.low
        if high <= highest and low <= up[high] and counted[placed.domino] == 1:
            text = f"The {said(placed.domino)} lies below, but the {low if low == up[high] else up[high]}-{high} is up."
            yield Problem(text, placed.cells)
    gone = [said(tile) for tile in DominoSet(highest) if tile.low > up[tile.high] and tile not in present]
    if gone:
        text = f"The {listing(gone)} {'is' if len(gone) == 1 else 'are'} missing from the set."
        yield Problem(text, unfinished=len(gone) <= IN_HAND)


def parse_variant(text: str, lines: int = 0) -> Variant:
    """The variant that the words of a text name, which begins after so many lines. Raises BadText with line and
    column."""
    building: Building = "any"
    single, free_cells = False, 0
    for word in re.finditer(r"[^,\n]+", text):
        name = " ".join(word.group().split())
        if not name:
            continue
        if name in ("suited", "alternating"):
            building = "suited" if name == "suited" else "alternating"
        elif name == "single":
            single = True
        elif cells := re.fullmatch(r"([1-9]) free cells?", name):
            free_cells = int(cells[1])
        else:
            at = word.start() + len(word.group()) - len(word.group().lstrip())
            line, column = lines + text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
            raise BadText(f'{name!r} is no variant: "suited", "alternating", "single", "1 free cell" are', line, column)
    return Variant(building, single, free_cells)
