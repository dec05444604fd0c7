"""A game of Tetradominoes in text: the hands, the pile, the grid as a picture, and the tetrominoes on it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rules.board import Board, BoardError, Cell
from rules.board_text import PIPS
from rules.domino import Domino
from rules.entries import Entries, entries, number_of
from rules.errors import BadText
from rules.game import Seat
from rules.holding import Holding
from rules.tetradominoes.scoring import sides_said, sum_said
from rules.tetradominoes.shapes import PIECES, piece_of
from rules.tetradominoes.state import (
    FULL_SET,
    GOALS,
    HAND,
    LEVEL_1,
    LEVEL_2,
    SERIES,
    USUAL,
    VARIANTS,
    Covering,
    Grid,
    Phase,
    hidden,
    written_cell,
)
from rules.words import count, listing, player

_SEPARATOR = "==="
_NUMBERS = ("players", "turn", "due", "back", "passes", "game", "lead", "seed")
_HANDS = tuple(f"{kind} {seat}" for seat in range(1, 5) for kind in ("hand", "shown"))
_KEYS = ("variant", "phase", "last", "offer", "points", "pile", "gone", "laid", *_NUMBERS, *_HANDS)
_LAID = re.compile(r"([IOTSZJL])([wb])([1-4])@(\d+\.\d+(?:-\d+\.\d+){3})")
_CELL = re.compile(r"(\d+)\.(\d+)")


def written(state: Grid) -> str:
    """The text of a state, from which `parsed` makes it again."""
    numbers = {
        "players": state.players,
        "turn": state.turn + 1,
        "due": state.due or None,
        "back": state.back or None,
        "passes": state.passes or None,
        "game": state.game if state.variant == SERIES else None,
        "lead": state.lead + 1 if state.variant == SERIES else None,
        "seed": state.seed,
    }
    lines = [f"variant: {state.variant}", *(f"{k}: {number}" for k, number in numbers.items() if number is not None)]
    lines.append(f"phase: {state.phase.value}")
    lines += [f"points: {' '.join(map(str, state.points))}"] if state.points else []
    lines += [f"last: {written_cell(state.last.cell)}"] if state.last else []
    lines += [f"offer: {state.offer or '??'}{' revealed' if state.revealed else ''}"] if state.offering else []
    lines += [f"gone: {' '.join(state.gone)}"] if state.gone else []
    laid = [
        f"{one.piece}{'w' if one.light else 'b'}{one.seat + 1}@{'-'.join(map(written_cell, one.cells))}"
        for one in state.laid
    ]
    lines += [f"laid: {' '.join(laid)}"] if laid else []
    for seat, (hand, shown) in enumerate(zip(state.hands, state.shown, strict=True), 1):
        lines.append(f"hand {seat}: {hand}")
        lines += [f"shown {seat}: {' '.join(map(str, shown))}"] if shown else []
    lines.append(f"pile: {state.pile}")
    return "\n".join(lines + ([_SEPARATOR, str(state.board)] if state.board.placed else []))


def parsed(text: str) -> Grid:
    """The state that a text holds; "players: 2" is enough, what is not given is unknown. Raises BadText."""
    head, _, picture = text.partition(_SEPARATOR)
    given = _given(head)
    numbers = {key: number_of(given, key) for key in _NUMBERS if key in given}
    players = numbers.get("players", 1 if given.get("variant", (0, ""))[1].strip().startswith("level") else 2)
    if players not in GOALS:
        raise BadText(f"1 to 4 play, not {players}", _line(given, "players"))
    variant = given.get("variant", (1, LEVEL_1 if players == 1 else USUAL))[1].strip()
    if variant not in VARIANTS or (variant in (LEVEL_1, LEVEL_2)) != (players == 1):
        fitting = VARIANTS[1:3] if players == 1 else (USUAL, SERIES)
        raise BadText(f"{variant!r} is no variant for {players}: {listing(fitting, 'or')}", _line(given, "variant"))
    board = _board(picture, head.count("\n") + 1)
    hands = tuple(_holding(given, f"hand {seat}", HAND) for seat in range(1, players + 1))
    shown = tuple(_holding(given, f"shown {seat}", 0).known for seat in range(1, players + 1))
    offer, revealed = _offer(given)
    left = len(FULL_SET) - len(board.placed) - sum(map(len, hands)) - sum(map(len, shown)) - bool(offer)
    due = numbers.get("due", 0)
    state = Grid(
        hands,
        _holding(given, "pile", max(0, left - due)),
        board,
        tuple(_laid(given)),
        tuple(given.get("gone", (1, ""))[1].split()),
        shown,
        numbers.get("turn", 1) - 1,
        _phase(given),
        due=due,
        back=numbers.get("back", 0),
        offering=bool(offer),
        offer=_domino(offer) if offer not in ("", "??") else None,
        revealed=revealed,
        passes=numbers.get("passes", 0),
        variant=variant,
        points=_points(given, players, variant),
        game=numbers.get("game", 1),
        lead=numbers.get("lead", 1) - 1,
        seed=numbers.get("seed"),
    )
    _require_possible(state, given)
    return _with_last(state, given)


def _given(text: str) -> Entries:
    enough = "'players: 2' or 'variant: level 1' is enough"
    return entries(text.splitlines(), _KEYS, "'hand 1: 42 63 10 55'", enough)


def _line(given: Entries, key: str) -> int:
    return given.get(key, (1, ""))[0]


def _board(picture: str, line: int) -> Board:
    try:
        board = Board.parse(picture.removeprefix("\n"))
    except BadText as bad:
        raise BadText(bad.reason, bad.line + line, bad.column) from None
    except BoardError as error:
        raise BadText(str(error), line) from None
    return board.shifted(-board.top_left.row, -board.top_left.col)


def _domino(word: str) -> Domino:
    if len(word) != 2 or not set(word) <= set(PIPS) or Domino.of(*map(PIPS.index, word)) not in FULL_SET:
        raise BadText(f"{word!r} is no domino of the {FULL_SET.name} set, as 42")
    return Domino.of(*map(PIPS.index, word))


def _holding(given: Entries, key: str, unknown: int) -> Holding:
    if key not in given:
        return Holding(unknown=unknown)
    number, text = given[key]
    known: list[Domino] = []
    more = 0
    for word in re.finditer(r"\S+", text):
        if re.fullmatch(r"\+\d{1,2}", word.group()):
            more += int(word.group())
            continue
        try:
            domino = _domino(word.group())
        except BadText as bad:
            raise BadText(bad.reason, number, word.start() + len(key) + 2) from None
        if domino in known:
            raise BadText(f"the {domino} stands there twice", number, word.start() + len(key) + 2)
        known.append(domino)
    return Holding(tuple(known), more)


def _phase(given: Entries) -> Phase:
    number, text = given.get("phase", (1, Phase.PLAY.value))
    if text.strip() not in {phase.value for phase in Phase}:
        names = listing([phase.value for phase in Phase], "or")
        raise BadText(f"the phase is {names}, not {text.strip()!r}", number)
    return Phase(text.strip())


def _offer(given: Entries) -> tuple[str, bool]:
    """The domino that is offered, "" where none is; and whether it was revealed."""
    number, text = given.get("offer", (1, ""))
    offer, *how = text.split() or [""]
    if how and (how != ["revealed"] or offer == "??"):
        raise BadText(f"an offer is a domino, as 42 or '42 revealed', not {text.strip()!r}", number)
    return offer, bool(how)


def _points(given: Entries, players: int, variant: str) -> tuple[int, ...]:
    sides = 2 if players == 4 else players
    number, text = given.get("points", (1, " ".join("0" * sides)))
    words = text.split()
    if len(words) != sides or not all(word.isdecimal() for word in words):
        raise BadText(f"{sides} points are needed, as 'points: {' '.join('0' * sides)}'", number)
    return tuple(map(int, words)) if variant == SERIES else ()


def parsed_cell(text: str) -> Cell:
    """The cell that a move writes "3.2": column and row, from one up and left of the corner."""
    col, row = map(int, text.split("."))
    return Cell(row - 2, col - 2)


def _laid(given: Entries) -> Iterator[Covering]:
    number, text = given.get("laid", (1, ""))
    for word in text.split():
        one = _LAID.fullmatch(word)
        cells = tuple(sorted(map(parsed_cell, one[4].split("-")))) if one else ()
        if not one or piece_of(cells, one[2] == "w") != one[1]:
            raise BadText(f"{word!r} is no tetromino, as Lw1@2.2-2.3-2.4-3.4", number)
        yield Covering(one[1], one[2] == "w", cells, int(one[3]) - 1)


def _require_possible(state: Grid, given: Entries) -> None:
    """Each domino is in one place, each tetromino in one, on the grid; all dominoes are somewhere."""
    taken = [placed.domino for placed in state.board.placed]
    taken += [domino for held in (*state.hands, state.pile) for domino in held.known]
    taken += [domino for row in state.shown for domino in row] + ([state.offer] if state.offer else [])
    for domino in sorted(set(taken)):
        if taken.count(domino) > 1:
            raise BadText(f"the {domino} is in two places")
        if domino not in FULL_SET:
            raise BadText(f"the {domino} is not in the {FULL_SET.name} set")
    unknown = sum(held.unknown for held in (*state.hands, state.pile)) + state.due
    there = len(taken) + unknown + (state.offering and state.offer is None)
    if there != len(FULL_SET):
        raise BadText(f"there are {there} dominoes, and the {FULL_SET.name} set has {len(FULL_SET)}")
    pieces = [*(one.piece for one in state.laid), *state.gone]
    if len(set(pieces)) < len(pieces) or not set(pieces) <= set(PIECES):
        raise BadText(f"each of {listing(PIECES)} is there once", _line(given, "gone" if state.gone else "laid"))
    cells = [cell for one in state.laid for cell in one.cells]
    if len(set(cells)) < len(cells) or not set(cells) <= set(state.board.pips):
        raise BadText("a tetromino lies on another, or beside the dominoes", _line(given, "laid"))
    if not 0 <= state.turn < state.players or not 0 <= state.lead < state.players:
        raise BadText(f"there are players 1 to {state.players}", _line(given, "turn"))
    if any(one.seat >= state.players for one in state.laid):
        raise BadText(f"there are players 1 to {state.players}", _line(given, "laid"))
    _require_phase(state, given)


def _require_phase(state: Grid, given: Entries) -> None:
    """What is waited for is there to be done: something to look at, to put back, a partner to trade with."""
    phase, line = state.phase, _line(given, "phase")
    if (phase is Phase.LOOK) != (state.due > 0):
        raise BadText("in the phase 'look', and in no other, dominoes are due, as 'due: 1'", line)
    if phase is Phase.RETURN and not state.back:
        raise BadText("how many dominoes go back is not given, as 'back: 4'", line)
    if phase is Phase.TRADE and state.players != 4:
        raise BadText("only four players trade, two partners each", line)
    if state.offering and phase is not Phase.TRADE:
        raise BadText("a domino is offered in the phase 'trade' alone", _line(given, "offer"))


def _with_last(state: Grid, given: Entries) -> Grid:
    from dataclasses import replace

    number, text = given.get("last", (1, ""))
    if not text.strip():
        if state.phase is Phase.COVER:
            raise BadText("which domino was played last is not given, as 'last: 3.2'", _line(given, "phase"))
        return state
    if not _CELL.fullmatch(text.strip()) or parsed_cell(text.strip()) not in state.board.owner:
        raise BadText(f"no domino lies at {text.strip()!r}; a place is column and row, as 3.2", number)
    return replace(state, last=state.board.owner[parsed_cell(text.strip())])


def told(state: Grid, seat: Seat | None = None) -> str:
    """The grid with covered numbers as W or B, the hands as that seat sees them, and the score."""
    known = state if seat is None else hidden(state, seat)
    lines = [_picture(state)] if state.board.placed else ["The grid is empty."]
    for number, hand in enumerate(known.hands):
        mark = " <- to move" if number == state.turn and state.phase is not Phase.OVER else ""
        revealed = f", revealed: {' '.join(map(str, state.shown[number]))}" if state.shown[number] else ""
        lines.append(f"{player(number)}: {_hand_said(hand)}{revealed}{mark}")
    left = " ".join(state.pieces) or "none"
    lines.append(f"Pile: {count(len(state.pile), 'domino', 'dominoes')}. Tetrominoes left: {left}.")
    return "\n".join([*lines, sum_said(state) if state.alone else sides_said(state)])


def _hand_said(hand: Holding) -> str:
    parts = [" ".join(map(str, hand.known))] if hand.known else []
    return " and ".join(parts + ([f"{hand.unknown} hidden"] if hand.unknown else [])) or "no dominoes"


def _picture(state: Grid) -> str:
    """The grid in text; the numbers under a tetromino as W on its light side, B on its dark one."""
    rows = [list(line) for line in str(state.board).splitlines()]
    for one in state.laid:
        for cell in one.cells:
            rows[2 * cell.row][2 * cell.col] = "W" if one.light else "B"
    return "\n".join("".join(row).rstrip() for row in rows)
