"""A tile without pips is the double blank or lies face down: backs of one set look alike, and that is there once."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import pytest

from rules.domino import Domino, DominoSet

if TYPE_CHECKING:
    from vision.place import Place
    from vision.scene import TileDetection

pytestmark = pytest.mark.needs("cv2")

WHITE, BROWN = (0.0, 0.0, 1.9), (-0.4, 0.4, 1.4)  # colours, as vision.tints tells them
SQUARE = ((0.0, 0.0), (40.0, 0.0), (40.0, 80.0), (0.0, 80.0))


def place(head: int, tail: int, color: tuple[float, ...] = WHITE, *, face_up: bool = True) -> Place:
    """A place where surely a tile lies that reads so, or seems to lie face down."""
    from vision.pips import Look
    from vision.place import Place

    chances = np.full((2, 13), 1e-4, np.float32)
    chances[[0, 1], [head, tail]] = 1
    up, down = (0.97, 0.02) if face_up else (0.02, 0.97)
    look = Look(up, down, 0.01, np.array(SQUARE), chances, chances, np.zeros((0, 3), np.float32))
    return Place(np.array(SQUARE), look, 0.95, np.array(color))


FRONTS = (place(1, 2), place(3, 3), place(6, 0), place(5, 4))


def in_doubt(*places: Place) -> list[bool]:
    """Which of some places beside four white fronts may be the double blank."""
    from vision.blanks import lone_backs

    return [one.plain for one in lone_backs([*FRONTS, *places])[len(FRONTS) :]]


def test_a_back_that_only_the_faces_look_like_may_be_the_double_blank() -> None:
    assert in_doubt(place(0, 0, face_up=False)) == [True]
    assert in_doubt(place(0, 0, face_up=False), place(0, 0, BROWN, face_up=False)) == [True, False]


def test_backs_that_look_alike_are_backs() -> None:
    assert in_doubt(place(0, 0, face_up=False), place(0, 0, face_up=False)) == [False, False]


def test_no_back_is_the_double_blank_where_that_lies_face_up() -> None:
    assert in_doubt(place(0, 0), place(0, 0, face_up=False)) == [False, False]


def test_few_fronts_do_not_tell_the_colour_of_faces() -> None:
    from vision.blanks import lone_backs

    assert not any(one.plain for one in lone_backs([*FRONTS[:2], place(0, 0, face_up=False)]))


def test_however_faint_such_a_back_is_it_says_that_it_may_be_the_double_blank() -> None:
    from vision.blanks import MAY_BE_BLANK, presence
    from vision.tiles import tile_at

    back = replace(place(0, 0, face_up=False), plain=True, against=6.0)
    faint = tile_at(back)
    assert back.presence < 0.8
    assert (faint.why, faint.doubtful) == (MAY_BE_BLANK, True)
    assert presence(faint) == pytest.approx(back.presence, abs=0.05)


def tile(pips: tuple[int, int], **known: object) -> TileDetection:
    from vision.scene import TileDetection

    sure = TileDetection(SQUARE, ((20.0, 20.0), (20.0, 60.0)), pips, 1.0)
    return replace(sure, **known)  # type: ignore[arg-type]


def told(fronts: int, *others: TileDetection, face_down: bool | None = None) -> list[TileDetection]:
    """What may be the double blank beside so many fronts of a double-six set, as who knows the set reads it."""
    from vision.assignment import assign
    from vision.blanks import MAY_BE_BLANK
    from vision.scene import Scene

    rest = sorted(set(DominoSet(6)) - {Domino.of(0, 0)})
    back = tile((0, 0), face_up=False, confidence=0.59, doubtful=True, why=MAY_BE_BLANK, likelihoods=((), ()))
    lying = [tile((one.low, one.high)) for one in rest[:fronts]]
    return list(assign(Scene((640, 480), (back, *others, *lying)), 6, face_down=face_down).tiles)


def test_where_all_other_dominoes_lie_the_last_one_is_the_double_blank() -> None:
    first = told(27)[0]
    assert (first.face_up, first.pips, first.doubtful) == (True, (0, 0), False)
    assert first.why == "no other domino is the double blank, so this is it"


def test_where_many_lie_elsewhere_it_stays_a_doubtful_back() -> None:
    first = told(6)[0]
    assert (first.face_up, first.doubtful, first.why) == (False, True, "it may be the double blank")


def test_where_a_game_has_nothing_face_down_it_is_the_double_blank_and_where_it_has_it_stays_a_back() -> None:
    first = told(6, face_down=False)[0]
    assert (first.face_up, first.pips, first.doubtful) == (True, (0, 0), False)
    assert not told(27, face_down=True)[0].face_up


def test_it_stays_a_back_where_the_double_blank_lies() -> None:
    assert not told(26, tile((0, 0)))[0].face_up


def test_what_was_told_as_the_double_blank_once_is_no_sure_back_later() -> None:
    from vision.following.sighting import confirmed, sighted

    back = place(0, 0, face_up=False)
    for first, why in ((tile((0, 0)), ["it may be the double blank"]), (tile((0, 3)), [""])):
        known = sighted(first, 0)
        for frame in range(1, 5):
            known = confirmed(known, (back.look, back.quad, False), frame)
        assert (known.tile.face_up, [known.tile.why]) == (False, why)


def test_a_whole_board_is_read_though_the_light_hides_the_bar_of_its_double_blank() -> None:
    from benchmarks.following import DARK, HARD
    from benchmarks.frames import filmed
    from benchmarks.live import whole_board
    from training.render import staged
    from training.samples import laid, set_of
    from vision.assignment import assign
    from vision.steady import Steady

    rng = np.random.default_rng((77, 0))
    still, truth = staged(laid(whole_board(), rng), set_of(0), rng, half_px=44.0, turn_deg=float(rng.uniform(0, 360)))
    steady, dim = Steady(), (still * rng.uniform(DARK, 1)).astype(np.uint8)
    seen = [steady.see(frame) for frame in islice(filmed(dim, HARD, rng), 4)][-1]
    doubted = [one for one in seen.tiles if not one.face_up]
    assert [one.why for one in doubted] == ["it may be the double blank"]
    known = assign(seen, 6).tiles
    assert sorted(Domino.of(*one.pips) for one in known if one.face_up) == sorted(DominoSet(6))
    assert len(truth.tiles) == len(known)
