"""The games, found by their slugs; a game is one module here with its `GAME`."""

from __future__ import annotations

import pkgutil
from difflib import get_close_matches
from importlib import import_module
from typing import Any

from rules.errors import RulesError
from rules.game import Game
from rules.words import listing


class UnknownGame(RulesError, LookupError):
    """A slug that no game has; the message says which there are."""


def slugs() -> tuple[str, ...]:
    """The slugs of all games, in alphabetical order."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


def meant(name: str) -> str:
    """The slug that people mean who write capitals, hyphens or blanks: `meant("All-Fives")` is "all_fives"."""
    return "_".join(name.lower().replace("-", " ").replace("_", " ").split())


def game(slug: str) -> Game[Any, Any]:
    """The game with this slug: `game("dominosa")`. Raises UnknownGame."""
    if slug not in slugs():
        near = get_close_matches(slug, slugs(), 1)
        there = f"did you mean {near[0]}?" if near else f"there are {listing(slugs())}."
        raise UnknownGame(f"There is no game {slug!r}; {there}")
    found: Game[Any, Any] = import_module(f"{__name__}.{slug}").GAME
    return found
