"""Films as a table is followed in them: from a camera that may shake, and held as still as can be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pipsight.standing import Standing
from training.shaking import shaken
from vision.camera import Frame


class Held:
    """The films of one camera, in their order; shakes_px: how far it trembles."""

    def __init__(self, shakes_px: float = 0.0, seed: int = 0) -> None:
        self._standing, self._shakes_px, self._seed = Standing(), shakes_px, seed

    def frames(self, film: Iterable[Frame]) -> Iterator[Frame]:
        """The frames of the next film."""
        self._seed += 1
        yield from map(self._standing.held, shaken(film, self._shakes_px, self._seed) if self._shakes_px else film)
