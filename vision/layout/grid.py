"""From tiles that lie side by side to one common grid: groups that touch first, then whatever else fits it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from vision.layout.contacts import Spot, contacts, pitch_of
from vision.layout.lattice import fitted, middle_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from calibration.homography import Array
    from vision.layout.contacts import Contact
    from vision.layout.lattice import Lattice, View
    from vision.level import Level

Group = dict[int, Spot]

# How far off a cell's middle a group may lie, in cells, and how far turned: one fits more often by chance than many.
_GROUP_ASTRAY, _NEATLY_ASTRAY, _LONE_ASTRAY = 0.33, 0.2, (0.15, 0.25)
_UNTOLD = 1.0  # cells: where the grid may lie off by so much, a tile that touches nothing lies on no cell of it
_GROUP_TURNED = np.deg2rad(12)
_LEAST_TURNED = np.deg2rad(7)
# What a tile strays by, in cells and radians, until a grid has tiles enough to tell; it counts as so many tiles.
_USUALLY_ASTRAY, _USUALLY_TURNED, _TILES_OF_HABIT = 0.06, np.deg2rad(2), 3
_SEEDS = 6
_UNKNOWN: Mapping[int, Spot] = MappingProxyType({})


@dataclass(frozen=True)
class Grid:
    """The largest common grid: the spot of each tile on it by index, and where its cells lie on the table."""

    spots: Group
    lattice: Lattice


def largest_grid(level: Level, chosen: NDArray[np.intp], known: Mapping[int, Spot] = _UNKNOWN) -> Grid | None:
    """Return the grid that most of the chosen tiles share; None where they lie scattered.

    known: tiles that lie on one grid for sure, because they have not moved. They hold it together where it would
    otherwise lose one of them.
    """
    if not len(chosen):
        return None
    found = contacts(level, chosen, pitch_of(level, chosen))
    tiles = [int(tile) for tile in chosen]
    best = _largest(level, _joined_by_contact(tiles, found))
    if len(best) < len(tiles):  # seen aslant, what lies upon others touches them askew, and parts those around it
        surely = [contact for contact in found if contact.cost < _NEATLY_ASTRAY]
        best = max(best, _largest(level, _joined_by_contact(tiles, surely)), key=len)
    kept = {tile: known[tile] for tile in tiles if tile in known}
    if not kept.keys() <= best.keys():
        best = max(_largest(level, _joined_by_contact(tiles, found, kept)), best, key=len)
    touching = any(contact.first in best and contact.second in best for contact in found)
    if not touching and not kept and 2 * len(best) <= len(chosen):
        return None
    return Grid(best, fitted(level, best))


def _largest(level: Level, groups: list[Group]) -> Group:
    best: Group = {}
    for _ in range(_SEEDS):
        if sum(map(len, groups)) <= len(best):
            break
        grown, groups = _grown(level, groups)
        best = max(best, grown, key=len)
    return best


def snapped(level: Level, lattice: Lattice, tile: int) -> Spot | None:
    """Return the spot on which a tile lies, None if it lies too far off the cells."""
    spots, astray, turned = _nearest({tile: Spot(0, 0, 0)}, lattice.view(level))
    return spots[tile] if np.abs(astray).max() < _GROUP_ASTRAY and turned < 2 * _GROUP_TURNED else None


def _joined_by_contact(tiles: list[int], found: Iterable[Contact], known: Mapping[int, Spot] = _UNKNOWN) -> list[Group]:
    """Return the groups of tiles that touch, largest first, each on its own cells; surer contacts come first.

    known: tiles that make one group from the first.
    """
    home: dict[int, Group] = {tile: {tile: Spot(0, 0, 0)} for tile in tiles}
    together = dict(known)
    home |= dict.fromkeys(known, together)
    for contact in found:
        old, new = home[contact.first], home[contact.second]
        if old is new:
            continue
        anchor, spot = old[contact.first], contact.spot
        wanted = spot.turned(anchor.turn).shifted(anchor.x, anchor.y)
        arrived = _carried(new, new[contact.second], wanted)
        if _overlap(old, arrived):
            continue
        old.update(arrived)
        home.update(dict.fromkeys(arrived, old))
    return _by_size({id(group): group for group in home.values()}.values())


def _by_size(groups: Iterable[Group]) -> list[Group]:
    return sorted(groups, key=lambda group: (-len(group), min(group)))


def _carried(group: Group, old: Spot, new: Spot) -> Group:
    """Return the group turned and shifted so that the spot `old` comes to lie on `new`."""
    quarters = new.turn - old.turn
    pivot = old.turned(quarters)
    right, down = new.x - pivot.x, new.y - pivot.y
    return {tile: spot.turned(quarters).shifted(right, down) for tile, spot in group.items()}


def _overlap(one: Group, other: Group) -> bool:
    taken = {cell for spot in one.values() for cell in spot.cells}
    return any(cell in taken for spot in other.values() for cell in spot.cells)


def _grown(level: Level, groups: list[Group]) -> tuple[Group, list[Group]]:
    """Return the first group together with all that fit on its grid, the nearest first, and the groups left over."""
    grown, waiting = dict(groups[0]), groups[1:]
    while waiting:
        joined = _fitting(level, grown, waiting)
        if not joined:
            break
        waiting = [group for group in waiting if min(group) not in joined]
        grown.update(joined)
    return grown, waiting


@dataclass(frozen=True)
class _Neatness:
    """How neatly a group lies on its grid: the usual errors, its middle in cells and how far it reaches."""

    astray: float
    turned: float
    middle: Array
    reach: float
    count: int

    def lone_fits(self, view: View) -> NDArray[np.bool_]:
        """Return which tiles (n,) fit alone; the farther out a tile is, the less surely the grid reaches there."""
        turns = np.round(view.headings / (np.pi / 2))
        offset = np.where((turns % 2 == 1)[:, None], [0.5, 0.0], [0.0, 0.5])
        off = view.middles - offset
        astray = np.abs(off - np.round(off)).max(1)
        skew = np.abs(view.headings - turns * (np.pi / 2))
        lever = ((view.middles - self.middle) ** 2).sum(1) / self.reach
        unsure = 3 * self.astray * np.sqrt(1 + 1 / self.count + lever)
        fits = (astray < np.clip(unsure, *_LONE_ASTRAY)) & (unsure < _UNTOLD)
        return np.asarray(fits & (skew < np.clip(3 * self.turned, _LEAST_TURNED, _GROUP_TURNED)))


def _neatness(view: View, group: Group) -> _Neatness:
    tiles = np.fromiter(group, int)
    middles, turns = view.middles[tiles], np.array([spot.turn for spot in group.values()]) * (np.pi / 2)
    off = middles - np.array([middle_of(spot) for spot in group.values()])
    skew = np.angle(np.exp(1j * (view.headings[tiles] - turns)))
    count = len(group) + _TILES_OF_HABIT
    astray = np.sqrt(((off**2).sum() / 2 + _TILES_OF_HABIT * _USUALLY_ASTRAY**2) / count)
    turned = np.sqrt(((skew**2).sum() + _TILES_OF_HABIT * _USUALLY_TURNED**2) / count)
    middle = middles.mean(0)
    reach = float(((middles - middle) ** 2).sum()) + 0.5 * len(group)
    return _Neatness(float(astray), float(turned), middle, reach, len(group))


def _fitting(level: Level, grown: Group, waiting: list[Group]) -> Group:
    """Return the waiting tiles, on their spots, that fit the grid; only the nearest few, for each makes it surer.

    What fits neatly comes first: what lies upon others, seen aslant, would draw the grid after it.
    """
    view = fitted(level, grown).view(level)
    lone = _neatness(view, grown).lone_fits(view)
    near = _nearest_first(level, grown, [group for group in waiting if len(group) > 1 or lone[min(group)]])
    return _joining(view, grown, near, _NEATLY_ASTRAY) or _joining(view, grown, near, _GROUP_ASTRAY)


def _joining(view: View, grown: Group, near: Iterable[Group], most: float) -> Group:
    """Return the tiles of the nearest groups that lie off the grid by at most so much, on their spots."""
    joined: Group = {}
    for group in near:
        spots, astray, turned = _nearest(group, view)
        # The median: a stray thing that was taken for one tile of the group must not keep the others out.
        fits = np.median(np.abs(astray), axis=0).max() < most and turned < _GROUP_TURNED
        if fits and not _overlap(grown | joined, spots):
            joined.update(spots)
            if 4 * len(joined) >= len(grown):
                break
    return joined


def _nearest_first(level: Level, grown: Group, groups: list[Group]) -> list[Group]:
    inside = level.middles[np.fromiter(grown, int)]
    tiles = [tile for group in groups for tile in group]
    apart = level.middles[tiles][:, None] - inside[None]
    nearest = dict(zip(tiles, np.hypot(apart[..., 0], apart[..., 1]).min(1), strict=True))
    return sorted(groups, key=lambda group: min(nearest[tile] for tile in group))


def _nearest(group: Group, view: View) -> tuple[Group, Array, float]:
    """Return the group carried as one to the nearest cells, how far each tile is off, and how far all are turned."""
    tiles = np.fromiter(group, int)
    turns = np.array([spot.turn for spot in group.values()]) * (np.pi / 2)
    turn = float(np.angle(np.exp(1j * (view.headings[tiles] - turns)).mean()))
    quarters = round(turn / (np.pi / 2))
    carried = {tile: spot.turned(quarters) for tile, spot in group.items()}
    off = view.middles[tiles] - np.array([middle_of(spot) for spot in carried.values()])
    right, down = (int(v) for v in np.round(np.median(off, axis=0)))
    shifted = {tile: spot.shifted(right, down) for tile, spot in carried.items()}
    return shifted, off - [right, down], abs(turn - quarters * np.pi / 2)
