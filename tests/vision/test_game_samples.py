"""The samples of games: their pictures hold the states that stand beside them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from pipsight.commands.checking import laid_out
from pipsight.commands.demo import SAMPLES
from rules.games import game
from rules.table import Table
from tests.vision.sighted import sighted
from training.games_shown import SHOWN
from training.truth import from_json
from vision.picture import load
from vision.reader import Reader
from vision.reconstruct import rebuild
from vision.scene import Scene

pytestmark = pytest.mark.needs("cv2")

DOUBTLESS = ("all_fives", "cobra_paw", "freecell", "mountains_together")
STAND_ASTRAY = ("bee_race",)  # white dice on white tiles, seen from the side: one of them is not found
READ = tuple(slug for slug in SHOWN if slug not in STAND_ASTRAY)
REMEMBERED = ("bee", "bee_race", "country_road", "finder", "freecell", "fujisan", "tetradominoes")


def state_of(slug: str) -> Any:
    rules: Any = game(slug)
    return rules.start((SAMPLES / f"{slug}.txt").read_text(encoding="utf-8"))


def remembered(slug: str, state: Any) -> Any:
    """What was known before the picture: nothing, the problem, or what lies under pieces now."""
    if slug == "tetradominoes":
        return replace(state, laid=())
    return state if slug in REMEMBERED else None


def shows(slug: str, table: Table) -> bool:
    rules, state = game(slug), state_of(slug)
    return rules.agrees(state, rules.read(table, remembered(slug, state)))


@pytest.mark.parametrize("slug", SHOWN)
def test_the_truth_of_a_sample_is_its_state(slug: str) -> None:
    truth = from_json(json.loads((SAMPLES / f"{slug}.json").read_text(encoding="utf-8")))
    assert shows(slug, rebuild(sighted(truth), load(str(SAMPLES / f"{slug}.jpg"))).table)


@pytest.mark.parametrize("slug", READ)
def test_a_sample_is_read_as_its_state(slug: str) -> None:
    _, rebuilt = laid_out(game(slug), str(SAMPLES / f"{slug}.jpg"), remembered(slug, state_of(slug)))
    assert slug not in DOUBTLESS or rebuilt.table.doubts == ()
    assert shows(slug, rebuilt.table)


def test_a_domino_that_must_lie_there_is_found_though_the_first_look_missed_it(monkeypatch: pytest.MonkeyPatch) -> None:
    read, state = Reader.read, state_of("freecell")

    def missing_one(self: Reader, *seen: Any) -> Scene:
        scene = read(self, *seen)
        return replace(scene, tiles=scene.tiles[1:])

    monkeypatch.setattr(Reader, "read", missing_one)
    reading, rebuilt = laid_out(game("freecell"), str(SAMPLES / "freecell.jpg"), state)
    assert shows("freecell", rebuilt.table)
    assert len(reading.scene.tiles) == 28
