"""The survey of Fujisan: the same layouts whoever solves them, and a run that was stopped goes on."""

from pathlib import Path

from benchmarks.fujisan_survey import Surveyed, published_lengths, summary, survey_one, surveyed


def shortest(results: list[Surveyed]) -> list[tuple[int | None, int | None]]:
    """What does not depend on how fast the machine is."""
    return [(one.fujisan, one.country_road) for one in results]


def test_a_layout_is_the_same_each_time_and_the_first_ten_are_these() -> None:
    results = list(surveyed(10, 1, workers=1))
    assert shortest(results) == shortest([survey_one(1, layout) for layout in range(10)])
    told = list(summary(results))
    assert told[0] == "10 layouts"
    assert "shortest length: median" in told[2]


def test_a_run_that_was_stopped_goes_on_from_its_log(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "fujisan.jsonl"
    first = list(surveyed(3, 7, log, workers=1))
    with log.open("a", encoding="utf-8") as file:
        file.write('{"seed": 7, "lay')
    again = list(surveyed(5, 7, log, workers=1))
    assert again[:3] == first
    assert list(surveyed(5, 7, log, workers=1)) == again
    assert len(log.read_text(encoding="utf-8").splitlines()) == 6
    assert shortest(list(surveyed(1, 8, log, workers=1))) == shortest([survey_one(8, 0)])


def test_the_published_layouts_are_told_with_both_lengths() -> None:
    told = list(published_lengths())
    assert told[1].split() == ["1", "14", "impossible"]
    assert told[20].split() == ["20", "70", "81"]
