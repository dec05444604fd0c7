"""Which domino or tetromino to play: a look at what each leaves, over the own hand and the dominoes not seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from rules.domino import Domino
from rules.players import Suggestion
from rules.tetradominoes.compact import Compact, Laying, Option, cell_of, covers, place_of
from rules.tetradominoes.shapes import PIECES
from rules.tetradominoes.state import (
    HAND,
    LEVEL_1,
    LEVEL_2,
    WINS_BELOW,
    Act,
    Cover,
    Discard,
    Grid,
    Lay,
    Move,
    Offer,
    Phase,
    Return,
    Reveal,
)
from rules.watch import Watch
from rules.words import count

_STEPS = (1, 256, -1, -256)
WIDTH, SHOWN = 10, 5
_PLAYED, _OPEN_PAIR, _READY, _LIKELY, _THREAT = 10.0, 0.35, 2.5, 2.0, 7.0
_LOST, _STUCK, _OPEN_NUMBER = 22.0, 14.0, 0.6


class Prospect(NamedTuple):
    """A domino to play, the tetromino that then follows, and what they are worth."""

    worth: float
    luck: float
    lay: Laying
    option: Option | None


@dataclass(frozen=True)
class Looking:
    """What the one who looks ahead knows: the grid, the hand, and the dominoes that may come."""

    state: Grid
    grid: Compact
    hand: tuple[Domino, ...]
    unseen: tuple[Domino, ...]

    @classmethod
    def of(cls, state: Grid) -> Looking:
        """From the state as who is to move sees it."""
        hand = (*state.shown[state.turn], *state.hand.known)
        return cls(state, Compact.of(state), hand, state.unseen)

    def gain(self, option: Option | None) -> float:
        """What a tetromino is worth; alone, also what it does to the score that is still possible."""
        if option is None:
            return 0.0
        if not self.state.alone:
            return _PLAYED
        light = sum(one.light for one in self.state.laid)
        dark, gone = len(self.state.laid) - light, len(self.state.gone)
        after = _hope(light + 1, dark, gone) if option[1] else _hope(light, dark + 1, gone)
        return _PLAYED + after - _hope(light, dark, gone)

    def best_option(self, grid: Compact, lay: Laying) -> Option | None:
        """The tetromino to follow a domino: the one that leaves most open pairs."""
        options = grid.options(lay)
        return max(options, key=lambda option: (self.gain(option), -_spent(grid, option)), default=None)

    def prospects(self, domino: Domino, chance: Random) -> Iterator[Prospect]:
        """Every way to play a domino, with what can be seen at a glance."""
        for lay in self.grid.lays(domino):
            grid = self.grid.with_lay(lay)
            option = self.best_option(grid, lay)
            after = grid.with_option(option) if option else grid
            worth = self.gain(option) + _OPEN_PAIR * open_pairs(after) - self._stretch(after)
            worth += _OPEN_NUMBER * open_numbers(after)
            yield Prospect(worth, chance.random(), lay, option)

    def _stretch(self, grid: Compact) -> float:
        """At level 2 every number along the longest side costs a point."""
        if self.state.variant != LEVEL_2:
            return 0.0
        cells = [cell_of(place) for place in grid.pips]
        rows, cols = {cell.row for cell in cells}, {cell.col for cell in cells}
        return 1.5 * max(max(rows) - min(rows), max(cols) - min(cols))

    def ahead(self, prospect: Prospect) -> float:
        """How it goes on: which dominoes of the hand and of those unseen would bring a tetromino then."""
        grid = self.grid.with_lay(prospect.lay)
        if prospect.option:
            grid = grid.with_option(prospect.option)
        played = Domino.of(prospect.lay.pips, prospect.lay.other_pips)
        hand = [domino for domino in self.hand if domino != played]
        ready = self._ready(grid, hand)
        if self.state.alone:
            likely = self._ready(grid, self.unseen) / max(1, len(self.unseen))
            return _READY * ready + _LIKELY * likely - _STUCK * self._stuck(grid, hand)
        return 0.4 * _READY * ready - _THREAT * self._threat(grid)

    def _ready(self, grid: Compact, dominoes: Iterable[Domino]) -> float:
        """Of how many of the dominoes a way to play brings a tetromino that is wanted."""
        return sum(self._brings(grid, domino) for domino in dominoes)

    def _brings(self, grid: Compact, domino: Domino) -> bool:
        return any(self.gain(option) > 0 for lay in grid.lays(domino) for option in grid.with_lay(lay).options(lay))

    def _stuck(self, grid: Compact, hand: Iterable[Domino]) -> float:
        """The chance that neither the hand nor the domino that is drawn can be played next."""
        if any(next(grid.lays(domino), None) for domino in hand):
            return 0.0
        fitting = sum(next(grid.lays(domino), None) is not None for domino in self.unseen)
        return 1 - fitting / len(self.unseen) if self.unseen and len(self.state.pile) else 1.0

    def _threat(self, grid: Compact) -> float:
        """The chance that the next player has one of the unseen dominoes that bring a tetromino."""
        state = self.state
        rival = (state.turn + 1) % state.players
        lights = (True,) if state.players == 3 else (not self.grid_light,)
        if state.players == 3:
            kept = frozenset(place_of(cell) for one in state.laid if one.seat == rival for cell in one.cells)
        else:
            kept = frozenset(place_of(cell) for one in state.laid if one.light is lights[0] for cell in one.cells)
        theirs = Compact(grid.pips, grid.covered, {lights[0]: kept}, grid.pieces)
        good = sum(self._brings(theirs, domino) for domino in self.unseen)
        none = 1.0
        for drawn in range(min(len(state.hands[rival]), len(self.unseen))):
            none *= max(0, len(self.unseen) - good - drawn) / (len(self.unseen) - drawn)
        sure = any(self._brings(theirs, domino) for domino in state.shown[rival])
        return 1.0 if sure else 1 - none

    @property
    def grid_light(self) -> bool:
        """The side that the player's own tetrominoes have up."""
        return self.state.colors()[0]


def _hope(light: int, dark: int, gone: int) -> float:
    """What can still be reached alone: whether the lowest possible score wins at level 1, and how much it leaves."""
    less = min(light, dark)
    score = less * (len(PIECES) - gone - less) + 7 * gone
    return -0.5 * score if score < WINS_BELOW[LEVEL_1] else -_LOST - 0.5 * score


def open_numbers(grid: Compact) -> int:
    """How many different numbers can be matched."""
    return len(
        {
            pips
            for place, pips in grid.pips.items()
            if place not in grid.covered and any(place + step not in grid.pips for step in _STEPS)
        }
    )


def open_pairs(grid: Compact) -> float:
    """How far uncovered equal numbers hang together: what tetrominoes are made of."""
    groups, seen = 0.0, set[int]()
    for start, pips in grid.pips.items():
        if start in seen or start in grid.covered:
            continue
        group = [start]
        seen.add(start)
        for place in group:
            for step in _STEPS:
                near = place + step
                if near not in seen and near not in grid.covered and grid.pips.get(near) == pips:
                    seen.add(near)
                    group.append(near)
        groups += (0, 0, 1, 2.5, 3)[min(len(group), 4)]
    return groups


def _spent(grid: Compact, option: Option) -> int:
    """How many neighbouring uncovered numbers a tetromino takes the match from."""
    places = set(option[2])
    return sum(
        near not in places and near not in grid.covered and grid.pips.get(near) == grid.pips[place]
        for place in option[2]
        for near in (place + step for step in _STEPS)
    )


def advice(state: Grid, watch: Watch, chance: Random) -> tuple[Suggestion[Move], ...]:
    """Good moves for who is to move, the best first; `state` is what that player sees."""
    if state.phase is Phase.COVER:
        return _which_cover(state)
    if state.phase is Phase.RETURN:
        nudge = "Put back what matches least of what lies there."
        worst = _least_useful(state)[:1]
        return tuple(Suggestion(Return(d), "It matches least of what lies there.", nudge=nudge) for d in worst)
    if state.phase is Phase.TRADE:
        return _which_trade(state)
    return _which_lay(state, watch, chance) or _which_way_out(state)


def _which_lay(state: Grid, watch: Watch, chance: Random) -> tuple[Suggestion[Move], ...]:
    looking = Looking.of(state)
    found = [prospect for domino in looking.hand for prospect in looking.prospects(domino, chance)]
    found.sort(key=lambda prospect: (-prospect.worth, prospect.luck))
    weighed = []
    for number, prospect in enumerate(found[:WIDTH]):
        if number and not watch.goes_on(number, 1):
            break
        weighed.append(prospect._replace(worth=prospect.worth + looking.ahead(prospect)))
    weighed.sort(key=lambda prospect: (-prospect.worth, prospect.luck))
    return tuple(Suggestion(Lay(p.lay.placed), _reason(looking, p), p.worth) for p in weighed[:SHOWN])


def _reason(looking: Looking, prospect: Prospect) -> str:
    grid = looking.grid.with_lay(prospect.lay)
    then = "No tetromino fits on it yet"
    if prospect.option:
        piece, light, _ = prospect.option
        then = f"The {piece} tetromino can follow, {'light' if light else 'dark'} side up"
        grid = grid.with_option(prospect.option)
    if not looking.state.alone:
        return f"{then}; the next player can then play one with a chance of {looking._threat(grid):.0%}."
    played = Domino.of(prospect.lay.pips, prospect.lay.other_pips)
    ready = int(looking._ready(grid, [domino for domino in looking.hand if domino != played]))
    unseen = int(looking._ready(grid, looking.unseen))
    after = f"{ready} of the hand and {unseen} of {count(len(looking.unseen), 'unseen domino', 'unseen dominoes')}"
    return f"{then}; {after} would bring the next."


def _which_cover(state: Grid) -> tuple[Suggestion[Move], ...]:
    """The tetrominoes for the domino just played: those first that keep the colours apart and leave most pairs."""
    looking = Looking.of(state)
    rated: list[tuple[float, Cover]] = []
    for cover in covers(state):
        option = (cover.piece, cover.light, tuple(map(place_of, cover.cells)))
        left = open_pairs(looking.grid.with_option(option))
        rated.append((looking.gain(option) + _OPEN_PAIR * left, cover))
    rated.sort(key=lambda entry: -entry[0])
    ways = count(len(rated), "way", "ways")
    reason = f"It leaves the most numbers for the next one, of {ways} to play a tetromino."
    return tuple(Suggestion(cover, reason, worth) for worth, cover in rated[:SHOWN])


def _least_useful(state: Grid) -> list[Domino]:
    """The hand, the domino first that has fewest equal numbers lying open."""
    open_numbers = Counter(pips for cell, pips in state.board.pips.items() if cell not in state.covered)
    looking = Looking.of(state)

    def use(domino: Domino) -> tuple[bool, int]:
        return looking._brings(looking.grid, domino), open_numbers[domino.high] + open_numbers[domino.low]

    return sorted(state.hand.known, key=use)


def _which_trade(state: Grid) -> tuple[Suggestion[Move], ...]:
    """A domino that can be played helps the partner who moves sooner; else none is given."""
    useful = _least_useful(state)
    if state.offering and useful:
        return (Suggestion(Offer(useful[-1]), "The partner moves first, and this one matches most."),)
    if useful and not Looking.of(state)._brings(Compact.of(state), useful[-1]):
        return (Suggestion(Offer(useful[0]), "It matches least: the partner may have a better one."),)
    return (Suggestion(Act.KEEP, "The hand has what it needs."),)


def _which_way_out(state: Grid) -> tuple[Suggestion[Move], ...]:
    """What is left where no domino of the hand can be played."""
    if state.hand.unknown and not state.hand.known:
        return ()
    if state.alone:
        piece = _hardest(state.pieces)
        drawn = min(HAND, len(state.pile))
        reason, nudge = "this shape is the hardest to fit", "the shape that is hardest to fit is given up"
        stuck = "No domino can be played"
        return (Suggestion(Discard(piece, drawn), f"{stuck}; {reason}.", nudge=f"{stuck}; {nudge}."),)
    useful = _least_useful(state)
    if len(state.pile) and len(useful) >= 2:
        reason, nudge = "No domino can be played; these two match least.", "No domino can be played."
        return (Suggestion(Reveal(useful[0], useful[1]), reason, nudge=nudge),)
    return (Suggestion(Act.PASS, "No domino can be played, and none can be drawn."),)


def _hardest(pieces: Sequence[str]) -> str:
    return min(pieces, key="OIZSTJL".index)
