"""What the first bytes of a picture file say: its format and size, known before anything is decoded."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from io import BytesIO
from typing import BinaryIO

FORMATS = ("JPEG", "PNG", "WebP", "BMP", "TIFF")
OTHERS = {
    **dict.fromkeys((b"heic", b"heix", b"heim", b"heis", b"hevc", b"mif1", b"msf1"), "a HEIC picture"),
    **dict.fromkeys((b"avif", b"avis"), "an AVIF picture"),
    **dict.fromkeys((b"isom", b"mp41", b"mp42", b"qt  "), "a video"),
}
JPEG_SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
JPEG_END, JPEG_SCAN = 0xD9, 0xDA
TIFF_WIDTH, TIFF_HEIGHT, TIFF_ORIENTATION, TIFF_EXTRA_SAMPLES = 256, 257, 274, 338
TIFF_TYPES = {1: "B", 3: "H", 4: "I"}


@dataclass(frozen=True)
class Header:
    """A picture's format, its width and height in pixels as stored, and whether it can be see-through in places."""

    format: str
    width: int
    height: int
    alpha: bool = False


class BadHeader(ValueError):
    """The file is no picture of a known format, or ends before its size is told."""


def read_header(file: BinaryIO) -> Header:
    """Say what kind of picture a file holds and how large it is, reading only as far as that takes.

    file: open for reading bytes, at its beginning. Raises BadHeader with a phrase that says what the file is instead.
    """
    start = file.read(32)
    try:
        if start.startswith(b"\xff\xd8\xff"):
            return _jpeg(file)
        if start.startswith(b"\x89PNG\r\n\x1a\n"):
            return _png(file)
        if start[:4] == b"RIFF" and start[8:12] == b"WEBP":
            return _webp(start)
        if start.startswith(b"BM"):
            return _bmp(start)
        if start[:4] in (b"II*\0", b"MM\0*"):
            return _tiff(file)
    except (struct.error, IndexError):
        raise BadHeader("is cut off") from None
    raise BadHeader(_other(start))


def _other(start: bytes) -> str:
    """Return what a file of none of the known formats is."""
    if start[4:8] == b"ftyp" and (kind := OTHERS.get(start[8:12])):
        return f"is {kind}"
    for magic, kind in ((b"GIF8", "a GIF picture"), (b"%PDF", "a PDF document"), (b"<svg", "an SVG drawing")):
        if start.startswith(magic):
            return f"is {kind}"
    return "is not a picture"


def _jpeg(file: BinaryIO) -> Header:
    """Walk the segments to the one that holds the size: a phone's may come after a long preview."""
    file.seek(2)
    while True:
        marker, length = _jpeg_marker(file), 0
        if marker in (JPEG_SCAN, JPEG_END):
            raise BadHeader("is damaged: its size is missing")
        if marker == 0x01 or 0xD0 <= marker <= 0xD7:
            continue
        (length,) = struct.unpack(">H", file.read(2))
        if marker in JPEG_SIZES:
            _, height, width = struct.unpack(">BHH", file.read(5))
            return Header("JPEG", width, height)
        file.seek(length - 2, 1)


def _jpeg_marker(file: BinaryIO) -> int:
    """Return the code of the marker that must come next; any number of 0xFF may go before it."""
    if file.read(1) != b"\xff":
        raise BadHeader("is damaged or cut off")
    code = file.read(1)
    while code == b"\xff":
        code = file.read(1)
    return code[0]


def _png(file: BinaryIO) -> Header:
    file.seek(16)
    width, height, _, color = struct.unpack(">IIBB", file.read(10))
    file.seek(8)
    before_pixels = file.read(4096).split(b"IDAT")[0]
    return Header("PNG", width, height, color in (4, 6) or b"tRNS" in before_pixels)


def _webp(start: bytes) -> Header:
    kind, body = start[12:16], start[20:]
    if kind == b"VP8X":
        flags, *size = struct.unpack("<B3xHBHB", body[:10])
        return Header("WebP", size[0] + (size[1] << 16) + 1, size[2] + (size[3] << 16) + 1, bool(flags & 0x10))
    if kind == b"VP8L":
        (bits,) = struct.unpack("<I", body[1:5])
        return Header("WebP", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1, bool(bits >> 28 & 1))
    if kind == b"VP8 ":
        width, height = struct.unpack("<HH", body[6:10])
        return Header("WebP", width & 0x3FFF, height & 0x3FFF)
    raise BadHeader("is damaged: its size is missing")


def _bmp(start: bytes) -> Header:
    (length,) = struct.unpack("<I", start[14:18])
    width, height = struct.unpack("<HH", start[18:22]) if length == 12 else struct.unpack("<ii", start[18:26])
    return Header("BMP", abs(width), abs(height))


def _tiff(file: BinaryIO) -> Header:
    entries = _tiff_entries(file)
    if not {TIFF_WIDTH, TIFF_HEIGHT} <= entries.keys():
        raise BadHeader("is damaged: its size is missing")
    return Header("TIFF", entries[TIFF_WIDTH], entries[TIFF_HEIGHT], TIFF_EXTRA_SAMPLES in entries)


def _tiff_entries(file: BinaryIO) -> dict[int, int]:
    """Return the entries of a TIFF's first picture that hold one number, by tag."""
    file.seek(0)
    order = "<" if file.read(4)[:1] == b"I" else ">"
    (offset,) = struct.unpack(order + "I", file.read(4))
    file.seek(offset)
    (count,) = struct.unpack(order + "H", file.read(2))
    entries: dict[int, int] = {}
    for _ in range(count):
        tag, kind, _ = struct.unpack(order + "HHI", file.read(8))
        value, form = file.read(4), order + TIFF_TYPES.get(kind, "I")
        (entries[tag],) = struct.unpack(form, value[: struct.calcsize(form)])
    return entries


def orientation(exif: bytes) -> int:
    """Return how a camera was held, 1 to 8 as EXIF counts, 1 (upright) where the block does not say."""
    try:
        told = _tiff_entries(BytesIO(exif)).get(TIFF_ORIENTATION, 1)
    except struct.error:
        return 1
    return told if told in range(1, 9) else 1


def is_whole_png(data: bytes) -> bool:
    """Whether every part of a PNG up to its end mark is there and unharmed."""
    at = 8
    while at + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        part, check = data[at + 4 : at + 8 + length], data[at + 8 + length : at + 12 + length]
        if check != zlib.crc32(part).to_bytes(4, "big"):
            return False
        if part[:4] == b"IEND":
            return True
        at += 12 + length
    return False
