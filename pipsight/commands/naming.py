"""The games as they are named in commands."""

from __future__ import annotations

import typer


def known(name: str) -> str:
    """The slug of a game, however it is written; a name that no game has is a wrong usage, not bad input."""
    from rules.games import UnknownGame, game, meant

    try:
        return game(meant(name)).info.slug
    except UnknownGame as unknown:
        raise typer.BadParameter(str(unknown), param_hint="GAME") from None
