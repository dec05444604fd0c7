"""What one scene holds and how it is seen, and the mixture of scenes that the networks learn from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from training import arrangements, boards, surfaces
from training.arrangements import Arrangement
from training.boards import PrintedBoard
from training.lens import Lens, random_lens
from training.sets import Color, Face, SetStyle, face, moulded, random_style, tinted

Rng = np.random.Generator
Front = Callable[[SetStyle, int, int, Rng], Face]


@dataclass(frozen=True)
class Look:
    """What a whole scene is seen with: camera, set, table, and how much lies about.

    dice, pawns, tokens, tetrominoes, standing, lookalikes: how many at most. sheets: the heights, in halves, of
    things with dominoes printed on them, 0 for paper. table: a bare table's (blue, green, red), else any surface.
    upon: whether dice, pawns and tokens stand on dominoes rather than beside them. front: what draws a tile's front
    from its style, head and tail. drawn: whether a table without a colour of its own is drawn, not made from a picture
    of a real one.
    """

    lens: Lens
    style: SetStyle
    clutter: int = 0
    dice: int = 0
    standing: int = 0
    hand: bool = False
    board: PrintedBoard | None = None
    pawns: int = 0
    tokens: int = 0
    tetrominoes: int = 0
    sheets: tuple[float, ...] = ()
    table: Color | None = None
    upon: bool = False
    front: Front = face
    drawn: bool = False
    lookalikes: int = 0

    @property
    def reach(self) -> float:
        """How far the view extends from its middle, in halves."""
        return self.lens.distance * max(self.lens.width, self.lens.height) / self.lens.focal_px / 2


# What a scene is about. The plain ones show dominoes and ordinary clutter; the last holds no domino at all.
_THEMES = {
    "plain": 0.35,
    "dice": 0.17,
    "pieces": 0.06,
    "tetrominoes": 0.06,
    "raised": 0.055,
    "cornerwise": 0.06,
    "game": 0.12,
}
_GAMES = ("dice", "pawns", "tetrominoes", "all")


WITHOUT = ("surfaces", "touching")  # what can be left out, to see what it brings


def random_look(rng: Rng, size: int, without: str | None = None) -> tuple[Look, Arrangement]:
    """A scene for training: any set, any arrangement, anything beside it; one in eight holds no domino.

    without: "surfaces" for tables that are drawn and no pictures of real ones, "touching" for tiles that do not touch.
    """
    look, laid = _any_look(rng, size)
    if without == "touching":
        laid = arrangements.apart(laid)
    return replace(look, drawn=without == "surfaces"), laid


def _any_look(rng: Rng, size: int) -> tuple[Look, Arrangement]:
    theme = str(rng.choice([*_THEMES, "empty"], p=[*_THEMES.values(), 1 - sum(_THEMES.values())]))
    half_px = float(np.exp(rng.uniform(np.log(17), np.log(60 if theme == "cornerwise" else 105))))
    style = random_style(rng, surfaces.texture)
    dark = theme != "empty" and rng.random() < 0.13
    look = Look(random_lens(rng, size, size, half_px), moulded(style, rng) if dark else style)
    look = _lit_table(look, dark, rng)
    if theme == "empty":
        return _without_dominoes(look, rng), ()
    if theme == "cornerwise":
        look, laid = _cornerwise(look, rng)
    else:
        look, laid = _laid(look, theme, dark, rng)
    look = _upon(look, rng) if theme == "game" else _beside(look, theme, rng)
    return look, arrangements.some_face_down(laid, rng)


def _lit_table(look: Look, dark: bool, rng: Rng) -> Look:
    """Dark tiles often lie on a grey or a pale table, and white ones on white."""
    if dark and rng.random() < 0.5:
        level = float(rng.uniform(70, 245))
        return replace(look, table=tinted(rng, (level, level, level), 8))
    if not dark and min(look.style.base) > 195 and rng.random() < 0.12:
        return replace(look, table=tinted(rng, look.style.base, 5), style=replace(look.style, border=0.0))
    return look


def _laid(look: Look, theme: str, dark: bool, rng: Rng) -> tuple[Look, Arrangement]:
    span = look.reach
    most = int(np.clip(0.35 * (2 * span) ** 2 / 2, 2, 36))
    kinds = [k for k in arrangements.KINDS if k != "raised"]
    kind = "raised" if theme == "raised" else str(rng.choice(kinds))
    if theme in ("tetrominoes", "game"):
        kind = str(rng.choice(["packed", "lattice", "jumble"] if theme == "tetrominoes" else ["packed", "lattice"]))
    if dark and rng.random() < 0.5 and theme != "raised":
        kind = str(rng.choice(["chain", "chain", "jumble"]))
    least = most // 2 if theme == "game" else 1
    laid = arrangements.KINDS[kind](rng, look.style.highest, int(rng.integers(max(1, least), most + 1)), span)
    laid = arrangements.turned(laid, float(rng.uniform(0, 360)))
    printed = rng.random() < (0.5 if kind == "lattice" else 0.08)
    return replace(look, board=boards.random_board(rng, laid) if printed else None), laid


def _cornerwise(look: Look, rng: Rng) -> tuple[Look, Arrangement]:
    """Dominoes on the squares of a checkered board, a pawn or a checker on some of the others."""
    board = boards.checkered(rng)
    middles = boards.middles(board)
    count = int(rng.integers(1, len(middles) + 1)) if rng.random() < 0.4 else int(rng.integers(2, 26))
    laid = arrangements.on_squares(rng, look.style.highest, count, middles, board.angle_deg)
    pawns, tokens = (int(v) for v in rng.integers(0, 4, 2)) if rng.random() < 0.5 else (0, 0)
    return replace(look, board=board, pawns=pawns, tokens=tokens), laid


def _beside(look: Look, theme: str, rng: Rng) -> Look:
    """What lies about, by the theme."""
    themed = theme not in ("plain", "cornerwise")
    dice = theme == "dice" or (themed and rng.random() < 0.25)
    pieces = theme == "pieces" or rng.random() < {"raised": 0.4, "tetrominoes": 0.2, "dice": 0.1}.get(theme, 0.0)
    return replace(
        look,
        clutter=int(rng.integers(0, 9)) if rng.random() < 0.45 else 0,
        dice=int(rng.integers(1, 8)) if dice else 0,
        pawns=int(rng.integers(0, 6)) if pieces else look.pawns,
        tokens=int(rng.integers(0, 6)) if pieces else look.tokens,
        tetrominoes=int(rng.integers(1, 8)) if theme == "tetrominoes" else 0,
        standing=int(rng.integers(1, 5)) if rng.random() < 0.1 else 0,
        sheets=_sheets(rng) if rng.random() < 0.07 else (),
        hand=bool(rng.random() < 0.12),
    )


def _upon(look: Look, rng: Rng) -> Look:
    """A game in full swing: dice, pawns, tokens or tetrominoes on a grid of dominoes, often many of them."""
    game = str(rng.choice(_GAMES, p=[0.35, 0.3, 0.25, 0.1]))
    return replace(
        look,
        upon=True,
        clutter=int(rng.integers(0, 5)) if rng.random() < 0.2 else 0,
        dice=int(rng.integers(1, 9)) if game in ("dice", "all") else 0,
        pawns=int(rng.integers(1, 7)) if game in ("pawns", "all") else 0,
        tokens=int(rng.integers(0, 4)) if game in ("pawns", "all") else 0,
        tetrominoes=int(rng.integers(1, 8)) if game in ("tetrominoes", "all") else 0,
        hand=bool(rng.random() < 0.15),
    )


def _sheets(rng: Rng) -> tuple[float, ...]:
    kinds = (0.0, float(rng.uniform(0.3, 2.5)))
    return tuple(kinds[int(rng.integers(0, 2))] for _ in range(int(rng.integers(1, 3))))


def _without_dominoes(look: Look, rng: Rng) -> Look:
    """Dice, pieces, boards and prints with no tile among them: nothing here may be read as a domino."""
    board = None
    if rng.random() < 0.3:
        board = boards.checkered(rng) if rng.random() < 0.5 else boards.random_board(rng, ())
    pieces = rng.random() < 0.4
    return replace(
        look,
        clutter=int(rng.integers(0, 9)) if rng.random() < 0.5 else 0,
        dice=int(rng.integers(1, 8)) if rng.random() < 0.75 else 0,
        pawns=int(rng.integers(0, 7)) if pieces else 0,
        tokens=int(rng.integers(0, 7)) if pieces else 0,
        tetrominoes=int(rng.integers(1, 8)) if rng.random() < 0.12 else 0,
        standing=int(rng.integers(1, 4)) if rng.random() < 0.12 else 0,
        sheets=_sheets(rng) if rng.random() < 0.2 else (),
        hand=bool(rng.random() < 0.12),
        board=board,
    )
