"""The renders: the truth is where the picture says, and the same seed gives the same scene."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from rules.board import Board
from training import arrangements, boards, look, surfaces
from training.arrangements import Lying
from training.clutter import standing, standing_box
from training.dice import Lay, die, lay_dice, random_die
from training.lens import looking_down
from training.look import Look
from training.lookalikes import KINDS, Drawn, lay_lookalikes
from training.pieces import PAWNS, PieceStyle, height_of, piece
from training.pile import paint_pile, random_lamp, seen_part
from training.placing import room
from training.prints import printed, random_sheet
from training.render import random_scene, render, staged
from training.samples import laid, set_of
from training.sets import back, face, layout, moulded, random_style
from training.solids import Box, Solid
from training.tetrominoes import SHAPES, Grid, lay_tetrominoes, random_tetrominoes, tetromino
from training.truth import from_json
from vision.straighten import FRAME

pytestmark = pytest.mark.needs("cv2")


@pytest.mark.parametrize("number", range(13))
@pytest.mark.parametrize("variant", range(4))
def test_every_maker_puts_as_many_pips_as_the_number_says(number: int, variant: int) -> None:
    spots = layout(number, variant, False)
    assert len(set(spots)) == number
    assert all(abs(x) <= 1 and abs(y) <= 1 for x, y in spots)


def test_the_same_seed_gives_the_same_scene() -> None:
    (one, first), (two, second) = (random_scene(np.random.default_rng((7, 3)), 320) for _ in range(2))
    assert (one == two).all()
    assert first == second


def test_the_truth_survives_json() -> None:
    _, truth = random_scene(np.random.default_rng((7, 5)), 320)
    assert from_json(truth.as_json()) == truth


def test_pips_lie_on_their_own_half() -> None:
    """Head pips are nearer to the head's edge, in every scene and from every side."""
    for seed in range(6):
        _, truth = random_scene(np.random.default_rng((8, seed)), 320)
        for tile in truth.tiles:
            if not tile.face_up or tile.visible < 0.9 or not tile.pips_px:
                continue
            warp = cv2.getPerspectiveTransform(np.array(tile.corners_px, np.float32), FRAME)
            pips = np.array([tile.pips_px], np.float32)
            across_bar = cv2.perspectiveTransform(pips, warp)[0, :, 0] - FRAME[:, 0].mean()
            assert (across_bar < 0).sum() == tile.pips[0]
            assert (across_bar > 0).sum() == tile.pips[1]


@pytest.mark.parametrize("rows", range(2, 8))
@pytest.mark.parametrize("cols", [2, 4, 6, 8])
def test_a_packed_rectangle_is_covered_once(rows: int, cols: int) -> None:
    cells = [
        cell
        for r, c, across in arrangements.tiling(np.random.default_rng(rows), rows, cols)
        for cell in ((r, c), (r, c + 1) if across else (r + 1, c))
    ]
    assert sorted(cells) == [(r, c) for r in range(rows) for c in range(cols)]


@pytest.mark.parametrize("kind", sorted(arrangements.KINDS))
def test_no_arrangement_lays_a_number_beyond_the_set(kind: str) -> None:
    tiles = arrangements.KINDS[kind](np.random.default_rng(2), 9, 12, 5.0)
    assert tiles
    assert all(0 <= n <= 9 for t in tiles for n in (t.head, t.tail))


def test_a_front_tells_its_numbers_and_a_back_tells_none() -> None:
    rng = np.random.default_rng(4)
    style = random_style(rng, lambda _: None)
    assert len(face(style, 4, 3, rng).pips_at) == 7
    assert back(style, rng).pips_at == ()


def test_a_board_is_laid_as_it_is_written() -> None:
    one, two = laid(Board.parse("2|5\n\n6 0\n- -\n1 3\n"), np.random.default_rng(0), crooked=0.0)[:2]
    assert (one.head, one.tail, two.head, two.tail) == (2, 5, 6, 1)
    assert set_of(3).highest == 6


LENS = looking_down(320, 320, 40.0, 12.0, 20.0)
LAMP = random_lamp(np.random.default_rng(0), 30.0)
GRAY = (128, 128, 128)


def pictured(*solids: Solid) -> tuple[np.ndarray, np.ndarray]:
    """These solids on a bare gray table, and whose each pixel is."""
    image = np.full((LENS.height, LENS.width, 3), GRAY, np.uint8)
    return image, paint_pile(image, LENS, solids, LAMP)


def color_at(image: np.ndarray, x: float, y: float) -> list[int]:
    return [int(v) for v in image[int(y) - 2 : int(y) + 3, int(x) - 2 : int(x) + 3].reshape(-1, 3).mean(axis=0)]


@pytest.mark.parametrize("value", range(1, 7))
def test_the_middle_of_a_die_shows_a_pip_exactly_when_its_number_is_odd(value: int) -> None:
    rng = np.random.default_rng(value)
    style = replace(random_die(rng), body=(40.0, 30.0, 200.0), inks=((245.0, 245.0, 245.0),) * 7, glow=0.0, gloss=0.2)
    solid, truth = die(LENS, Box(0.4, 0.3, 0.5, 0.5, 33.0, 1.0), style, value, 30.0, rng)
    image, _ = pictured(solid)
    blue, _, red = color_at(image, *truth.center_px)
    assert (blue > 150) == (value % 2 == 1)
    assert red > 150
    assert truth.value == value


def test_a_die_on_top_is_nearer_to_the_camera_than_its_foot() -> None:
    box = Box(0.0, 0.0, 0.5, 0.5, 10.0, 1.0)
    _, truth = die(LENS, box, random_die(np.random.default_rng(1)), 3, 30.0, np.random.default_rng(1))
    top = cv2.contourArea(np.array(truth.corners_px, np.float32))
    assert top > cv2.contourArea(LENS.project(box.foot).astype(np.float32))


def test_a_die_on_a_half_hides_its_tile() -> None:
    style = set_of(3)
    tiles = (Lying(-1.5, 0.0, 0.0, 2, 5), Lying(1.5, 0.0, 90.0, 3, 3))
    seen = Look(LENS, style, dice=5)
    covered = 0
    for seed in range(6):
        _, truth = render(seen, tiles, np.random.default_rng(seed))
        for tile in truth.tiles:
            quad = np.array(tile.corners_px, np.float32)
            upon = [d for d in truth.dice if cv2.pointPolygonTest(quad, d.center_px, False) > 0]
            assert not upon or not tile.clear
            covered += bool(upon)
    assert covered


def test_tiles_alone_are_wholly_seen() -> None:
    _, truth = staged((Lying(-1.5, 0.0, 0.0, 2, 5), Lying(1.5, 0.0, 90.0, 3, 3)), set_of(3), np.random.default_rng(0))
    assert [t.clear for t in truth.tiles] == [True, True]


def test_tiles_that_touch_can_be_left_out_of_the_scenes() -> None:
    for seed in range(12):
        one, other = (look.random_look(np.random.default_rng((4, seed)), 320, w)[1] for w in (None, "touching"))
        assert set(other) <= set(one)
        for k, tile in enumerate(other):
            for before in other[:k]:
                assert not cv2.rotatedRectangleIntersection(tile.rect(0.05), before.rect(0.05))[0]
        assert not one or other


def test_pictures_of_real_surfaces_can_be_left_out_of_the_scenes(monkeypatch: pytest.MonkeyPatch) -> None:
    def lit(without: str | None) -> None:
        for seed in range(6):
            drawn, laid = look.random_look(np.random.default_rng((4, seed)), 96, without)
            monkeypatch.setattr(surfaces, "texture", none_here)
            try:
                render(replace(drawn, board=None, table=None, clutter=0, sheets=()), laid, np.random.default_rng(seed))
            finally:
                monkeypatch.undo()

    def none_here(*_: object, **__: object) -> None:
        raise LookupError("a picture of a real surface")

    lit("surfaces")
    with pytest.raises(LookupError):
        lit(None)


def test_dice_never_stand_in_one_another_nor_in_a_tile() -> None:
    tiles = [Box(0.0, 0.0, 1.0, 0.5, 20.0, 0.3)]
    for seed in range(8):
        taken: list[Box] = []
        rng = np.random.default_rng(seed)
        cast = lay_dice(rng, LENS, 30.0, 3.0, 7, Lay(tiles, taken, (0.35, 1.2)))
        assert len(cast) <= len(taken)
        for k, box in enumerate(taken):
            assert room(box, [*tiles, *taken[:k]])


@pytest.mark.parametrize("shape", [*sorted(PAWNS), "meeple", "cube", "disc", "chip", "checker", "coin", "drop"])
def test_a_piece_stands_where_the_truth_says_in_its_color(shape: str) -> None:
    style = PieceStyle(shape, 1.0, 0.0, 0.2, 7)
    box = Box(0.5, -0.5, 0.5, 0.5, 0.0, height_of(style))
    solid, truth = piece(LENS, box, style, (40.0, 30.0, 200.0), 30.0)
    image, owner = pictured(solid)
    assert truth.kind == ("pawn" if shape in (*PAWNS, "meeple", "cube") else "token")
    assert truth.width_px == pytest.approx(40, rel=0.15)
    assert owner[int(truth.center_px[1]), int(truth.center_px[0])] == 1
    inside = image[owner == 1].mean(axis=0)
    assert inside[2] > 1.5 * inside[0]
    assert truth.color == (200, 30, 40)
    assert seen_part(solid.faces, 1, owner) > 0.99


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_four_squares_of_a_tetromino_adjoin(name: str) -> None:
    grid = Grid(0.0, 0.0, 15.0, 1.0)
    squares = tuple(grid.square(c, 0.0, 0.3, 0.05) for c in SHAPES[name])
    _, truth = tetromino(
        LENS, squares, random_tetrominoes(np.random.default_rng(1)), True, 30.0, np.random.default_rng(1)
    )
    shared = [
        sum(np.hypot(ax - bx, ay - by) < 0.5 for ax, ay in a for bx, by in b)
        for k, a in enumerate(truth.squares_px)
        for b in truth.squares_px[:k]
    ]
    assert sum(n == 2 for n in shared) == (4 if name == "O" else 3)


def test_seven_tetrominoes_are_all_there_is() -> None:
    turned = {name: {frozenset(_normal(_quarter(SHAPES[name], k))) for k in range(4)} for name in SHAPES}
    assert len(set().union(*turned.values())) == 19
    assert turned["S"].isdisjoint(turned["Z"])
    assert turned["J"].isdisjoint(turned["L"])


def _quarter(cells: tuple[tuple[int, int], ...], times: int) -> tuple[tuple[int, int], ...]:
    for _ in range(times):
        cells = tuple((-v, u) for u, v in cells)
    return cells


def _normal(cells: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    u0, v0 = min(u for u, _ in cells), min(v for _, v in cells)
    return tuple((u - u0, v - v0) for u, v in cells)


def test_tetrominoes_lie_on_the_tiles_they_cover_and_not_in_one_another() -> None:
    tiles = [Box(0.0, 0.0, 1.0, 0.5, 0.0, 0.3)]
    for seed in range(6):
        rng = np.random.default_rng(seed)
        found = lay_tetrominoes(rng, LENS, 30.0, 3.0, 7, tiles)
        _, owner = pictured(*(solid for solid, _ in found))
        assert found
        for solid, _ in found:
            assert solid.z0 in (0.0, 0.3)
        inside = [seen_part(s.faces, k, owner) for k, (s, _) in enumerate(found, 1)]
        assert sum(part > 0.9 for part in inside) >= 1


def test_a_covered_half_is_known_to_be_covered() -> None:
    seen = Look(LENS, set_of(3), tetrominoes=7)
    counts = []
    for seed in range(6):
        _, truth = render(seen, (Lying(0.0, 0.0, 0.0, 2, 5),), np.random.default_rng(seed))
        quads = [np.array(s, np.float32) for t in truth.tetrominoes for s in t.squares_px]
        tile = truth.tiles[0]
        covered = any(cv2.pointPolygonTest(q, p, False) > 0 for q in quads for p in tile.pips_px)
        counts.append(covered)
        assert not covered or (tile.pip_hidden and not tile.clear)
    assert any(counts)


def test_a_raised_tile_is_seen_larger_and_hides_those_below() -> None:
    lower = (Lying(0.0, -0.5, 0.0, 1, 2), Lying(0.0, 0.5, 0.0, 3, 4))
    _, truth = staged((*lower, Lying(0.0, 0.0, 90.0, 5, 6)), set_of(3), np.random.default_rng(0), tilt_deg=0.0)
    areas = [cv2.contourArea(np.array(t.corners_px, np.float32)) for t in truth.tiles]
    assert areas[2] > 1.02 * areas[0]
    assert truth.tiles[2].visible > 0.97
    assert max(t.visible for t in truth.tiles[:2]) < 0.6


def test_cornerwise_dominoes_fit_their_squares() -> None:
    rng = np.random.default_rng(3)
    board = boards.checkered(rng)
    middles = np.array(boards.middles(board))
    tiles = arrangements.on_squares(rng, 6, 20, boards.middles(board), board.angle_deg)
    assert board.pitch * np.sqrt(2) >= 2
    nearest = [int(np.hypot(*(middles - [t.x, t.y]).T).argmin()) for t in tiles]
    assert len(set(nearest)) == len(tiles) > 4
    assert all(abs((t.angle_deg - board.angle_deg) % 90 - 45) < 15 for t in tiles)


def test_a_standing_tile_and_a_printed_one_are_no_tiles() -> None:
    style, rng = set_of(3), np.random.default_rng(4)
    tilted = looking_down(320, 320, 40.0, 45.0, 0.0)
    shown = 0
    for _ in range(6):
        solid, quads = standing(tilted, standing_box(rng, style, 1.0), style, rng)
        shown += len(quads)
        assert solid.faces == ()
        assert all(cv2.contourArea(np.array(q, np.float32)) > 0 for q in quads)
    _, prints = printed(tilted, random_sheet(rng, 1.0, 0.0), style, rng)
    assert shown > 0
    assert prints


def test_moulded_sets_keep_their_pips_lighter_than_their_cups() -> None:
    rng = np.random.default_rng(6)
    for _ in range(8):
        style = moulded(random_style(rng, lambda _: None), rng)
        flat = face(style, 5, 1, rng)
        pip, cup = (
            (0.5 * 96 * (2 + 2 * x) - 0.5, 96 * (0.5 + y) - 0.5) for x, y in (flat.pips_at[2], (-0.5, style.spread))
        )
        assert sum(color_at(flat.image, *pip)) > 1.5 * sum(color_at(flat.image, *cup))


def test_every_kind_of_scene_occurs_and_plain_ones_most_often() -> None:
    looks = [look.random_look(np.random.default_rng((9, k)), 320) for k in range(110)]
    shares = {
        "dice": np.mean([one.dice > 0 for one, _ in looks]),
        "pieces": np.mean([one.pawns + one.tokens > 0 for one, _ in looks]),
        "tetrominoes": np.mean([one.tetrominoes > 0 for one, _ in looks]),
        "checkered": np.mean([one.board is not None and one.board.checkers is not None for one, _ in looks]),
        "standing": np.mean([one.standing > 0 for one, _ in looks]),
        "prints": np.mean([bool(one.sheets) for one, _ in looks]),
        "hand": np.mean([one.hand for one, _ in looks]),
        "moulded": np.mean([one.style.rim > 0 for one, _ in looks]),
        "no domino": np.mean([not tiles for _, tiles in looks]),
    }
    assert all(0.03 <= share <= 0.45 for share in shares.values()), shares


@pytest.mark.parametrize("laid", [(), (Lying(0.0, 0.0, 20.0, 3, 5),)])
def test_things_with_dots_lie_beside_the_dominoes_and_are_none(laid: arrangements.Arrangement) -> None:
    seen = Look(LENS, set_of(3), table=(90.0, 110.0, 80.0), lookalikes=12)
    _, truth = render(seen, laid, np.random.default_rng(11))
    assert [tile.visible for tile in truth.tiles] == [1.0] * len(laid)
    assert len(truth.dice) + len(truth.pieces) + len(truth.lookalikes) == 0


def test_things_with_dots_are_painted_where_nothing_else_lies() -> None:
    tile = Box(0.0, 0.0, 1.0, 0.5, 20.0, 0.3)
    things = lay_lookalikes(np.random.default_rng(3), LENS, 30.0, 4.0, 12, [tile])
    assert len(things) > 3
    under = cv2.convexHull(LENS.project(tile.foot).astype(np.float32))
    for thing in things:
        foot = cv2.convexHull(LENS.project(thing.parts[0][0]).astype(np.float32))
        assert cv2.intersectConvexConvex(under, foot)[0] < 2
        image = np.zeros((LENS.height, LENS.width, 3), np.uint8)
        thing.paint(image)
        assert image.any()


@pytest.mark.parametrize("draw", KINDS, ids=lambda draw: draw.__name__.strip("_"))
def test_each_thing_with_dots_shows_more_than_one_colour(draw: Drawn) -> None:
    for seed in range(20):
        thing = draw(np.random.default_rng(seed))
        shown = thing.face.image[thing.face.alpha > 0]
        assert thing.face.alpha.shape == thing.face.image.shape[:2]
        assert np.ptp(shown.astype(int), axis=0).max() > 15


def test_pairs_of_squares_beside_a_tile_are_free_and_those_under_it_are_not() -> None:
    tile = Lying(0.0, 0.0, 0.0, 3, 5)
    board = boards.PrintedBoard(-0.5, 0.0, 0.0, 1.03, 7)
    pairs = [np.array(quad) for quad in boards.decoys(LENS, board, (tile,), np.random.default_rng(2), most=200)]
    under = cv2.convexHull(LENS.project(Box(0.0, 0.0, 0.9, 0.4, 0.0, 0.0).top).astype(np.float32))
    assert all(cv2.intersectConvexConvex(under, pair.astype(np.float32))[0] < 1 for pair in pairs)
    middle = LENS.project([[0.0, 0.0, 0.0]])[0]
    assert min(float(np.hypot(*(pair.mean(axis=0) - middle))) for pair in pairs) < 1.2 * 40
