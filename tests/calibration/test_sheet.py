"""The sheet: the same squares in every format, at true scale, as OpenCV's detector knows them."""

from __future__ import annotations

import re
import zlib

import cv2
import numpy as np
import pytest

from calibration.sheet import MARGIN_MM, PAPERS, PX_PER_MM, Sheet, pdf, png, screen, sheet, svg, tag_sheet
from calibration.sighting import find_sheet
from calibration.target import SHEET, TAG_NUMBERS, board

pytestmark = pytest.mark.needs("cv2")


def picture(page: Sheet) -> np.ndarray:
    return np.asarray(cv2.imdecode(np.frombuffer(png(page), np.uint8), cv2.IMREAD_GRAYSCALE))


@pytest.mark.parametrize("paper", PAPERS)
def test_the_squares_are_those_of_opencv_at_true_scale(paper: str) -> None:
    start, (across, down) = round(MARGIN_MM * PX_PER_MM), (round(s * PX_PER_MM) for s in SHEET.size_mm)
    drawn = picture(sheet(paper))[start : start + down, start : start + across]
    assert (drawn == board(SHEET).generateImage((across, down))).all()


def test_png_files_know_their_scale() -> None:
    data = png(sheet("a4"))
    at = data.index(b"pHYs")
    assert int.from_bytes(data[at + 4 : at + 8], "big") == 1000 * PX_PER_MM
    assert int.from_bytes(data[at + 13 : at + 17], "big") == zlib.crc32(data[at : at + 13])


def test_svg_and_pdf_hold_the_same_rectangles_at_true_scale() -> None:
    page = sheet("letter")
    drawn = svg(page)
    assert 'width="215.9mm" height="279.4mm" viewBox="0 0 215.9 279.4"' in drawn
    told = [tuple(map(float, r)) for r in re.findall(r"M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)h", drawn)]
    assert np.allclose(told, page.rectangles, atol=1e-3)
    content = pdf(page).decode("ascii")
    points = np.array(
        [list(map(float, r)) for r in re.findall(r"^([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re$", content, re.MULTILINE)]
    )
    millimetres = points * 25.4 / 72
    millimetres[:, 1] = page.height - millimetres[:, 1] - millimetres[:, 3]
    assert np.allclose(millimetres, page.rectangles, atol=1e-3)
    assert "/PrintScaling /None" in content


@pytest.mark.parametrize("page", [sheet("a4"), tag_sheet("letter")], ids=("sheet", "tags"))
def test_a_pdf_finds_each_of_its_objects(page: Sheet) -> None:
    data = pdf(page)
    table = int(data.split(b"startxref\n")[1].split()[0])
    assert data[table : table + 4] == b"xref"
    places = [int(line.split()[0]) for line in data[table:].splitlines()[3:8]]
    assert [data[place:].split()[0] for place in places] == [b"1", b"2", b"3", b"4", b"5"]
    length = int(data.split(b"/Length ")[1].split()[0])
    assert data.split(b"stream\n", 1)[1][length:].startswith(b"\nendstream")


def test_the_ruler_is_200_mm_long() -> None:
    page = sheet("a4")
    right_of_squares = [r for r in page.rectangles if r.x > MARGIN_MM + SHEET.size_mm[0]]
    ends = [r.y + r.height / 2 for r in right_of_squares if r.width == 6.0]
    assert max(ends) - min(ends) == pytest.approx(200.0) == pytest.approx(SHEET.ruler_mm)
    assert all(r.x + r.width < page.width - 4 and r.y + r.height < page.height - 4 for r in page.rectangles)


@pytest.mark.parametrize("size", [(1280, 800), (900, 1600)])
def test_a_screen_shows_the_same_sheet_whichever_way_it_is_held(size: tuple[int, int]) -> None:
    shown, target = screen(size, mm_per_px=0.2)
    assert shown.shape == (size[1], size[0])
    seen = find_sheet(shown, target)
    assert len(seen.numbers) == 48
    first, second = seen.corners_px[list(seen.numbers).index(0)], seen.corners_px[list(seen.numbers).index(1)]
    assert np.linalg.norm(first - second) * 0.2 == pytest.approx(target.square_mm, abs=0.05)


def test_a_screen_of_unknown_size_counts_in_pixels() -> None:
    assert screen((1280, 800))[1].square_mm == 75.0


def test_the_four_tags_are_found_on_their_sheet() -> None:
    small = cv2.resize(picture(tag_sheet("a4")), None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    tags = dict(find_sheet(np.asarray(small, np.uint8)).tags)
    assert sorted(tags) == list(TAG_NUMBERS)
    sides = [np.linalg.norm(corners[1] - corners[0]) for corners in tags.values()]
    assert np.allclose(sides, 40 * PX_PER_MM / 4, atol=0.6)
