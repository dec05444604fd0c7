"""Lines of play: which end of a tile touches which end or long side of another, on a grid or half a cell off it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rules.table import Chain, Joint, LaidTile, Side

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from calibration.homography import Array
    from vision.level import Level

# In halves: how wide a gap still touches, and how far two ends that meet may be shifted against each other.
_WIDEST_GAP = 0.45
_MOST_SHIFTED = 0.7
_FARTHEST = 2.8
_STEEPEST_BEND = np.deg2rad(50)
_OPPOSITE = {Side.HEAD: Side.TAIL, Side.TAIL: Side.HEAD, Side.LEFT: Side.RIGHT, Side.RIGHT: Side.LEFT}


@dataclass(frozen=True)
class Line:
    """A chain and the tiles it is made of: the index of each in the scene, in the chain's order."""

    chain: Chain
    tiles: tuple[int, ...]


def longest_line(level: Level, chosen: NDArray[np.intp], numbers: list[tuple[int, int]]) -> Line | None:
    """Return the line with the most tiles, listed by walking along it; None where tiles lie apart or packed."""
    joints = _joints(level, chosen)
    neighbours = _by_tile(joints)
    lines = [members for members in _connected(neighbours) if _is_line(level, members, neighbours)]
    if not lines:
        return None
    members = max(lines, key=lambda line: (len(line), -min(line)))
    order = _walk(members, neighbours)
    own = [joint for joint in joints if joint.tile in order]
    return Line(_chain(order, own, numbers, level.angles), tuple(order))


def _joints(level: Level, chosen: NDArray[np.intp]) -> list[Joint]:
    """Return every joint by indices in the scene, one for two tiles: the one that fits best."""
    first, second = (a.ravel() for a in np.meshgrid(chosen, chosen, indexing="ij"))
    near = (first != second) & (np.hypot(*(level.middles[first] - level.middles[second]).T) < _FARTHEST)
    first, second = first[near], second[near]
    met = [meeting for end in (Side.HEAD, Side.TAIL) for meeting in _meetings(level, first, end, second)]
    found: dict[tuple[int, int], Joint] = {}
    for _, joint in sorted(met, key=lambda meeting: meeting[0]):
        found.setdefault((min(joint.tile, joint.other), max(joint.tile, joint.other)), joint)
    return list(found.values())


def _meetings(level: Level, tiles: NDArray[np.intp], end: Side, others: NDArray[np.intp]) -> list[tuple[float, Joint]]:
    """Return where this end of a tile meets the other tile, and how badly."""
    ahead = np.column_stack([np.cos(level.angles), np.sin(level.angles)])
    facing = ahead[tiles] * (1 if end is Side.TAIL else -1)
    frame, flank = ahead[others], ahead[others][:, ::-1] * [-1, 1]
    apart = level.middles[tiles] + facing - level.middles[others]
    along, beside = (apart * frame).sum(1), (apart * flank).sum(1)
    same, toward = (facing * frame).sum(1), (facing * flank).sum(1)
    inline = np.abs(same) > np.cos(_STEEPEST_BEND)
    gap = np.where(inline, -np.sign(same) * along - 1, -np.sign(toward) * beside - 0.5)
    shift = np.where(inline, np.abs(beside) / _MOST_SHIFTED, np.abs(along))
    bad = np.abs(gap) + np.where(inline, shift / 3, 0.1)
    return [
        (float(bad[k]), Joint(int(tiles[k]), end, int(others[k]), _side(inline[k], same[k], toward[k], along[k])))
        for k in np.flatnonzero((np.abs(gap) < _WIDEST_GAP) & (shift < 1))
    ]


def _side(inline: bool, same: float, toward: float, along: float) -> Side:
    """Return the side of a tile that is met: an end, the flank beside one half, or the middle of a long side."""
    if inline:
        return Side.HEAD if same > 0 else Side.TAIL
    if abs(along) > 0.25:
        return Side.HEAD if along < 0 else Side.TAIL
    # Left and right are those of someone who looks from the tail to the head, and y grows down.
    return Side.RIGHT if toward > 0 else Side.LEFT


def _by_tile(joints: list[Joint]) -> dict[int, list[Joint]]:
    """Return each tile's joints seen from that tile."""
    seen: dict[int, list[Joint]] = defaultdict(list)
    for joint in joints:
        seen[joint.tile].append(joint)
        seen[joint.other].append(Joint(joint.other, joint.other_side, joint.tile, joint.side))
    return seen


def _connected(neighbours: dict[int, list[Joint]]) -> list[set[int]]:
    groups: list[set[int]] = []
    for tile in sorted(neighbours):
        if any(tile in group for group in groups):
            continue
        group, open_ends = {tile}, [tile]
        while open_ends:
            fresh = {joint.other for joint in neighbours[open_ends.pop()]} - group
            group |= fresh
            open_ends.extend(sorted(fresh))
        groups.append(group)
    return groups


def _is_line(level: Level, members: set[int], neighbours: dict[int, list[Joint]]) -> bool:
    """Tell a line from a packed block: in a line few tiles lie side by side, and hardly any ring closes."""
    tiles = np.array(sorted(members))
    joints = sum(len(neighbours[tile]) for tile in members) // 2
    return joints <= len(members) and 3 * _side_by_side(level, tiles) <= len(members)


def _side_by_side(level: Level, tiles: Array) -> int:
    apart = level.middles[tiles][:, None] - level.middles[None]
    frame = np.column_stack([np.cos(level.angles[tiles]), np.sin(level.angles[tiles])])
    along = np.abs((apart * frame[:, None]).sum(2))
    beside = np.abs((apart * (frame[:, ::-1] * [-1, 1])[:, None]).sum(2))
    parallel = np.abs(np.sin(level.angles[tiles][:, None] - level.angles[None])) < 0.3
    return int((parallel & (along < 1.4) & (beside > 0.5) & (beside < 1.4)).any(1).sum())


def _walk(members: set[int], neighbours: dict[int, list[Joint]]) -> list[int]:
    """Return the tiles in the order of a walk that starts at a loose end and follows each arm to its end."""
    start = min(members, key=lambda tile: (len(neighbours[tile]), tile))
    order: list[int] = []
    waiting = [start]
    while waiting:
        tile = waiting.pop()
        if tile in order:
            continue
        order.append(tile)
        waiting.extend(sorted((joint.other for joint in neighbours[tile]), reverse=True))
    return order


def _chain(order: list[int], joints: list[Joint], numbers: list[tuple[int, int]], angles: Array) -> Chain:
    """Return the chain in the walk's own numbering, each tile listed from the end at which the walk enters it."""
    place = {tile: k for k, tile in enumerate(order)}
    renamed = [Joint(place[j.tile], j.side, place[j.other], j.other_side) for j in joints]
    backwards = _entered_at_tail(renamed, len(order))
    tiles = tuple(LaidTile(*numbers[tile][:: -1 if k in backwards else 1]) for k, tile in enumerate(order))
    turned = (_turned(joint, backwards) for joint in renamed)
    turns = (round(angles[tile] / (np.pi / 2)) + 2 * (k in backwards) for k, tile in enumerate(order))
    return Chain(tiles, tuple(sorted(turned, key=lambda j: (j.other, j.tile))), tuple(int(turn) % 4 for turn in turns))


def _entered_at_tail(joints: list[Joint], count: int) -> set[int]:
    entries: dict[int, Side] = {}
    for joint in joints:
        for here, side, there in ((joint.tile, joint.side, joint.other), (joint.other, joint.other_side, joint.tile)):
            if there < here:
                entries.setdefault(here, side)
            elif here == 0 and side is Side.HEAD:
                entries[0] = Side.TAIL
    return {k for k in range(count) if entries.get(k) is Side.TAIL}


def _turned(joint: Joint, backwards: set[int]) -> Joint:
    side = _OPPOSITE[joint.side] if joint.tile in backwards else joint.side
    other_side = _OPPOSITE[joint.other_side] if joint.other in backwards else joint.other_side
    if joint.tile < joint.other:
        return Joint(joint.tile, side, joint.other, other_side)
    return Joint(joint.other, other_side, joint.tile, side)
