"""A moment of each game that has no layout of its own in samples: its state, and the table on which it lies."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.players_of.all_fives import greedy
from benchmarks.players_of.bee_race import careful
from rules.course import by_chance, playout
from rules.engine import deal
from rules.game import Draws
from rules.games import game
from rules.puzzles import problem
from rules.table import Die, LooseTile, Table
from training.lens import looking_down
from training.look import Look
from training.render import render
from training.set_out import SetOut
from training.sets import Color, SetStyle
from training.truth import Truth

CLOTH: Color = (92.0, 128.0, 84.0)


class Shown(NamedTuple):
    """A moment of a game: how its state comes about, the seed of its picture, and the pixels of a half."""

    state: Callable[[], Any]
    seed: int
    half_px: float


def after(slug: str, players: int, seed: int, moves: int, player: Any = by_chance) -> Callable[[], Any]:
    """The state of a game between players by chance after so many moves."""

    def state() -> Any:
        rules: Any = game(slug)
        now = rules.set_up(players, Random(seed))
        for number, (_, then) in enumerate(playout(rules, now, [player] * players, Random(seed)), 1):
            now = then
            if number == moves:
                break
        return now

    return state


def dealt(slug: str, seed: int, size: int) -> Callable[[], Any]:
    """A start of so many dominoes by chance."""
    return lambda: deal(game(slug), seed, size)


SHOWN: dict[str, Shown] = {
    "all_fives": Shown(after("all_fives", 2, 4, 9, greedy), 60, 50.0),
    "bee": Shown(lambda: problem("bee", "4"), 60, 75.0),
    "bee_race": Shown(after("bee_race", 3, 2, 25, careful), 60, 90.0),
    "cobra_paw": Shown(after("cobra_paw", 2, 1, 3), 60, 42.0),
    "country_road": Shown(lambda: problem("country_road", "2"), 60, 60.0),
    "domineering": Shown(after("domineering", 2, 3, 9), 60, 52.0),
    "finder": Shown(after("finder", 2, 5, 14), 60, 62.0),
    "freecell": Shown(dealt("freecell", 2, 28), 60, 60.0),
    "fujisan": Shown(lambda: problem("fujisan", "1"), 60, 70.0),
    "mountains_together": Shown(after("mountains_together", 2, 2, 18), 60, 80.0),
    "tetradominoes": Shown(after("tetradominoes", 2, 9, 12), 60, 75.0),
}


def table_of(slug: str, state: Any) -> Table:
    """The table on which a state lies."""
    rules: Any = game(slug)
    if isinstance(rules, Draws):
        return rules.diagram(state).table
    middle = [(domino.high, domino.low) for domino in state.face_up]
    return Table(loose=tuple(_thrown(middle)), dice=_between(state.dice))


def _thrown(pips: list[tuple[int, int]]) -> list[LooseTile]:
    """Dominoes thrown on the table, none upon another, with room for the dice between them."""
    chance = Random(len(pips))
    places = [(2.9 * col, 2.9 * row) for row in range(5) for col in range(7) if (row, col) not in ((2, 2), (2, 4))]
    return [
        LooseTile(*halves, x + chance.uniform(-0.3, 0.3), y + chance.uniform(-0.3, 0.3), chance.uniform(0, 360))
        for halves, (x, y) in zip(pips, chance.sample(places, len(pips)), strict=True)
    ]


def _between(dice: tuple[int, int]) -> tuple[Die, ...]:
    return tuple(Die(value, None, x, 0.1) for value, x in zip(dice, (-2.9, 2.9), strict=True))


def shown(slug: str, style: SetStyle) -> tuple[Any, tuple[NDArray[np.uint8], Truth]]:
    """The state of a game's sample, and its picture with the truth in it."""
    moment = SHOWN[slug]
    state, rng = moment.state(), np.random.default_rng(moment.seed)
    laid = SetOut.of(table_of(slug, state), style)
    look = Look(looking_down(1280, 960, moment.half_px, 10.0, 0.0), style, board=laid.board, table=CLOTH)
    return state, render(look, laid.tiles(rng), rng, laid.stands(rng))
