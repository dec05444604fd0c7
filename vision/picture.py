"""Picture files in and out: any sound one becomes an upright BGR picture, any other a sentence that says why not."""

from __future__ import annotations

from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.errors import VisionError
from vision.headers import FORMATS, BadHeader, Header, is_whole_png, orientation, read_header

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cv2.typing import MatLike
    from numpy.typing import NDArray

LEAST_SIDE = 32
MOST_PIXELS = 120_000_000
SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})
UNREAD_SUFFIXES = frozenset({".heic", ".heif", ".avif"})
BACKDROP = 128
JPEG_QUALITY = 92


class PictureError(VisionError, ValueError):
    """A picture file that cannot be used; the text names the file and what is wrong with it."""


def load(path: str | Path) -> NDArray[np.uint8]:
    """Read a picture as a player would see it: upright, in colour, see-through places filled with grey.

    Returns a BGR array of shape (height, width, 3), 8 bits a channel. Raises PictureError for anything else than a
    sound JPEG, PNG, WebP, BMP or TIFF of at most 120 million pixels; nothing larger is ever decoded.
    """
    if not str(path).strip():
        raise PictureError("no picture is named: give the path of one, as table.jpg")
    header, data = _read(Path(path), str(path))
    return _whole(data, header, str(path))


def decode(data: bytes, name: str) -> NDArray[np.uint8]:
    """Read a picture from the bytes of its file; name: what to call it in a sentence. Otherwise as `load`."""
    try:
        header = _accepted(read_header(BytesIO(data)), name)
    except BadHeader as error:
        raise PictureError(f"{name} {error}") from None
    return _whole(data, header, name)


def _whole(data: bytes, header: Header, name: str) -> NDArray[np.uint8]:
    """Return the picture that the bytes hold. Raises PictureError where some of them lack."""
    if header.format == "PNG" and not is_whole_png(data):
        raise PictureError(f"{name} is damaged or cut off: copy it once more")
    with quiet():
        frame = _decode(data, header)
    if frame is None and header.format == "TIFF":
        raise PictureError(f"{name} is damaged or cut off, or of an unusual kind: save it as JPEG or PNG")
    if frame is None:
        raise PictureError(f"{name} is damaged or cut off: copy it once more")
    return frame


def pictures_in(folder: str | Path) -> tuple[Path, ...]:
    """List the pictures of a folder by name, those of a phone's HEIC included: they must not go missing unsaid."""
    wanted = SUFFIXES | UNREAD_SUFFIXES
    seen = (path for path in Path(folder).iterdir() if not path.name.startswith("."))
    return tuple(sorted(path for path in seen if path.suffix.lower() in wanted))


def encode(frame: NDArray[np.uint8], suffix: str) -> bytes:
    """Turn a BGR picture into the bytes of a file of that kind; suffix: ".png", ".jpg" and so on."""
    if suffix.lower() not in SUFFIXES:
        raise PictureError(f"pictures are not written as {suffix or 'files without an ending'}: use .jpg or .png")
    how = [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY] if suffix.lower() in (".jpg", ".jpeg") else []
    done, data = cv2.imencode(suffix.lower(), frame, how)
    if not done:
        raise PictureError(f"the picture does not fit into a {suffix} file")
    return data.tobytes()


def _read(path: Path, name: str) -> tuple[Header, bytes]:
    """Return a file's header and all its bytes, once the header has shown that decoding is worth it."""
    if path.is_dir():
        raise PictureError(f"{name} is a folder, not a picture")
    if not path.exists():
        raise PictureError(f"{name} does not exist")
    if not path.is_file():
        raise PictureError(f"{name} is not a file")
    try:
        with path.open("rb") as file:
            header = _accepted(read_header(file), name)
            file.seek(0)
            return header, file.read()
    except BadHeader as error:
        raise PictureError(f"{name} {_unreadable(path, error)}") from None
    except OSError as error:
        raise PictureError(f"{name} cannot be opened: {error.strerror}") from error


def _accepted(header: Header, name: str) -> Header:
    """Return the header of a picture of a size that can be read."""
    size = f"{header.width} x {header.height} pixels"
    if min(header.width, header.height) < LEAST_SIDE:
        raise PictureError(f"{name} has only {size}: too small to show a domino")
    if header.width * header.height > MOST_PIXELS:
        most = f"{MOST_PIXELS // 10**6} million"
        raise PictureError(f"{name} has {size}: at most {most} can be read, so scale it down")
    return header


def _unreadable(path: Path, error: BadHeader) -> str:
    """Return what a file is instead of a picture, and what would be read."""
    if path.stat().st_size == 0:
        return "is empty"
    formats = f"{', '.join(FORMATS[:-1])} and {FORMATS[-1]}"
    return f"{error}; pictures in {formats} are read"


@contextmanager
def quiet() -> Iterator[None]:
    """Keep OpenCV from printing what is said in one sentence instead."""
    level = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        yield
    finally:
        cv2.utils.logging.setLogLevel(level)


def _decode(data: bytes, header: Header) -> NDArray[np.uint8] | None:
    """Return the upright picture, None where the pixels cannot be made out."""
    raw = np.frombuffer(data, np.uint8)
    try:
        frame = cv2.imdecode(raw, cv2.IMREAD_COLOR | cv2.IMREAD_ANYDEPTH)
        if frame is None or frame.dtype not in (np.uint8, np.uint16):
            return None
        upright = _eight_bits(frame)
        return _on_backdrop(upright, raw) if header.alpha else upright
    except cv2.error:
        return None


def _eight_bits(frame: MatLike) -> NDArray[np.uint8]:
    """Return a picture in 8 bits; one of 16 bits is taken for 10, 12 or 14 where its brightest point allows that."""
    if frame.dtype == np.uint8:
        return frame.astype(np.uint8, copy=False)
    depth = max(8, -(-int(frame.max()).bit_length() // 2) * 2)
    return cv2.convertScaleAbs(frame, alpha=255 / (2**depth - 1)).astype(np.uint8, copy=False)


def _on_backdrop(frame: NDArray[np.uint8], raw: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Lay a picture with see-through places on grey, which neither white nor black tiles melt into."""
    stored, kinds, blocks = cv2.imdecodeWithMetadata(raw, cv2.IMREAD_UNCHANGED)
    if stored is None or stored.ndim != 3 or stored.shape[2] != 4:
        return frame
    full = 255 if stored.dtype == np.uint8 else 65535
    opacity = np.divide(stored[..., 3], full, dtype=np.float32)
    exif = [bytes(block) for kind, block in zip(kinds, blocks, strict=True) if kind == cv2.IMAGE_METADATA_EXIF]
    weight = _turned(opacity, orientation(exif[0]) if exif else 1)[..., None]
    seen: NDArray[np.uint8] = np.rint(frame * weight + BACKDROP * (1 - weight)).astype(np.uint8)
    return seen


def _turned(layer: NDArray[np.float32], held: int) -> NDArray[np.float32]:
    """Return a layer upright; held: EXIF's orientation, 1 to 8."""
    layer = layer.T if held >= 5 else layer
    rows = slice(None, None, -1 if held in (3, 4, 7, 8) else 1)
    columns = slice(None, None, -1 if held in (2, 3, 6, 7) else 1)
    return layer[rows, columns]
