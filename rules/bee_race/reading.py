"""From a table to a race of Bee: the board while it is laid, and then the dice upon it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rules.bee.reading import dice_on, fitted, other_dice, other_dominoes, read_bees, read_board
from rules.bee.setup import touching_starts
from rules.bee.state import Bee, BeeState, Flight, flights, start_spaces
from rules.bee_race.moves import Fly, PutBack, RaceMove, Roll, SetUp
from rules.bee_race.state import AT_FIRST, Phase, Race
from rules.board import Cell
from rules.game import Problem, UnreadableTable
from rules.table import Table
from rules.words import listing, where

PLAYERS = 2


def read_race(table: Table, before: Race | None) -> Race:
    """What lies on the table; `before` tells all that is not there to be seen, and whose dominoes lie under dice.

    As long as dominoes of a new board lack, nothing has changed. At a first look two players are taken to sit there,
    and a third die is the queen. Raises UnreadableTable for a table that is no race.
    """
    if before is None:
        return _first_look(table)
    if before.phase is Phase.SETTING_UP:
        return _being_laid(table, before)
    fit = fitted(table, before.board, before.fit)
    bees = dice_on(table, fit, before.board)
    if before.used_up and not bees:
        return replace(before, bees=())  # whoever takes all dice off may have begun to shuffle the dominoes
    problems = [*other_dominoes(table, fit, before.board), *other_dice(bees, _expected(before, bees))]
    if problems:
        raise UnreadableTable(tuple(problem.moved(fit.undo) for problem in problems))
    return replace(before, bees=bees, fit=fit)


def _expected(before: Race, bees: tuple[Bee, ...]) -> set[int]:
    """The dice that may be there: those that were, and where one is rolled next, any that may have come."""
    coming = before.empty if before.phase in (Phase.ROLLING, Phase.SETTLED) else ()
    return {*(bee.number for bee in before.bees), *(bee.number for bee in bees if bee.number in coming)}


def _first_look(table: Table) -> Race:
    if sum(die.cell is not None for die in table.dice) > AT_FIRST:
        swarm = read_bees(table, None)
        race = Race((0,) * PLAYERS, phase=Phase.SOLVING, board=swarm.board, bees=swarm.bees, queen=swarm.queen)
        return replace(race, dice=max(swarm.board.pips.values()), fit=swarm.fit, boards=1)
    return _laid(table, Race((0,) * PLAYERS, phase=Phase.ROLLING, boards=1))


def _being_laid(table: Table, before: Race) -> Race:
    """As before until all dominoes lie there, and others than on the board before."""
    there = len(table.board.placed) + sum(die.cell is not None for die in table.dice)
    if there < len(before.used):
        return before
    seen = _laid(table, before)
    return before if seen.board == before.board else seen


def _laid(table: Table, before: Race) -> Race:
    """A whole new board, and what dice stand on their starting spaces."""
    board, fit = read_board(table)
    bees = dice_on(table, fit, board)
    spaces = start_spaces(board)
    faults = [*touching_starts(board), *other_dice(bees, {bee.number for bee in bees if bee.number in spaces})]
    faults += [
        Problem(
            f"The {bee.number} die does not stand on its starting space at {where([spaces[bee.number]])}.", (bee.cell,)
        )
        for bee in bees
        if spaces.get(bee.number, bee.cell) != bee.cell
    ]
    if faults:
        raise UnreadableTable(tuple(fault.moved(fit.undo) for fault in faults))
    return replace(before, board=board, bees=bees, dice=max(board.pips.values()), fit=fit)


def alike(expected: Race, seen: Race) -> bool:
    """Whether the same board lies there and the dice stand where they must; they do not matter while it is laid."""
    if expected.board != seen.board:
        return False
    return expected.phase is Phase.SETTING_UP or expected.bees == seen.bees


def towards(state: Race, seen: Race) -> Iterator[RaceMove]:
    """What must have happened where the table differs: the board laid, a die rolled or flown, the dice put back."""
    if state.phase is Phase.SETTING_UP:
        yield SetUp(seen.board)
    elif state.phase is Phase.ROLLING:
        came = () if _came_at_once(state, seen) else seen.bees
        yield from (Roll(bee.number) for bee in came if bee.number in state.empty)
    elif state.together and state.phase is Phase.FLYING and seen.bees == state.home:
        yield PutBack()  # some of them may have no flight back
    elif state.phase is Phase.FLYING:
        yield from _flights_towards(state, seen)
    elif (state.returns and {*state.home} <= {*seen.bees}) or (state.used_up and not seen.bees):
        yield PutBack()  # not before all are back: one that is not may look as if the next player had flown it


def _came_at_once(state: Race, seen: Race) -> tuple[Bee, ...]:
    """The dice that have come since the last look, where one of them is the queen and none can be told as the last."""
    before = state.bees if state.phase is Phase.ROLLING else ()
    came = tuple(bee for bee in seen.bees if bee not in before)
    return came if len(came) > 1 and len(before) + len(came) > AT_FIRST else ()


def left_to_do(state: Race, seen: Race) -> str:
    """Which dice have still to go back to their starting spaces, in a sentence; "" where none has, or one is astray."""
    left = [bee for bee in seen.bees if bee not in state.home]
    if not state.returns or seen.bees == state.bees or not {*left} <= {*state.bees}:
        return ""
    return f"Put the {listing([str(bee.number) for bee in left])} back as well."


def _flights_towards(state: Race, seen: Race) -> Iterator[Fly]:
    """Legal flights of dice that stand elsewhere; a wrong one only where a single die did what it cannot do."""
    assert state.swarm
    astray = [(one.number, one.cell) for one, now in zip(seen.bees, state.bees, strict=True) if one.cell != now.cell]
    ways = [way for number, cell in astray if (way := _way(state, number, cell))]
    yield from (Fly(way[0]) for way in ways)
    if len(astray) == 1 and not ways:
        yield Fly(_tried(state, *astray[0]))


def _way(state: Race, number: int, cell: Cell) -> tuple[Flight, ...]:
    """The fewest flights by which this die alone gets to a cell, () where it does not."""
    assert state.swarm
    level: list[tuple[BeeState, tuple[Flight, ...]]] = [(state.swarm, ())]
    known = {state.swarm.cells[number]}
    while level and number != state.queen:
        reached = []
        for swarm, way in level:
            for flight in flights(swarm, number):
                end = flight.stops(swarm.cells[number])[-1]
                if end == cell:
                    return (*way, flight)
                if end not in known:
                    known.add(end)
                    reached.append((swarm.landed(number, end), (*way, flight)))
        level = reached
    return ()


def tried(state: Race, seen: Race) -> Iterator[Fly]:
    """The dice that were moved, though nobody is to fly, and together a flight that is none."""
    flies = state.phase is Phase.SOLVING or (state.together and state.phase is Phase.FLYING)
    if flies and seen.phase is state.phase:  # a die that came but now was set down there, and not moved
        moved = [bee for bee, now in zip(seen.bees, state.bees, strict=True) if bee.cell != now.cell]
        yield from (Fly(_tried(state, bee.number, bee.cell)) for bee in moved)


def _tried(state: Race, number: int, cell: Cell) -> Flight:
    """What somebody may have meant who moved a die there: along its row first, then along the column."""
    assert state.swarm
    start = state.swarm.cells[number]
    down, right = cell.row - start.row, cell.col - start.col
    legs = (("R" if right > 0 else "L", abs(right)), ("D" if down > 0 else "U", abs(down)))
    return Flight(number, tuple(leg for leg in legs if leg[1]))


def differences(state: Race, seen: Race) -> Iterator[Problem]:
    """The dice that stand elsewhere than they must, those that came at once, and another board."""
    if state.phase in (Phase.SETTING_UP, Phase.ROLLING) and (came := _came_at_once(state, seen)):
        names = listing([f"the {bee.number}" for bee in came]).capitalize()
        text = f"{names} came at once, and the last one is the queen: take her off and set her down again."
        yield Problem(text, tuple(bee.cell for bee in came))
        return
    if state.board != seen.board:
        yield Problem("Another board lies there than the one that was set up.")
        return
    expected = {bee.number: bee.cell for bee in (*state.spaces, *(state.home if state.returns else state.bees))}
    for bee in seen.bees:
        if expected.get(bee.number, bee.cell) != bee.cell:
            text = f"The {bee.number} die stands at {where([bee.cell])}, not at {where([expected[bee.number]])}"
            yield Problem(f"{text}.", (bee.cell,))
