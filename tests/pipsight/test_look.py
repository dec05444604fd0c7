"""How long a table has lain as it lies: readings that waver do not make it a new one."""

from __future__ import annotations

import json
from dataclasses import replace
from math import dist

import numpy as np
import pytest

from pipsight.commands.demo import SAMPLES
from pipsight.look import Look, nearest
from pipsight.session import Session
from rules.bee_race.moves import SetUp
from rules.domino import DominoSet
from rules.games import game
from rules.games.bee_race import GAME as RACE
from rules.table import Die, Table
from tests.vision.laying import Eye, Laid, seen
from tests.vision.sighted import sighted
from training.rough_races import RoughRaces
from training.truth import from_json
from vision.camera import Frame
from vision.picture import load
from vision.reader import Reader
from vision.reading import NO_DOMINO
from vision.scene import Faint, PawnDetection, Scene, TetrominoDetection
from vision.straighten import Image
from vision.tiles import shifted

pytestmark = pytest.mark.needs("cv2")

PICTURE = SAMPLES / "bee.jpg"


@pytest.fixture(scope="module")
def scene() -> Scene:
    """Dominoes with dice on them."""
    return Reader().read(load(str(PICTURE)))


def shown(*scenes: Scene, look: Look | None = None) -> Look:
    """A look at these scenes, one each second."""
    look, coming, picture = look or Look(), iter(scenes), load(str(PICTURE))
    look._steady.see = lambda *_: next(coming)  # type: ignore[method-assign]
    for second in range(len(scenes)):
        look.see(Frame(picture, float(second)))
    return look


def upright() -> list[Laid]:
    """A set in order, in four rows of seven tiles side by side."""
    return [Laid(k % 7 - 3.0, 2.0 * (k // 7) - 3, 90, (d.high, d.low)) for k, d in enumerate(sorted(DominoSet(6)))]


def test_a_die_that_is_sure_at_last_lies_as_it_lay(scene: Scene) -> None:
    doubtful, sure = (
        replace(scene, dice=tuple(replace(die, doubtful=so) for die in scene.dice)) for so in (True, False)
    )
    look = shown(doubtful, sure)
    assert look.still_s == 1.0
    assert not any(die.doubtful for die in look.scene.dice)


def test_while_the_camera_is_away_nobody_sees_that_the_table_lies_still(scene: Scene) -> None:
    look = shown(scene, scene)
    look._steady.see = lambda *_: scene  # type: ignore[method-assign]
    look.see(Frame(load(str(PICTURE)), 9.0))
    assert look.still_s == 0.0
    look.see(Frame(load(str(PICTURE)), 9.5))
    assert look.still_s == 0.5


def test_a_tile_that_becomes_doubtful_lies_as_it_lay_and_is_told_of_as_doubtful(scene: Scene) -> None:
    wavering = replace(scene, tiles=(replace(scene.tiles[0], doubtful=True), *scene.tiles[1:]))
    look = shown(scene, scene, wavering)
    assert look.still_s == 2.0
    assert look.scene.tiles[0].doubtful


def test_a_doubtful_tile_that_is_read_otherwise_lies_as_it_lay_and_is_told_as_it_reads_now(scene: Scene) -> None:
    first, *rest = scene.tiles
    one = (replace(first, doubtful=True), *rest)
    other = (replace(first, doubtful=True, pips=(first.pips[0], first.pips[1] ^ 1)), *rest)
    look = shown(replace(scene, tiles=one), replace(scene, tiles=other))
    assert look.still_s == 1.0
    assert look.scene.tiles[0].pips == other[0].pips


def test_what_may_be_no_domino_comes_and_goes_on_a_table_that_lies_as_it_lay(scene: Scene) -> None:
    first, *rest = scene.tiles
    phantom = replace(first, doubtful=True, why=NO_DOMINO)
    there, gone = replace(scene, tiles=(phantom, *rest)), replace(scene, tiles=tuple(rest))
    assert shown(gone, gone, there).still_s == 0.0
    assert shown(gone, there, gone, there, gone).still_s == 3.0
    assert len(shown(there, gone).scene.tiles) == len(rest)


def test_what_may_be_no_domino_is_new_where_none_was_seen_and_after_a_sure_change(scene: Scene) -> None:
    first, *rest = scene.tiles
    phantom = replace(first, doubtful=True, why=NO_DOMINO)
    there, gone = replace(scene, tiles=(phantom, *rest)), replace(scene, tiles=tuple(rest))
    fewer = replace(scene, tiles=tuple(rest[1:]))
    assert shown(gone, there, gone, fewer, fewer, replace(fewer, tiles=(phantom, *fewer.tiles))).still_s == 0.0


def test_cardboard_that_is_seen_a_little_beside_its_place_lies_as_it_lay(scene: Scene) -> None:
    centers = tuple((300.0 + 40 * x, 300.0 + 40 * y) for x, y in ((0, 0), (1, 0), (2, 0), (2, 1)))
    there = TetrominoDetection(centers, light=True, confidence=0.6)
    beside = replace(there, centers_px=tuple((x + 3, y - 2) for x, y in centers))
    elsewhere = replace(there, centers_px=tuple((x + 40, y) for x, y in centers))
    one, two, three, dark = (
        replace(scene, tetrominoes=(piece,)) for piece in (there, beside, elsewhere, replace(there, light=False))
    )
    assert shown(one, two).still_s == 1.0
    assert shown(one, three).still_s == shown(one, dark).still_s == 0.0


def test_a_die_that_was_turned_lies_otherwise(scene: Scene) -> None:
    turned = replace(scene, dice=(replace(scene.dice[0], value=6), *scene.dice[1:]))
    assert shown(scene, scene, turned).still_s == 0.0


def test_tiles_that_a_new_look_names_in_another_order_lie_as_they_lay(scene: Scene) -> None:
    assert shown(scene, scene, replace(scene, tiles=scene.tiles[::-1], dice=scene.dice[::-1])).still_s == 2.0


def test_without_a_game_a_domino_under_a_die_is_in_doubt_as_long_as_that_lies_there(scene: Scene) -> None:
    k, tile = next((k, tile) for k, tile in enumerate(scene.tiles) if not tile.doubtful)
    upon = replace(scene, dice=(*scene.dice, replace(scene.dice[0], center_px=tile.centers_px[1])))
    doubts = [shown(*scenes).scene.tiles[k].doubtful for scenes in ((scene,), (scene, upon), (scene, upon, scene))]
    assert doubts == [False, True, False]


def test_two_tiles_that_changed_places_lie_otherwise(scene: Scene) -> None:
    one, other, *rest = scene.tiles
    assert one.pips != other.pips
    exchanged = (replace(one, pips=other.pips), replace(other, pips=one.pips), *rest)
    assert shown(scene, scene, replace(scene, tiles=exchanged)).still_s == 0.0


def test_a_doubt_is_told_though_a_new_look_names_the_tiles_in_another_order(scene: Scene) -> None:
    first, *rest, last = (replace(tile, doubtful=False) for tile in scene.tiles)
    one_doubt = (first, *rest, replace(last, doubtful=True))
    another = (last, *rest, replace(first, doubtful=True))
    look = shown(*(replace(scene, tiles=tiles, dice=()) for tiles in (one_doubt, another)))
    assert look.still_s == 1.0
    assert [tile.pips for tile in look.scene.tiles if tile.doubtful] == [first.pips]


def test_a_pawn_that_was_seen_in_a_shadow_is_white_once_it_is_seen_clear_and_stood_there_all_the_time(
    scene: Scene,
) -> None:
    shaded = PawnDetection((40.0, 40.0), (130, 130, 130), 0.9, 30.0)
    look = shown(replace(scene, pawns=(shaded,)), replace(scene, pawns=(replace(shaded, color=(240, 240, 240)),)))
    assert look.still_s == 1.0
    assert [pawn.color_name for pawn in look.tables[0].pawns] == ["white"]


@pytest.mark.parametrize("moving", [False, True])
def test_what_hardly_looks_like_a_die_is_believed_once_it_was_looked_at_for_long_and_nothing_moves(
    moving: bool,
) -> None:
    session = Session(game("bee"))
    truth = from_json(json.loads(PICTURE.with_suffix(".json").read_text(encoding="utf-8")))
    scene = sighted(truth)  # of what lies under the dice nobody can read all
    lost, *dice = scene.dice
    bare = max(scene.tiles, key=lambda tile: min(dist(tile.middle_px, die.center_px) for die in scene.dice))
    elsewhere = Faint("die", 0.1, replace(lost, center_px=bare.centers_px[0], confidence=0.1))
    scenes = [scene] * 3 + [replace(scene, dice=tuple(dice), faint=(elsewhere,))] * 5
    stir, coming, picture = np.full((9, 16), moving), iter(scenes), load(str(PICTURE))
    session.look._steady.see = lambda *_: next(coming)  # type: ignore[method-assign]
    session.look._steady._reaching = np.zeros_like(stir)
    told = []
    for number in range(len(scenes)):
        session.look._steady._moving = stir if number > 3 else np.zeros_like(stir)
        told.append(bool(session.see(Frame(picture, 0.6 * number))))
    assert any(told[:3])  # the game begins
    assert not any(told[3:6])
    assert any(told[6:]) != moving


def glaring(picture: Image) -> Image:
    """The same in so much light that nothing tells white from white."""
    return np.asarray(np.clip(1.4 * picture.astype(np.float32), 0, 255), np.uint8)


def test_a_white_die_on_the_very_number_that_it_shows_is_seen_where_the_next_roll_sets_it() -> None:
    filmed = RoughRaces(2, 50049, 5)
    state = RACE.play(filmed.start, SetUp(filmed._board))
    (space,) = (space for space in state.spaces if space.number == 1)
    picture, _ = filmed.stage.picture(Table(state.board, dice=(Die(1, space.cell),)))
    table = Look(RACE, lambda: state)
    for second in range(2):
        table.see(Frame(glaring(picture), float(second)))
    assert table.rebuilt
    assert [(one.value, one.cell) for one in table.rebuilt.table.dice] == [(1, space.cell)]
    assert [one.doubtful for one in table.scene.dice] == [True]
    bare = Look(RACE, lambda: state)
    for second in range(2):
        bare.see(Frame(glaring(filmed.stage.picture(Table(state.board))[0]), float(second)))
    assert not bare.scene.dice


def test_what_is_covered_is_told_of_the_tiles_as_the_last_look_names_them(scene: Scene) -> None:
    backwards = replace(scene, tiles=scene.tiles[::-1])
    look = shown(scene, backwards)
    assert [tile.pips for tile in look.scene.tiles] == [tile.pips for tile in backwards.tiles]


def test_in_a_game_that_has_none_a_back_is_part_of_it_only_where_one_of_its_dominoes_was_turned(scene: Scene) -> None:
    bee = game("bee")
    state = bee.read(shown(scene).tables[0])
    look = Look(bee, lambda: state)
    k = next(k for k, tile in enumerate(scene.tiles) if k > 2 and not tile.doubtful)
    turned = replace(scene.tiles[k], face_up=False)
    aside = replace(shifted(scene.tiles[0], np.array([-3 * scene.tiles[0].length_px, 0.0])), face_up=False)
    shown(replace(scene, tiles=(*scene.tiles[:k], turned, *scene.tiles[k + 1 :], aside)), look=look)
    seen, without = look.tables
    assert (len(seen.face_down), len(without.face_down)) == (2, 1)
    assert without.face_down[0].cells


def test_a_domino_that_lies_there_twice_is_told_surely_once_further_looks_are_sure_of_it() -> None:
    *others, last = upright()
    twice = seen([*others, replace(last, pips=(6, 5))], Eye())

    def read(chance_of_six: float) -> Scene:
        halves = np.array(twice.tiles[-1].likelihoods)
        halves[1, [5, 6]] = 1 - chance_of_six, chance_of_six
        head, tail = (tuple(float(chance) for chance in half) for half in halves)
        doubled = replace(twice.tiles[-1], likelihoods=(head, tail), confidence=0.9999 * (1 - chance_of_six))
        return replace(twice, tiles=(*twice.tiles[:-1], doubled))

    first, later = read(3e-3), read(1e-6)
    assert not first.tiles[-1].doubtful
    look = shown(first, look=Look(game("dominosa")))
    assert look.scene.tiles[-1].doubtful
    look = shown(first, later, look=Look(game("dominosa")))
    assert (look.scene.tiles[-1].pips, look.scene.tiles[-1].doubtful) == ((6, 5), False)


def test_a_tile_whose_halves_were_paired_by_the_set_is_corrected_where_it_is_shown() -> None:
    laid = upright()
    one, other = laid[15:17]
    across = [Laid((one.x + other.x) / 2, one.y - 0.5 + k, 0, (one.pips[k], other.pips[k])) for k in (0, 1)]
    mistaken = seen([*laid[:15], *across, *laid[17:]], Eye())
    look = shown(mistaken, look=Look(game("dominosa")))
    paired = [tile for tile in look.scene.tiles if tile.changed_from]
    assert {tuple(sorted(tile.pips)) for tile in paired} == {tuple(sorted(tile.pips)) for tile in (one, other)}
    at = paired[0].middle_px
    said = (6, paired[0].pips[1])
    look.correct(at, said)
    told = nearest(look.scene, at)
    assert told
    assert (told.pips, told.doubtful) == (said, False)
    assert len(look.scene.tiles) == 28
    look.correct(at, None)
    assert len(look.scene.tiles) == 27
