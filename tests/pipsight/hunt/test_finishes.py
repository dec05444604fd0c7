"""The photo finishes of a session: under which names they are kept, and for how long."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pipsight.hunt.finishes import MOST, Finishes

pytestmark = pytest.mark.needs("cv2")

PICTURE = np.zeros((40, 60, 3), np.uint8)


def test_no_two_sessions_have_a_name_for_a_picture_in_common() -> None:
    first, second = Finishes(), Finishes()
    names = [kept.keep(PICTURE) for kept in (first, first, second, second)]
    assert len(set(names)) == 4
    assert second.get(names[0]) is None


def test_the_newest_are_kept_in_memory_and_beside_a_log_all_of_them(tmp_path: Path) -> None:
    bare, logged = Finishes(), Finishes(tmp_path / "2026-11-21-200000-cobra_paw.jsonl")
    for kept, first_is_there in ((bare, False), (logged, True)):
        names = [kept.keep(PICTURE) for _ in range(MOST + 1)]
        assert [kept.get(name) is not None for name in names] == [first_is_there, *([True] * MOST)]


def test_a_session_that_is_taken_up_again_has_its_pictures_still(tmp_path: Path) -> None:
    log = tmp_path / "2026-11-21-200000-cobra_paw.jsonl"
    name = Finishes(log).keep(PICTURE)
    (tmp_path / "2026-11-21-200000-cobra_paw-finish-1.jpg").write_bytes(b"of an older log")
    again = Finishes(log)
    assert again.get(name) is not None
    assert again.get("finish-1") == b"of an older log"
    assert again.keep(PICTURE) != name
