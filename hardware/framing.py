"""Frames: how bytes on a wire that cuts, garbles and repeats become whole messages again, or nothing.

A frame is a header, a payload and a checksum, stuffed so that zeros stand only before and after it (consistent overhead
byte stuffing, Cheshire and Baker 1997): whatever was lost before a zero, what comes after it is whole. The checksum
is the CRC-32 of Ethernet and zip; with 16 bits, one of 65,536 damaged frames would pass for whole.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from zlib import crc32

HEADER = struct.Struct("<BHB")  # kind, sequence, length of the payload
CHECKSUM = struct.Struct("<I")
MOST_PAYLOAD = 240
_LONGEST = HEADER.size + MOST_PAYLOAD + CHECKSUM.size + 2  # stuffed


@dataclass(frozen=True)
class Frame:
    """One whole frame: the kind of its message, its number (0 to 65,535) and the message's own bytes."""

    kind: int
    sequence: int
    payload: bytes = b""

    def wire(self) -> bytes:
        """The bytes that stand for it on the wire, from zero to zero."""
        body = HEADER.pack(self.kind, self.sequence, len(self.payload)) + self.payload
        return b"\0" + stuffed(body + CHECKSUM.pack(crc32(body))) + b"\0"


class Splitter:
    """Frames out of a stream of bytes that comes in pieces; what is no whole frame is dropped."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, data: bytes) -> list[Frame]:
        """The frames that end within this piece of the stream."""
        *ended, rest = (self._rest + data).split(b"\0")
        self._rest = rest[-2 * _LONGEST :]
        return [frame for one in ended if (frame := parsed(bytes(one)))]


def parsed(stuffing: bytes) -> Frame | None:
    """The frame in the bytes between two zeros; None unless they are exactly one whole frame."""
    body = unstuffed(stuffing) if len(stuffing) <= _LONGEST else None
    if body is None or len(body) < HEADER.size + CHECKSUM.size:
        return None
    kind, sequence, length = HEADER.unpack_from(body)
    whole = len(body) == HEADER.size + length + CHECKSUM.size and length <= MOST_PAYLOAD
    if not whole or CHECKSUM.unpack(body[-CHECKSUM.size :])[0] != crc32(body[: -CHECKSUM.size]):
        return None
    return Frame(kind, sequence, body[HEADER.size : -CHECKSUM.size])


def stuffed(body: bytes) -> bytes:
    """The bytes without any zero: each run up to a zero is led by its length plus one. For runs shorter than 254."""
    return b"".join(bytes([len(run) + 1]) + run for run in body.split(b"\0"))


def unstuffed(stuffing: bytes) -> bytes | None:
    """What was stuffed; None where the lengths do not add up."""
    runs, at = [], 0
    while at < len(stuffing):
        code = stuffing[at]
        run = stuffing[at + 1 : at + code]
        if code == 0 or len(run) != code - 1:
            return None
        runs.append(run)
        at += code
    return b"\0".join(runs)
