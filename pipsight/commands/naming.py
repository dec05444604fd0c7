"""Games and seats as they are named in commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from calibration.plane import Side


def known(name: str) -> str:
    """The slug of a game, however it is written; a name that no game has is a wrong usage, not bad input."""
    from rules.games import UnknownGame, game, meant

    try:
        return game(meant(name)).info.slug
    except UnknownGame as unknown:
        raise typer.BadParameter(str(unknown), param_hint="GAME") from None


def sides(text: str) -> tuple[Side, ...]:
    """The sides of the picture that `--seats` names, in its order; what names none, or one twice, is a wrong usage."""
    from calibration.store import SIDES

    named = [side.strip().lower() for side in text.split(",") if side.strip()]
    if wrong := [side for side in named if side not in SIDES]:
        raise typer.BadParameter(f"{wrong[0]} is none of {', '.join(SIDES)}", param_hint="--seats")
    if twice := [side for side in SIDES if named.count(side) > 1]:  # arms are told apart by the side they come from
        raise typer.BadParameter(f"one player sits at each side: name {twice[0]} once", param_hint="--seats")
    return tuple(side for name in named for side in SIDES if side == name)
