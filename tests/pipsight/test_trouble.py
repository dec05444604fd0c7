"""Expected trouble in one sentence; anything else stays a fault of the program."""

from __future__ import annotations

import pytest

from pipsight.trouble import LIBRARIES, NothingToRead, UnusableOutput, in_words, sentence
from rules.errors import BadText
from vision.errors import VisionError


@pytest.fixture(autouse=True)
def bare_server(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """A machine on which the libraries in this set lack."""
    lacking: set[str] = set()
    monkeypatch.setattr("pipsight.trouble._loads", lambda name: name not in lacking)
    return lacking


def missing(library: str) -> ImportError:
    return ImportError(f"{library}: cannot open shared object file: No such file or directory")


@pytest.mark.parametrize("name", LIBRARIES)
def test_a_lacking_system_library_is_named_with_its_packages(name: str) -> None:
    assert in_words(missing(name)) == (
        f"OpenCV needs system libraries that are not there ({name}): "
        f"on Debian or Ubuntu apt-get install {LIBRARIES[name].debian}, on Fedora dnf install {LIBRARIES[name].fedora}"
    )


def test_all_that_lack_are_named_at_once_and_no_package_twice(bare_server: set[str]) -> None:
    bare_server |= {"libgthread-2.0.so.0", "libglib-2.0.so.0"}
    words = in_words(missing("libGL.so.1"))
    assert words is not None
    assert "(libGL.so.1, libgthread-2.0.so.0, libglib-2.0.so.0)" in words
    assert words.endswith("apt-get install libgl1 libglib2.0-0, on Fedora dnf install mesa-libGL glib2")


def test_an_unknown_library_is_named_all_the_same() -> None:
    words = in_words(missing("libodd-2.so.7"))
    assert words is not None
    assert words.startswith("OpenCV needs the system library libodd-2.so.7, which could not be loaded")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (NothingToRead("the folder x holds no pictures"), "the folder x holds no pictures"),
        (UnusableOutput("--out x is a file, not a folder"), "--out x is a file, not a folder"),
        (VisionError("table.jpg is empty"), "table.jpg is empty"),
        (BadText("a row is too short", 3, 5), "line 3, column 5: a row is too short"),
        (PermissionError(13, "Permission denied", "table.jpg"), "table.jpg: Permission denied"),
        (OSError("the disk is gone"), "the disk is gone"),
        (OSError(28, "No space left on device"), "No space left on device"),
        (MemoryError(), "there is not enough memory for this picture: scale it down"),
        (ModuleNotFoundError(name="cv2"), "the Python package of cv2 lacks: install pipsight once more with pip"),
    ],
)
def test_expected_trouble_has_words(error: Exception, words: str) -> None:
    assert in_words(error) == words


@pytest.mark.parametrize(
    "error", [KeyError("x"), ValueError("x"), ImportError("x"), ModuleNotFoundError(name="rules.x")]
)
def test_a_fault_of_the_program_has_none(error: Exception) -> None:
    assert in_words(error) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("choose a camera first", "Choose a camera first."),
        ("camera 0 does not answer: is it plugged in?", "Camera 0 does not answer: is it plugged in?"),
        ("http://hall/1.mjpeg sends no more pictures", "http://hall/1.mjpeg sends no more pictures."),
        ("table.mp4: it is\nno film.", "table.mp4: it is no film."),
        ("don't", "Don't."),
        ("", "."),
    ],
)
def test_a_sentence_begins_and_ends_as_one_and_names_stay_as_they_are(text: str, said: str) -> None:
    assert sentence(text) == said
