"""What there is to choose on the page: the games, their published problems, and the picture of a set-up to copy."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

from pipsight.drawing import svg
from pipsight.opening import REFEREED, CannotBegin, variants
from rules.cobra_paw.state import SIDES
from rules.game import Draws
from rules.games import game, slugs
from rules.puzzles import problem, published


@cache
def games() -> tuple[dict[str, Any], ...]:
    """Every game with what its players want to know, its published problems by name, and its variants and the sides
    where they may sit, if that matters, for each number of players, the fewest first."""
    return tuple(_told(slug) for slug in slugs())


def _told(slug: str) -> dict[str, Any]:
    rules = game(slug)
    info = rules.info
    least, most = info.players
    counts = range(least, most + 1)
    ways = [variants(rules, number) for number in counts]
    return {
        "slug": slug,
        "title": info.title,
        "players": list(info.players),
        "set": info.set,
        "needs": list(info.needs),
        "problems": [one.name for one in published(slug)],
        "variants": ways if any(ways) else [],
        "seats": [list(combinations(SIDES[4], number)) for number in counts] if slug == REFEREED else [],
        "seated": [SIDES[number] for number in counts] if slug == REFEREED else [],
    }


def setup_svg(slug: str, name: str) -> str:
    """The picture of a published problem's set-up. Raises CannotBegin for a problem that was not published."""
    rules = game(slug)
    if name not in known_problems(slug) or not isinstance(rules, Draws):
        raise CannotBegin(f"{rules.info.title} has no published problem {name[:20]}")
    return svg(rules.diagram(problem(slug, name)))


def known_problems(slug: str) -> tuple[str, ...]:
    """The names of a game's published problems: a page may name these, and no file."""
    return tuple(one.name for one in published(slug))
