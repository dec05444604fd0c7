"""A taught set: what is learnt of its looks, how a half is known again, and the file that keeps it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.counting import counted
from calibration.errors import BadFile, CalibrationError
from calibration.learn_set import Known, learn
from calibration.likeness import compare, contrast, light_of, turned, unexplained
from calibration.tileset import CELLS, HalfLook, TileSet, drawn
from calibration.tileset_file import as_text, load, save
from tests.calibration.flat import MADE, SETS, learnt, patch
from vision.straighten import Image
from vision.taught import squares

pytestmark = pytest.mark.needs("cv2")

STARS = learnt(SETS["stars"])
LOPSIDED = learnt(SETS["lopsided"])


def best(tiles: TileSet, square: Image) -> int:
    """The number whose picture leaves least of a half unexplained."""
    return tiles.known[int(unexplained(compare([square], tiles.exemplars), contrast(tiles.exemplars))[0].argmin())]


def test_what_is_learnt_of_a_set() -> None:
    odd = SETS["stars"].style
    assert STARS.known == tuple(range(7))
    assert np.abs(np.array(STARS.face) - odd.base[::-1]).max() < 60  # between a bright and a darker picture
    assert STARS.seam.bar_length == pytest.approx(odd.bar_length, abs=0.12)
    assert STARS.seam.spinner == 0
    assert STARS.length_mm == 48.0
    assert learnt(SETS["hearts"]).seam.spinner == pytest.approx(SETS["hearts"].style.pin, abs=0.04)
    assert learnt(SETS["polygons"]).seam.bar_length == 0


@pytest.mark.parametrize("name", ["stars", "lopsided"])
def test_the_layout_of_every_number_is_learnt(name: str) -> None:
    odd, tiles = SETS[name], LOPSIDED if name == "lopsided" else learnt(SETS[name])
    for half in tiles.halves:
        true = np.array(odd.spots(half.pips)).reshape(-1, 2) * odd.style.spread
        assert len(half.spots) == half.pips
        mirrored = true * [1, -1]  # which of the two halves of a tile is the usual way is nobody's choice
        far = [
            max((np.linalg.norm(np.array(half.spots) - spot, axis=1).min() for spot in way), default=0.0)
            for way in (true, -true, mirrored, -mirrored)
        ]
        assert min(far) < 0.05, half.pips


def test_pips_are_counted_on_the_learnt_pictures() -> None:
    assert counted(STARS) == {number: number for number in range(7)}


def test_pips_that_touch_are_not_counted() -> None:
    assert counted(LOPSIDED) == {number: number for number in range(10) if number not in (7, 8)}


@pytest.mark.parametrize("light", [0.35, 1.0, 1.2])
def test_a_half_is_known_again_in_any_light_shifted_and_turned(light: float) -> None:
    for head, tail in ((0, 9), (5, 2), (3, 7), (8, 4)):
        tile = np.clip(light * np.roll(patch(SETS["lopsided"], head, tail, 5), (2, -2), (0, 1)), 0, 255)
        for square, number in zip(squares(tile.astype(np.uint8)), (head, tail), strict=True):
            assert best(LOPSIDED, square) == number


def test_a_picture_is_seen_four_ways() -> None:
    picture = np.arange(CELLS * CELLS * 3, dtype=np.float32).reshape(CELLS, CELLS, 3)
    ways = [turned(picture, way) for way in range(4)]
    assert (ways[1] == ways[2][:, ::-1]).all()
    assert (turned(ways[3], 3) == picture).all()
    assert len({way.tobytes() for way in ways}) == 4


def test_the_light_is_told_by_the_halves_with_pips() -> None:
    tiles = [patch(SETS["stars"], 6, 0), patch(SETS["stars"], 5, 4), patch(SETS["stars"], 3, 2)]
    dark, bright = (
        light_of(
            compare([s for t in tiles for s in squares((by * t).astype(np.uint8))], STARS.exemplars),
            contrast(STARS.exemplars),
        )
        for by in (0.5, 1.0)
    )
    assert dark == pytest.approx(0.5 * bright, rel=0.1)


def test_a_number_that_no_tile_shows_is_not_known() -> None:
    tiles = learnt(SETS["stars"], [d for d in SETS["stars"].dominoes if 6 not in (d.high, d.low)])
    assert tiles.known == tuple(range(6))
    assert tiles.halves[6].rows is None


def test_nothing_is_learnt_from_no_tiles() -> None:
    with pytest.raises(CalibrationError, match="lay its tiles on a plain table"):
        learn([], Known("none", 6, MADE))


def test_a_layout_alone_draws_round_pips() -> None:
    half = drawn(HalfLook(2, (0, 0, 0), ((-0.25, -0.25), (0.25, 0.25))), 0.1)
    assert half.cover.sum() == pytest.approx(2 * np.pi * (0.1 * 24) ** 2, rel=0.1)
    assert half.cover[5, 5] == half.cover[-6, -6] == 1
    assert half.cover[5, -6] == 0


@pytest.mark.parametrize("tiles", [STARS, replace(LOPSIDED, back=(1, 2, 3), missing=("42",), twice=("99", "10"))])
def test_the_file_keeps_all_of_a_set(tiles: TileSet, tmp_path: Path) -> None:
    save(tmp_path / "set.toml", tiles)
    assert load(tmp_path / "set.toml") == tiles


def test_the_pictures_in_the_file_can_be_seen() -> None:
    text = as_text(STARS)
    rows = text.split("[half_1]")[1].split("[half_2]")[0].splitlines()
    drawing = [row.strip(' ",') for row in rows if row.startswith("    ") and len(row) > CELLS]
    assert len(drawing) == CELLS
    assert "#" in drawing[CELLS // 2]
    assert set(drawing[0]) == {"."}


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("highest = 6", "highest = 60", "line 4: highest must be a number from 1 to 12"),
        ("highest = 6", "highest = 13", "line 4: highest must be a number from 1 to 12"),
        ("version = 1", "version = 2", "written by a newer pipsight"),
        ("missing = []", 'missing = ["24"]', "the higher half first"),
        ("missing = []\ntwice = []", 'missing = ["42"]\ntwice = ["42"]', "line 11: a set that lacks 42 cannot have it"),
        ("width = 0.5", "width = 5.0", "width must be between"),
        ("bar_length", "bar_lenght", "bar_lenght is not known"),
    ],
)
def test_an_edited_file_names_its_line(old: str, new: str, words: str, tmp_path: Path) -> None:
    text = as_text(STARS).replace(old, new, 1)
    (tmp_path / "set.toml").write_text(text, encoding="utf-8")
    assert text != as_text(STARS)
    with pytest.raises(BadFile, match=words):
        load(tmp_path / "set.toml")


def test_what_is_wrong_with_a_set_is_mended_by_teaching(tmp_path: Path) -> None:
    (tmp_path / "set.toml").write_text("zzz", encoding="utf-8")
    with pytest.raises(BadFile, match="put it right or teach the set again"):
        load(tmp_path / "set.toml")


def test_a_damaged_picture_names_its_line(tmp_path: Path) -> None:
    text = as_text(STARS).replace("#", "?").replace("?", "#", 1)
    (tmp_path / "set.toml").write_text(text.replace("? the end", "# the end"), encoding="utf-8")
    with pytest.raises(BadFile, match=r"line \d+: picture must be 22 rows of 22 letters"):
        load(tmp_path / "set.toml")


def test_a_file_that_is_cut_off_is_not_believed(tmp_path: Path) -> None:
    text = as_text(STARS)
    (tmp_path / "set.toml").write_text(text[: len(text) // 2], encoding="utf-8")
    with pytest.raises(BadFile, match="line"):
        load(tmp_path / "set.toml")
