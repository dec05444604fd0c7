"""One picture of a table with its exact truth: the whole of it on the processor, by OpenCV alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from training import boards, clutter, light, surfaces
from training.arrangements import Arrangement, Lying
from training.dice import Lay, lay_dice
from training.homemade import homemade
from training.lens import Lens, leaning, looking_down, zoomed
from training.look import Front, Look, random_look
from training.lookalikes import lay_lookalikes
from training.pieces import Room, lay_pieces, random_pawn, random_token
from training.pile import Owner, paint_pile, random_lamp, seen_part
from training.placing import USUAL_UPON, room
from training.prints import printed, random_sheet
from training.sets import Color, Face, SetStyle, back, face
from training.solids import Box, Solid, paint_face, paint_sides, tile_box
from training.straightened import straightened
from training.tetrominoes import lay_tetrominoes
from training.truth import Point, TrueDie, TruePiece, TrueTetromino, TrueTile, Truth

Rng = np.random.Generator
Image = NDArray[np.uint8]
Quad = tuple[Point, ...]
Thing = TrueTile | TrueDie | TruePiece | TrueTetromino | None
Standing = tuple[Solid, Thing]
Stand = Callable[[Lens, float], Standing]

HOMEMADE, LOOKALIKES = "homemade", "lookalikes"
AFAR, ASLANT, STRAIGHTENED = "afar", "aslant", "straightened"
ZOOM = (1.3, 4.0)  # times farther away and nearer by zooming, of scenes seen from afar
MOSTLY_UPON = 0.9  # how often pieces stand on dominoes where a game is played on them


def _table(look: Look, rng: Rng) -> Image:
    if look.table is None:
        image = surfaces.drawn_table(look.lens, rng) if look.drawn else surfaces.table(look.lens, rng, look.reach)
    else:
        image = np.empty((look.lens.height, look.lens.width, 3), np.uint8)
        image[:] = look.table
    if look.board:
        boards.paint_board(image, look.lens, look.board, rng)
    return image


def _boxes(style: SetStyle, laid: Arrangement) -> list[Box]:
    """Where each tile rests: one that overlaps earlier ones lies on the highest of them."""
    boxes: list[Box] = []
    for k, t in enumerate(laid):
        under = [
            b.z0 + style.thickness
            for b, other in zip(boxes, laid[:k], strict=True)
            if (t.x - other.x) ** 2 + (t.y - other.y) ** 2 < 5
            and cv2.rotatedRectangleIntersection(t.rect(-0.06), other.rect(-0.06))[0]
        ]
        boxes.append(tile_box(style, t.x, t.y, t.angle_deg, max(under, default=0.0)))
    return boxes


def _tiles(look: Look, laid: Arrangement, boxes: Sequence[Box], rng: Rng) -> list[Standing]:
    layer = look.style.back_color if look.style.back == "other" and look.style.thickness > 0.2 else None
    found: list[Standing] = []
    for t, box in zip(laid, boxes, strict=True):
        shown = look.front(look.style, t.head, t.tail, rng) if t.face_up else back(look.style, rng)
        found.append(tile_solid(look.lens, look.style, t, box, shown, (layer, float(rng.normal(1.0, 0.02)))))
    return found


def tile_solid(
    lens: Lens, style: SetStyle, t: Lying, box: Box, shown: Face, tone: tuple[Color | None, float]
) -> tuple[Solid, TrueTile]:
    """One tile in its box, its face as drawn; tone: the colour of its lower layer, and how light it is."""
    quad = lens.project(box.top)

    def paint(image: Image) -> None:
        paint_sides(image, lens, box, style.side, style.light_deg, tone[0])
        paint_face(image, shown, quad, tone[1])

    solid = Solid(box.x, box.y, box.z0, ((box.foot, box.top),), (quad,), paint)
    return solid, _true_tile(lens, t, box, shown)


def _true_tile(lens: Lens, t: Lying, box: Box, shown: Face) -> TrueTile:
    top = box.top
    middle, ux, uy = top.mean(0), (top[3] - top[0]) / 2 / box.along, (top[1] - top[0]) / 2 / box.across
    pips = [lens.project(middle + x * ux * box.along + y * uy * 2 * box.across)[0] for x, y in shown.pips_at]
    return TrueTile(
        tuple((float(x), float(y)) for x, y in lens.project(top)),
        (t.head, t.tail) if t.face_up else (0, 0),
        t.face_up,
        tuple((float(x), float(y)) for x, y in pips),
        1.0,
    )


def _others(look: Look, tiles: list[Box], rng: Rng) -> tuple[list[Standing], list[Quad]]:
    """All that stands on the table and is not a flat tile, and the places on it that look like tiles."""
    lens, style = look.lens, look.style
    found: list[Standing] = []
    taken: list[Box] = []
    decoys: list[Quad] = []
    span, share = 0.85 * look.reach, MOSTLY_UPON if look.upon else USUAL_UPON
    stands = [clutter.standing_box(rng, style, span) for _ in range(look.standing)]
    for box in (*stands, *(random_sheet(rng, span, h) for h in look.sheets if h > 0)):
        if not room(box, [*tiles, *taken]) or not _in_front(lens, box.x, box.y):
            continue
        taken.append(box)
        solid, quads = (clutter.standing if box in stands else printed)(lens, box, style, rng)
        found.append((solid, None))
        decoys += quads
    if look.tetrominoes:
        found += lay_tetrominoes(rng, lens, style.light_deg, span, look.tetrominoes, tiles)
    if look.dice:
        sizes = (0.35, 1.2) if tiles else (0.5, 3.0)
        found += lay_dice(rng, lens, style.light_deg, span, look.dice, Lay(tiles, taken, sizes, share))
    if look.pawns or look.tokens:
        kinds = [random_pawn(rng), random_token(rng)] if rng.random() < 0.6 else []
        styles = [kinds[0] if kinds else random_pawn(rng) for _ in range(look.pawns)]
        styles += [kinds[1] if kinds else random_token(rng) for _ in range(look.tokens)]
        found += lay_pieces(rng, lens, style.light_deg, span, styles, Room(tiles, taken, share))
    if look.lookalikes:
        laid = lay_lookalikes(rng, lens, style.light_deg, span, look.lookalikes, [*tiles, *taken])
        found += [(solid, None) for solid in laid]
    return found, decoys


def _in_front(lens: Lens, x: float, y: float) -> bool:
    """Whether a place on the table is in the picture or near it: not beside the camera or behind it."""
    at = lens.project([[x, y, 0.0]])[0]
    near = lens.depth([[x, y, 0.0]])[0] <= 0.4 * lens.distance
    return bool(not near and (abs(at - [lens.width / 2, lens.height / 2]) < [lens.width, lens.height]).all())


def _paper(image: Image, look: Look, rng: Rng) -> list[Quad]:
    """Lay sheets with printed dominoes flat on the table; returns the corners of those dominoes."""
    decoys: list[Quad] = []
    for box in (random_sheet(rng, 0.85 * look.reach, 0.0) for height in look.sheets if height == 0):
        if _in_front(look.lens, box.x, box.y):
            solid, quads = printed(look.lens, box, look.style, rng)
            solid.paint(image)
            decoys += quads
    return decoys


def render(look: Look, laid: Arrangement, rng: Rng, stands: Sequence[Stand] = ()) -> tuple[Image, Truth]:
    """The picture of these tiles and all that stands about them, and the truth in its pixels; stands: as of `lit`."""
    scene, truth = lit(look, laid, rng, stands)
    return light.photographed(scene, rng), truth


def lit(look: Look, laid: Arrangement, rng: Rng, stands: Sequence[Stand] = ()) -> tuple[NDArray[np.float32], Truth]:
    """A scene in its light before any camera took it, 0 to 255 and above, and the truth in its pixels.

    stands: what is set out on purpose; each gives its solid and its truth from the lens and where the light comes from.
    """
    lens, style = look.lens, look.style
    image = _table(look, rng)
    half_px = lens.focal_px / lens.distance
    clutter.paint_things(image, rng, half_px, look.clutter)
    decoys = _paper(image, look, rng)
    laid = tuple(t for t in laid if _in_front(lens, t.x, t.y))
    boxes = _boxes(style, laid)
    others, more = _others(look, boxes, rng)
    others += [stand(lens, style.light_deg) for stand in stands]
    standing = _tiles(look, laid, boxes, rng) + [o for o in others if _in_front(lens, o[0].x, o[0].y)]
    owner = paint_pile(image, lens, [solid for solid, _ in standing], random_lamp(rng, style.light_deg))
    if look.hand:
        owner[clutter.paint_hand(image, rng, half_px)] = -1
    squares = boards.decoys(lens, look.board, laid, rng) if look.board else ()
    bare, alike = ([q for q in quads if seen_part([np.array(q)], 0, owner) > 0.9] for quads in (squares, decoys + more))
    truth = replace(truth_of(lens, standing, owner), decoys=tuple(alike), squares=tuple(bare))
    return _lit(image, owner, style, rng), truth


def _lit(image: Image, owner: Owner, style: SetStyle, rng: Rng) -> NDArray[np.float32]:
    """The scene in its light, with glare on what is glossy."""
    lit = image.astype(np.float32) * light.illumination(owner.shape, rng)[..., None]
    if rng.random() < 0.45:
        shine = light.glare(owner.shape, rng, style.gloss * float(rng.uniform(0.2, 1.0)))
        lit += (shine * np.where(owner > 0, 1.0, rng.uniform(0, 0.5)))[..., None]
    return np.asarray(lit, np.float32)


def truth_of(lens: Lens, standing: Sequence[Standing], owner: Owner) -> Truth:
    """Everything with how much of it is seen; of what is no tile, only what is seen at all."""
    seen: list[Thing] = []
    for number, (solid, thing) in enumerate(standing, 1):
        part = seen_part(solid.faces, number, owner) if thing is not None else 0.0
        if isinstance(thing, TrueTile):
            seen.append(replace(thing, visible=part, pip_hidden=_pip_hidden(thing, number, owner)))
        elif thing is not None and part > 0:
            seen.append(replace(thing, visible=part))
    return Truth(
        (lens.width, lens.height),
        tuple(t for t in seen if isinstance(t, TrueTile)),
        tuple(t for t in seen if isinstance(t, TrueDie)),
        tuple(t for t in seen if isinstance(t, TruePiece)),
        tuple(t for t in seen if isinstance(t, TrueTetromino)),
    )


def _pip_hidden(tile: TrueTile, number: int, owner: Owner) -> bool:
    h, w = owner.shape
    for x, y in tile.pips_px:
        c, r = int(round(x)), int(round(y))
        if not (0 <= r < h and 0 <= c < w) or owner[r, c] != number:
            return True
    return False


def random_scene(
    rng: Rng, size: int = 640, holding: str | None = None, without: str | None = None, seen: str | None = None
) -> tuple[Image, Truth]:
    """A scene for training, of the mixture in training.look; holding: only of those with this, say "tetrominoes".

    holding: "homemade" for dominoes of a set that somebody made, "lookalikes" for things with dots that are neither
    dominoes nor dice, beside dominoes or without any. without: as of training.look.random_look. seen: "afar" by a
    camera that is farther away and zooms in, "aslant" as from a chair, or so, but "straightened": as vision.aslant
    shows a table that is seen aslant from above.
    """
    look, laid = random_look(rng, size, without)
    while holding not in (None, LOOKALIKES) and not (laid if holding == HOMEMADE else getattr(look, holding)):
        look, laid = random_look(rng, size, without)
    if holding == LOOKALIKES:
        look, laid = _with_lookalikes(look, rng), laid if rng.random() < 0.5 else ()
    if seen == AFAR:
        look = replace(look, lens=zoomed(look.lens, float(np.exp(rng.uniform(*np.log(ZOOM))))))
    if seen in (ASLANT, STRAIGHTENED):
        look = replace(look, lens=leaning(look.lens, rng))
    picture, truth = render(_by_hand(look, rng) if holding == HOMEMADE else look, laid, rng)
    return straightened(picture, truth, look.lens, rng) if seen == STRAIGHTENED else (picture, truth)


def _with_lookalikes(look: Look, rng: Rng) -> Look:
    return replace(look, lookalikes=int(rng.integers(1, 26)), clutter=min(look.clutter, 3))


def _by_hand(look: Look, rng: Rng) -> Look:
    """The same scene with the pips of a set that somebody made."""
    made = homemade(look.style, rng)
    return replace(look, style=made.style, front=made.face)


def staged(
    laid: Arrangement,
    style: SetStyle,
    rng: Rng,
    width: int = 1280,
    height: int = 720,
    *,
    tilt_deg: float = 10.0,
    turn_deg: float = 0.0,
    half_px: float = 60.0,
    front: Front = face,
) -> tuple[Image, Truth]:
    """A scene laid on purpose, for samples and tests: these tiles, this set, seen from here."""
    return render(Look(looking_down(width, height, half_px, tilt_deg, turn_deg), style, front=front), laid, rng)
