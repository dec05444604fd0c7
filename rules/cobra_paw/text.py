"""A game of Cobra Paw in text: the players, the dice, what lies in the middle and what each player has taken."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from math import inf

from rules.board_text import PIPS
from rules.cobra_paw.state import BLANK, FULL_SET, SIDES, Hunt
from rules.domino import Domino
from rules.errors import BadText
from rules.game import Seat
from rules.holding import Holding
from rules.table import TableSide
from rules.two_dice import Dice
from rules.words import count, listing

_SEATS = ("roller", "claimed", "owed", "tied")
_KEYS = (
    "players",
    "sides",
    "dice",
    "hunting",
    *_SEATS,
    "before",
    "since",
    "face up",
    *(f"player {n}" for n in range(1, 5)),
)
_UNKNOWN = "??"


def written(state: Hunt) -> str:
    """The text of a state; `parsed` reads it back, but for where the dominoes lie."""
    lines = [f"players: {state.players}", f"roller: {state.roller + 1}"]
    lines += [f"sides: {' '.join(state.seated)}"] if state.seated else []
    lines += [f"dice: {state.dice[0]}{state.dice[1]}"] if state.dice else []
    lines += ["hunting: yes"] if state.hunting else []
    lines += [f"claimed: {state.claimed + 1}"] if state.claimed is not None else []
    seats = (("owed", state.owed), ("tied", state.tied))
    lines += [f"{name}: {' '.join(str(seat + 1) for seat in held)}" for name, held in seats if held]
    lines += [f"before: {' '.join(map(str, state.before))}"] if state.before else []
    lines += [f"since: {state.since_s!r}"] if state.since_s is not None else []
    lines.append(f"face up: {' '.join(map(str, state.face_up))}")
    for number, taken in enumerate(state.taken, 1):
        if len(taken):
            lines.append(f"player {number}: {' '.join([*map(str, taken), *[_UNKNOWN] * taken.unknown])}")
    return "\n".join(lines)


def parsed(text: str) -> Hunt:
    """The state that a text holds; what it lacks is as in a new game for two. Raises BadText with line and column."""
    lines = dict(_entries(text))
    players = _number(lines, "players", 2, SIDES)
    taken = tuple(_held(lines, f"player {number}") for number in range(1, 5))
    if any(map(len, taken[players:])):
        raise BadText(f"there are {players} players", _line(lines, f"player {players + 1}"))
    known = [domino for holding in taken for domino in holding]
    face_up = _face_up(lines, known)
    dice = _dice(lines)
    seats = {key: _seats(lines, key, players) for key in _SEATS}
    claimed, owed = seats["claimed"], seats["owed"]
    state = Hunt(
        taken[:players],
        face_up,
        dice,
        _hunting(lines),
        (*seats["roller"], 0)[0],
        claimed[0] if claimed else None,
        owed,
        _before(lines, players),
        seats["tied"],
        _since(lines),
        seated=_sides(lines, players),
    )
    _require_sense(lines, state)
    return state


def _require_sense(lines: dict[str, tuple[int, str]], state: Hunt) -> None:
    """Raises BadText for a game that cannot be: more dominoes than there are, a hunt that is over and is not."""
    if sum(state.counts) > len(FULL_SET):
        most = max(range(state.players), key=lambda seat: state.counts[seat])
        text = f"the players have {sum(state.counts)} dominoes, and the {FULL_SET.name} set {len(FULL_SET)}"
        raise BadText(text, _line(lines, f"player {most + 1}"))
    if state.hunting and not state.dice:
        raise BadText("a hunt needs dice: 53", _line(lines, "hunting"))
    if state.hunting and state.owed:
        raise BadText("rewards are due after a hunt, not in it", _line(lines, "owed"))
    if state.claimed is not None and not state.hunting:
        raise BadText("a claim needs a hunt: hunting: yes", _line(lines, "claimed"))
    if state.claimed is not None and BLANK not in state.face_up:
        raise BadText("the double blank does not lie in the middle", _line(lines, "claimed"))


def _entries(text: str) -> Iterable[tuple[str, tuple[int, str]]]:
    for number, line in enumerate(text.splitlines(), 1):
        key, colon, value = line.partition(":")
        if key.strip().lower() in _KEYS and colon:
            yield key.strip().lower(), (number, value.strip())
        elif line.strip():
            raise BadText(f"a line begins with {listing([f'{key}:' for key in _KEYS], 'or')}", number)


def _line(lines: dict[str, tuple[int, str]], key: str) -> int:
    return lines.get(key, (1, ""))[0]


def _number(lines: dict[str, tuple[int, str]], key: str, usual: int, allowed: Iterable[int]) -> int:
    number, value = lines.get(key, (1, str(usual)))
    if not value.isdecimal() or int(value) not in allowed:
        raise BadText(f"{value!r} is none of {listing(list(map(str, allowed)), 'or')}", number, len(key) + 3)
    return int(value)


def _sides(lines: dict[str, tuple[int, str]], players: int) -> tuple[TableSide, ...]:
    """Where the players sit; () where a text has them sit as usual."""
    number, value = lines.get("sides", (1, ""))
    words = value.lower().split()
    sides = tuple(side for word in words for side in SIDES[4] if side == word)
    if words and not len(words) == len(set(sides)) == players:
        raise BadText(f"{count(players, 'side')} of {listing(list(SIDES[4]))} are needed, each once", number, 8)
    return () if sides == SIDES[players] else sides


def _hunting(lines: dict[str, tuple[int, str]]) -> bool:
    number, value = lines.get("hunting", (1, "no"))
    if value not in ("yes", "no"):
        raise BadText(f"{value!r} is neither yes nor no", number, 10)
    return value == "yes"


def _held(lines: dict[str, tuple[int, str]], key: str) -> Holding:
    number, value = lines.get(key, (1, ""))
    words = value.split()
    known = tuple(_domino(word, number) for word in words if word != _UNKNOWN)
    return Holding(known, words.count(_UNKNOWN))


def _domino(word: str, number: int) -> Domino:
    if len(word) != 2 or not set(word) <= set(PIPS):
        raise BadText(f"{word!r} is no domino: two numbers side by side are, as 53", number)
    domino = Domino.of(*map(PIPS.index, word))
    if domino not in FULL_SET:
        raise BadText(f"{word} is not in the {FULL_SET.name} set", number)
    return domino


def _face_up(lines: dict[str, tuple[int, str]], known: list[Domino]) -> tuple[Domino, ...]:
    """The middle; a text that does not list it has all there that nobody took."""
    if "face up" not in lines:
        listed = [domino for domino in FULL_SET if domino not in known]
    else:
        number, value = lines["face up"]
        listed = [_domino(word, number) for word in value.split()]
    twice = [domino for domino in listed if (listed + known).count(domino) > 1]
    twice += [domino for domino in known if known.count(domino) > 1]
    if twice:
        raise BadText(f"{twice[0]} is there twice", _line(lines, "face up"))
    return tuple(sorted(listed))


def _dice(lines: dict[str, tuple[int, str]]) -> Dice | None:
    if "dice" not in lines:
        return None
    number, value = lines["dice"]
    if not re.fullmatch("[1-6]-?[1-6]", value):
        raise BadText(f"{value!r} are no two dice: 53 are", number, 7)
    low, high = sorted((int(value[0]), int(value[-1])))
    return high, low


def _seats(lines: dict[str, tuple[int, str]], key: str, players: int) -> tuple[Seat, ...]:
    number, value = lines.get(key, (1, ""))
    words = value.split()
    if not all(word.isdecimal() and 1 <= int(word) <= players for word in words):
        raise BadText(f"players have the numbers 1 to {players}", number, len(key) + 3)
    return tuple(int(word) - 1 for word in words)


def _before(lines: dict[str, tuple[int, str]], players: int) -> tuple[int, ...]:
    number, value = lines.get("before", (1, ""))
    words = value.split()
    if words and (len(words) != players or not all(map(str.isdecimal, words))):
        raise BadText(f"{count(players, 'number')} of dominoes are needed", number, 9)
    return tuple(map(int, words))


def _since(lines: dict[str, tuple[int, str]]) -> float | None:
    number, value = lines.get("since", (1, ""))
    if not value:
        return None
    with suppress(ValueError):
        if 0 <= (seconds := float(value)) < inf:
            return seconds
    raise BadText(f"{value!r} are no seconds", number, 8)
