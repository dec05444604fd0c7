"""The census of Mountains and Valleys: the same figures again, and a stopped one goes on."""

from pathlib import Path

import pytest

from benchmarks.mountains_census import CensusLog, Chunk, census, census_one, items, main, summary


def test_a_chunk_depends_on_its_seed_and_number_alone() -> None:
    one, again, other = census_one((1, 0, 3)), census_one((1, 0, 3)), census_one((1, 1, 3))
    assert (one.solved, one.missing, one.open) == (again.solved, again.missing, again.open) == (3, (), ())
    assert other.number == 1


def test_draws_fall_into_chunks() -> None:
    assert items(7, 600) == [(7, 0, 250), (7, 1, 250), (7, 2, 100)]


def test_a_stopped_census_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    first = list(census(1, 2, CensusLog(path), workers=1))
    with path.open("a", encoding="utf-8") as file:
        file.write('{"code": "cut o')
    assert list(census(1, 2, CensusLog(path), workers=1)) == first


def test_the_summary_counts_what_is_missing_and_names_what_is_open() -> None:
    told = "\n".join(summary([Chunk(1, 0, 4, 2, (3,), ("01 02\n03",), (1.0, 2.0, 3.0, 4.0))]))
    assert "no 3                 1" in told
    assert "01 02 03" in told
    assert "median 2.5" in told


def test_the_command_prints_its_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--draws", "2", "--workers", "1", "--log", str(tmp_path / "log.jsonl")]) == 0
    assert "2 draws, seed 1" in capsys.readouterr().out
