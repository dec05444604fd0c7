"""What a turn of Domineering may do: the one place where its rules are written."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from rules.board import Cell
from rules.domineering.state import COLORS, Draw, Keep, Position, Turn, Way, said_high, square, stepped, ways
from rules.domino import Domino
from rules.game import IllegalMove, Problem
from rules.table import Spot
from rules.words import listing


def drawn(state: Position, move: Draw) -> Position:
    """After a domino was drawn. Raises IllegalMove for a second one, and for one not in the pool or not next."""
    if state.drawn:
        raise IllegalMove(f"The {said_high(state.drawn)} is drawn already: it has to be played first.")
    if move.domino not in state.left:
        raise IllegalMove(f"The {said_high(move.domino)} is not in the pool.")
    if state.pool and move.domino != state.pool[0]:
        raise IllegalMove(f"The {said_high(move.domino)} is not the next domino of the pool.")
    return replace(state, drawn=move.domino, pool=state.pool[1:])


def kept(state: Position, move: Keep, can_move: bool) -> Position:
    """After a domino was kept. Raises IllegalMove where that is not the variant, or where the domino can be played."""
    if not state.keeps:
        raise IllegalMove("Nobody keeps a domino in this variant: who cannot move has lost.")
    _require_drawn(state, move.domino)
    if can_move:
        raise IllegalMove(f"{COLORS[state.turn]} can move by the {said_high(move.domino)} and may not keep it.")
    held = (*state.kept[state.turn], move.domino)
    after = (held, state.kept[1]) if state.turn == 0 else (state.kept[0], held)
    return replace(state, kept=after, drawn=None, turn=1 - state.turn)


def turned(state: Position, move: Turn) -> Position:
    """After both pieces moved. Raises IllegalMove with the square that is in the way, or the wrong number."""
    if move.domino != state.drawn:
        _require_drawn(state, move.domino, _shown(state, move))
    for cell in (move.first, move.second):
        if cell not in state.pieces[state.turn]:
            raise IllegalMove(Problem(f"No piece of {COLORS[state.turn]} stands at {square(cell)}.", (cell,)))
    if move.first == move.second:
        text = f"Two different pieces move, not twice the one at {square(move.first)}."
        raise IllegalMove(Problem(text, (move.first, move.second)))
    if not any(_clear(state, move, one, other) for one, other in _fitting(move)):
        raise IllegalMove(partial(_refusal, state, move), _shown(state, move))
    return _made(state, move)


def _fitting(move: Turn) -> Iterator[tuple[Way, Way]]:
    """The ways by which both pieces go as far as the domino says."""
    for one in ways(move.first, move.first_to):
        for other in ways(move.second, move.second_to):
            if _takes(move.domino, one.distance, other.distance):
                yield one, other


def candidates(state: Position) -> Iterator[Turn]:
    """Every two pieces in either order, wherever the drawn numbers take them: all legal turns, and more."""
    domino = state.drawn
    if domino is None:
        return
    own = state.pieces[state.turn]
    found: dict[Turn, None] = {}
    for one, other in {(domino.high, domino.low), (domino.low, domino.high)}:
        reached = {cell: _reached(state, cell, one) for cell in own}
        beyond = {cell: _reached(state, cell, other) for cell in own}
        for first in own:
            for second in own:
                if second != first:
                    for to in reached[first]:
                        found |= {Turn(first, to, second, end, domino): None for end in beyond[second] if end != to}
    yield from found


def _reached(state: Position, cell: Cell, number: int) -> list[Cell]:
    """The free squares as far away as a number says; nobody looked yet what is in between."""
    far = (number,) if number else range(1, 7)
    ends = {stepped(cell, *way, steps) for way in ((0, 1), (1, 0), (0, -1), (-1, 0)) for steps in far}
    return sorted(ends - state.taken)


def _takes(domino: Domino, one: int, other: int) -> bool:
    """Whether the two numbers, in either order, are these distances; a blank is any of 1 to 6."""
    high, low = domino.high, domino.low
    return (high in (0, one) and low in (0, other)) or (low in (0, one) and high in (0, other))


def _clear(state: Position, move: Turn, one: Way, other: Way) -> bool:
    """Nothing is in either way; the domino has taken the first piece's place when the second one moves."""
    return (
        state.taken.isdisjoint(one.squares)
        and move.first_to not in other.squares
        and not (state.taken.intersection(other.squares))
    )


def _require_drawn(state: Position, domino: Domino, after: Callable[[], Position | None] | None = None) -> None:
    if state.drawn is None:
        raise IllegalMove("A domino has to be drawn first.")
    if domino != state.drawn:
        raise IllegalMove(f"The {said_high(state.drawn)} was drawn, not the {said_high(domino)}.", after)


def _shown(state: Position, move: Turn) -> Callable[[], Position | None]:
    """What the table would show after this turn, allowed or not; nothing where no table can show it."""

    def after() -> Position | None:
        ends = {move.first_to, move.second_to}
        standing = state.taken.difference({move.second})
        possible = len(ends) == 2 and move.first != move.second and ends.isdisjoint(standing)
        return _made(state, move) if possible else None

    return after


def _made(state: Position, move: Turn) -> Position:
    own = set(state.pieces[state.turn]).difference({move.first, move.second}) | {move.first_to, move.second_to}
    mine, theirs = tuple(sorted(own)), state.pieces[1 - state.turn]
    laid = tuple(sorted((*state.laid, Spot(move.first, move.domino)), key=lambda spot: spot.cell))
    pieces = (mine, theirs) if state.turn == 0 else (theirs, mine)
    return replace(state, pieces=pieces, laid=laid, drawn=None, turn=1 - state.turn)


def _refusal(state: Position, move: Turn) -> Problem:
    """Why no way of making this turn will do: the numbers, or what is in the way."""
    for start, end in ((move.first, move.first_to), (move.second, move.second_to)):
        if not ways(start, end):
            text = f"{square(start)} to {square(end)} is no straight line of 1 to 6 squares."
            return Problem(text, (start, end))
    names = f"{square(move.first)} to {square(move.first_to)} and {square(move.second)} to {square(move.second_to)}"
    fitting = list(_fitting(move))
    if not fitting:
        far = [listing([str(way.distance) for way in ways(*ends)], "or") for ends in _ends(move)]
        text = f"The {said_high(move.domino)} does not take {names}: that is {far[0]} and {far[1]}."
        return Problem(text, (move.first, move.first_to, move.second, move.second_to))
    one, other = fitting[0]
    blocked = [cell for cell in one.squares if cell in state.taken]
    if blocked:
        return Problem(f"The piece at {square(move.first)} cannot pass {_what(state, blocked[0])}.", (blocked[0],))
    if move.first in other.squares:
        text = f"The piece at {square(move.second)} cannot pass {square(move.first)}: the domino lies there at once."
        return Problem(text, (move.first,))
    if move.first_to in other.squares:
        text = (
            f"The piece at {square(move.second)} cannot pass {square(move.first_to)}: the other one stands there now."
        )
        return Problem(text, (move.first_to,))
    cell = next(cell for cell in other.squares if cell in state.taken)
    return Problem(f"The piece at {square(move.second)} cannot pass {_what(state, cell)}.", (cell,))


def _ends(move: Turn) -> tuple[tuple[Cell, Cell], tuple[Cell, Cell]]:
    return (move.first, move.first_to), (move.second, move.second_to)


def _what(state: Position, cell: Cell) -> str:
    if cell in state.dominoes:
        return f"the {said_high(state.dominoes[cell])} at {square(cell)}"
    return f"the piece at {square(cell)}"
