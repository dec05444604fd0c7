"""Cooperative Mountains and Valleys in text: a position to set up from."""

from __future__ import annotations

import re

from rules.board import EMPTY, Board
from rules.board_text import PIPS
from rules.domino import Domino
from rules.entries import entries
from rules.errors import BadText
from rules.holding import Holding
from rules.laying import objections
from rules.mountains.heights import SIDE
from rules.mountains.state import FULL_SET
from rules.mountains_together.state import HAND_SIZES, TogetherState

_NAMES = (*(f"player {seat + 1}" for seat in range(max(HAND_SIZES))), "players", "passed", "turn")
_RULE = re.compile(r"=+\s*")


def parse_together(text: str) -> TogetherState:
    """The position that a text sets up: "player 1: 64 31 ..." is enough, the other hands are unknown then.

    "player 2: 64 +8" has one known domino and eight unknown ones; "passed: 64" waits to be laid; the map follows below
    a line of "===". Raises BadText with line and column.
    """
    lines = text.splitlines()
    rule = next((number for number, line in enumerate(lines) if _RULE.fullmatch(line)), len(lines))
    board = _board("\n".join(lines[rule + 1 :]), rule + 1)
    given = _given(lines[:rule])
    named = max((seat for seat in HAND_SIZES if f"player {seat}" in given), default=2)
    players = max(_number(given, "players", 2, max(HAND_SIZES)), named)
    laid = {placed.domino for placed in board.placed}
    turn = _number(given, "turn", 1, players) - 1
    passed = _holding(given, "passed", 0, laid)
    usual = _usual(players, len(laid) + bool(len(passed)), turn)
    hands = tuple(_holding(given, f"player {seat + 1}", usual[seat], laid) for seat in range(players))
    if len(passed) > 1:
        raise BadText("one domino is passed at a time", given["passed"][0])
    for seat, hand in enumerate(hands):
        if len(hand) > HAND_SIZES[players]:
            raise BadText(f"{players} players have {HAND_SIZES[players]} dominoes each", given[f"player {seat + 1}"][0])
    return TogetherState(hands, board, turn, passed)


def _usual(players: int, passes: int, turn: int) -> list[int]:
    """How many dominoes each player has left after so many passes, the last of them to who has the turn."""
    size = [HAND_SIZES[players]] * players
    for back in range(1, passes + 1):
        size[(turn - back) % players] = max(0, size[(turn - back) % players] - 1)
    return size


def _given(lines: list[str]) -> dict[str, tuple[int, int, str]]:
    """What each line says: its name, its number, the column where its value begins, and the value."""
    like = "'player 1: 64 31 +7'"
    given = entries(lines, _NAMES, like, f"a line is like {like}, or 'players: 3' where all are unknown")
    return {name: (number, lines[number - 1].index(":") + 2, value) for name, (number, value) in given.items()}


def _number(given: dict[str, tuple[int, int, str]], name: str, default: int, most: int) -> int:
    line, column, value = given.get(name, (1, 1, str(default)))
    least = 2 if name == "players" else 1
    if not value.strip().isdecimal() or not least <= int(value) <= most:
        raise BadText(f"{name} is a number from {least} to {most}, not {value.strip()!r}", line, column)
    return int(value)


def _holding(given: dict[str, tuple[int, int, str]], name: str, usual: int, taken: set[Domino]) -> Holding:
    """A hand; its dominoes are added to those that are taken."""
    if name not in given:
        return Holding(unknown=usual)
    line, column, value = given[name]
    known, unknown = list[Domino](), 0
    for word in re.finditer(r"\S+", value):
        if re.fullmatch(r"\+\d{1,2}", word.group()):
            unknown += int(word.group())
            continue
        try:
            domino = _domino(word.group(), taken)
        except ValueError as error:
            raise BadText(str(error), line, column + word.start()) from None
        taken.add(domino)
        known.append(domino)
    return Holding(tuple(known), unknown)


def _domino(word: str, taken: set[Domino]) -> Domino:
    if len(word) != 2 or not set(word.lower()) <= set(PIPS):
        raise ValueError(f"{word!r} is no domino, as 24, and no number of unknown ones, as +7")
    domino = Domino.of(*map(PIPS.index, word.lower()))
    if domino not in FULL_SET:
        raise ValueError(f"{word} is not in the {FULL_SET.name} set")
    if domino in taken:
        raise ValueError(f"the {word} is in two places")
    return domino


def _board(text: str, line: int) -> Board:
    """The map, whose text begins after so many lines."""
    if not text.strip():
        return EMPTY
    try:
        board = Board.parse(text)
    except BadText as bad:
        raise BadText(bad.reason, bad.line + line, bad.column) from None
    for number, placed in enumerate(board.placed):
        for problem in objections(placed, Board(board.placed[:number]), FULL_SET, f"the {FULL_SET.name} set"):
            at = placed.cell
            raise BadText(problem.text[0].lower() + problem.text[1:-1], line + 2 * at.row + 1, 2 * at.col + 1)
    if max(board.size) > SIDE:
        raise BadText(f"the map is {board.size[0]} by {board.size[1]}, more than {SIDE} by {SIDE}", line + 1)
    if not board.is_connected():
        raise BadText("every domino of the map touches another one, and this map falls apart", line + 1)
    return board.shifted(-board.top_left.row, -board.top_left.col)
