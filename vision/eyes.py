"""The networks that read a table, together."""

from __future__ import annotations

from vision.detector import Detector
from vision.dice import DieReader
from vision.pips import PipReader


class Eyes:
    """What finds tiles and pieces, what reads tiles, and what reads dice."""

    def __init__(self) -> None:
        self.detector, self.pips, self.dice = Detector(), PipReader(), DieReader()
