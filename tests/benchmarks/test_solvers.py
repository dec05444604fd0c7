"""The solvers' benchmark: rows, figures that are kept, peers that agree, and walks that would notice a fault."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import pytest

from benchmarks.random_games import Broken
from benchmarks.solver_peers import PEERS, cover
from benchmarks.solvers import Figure, Record, Task, measure, tasks, told, walks
from benchmarks.walks import require_sound, walked
from rules import dominosa
from rules.board import Board
from rules.games import slugs
from rules.puzzles import problem, published
from rules.sliding.layout import Layout
from rules.watch import Watch


def test_every_published_problem_is_measured_and_every_aim_has_a_row() -> None:
    from benchmarks.solvers import AIMS

    rows = [task.row for task in tasks(1)]
    assert rows.count("unmatched, published") == len(published("unmatched")) == 20
    assert rows.count("capturing, published") == 20
    assert set(rows) >= AIMS.keys()


def test_a_figure_is_kept_and_not_taken_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done: list[str] = []

    def work(key: str) -> bool:
        done.append(key)
        return key == "a"

    wanted = [Task("row", key, partial(partial, work, key)) for key in ("a", "b")]
    log = tmp_path / "folder" / "log.jsonl"
    first = measure(wanted[:1], Record(log))
    both = measure(wanted, Record(log))
    assert done == ["a", "b"]
    assert both["row"][0] == first["row"][0]
    assert told("row", both["row"]).startswith("row                               1 of 2  median ")
    assert capsys.readouterr().err == "1/1 row\n1/2 row\n"
    assert [type(figure) for figure in both["row"]] == [Figure, Figure]


@pytest.mark.needs("pysat", "ortools")
def test_the_peers_agree_on_what_is_unique() -> None:
    assert set(PEERS) == {"python-sat", "OR-Tools"}
    for seed in range(3):
        one, many = dominosa.make(Random(seed), 4, "trivial", Watch()), dominosa.deal(Random(seed), 4)
        assert one
        for grid in (one, many):
            assert {peer(grid) for peer in PEERS.values()} == {dominosa.is_unique(grid)}
        assert dominosa.is_unique(one)


def test_a_cover_has_a_set_for_each_square_and_each_domino() -> None:
    grid = dominosa.deal(Random(1), 4)
    places, sets = cover(grid)
    assert places == 2 * 5 * 6 - 5 - 6
    assert len(sets) == 30 + 15
    assert sum(map(len, sets)) == 3 * places


@pytest.mark.parametrize("slug", slugs())
def test_a_walk_of_legal_moves_keeps_every_invariant_in_every_game(slug: str) -> None:
    assert 0 <= walked(slug, 12) < 12


def test_a_walk_is_cut_into_legs() -> None:
    legs = [task for task in walks(1_200) if task.row == "bee, walk 1200"]
    assert [leg.key for leg in legs] == ["0", "1", "2"]
    assert {task.row.partition(",")[0] for task in walks(1)} == set(slugs())


def test_a_walk_notices_what_the_rules_never_do() -> None:
    start = problem("unmatched", "1")
    apart = Layout.of(Board.parse("1|2     2|3\n\n\n\n2|4"))
    with pytest.raises(Broken, match="the group fell apart"):
        require_sound("unmatched", start, apart)
    with pytest.raises(Broken, match="came from nowhere"):
        require_sound("unmatched", start, Layout.of(Board.parse("1|2 5|5")))
    with pytest.raises(Broken, match="reads as another state"):
        require_sound("unmatched", start, replace(start, places=tuple(place + 1 for place in start.places)))
