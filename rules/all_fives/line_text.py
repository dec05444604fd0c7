"""A line of play in text: as words in a row, "63 32 [22] 25", and as a picture with doubles lying across."""

from __future__ import annotations

import re
from itertools import pairwise

from rules.all_fives.line import Arm, End, Line
from rules.board_text import PIPS
from rules.domino import DominoSet, pips_text
from rules.errors import BadText
from rules.table import LaidTile

_SET = DominoSet(6)
_SNIFF = {"[]": True, "()": False}


def row_text(line: Line) -> str:
    """The row as words; the sniff stands in brackets, square ones where it lies across, round ones along the line."""
    words = [f"{pips_text(tile.head)}{pips_text(tile.tail)}" for tile in line.row]
    if line.sniff is not None:
        words[line.sniff] = f"[{words[line.sniff]}]" if line.across else f"({words[line.sniff]})"
    return " ".join(words)


def arm_text(arm: Arm) -> str:
    """The tiles above or below the sniff as words, the nearest first."""
    return " ".join(f"{pips_text(tile.head)}{pips_text(tile.tail)}" for tile in arm)


def parse_line(row: str, up: str = "", down: str = "") -> Line:
    """The line that these words give. Raises BadText, with the column, where they do not lie end to end.

    A double may stand without brackets where it is the only one; it lies across then.
    """
    words = [(word.start() + 1, word.group()) for word in re.finditer(r"\S+", row)]
    sniff, across = _sniff(words)
    tiles = _tiles(words)
    _require_matching(tiles, row)
    line = Line(tiles, sniff, across)
    for end, text in ((End.UP, up), (End.DOWN, down)):
        for column, word in ((found.start() + 1, found.group()) for found in re.finditer(r"\S+", text)):
            (tile,) = _tiles([(column, word)])
            shown = line.ends[end].number if end in line.ends else None
            if shown != tile.head:
                raise BadText(f"{word} does not go on {'nothing' if shown is None else shown} {end.place}", 1, column)
            line = line.extended(tile.domino, end)
    if len(line.dominoes) < len(line.tiles):
        raise BadText("a domino stands there twice")
    return line


def _sniff(words: list[tuple[int, str]]) -> tuple[int | None, bool]:
    marked = [(k, word[0] + word[-1]) for k, (_, word) in enumerate(words) if word[0] in "[("]
    if len(marked) > 1:
        raise BadText("only one double is the sniff", 1, words[marked[1][0]][0])
    if marked:
        at, brackets = marked[0]
        if brackets not in _SNIFF:
            raise BadText("the sniff stands in brackets, [22] or (22)", 1, words[at][0])
        return at, _SNIFF[brackets]
    doubles = [k for k, (_, word) in enumerate(words) if len(word) == 2 and word[0] == word[1]]
    if len(doubles) > 1:
        raise BadText("which double is the sniff? Put it in brackets, as [22]", 1, words[doubles[0]][0])
    return (doubles[0] if doubles else None), True


def _tiles(words: list[tuple[int, str]]) -> Arm:
    tiles = []
    for column, word in words:
        letters = word.strip("[]()").lower()
        if len(letters) != 2 or not set(letters) <= set(PIPS):
            raise BadText(f"{word!r} is no domino: two numbers side by side are, as 24", 1, column)
        tile = LaidTile(*map(PIPS.index, letters))
        if tile.domino not in _SET:
            raise BadText(f"{letters} is not in the {_SET.name} set", 1, column)
        if word != letters and not tile.domino.is_double:
            raise BadText(f"only a double can be the sniff, not {letters}", 1, column)
        tiles.append(tile)
    return tuple(tiles)


def _require_matching(tiles: Arm, row: str) -> None:
    for at, (tile, after) in enumerate(pairwise(tiles)):
        if tile.tail != after.head:
            column = [word.start() + 1 for word in re.finditer(r"\S+", row)][at + 1]
            raise BadText(f"{after.head} is laid against {tile.tail}: they do not match", 1, column)


def picture(line: Line) -> str:
    """The line as it would lie on a long table; doubles lie across, half a cell off."""
    ink: dict[tuple[int, int], str] = {}
    column = middle = 0
    for place, tile in enumerate(line.row):
        upright = tile.domino.is_double and (place != line.sniff or line.across)
        _draw(ink, tile, (-1, column) if upright else (0, column), upright)
        middle = column + (not upright) if place == line.sniff else middle
        column += 2 if upright else 4
    near = 3 if line.across else 2
    for arm, way in ((line.up, -1), (line.down, 1)):
        _draw_arm(ink, arm, way, near, middle)
    return _written(ink)


def _draw_arm(ink: dict[tuple[int, int], str], arm: Arm, way: int, near: int, column: int) -> None:
    row = way * near
    for tile in arm:
        if tile.domino.is_double:
            _draw(ink, tile, (row, column - 1), False)
            row += 2 * way
        else:
            shown = tile if way > 0 else LaidTile(tile.tail, tile.head)
            _draw(ink, shown, (min(row, row + 2 * way), column), True)
            row += 4 * way


def _draw(ink: dict[tuple[int, int], str], tile: LaidTile, at: tuple[int, int], upright: bool) -> None:
    (row, column), (down, right) = at, (1, 0) if upright else (0, 1)
    for step, letter in enumerate((pips_text(tile.head), "-" if upright else "|", pips_text(tile.tail))):
        ink[row + step * down, column + step * right] = letter


def _written(ink: dict[tuple[int, int], str]) -> str:
    if not ink:
        return ""
    rows, columns = [row for row, _ in ink], [column for _, column in ink]
    return "\n".join(
        "".join(ink.get((row, column), " ") for column in range(min(columns), max(columns) + 1)).rstrip()
        for row in range(min(rows), max(rows) + 1)
    )
