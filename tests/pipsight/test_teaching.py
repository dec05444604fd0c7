"""The whole wizard on rendered pictures: a set nobody has seen names itself, and is read from then on."""

from __future__ import annotations

import functools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.pictures import label_of
from benchmarks.scoring import Label, LabelledTile, score
from benchmarks.teaching import Truthful, plain
from calibration.errors import CalibrationError
from calibration.tileset import TileSet
from pipsight.calling import table_call
from pipsight.commands.demo import SAMPLES
from pipsight.commands.set_teaching import Terminal
from pipsight.teaching import Taught, examine, roll_call, teach
from rules.domino import Domino
from training.odd_sets import odd_sets
from training.odd_tables import fresh_table, laid_out
from vision.lessons import Shown
from vision.picture import load
from vision.reader import Reader
from vision.scene import TileDetection
from vision.straighten import Image
from vision.taught import TaughtSets, each_once

pytestmark = pytest.mark.needs("cv2")

ODD = {odd.name: odd for odd in odd_sets()}
POLYGONS = ODD["polygons"]
# Orange pips as light as their green tiles, and where nobody looks for them.
GHOSTS = replace(ODD["ghosts"], layouts=ODD["lopsided"].layouts, mirrored=True)
LOST = Domino(4, 2)


@functools.cache
def reader() -> Reader:
    return Reader()


@functools.cache
def lesson() -> tuple[tuple[Image, ...], tuple[Label, ...], Taught]:
    """The green set with its orange pips, 4-2 lost, taught by two pictures."""
    shots = list(laid_out(GHOSTS, 7, missing=(LOST,)))
    labels = tuple(label_of("ghosts", truth) for _, truth in shots)
    taught = teach((image for image, _ in shots), "ghosts", 6, Truthful(labels), reader())
    return tuple(image for image, _ in shots), labels, taught


@functools.cache
def table() -> tuple[Image, Label]:
    image, truth = fresh_table(GHOSTS, 7, 0)
    return image, label_of("ghosts", truth)


def test_whoever_says_a_smaller_set_than_lies_there_hears_of_it_and_of_what_nobody_told(tmp_path: Path) -> None:
    image, _ = next(iter(laid_out(ODD["rings"], 7, pictures=8)))
    taught = teach([image], "rings", 6, Terminal(tmp_path, 6), reader())  # at which nobody sits
    advice = "more than 6 pips on a half: if it is a larger set, teach it again by its highest number."
    assert advice in "\n".join(taught.lines)
    assert advice not in "\n".join(lesson()[2].lines)
    assert taught.untold == taught.questions > 0
    assert f"Nobody told what {taught.untold} of those are: they count as what they look like most." in taught.lines
    assert "Nobody told" not in "\n".join(lesson()[2].lines)


def test_tiles_that_the_networks_cannot_read_name_themselves() -> None:
    images, labels, taught = lesson()
    alone = sum(score(label, reader().read(image).tiles)["right"] for label, image in zip(labels, images, strict=True))
    named = sum(score(label, tiles)["right"] for label, tiles in zip(labels, taught.named, strict=True))
    assert named >= sum(len(label.tiles) for label in labels) - 1 > 1.5 * alone
    assert taught.questions <= 6


@functools.cache
def bare_lesson() -> Taught:
    """A black set with triangles on a ring and no bar: its double blank shows nothing at all."""
    shots = list(laid_out(POLYGONS, 20_263))
    labels = tuple(label_of("polygons", truth) for _, truth in shots)
    return teach((image for image, _ in shots), "polygons", 6, Truthful(labels), reader())


def test_a_tile_that_shows_nothing_is_asked_for_while_the_double_blank_lacks() -> None:
    taught = bare_lesson()
    assert sum(tile.face_up and tile.pips == (0, 0) for tiles in taught.named for tile in tiles) == 1
    assert taught.tiles.missing == ()
    assert taught.tiles.back is None


def test_what_was_taught_tells_a_strange_tile_from_none_and_the_double_blank_from_a_back() -> None:
    image, truth = fresh_table(POLYGONS, 20_263, 2)
    label, sets = label_of("polygons", truth), (bare_lesson().tiles,)
    tiles = each_once(Shown(reader(), image, 0).scene(sets), sets).tiles
    assert score(label, tiles)["right"] == len(label.tiles)
    assert [tile.why for tile in tiles if tile.pips == (0, 0)] == ["it may be face down"]


def test_a_domino_that_lacks_is_asked_for_and_reported() -> None:
    taught = lesson()[-1]
    assert taught.tiles.missing == ("42",)
    assert list(roll_call(taught.tiles)) == ["Your set lacks 4-2."]
    assert "a double-six set has 28." in next(taught.lines)


def test_a_fresh_table_is_read_by_what_was_taught_and_badly_without() -> None:
    image, label = table()
    taught, shot = lesson()[-1].tiles, Shown(reader(), image, 0)
    before, after, layouts = (
        score(label, each_once(shot.scene(sets), sets).tiles) for sets in ((), (taught,), (plain(taught),))
    )
    assert after["right"] == len(label.tiles)
    assert layouts["right"] >= before["right"]
    assert before["right"] < 0.8 * len(label.tiles)


def test_the_examination_says_what_was_won() -> None:
    image, label = table()
    told = examine(image, lesson()[-1].tiles, Truthful([label]), reader())
    assert told.right_after == told.tiles == len(label.tiles)
    assert told.right_before < told.right_after
    assert str(told).startswith("On the fresh picture, before: ")


def test_a_reader_with_taught_sets_says_whose_each_tile_is() -> None:
    image, _ = table()
    scene = Reader([lesson()[-1].tiles]).read(image)
    assert {tile.of_set for tile in scene.tiles} == {"ghosts"}


def test_without_a_taught_set_nothing_changes() -> None:
    image, _ = table()
    scene = Shown(reader(), image, 0).scene(())
    assert scene.tiles == reader().read(image).tiles
    assert {tile.of_set for tile in scene.tiles} == {""}


def test_several_sets_may_be_taught_while_nothing_lies_there() -> None:
    both, image = [lesson()[-1].tiles, bare_lesson().tiles], np.full((240, 320, 3), 90, np.uint8)
    assert TaughtSets(both).tiles(image, ()) == ()
    assert Reader(both).read(image).tiles == ()


def test_a_domino_that_lies_there_twice_is_reported() -> None:
    image, _ = table()
    taught = lesson()[-1].tiles
    scene = each_once(Reader([taught]).read(image), [taught])
    sure = next(tile for tile in scene.tiles if tile.face_up and not tile.doubtful)
    double = replace(scene, tiles=(*scene.tiles, sure))
    assert any("lies here twice" in line for line in table_call(double, [taught]))
    assert list(table_call(scene, [taught])) == []


@functools.cache
def another_set() -> TileSet:
    """The set of one picture that comes along."""
    return teach([load(SAMPLES / "mountains_solved.jpg")], "another", 6, Truthful([]), reader()).tiles


@functools.cache
def seen_without() -> tuple[Image, tuple[TileDetection, ...]]:
    """The tiles of another such picture, all of which are read rightly without a taught set."""
    image = load(SAMPLES / "pieces.jpg")
    return image, reader().read(image).tiles


def test_a_set_that_does_not_lie_here_doubts_more_and_surely_misreads_nothing() -> None:
    pieces, true = seen_without()
    tiles = Reader([another_set()]).read(pieces).tiles
    assert all(tile.doubtful or tile.pips == known.pips for tile, known in zip(tiles, true, strict=True))
    assert any("4 or 6" in tile.why for tile in tiles)


def test_what_was_surely_another_number_before_is_asked_for_in_the_examination() -> None:
    pieces, true = seen_without()
    label = Label("pieces", (1, 1), tuple(LabelledTile(tile.pips, *tile.centers_px) for tile in true))
    told = examine(pieces, another_set(), Truthful([label]), reader())
    assert told.right_before == told.tiles == len(true)
    assert told.right_after < told.tiles
    assert "Nobody told" not in str(told)


def test_tiles_that_nobody_could_tell_are_said_to_count_as_right_neither_time(tmp_path: Path) -> None:
    pieces, true = seen_without()
    told = examine(pieces, another_set(), Terminal(tmp_path, 6), reader())  # at which nobody sits
    assert told.untold > 0
    assert str(told).endswith(f" Nobody told what {told.untold} of them are: those count as right neither time.")
    assert told.right_before <= len(true) - told.untold


def test_the_same_tiles_on_both_pictures_are_not_there_twice() -> None:
    image, truth = next(iter(laid_out(ODD["stars"], 7)))
    taught = teach([image] * 2, "stars", 6, Truthful([label_of("stars", truth)] * 2), reader())
    assert taught.tiles.twice == ()
    assert len(taught.tiles.missing) == 28 - len(truth.tiles)


def test_what_is_on_no_picture_is_said(tmp_path: Path) -> None:
    taught = teach([load(SAMPLES / "pieces.jpg")], "few", 6, Terminal(tmp_path, 6), reader())
    assert any(line.startswith("On no picture: 0-0, ") for line in taught.lines)


def test_pictures_without_dominoes_teach_nothing() -> None:
    image, _ = table()
    with pytest.raises(CalibrationError, match="no domino of the set was found"):
        teach([image[:64, :64] * 0], "none", 6, Truthful([]), reader())
