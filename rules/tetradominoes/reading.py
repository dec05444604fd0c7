"""From a table to a moment of Tetradominoes: the grid with what is remembered under the tetrominoes, and the hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations

from rules.board import Board, Cell, Placed, areas
from rules.certainty import part
from rules.domino import Domino
from rules.fit import Fit
from rules.game import NOTHING, Problem, Seat, UnreadableTable
from rules.holding import Holding, fewer
from rules.laying import too_often
from rules.table import Doubt, Hand, Table, Tetromino
from rules.tetradominoes.compact import covers
from rules.tetradominoes.shapes import piece_of
from rules.tetradominoes.state import (
    FULL_SET,
    GOALS,
    HAND,
    LEVEL_1,
    TOKENS,
    USUAL,
    Act,
    Cover,
    Covering,
    Drew,
    Grid,
    Lay,
    Move,
    Phase,
    Reveal,
)
from rules.tetradominoes.turns import played
from rules.words import count, is_reading, listing, often, player, said, where

_MOST_NAMED = 3


def read_grid(table: Table, before: Grid | None) -> Grid:
    """The dominoes and tetrominoes that lie there, with the numbers under tetrominoes as they were seen before.

    Hands that are shown are taken in; all else is as before. After a game of a tournament all is taken up, and what
    lies there then is the next one's. Raises UnreadableTable.
    """
    return _between_games(table, before) if before and before.next_is_dealt else _read(table, before)


def _between_games(table: Table, before: Grid) -> Grid:
    """The end of a game of a tournament as it lies, or the next game."""
    lying, played_out = ({placed.domino for placed in board.placed} for board in (table.board, before.board))
    if not lying <= played_out or not (lying or table.tetrominoes):
        return _read(table, played(before, Act.DEAL))
    with suppress(UnreadableTable):
        seen = _read(table, before)
        if agrees(before, seen):
            return seen
    text = "The game is over: all dominoes and tetrominoes are taken up, and the next game is dealt."
    raise UnreadableTable((Problem(text, unfinished=True),))


def _read(table: Table, before: Grid | None) -> Grid:
    bare = not (table.board.placed or table.tetrominoes or table.loose)
    if before and bare and not before.board.placed:
        return _begun(table, before)
    fit = _fit(table, before)
    seen = table.board.moved(fit.apply)
    over = {cell: one for one in table.tetrominoes for cell in map(fit.apply, one.cells)}
    doubts = {fit.apply(cell): doubt for doubt in table.doubts if not doubt.sentence for cell in doubt.where}
    board, doubted = _remembered(seen, before, over.keys(), doubts), set(doubts)
    problems = [problem.moved(fit.undo) for problem in (*_wrong_dominoes(board), *_wrong_shapes(table, fit, board))]
    problems += _astray(table, before)
    if over.keys() <= board.pips.keys():  # else what hangs together under a tetromino is not known
        apart = (*_in_groups(board, doubted), *(_unmatched(board, doubted, set(over)) if before is None else ()))
        problems += [problem.moved(fit.undo) for problem in apart]
    base = before or _first_look(table, board)
    problems += _wrong_hands(table.hands, base, board)
    if problems:
        raise UnreadableTable(tuple(problems))
    laid = tuple(_covering(one, fit, table, base) for one in table.tetrominoes)
    first = board.top_left
    near = tuple(
        replace(one, cells=tuple(sorted(c.shifted(-first.row, -first.col) for c in one.cells))) for one in laid
    )
    hands = _hands(table.hands, base)
    read = replace(base, board=board.shifted(-first.row, -first.col), laid=_ordered(near, base), origin=first, fit=fit)
    return _waiting(_counted(replace(read, hands=hands)), before)


def _begun(table: Table, before: Grid) -> Grid:
    """The game begins on a bare table, with a hand before each player or none."""
    problems = tuple(_wrong_hands(table.hands, before, before.board))
    if problems:
        raise UnreadableTable(problems)
    return _counted(replace(before, hands=_hands(table.hands, before)))


def _fit(table: Table, before: Grid | None) -> Fit:
    """The turn and shift under which most dominoes lie where they did."""
    if before is None:
        return Fit()
    ways = _ways(part(table).sure, before) or _ways(table.board, before)  # the likely ones, if none is sure
    best = max(ways.values(), default=0)
    likely = [fit for fit, votes in ways.items() if votes == best]
    return before.fit if before.fit in likely or not likely else likely[0]


def _ways(board: Board, before: Grid) -> Counter[Fit]:
    """Under which turns and shifts how many dominoes lie where they did."""
    ways: Counter[Fit] = Counter()
    old = {placed.domino: placed for placed in _absolute(before).placed}
    for turn in range(4):
        for placed in board.placed:
            turned = placed.moved(lambda cell, turn=turn: cell.turned(turn))  # type: ignore[misc]
            known = old.get(placed.domino)
            if known and (turned.head, turned.tail, turned.way) == (known.head, known.tail, known.way):
                ways[Fit(turn, known.cell.row - turned.cell.row, known.cell.col - turned.cell.col)] += 1
    return ways


def _absolute(state: Grid) -> Board:
    """The grid in cells as the first look counted."""
    return state.board.shifted(state.origin.row, state.origin.col)


def _remembered(seen: Board, before: Grid | None, over: Collection[Cell], doubts: Mapping[Cell, Doubt]) -> Board:
    """The dominoes that are seen, and those that were there before where something covers them now, or where it is not
    sure that another lies."""
    kept = [
        placed
        for placed in (_absolute(before).placed if before else ())
        if any(cell in over or (cell in doubts and _may_be(doubts[cell], placed.domino)) for cell in placed.cells)
    ]
    cells = {cell for placed in kept for cell in placed.cells}
    return Board((*kept, *(placed for placed in seen.placed if cells.isdisjoint(placed.cells))))


def _may_be(doubt: Doubt, domino: Domino) -> bool:
    """Whether a doubtful tile may read so: most are read one way or a few others, and some not at all."""
    texts = (doubt.reading, *doubt.others)
    return not is_reading(doubt.reading) or any(str(domino) in (text, text[::-1]) for text in texts)


def _wrong_dominoes(board: Board) -> Iterator[Problem]:
    if not board.placed:
        yield NOTHING
    for placed in board.placed:
        twins = [twin for twin in board.placed if twin.domino == placed.domino]
        if placed.domino not in FULL_SET:
            yield Problem(f"The {said(placed.domino)} is not in the {FULL_SET.name} set.", placed.cells)
        elif len(twins) > 1 and placed is twins[0]:
            yield too_often(*twins)


def _in_groups(board: Board, doubted: set[Cell]) -> Iterator[Problem]:
    parts = areas(doubted.union(board.pips), lambda one, other: True)
    cut = tuple(cell for area in parts[1:] for cell in area if cell in board.pips)
    if cut:
        yield Problem(f"The dominoes lie in {len(parts)} groups: {where(cut)} must touch the others.", cut)


def _unmatched(board: Board, doubted: set[Cell], covered: set[Cell]) -> Iterator[Problem]:
    """What only meets other numbers than its own, in a grid whose moves nobody saw.

    Only where every number was covered may a domino have been laid beside another one: all that lay there before is
    covered still. A doubtful tile may read what matches.
    """
    pips, owner = board.pips, board.owner
    unsure = doubted.union(cell for placed in board.placed if doubted & {*placed.cells} for cell in placed.cells)

    def joined(one: Cell, other: Cell) -> bool:
        sure = unsure.isdisjoint((one, other))
        return not sure or owner[one] == owner[other] or pips[one] == pips[other]

    open_ones = [area for area in areas(unsure.union(owner), joined) if not covered.issuperset(area)]
    for area in open_ones[1:]:
        if any(other in owner and other not in area for cell in area for other in cell.neighbours()):
            yield _laid_wrongly(area, board)


def _laid_wrongly(cells: tuple[Cell, ...], board: Board) -> Problem:
    dominoes = sorted({board.owner[cell].domino for cell in cells if cell in board.owner})
    what = listing([f"the {said(domino)}" for domino in dominoes])
    if len(dominoes) > _MOST_NAMED:
        what = f"the {len(dominoes)} dominoes at {where(cells)}"
    touch = "touches no equal number" if len(dominoes) == 1 else "touch no equal number of the others"
    text = f"{what[0].upper()}{what[1:]} {touch}: in Tetradominoes each domino is laid beside a matching one."
    return Problem(text, cells)


def _wrong_shapes(table: Table, fit: Fit, board: Board) -> Iterator[Problem]:
    """Tetrominoes that are none of the seven, twice there, or on numbers that nobody has seen."""
    pieces = dict[str, list[tuple[Cell, ...]]]()
    for one in table.tetrominoes:
        cells = tuple(map(fit.apply, one.cells))
        side = "light" if one.light else "dark"
        piece = piece_of(cells, one.light)
        if piece is None:
            yield Problem(f"The {side} tetromino at {where(cells)} has none of the seven shapes.", cells)
            continue
        pieces.setdefault(piece, []).append(cells)
        bare = tuple(cell for cell in cells if cell not in board.pips)
        if bare:
            text = f"Nobody has seen which numbers lie under the {side} tetromino at {where(bare)}"
            yield Problem(f"{text}: lift it for a moment; it may hang off the edge, too.", bare)
    for piece, twins in pieces.items():
        if len(twins) > 1:
            places = listing([f"at {where(cells)}" for cells in twins])
            text = f"The {piece} tetromino is there {often(len(twins))}: {places}; each of the seven is there once."
            yield Problem(text, tuple(cell for cells in twins for cell in cells))


def _astray(table: Table, before: Grid | None) -> Iterator[Problem]:
    """Loose dominoes that nobody revealed."""
    open_ones = {domino for row in before.shown for domino in row} if before else set[Domino]()
    for domino in part(replace(table, doubts=())).astray:
        if domino not in open_ones and before is None:
            yield Problem(f"The {said(domino)} lies off the grid.")


def _first_look(table: Table, board: Board) -> Grid:
    """A game that nobody has followed: two play unless three colours of tokens or more hands lie there."""
    colors = {token.color_name for token in table.tokens}
    players = min(max(len(table.hands), 3 if len(colors) > 2 else 2), max(GOALS))
    pile = max(0, len(FULL_SET) - len(board.placed) - HAND * players)
    hands = (Holding(unknown=HAND),) * players
    return Grid(hands, Holding(unknown=pile), shown=((),) * players, variant=LEVEL_1 if players == 1 else USUAL)


def _covering(one: Tetromino, fit: Fit, table: Table, base: Grid) -> Covering:
    cells = tuple(sorted(map(fit.apply, one.cells)))
    return Covering(piece_of(cells, one.light) or "", one.light, cells, _owner(one, cells, table, base))


def _owner(one: Tetromino, cells: tuple[Cell, ...], table: Table, base: Grid) -> Seat:
    """Who played a tetromino: as remembered, else by the token on it, else by its colour, else who is to move."""
    piece = piece_of(cells, one.light)
    known = next((old.seat for old in base.laid if old.piece == piece and old.light is one.light), None)
    if known is not None:
        return known
    if base.players == 3:
        on_it = [token.color_name for token in table.tokens if token.cell in one.cells]
        return TOKENS.index(on_it[0]) if on_it and on_it[0] in TOKENS else base.turn
    if one.light in base.colors():
        return base.turn
    return base.lead if one.light else (base.lead + 1) % base.players


def _ordered(laid: Sequence[Covering], base: Grid) -> tuple[Covering, ...]:
    """In the order in which they were played, as far as that is known."""
    order = [one.piece for one in base.laid]
    return tuple(sorted(laid, key=lambda one: order.index(one.piece) if one.piece in order else len(order)))


def _wrong_hands(hands: Sequence[Hand], base: Grid, board: Board) -> Iterator[Problem]:
    there = {placed.domino for placed in board.placed}
    counted = Counter(domino for hand in hands for domino in hand.dominoes)
    for hand in hands:
        if hand.seat >= base.players:
            yield Problem(f"There are {len(hands)} hands; {count(base.players, 'player')} were expected.")
    for domino, times in sorted(counted.items()):
        if domino not in FULL_SET:
            yield Problem(f"The {said(domino)} in a hand is not in the {FULL_SET.name} set.")
        elif times > 1 or domino in there:
            yield Problem(f"The {said(domino)} is in a hand and somewhere else.")
    held = sum(len(hand.dominoes) + hand.face_down for hand in hands)
    if held + len(board.placed) > len(FULL_SET):
        text = f"{held} dominoes in hands and {len(board.placed)} on the grid are {held + len(board.placed)}"
        yield Problem(f"{text}; the {FULL_SET.name} set has {len(FULL_SET)}.")


def _hands(hands: Sequence[Hand], base: Grid) -> tuple[Holding, ...]:
    """The hands as far as they are shown; revealed dominoes that lie among them are no hidden ones."""
    held = list(base.hands)
    for hand in hands:
        old, revealed = base.hands[hand.seat], base.shown[hand.seat]
        known = tuple(domino for domino in hand.dominoes if domino not in revealed)
        kept = tuple(domino for domino in old.known if domino not in known)[: hand.face_down]
        held[hand.seat] = Holding((*known, *kept), hand.face_down - len(kept), old.lacks)
    return tuple(held)


def _counted(state: Grid) -> Grid:
    """What lies on the grid is in no hand, and what is in neither is in the pile."""
    lying = {placed.domino for placed in state.board.placed}
    hands = tuple(hand.apart_from(lying) for hand in state.hands)
    shown = tuple(tuple(domino for domino in row if domino not in lying) for row in state.shown)
    there = len(lying) + sum(map(len, hands)) + sum(map(len, shown)) + state.offering
    due = min(state.due, max(0, len(FULL_SET) - there))
    left = len(FULL_SET) - there - due
    if left < 0:
        hands = fewer(hands, -left, state.turn)
    held = {domino for hand in hands for domino in hand.known}
    known = tuple(domino for domino in state.pile.known if domino not in lying | held)[: max(0, left)]
    offer = None if state.offer in lying else state.offer
    pile = Holding(known, max(0, left) - len(known))
    return replace(state, hands=hands, shown=shown, offer=offer, due=due, pile=pile)


def _waiting(state: Grid, before: Grid | None) -> Grid:
    """The same with the domino that was played last where it lies; a domino has to be played where that one is gone, or
    where nothing can be played on it alone."""
    last = before.last if before else None
    if before and last:
        down, right = before.origin.row - state.origin.row, before.origin.col - state.origin.col
        last = last.moved(lambda cell: cell.shifted(down, right))
    if last not in state.board.placed:
        last = None
    looked = state.phase is Phase.LOOK and not state.due
    phase = (Phase.COVER if last else Phase.PLAY) if looked else state.phase
    waits = replace(state, last=last, phase=phase)
    if phase is Phase.COVER and (last is None or (state.alone and not covers(waits))):
        return replace(waits, last=None, phase=Phase.PLAY)
    return waits


def agrees(expected: Grid, seen: Grid) -> bool:
    """Whether the same dominoes and tetrominoes lie on the same cells."""
    if expected.board != seen.board:
        return False
    return _covers(expected) == _covers(seen)


def _covers(state: Grid) -> Mapping[tuple[Cell, ...], tuple[bool, Seat]]:
    three = state.players == 3
    return {one.cells: (one.light, one.seat if three else 0) for one in state.laid}


def tried(state: Grid, seen: Grid) -> Iterator[Move]:
    """The dominoes and tetrominoes that are new on the table."""
    down, right = seen.origin.row - state.origin.row, seen.origin.col - state.origin.col
    old = {placed.domino for placed in state.board.placed}
    yield from (
        Lay(placed.moved(lambda cell: cell.shifted(down, right)))
        for placed in seen.board.placed
        if placed.domino not in old
    )
    pieces = {one.piece for one in state.laid}
    for one in seen.laid:
        if one.piece not in pieces:
            yield Cover(one.piece, one.light, tuple(cell.shifted(down, right) for cell in one.cells))


def towards(state: Grid, seen: Grid) -> Iterator[Move]:
    """What may have been done to come nearer to what is seen; no draw and no trade, for those nobody can see."""
    if state.phase is Phase.PLAY:
        yield from (move for move in tried(state, seen) if isinstance(move, Lay))
        shown = [domino for domino in seen.hands[state.turn].known if domino not in state.known]
        yield from (Reveal(one, other) for one, other in combinations(shown, 2))
        yield Act.PASS
    elif state.phase is Phase.COVER:
        yield from (move for move in tried(state, seen) if isinstance(move, Cover))
        yield Act.DONE
    elif state.phase is Phase.LOOK:
        yield from (Drew(domino) for domino in seen.hands[state.turn].known if domino not in state.known)
    elif state.phase is Phase.TRADE:
        yield Act.KEEP
    elif state.next_is_dealt:
        yield Act.DEAL


def differences(state: Grid, seen: Grid) -> Iterator[Problem]:
    """What came, went, and lies elsewhere; the cells are those of `seen`."""
    old, new = _by_domino(_absolute(state)), _by_domino(_absolute(seen))
    if state.pile.unknown and not state.hand.unknown and len(new.keys() - old.keys()) > (state.phase is not Phase.LOOK):
        yield Problem(f"What {player(state.turn).lower()} draws has to be said, as =42, before more can be followed.")
    home = (-seen.origin.row, -seen.origin.col)
    for domino in sorted(old.keys() - new.keys()):
        yield Problem(f"The {said(domino)} is gone from the grid: it stays where it was played.")
    for domino, placed in sorted(new.items()):
        cells = tuple(cell.shifted(*home) for cell in placed.cells)
        if domino not in old:
            yield Problem(f"The {said(domino)} is new at {where(cells)}; no moves put it there.", cells)
        elif old[domino] != placed:
            yield Problem(f"The {said(domino)} was moved to {where(cells)}: it stays where it was played.", cells)
    before = {(one.piece, one.light): _moved(one, state) for one in state.laid}
    after = {(one.piece, one.light): _moved(one, seen) for one in seen.laid}
    for (piece, light), at in sorted(before.items()):
        side = "light" if light else "dark"
        if (piece, light) not in after:
            yield Problem(f"The {side} {piece} tetromino of {player(_seat(state, piece)).lower()} is gone.")
        elif after[piece, light] != at:
            cells = tuple(cell.shifted(*home) for cell in after[piece, light])
            yield Problem(f"The {side} {piece} tetromino was moved to {where(cells)}.", cells)
    new_pieces = sorted(piece for piece, light in after if (piece, light) not in before)
    if new_pieces:
        yield Problem(f"New on the grid: the {listing(new_pieces)} tetromino; no moves put it there.")


def _seat(state: Grid, piece: str) -> Seat:
    return next(one.seat for one in state.laid if one.piece == piece)


def _moved(one: Covering, state: Grid) -> tuple[Cell, ...]:
    return tuple(cell.shifted(state.origin.row, state.origin.col) for cell in one.cells)


def _by_domino(board: Board) -> dict[Domino, Placed]:
    return {placed.domino: placed for placed in board.placed}


def to_table(state: Grid, seen: Grid, cell: Cell) -> Cell:
    """The cell of the table that was read, for a cell of the state."""
    return seen.fit.undo(cell.shifted(state.origin.row, state.origin.col))
