"""What was played before, so that a run that was stopped goes on where it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.log import PLAY, fingerprint, keep, kept
from pipsight.spread import spread

Told = dict[str, Any]


class Ledger:
    """One result a line of a file, by part and number; results of other rules, or other players, are passed over."""

    def __init__(self, path: Path | None) -> None:
        self._path, self._code = path, fingerprint(*PLAY)
        told = [one for one in kept(path) if one.get("code") == self._code]
        self._known: dict[tuple[str, int], Told] = {(one["part"], one["number"]): one["told"] for one in told}

    def results(
        self, part: str, numbers: Sequence[int], work: Callable[[int], Told], workers: int | None = None
    ) -> Iterator[Told]:
        """What the work on each number gives, in order; what is known already is not worked on again."""
        missing = [number for number in numbers if (part, number) not in self._known]
        computed = spread(work, missing, workers=workers)
        for number in numbers:
            told = self._known.get((part, number))
            if told is None:
                _, told = next(computed)
                keep(self._path, {"part": part, "number": number, "code": self._code, "told": told})
            yield told
