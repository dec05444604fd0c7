"""How finely the part of a table is looked at in which something new may lie."""

from __future__ import annotations

import numpy as np
import pytest

from vision.following.newcomers import Newcomers
from vision.pips import PipReader
from vision.straighten import Image
from vision.taught import TaughtSets

pytestmark = pytest.mark.needs("cv2")


@pytest.mark.parametrize(("kinds", "length_px", "finest"), [((), 112.0, 262), (("die",), 112.0, 524), ((), 0.0, 600)])
def test_an_empty_part_is_looked_at_as_finely_as_tiles_and_pieces_there_need(
    monkeypatch: pytest.MonkeyPatch, kinds: tuple[str, ...], length_px: float, finest: int
) -> None:
    """Twice as fine a look costs the time of several frames, and tiles of a known length are not tiny."""
    newcomers, sides = Newcomers(PipReader()), list[int]()
    newcomers.expect(kinds)
    maps = newcomers._detector.maps

    def noted(picture: Image) -> object:
        sides.append(max(picture.shape[:2]))
        return maps(picture)

    monkeypatch.setattr(newcomers._detector, "maps", noted)
    cloth = np.random.default_rng(1).integers(100, 112, (720, 1280, 3)).astype(np.uint8)
    newcomers.find(cloth, (400, 200, 700, 500), [], length_px, TaughtSets(()))
    assert max(sides) == finest
