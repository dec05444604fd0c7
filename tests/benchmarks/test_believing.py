"""Films that are watched once and judged by what was noted: as the referee would have judged them."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.believing import FIRST, Account, judged, line, remembered
from benchmarks.touch_films import RATES, watched
from training.grabs import random_grabs

pytestmark = pytest.mark.needs("cv2")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("believing")


@pytest.fixture(scope="module")
def told(folder: Path) -> Account:
    [account] = remembered(folder, "learning", 1, 1)
    return account


def test_what_was_noted_is_judged_as_the_referee_judges_the_film(told: Account) -> None:
    seen, noted = watched(random_grabs(FIRST, RATES[0], "learning")), judged(told)
    assert (noted.judged_s, noted.verdict) == (seen.judged_s, seen.verdict)
    assert seen.judged_s is not None
    until = [one for one in seen.contacts if one.confirmed_s <= seen.judged_s]
    assert [(one.place, one.time_s, one.chance) for one in noted.contacts] == [
        (one.place, one.time_s, one.chance) for one in until
    ]


def test_who_believes_nothing_names_nobody(told: Account) -> None:
    assert line([told], {}).startswith("as it is: 1 right, 0 wrong")
    assert line([told], {"OFFSET": -50.0}).startswith("OFFSET -50.0: 0 right, 0 wrong")


def test_what_was_seen_of_a_film_is_remembered(folder: Path, told: Account) -> None:
    [path] = folder.iterdir()
    written = path.stat().st_mtime_ns
    [again] = remembered(folder, "learning", 1, 1)
    assert path.stat().st_mtime_ns == written
    assert judged(again).judged_s == judged(told).judged_s
