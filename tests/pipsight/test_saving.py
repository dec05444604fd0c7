"""Drawn pictures: each under a name of its own, never over what it was made from, whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipsight.places import config_folder, data_folder, require_kept, state_folder, writable
from pipsight.saving import Album, place_for, save
from pipsight.trouble import UnusableOutput


def test_a_drawing_is_named_after_its_picture(tmp_path: Path) -> None:
    album = Album(tmp_path / "drawn")
    names = [album.place(Path(name), "read").name for name in ("a.jpg", "b.JPEG", "c.webp", "d.png", "e.tif")]
    assert names == ["a.read.jpg", "b.read.jpg", "c.read.jpg", "d.read.png", "e.read.png"]
    assert (tmp_path / "drawn").is_dir()


@given(st.lists(st.sampled_from(["a.jpg", "A.jpg", "x/a.jpg", "y/a.jpeg", "a.png", "a.read.jpg", "a.read-2.jpg"])))
def test_no_drawing_covers_another_or_a_picture(names: list[str]) -> None:
    with TemporaryDirectory() as folder:
        originals = [Path(folder) / "a.read.jpg", Path(folder) / "a.read-2.jpg"]
        album = Album(Path(folder), originals)
        files = [*originals, *(album.place(Path(name), "read") for name in names)]
    assert len({str(path).casefold() for path in files}) == len(files)


def test_a_picture_among_its_own_drawings_is_left_alone(tmp_path: Path) -> None:
    pictures = [tmp_path / "a.jpg", tmp_path / "a.read.jpg"]
    assert Album(tmp_path, pictures).place(pictures[0], "read").name == "a.read-2.jpg"


def test_a_folder_that_cannot_be_written_into_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UnusableOutput, match=r"drawn\.JPG is called as a file is: several may be written"):
        Album(tmp_path / "drawn.JPG")
    assert not (tmp_path / "drawn.JPG").exists()
    with pytest.raises(UnusableOutput, match="is a file, not a folder"):
        Album(tmp_path / "file")
    with pytest.raises(UnusableOutput, match="cannot be written into"):
        Album(tmp_path / "file" / "below")


@pytest.mark.needs("cv2")
def test_where_one_drawing_goes(tmp_path: Path) -> None:
    picture = tmp_path / "table.jpg"
    assert place_for(tmp_path, picture, "check") == tmp_path / "table.check.jpg"
    assert place_for(tmp_path / "new", picture, "check") == tmp_path / "new" / "table.check.jpg"
    assert place_for(tmp_path / "new" / "faults.png", picture, "check") == tmp_path / "new" / "faults.png"
    with pytest.raises(UnusableOutput, match="is the picture itself"):
        place_for(tmp_path / "new" / ".." / "table.jpg", picture, "check")
    with pytest.raises(UnusableOutput, match=r"neither a folder nor a name that ends in \.jpg or \.png"):
        place_for(tmp_path / "faults.txt", picture, "check")


def test_a_file_is_replaced_in_one_step_and_no_draft_is_left(tmp_path: Path) -> None:
    save(tmp_path / "a.jpg", b"old")
    save(tmp_path / "a.jpg", b"new")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a.jpg": b"new"}


def test_what_cannot_be_replaced_stays_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").mkdir()
    with pytest.raises(UnusableOutput, match=r"a\.jpg cannot be written"):
        save(tmp_path / "a.jpg", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["a.jpg"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no pipes with names")
def test_a_pipe_or_a_device_is_never_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UnusableOutput, match="pipe cannot be written: it is no ordinary file"):
        save(tmp_path / "pipe", b"new")
    with pytest.raises(UnusableOutput, match="cannot be written: it is a folder"):
        save(tmp_path, b"new")
    assert (tmp_path / "pipe").is_fifo()
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def test_what_cannot_be_kept_is_said_before_anything_is_learnt(tmp_path: Path) -> None:
    place = tmp_path / "new" / "cameras" / "0.toml"
    require_kept(place)
    assert not list(tmp_path.iterdir())
    (tmp_path / "new").write_text("a file", encoding="utf-8")
    with pytest.raises(UnusableOutput, match=r"nothing can be kept in .*cameras: .*; name another folder by PIPSIGHT_"):
        require_kept(place)


def test_a_full_disk_is_told_before_anything_is_learnt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("only Linux has a disk that is always full")
    monkeypatch.setattr("tempfile.TemporaryFile", lambda **_: full.open("wb"))
    with pytest.raises(UnusableOutput, match=r"nothing can be kept in .*cameras: No space left on device"):
        require_kept(tmp_path / "cameras" / "0.toml")


def test_pipsight_home_moves_the_state_and_a_temporary_folder_stands_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIPSIGHT_HOME", str(tmp_path))
    assert state_folder() == tmp_path / "state"
    assert writable(tmp_path / "state" / "demo") == tmp_path / "state" / "demo"
    (tmp_path / "file").touch()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    stand_in = writable(tmp_path / "file" / "demo")
    assert stand_in.is_dir()
    assert stand_in.parent == tmp_path


@pytest.mark.parametrize(("named", "meant"), [("~/dominoes", "{}/dominoes"), ("~", "{}"), ("a~b", "a~b")])
def test_a_tilde_is_the_users_own_folder_also_where_no_shell_has_read_it(
    named: str, meant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("PIPSIGHT_HOME", named)
    places = [config_folder(), data_folder(), state_folder()]
    assert places == [Path(meant.format(tmp_path)) / kind for kind in ("config", "data", "state")]


def test_without_it_the_system_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIPSIGHT_HOME", raising=False)
    assert "pipsight" in state_folder().parts


def test_a_folder_that_is_one_no_longer_is_said_to_be_none(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.write_text("a file")
    with pytest.raises(UnusableOutput, match=r"game\.json cannot be written"):
        save(gone / "game.json", b"{}")
