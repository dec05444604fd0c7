"""From a table to a position of Domineering, and what differs where no turn explains it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import permutations
from math import log

from rules.board import Cell
from rules.domineering.state import (
    COLORS,
    FULL_SET,
    SIDE,
    USUAL,
    VARIANTS,
    Draw,
    Keep,
    Move,
    Position,
    Turn,
    said_high,
    square,
    ways,
)
from rules.domineering.turns import turned
from rules.domino import Domino
from rules.game import IllegalMove, Problem, UnreadableTable
from rules.table import Piece, Spot, Table
from rules.words import count, listing, often

DULL = "grey", "brown"  # what white and black ones look like in a shadow, and in a lamp's light


def read_position(table: Table, before: Position | None) -> Position:
    """The pieces and dominoes on the board and the one beside it; turn, variant and kept dominoes come from `before`.

    At a first look White is taken to have begun. Raises UnreadableTable with what is there and what was expected.
    """
    base = before or _unknown(table)
    problems = [*_strange(table), *_crowded(table)]
    pieces, wrong = _pieces(table, base)
    problems += wrong
    beside = sorted(_beside(table).difference(*base.kept))
    kept_now = base.keeps and base.drawn in beside and (len(beside) == 2 or len(table.spots) > len(base.laid))
    if len(beside) > 1 + kept_now:
        names = listing([f"the {said_high(domino)}" for domino in beside])
        problems.append(Problem(f"Beside the board lie {names}: one domino is drawn at a time."))
    if problems:
        raise UnreadableTable(tuple(problems))
    kept = base.kept
    if kept_now and base.drawn:
        beside.remove(base.drawn)
        own = (*kept[base.turn], base.drawn)
        kept = (own, kept[1]) if base.turn == 0 else (kept[0], own)
    laid = tuple(sorted(table.spots, key=lambda spot: spot.cell))
    made = len(laid) - len(base.laid) + kept_now
    return replace(
        base,
        pieces=pieces,
        laid=laid,
        kept=kept,
        drawn=beside[0] if beside else None,
        turn=(base.turn + made) % 2,
        pool=_rest(base, {spot.domino for spot in laid}.union(*kept, beside)),
    )


def _unknown(table: Table) -> Position:
    """A first look: the variant is the one that has so many pieces and no dominoes are kept."""
    pieces = sum(1 for pawn in table.pawns if _on_board(pawn.cell))
    return Position.fresh("four pieces" if pieces > 4 else USUAL)


def _rest(base: Position, seen: set[Domino]) -> tuple[Domino, ...]:
    """The known order of the pool, as far as it was not drawn from; () once a domino lies there no more."""
    rest = tuple(domino for domino in base.pool if domino not in seen)
    return rest if len(rest) + len(seen) == len(FULL_SET) else ()


def _on_board(cell: Cell | None) -> bool:
    return cell is not None and 0 <= cell.row < SIDE and 0 <= cell.col < SIDE


def _beside(table: Table) -> set[Domino]:
    """The dominoes that lie face up off the board."""
    in_hands = (domino for hand in table.hands for domino in hand.dominoes)
    return {*(tile.domino for tile in table.loose), *(tile.domino for tile in table.chain.tiles), *in_hands}


def _strange(table: Table) -> Iterator[Problem]:
    """Tiles that no table of this game can show."""
    if table.board.placed:
        cells = tuple(table.board.owner)
        number = count(len(table.board.placed), "domino lies", "dominoes lie")
        yield Problem(f"{number} on two squares each: here a domino lies on one square.", cells)
    for spot in table.spots:
        if not _on_board(spot.cell):
            yield Problem(f"The {said_high(spot.domino)} lies beyond the 8 by 8 squares.", (spot.cell,))
    all_seen = [(spot.domino, spot.cell) for spot in table.spots]
    for domino, cell in all_seen:
        if domino not in FULL_SET:
            yield Problem(f"The {said_high(domino)} is not in the {FULL_SET.name} set.", (cell,))
    for domino in sorted({domino for domino, _ in all_seen}):
        cells = tuple(cell for other, cell in all_seen if other == domino)
        places = [f"on {square(cell)}" if _on_board(cell) else "beyond the squares" for cell in cells]
        places += ["beside the board"] if domino in _beside(table) else []
        if len(places) > 1:
            yield Problem(f"The {said_high(domino)} is there {often(len(places))}: {listing(places)}.", cells)
    for domino in sorted(_beside(table)):
        if domino not in FULL_SET:
            yield Problem(f"The {said_high(domino)} beside the board is not in the {FULL_SET.name} set.")


def _crowded(table: Table) -> Iterator[Problem]:
    """Squares with more than one thing on them."""
    things = [spot.cell for spot in table.spots] + [pawn.cell for pawn in table.pawns if pawn.cell]
    for cell in sorted({cell for cell in things if things.count(cell) > 1 and _on_board(cell)}):
        yield Problem(f"Two things are on {square(cell)}: a square holds one piece or one domino.", (cell,))


def _pieces(table: Table, base: Position) -> tuple[tuple[tuple[Cell, ...], tuple[Cell, ...]], list[Problem]]:
    """White's and Black's squares: the lighter of two colours is White."""
    setup = VARIANTS[base.variant]
    wanted = len(setup.white.split())
    by_color = _by_color([pawn for pawn in table.pawns if _on_board(pawn.cell)])
    expected = f"two colours with {wanted} pieces each are expected"
    cells = tuple(pawn.cell for pawns in by_color.values() for pawn in pawns if pawn.cell)
    if len(by_color) != 2:
        seen = listing([count(len(pawns), f"{name} piece") for name, pawns in by_color.items()]) or "no piece"
        squares = [listing(named.split()) for named in (setup.white, setup.black)]
        begins = "" if table.spots else f"; the game begins with light ones on {squares[0]}, dark ones on {squares[1]}"
        return base.pieces, [Problem(f"On the board is {seen}; {expected}{begins}.", cells)]
    light, dark = sorted(by_color.values(), key=lambda pawns: -sum(sum(p.color) for p in pawns) / len(pawns))
    problems = [
        Problem(
            f"{name} has {count(len(pawns), 'piece')} on the board; {expected}.",
            _cells(pawns),
            unfinished=len(pawns) < wanted,
        )
        for name, pawns in zip(COLORS, (light, dark), strict=True)
        if len(pawns) != wanted
    ]
    return (_cells(light), _cells(dark)), problems


def _by_color(pawns: list[Piece]) -> dict[str, list[Piece]]:
    """The pieces by the names of their colours; one that a shadow makes dull goes with the nearer of two others."""
    by_color: dict[str, list[Piece]] = {}
    for pawn in pawns:
        by_color.setdefault(pawn.color_name, []).append(pawn)
    for dull in DULL:
        if len(by_color) > 2:
            for pawn in by_color.pop(dull, []):
                near = min(by_color.values(), key=lambda known: _difference(pawn, known[0]))
                near.append(pawn)
    return by_color


def _difference(one: Piece, other: Piece) -> float:
    """How far apart two colours are, as ratios of light: a shadow takes the same share from each."""
    return sum(log((a + 1) / (b + 1)) ** 2 for a, b in zip(one.color, other.color, strict=True))


def _cells(pawns: list[Piece]) -> tuple[Cell, ...]:
    return tuple(sorted(pawn.cell for pawn in pawns if pawn.cell))


def tried(state: Position, seen: Position) -> Iterator[Turn]:
    """The turn that two moved pieces and a new domino show, allowed or not."""
    left, reached, new = _moved(state, seen)
    if len(new) == 1 and len(left) == len(reached) == 2 and state.drawn:
        first, second = left if left[0] == new[0].cell else left[::-1]
        yield from sorted(
            (Turn(first, one, second, other, new[0].domino) for one, other in (reached, reached[::-1])),
            key=lambda turn: not (ways(turn.first, turn.first_to) and ways(turn.second, turn.second_to)),
        )


def _moved(state: Position, seen: Position) -> tuple[list[Cell], list[Cell], list[Spot]]:
    """The squares that pieces of who is to move left and reached, and the new dominoes on those that they left."""
    mine, now = (set(position.pieces[state.turn]) for position in (state, seen))
    left = sorted(mine - now)
    return left, sorted(now - mine), [spot for spot in seen.laid if spot not in state.laid and spot.cell in left]


def towards(state: Position, seen: Position) -> Iterator[Move]:
    """What brings nearer to what is seen: a turn shows by the pieces of its side, and by the domino where one stood."""
    if state.drawn:
        yield from tried(state, seen)
        if state.keeps:
            yield Keep(state.drawn)
        return
    *_, new = _moved(state, seen)
    kept = [domino for domino in seen.kept[state.turn] if domino not in state.kept[state.turn]]
    yield from map(Draw, [*(spot.domino for spot in new), *kept, *filter(None, [seen.drawn])])


def differences(state: Position, seen: Position) -> Iterator[Problem]:
    """What moved, came and went; a turn that is half done is said to be that."""
    came, gone = _apart(seen.laid, state.laid), _apart(state.laid, seen.laid)
    moved = [(sorted(set(a) - set(b)), sorted(set(b) - set(a))) for a, b in zip(state.pieces, seen.pieces, strict=True)]
    if half := _half(state, seen):
        yield _half_done(state, *half)
        return
    for spot in gone:
        yield Problem(f"The {said_high(spot.domino)} is gone from {square(spot.cell)}: put it back.", (spot.cell,))
    for spot in came:
        yield Problem(f"The {said_high(spot.domino)} has come to {square(spot.cell)}.", (spot.cell,))
    for seat, (starts, ends) in enumerate(moved):
        if starts:
            places = f"{listing(list(map(square, starts)))} to {listing(list(map(square, ends)))}"
            yield Problem(f"{COLORS[seat]} went from {places}; no one turn does that.", (*starts, *ends))


def left_to_do(state: Position, seen: Position) -> str:
    """What is still to be done of a turn of which a piece has moved, or both; "" where none has, or something is
    wrong."""
    half = _half(state, seen)
    if half is None:
        return _domino_lacks(state, seen)
    start, _, came = half
    return "" if came and came[0].cell != start else _half_done(state, *half).text


def _domino_lacks(state: Position, seen: Position) -> str:
    """That the domino has still to be laid, where both pieces have moved as in a turn; "" where they have not."""
    left, reached, _ = _moved(state, seen)
    waits = state.pieces[1 - state.turn] == seen.pieces[1 - state.turn] and state.laid == seen.laid
    if not waits or not len(left) == len(reached) == 2:
        return ""
    places = [start for start in left if _may_begin(state, start, left, reached)]
    told = f"the domino has still to be laid on {listing(list(map(square, places)), 'or')}, where the first one stood"
    return f"{COLORS[state.turn]} has moved both pieces: {told}." if places else ""


def _may_begin(state: Position, start: Cell, left: list[Cell], reached: list[Cell]) -> bool:
    """Whether the piece from there may have moved first, by the drawn domino or by any where none was shown."""
    (second,) = (cell for cell in left if cell != start)
    for domino in [state.drawn] if state.drawn else state.left:
        for one, other in permutations(reached):
            with suppress(IllegalMove):
                turned(replace(state, drawn=domino), Turn(start, one, second, other, domino))
                return True
    return False


def _half(state: Position, seen: Position) -> tuple[Cell, Cell, list[Spot]] | None:
    """From where to where the only piece went that moved, and what was laid; None if more or less happened."""
    came, gone = _apart(seen.laid, state.laid), _apart(state.laid, seen.laid)
    left, reached, _ = _moved(state, seen)
    waits = state.pieces[1 - state.turn] == seen.pieces[1 - state.turn]
    return (left[0], reached[0], came) if len(left) == 1 and len(came) <= 1 and not gone and waits else None


def _half_done(state: Position, start: Cell, end: Cell, came: list[Spot]) -> Problem:
    who = COLORS[state.turn]
    if not came:
        text = f"{who} moved from {square(start)} to {square(end)}: the domino has still to be laid on {square(start)}."
    elif came[0].cell != start:
        text = f"The domino belongs on {square(start)}, where the first piece stood, not on {square(came[0].cell)}."
    else:
        text = f"{who} has moved one piece, from {square(start)} to {square(end)}: another one has to move too."
    return Problem(text, (start, end, *(spot.cell for spot in came)))


def _apart(one: tuple[Spot, ...], other: tuple[Spot, ...]) -> list[Spot]:
    return [spot for spot in one if spot not in other]
