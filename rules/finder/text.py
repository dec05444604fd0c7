"""A game of Domino Finder in text: the rows, the pawns, the dice and the treasures."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rules.board_text import PIPS
from rules.domino import Domino
from rules.entries import Entries, entries
from rules.errors import BadText
from rules.finder.outlook import Outlook
from rules.finder.state import (
    COLORS,
    COLS,
    GOALS,
    IN_ROW,
    ROWS,
    Face,
    Search,
    Tile,
    cell_at,
    halves,
    hidden,
    square,
)
from rules.game import Seat
from rules.two_dice import Dice
from rules.words import count, player, said

_WORDS = {
    Face.UP: re.compile(r"\[([0-6])([0-6])\]"),
    Face.DOWN: re.compile(r"\(?([0-6])([0-6])\)?"),
}
_KEYS = ("players", "turn", "pawns", "dice", "rolls", "rolling", "looking", "skips", "passes", "colors")
_LISTS = (*(f"row {row + 1}" for row in range(ROWS)), *(f"treasures {seat + 1}" for seat in range(max(GOALS))))
_PIECE = re.compile(r"[a-h][1-7]|-")


def written(state: Search) -> str:
    """The text of a state, from which `parsed` makes it again: 24 hidden, (24) seen, [24] open, ?? unknown, -- gone."""
    lines = [f"players: {state.players}", f"turn: {state.turn + 1}"]
    lines.append(f"pawns: {' '.join(square(cell) if cell else '-' for cell in state.pawns)}")
    lines += [f"dice: {state.dice[0]}{state.dice[1]}"] if state.dice else []
    lines += [f"rolls: {' '.join(map(str, state.rolls))}"] if state.rolls else []
    lines.append(f"rolling: {'yes' if state.rolling else 'no'}")
    lines += [f"looking: {square(state.looking)}"] if state.looking else []
    lines += [f"skips: {' '.join(str(seat + 1) for seat in sorted(state.skips))}"] if state.skips else []
    lines += [f"passes: {state.passes}"] if state.passes else []
    lines += [f"colors: {' '.join(state.colors)}"] if state.colors != COLORS[: state.players] else []
    for seat, held in enumerate(state.found, 1):
        lines += [f"treasures {seat}: {' '.join(map(str, held))}"] if held else []
    return "\n".join([*lines, *_rows(state)])


def _rows(state: Search) -> Iterator[str]:
    for row in range(ROWS):
        tiles = state.tiles[row * IN_ROW : (row + 1) * IN_ROW]
        yield f"row {row + 1}: {' '.join(map(_word, tiles))}"


def _word(tile: Tile) -> str:
    if tile.face is Face.GONE:
        return "--"
    if tile.pips is None:
        return "??"
    pips = f"{tile.pips[0]}{tile.pips[1]}"
    return f"[{pips}]" if tile.face is Face.UP else f"({pips})" if tile.seen else pips


def parsed(text: str) -> Search:
    """The state that a text holds: "players: 2" is enough, the rest is a new game. Raises BadText with line, column."""
    given = _given(text)
    players = _number(given, "players", 2)
    if players not in GOALS:
        raise BadText(f"2 to 4 play, not {players}", _line(given, "players"))
    dice = _dice(given)
    rolls = tuple(map(int, _words(given, "rolls", r"-1|\d\d?", "" if dice else " ".join("0" * players))))
    if len(rolls) not in (0, players) or (rolls and 0 not in rolls):
        raise BadText("rolls has a sum for each player, 0 where one is still to roll", _line(given, "rolls"))
    pawns = tuple(cell_at(w) if w != "-" else None for w in _words(given, "pawns", _PIECE, " ".join("-" * players)))
    colors = tuple(_words(given, "colors", r"\w+", " ".join(COLORS[:players])))
    if len(pawns) != players or len(set(colors)) != players:
        raise BadText(f"{players} pawns of {players} colours are needed", _line(given, "pawns"))
    state = Search(
        tuple(_tiles(given)),
        pawns,
        tuple(_treasures(given, seat) for seat in range(players)),
        _seat(given, "turn", players),
        dice,
        rolls,
        _one(given, "rolling", "yes|no", "yes" if rolls or not dice else "no") == "yes",
        next((cell_at(word) for word in _words(given, "looking", r"[a-h][1-7]", "")), None),
        frozenset(int(word) - 1 for word in _words(given, "skips", f"[1-{players}]", "")),
        _number(given, "passes", 0),
        colors,
    )
    _require_possible(state, given)
    return state


def _given(text: str) -> Entries:
    like = "'players: 2' or 'row 1: 24 ?? ...'"
    return entries(text.splitlines(), (*_KEYS, *_LISTS), like, "'players: 2' is enough")


def _line(given: Entries, key: str) -> int:
    return given.get(key, (1, ""))[0]


def _words(given: Entries, key: str, form: str | re.Pattern[str], default: str) -> list[str]:
    number, text = given.get(key, (1, default))
    for word in re.finditer(r"\S+", text):
        if not re.fullmatch(form, word.group()):
            raise BadText(f"{word.group()!r} is not understood in {key}", number, word.start() + len(key) + 2)
    return text.split()


def _one(given: Entries, key: str, form: str, default: str) -> str:
    words = _words(given, key, form, default)
    if len(words) != 1:
        raise BadText(f"{key} needs one value", _line(given, key))
    return words[0]


def _number(given: Entries, key: str, default: int) -> int:
    return int(_one(given, key, r"\d\d?", str(default)))


def _seat(given: Entries, key: str, players: int) -> Seat:
    return int(_one(given, key, f"[1-{players}]", "1")) - 1


def _dice(given: Entries) -> Dice | None:
    if "dice" not in given:
        return None
    word = _one(given, "dice", "[1-6][1-6]", "")
    return int(word[0]), int(word[1])


def _treasures(given: Entries, seat: Seat) -> tuple[Domino, ...]:
    words = _words(given, f"treasures {seat + 1}", "[1-6][1-6]", "")
    return tuple(Domino.of(*map(PIPS.index, word)) for word in words)


def _tiles(given: Entries) -> Iterator[Tile]:
    for row in range(ROWS):
        key = f"row {row + 1}"
        words = _words(given, key, r"\?\?|--|\[[0-6]{2}\]|\([0-6]{2}\)|[0-6]{2}", " ".join(["??"] * IN_ROW))
        if len(words) != IN_ROW:
            raise BadText(f"a row has {IN_ROW} dominoes, not {len(words)}", _line(given, key))
        yield from map(_tile, words)


def _tile(word: str) -> Tile:
    if word == "--":
        return Tile(None, Face.GONE, True)
    if word == "??":
        return Tile()
    face = Face.UP if _WORDS[Face.UP].fullmatch(word) else Face.DOWN
    numbers = [PIPS.index(digit) for digit in word if digit.isdigit()]
    return Tile((numbers[0], numbers[1]), face, len(word) > 2)


def _require_possible(state: Search, given: Entries) -> None:
    """Each domino is in one place, each row can have its one blank, and no more treasures are found than are gone."""
    known = [tile.domino for tile in state.tiles if tile.domino and tile.face is not Face.GONE]
    known += [domino for held in state.found for domino in held]
    for domino in sorted(set(known)):
        if known.count(domino) > 1:
            raise BadText(f"the {domino} is in two places")
    for row in range(ROWS):
        tiles = state.tiles[row * IN_ROW : (row + 1) * IN_ROW]
        traps, unknown = sum(tile.is_trap for tile in tiles), sum(tile == Tile() for tile in tiles)
        if traps > 1 or not traps + unknown:
            raise BadText(f"a row has one domino with a blank, not {traps}", _line(given, f"row {row + 1}"))
    gone, found = sum(tile.face is Face.GONE for tile in state.tiles), sum(map(len, state.found))
    if gone < found:  # more may be gone: of what was taken unseen nobody knows whose treasure it is
        text = f"{count(found, 'treasure')} found, and {count(gone, 'domino', 'dominoes')} gone from the rows"
        raise BadText(text, _line(given, "treasures 1"))
    for cell in filter(None, state.pawns):
        if state.tile_at(cell).face is Face.DOWN:
            raise BadText(f"the pawn at {square(cell)} stands on a face-down domino", _line(given, "pawns"))
    if state.looking and state.tile_at(state.looking) != Tile():
        raise BadText(f"the domino at {square(state.looking)} is known", _line(given, "looking"))


def told(state: Search, seat: Seat | None = None) -> str:
    """The board as numbers, `??` where nobody has seen them, each row with its chance of a trap, and the treasures."""
    known = state if seat is None else hidden(state)
    trap = Outlook(state)
    letters = "abcdefgh"[:COLS]
    lines = ["     " + "   ".join(letters[k : k + 2] for k in range(0, COLS, 2))]
    for row in range(ROWS):
        places = range(row * IN_ROW, (row + 1) * IN_ROW)
        dominoes = " ".join(_shown(known, place) for place in places)
        unknown = [place for place in places if not state.tiles[place].seen]
        chance = f"   trap {trap.trap(halves(unknown[0])[0]):.0%}" if unknown else ""
        lines.append(f"{row + 1}   {dominoes}{chance}".rstrip())
    for number, cell in enumerate(state.pawns):
        at = f"on {square(cell)}" if cell else "beside the board"
        found = " ".join(map(str, state.found[number])) or "none"
        score = f"{len(state.found[number])} of {count(state.goal, 'treasure')}"
        skips = ", skips a turn" if number in state.skips else ""
        lines.append(f"{player(number)} ({state.colors[number]}): {at}, {score}: {found}{skips}.")
    return "\n".join([*lines, *_wanted(state)])


def _wanted(state: Search) -> Iterator[str]:
    """What is looked for, until the game is over."""
    if not state.is_over:
        yield f"The treasure is the {said(state.target)}." if state.target else "The dice have to be rolled."


def _shown(state: Search, place: int) -> str:
    word = _word(state.tiles[place])
    return word if len(word) > 2 else f" {word} "
