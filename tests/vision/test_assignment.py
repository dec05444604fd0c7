"""What the set knows: each domino once, so that a tile that is hard to read is told by the others; and honest doubt."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.domino import Domino, DominoSet
from vision.assignment import DUPLICATE, assign
from vision.scene import Scene, TileDetection

pytestmark = pytest.mark.needs("cv2")

Half = dict[int, float]
State = tuple[tuple[int, int], bool] | None


def tile(head: Half, tail: Half, real: float = 1.0, length: float = 80.0, **more: object) -> TileDetection:
    """A tile whose halves read each number with so much chance, and that is one at all with the chance `real`."""
    rows = [np.zeros(13), np.zeros(13)]
    for row, half in zip(rows, (head, tail), strict=True):
        row[list(half)] = list(half.values())
        row[row == 0] = (1 - sum(half.values())) / max(13 - len(half), 1)
    pips = (int(rows[0].argmax()), int(rows[1].argmax()))
    confidence = float(rows[0].max() * rows[1].max() * real)
    one, other = (tuple(float(chance) for chance in row) for row in rows)
    corners = ((0.0, 0.0), (0.0, length / 2), (length, length / 2), (length, 0.0))
    centers = ((length / 4, length / 4), (3 * length / 4, length / 4))
    seen = TileDetection(corners, centers, pips, confidence, confidence < 0.8, likelihoods=(one, other))
    return replace(seen, **more)  # type: ignore[arg-type]


def surely(head: int, tail: int) -> TileDetection:
    return tile({head: 0.9995}, {tail: 0.9995}, real=0.999)


def read(*tiles: TileDetection) -> Scene:
    return Scene((640, 480), tiles)


def test_a_tile_of_which_one_end_is_hidden_is_changed_for_nothing() -> None:
    for shown in range(7):
        half = tile({}, {shown: 0.9995})
        (told,) = assign(read(replace(half, pips=(5, shown))), 6).tiles
        assert told.pips == (5, shown)
        assert told.changed_from is None
        assert told.doubtful


FULL = [surely(d.low, d.high) for d in DominoSet(6)]


def test_the_last_domino_of_a_set_is_known_by_one_end() -> None:
    blurred = tile({6: 0.99}, {}, why="glare at one end")
    told = assign(read(*FULL[:-1], blurred), 6).tiles
    assert told[-1].pips == (6, 6)
    assert told[-1].confidence > 0.95
    assert not told[-1].doubtful
    for before, now in zip(FULL[:-1], told[:-1], strict=True):
        assert now == replace(before, confidence=now.confidence, weighed=now.weighed)
        assert now.confidence > before.confidence - 1e-3


def test_a_reading_that_lies_elsewhere_is_changed_and_says_so() -> None:
    unsure = tile({5: 0.99}, {3: 0.6, 2: 0.399}, doubtful=True, why="3 or 2 at one end")
    told = assign(read(surely(3, 5), unsure), 6).tiles[1]
    assert (told.pips, told.changed_from) == ((5, 2), (5, 3))
    assert told.why == "5-3 lies elsewhere, so this is 5-2"
    assert not told.doubtful
    assert told.likelihoods == unsure.likelihoods
    assert told.others[0] == (5, 3)


def test_each_of_two_tiles_is_the_domino_that_the_other_is_not() -> None:
    one, other = tile({5: 0.99}, {3: 0.55, 2: 0.44}), tile({5: 0.99}, {3: 0.9, 2: 0.09})
    assert [t.pips for t in assign(read(one, other), 6).tiles] == [(5, 2), (5, 3)]


def test_a_domino_laid_twice_stays_twice_and_sure() -> None:
    glossy = [replace(seen, confidence=0.95 * seen.confidence) for seen in (surely(3, 5), *FULL)]
    lying = [seen for seen in glossy if seen.pips != (0, 1)]
    told = assign(read(*lying), 6).tiles
    assert [t.pips for t in told] == [t.pips for t in lying]
    assert not any(t.doubtful for t in told)


def test_two_readings_of_one_domino_of_which_neither_is_certain_are_doubted() -> None:
    told = assign(read(tile({5: 0.97}, {3: 0.97}), tile({5: 0.97}, {3: 0.97})), 6).tiles
    assert all(t.doubtful for t in told)
    assert all((5, 3) in (t.pips, *t.others) for t in told)


@pytest.mark.parametrize("sure", [True, False])
def test_a_domino_of_another_set_stays_if_it_is_certain(sure: bool) -> None:
    nine = tile({9: 0.99999}, {4: 0.99999}) if sure else tile({9: 0.6, 6: 0.39}, {4: 0.99})
    told = assign(read(nine), 6).tiles[0]
    assert told.pips == ((9, 4) if sure else (6, 4))
    assert told.why == ("" if sure else "9-4 is none of the dominoes here, so this is 6-4")
    assert not told.doubtful


def test_dominoes_known_to_lie_elsewhere_are_left_out() -> None:
    unsure = tile({5: 0.99}, {3: 0.6, 2: 0.38})
    assert assign(read(unsure), DominoSet(6)).tiles[0].pips == (5, 3)
    assert assign(read(unsure), {*DominoSet(6)} - {Domino(5, 3)}).tiles[0].pips == (5, 2)
    assert assign(read(unsure), [Domino(5, 2), Domino(6, 6)]).tiles[0].pips == (5, 2)


def test_what_is_probably_no_tile_takes_no_domino_from_a_real_one() -> None:
    real, glint = tile({5: 0.95}, {3: 0.95, 2: 0.04}), tile({5: 0.999}, {3: 0.999}, real=0.3, why="it may be no domino")
    told = assign(read(real, glint), 6).tiles
    assert told[0].pips == (5, 3)
    assert (told[1].doubtful, told[1].why) == (True, "it may be no domino")


def test_what_the_set_does_not_mend_stays_doubtful() -> None:
    tiny = tile({5: 0.7, 4: 0.3}, {3: 0.99}, length=24, doubtful=True, why="it is only 24 pixels long")
    told = assign(read(tiny, surely(4, 3)), 6).tiles[0]
    assert told.confidence > 0.95
    assert (told.doubtful, told.why) == (True, "it is only 24 pixels long")


def test_tiles_may_outnumber_the_dominoes_and_backs_are_left_alone() -> None:
    back = replace(surely(0, 0), face_up=False, likelihoods=((), ()))
    scene = read(*(surely(0, 1) for _ in range(5)), back)
    told = assign(scene, 1)
    assert [t.pips for t in told.tiles] == [(0, 1)] * 5 + [(0, 0)]
    assert told.tiles[-1] is back
    assert assign(read(back), 6) == read(back)


def brute(tiles: list[TileDetection], supply: list[Domino]) -> list[dict[tuple[int, int], float]]:
    """The chance of each reading of each tile if it is one, summed over everything that may be on the table."""
    size = supply[-1].high + 1
    readings = [(a, b) for a in range(size) for b in range(size)]
    sums = [dict.fromkeys(readings, 0.0) for _ in tiles]
    states: list[State] = [*((pips, stray) for pips in readings for stray in (False, True)), None]
    for lying in product(states, repeat=len(tiles)):
        held = [Domino.of(*one[0]) for one in lying if one and not one[1]]
        if len(set(held)) < len(held):
            continue
        weight = prod(chance_of(t, one) for t, one in zip(tiles, lying, strict=True))
        for chances, one in zip(sums, lying, strict=True):
            if one:
                chances[one[0]] += weight
    return [{pips: weight / sum(chances.values()) for pips, weight in chances.items()} for chances in sums]


def chance_of(seen: TileDetection, state: State) -> float:
    """The chance of one tile's state by itself: a reading, as one of the set or as a stray, or no tile at all."""
    if state is None:
        return 1 - real(seen)
    (a, b), stray = state
    return real(seen) * seen.likelihoods[0][a] * seen.likelihoods[1][b] * (DUPLICATE if stray else 1 - DUPLICATE)


def real(seen: TileDetection) -> float:
    """The chance that it is a tile at all."""
    return seen.confidence / (max(seen.likelihoods[0]) * max(seen.likelihoods[1]))


def some_tiles(rng: np.random.Generator, count: int, sharp: float) -> list[TileDetection]:
    """Tiles of a double-one set with random chances, unsure ones where `sharp` is small."""
    rows = rng.dirichlet(np.full(2, 1 / sharp), (count, 2))
    return [tile(dict(enumerate(head)), dict(enumerate(tail)), rng.uniform(0.6, 1)) for head, tail in rows]


@settings(max_examples=15)
@given(seed=st.integers(0, 10_000), count=st.integers(1, 3), sharp=st.sampled_from([1.0, 4.0, 20.0]))
def test_the_confidence_is_nearly_the_sum_over_every_table(seed: int, count: int, sharp: float) -> None:
    tiles = some_tiles(np.random.default_rng(seed), count, sharp)
    exact = brute(tiles, list(DominoSet(1)))
    for told, seen, chances in zip(assign(read(*tiles), 1).tiles, tiles, exact, strict=True):
        assert told.confidence == pytest.approx(real(seen) * chances[told.pips], abs=0.12)
        for other in told.alternatives:
            assert other.chance == pytest.approx(chances[other.pips], abs=0.12)


@given(seed=st.integers(0, 10_000))
def test_one_unsure_tile_among_sure_ones_gets_its_exact_chance(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tiles = [*some_tiles(rng, 1, 1.0), surely(*rng.integers(0, 2, 2).tolist())]
    told, exact = assign(read(*tiles), 1).tiles[0], brute(tiles, list(DominoSet(1)))[0]
    assert told.confidence == pytest.approx(real(tiles[0]) * exact[told.pips], abs=0.01)


def test_over_many_tables_the_confidence_is_the_share_that_is_right() -> None:
    """Dominoes are drawn from a set, seen through noise, and read back: of those told 80% sure, 80% are right."""
    rng = np.random.default_rng(11)
    told: list[tuple[float, bool]] = []
    alone = 0
    for _ in range(60):
        drawn = [DominoSet(3).dominoes[k] for k in rng.permutation(10)[:8]]
        tiles = [noisy(rng, d) for d in drawn]
        alone += sum(t.pips == (d.low, d.high) for t, d in zip(tiles, drawn, strict=True))
        for t, d in zip(assign(read(*tiles), 3).tiles, drawn, strict=True):
            told.append((t.confidence, t.pips == (d.low, d.high)))
    confidence, right = (np.array(column, float) for column in zip(*told, strict=True))
    assert right.sum() > alone
    for low, high in ((0, 0.6), (0.6, 0.9), (0.9, 1.01)):
        inside = (confidence >= low) & (confidence < high)
        assert inside.sum() > 20
        assert confidence[inside].mean() == pytest.approx(right[inside].mean(), abs=0.06)


def noisy(rng: np.random.Generator, domino: Domino) -> TileDetection:
    """A domino whose halves are each seen with Gaussian noise, and the true chances of each number given that."""
    spread = rng.uniform(0.2, 0.7)
    seen = np.array([domino.low, domino.high]) + rng.normal(0, spread, 2)
    power = np.exp(-0.5 * ((np.arange(4) - seen[:, None]) / spread) ** 2)
    head, tail = power / power.sum(axis=1, keepdims=True)
    return tile(dict(enumerate(head)), dict(enumerate(tail)))
