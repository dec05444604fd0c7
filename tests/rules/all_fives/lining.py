"""Lines of play as words, and the chains that a camera would see of them."""

import re

from rules.all_fives.line import Arm, Line
from rules.all_fives.line_text import parse_line
from rules.table import Chain, Joint, LaidTile, Side

SIDES = {"H": Side.HEAD, "T": Side.TAIL, "L": Side.LEFT, "R": Side.RIGHT}


def chain(tiles: str, joints: str = "") -> Chain:
    """Tiles and what meets: `chain("63 32", "0T-1H")` is the tail of the first against the head of the second."""
    met = [
        Joint(int(one), SIDES[side], int(other), SIDES[other_side])
        for one, side, other, other_side in re.findall(r"(\d+)([HTLR])-(\d+)([HTLR])", joints)
    ]
    return Chain(tuple(LaidTile(int(word[0], 16), int(word[1], 16)) for word in tiles.split()), tuple(met))


def chain_of(row: str, up: str = "", down: str = "", turned: bool = False) -> Chain:
    """How a camera sees a line; turned: with every tile listed from its other number."""
    seen = _seen(parse_line(row, up, down))
    return _turned(seen) if turned else seen


def _seen(line: Line) -> Chain:
    sides = [_through(tile, place != line.sniff or line.across) for place, tile in enumerate(line.row)]
    joints = [Joint(k, sides[k][1], k + 1, sides[k + 1][0]) for k in range(len(line.row) - 1)]
    away = (Side.HEAD, Side.TAIL) if line.across else (Side.LEFT, Side.RIGHT)
    number = len(line.row)
    for arm, side in ((line.up, away[0]), (line.down, away[1])):
        joints += _arm(arm, line.sniff or 0, side, number)
        number += len(arm)
    return Chain(line.tiles, tuple(joints))


def _arm(arm: Arm, tile: int, side: Side, number: int) -> list[Joint]:
    joints = []
    for laid in arm:
        entered, left = _through(laid, True)
        joints.append(Joint(tile, side, number, entered))
        tile, side, number = number, left, number + 1
    return joints


def _through(tile: LaidTile, across: bool) -> tuple[Side, Side]:
    return (Side.LEFT, Side.RIGHT) if tile.domino.is_double and across else (Side.HEAD, Side.TAIL)


def _turned(seen: Chain) -> Chain:
    other = {Side.HEAD: Side.TAIL, Side.TAIL: Side.HEAD, Side.LEFT: Side.RIGHT, Side.RIGHT: Side.LEFT}
    tiles = tuple(LaidTile(tile.tail, tile.head) for tile in seen.tiles)
    return Chain(tiles, tuple(Joint(j.tile, other[j.side], j.other, other[j.other_side]) for j in seen.joints))
