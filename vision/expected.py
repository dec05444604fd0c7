"""What a game expects on its table, found there: faint pieces are taken up where some must be, and others left out."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.colors import color_name
from rules.game import Expected
from vision.odds import likelier
from vision.pieces import PRESENT, Piece, from_left, likely_and_faint, middle, reach
from vision.scene import DieDetection, Faint, PawnDetection, Scene, TetrominoDetection

Outline = NDArray[np.floating]

BELIEVED = 1.0  # what was told of anyway comes before all that is faint
LIKELY = 0.2  # a tetromino is hard to tell by itself: where a game has them, one so likely is believed
ALIKE, DICE_ALIKE = 0.4, 0.5  # pieces of one kind differ less than so much in size (log); dice are often cut off
SHOWS, COLORED = 0.2, 0.65  # a die so likely is believed where it shows the number that lacks, a pawn of its colour
LACKS = 0.2  # a piece so likely is believed where it has to lie there because another one does
SAME = 0.5  # of the smaller one's size: what lies closer is the same thing
FORESEEN = 100.0  # the odds that a die stands where one does or may by the rules, and its very number is seen there
OTHERWISE = 0.5  # what is faint, and has the colour of a known piece, is so much less likely no piece
ROUND = ("pawn", "token")


def as_expected(scene: Scene, expected: Sequence[Expected], board: Outline | None = None) -> Scene:
    """The scene with no other pieces than a game has: the likeliest ones, as many as must lie there if need be.

    board: its corners (4, 2) in pixels, where pieces stand on the squares of one, and no domino on the same square.
    """
    if board is not None:
        scene = _on(scene, board)
    seen = {want: _seen(scene, want, expected) for want in expected}
    chosen = [_doubted(one) for want in expected for one in _chosen(_undisputed(want, seen), want)]
    pieces = likely_and_faint([replace(one, chance=BELIEVED) for one in chosen])
    return replace(
        scene, dice=pieces.dice, pawns=pieces.pawns, tokens=pieces.tokens, tetrominoes=pieces.tetrominoes, faint=()
    )


def with_foreseen(scene: Scene, foreseen: Callable[[DieDetection], bool]) -> Scene:
    """The scene with the dice, in doubt, that hardly show where the rules have them: a white 4 on a white 4.

    foreseen: whether such a die stands there by the rules, or may be set there by the next move. Where a die with that
    number was seen anyway there is none.
    """
    seen = {die.value for die in scene.dice}
    hardly = sorted((one for one in scene.faint if one.kind == "die"), key=lambda one: -one.chance)
    found: list[Faint] = []
    for one in hardly:
        die, likely = one.piece, likelier(one.chance, FORESEEN) > PRESENT["die"]
        if likely and isinstance(die, DieDetection) and die.value not in seen and foreseen(die):
            seen.add(die.value)
            found.append(one)
    dice = (replace(one.piece, doubtful=True) for one in found if isinstance(one.piece, DieDetection))
    faint = tuple(one for one in scene.faint if one not in found)
    return replace(scene, dice=from_left((*scene.dice, *dice)), faint=faint) if found else scene


def _doubted(one: Faint) -> Faint:
    """A die that hardly looks like one is doubtful, though one has to lie somewhere."""
    if isinstance(one.piece, DieDetection) and one.chance <= SHOWS:
        return replace(one, piece=replace(one.piece, doubtful=True))
    return one


def _on(scene: Scene, board: Outline) -> Scene:
    """The scene without the pieces that stand off the board or upon a domino; a tall one may lean over an edge."""
    edge = board.astype(np.float32)
    tiles = [np.array(tile.corners_px, np.float32) for tile in scene.tiles if not tile.doubtful]

    def stands(piece: Piece) -> bool:
        at = middle(piece)
        on_it = cv2.pointPolygonTest(edge, at, True) > -reach(piece)
        return on_it and all(cv2.pointPolygonTest(tile, at, False) < 0 for tile in tiles)

    return replace(
        scene,
        pawns=tuple(filter(stands, scene.pawns)),
        tokens=tuple(filter(stands, scene.tokens)),
        faint=tuple(one for one in scene.faint if one.kind not in ROUND or stands(one.piece)),
    )


def _seen(scene: Scene, want: Expected, expected: Sequence[Expected]) -> list[Faint]:
    """Everything that may be of a kind, the likeliest first; a pawn from above may be taken for a token."""
    alone = want.kind in ROUND and sum(one.kind in ROUND for one in expected) == 1
    kinds = ROUND if alone else (want.kind,)
    believed: dict[str, tuple[Piece, ...]] = {
        "die": scene.dice,
        "pawn": scene.pawns,
        "token": scene.tokens,
        "tetromino": scene.tetrominoes,
    }
    sure = [Faint(want.kind, BELIEVED + piece.confidence, piece) for kind in kinds for piece in believed[kind]]
    faint = [_as_colored(replace(one, kind=want.kind), want) for one in scene.faint if one.kind in kinds]
    return sorted([*sure, *faint], key=lambda one: -one.chance)


def _as_colored(one: Faint, want: Expected) -> Faint:
    """What is faint is likelier where it has the colour of a piece that the game knows."""
    known = isinstance(one.piece, PawnDetection) and color_name(one.piece.color) in want.colors
    return replace(one, chance=1 - (1 - one.chance) * OTHERWISE) if known else one


def _undisputed(want: Expected, seen: Mapping[Expected, Sequence[Faint]]) -> list[Faint]:
    """What may be of a kind and is not likelier a piece of another kind: seen from the side a die has a round head."""
    others = [one for kind, found in seen.items() if kind != want and kind.kind != "tetromino" for one in found]
    return [one for one in seen[want] if not any(o.chance > one.chance and _same(o.piece, one.piece) for o in others)]


def _same(one: Piece, other: Piece) -> bool:
    """Whether two pieces are seen at one place."""
    return math.dist(middle(one), middle(other)) <= SAME * min(_size(one), _size(other))


def _chosen(seen: Sequence[Faint], want: Expected) -> list[Faint]:
    """The likeliest that are of one size and apart from each other; dice that show what they have to come first."""
    chosen: list[Faint] = []
    enough = _enough(want, seen)
    for one in sorted(seen, key=lambda one: _rank(one, want, seen)):
        needed = len(chosen) < want.least or one.chance > enough
        if len(chosen) < want.most and needed and all(_fits(one.piece, other.piece) for other in chosen):
            chosen.append(one)
    return chosen


def _enough(want: Expected, seen: Sequence[Faint]) -> float:
    """How likely a piece of a kind has to be to be believed where none has to lie there."""
    if want.kind == "tetromino":
        return LIKELY
    lies = any(one.chance > BELIEVED for one in seen)
    return LACKS if want.together and lies else BELIEVED


def _rank(one: Faint, want: Expected, seen: Sequence[Faint]) -> int:
    """Pieces of smaller rank come first: a die that surely lies there comes before what hardly looks like one, even
    where it shows what none should; and so does a pawn, of whatever colour."""
    shows = _is_one_of(one.piece, want, seen)
    likely = SHOWS if isinstance(one.piece, DieDetection) else COLORED
    return 0 if shows and one.chance > likely else 1 if one.chance > BELIEVED else 2 if shows else 3


def _is_one_of(piece: Piece, want: Expected, seen: Sequence[Faint]) -> bool:
    """Whether a die shows a number that has to lie there, or a pawn has such a colour, and is among the likeliest."""
    look, looks = _look(piece), (*want.values, *want.colors)
    same: list[Piece] = []
    for one in seen:
        if _look(one.piece) == look and all(_fits(one.piece, other) for other in same):
            same.append(one.piece)
    return any(piece is one for one in same[: looks.count(look)])


def _look(piece: Piece) -> int | str:
    """A die's number, or a pawn's colour."""
    if isinstance(piece, DieDetection):
        return piece.value
    return color_name(piece.color) if isinstance(piece, PawnDetection) else ""


def _fits(one: Piece, other: Piece) -> bool:
    """Whether two pieces of one kind may lie there at once."""
    small, large = sorted((_size(one), _size(other)))
    most = DICE_ALIKE if isinstance(one, DieDetection) else ALIKE
    alike = isinstance(one, TetrominoDetection) or small > large * math.exp(-most)
    return alike and not _same(one, other)


def _size(one: Piece) -> float:
    return max(2 * reach(one), 1e-6)
