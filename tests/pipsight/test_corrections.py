"""What people said of a tile holds for that tile: not for whatever lies there next, nor for others that read alike."""

from __future__ import annotations

import pytest

from pipsight.corrections import FOLLOWED_S, Corrections
from vision.scene import Scene, TileDetection

pytestmark = pytest.mark.needs("cv2")

HERE, THERE = (100.0, 100.0), (500.0, 300.0)


def tile(at: tuple[float, float], pips: tuple[int, int] | None, doubt: str = "") -> TileDetection:
    """A tile with its middle there; None lies face down."""
    (x, y), numbers = at, pips or (0, 0)
    likelihoods = tuple(tuple(float(k == number) for k in range(13)) for number in numbers)
    return TileDetection(
        ((x - 25, y - 50), (x + 25, y - 50), (x + 25, y + 50), (x - 25, y + 50)),
        ((x, y - 25), (x, y + 25)),
        numbers,
        0.6 if doubt else 0.99,
        doubtful=bool(doubt),
        face_up=pips is not None,
        likelihoods=(likelihoods[0], likelihoods[1]) if pips else ((), ()),
        why=doubt,
    )


class Said:
    """A table of which something was said: what is told of each scene that follows, a second apart."""

    def __init__(self, misread: TileDetection, pips: tuple[int, int] | str | None) -> None:
        self.corrections, self.now_s, self.scene = Corrections(), 0.0, Scene((640, 480), tiles=(misread,))
        self.corrections.say(misread, pips)  # type: ignore[arg-type]

    def told(self, *tiles: TileDetection, after_s: float = 1.0) -> list[tuple[int, int] | None]:
        """The numbers of all tiles that count, None for those that lie face down."""
        self.now_s += after_s
        raw, before = Scene((640, 480), tiles=tiles), self.scene
        self.corrections.see(raw, self.now_s)
        gone = self.corrections.dismissed(raw)
        left = Scene((640, 480), tiles=tuple(one for k, one in enumerate(tiles) if k not in gone))
        self.scene = self.corrections.applied(left, before)
        return [one.pips if one.face_up else None for one in self.scene.tiles]


def test_a_tile_stays_what_it_was_said_to_be_while_it_lies_there() -> None:
    table = Said(tile(HERE, (6, 4)), (6, 5))
    assert table.told(tile(HERE, (6, 4))) == [(6, 5)]
    assert table.told(tile(HERE, (3, 2), "it is blurred")) == [(6, 5)]
    assert table.told(tile(HERE, (4, 6)), after_s=60.0) == [(5, 6)]  # found turned round
    assert not table.scene.tiles[0].doubtful


def test_it_is_followed_to_where_it_is_laid_next_and_in_doubt_there() -> None:
    table = Said(tile(HERE, (6, 4)), (6, 5))
    assert table.told() == []
    assert table.told(tile(THERE, (6, 4))) == [(6, 5)]
    assert table.scene.tiles[0].doubtful
    assert table.told(tile(THERE, (6, 4)), after_s=60.0) == [(6, 5)]


def test_what_is_laid_down_much_later_is_another_one() -> None:
    table = Said(tile(HERE, (6, 4)), (6, 5))
    table.told()
    table.told(after_s=FOLLOWED_S + 0.1)
    assert table.told(tile(THERE, (6, 4))) == [(6, 4)]
    assert table.told(tile(THERE, (6, 4)), tile(HERE, (6, 4))) == [(6, 4), (6, 4)]


def test_another_domino_at_its_place_is_not_taken_for_it() -> None:
    for other in (tile(HERE, (3, 2), "3 or 2 at one end"), tile(HERE, (3, 2)), tile(HERE, None)):
        table = Said(tile(HERE, (6, 4)), (6, 5))
        table.told()
        assert table.told(other) == [other.pips if other.face_up else None]
        assert table.told(tile(HERE, (6, 4))) == [(6, 4)]  # what was said is forgotten


def test_a_back_that_was_said_to_be_a_front_makes_no_other_back_one() -> None:
    table = Said(tile(HERE, None), (3, 2))
    assert table.told(tile(HERE, None)) == [(3, 2)]
    table.told()
    table.told(after_s=FOLLOWED_S + 0.1)
    assert table.told(tile(THERE, None)) == [None]


def test_a_double_blank_that_was_said_to_lie_face_down_makes_no_other_one_a_back() -> None:
    table = Said(tile(HERE, (0, 0)), "back")
    assert table.told(tile(HERE, (0, 0))) == [None]
    assert table.told(tile(HERE, None, "it may be the double blank")) == [None]
    assert not table.scene.tiles[0].doubtful  # as was said
    table.told()
    table.told(after_s=FOLLOWED_S + 0.1)
    assert table.told(tile(THERE, (0, 0))) == [(0, 0)]


def test_what_was_said_to_be_no_domino_hides_none_that_is_laid_there() -> None:
    table = Said(tile(HERE, (0, 0), "it may be no domino"), None)
    assert table.told(tile(HERE, (0, 0), "it may be no domino")) == []
    table.told()
    assert table.told(tile(HERE, (3, 2), "3 or 2 at one end")) == [(3, 2)]
