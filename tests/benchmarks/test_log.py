"""Logs of measurements: what was cut off is measured again, and so is what another state of the code did."""

from pathlib import Path

import pytest

from benchmarks import log as logs
from benchmarks.log import EYES, Log, fingerprint, keep, kept


def test_what_was_cut_off_is_passed_over_and_spoils_no_other_line(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "log.jsonl"
    Log(path).add("one", {"counts": 1})
    with path.open("a", encoding="utf-8") as file:
        file.write('{"picture": "tw')
    Log(path).add("two", {"counts": 2})
    told = Log(path)
    assert [(told.get(name) or {}).get("counts") for name in ("one", "two")] == [1, 2]
    assert len(path.read_text(encoding="utf-8").splitlines()) == 3


def test_where_no_log_is_wanted_none_is_kept() -> None:
    keep(None, {"counts": 1})
    assert kept(None) == []


@pytest.mark.parametrize("name", EYES)
def test_a_log_of_another_state_of_the_code_counts_for_nothing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def there(package: str) -> Path:
        (tmp_path / package).mkdir(exist_ok=True)
        return tmp_path / package

    monkeypatch.setattr(logs, "files", there)
    fingerprint.cache_clear()
    Log(tmp_path / "log.jsonl").add("one", {"counts": 1})
    (there(name) / "changed.py").write_text("CHANGED = True", encoding="utf-8")
    fingerprint.cache_clear()
    assert Log(tmp_path / "log.jsonl").get("one") is None
    fingerprint.cache_clear()
