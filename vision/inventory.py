"""What a scene holds besides dominoes, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rules.words import count, listing

if TYPE_CHECKING:
    from vision.scene import Scene


def piece_lines(scene: Scene) -> Iterator[str]:
    """What there is besides dominoes, a phrase for each kind: "3 dice: 2, 5 and 6"."""
    if scene.dice:
        values = listing(sorted(f"{die.value}{'?' if die.doubtful else ''}" for die in scene.dice))
        yield f"{count(len(scene.dice), 'die', 'dice')}: {values}"
    for things, one, many in (
        (scene.pawns, "pawn", "pawns"),
        (scene.tokens, "token", "tokens"),
        (scene.tetrominoes, "tetromino", "tetrominoes"),
    ):
        if things:
            yield count(len(things), one, many)
