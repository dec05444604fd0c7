"""The log of a session: whole after a kill, refused in words when it is none."""

from __future__ import annotations

import errno
import json
import os
from io import FileIO
from pathlib import Path

import pytest

from pipsight.record import BadLog, FullDisk, InUse, Log, is_in_use, read_log
from pipsight.sitting import saved_text
from rules.saved import BadSave, SavedGame, dumps


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    with Log.begin(tmp_path, "unmatched", problem="5") as log:
        log.write({"event": "moved", "move": "24R"})
        recorded = read_log(log.path)  # on the disk before the next line
    assert (recorded.slug, recorded.facts["problem"]) == ("unmatched", "5")
    assert recorded.entries == ({"event": "moved", "move": "24R"},)


def test_nothing_stays_of_a_session_in_which_nothing_happened(tmp_path: Path) -> None:
    log = Log.begin(tmp_path, "unmatched", problem="5")
    assert log.path.exists()
    log.close()
    assert not log.path.exists()
    with Log.begin(tmp_path, "unmatched", problem="5") as other:  # of the same second, maybe by the same name
        other.write({"event": "moved", "move": "24R"})
    log.close()
    assert other.path.exists()


def test_a_folder_that_takes_no_change_any_more_keeps_nobody_from_leaving(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "unlink", refused)
    log = Log.begin(tmp_path, "unmatched")
    log.close()
    assert not is_in_use(log.path)


def test_two_sessions_of_one_second_have_two_logs(tmp_path: Path) -> None:
    logs = [Log.begin(tmp_path, "bee") for _ in range(3)]
    for log in logs:
        log.close()
        log.close()
    assert len({log.path for log in logs}) == 3


def test_two_programs_that_begin_a_game_at_once_have_two_logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "exists", lambda _: False)  # as the other one's is not there yet when this one looks
    logs = [Log.begin(tmp_path, "bee") for _ in range(3)]
    for log in logs:
        log.close()
    assert len({log.path for log in logs}) == 3


def test_a_log_is_written_by_one_program_at_a_time(tmp_path: Path) -> None:
    with Log.begin(tmp_path, "unmatched") as log:
        log.write({"event": "moved", "move": "24R"})
        assert is_in_use(log.path)
        with pytest.raises(InUse, match=f"the game {log.path} is being played by another pipsight"):
            Log(log.path)
        log.write({"event": "moved", "move": "24L"})
    assert not is_in_use(log.path)
    assert not is_in_use(tmp_path / "nowhere" / "log.jsonl")
    with Log(log.path) as again:
        again.write({"event": "moved", "move": "24R"})
    assert len(read_log(log.path).entries) == 3


def test_where_files_have_no_locks_a_game_is_kept_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("msvcrt.locking" if os.name == "nt" else "fcntl.flock", no_locks)
    with Log.begin(tmp_path, "unmatched") as log:
        log.write({"event": "moved", "move": "24R"})
    assert len(read_log(log.path).entries) == 1


class NearlyFull:
    """A file on a disk that takes so many bytes more, and then none until there is room again."""

    def __init__(self, file: FileIO, room: int) -> None:
        self._file, self._room = file, room
        self.fileno, self.close = file.fileno, file.close

    def write(self, data: bytes) -> int:
        """Write as much as fits, as a file without a buffer does."""
        if not self._room:
            self._room = len(data) + 1
            raise OSError(errno.ENOSPC, "No space left on device")
        taken = self._file.write(data[: self._room])
        self._room -= taken
        return taken


def test_a_disk_that_takes_a_part_of_a_line_is_full_and_the_line_alone_is_lost(tmp_path: Path) -> None:
    log = Log.begin(tmp_path, "unmatched")
    log.write({"event": "moved", "move": "24R"})
    log._file = NearlyFull(log._file, 9)  # type: ignore[assignment]
    with pytest.raises(FullDisk, match="No space left on device"):
        log.write({"event": "moved", "move": "24L"})
    log.close()
    with Log(log.path) as again:
        again.write({"event": "moved", "move": "65L"})
    assert [entry["move"] for entry in read_log(log.path).entries] == ["24R", "65L"]


def test_of_a_log_that_could_not_even_begin_nothing_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(FullDisk, match="No space left on device"):
        Log.begin(tmp_path, "unmatched")
    assert not list(tmp_path.iterdir())


def test_a_line_that_a_kill_cut_off_is_lost_alone(tmp_path: Path) -> None:
    with Log.begin(tmp_path, "unmatched") as log:
        log.write({"event": "moved", "move": "24R"})
    with log.path.open("ab") as file:
        file.write(b'{"event": "mov')
    assert len(read_log(log.path).entries) == 1
    with Log(log.path) as again:
        again.write({"event": "moved", "move": "24L"})
    assert [entry["move"] for entry in read_log(log.path).entries] == ["24R", "24L"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is no log of a session"),
        ('{"event": "moved"}\n', "its first line should say so"),
        ('{"log": 99}\n', "is a log of format 99; this pipsight reads format 1"),
        (dumps(SavedGame("unmatched", "0|0")), "is a saved game.*pipsight play --resume .*log.jsonl goes on with it"),
        ('{"log": 1}\nnonsense\n', "line 2: this is no JSON"),
        ('{"log": 1}\n[]\n', "line 2: this is no entry of a log"),
        ('{"log": 1}\n' + "[" * 100_000 + "\n", "line 2: this is no JSON"),
        *(
            ('{"log": 1}\n{"event": "wrong", "time_s": 1}\n{' + told + "}\n", "line 3: this is no entry of a log")
            for told in ('"time_s": NaN', '"time_s": 1e999', '"time_s": -1', '"time_s": null', '"time_s": "2"')
            + ('"event": ["moved"]', '"text": {}', '"faults": 3', '"faults": [3]')
        ),
    ],
)
def test_a_file_that_is_no_log_is_refused(text: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadLog, match=sentence):
        read_log(path)
    with pytest.raises(BadLog, match="cannot be read"):
        read_log(tmp_path / "nowhere.jsonl")


def test_a_file_that_is_far_too_large_is_not_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipsight.record.LARGEST_LOG", 100)
    monkeypatch.setattr("pipsight.sitting.LARGEST_SAVE", 100)
    path = tmp_path / "log.jsonl"
    path.write_text('{"log": 1}\n' * 20, encoding="utf-8")
    with pytest.raises(BadLog, match="is no log of a session: it is too large"):
        read_log(path)
    with pytest.raises(BadSave, match="is no saved game: it is too large"):
        saved_text(path)


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        (tmp_path / "file").write_text("", encoding="utf-8")
        with pytest.raises(FullDisk, match="cannot be written"):
            Log(tmp_path / "file" / "log.jsonl")
        return
    with pytest.raises(FullDisk, match="/dev/full cannot be written"):  # noqa: SIM117
        with Log(Path("/dev/full")) as log:
            log.write({"event": "moved"})


def test_every_line_is_json_of_its_own(tmp_path: Path) -> None:
    with Log.begin(tmp_path, "bee") as log:
        log.write({"text": "a line\nof two"})
    assert [json.loads(line) for line in log.path.read_text(encoding="utf-8").splitlines()][1][
        "text"
    ] == "a line\nof two"
