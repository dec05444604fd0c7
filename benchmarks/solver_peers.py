"""Dominosa given to general solvers: is there one solution only? Both get the same exact cover as the solver here."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from itertools import combinations

from rules.board import Cell
from rules.domino import Domino
from rules.grid import Grid

PEERS: dict[str, Callable[[Grid], bool]] = {}


def cover(grid: Grid) -> tuple[int, list[list[int]]]:
    """How many places a domino has on the grid, counted from 1, and the sets of which just one place each is used."""
    sets: defaultdict[Cell | Domino, list[int]] = defaultdict(list)
    places = 0
    for cell, pips in grid.pips.items():
        for other in cell.neighbours()[:2]:
            if other in grid.pips:
                places += 1
                for each in (cell, other, Domino.of(pips, grid.pips[other])):
                    sets[each].append(places)
    return places, list(sets.values())


with suppress(ImportError):
    from pysat.solvers import Cadical153

    def by_sat(grid: Grid) -> bool:
        """By CaDiCaL in python-sat: solve, forbid what was found, solve again."""
        _, sets = cover(grid)
        with Cadical153() as solver:
            for places in sets:
                solver.add_clause(places)
                for one, other in combinations(places, 2):
                    solver.add_clause([-one, -other])
            if not solver.solve():
                return False
            solver.add_clause([-place for place in solver.get_model() if place > 0])
            return not solver.solve()

    PEERS["python-sat"] = by_sat

with suppress(ImportError):
    from ortools.sat.python import cp_model

    def by_cp(grid: Grid) -> bool:
        """By CP-SAT in OR-Tools, on one thread: solve, forbid what was found, solve again."""
        count, sets = cover(grid)
        model, solver = cp_model.CpModel(), cp_model.CpSolver()
        solver.parameters.num_workers = 1
        used = [model.new_bool_var(str(place)) for place in range(count + 1)]
        for places in sets:
            model.add_exactly_one(used[place] for place in places)
        if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return False
        model.add_bool_or([~used[place] for place in range(1, count + 1) if solver.value(used[place])])
        return bool(solver.solve(model) == cp_model.INFEASIBLE)

    PEERS["OR-Tools"] = by_cp
