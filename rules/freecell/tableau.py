"""Dominoes Freecell: the columns, what has gone up, which variant is played, and what may be moved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import pairwise
from typing import Literal, NoReturn, TypeAlias

from rules.board import Board, Cell, Placed, Way
from rules.domino import Domino, DominoSet, pips_text
from rules.fit import Fit
from rules.game import IllegalMove, Problem
from rules.words import count

Building: TypeAlias = Literal["any", "suited", "alternating"]
Column: TypeAlias = tuple[Domino, ...]
SETS = (6, 9, 12)


@dataclass(frozen=True)
class Variant:
    """How Freecell is played. building: which suits may lie upon each other. single: a stack moves only where its
    tiles could go one by one. free_cells: places for one tile each under the 0-0, which is a column where there are 0.
    """

    building: Building = "any"
    single: bool = False
    free_cells: int = 0

    def __str__(self) -> str:
        words: list[str] = [self.building] if self.building != "any" else []
        words += ["single"] if self.single else []
        words += [count(self.free_cells, "free cell")] if self.free_cells else []
        return ", ".join(words)


@dataclass(frozen=True)
class Carry:
    """Move a tile, with all that lies below it: up (to is None), under another tile, or to the empty column of a suit.

    `str` is "42^", "42>33" or "42>3"; "42>0" is the column, or a free cell, under the 0-0.
    """

    tile: Domino
    to: Domino | int | None = None

    def __str__(self) -> str:
        if self.to is None:
            return f"{self.tile}^"
        return f"{self.tile}>{self.to if isinstance(self.to, Domino) else pips_text(self.to)}"


@dataclass(frozen=True)
class Tableau:
    """The columns under the blanks, from that of the 0-0 on, each from the top down; the first may hold free cells.

    up: for each suit the rank that its pile above the blanks has reached, 0 for none. fit: leads from the table that
    was read to the cells of `board`.
    """

    columns: tuple[Column, ...]
    up: tuple[int, ...]
    variant: Variant = Variant()
    fit: Fit = field(default=Fit(), compare=False, repr=False)

    @property
    def set(self) -> DominoSet:
        """The set that is played with."""
        return DominoSet(len(self.columns) - 1)

    @cached_property
    def where(self) -> dict[Domino, tuple[int, int]]:
        """For each tile of the columns its column and its place there, from 0."""
        return {tile: (c, i) for c, column in enumerate(self.columns) for i, tile in enumerate(column)}

    @cached_property
    def board(self) -> Board:
        """The table: the piles above the row of blanks, and the columns below it."""
        top = max(self.up)
        laid = [_upright(suit, top - rank, suit, rank) for suit, up in enumerate(self.up) for rank in range(up + 1)]
        for c, column in enumerate(self.columns):
            laid += [_upright(c, top + 1 + i, tile.high, tile.low) for i, tile in enumerate(column)]
        return Board(tuple(laid))

    def cells(self, tile: Domino) -> tuple[Cell, Cell]:
        """The cells of a tile of the columns."""
        column, place = self.where[tile]
        return _upright(column, max(self.up) + 1 + place, tile.high, tile.low).cells

    def stack(self, tile: Domino) -> Column:
        """A tile of the columns and all that lies below it; a tile in a free cell lies alone."""
        column, place = self.where[tile]
        return (tile,) if column == 0 and self.variant.free_cells else self.columns[column][place:]

    @property
    def empty(self) -> list[int]:
        """The columns with nothing in them, free cells left out."""
        first = 1 if self.variant.free_cells else 0
        return [c for c, column in enumerate(self.columns) if c >= first and not column]

    def __str__(self) -> str:
        """The table in text; below a line of "===" the words of the variant, if it is one."""
        return f"{self.board}\n===\n{self.variant}" if str(self.variant) else str(self.board)


def carries(state: Tableau) -> Iterator[Carry]:
    """Every tile that ends a column or begins a stack there, to every place that may take it by its rank."""
    last = [
        column[-1] for c, column in enumerate(state.columns) if column and not (c == 0 and state.variant.free_cells)
    ]
    places = [*state.empty, *([0] if state.variant.free_cells else [])]
    for tile in state.where:
        if state.stack(tile) == (tile,):
            yield Carry(tile)
        yield from (Carry(tile, under) for under in last if under.low == tile.low + 1)
        yield from (Carry(tile, column) for column in places)


def carried(state: Tableau, move: Carry) -> Tableau:
    """The table after a move. Raises IllegalMove with the rule that forbids it."""
    tile = move.tile
    if tile not in state.where:
        raise IllegalMove(f"The {_name(tile)} does not lie in a column.")
    stack, to = state.stack(tile), _column(state, move)
    after = partial(_laid, state, stack, to)
    if to is None:
        _require_next(state, stack)
        return after()
    _require_stack(state, stack, after)
    if to == 0 and state.variant.free_cells:
        if len(stack) > 1 or len(state.columns[0]) >= state.variant.free_cells or state.where[tile][0] == 0:
            _refuse(
                state,
                tile,
                f"{count(state.variant.free_cells, 'free cell takes', 'free cells take')} one tile each",
                after,
            )
        return after()
    _require_place(state, stack, to, after)
    return after()


def builds(variant: Variant, upper: Domino, lower: Domino) -> bool:
    """Whether one tile may lie below another: its rank one less, its suit as the variant wants it."""
    if upper.low != lower.low + 1:
        return False
    if variant.building == "suited":
        return upper.high == lower.high
    return variant.building == "any" or (upper.high - lower.high) % 2 == 1


def _column(state: Tableau, move: Carry) -> int | None:
    """The column that a move goes to, None for up. Raises IllegalMove where there is no such place."""
    if not isinstance(move.to, Domino):
        if move.to is not None and not 0 <= move.to < len(state.columns):
            raise IllegalMove(f"There is no column {move.to}.")
        cells = move.to == 0 and state.variant.free_cells
        if move.to is not None and state.columns[move.to] and not cells:
            raise IllegalMove(f"The column of suit {move.to} is not empty.")
        return move.to
    if move.to not in state.where:
        raise IllegalMove(f"The {_name(move.to)} does not lie in a column.")
    column = state.where[move.to][0]
    if column == 0 and state.variant.free_cells:
        raise IllegalMove(f"The {_name(move.to)} lies in a free cell: nothing is laid under it.")
    if state.columns[column][-1] != move.to:
        raise IllegalMove(f"The {_name(move.to)} does not end its column.")
    return column


def _require_next(state: Tableau, stack: Column) -> None:
    """Raises IllegalMove unless a tile alone goes up on the next lower one of its suit."""
    tile = stack[0]
    if len(stack) > 1:
        _refuse(state, tile, f"the {_name(stack[1])} lies below it, and tiles go up one by one")
    if state.up[tile.high] != tile.low - 1:
        below = _name(Domino(tile.high, tile.low - 1))
        _refuse(state, tile, f"it goes up above the {below}, which is not there yet")


def _require_stack(state: Tableau, stack: Column, after: partial[Tableau]) -> None:
    """Raises IllegalMove unless the tiles go down by one from each to the next."""
    for upper, lower in pairwise(stack):
        if not builds(state.variant, upper, lower):
            _refuse(state, stack[0], f"the {_name(lower)} below the {_name(upper)} is no stack with it", after)


def _require_place(state: Tableau, stack: Column, to: int, after: partial[Tableau]) -> None:
    """Raises IllegalMove unless a stack fits under the last tile of a column, and is not too long for the variant."""
    tile, target = stack[0], state.columns[to]
    if target and state.where[tile][0] == to:
        _refuse(state, tile, "it lies in that column already")
    if target and not builds(state.variant, target[-1], tile):
        suit = "an even" if target[-1].high % 2 else "an odd"
        wanted = {"any": "", "suited": " and of the same suit", "alternating": f" and of {suit} suit"}
        why = f"a tile under the {_name(target[-1])} is one lower in rank{wanted[state.variant.building]}"
        _refuse(state, tile, why, after)
    if state.variant.single:
        room = _room(state, to)
        if len(stack) > room:
            _refuse(state, tile, f"one by one only {count(room, 'tile')} can be moved there, not {len(stack)}", after)


def _room(state: Tableau, to: int) -> int:
    """How many tiles can go to a column one by one: each free cell takes one, each empty column doubles them."""
    open_cells = max(0, state.variant.free_cells - len(state.columns[0])) if state.variant.free_cells else 0
    return (open_cells + 1) << len([column for column in state.empty if column != to])


def _laid(state: Tableau, stack: Column, to: int | None) -> Tableau:
    """The table with a stack in another place, whatever the rules say."""
    columns = [tuple(tile for tile in column if tile not in stack) for column in state.columns]
    if to is not None:
        columns[to] += stack
        if to == 0 and state.variant.free_cells:
            columns[to] = tuple(sorted(columns[to]))
        return replace(state, columns=tuple(columns))
    up = tuple(max(up, stack[0].low) if suit == stack[0].high else up for suit, up in enumerate(state.up))
    risen = replace(state.fit, rows=state.fit.rows + 2 * (max(up) - max(state.up)))
    return replace(state, columns=tuple(columns), up=up, fit=risen)


def _refuse(state: Tableau, tile: Domino, why: str, after: partial[Tableau] | None = None) -> NoReturn:
    told = partial(_told, state, tile, why)
    raise IllegalMove(told, after)


def _told(state: Tableau, tile: Domino, why: str) -> Problem:
    return Problem(f"The {_name(tile)} cannot move there: {why}.", state.cells(tile))


def _name(tile: Domino) -> str:
    return f"{tile.high}-{tile.low}"


def _upright(col: int, slot: int, high: int, low: int) -> Placed:
    return Placed(Cell(2 * slot, col), Way.DOWN, high, low)
