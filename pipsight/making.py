"""Problems that are made up: number by number, on all cores, each the same whoever makes it."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any

from pipsight.spread import spread
from pipsight.trouble import PipsightError
from rules.game import Draws, Generates
from rules.games import game
from rules.watch import Watch
from rules.words import count, listing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rules.game import Generated


class CannotGenerate(PipsightError, ValueError):
    """A wish that a game cannot fulfil, in one sentence."""


@dataclass(frozen=True)
class Order:
    """Problem `number` (from 1) of a seed: that, the game and the difficulty are all it depends on.

    limit_s: how long it may take; what is not found by then is not made.
    """

    game: str
    difficulty: str
    seed: int
    number: int
    limit_s: float | None = None

    @property
    def name(self) -> str:
        """What its files are called: "unmatched-easy-7-001"."""
        return f"{self.game}-{self.difficulty.replace(' ', '-')}-{self.seed}-{self.number:03}"


@dataclass(frozen=True)
class MadeUp:
    """A problem that was made up, as text, with its solution in the printed notation.

    picture: an SVG document, "" where the game draws none.
    """

    order: Order
    text: str
    moves: tuple[str, ...]
    interest: float
    note: str
    picture: str = ""

    @property
    def summary(self) -> str:
        """What a player may know before solving it."""
        order = self.order
        parts = f"{game(order.game).info.title}, {order.difficulty}, seed {order.seed}, number {order.number}"
        return f"{parts}: {count(len(self.moves), 'move')}"

    def written(self, form: str) -> bytes:
        """The problem as a file: "text", "json", "svg" or "png"."""
        if form == "text":
            return f"{self.text}\n".encode()
        if form == "json":
            return f"{self.json}\n".encode()
        from pipsight.drawing import png

        if not self.picture:
            raise CannotGenerate(f"{game(self.order.game).info.title} draws no pictures")
        return self.picture.encode() if form == "svg" else png(self.picture)

    @property
    def printed(self) -> str:
        """The problem for a reader, with its solution below."""
        return f"{self.summary}.\n{self.note}\n\n{self.text}\n\nSolution: {', '.join(self.moves)}\n"

    @property
    def json(self) -> str:
        """One line with everything about it."""
        order = self.order
        told = {"game": order.game, "difficulty": order.difficulty, "seed": order.seed, "number": order.number}
        told |= {"start": self.text, "solution": list(self.moves), "length": len(self.moves)}
        return json.dumps(told | {"interest": self.interest, "note": self.note})


def orders(slug: str, difficulty: str | None, seed: int, wanted: int, limit_s: float | None = None) -> list[Order]:
    """The problems 1 to `wanted` of a seed; of the easiest grade where none is named. Raises CannotGenerate."""
    rules = game(slug)
    if not isinstance(rules, Generates):
        raise CannotGenerate(f"{rules.info.title} makes up no problems")
    grades = rules.difficulties
    difficulty = " ".join((difficulty or grades[0]).lower().split())
    if difficulty.partition(" ")[0] not in grades:
        raise CannotGenerate(f"{rules.info.title} knows no difficulty {difficulty!r}: choose from {listing(grades)}")
    return [Order(slug, difficulty, seed, number, limit_s) for number in range(1, wanted + 1)]


def made(order: Order) -> MadeUp | None:
    """One problem; None where none came of its chance. Raises CannotGenerate where the game refuses the difficulty."""
    rules: Any = game(order.game)
    chance = Random(f"{order.seed} {order.number} {order.difficulty}")
    try:
        found: Generated[Any, Any] | None = rules.generate(chance, order.difficulty, Watch(order.limit_s))
    except ValueError as error:
        raise CannotGenerate(str(error)) from error
    if found is None:
        return None
    problem = MadeUp(order, found.text, tuple(map(str, found.moves)), found.interest, found.note)
    if not isinstance(rules, Draws):
        return problem
    from pipsight.drawing import svg

    return replace(problem, picture=svg(rules.diagram(found.start), problem.summary))


def generated(
    wanted: list[Order], scheduler: str | None = None, workers: int | None = None
) -> Iterator[tuple[Order, MadeUp | None]]:
    """Each order with its problem, in order, made on all cores or by the workers of a Dask scheduler."""
    alone = 1 if len(wanted) == 1 else workers
    yield from spread(made, wanted, scheduler=scheduler, workers=alone)
