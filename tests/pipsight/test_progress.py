"""Progress: on the error stream only, and nothing at all for a single picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console

from pipsight.progress import followed

if TYPE_CHECKING:
    import pytest


def test_a_single_name_needs_no_progress(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(followed(["a.jpg"], str.upper)) == ["A.JPG"]
    assert capsys.readouterr() == ("", "")


def test_several_names_are_counted_line_by_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(followed(["a.jpg", "b.jpg"], str.upper)) == ["A.JPG", "B.JPG"]
    assert capsys.readouterr() == ("", "1/2 a.jpg\n2/2 b.jpg\n")


def test_a_name_is_announced_before_the_work_on_it(capsys: pytest.CaptureFixture[str]) -> None:
    def work(name: str) -> str:
        return capsys.readouterr().err

    assert list(followed(["a.jpg", "b.jpg"], work)) == ["1/2 a.jpg\n", "2/2 b.jpg\n"]


def test_a_terminal_gets_a_bar(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Console, "is_terminal", True)
    assert list(followed(["a.jpg", "[b].jpg"], str.upper)) == ["A.JPG", "[B].JPG"]
    out, err = capsys.readouterr()
    assert out == ""
    assert "[b].jpg" in err
