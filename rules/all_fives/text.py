"""All Fives in text: a position to set up from, and what a player sees of the table."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from rules.all_fives.line import EMPTY_LINE, Line
from rules.all_fives.line_text import parse_line, picture
from rules.all_fives.scoring import sum_said
from rules.all_fives.state import FULL_SET, FivesState, Phase, hand_size
from rules.board_text import PIPS
from rules.domino import Domino
from rules.entries import Entries, entries, number_of
from rules.errors import BadText
from rules.game import Seat
from rules.holding import Holding
from rules.words import count, listing, player

SEATS = 4
_UNKNOWN = re.compile(r"\+\d{1,2}|\d")  # how many unknown dominoes
_NUMBERS = ("players", "turn", "lead", "hand", "passes", "seed")
_NAMES = (
    *(f"player {seat + 1}" for seat in range(SEATS)),
    "boneyard",
    "line",
    "up",
    "down",
    "scores",
    "phase",
    *_NUMBERS,
)


def parse_fives(text: str) -> FivesState:
    """The position that a text sets up: "player 1: 64 31 22 50 11 65 42" is enough, the rest is unknown then.

    "player 2: 64 31 +5" has two known dominoes and five unknown ones. Raises BadText with line and
    column.
    """
    given = _given(text)
    numbers = {name: number_of(given, name) for name in _NUMBERS if name in given}
    named = max((seat + 1 for seat in range(SEATS) if f"player {seat + 1}" in given), default=2)
    players = max(numbers.get("players", 2), named)
    if players > SEATS:
        raise BadText(f"2 to {SEATS} play, not {players}", *_place(given, "players"))
    line = _line(given)
    size = f"+{hand_size(players)}"
    hands = tuple(_holding(given, f"player {seat + 1}", size) for seat in range(players))
    left = len(FULL_SET) - len(line.tiles) - sum(map(len, hands))
    boneyard = _holding(given, "boneyard", f"+{max(left, 0)}")
    state = FivesState(
        hands,
        boneyard,
        line,
        turn=_seat(given, numbers, "turn", players),
        lead=_seat(given, numbers, "lead", players),
        scores=_scores(given, players),
        phase=_phase(given),
        passes=numbers.get("passes", 0),
        number=numbers.get("hand", 1),
        seed=numbers.get("seed"),
    )
    _require_one_set(state, given)
    return state


def _given(text: str) -> Entries:
    enough = "a line is like 'player 1: 64 31', or 'players: 2' where all are unknown"
    return entries(text.splitlines(), _NAMES, "'player 1: 64 31'", enough)


def _place(given: Entries, name: str) -> tuple[int, int]:
    return (given[name][0] if name in given else 1), 1


def _seat(given: Entries, numbers: Mapping[str, int], name: str, players: int) -> Seat:
    seat = numbers.get(name, numbers.get("lead", 1))
    if not 1 <= seat <= players:
        raise BadText(f"there are players 1 to {players}, not {seat}", *_place(given, name))
    return seat - 1


def _line(given: Entries) -> Line:
    """The line and what lies off its sniff; a fault is told with its place in the whole text."""
    laid = {"line": "", "up": "", "down": ""}
    line = EMPTY_LINE
    for name in laid:
        number, laid[name] = given.get(name, (1, ""))
        try:
            line = parse_line(laid["line"], laid["up"], laid["down"])
        except BadText as bad:
            raise BadText(bad.reason, number, bad.column + len(name) + 1) from None
    return line


def _scores(given: Entries, players: int) -> tuple[int, ...]:
    line, text = given.get("scores", (1, " ".join(["0"] * players)))
    words = text.split()
    if len(words) != players or not all(word.isdecimal() for word in words):
        raise BadText(f"{players} scores are needed, as 'scores: {' '.join(['0'] * players)}'", line)
    return tuple(map(int, words))


def _phase(given: Entries) -> Phase:
    line, text = given.get("phase", (1, Phase.PLAYING.value))
    if text.strip() not in {phase.value for phase in Phase}:
        raise BadText(f"the phase is {listing([one.value for one in Phase], 'or')}, not {text.strip()!r}", line)
    return Phase(text.strip())


def _holding(given: Entries, name: str, default: str) -> Holding:
    line, text = given.get(name, (1, default))
    known: list[Domino] = []
    unknown = 0
    for word in re.finditer(r"\S+", text):
        try:
            if _UNKNOWN.fullmatch(word.group()):
                unknown += int(word.group())
            else:
                known.append(_domino(word.group(), known))
        except ValueError as error:
            raise BadText(str(error), line, word.start() + len(name) + 2) from None
    return Holding(tuple(known), unknown)


def _domino(word: str, before: Collection[Domino]) -> Domino:
    if len(word) != 2 or not set(word.lower()) <= set(PIPS):
        raise ValueError(f"{word!r} is no domino, as 24, and no number of unknown ones, as +7")
    domino = Domino.of(*map(PIPS.index, word.lower()))
    if domino not in FULL_SET:
        raise ValueError(f"{word} is not in the {FULL_SET.name} set")
    if domino in before:
        raise ValueError(f"{word} stands there twice")
    return domino


def _require_one_set(state: FivesState, given: Entries) -> None:
    """Each domino is in one place, and there are no more and no fewer than the set has."""
    taken = set(state.line.dominoes)
    names = [*(f"player {seat + 1}" for seat in range(state.players)), "boneyard"]
    for name, holding in zip(names, (*state.hands, state.boneyard), strict=True):
        for domino in holding.known:
            if domino in taken:
                raise BadText(f"the {domino} is in two places", *_place(given, name))
            taken.add(domino)
    there = len(state.line.tiles) + sum(map(len, state.hands)) + len(state.boneyard)
    if there != len(FULL_SET):
        raise BadText(f"there are {there} dominoes, and the {FULL_SET.name} set has {len(FULL_SET)}")
    if "phase" not in given and not all(len(hand) for hand in state.hands):
        raise BadText("a hand is empty: the text is of a hand that is over")
    _require_phase(state, given)


def _require_phase(state: FivesState, given: Entries) -> None:
    """What is waited for can come: a domino that nobody knows to look at."""
    drawn = state.boneyard.unknown and not state.hand.unknown
    if state.phase is Phase.DRAWING and not drawn:
        raise BadText("a domino that is drawn comes from an unknown boneyard to a known hand", *_place(given, "phase"))
    if state.phase is Phase.SHOWING and not any(hand.unknown for hand in state.hands):
        raise BadText("every hand is known, and none has to be shown", *_place(given, "phase"))


def hand_said(hand: Holding) -> str:
    """A hand as it is printed: "64 31 and 5 unknown"."""
    parts = [" ".join(map(str, hand.known))] if hand.known else []
    return " and ".join(parts + ([f"{hand.unknown} unknown"] if hand.unknown else [])) or "empty"


def told(state: FivesState, seat: Seat | None = None) -> str:
    """The line as a picture with its sum, the hands as that seat sees them, the boneyard and the scores."""
    lines = [picture(state.line), "", f"Ends: {sum_said(state.line)}."] if state.line.row else ["The line is empty."]
    open_hands = seat is None or state.phase in (Phase.SHOWING, Phase.DEALING)
    for number, hand in enumerate(state.hands):
        seen = hand if open_hands or number == seat else hand.unseen()
        mark = " <- to move" if number == state.turn and state.phase is Phase.PLAYING else ""
        lines.append(f"{player(number)}: {state.scores[number]} points, hand: {hand_said(seen)}{mark}")
    lines.append(f"Boneyard: {count(len(state.boneyard), 'domino', 'dominoes')}.")
    return "\n".join(lines)
