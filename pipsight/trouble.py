"""Expected trouble in words: one sentence that says what is wrong and, where it can, what to do."""

from __future__ import annotations

import ctypes
import re
from typing import NamedTuple


class Packages(NamedTuple):
    """What to install where a system library lacks, by the kind of system."""

    debian: str
    fedora: str


LIBRARIES = {
    "libGL.so.1": Packages("libgl1", "mesa-libGL"),
    "libgthread-2.0.so.0": Packages("libglib2.0-0", "glib2"),
    "libglib-2.0.so.0": Packages("libglib2.0-0", "glib2"),
    "libxcb.so.1": Packages("libxcb1", "libxcb"),
}
"""What OpenCV links against and does not bring along."""

_LIBRARY = re.compile(r"[\w+.-]+\.so[.\d]*")
_PLAIN_WORD = re.compile(r"[^\W\d_]+['-]?\w*(?=[ ,;]|: |$)")  # and no name, as table.mp4 or http://table are


class PipsightError(Exception):
    """The base of the application's own errors; the text is a sentence for a person."""


class NothingToRead(PipsightError, ValueError):
    """The command names no picture at all, such as a folder without any."""


class UnusableOutput(PipsightError, OSError):
    """The place where pictures should be written cannot be used."""


def in_words(error: BaseException) -> str | None:
    """Say an expected error in one sentence; None for one that only a fault of the program explains."""
    from calibration.errors import CalibrationError
    from hardware.errors import HardwareError
    from rules.errors import RulesError
    from vision.errors import VisionError

    match error:
        case PipsightError() | RulesError() | VisionError() | HardwareError() | CalibrationError():
            return str(error)
        case ModuleNotFoundError(name="cv2" | "numpy" | "onnxruntime" | "skimage" as name):
            return f"the Python package of {name} lacks: install pipsight once more with pip"
        case ImportError() if library := _LIBRARY.search(str(error)):
            return _lacking_library(library[0])
        case OSError(filename=str() as name, strerror=str() as reason):
            return f"{name}: {reason}"
        case OSError(strerror=str() as reason):
            return reason
        case OSError():
            return str(error)
        case MemoryError():
            return "there is not enough memory for this picture: scale it down"
    return None


def is_interruption(error: BaseException) -> bool:
    """Whether ctrl-C came while a library was loaded, which may make an error of its own of it."""
    cause: BaseException | None = error if isinstance(error, ImportError) else None
    while cause and not isinstance(cause, KeyboardInterrupt):
        cause = cause.__cause__ or cause.__context__
    return cause is not None


def sentence(text: str) -> str:
    """Make one sentence of what has no capital or full stop yet; names that it begins with stay as they are."""
    words = " ".join(text.split()).removesuffix(".")
    begun = words[:1].upper() + words[1:] if _PLAIN_WORD.match(words) else words
    return ended(begun)


def ended(words: str) -> str:
    """End words by a full stop, unless they end as a sentence does."""
    return words if words.endswith((".", "?", "!")) else words + "."


def _lacking_library(name: str) -> str:
    """Say which packages bring the system libraries that could not be loaded.

    The loader stops at the first one it misses; the others are tried too, so that one installation is enough.
    """
    lacking = [known for known in LIBRARIES if known == name or not _loads(known)]
    if name not in LIBRARIES:
        return f"OpenCV needs the system library {name}, which could not be loaded: install the package that brings it"
    debian, fedora = (
        " ".join(dict.fromkeys(names)) for names in zip(*map(LIBRARIES.__getitem__, lacking), strict=True)
    )
    return (
        f"OpenCV needs system libraries that are not there ({', '.join(lacking)}): "
        f"on Debian or Ubuntu apt-get install {debian}, on Fedora dnf install {fedora}"
    )


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True
