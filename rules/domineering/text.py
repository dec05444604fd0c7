"""A position of Domineering in text: what is set up, the board with its ranks and files, and the dominoes off it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from difflib import get_close_matches

from rules.board import Cell
from rules.board_text import PIPS
from rules.domineering.state import COLORS, FILES, FULL_SET, SIDE, USUAL, VARIANTS, Position, cell_at
from rules.domino import Domino
from rules.errors import BadText
from rules.game import Seat
from rules.table import Spot
from rules.words import count, listing

_HELD = ("drawn", "white keeps", "black keeps", "pool")
_KEYS = ("variant", "players", "first", "to move", *_HELD)
_LETTERS = "WB"


def written(state: Position) -> str:
    """The text of a position; `parsed` reads it back."""
    lines = [f"variant: {state.variant}", f"first: {COLORS[state.first]}", f"to move: {COLORS[state.turn]}"]
    lines += [drawn_line(state, row) for row in range(SIDE)]
    lines.append("  " + "  ".join(FILES))
    off = (("drawn", [state.drawn] if state.drawn else []), ("pool", state.pool))
    kept = (("white keeps", state.kept[0]), ("black keeps", state.kept[1]))
    lines += [f"{name}: {_dominoes(held)}" for name, held in (*kept, *off) if held]
    return "\n".join(lines)


def drawn_line(state: Position, row: int) -> str:
    """One rank of the board: its number, then a square each: "W", "B", a domino as "52", or "."."""
    signs = dict.fromkeys(state.pieces[0], _LETTERS[0]) | dict.fromkeys(state.pieces[1], _LETTERS[1])
    signs |= {cell: str(domino) for cell, domino in state.dominoes.items()}
    squares = [signs.get(Cell(row, col), ".") for col in range(SIDE)]
    return " ".join([str(SIDE - row), *(f"{sign:2}" for sign in squares)]).rstrip()


def _dominoes(held: Iterable[Domino]) -> str:
    return " ".join(map(str, held))


def parsed(text: str) -> Position:
    """The position that a text holds; the lines that it lacks are those of a fresh game: "players: 2" is enough.

    Raises BadText.
    """
    lines: dict[str, tuple[int, str]] = {}
    ranks: dict[int, tuple[int, str]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        rank = re.match(r"\s*([1-8])\s+\S", line)
        if rank:
            ranks[int(rank[1])] = number, line
        elif line.strip() and not set(line) <= set(f"{FILES} "):
            key, value = _entry(line, number)
            lines[key] = number, value
    state = _begun(lines)
    if ranks:
        state = _with_board(state, ranks)
    return _with_supply(state, lines)


def _entry(line: str, number: int) -> tuple[str, str]:
    key, colon, value = line.partition(":")
    if key.strip().lower() not in _KEYS or not colon:
        raise BadText(
            f"a line begins with a rank, 1 to 8, or with {listing([f'{key}:' for key in _KEYS], 'or')}", number
        )
    return key.strip().lower(), value.strip()


def _begun(lines: dict[str, tuple[int, str]]) -> Position:
    number, variant = lines.get("variant", (1, USUAL))
    if variant not in VARIANTS:
        near = get_close_matches(variant, VARIANTS, 1) or [USUAL]
        raise BadText(f"there is no variant {variant!r}; did you mean {near[0]!r}?", number, 10)
    if lines.get("players", (1, "2"))[1] != "2":
        raise BadText("Domineering is for two", lines["players"][0])
    first = _seat(*lines["first"], 8) if "first" in lines else 0
    turn = _seat(*lines["to move"], 10) if "to move" in lines else first
    return replace(Position.fresh(variant, first), turn=turn)


def _seat(number: int, color: str, column: int) -> Seat:
    if color.title() not in COLORS:
        raise BadText(f"{color!r} is neither White nor Black", number, column)
    return COLORS.index(color.title())


def _with_board(state: Position, ranks: dict[int, tuple[int, str]]) -> Position:
    pieces: tuple[list[Cell], list[Cell]] = ([], [])
    laid: list[Spot] = []
    for rank in range(SIDE, 0, -1):
        if rank not in ranks:
            raise BadText(f"the board lacks rank {rank}", min(number for number, _ in ranks.values()))
        number, line = ranks[rank]
        signs = list(re.finditer(r"\S+", line))[1:]
        if len(signs) != SIDE:
            raise BadText(f"rank {rank} has {count(len(signs), 'square')}, not {SIDE}", number)
        for file, sign in zip(FILES, signs, strict=True):
            cell = cell_at(f"{file}{rank}")
            if sign.group() in _LETTERS:
                pieces[_LETTERS.index(sign.group())].append(cell)
            elif sign.group() != ".":
                laid.append(Spot(cell, _domino(sign.group(), number, sign.start() + 1)))
    wanted = len(VARIANTS[state.variant].white.split())
    for name, found in zip(COLORS, pieces, strict=True):
        if len(found) != wanted:
            raise BadText(f"{name} has {count(len(found), 'piece')}, not {wanted}", ranks[SIDE][0])
    return replace(state, pieces=(tuple(sorted(pieces[0])), tuple(sorted(pieces[1]))), laid=tuple(laid))


def _domino(word: str, number: int, column: int) -> Domino:
    if len(word) != 2 or not set(word) <= set(PIPS):
        raise BadText(f"{word!r} is no domino: two numbers side by side are, as 52", number, column)
    domino = Domino.of(*map(PIPS.index, word))
    if domino not in FULL_SET:
        raise BadText(f"{word} is not in the {FULL_SET.name} set", number, column)
    return domino


def _with_supply(state: Position, lines: dict[str, tuple[int, str]]) -> Position:
    """The dominoes off the board; each is somewhere once, and a pool that is named is all that is left."""
    listed = {key: _listed(key, *lines[key]) for key in _HELD if key in lines}
    seen = [spot.domino for spot in state.laid]
    for key, held in listed.items():
        for domino in held:
            if domino in seen:
                raise BadText(f"{domino} is there twice", lines[key][0])
            seen.append(domino)
    drawn = listed.get("drawn", ())
    if len(drawn) > 1:
        raise BadText("one domino is drawn at a time", lines["drawn"][0])
    kept = listed.get("white keeps", ()), listed.get("black keeps", ())
    if any(kept) and not state.keeps:
        raise BadText(f"no domino is kept in the variant {state.variant!r}", 1)
    if len(set(seen)) < len(seen):
        raise BadText("a domino lies on the board twice")
    state = replace(state, drawn=drawn[0] if drawn else None, kept=kept, pool=listed.get("pool", ()))
    if state.pool and set(state.pool) != set(state.left):
        raise BadText(f"{count(len(state.left), 'domino', 'dominoes')} are left for the pool", lines["pool"][0])
    return state


def _listed(key: str, number: int, value: str) -> tuple[Domino, ...]:
    first = len(key) + 3
    return tuple(_domino(word.group(), number, first + word.start()) for word in re.finditer(r"\S+", value))
