"""The sheet as it is printed or shown: black rectangles and a few words at true scale, as SVG, PDF and PNG."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple
from xml.sax.saxutils import escape

import cv2
import numpy as np

from calibration.lens import Image
from calibration.target import MARKER_MODULES, SHEET, TAG_NUMBERS, Target, modules

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
PX_PER_MM = 12  # of PNG files: every line of a printed sheet falls between two pixels
MARGIN_MM, RULER_GAP_MM, TAG_MM = 12.0, 7.0, 40.0
POINTS_PER_MM = 72 / 25.4
FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
ADVICE = (
    "pipsight calibration sheet",
    "Print at 100%, not fitted to the page. Check: the ruler must be 200 mm long.",
    "Keep it flat: tape it to a stiff board or a book.",
)
TAG_ADVICE = "Cut out, and lay or glue one at each corner of the table."


class Rectangle(NamedTuple):
    """A black rectangle: its upper left corner and its size, in millimetres."""

    x: float
    y: float
    width: float
    height: float


class Words(NamedTuple):
    """A line of text: where its left end stands, the height of its letters, in millimetres."""

    x: float
    y: float
    text: str
    size: float


@dataclass(frozen=True)
class Sheet:
    """What is on a page of so many millimetres."""

    width: float
    height: float
    rectangles: tuple[Rectangle, ...]
    words: tuple[Words, ...] = ()


def sheet(paper: str) -> Sheet:
    """The calibration sheet for a4 or letter paper: the squares, and a ruler that tells whether the scale was kept."""
    width, height = PAPERS[paper]
    across, down = SHEET.size_mm
    ticks, labels = _ruler(MARGIN_MM + across + RULER_GAP_MM, MARGIN_MM)
    below = MARGIN_MM + down + 8
    lines = (Words(MARGIN_MM, below + 5.5 * k, text, 3.6) for k, text in enumerate(ADVICE))
    squares = _squares(SHEET, MARGIN_MM, MARGIN_MM)
    return Sheet(width, height, (*squares, *ticks), (*labels, *lines))


def tag_sheet(paper: str) -> Sheet:
    """The four tags for the corners of a table, on a paper of a4 or letter."""
    width, height = PAPERS[paper]
    places = [(25.0 + 75 * (k % 2), 30.0 + 75 * (k // 2)) for k in range(len(TAG_NUMBERS))]
    tags = (part for number, (x, y) in zip(TAG_NUMBERS, places, strict=True) for part in _marker(number, x, y, TAG_MM))
    advice = Words(MARGIN_MM, 190, f"{TAG_ADVICE} Each black square is {TAG_MM:.0f} mm wide.", 3.6)
    return Sheet(width, height, tuple(tags), (advice,))


def screen(size_px: tuple[int, int], mm_per_px: float | None = None) -> tuple[Image, Target]:
    """The squares as large as a screen of (width, height) pixels shows them, (height, width), and how large they are.

    Without the size of a pixel the target is told in pixels: measure the line beside the squares.
    """
    width, height = size_px
    if width > height:
        upright, target = screen((height, width), mm_per_px)
        return np.ascontiguousarray(np.rot90(upright)), target
    side = max(25, min(width // (SHEET.columns + 2), height // (SHEET.rows + 1)) // 25 * 25)
    drawn = Target(SHEET.columns, SHEET.rows, float(side), SHEET.marker_share)
    left, top = (width - (SHEET.columns + 1) * side) // 2, (height - SHEET.rows * side) // 2
    line = Rectangle(left + (SHEET.columns + 0.5) * side, top, max(2, side // 20), drawn.ruler_mm)
    picture = np.full((height, width), 255, np.uint8)
    for part in (*_squares(drawn, left, top), line):
        _fill(picture, part, 1)
    return picture, drawn.measured(drawn.ruler_mm * (mm_per_px or 1.0))


def svg(page: Sheet) -> str:
    """The page as an SVG document whose lengths are millimetres."""
    path = "".join(f"M{r.x:g} {r.y:g}h{r.width:g}v{r.height:g}h{-r.width:g}z" for r in page.rectangles)
    words = "".join(
        f'<text x="{w.x:g}" y="{w.y:g}" font-family="{FONT}" font-size="{w.size:g}">{escape(w.text)}</text>\n'
        for w in page.words
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{page.width:g}mm" height="{page.height:g}mm"'
        f' viewBox="0 0 {page.width:g} {page.height:g}">\n<rect width="100%" height="100%" fill="white"/>\n'
        f'<path d="{path}" shape-rendering="crispEdges"/>\n{words}</svg>\n'
    )


def png(page: Sheet) -> bytes:
    """The page as a PNG file that knows its own scale."""
    picture = np.full((round(page.height * PX_PER_MM), round(page.width * PX_PER_MM)), 255, np.uint8)
    for part in page.rectangles:
        _fill(picture, part, PX_PER_MM)
    for line in page.words:
        place = (round(line.x * PX_PER_MM), round(line.y * PX_PER_MM))
        cv2.putText(picture, line.text, place, cv2.FONT_HERSHEY_SIMPLEX, line.size * 0.35, 0, 3, cv2.LINE_AA)
    return _with_scale(bytes(cv2.imencode(".png", picture)[1]), PX_PER_MM * 1000)


def pdf(page: Sheet) -> bytes:
    """The page as a PDF file: one page, its black squares as vectors, its words in a font every reader has."""
    mm = POINTS_PER_MM
    drawn = [
        f"{r.x * mm:.4f} {(page.height - r.y - r.height) * mm:.4f} {r.width * mm:.4f} {r.height * mm:.4f} re"
        for r in page.rectangles
    ]
    told = [
        f"BT /F {w.size * mm:.2f} Tf {w.x * mm:.3f} {(page.height - w.y) * mm:.3f} Td ({_quoted(w.text)}) Tj ET"
        for w in page.words
    ]
    content = "\n".join([*drawn, "f", *told]).encode("ascii")
    box = f"0 0 {page.width * mm:.4f} {page.height * mm:.4f}"
    objects = (
        # Readers that heed this offer no scaling in their print dialog.
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [{box}] /Contents 4 0 R"
        " /Resources << /Font << /F 5 0 R >> >> >>".encode("ascii"),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )
    return _pdf_file(objects)


def _squares(target: Target, left: float, top: float) -> Iterator[Rectangle]:
    """The black squares, and in each white one the black parts of its marker, numbered row by row."""
    side, number = target.square_mm, 0
    inset = (side - target.marker_mm) / 2
    for row in range(target.rows):
        for column in range(target.columns):
            x, y = left + column * side, top + row * side
            if (row + column) % 2 == 0:
                yield Rectangle(x, y, side, side)
            else:
                yield from _marker(number, x + inset, y + inset, target.marker_mm)
                number += 1


def _marker(number: int, left: float, top: float, side: float) -> Iterator[Rectangle]:
    """The black parts of a marker, joined along its rows so that no hairline shows between them."""
    step = side / MARKER_MODULES
    for row, black in enumerate(modules(number)):
        edges = np.flatnonzero(np.diff(np.concatenate([[False], black, [False]]).astype(np.int8)))
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            yield Rectangle(left + start * step, top + row * step, (end - start) * step, step)


def _ruler(left: float, top: float) -> tuple[list[Rectangle], list[Words]]:
    """A ruler of 200 mm, downwards, with a line a millimetre."""
    lengths = (6.0 if mm % 10 == 0 else 4.0 if mm % 5 == 0 else 2.5 for mm in range(201))
    ticks = [Rectangle(left, top + mm - 0.125, length, 0.25) for mm, length in enumerate(lengths)]
    labels = [Words(left + 7, top + mm + 1, str(mm), 2.6) for mm in range(0, 201, 20)]
    return [Rectangle(left - 0.25, top - 0.125, 0.25, 200.25), *ticks], labels


def _fill(picture: Image, part: Rectangle, scale: float) -> None:
    left, top = round(part.x * scale), round(part.y * scale)
    right, bottom = round((part.x + part.width) * scale), round((part.y + part.height) * scale)
    picture[top : max(bottom, top + 1), left : max(right, left + 1)] = 0


def _with_scale(data: bytes, px_per_metre: int) -> bytes:
    """A PNG file with its scale put in after its header, which is always 33 bytes long."""
    body = b"pHYs" + px_per_metre.to_bytes(4, "big") * 2 + b"\x01"
    chunk = (9).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")
    return data[:33] + chunk + data[33:]


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def _pdf_file(objects: tuple[bytes, ...]) -> bytes:
    """PDF objects, numbered from 1, with the table of where each begins."""
    data, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    end = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (count, len(data))
    return data + b"xref\n0 %d\n0000000000 65535 f \n" % count + table + end
