"""Making maps of Mountains and Valleys: a solution from any deal, deals at random, and deals graded by effort."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from statistics import median

from rules.board import EMPTY, Board, Cell, Placed
from rules.domino import Domino
from rules.game import Generated, Solution
from rules.laying import Lay
from rules.mountains.advice import missing_height, why_hopeless
from rules.mountains.annealing import Draft, Place, anneal, snake
from rules.mountains.frames import covering, frames, squares_at
from rules.mountains.heights import OPEN, SIDE, SQUARES, areas_of, heights_of
from rules.mountains.state import FULL_SET, HARDER, TILES, MountainsState, Take
from rules.watch import Watch
from rules.words import count

MOST_STEPS = 200_000
STARTS = 12
ORDERS = 40
# A deal in the middle takes about 200 steps of annealing.
GRADES = {"easy": (0.0, 150.0), "medium": (150.0, 500.0), "hard": (500.0, float(MOST_STEPS)), HARDER: (0.0, 500.0)}
RUNS = 5
DEALS = 200


def solve_map(state: MountainsState, watch: Watch) -> Solution[Lay | Take]:
    """Any way to a map that can be walked over; `proved` only where there surely is none, or nothing is left to do.

    What lies there stays, unless that is hopeless and the game allows taking back.
    """
    if len(state.board.placed) == TILES:
        if areas_of(heights_of(state.board.pips, Cell(0, 0)))[0] == 1:
            return Solution((), 1, 0, True)
        return Solution(None, 1, 0, True) if state.harder else _mended(state, watch)
    left = tuple(domino for domino in state.deal if domino not in {placed.domino for placed in state.board.placed})
    hopeless = why_hopeless(state.board, left)
    if hopeless:
        if state.harder or missing_height(EMPTY, state.deal) is not None:
            return Solution(None, 1, 0, True, hopeless.text)
        return _mended(state, watch)
    return _completed(state, left, watch)


def _completed(state: MountainsState, left: tuple[Domino, ...], watch: Watch) -> Solution[Lay | Take]:
    """Lays what is missing around what lies there; a harder game may need several maps until the order fits."""
    chance, steps = Random(str(state)), 0
    lacking = TILES - len(state.board.placed)
    bound = Watch(watch.limit_s, min(watch.most_states, MOST_STEPS), watch.progress, watch.every, watch.clock)
    while bound.goes_on(steps, lacking):
        dealt = left if len(left) == lacking else chance.sample(left, lacking)
        found, looked_at = _around(state.board, dealt, chance, bound)
        steps += looked_at
        if found is None:
            break
        order = _in_order(state, found, chance)
        if order is not None:
            return Solution(tuple(_lays(state.board, order)), steps)
    return Solution(None, steps, lacking)


def _mended(state: MountainsState, watch: Watch) -> Solution[Lay | Take]:
    """Takes dominoes back and lays them elsewhere: as they lie if a full map is near, else all of them anew."""
    chance, steps, goal = Random(str(state)), 0, None
    if len(state.board.placed) == TILES:
        goal, steps = _near(state.board, chance)
    if goal is None:
        laid = [placed.domino for placed in state.board.placed]
        dealt = (*laid, *[domino for domino in state.deal if domino not in laid])[:TILES]
        goal, more = _around(EMPTY, dealt, chance, watch)
        steps += more
    return Solution(tuple(_rearranged(state.board, goal)), steps) if goal else Solution(None, steps, 1)


def _near(board: Board, chance: Random) -> tuple[Board | None, int]:
    """A map that annealing finds from a full one, None where that takes too long."""
    draft = Draft(heights_of(board.pips, Cell(0, 0)), [_place(placed) for placed in board.placed], chance)
    steps = draft.improve(MOST_STEPS // 100)
    return (_board(draft, Cell(0, 0)) if areas_of(draft.heights)[0] == 1 else None), steps


def _rearranged(board: Board, goal: Board) -> Iterator[Lay | Take]:
    """Takes back what lies elsewhere in the goal, then lays what lacks."""
    for placed in board.placed:
        if placed not in goal.placed:
            yield Take(_seen_from(board, placed))
            board = board.without([placed])
    yield from _lays(board, [placed for placed in goal.placed if placed not in board.placed])


def _seen_from(board: Board, placed: Placed) -> Placed:
    """A domino as counted from the top left of a board; the first one lies at the top left itself."""
    first = board.top_left if board.placed else placed.cell
    return placed.moved(lambda cell: cell.shifted(-first.row, -first.col))


def _lays(board: Board, order: Sequence[Placed]) -> Iterator[Lay]:
    """Dominoes laid one after the other, each counted from the top left of what lies there then."""
    for placed in order:
        yield Lay(_seen_from(board, placed))
        board = board.laid(placed)


def _around(board: Board, dealt: Sequence[Domino], chance: Random, watch: Watch) -> tuple[Board | None, int]:
    """A whole map around a board, in its cells, None where none was found; and how many maps were looked at."""
    if not board.placed:
        draft, steps = anneal([OPEN] * SQUARES, dealt, [snake()], chance, watch)
        return (_board(draft, Cell(0, 0)) if draft else None), steps
    corners, total = list(frames(board)), 0
    chance.shuffle(corners)
    share = max(1, MOST_STEPS // (4 * len(corners)))
    for patience in (share // 8, share * 4):
        for corner in corners:
            fixed = heights_of(board.pips, corner)
            if areas_of(fixed)[0] > 1:
                continue
            if not watch.goes_on(total, 0):
                return None, total
            bound = Watch(watch.left_s, min(patience, watch.most_states - total), clock=watch.clock)
            draft, steps = anneal(fixed, dealt, _starts(board, corner, chance), chance, bound)
            total += steps
            if draft:
                return Board((*board.placed, *_board(draft, corner).placed)), total
    return None, total


def _starts(board: Board, corner: Cell, chance: Random) -> list[list[Place]]:
    """Some ways to cover what is free of a square."""
    free = [cell for cell in squares_at(corner) if cell not in board.owner]
    ways = [covering(free, chance) or [] for _ in range(STARTS)]
    return [[(_square(one, corner), _square(other, corner)) for one, other in way] for way in ways]


def _square(cell: Cell, corner: Cell) -> int:
    return (cell.row - corner.row) * SIDE + cell.col - corner.col


def _place(placed: Placed) -> Place:
    one, other = placed.cells
    return _square(one, Cell(0, 0)), _square(other, Cell(0, 0))


def _board(draft: Draft, corner: Cell) -> Board:
    """The movable dominoes of a draft on cells."""
    lying = []
    for one, other in draft.places:
        cells = [corner.shifted(*divmod(square, SIDE)) for square in (one, other)]
        lying.append(Placed.on(cells[0], cells[1], draft.heights[one], draft.heights[other]))
    return Board(tuple(lying))


def _in_order(state: MountainsState, goal: Board, chance: Random) -> list[Placed] | None:
    """The dominoes that lack, in an order in which they can be laid; None where a harder game turns one up too late."""
    lacking = [placed for placed in goal.placed if placed not in state.board.placed]
    if not state.harder:
        return lacking
    for _ in range(ORDERS):
        board, order = state.board, list[Placed]()
        while len(order) < len(lacking):
            waiting = replace(state, board=board).waiting
            ready = [p for p in lacking if p.domino in waiting and (not board.placed or _touches(p, board))]
            if not ready:
                break
            order.append(chance.choice(ready))
            board = board.laid(order[-1])
        else:
            return order
    return None


def _touches(placed: Placed, board: Board) -> bool:
    return any(near in board.owner for cell in placed.cells for near in cell.neighbours())


def deal_map(chance: Random, size: int) -> MountainsState:
    """18 dominoes of the set at random. Raises ValueError for any other number."""
    if size != TILES:
        raise ValueError(f"{TILES} dominoes are dealt for Mountains and Valleys, not {size}")
    return MountainsState(deal=tuple(sorted(chance.sample(FULL_SET.dominoes, TILES))))


def make_deal(chance: Random, difficulty: str, watch: Watch) -> Generated[MountainsState, Lay | Take] | None:
    """A deal whose grade is the effort that a solution takes: the steps of annealing, the middle one of five runs."""
    lowest, highest = GRADES[difficulty]
    looked_at = 0
    for _ in range(DEALS):
        drawn = tuple(chance.sample(FULL_SET.dominoes, TILES))
        harder = difficulty == HARDER
        state = MountainsState(deal=drawn if harder else tuple(sorted(drawn)), harder=harder)
        if missing_height(EMPTY, drawn) is not None:
            continue
        bound = Watch(most_states=MOST_STEPS)
        runs = [_around(EMPTY, drawn, Random(f"{run} {state}"), bound)[1] for run in range(RUNS)]
        looked_at += sum(runs)
        if lowest <= median(runs) < highest:
            solution = solve_map(state, watch)
            return _told(state, solution, difficulty, median(runs)) if solution.moves else None
        if not watch.goes_on(looked_at, 0):
            return None
    return None


def _told(
    state: MountainsState, solution: Solution[Lay | Take], difficulty: str, effort: float
) -> Generated[MountainsState, Lay | Take]:
    steep = sum(domino.high - domino.low > 1 for domino in state.deal)
    note = f"{count(steep, 'domino', 'dominoes')} of {TILES} cannot be crossed from end to end."
    return Generated(state, str(state), solution.moves or (), difficulty, effort, note)
