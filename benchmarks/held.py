"""Films as a table is followed in them: from a camera that may shake, and held as still as can be."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pipsight.standing import Standing
from training.shaking import shaken
from vision.camera import Frame


@dataclass(frozen=True)
class Take:
    """How films are taken: frames a second, and how far the camera trembles, in pixels.

    held: whether the frames are held still, as for any live table.
    """

    rate: float
    shakes_px: float = 0.0
    held: bool = True

    @classmethod
    def of(cls, args: Namespace) -> Take:
        """As the command line says."""
        return cls(args.rate, args.shakes, not args.unheld)

    def __str__(self) -> str:
        shaking = f" {self.shakes_px:g}" if self.shakes_px else ""
        return f"{self.rate:g}{shaking}{'' if self.held else ' unheld'}"

    def camera(self, seed: int) -> Held:
        """A camera that takes films so."""
        return Held(self, seed)


class Held:
    """The films of one camera, in their order."""

    def __init__(self, take: Take, seed: int) -> None:
        self._take, self._seed, self._standing = take, seed, Standing()

    def frames(self, film: Iterable[Frame]) -> Iterator[Frame]:
        """The frames of the next film."""
        self._seed += 1
        seen = shaken(film, self._take.shakes_px, self._seed) if self._take.shakes_px else film
        yield from map(self._standing.held, seen) if self._take.held else seen


def add_take(parser: ArgumentParser, rate: float) -> None:
    """Let a command line say how films are taken."""
    parser.add_argument("--rate", type=float, default=rate, help="frames a second")
    parser.add_argument("--shakes", type=float, default=0.0, help="how far the camera trembles, in pixels")
    parser.add_argument("--unheld", action="store_true", help="look at the frames as they come, not held still")
