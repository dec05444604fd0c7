"""From a table to a moment of Domino Finder: the rows, the pawns and the dice, and what was seen before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from rules.board import Cell, corner, extent
from rules.certainty import part
from rules.domino import Domino
from rules.finder.state import (
    COLORS,
    COLS,
    FULL_SET,
    GOALS,
    IN_ROW,
    REMOVED,
    ROWS,
    Face,
    Flip,
    Idle,
    Move,
    Search,
    Seen,
    Step,
    Thrown,
    Tile,
    halves,
    on_board,
    place_of,
    square,
)
from rules.finder.turns import flips
from rules.fit import Fit
from rules.game import Problem, UnreadableTable
from rules.table import Piece, Table
from rules.two_dice import Roll, dice_shown, wrong_dice
from rules.words import count, listing, often, said

Lying: TypeAlias = dict[tuple[Cell, ...], tuple[int, int] | None]

_DICE = 2
_MOVED = 0.5  # cells, less than a die is wide: dice that all lie so far from where any lay were rolled
_FEWEST = 4  # dominoes that tell well enough where the dice lie
_IN_LANES = 0.8  # of the dominoes that are sure: where fewer lie in the same lanes, these are no rows
_WIDEST = 3  # table rows from one row to the next, at most
_WANTED = f"{ROWS * IN_ROW} dominoes in {ROWS} rows of {IN_ROW} are expected"
_LIFT = " What lies beneath a pawn is not seen: lift the pawns for a moment."


def read_search(table: Table, before: Search | None) -> Search:
    """What lies open and face down, the pawns and the dice; what was seen before is remembered.

    A domino that a pawn or a doubt covers is still as it was. Raises UnreadableTable with what is there and expected.
    """
    problems = list(_off_the_rows(table))
    lying: Lying = {cells: None for place in table.face_down if (cells := place.cells)}
    lying |= {placed.cells: (placed.head, placed.tail) for placed in table.board.placed}
    if not lying:
        raise UnreadableTable((*problems, Problem(f"No domino lies on the grid; {_WANTED}.")))
    doubted = {cell for doubt in table.doubts if not doubt.sentence for cell in doubt.where}
    laid = _rows(lying, before) or _rows(_in_lanes(lying, doubted), before)
    if laid is None:
        raise UnreadableTable((Problem(f"{_there(len(lying))}, not in such rows; {_WANTED}.", _cells(lying)),))
    fit, spread = laid
    problems += [
        _off_them(Domino.of(*pips))
        for ends, pips in lying.items()
        if pips and not _on_a_place(ends, fit, spread) and doubted.isdisjoint(ends)
    ]
    lying = {ends: pips for ends, pips in lying.items() if _on_a_place(ends, fit, spread)}
    seen = {place_of(min(ends)): _as_lies(ends, pips) for ends, pips in _on_rows(lying, fit, spread)}
    unsure = {place_of(cell) for cell in _moved(doubted, fit, spread) if on_board(cell)}
    base = before or _first_look(table)
    base = replace(base, colors=_colors(table, base), fit=fit, spread=spread)
    pawns = _pawns(table, base)
    tiles = tuple(_tile(place, base, seen, unsure, pawns, before is None) for place in range(ROWS * IN_ROW))
    problems += _impossible(tiles, base)
    problems += [*wrong_dice(table), *_wrong_pawns(table, base, before is not None)]
    if before is None and len(seen) + len(base.taken) < ROWS * IN_ROW:
        advice = _LIFT if any(place_of(cell) not in seen for cell in pawns if cell) else ""
        problems.append(Problem(f"{_there(len(seen))}; {_WANTED}.{advice}", _cells(lying)))
    if problems:
        raise UnreadableTable(tuple(problems))
    dice, thrown = dice_shown(table) or base.dice, _thrown(table, fit) or base.thrown
    if _on_their_way(base, thrown):
        dice, thrown = base.dice, base.thrown
    looking = base.looking if base.looking and tiles[place_of(base.looking)] == Tile() else None
    read = replace(base, tiles=tiles, pawns=pawns, dice=dice, looking=looking, thrown=thrown)
    # At a first look with pawns on the board, the dice show the treasure that is looked for.
    started = before is None and len(table.dice) == 2 and any(pawns)
    return replace(read, rolls=(), rolling=False) if started else read


def _first_look(table: Table) -> Search:
    """A game that nobody has followed: the dominoes before a player are treasures found."""
    players = max(_players(table), *(hand.seat + 1 for hand in table.hands), 0)
    before = {hand.seat: hand.dominoes for hand in table.hands}
    return replace(Search.fresh(players), found=tuple(before.get(seat, ()) for seat in range(players)))


def _there(number: int) -> str:
    return f"There {'is' if number == 1 else 'are'} {count(number, 'domino', 'dominoes')}"


def _cells(lying: Lying) -> tuple[Cell, ...]:
    return tuple(sorted(cell for cells in lying for cell in cells))


def _off_the_rows(table: Table) -> Iterator[Problem]:
    for domino in part(table).astray:
        if not table.hands:
            yield _off_them(domino)


def _off_them(domino: Domino) -> Problem:
    return Problem(f"The {said(domino)} lies off the rows; a treasure lies before the player who found it.")


def _in_lanes(lying: Lying, doubted: set[Cell]) -> Lying:
    """The dominoes that are not doubtful, without those that lie across or half a domino beside most of the others."""
    sure = {cells: _lane(cells) for cells in lying if doubted.isdisjoint(cells)}
    kept = {
        cells: lying[cells]
        for lane, _ in Counter(sure.values()).most_common(1)
        for cells in sure
        if sure[cells] == lane
    }
    return kept if len(kept) > _IN_LANES * len(sure) else {}


def _lane(cells: tuple[Cell, ...]) -> tuple[bool, int]:
    """Whether a domino lies along a row, and at which of two lanes of places."""
    one, other = sorted(cells)
    return one.row == other.row, (one.col if one.row == other.row else one.row) % 2


def _rows(lying: Lying, before: Search | None) -> tuple[Fit, int] | None:
    """The turn, shift and gaps under which every domino lies in its place and most agree with what was known."""
    fits = [(fit, spread) for spread in range(1, _WIDEST + 1) for fit in _fits(lying, spread)] if lying else []
    if not fits:
        return None
    if before is None:
        return fits[0]
    return max(fits, key=lambda laid: _agreement(lying, before, *laid))


def _fits(lying: Lying, spread: int) -> Iterator[Fit]:
    for turn in range(4):
        turned = {cell.turned(turn) for cells in lying for cell in cells}
        first, (rows, cols) = corner(turned), extent(turned)
        for down in range(ROWS - (rows - 1) // spread):
            for right in range(COLS - cols + 1):
                fit = Fit(turn, down * spread - first.row, right - first.col)
                if all(_is_place(cells, fit, spread) for cells in lying):
                    yield fit


def _is_place(cells: tuple[Cell, ...], fit: Fit, spread: int) -> bool:
    one, other = sorted(map(fit.apply, cells))
    return one.row == other.row and one.row % spread == 0 and one.col % 2 == 0


def _on_a_place(cells: tuple[Cell, ...], fit: Fit, spread: int) -> bool:
    """Whether a domino lies in one of the rows: a doubtful one beside them is none."""
    return _is_place(cells, fit, spread) and all(map(on_board, _moved(cells, fit, spread)))


def _agreement(lying: Lying, before: Search, fit: Fit, spread: int) -> tuple[int, bool]:
    """How many open numbers are those that were known, and dominoes where dominoes were; of equal ones the last fit."""
    agreeing = 0
    for ends, pips in _on_rows(lying, fit, spread):
        tile = before.tiles[place_of(min(ends))]
        way = _as_lies(ends, pips)
        agreeing += (tile.face is not Face.GONE) + (way is None) * (tile.face is Face.DOWN)
        if way and tile.pips:
            agreeing += 3 * (way == tile.pips) - 1
    return agreeing, (fit, spread) == (before.fit, before.spread)


def _on_rows(lying: Lying, fit: Fit, spread: int) -> Iterator[tuple[tuple[Cell, ...], tuple[int, int] | None]]:
    for cells, pips in lying.items():
        yield tuple(_moved(cells, fit, spread)), pips


def _moved(cells: Sequence[Cell] | set[Cell], fit: Fit, spread: int) -> Iterator[Cell]:
    for cell in cells:
        moved = fit.apply(cell)
        yield Cell(moved.row // spread, moved.col)


def _as_lies(ends: tuple[Cell, ...], pips: tuple[int, int] | None) -> tuple[int, int] | None:
    """The numbers from left to right; a turned table has the head on the right."""
    return pips if pips is None or ends[0] < ends[1] else pips[::-1]


def to_table(state: Search, cell: Cell) -> Cell:
    """The cell of the table that was read for a number of the rows."""
    return state.fit.undo(Cell(cell.row * state.spread, cell.col))


def _tile(
    place: int,
    base: Search,
    seen: dict[int, tuple[int, int] | None],
    unsure: set[int],
    pawns: Sequence[Cell | None],
    first: bool,
) -> Tile:
    old = base.tiles[place]
    # Under a pawn an open domino may not be seen; where one lay face down, the pawn stands on the treasure's space.
    under = old.face is Face.UP and any(cell and place_of(cell) == place for cell in pawns)
    covered = place in unsure or under
    if place not in seen:
        return old if covered and not first else REMOVED if old.face is not Face.GONE else old
    pips = seen[place]
    if old.face is Face.GONE and (pips is None or place in unsure):
        return old  # where a treasure was taken nothing is laid again, and a gap in a row of backs looks like one
    if pips is None:
        return old if old.face is Face.DOWN else Tile(old.pips, Face.DOWN, old.seen)
    if place in unsure and old.seen:
        pips = old.pips
    return Tile(pips, Face.UP, True)


def _impossible(tiles: Sequence[Tile], base: Search) -> Iterator[Problem]:
    """Dominoes that are there twice or in no set, and rows that cannot have one blank."""
    known = [(place, tile.domino) for place, tile in enumerate(tiles) if tile.seen and tile.domino]
    for place, tile in enumerate(tiles):
        domino, cells = tile.domino, tuple(to_table(base, cell) for cell in halves(place))
        if not domino or tile.face is not Face.UP:
            continue
        if domino not in FULL_SET:
            yield Problem(f"The {said(domino)} is not in the {FULL_SET.name} set.", cells)
        elif domino in base.taken:
            yield Problem(f"The {said(domino)} lies in the rows, and was taken as a treasure before.", cells)
        elif (twins := [other for other, one in known if one == domino])[1:]:
            open_first = min(twins, key=lambda other: (tiles[other].face is not Face.UP, other))
            if place == open_first:  # told once
                yield _too_often(domino, twins, base)
    for row in range(ROWS):
        dominoes = tiles[row * IN_ROW : (row + 1) * IN_ROW]
        traps = [tile.domino for tile in dominoes if tile.seen and tile.is_trap and tile.domino]
        if len(traps) > 1:
            names = listing([f"the {said(domino)}" for domino in traps])
            cells = tuple(to_table(base, Cell(row, col)) for col in range(COLS))
            yield Problem(f"In row {row + 1} lie {names}; each row has one domino with a blank.", cells)


def _too_often(domino: Domino, places: Sequence[int], base: Search) -> Problem:
    """One domino is known to lie at several places."""
    names = listing([f"at {square(halves(place)[0])}" for place in places])
    cells = tuple(to_table(base, cell) for place in places for cell in halves(place))
    return Problem(f"The {said(domino)} is there {often(len(places))}: {names}.", cells)


def _players(table: Table) -> int:
    return min(max(2, len({piece.color_name for piece in table.pawns})), max(GOALS))


def _colors(table: Table, base: Search) -> tuple[str, ...]:
    """The colours of the pawns: those that are there, where none of the game's own is."""
    there = tuple(dict.fromkeys(piece.color_name for piece in table.pawns))
    untouched = all(cell is None for cell in base.pawns) and base.colors == COLORS[: base.players]
    others = untouched and len(there) == base.players and set(there) != set(base.colors)
    return there if others else base.colors


def _pawns(table: Table, base: Search) -> tuple[Cell | None, ...]:
    """Where each player's pawn stands; one that is not seen, as under a hand, where it stood."""
    places = dict(zip(base.colors, base.pawns, strict=True))
    for piece in table.pawns:
        if piece.color_name in places:
            places[piece.color_name] = _standing(piece, base)
    return tuple(places.values())


def _standing(piece: Piece, base: Search) -> Cell | None:
    if piece.cell is None:
        return None
    cell = next(_moved([piece.cell], base.fit, base.spread))
    return cell if on_board(cell) else None


def _wrong_pawns(table: Table, base: Search, known: bool) -> Iterator[Problem]:
    for color, times in Counter(piece.color_name for piece in table.pawns).items():
        cells = tuple(piece.cell for piece in table.pawns if piece.color_name == color and piece.cell)
        if times > 1:
            yield Problem(f"There are {times} {color} pawns; each player has one, of a colour of its own.", cells)
        elif known and color not in base.colors:
            expected = listing([f"the {name}" for name in base.colors], "or")
            yield Problem(f"A {color} pawn is there; {expected} one is expected.", cells)
    if not known and len(table.pawns) > max(GOALS):
        yield Problem(f"There are {len(table.pawns)} pawns; 2 to {max(GOALS)} play.")


def _thrown(table: Table, fit: Fit) -> Thrown:
    """Where the dice lie among the cells, as the dominoes on them tell, which lie at places of the table too."""
    lying = [place for place in table.face_down if place.cells]
    if len(lying) < _FEWEST or not table.dice:
        return ()
    cells = [sum(complex(c.col, c.row) for c in map(fit.apply, place.cells)) / 2 for place in lying]
    places = [complex(place.x, place.y) for place in lying]
    cell, place = (sum(points) / len(points) for points in (cells, places))
    spread = sum(abs(one - cell) ** 2 for one in cells)
    turn = sum((one - place) * (other - cell).conjugate() for one, other in zip(places, cells, strict=True)) / spread
    if not abs(turn):
        return ()
    return tuple((cell + (complex(die.x, die.y) - place) / turn, die.value) for die in table.dice)


def _rolled(before: Search, seen: Search) -> bool:
    """Whether dice that were to be rolled lie elsewhere now: they may show the same numbers again."""
    if not (before.rolls or before.rolling) or not (len(before.thrown) == len(seen.thrown) == _DICE):
        return False
    return not any(_lie_close(old, new) for old in before.thrown for new in seen.thrown)


def _on_their_way(before: Search, thrown: Thrown) -> bool:
    """Whether of dice that are to be rolled one lies as it lay and the other one elsewhere: the hand is not done."""
    if not (before.rolls or before.rolling) or not (len(before.thrown) == len(thrown) == _DICE):
        return False
    moved = [not any(_lie_close(old, new) for old in before.thrown) for new in thrown]
    lies = [any(_lie_close(old, new) and old[1] == new[1] for old in before.thrown) for new in thrown]
    return (moved[0] and lies[1]) or (moved[1] and lies[0])


def _lie_close(one: tuple[complex, int], other: tuple[complex, int]) -> bool:
    return abs(one[0] - other[0]) <= _MOVED


def agrees(expected: Search, seen: Search) -> bool:
    """Whether the same dominoes lie open, face down and nowhere, with the pawns and the dice as expected.

    Dice that were to be rolled and lie elsewhere were rolled. No pawn stands on a face-down domino: one that still
    seems to lie there was flipped as the pawn came.
    """
    under = {place_of(cell) for cell in seen.pawns if cell}
    for place, (wanted, there) in enumerate(zip(expected.tiles, seen.tiles, strict=True)):
        if place in under and there.face is Face.DOWN and wanted.face is not Face.DOWN:
            continue
        if wanted.face is not there.face or (wanted.face is Face.UP and wanted.pips not in (None, there.pips)):
            return False
    if _rolled(expected, seen):
        return False
    dice = (sorted(state.dice or ()) for state in (expected, seen))
    return expected.looking is None and expected.pawns == seen.pawns and next(dice) == next(dice)


def tried(state: Search, seen: Search) -> Iterator[Move]:
    """What may have been tried: the domino that lies open now, flipped from where the pawn stands or from an end."""
    if seen.dice and seen.dice != state.dice:
        yield Roll(seen.dice)
    for place, (old, new) in enumerate(zip(state.tiles, seen.tiles, strict=True)):
        if old.face is Face.DOWN and new.face is not Face.DOWN:
            pawn = seen.pawns[state.turn]
            ends = [pawn] if pawn in halves(place) and pawn else halves(place)
            yield from (Flip(half, step) for half in ends for step in Step)


def towards(state: Search, seen: Search) -> Iterator[Move]:
    """What may have been done to come nearer to what is seen, the likeliest first."""
    if state.rolls or state.rolling:
        yield from (Roll(seen.dice),) if seen.dice else ()
    elif state.looking:
        yield from _shows(state, seen.tile_at(state.looking))
    elif state.turn in state.skips:
        yield Idle.SKIP
    else:
        yield from _flips_towards(state, seen)
        yield Idle.PASS


def _shows(state: Search, tile: Tile) -> Iterator[Seen]:
    """What the domino that is looked at shows: what lies there, or the treasure where nothing lies any more."""
    wanted = state.target if tile.face is Face.GONE else None
    ways = {(wanted.high, wanted.low), (wanted.low, wanted.high)} if wanted else {tile.pips} if tile.pips else ()
    yield from (Seen(*pips) for pips in sorted(ways))


def _flips_towards(state: Search, seen: Search) -> list[Flip]:
    """A flip onto each half of what was turned: a pawn's last one is where it stands, and its others are not."""
    under = {place_of(cell) for cell in seen.pawns if cell}
    down = [k for k, tile in enumerate(state.tiles) if tile.face is Face.DOWN]
    turned = {k for k in down if k in under or seen.tiles[k].face is not Face.DOWN}
    last = seen.pawns[state.turn] if len(turned) <= state.players else None
    ways = {flip.half: flip for flip in flips(state) if place_of(flip.half) in turned}
    return sorted(ways.values(), key=lambda flip: (flip.half != last, flip.half in seen.pawns))


def differences(state: Search, seen: Search) -> Iterator[Problem]:
    """What was turned, came and went, and which pawns moved, where no move explains it."""
    for place, (old, new) in enumerate(zip(state.tiles, seen.tiles, strict=True)):
        cells = halves(place)
        if old.face is not new.face:
            now = {Face.DOWN: "lies face down now", Face.UP: "lies open now", Face.GONE: "is missing"}[new.face]
            # What lies face down is nobody's to know.
            known = new.domino if new.face is Face.UP else None if old.face is Face.DOWN else old.domino
            yield Problem(f"The {_name(known)} at {square(cells[0])} {now}.", cells)
        elif new.face is Face.UP and old.pips and old.pips != new.pips:
            yield Problem(
                f"At {square(cells[0])} lies the {_name(new.domino)}; the {_name(old.domino)} lay there.", cells
            )
    for color, old_cell, new_cell in zip(state.colors, state.pawns, seen.pawns, strict=True):
        if old_cell != new_cell:
            at, was = (f"at {square(cell)}" if cell else "beside the board" for cell in (new_cell, old_cell))
            yield Problem(f"The {color} pawn is {at} and was {was}.", (new_cell,) if new_cell else ())
    if seen.dice and sorted(seen.dice) != sorted(state.dice or ()):
        yield Problem(f"The dice show {seen.dice[0]} and {seen.dice[1]} now, though nobody was to roll.")


def _name(domino: Domino | None) -> str:
    return said(domino) if domino else "domino"
