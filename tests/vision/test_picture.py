"""Picture files: which are read, how they come out, and what is said of the others."""

from __future__ import annotations

import contextlib
import struct
import zlib
from io import BytesIO
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.headers import BadHeader, orientation, read_header
from vision.picture import BACKDROP, PictureError, encode, load, pictures_in

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

pytestmark = pytest.mark.needs("cv2")

EXIF_HEAD = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0"


def patches(channels: int = 3) -> NDArray[np.uint8]:
    """A picture of 70 x 50 flat patches that tell every turn and flip from every other, (50, 70, channels)."""
    rng = np.random.default_rng(7)
    small = rng.integers(0, 255, (5, 7, channels), endpoint=True, dtype=np.uint8)
    small[..., 3:] = np.where(small[..., 3:] > 127, 255, 0)
    return np.repeat(np.repeat(small, 10, axis=0), 10, axis=1)


def png_of_size(width: int, height: int) -> bytes:
    """A PNG that claims a size without holding the pixels for it."""

    def part(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    pixels = part(b"IDAT", zlib.compress(b"\0" * 99))
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", header) + pixels + part(b"IEND", b"")


def held(exif: int) -> NDArray[np.uint8]:
    return np.array(list(EXIF_HEAD + bytes([exif]) + bytes(6)), np.uint8)


@pytest.mark.parametrize("suffix", [".png", ".bmp", ".tif", ".tiff"])
def test_a_picture_comes_out_as_it_went_in(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"picture{suffix}"
    path.write_bytes(encode(patches(), suffix))
    assert np.array_equal(load(path), patches())


@pytest.mark.parametrize("suffix", [".jpg", ".jpeg", ".webp"])
def test_a_lossy_picture_comes_out_almost_as_it_went_in(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"picture{suffix}"
    path.write_bytes(encode(patches(), suffix))
    assert np.abs(load(path).astype(int) - patches()).mean() < 12


def test_a_name_says_nothing_about_the_format(tmp_path: Path) -> None:
    path = tmp_path / "picture.jpg"
    path.write_bytes(encode(patches(), ".png"))
    assert np.array_equal(load(path), patches())


def test_a_grey_picture_becomes_a_colour_picture(tmp_path: Path) -> None:
    path = tmp_path / "grey.png"
    path.write_bytes(encode(patches(1), ".png"))
    assert np.array_equal(load(path), np.repeat(patches(1), 3, axis=2))


@pytest.mark.parametrize("suffix", [".png", ".tiff"])
def test_sixteen_bits_become_eight(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"deep{suffix}"
    path.write_bytes(cv2.imencode(suffix, patches().astype(np.uint16) * 257)[1].tobytes())
    assert np.array_equal(load(path), patches())


def test_twelve_bits_in_sixteen_are_not_taken_for_darkness(tmp_path: Path) -> None:
    path = tmp_path / "deep.png"
    path.write_bytes(cv2.imencode(".png", patches().astype(np.uint16) * 16)[1].tobytes())
    assert np.abs(load(path).astype(int) - patches()).max() <= 1


def test_see_through_places_show_grey(tmp_path: Path) -> None:
    path, picture = tmp_path / "cutout.png", patches(4)
    path.write_bytes(cv2.imencode(".png", picture)[1].tobytes())
    seen, opaque = load(path), picture[..., 3] == 255
    assert np.array_equal(seen[opaque], picture[opaque][:, :3])
    assert (seen[~opaque] == BACKDROP).all()


@pytest.mark.parametrize("channels", [3, 4])
@pytest.mark.parametrize("suffix", [".png", ".webp"])
@pytest.mark.parametrize("exif", range(1, 9))
def test_a_picture_is_turned_as_the_camera_was_held(tmp_path: Path, exif: int, suffix: str, channels: int) -> None:
    path, picture = tmp_path / f"held{suffix}", patches(channels)
    lossless = [cv2.IMWRITE_WEBP_QUALITY, 101]
    done, data = cv2.imencodeWithMetadata(suffix, picture, [cv2.IMAGE_METADATA_EXIF], [held(exif)], lossless)
    assert done
    path.write_bytes(data.tobytes())
    plain = tmp_path / "plain.png"
    plain.write_bytes(cv2.imencode(".png", picture)[1].tobytes())
    seen, upright = load(path), load(plain)
    sides = [upright, upright.transpose(1, 0, 2)]
    flips = [slice(None), slice(None, None, -1)]
    turned = [side[rows, columns] for side in sides for rows in flips for columns in flips]
    assert np.array_equal(seen, turned[[0, 1, 3, 2, 4, 5, 7, 6][exif - 1]])


def test_an_unreadable_exif_block_means_upright() -> None:
    assert [orientation(block) for block in (b"", b"MM\0*", EXIF_HEAD, EXIF_HEAD + b"\x09")] == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "is empty"),
        (b"two rows of dominoes\n" * 9, "is not a picture; pictures in JPEG, PNG, WebP, BMP and TIFF are read"),
        (b"\0\0\0\x18ftypheic\0\0\0\0" + b"x" * 99, "is a HEIC picture; pictures in JPEG, PNG, WebP, BMP and"),
        (b"\0\0\0\x18ftypavif\0\0\0\0" + b"x" * 99, "is an AVIF picture"),
        (b"GIF89a" + b"x" * 99, "is a GIF picture"),
        (b"%PDF-1.7" + b"x" * 99, "is a PDF document"),
        (png_of_size(1, 1), "has only 1 x 1 pixels: too small to show a domino"),
        (png_of_size(30_000, 30_000), "has 30000 x 30000 pixels: at most 120 million can be read, so scale it down"),
        (png_of_size(100, 100), "is damaged or cut off"),
        (b"\xff\xd8\xff\xd9", "is damaged"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "is cut off"),
        (b"BM", "is cut off"),
        (b"II*\0\x08\0\0\0", "is cut off"),
    ],
)
def test_what_cannot_be_read_is_said(tmp_path: Path, data: bytes, told: str) -> None:
    path = tmp_path / "table.jpg"
    path.write_bytes(data)
    with pytest.raises(PictureError) as trouble:
        load(path)
    assert str(trouble.value).startswith(f"{path} {told}")


def test_what_is_no_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match=r"nowhere\.jpg does not exist"):
        load(tmp_path / "nowhere.jpg")
    with pytest.raises(PictureError, match="is a folder, not a picture"):
        load(tmp_path)


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp", ".bmp", ".tiff"])
@pytest.mark.parametrize("share", [0.02, 0.3, 0.7, 0.99])
def test_a_picture_that_was_cut_off_is_refused(tmp_path: Path, suffix: str, share: float) -> None:
    noise = np.random.default_rng(3).integers(0, 255, (120, 160, 3), dtype=np.uint8)
    data = encode(noise, suffix)
    path = tmp_path / f"cut{suffix}"
    path.write_bytes(data[: round(len(data) * share)])
    with pytest.raises(PictureError, match=r"is damaged|is cut off"):
        load(path)


def test_a_png_with_a_spoilt_middle_is_refused(tmp_path: Path) -> None:
    data = bytearray(encode(patches(), ".png"))
    data[len(data) // 2] ^= 0xFF
    (tmp_path / "spoilt.png").write_bytes(data)
    with pytest.raises(PictureError, match="is damaged or cut off"):
        load(tmp_path / "spoilt.png")


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp", ".bmp", ".tiff"])
@given(width=st.integers(1, 300), height=st.integers(1, 300))
def test_the_size_is_known_before_anything_is_decoded(suffix: str, width: int, height: int) -> None:
    data = encode(np.zeros((height, width, 3), np.uint8), suffix)
    header = read_header(BytesIO(data))
    assert (header.width, header.height) == (width, height)


@given(
    st.sampled_from([b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"BM", b"II*\0", b"MM\0*"]), st.binary(max_size=200)
)
def test_whatever_bytes_come_the_header_is_read_or_refused(start: bytes, rest: bytes) -> None:
    with contextlib.suppress(BadHeader):
        header = read_header(BytesIO(start + rest))
        assert min(header.width, header.height) >= 0


def test_a_folder_gives_its_pictures_by_name_and_does_not_hide_a_phones(tmp_path: Path) -> None:
    for name in ("b.JPG", "a.png", "c.heic", "notes.txt", ".hidden.jpg"):
        (tmp_path / name).touch()
    assert [path.name for path in pictures_in(tmp_path)] == ["a.png", "b.JPG", "c.heic"]


def test_a_picture_is_written_only_in_a_known_format() -> None:
    with pytest.raises(PictureError, match=r"\.gif"):
        encode(patches(), ".gif")
