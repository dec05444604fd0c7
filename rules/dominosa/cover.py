"""Finding the solutions of a grid, two at most where only uniqueness matters: an exact cover."""

from __future__ import annotations

from dataclasses import dataclass

from rules.dominosa.places import Places
from rules.watch import Watch

DONE = 1 << 20


@dataclass(frozen=True)
class Covers:
    """What a search for solutions found: each solution as a mask of places.

    nodes: how often it had to choose. complete: whether it looked at everything, or found as many as were asked for.
    """

    solutions: tuple[int, ...]
    nodes: int
    complete: bool

    @property
    def unique(self) -> bool:
        """Whether there is one solution and no other."""
        return self.complete and len(self.solutions) == 1


def covers(places: Places, most: int = 2, open_: int | None = None, watch: Watch | None = None) -> Covers:
    """The first solutions that use only the open places (all of them where `open_` is None).

    The square or the domino with the fewest places left comes first; whatever has one place left is laid at once.
    """
    search = _Search(places, most, watch)
    alive = bytearray(b"\1") * len(places.items)
    counts = list(map(len, places.over))
    complete = _closed(places, open_, alive, counts) or search.runs(alive, counts)
    return Covers(tuple(search.found), search.nodes, complete)


def _closed(places: Places, open_: int | None, alive: bytearray, counts: list[int]) -> bool:
    """Takes the places away that are not open; whether that leaves an item without any."""
    if open_ is not None:
        for place, items in enumerate(places.items):
            if not open_ >> place & 1:
                alive[place] = 0
                for item in items:
                    counts[item] -= 1
    return 0 in counts


class _Search:
    """One search. counts: for each item how many live places cover it, DONE or a little less once it is covered."""

    def __init__(self, places: Places, most: int, watch: Watch | None) -> None:
        self.items, self.over = places.items, places.over
        self.most, self.watch = most, watch
        self.found: list[int] = []
        self.nodes = 0

    def runs(self, alive: bytearray, counts: list[int]) -> bool:
        """Looks at everything below a position, until it has enough; False where the watch ended it."""
        fewest = min(counts)
        if fewest > len(self.items):
            self.found.append(sum(1 << place for place, lives in enumerate(alive) if lives))
            return True
        self.nodes += 1
        if self.watch and not self.watch.goes_on(self.nodes, 0):
            return False
        for place in self.over[counts.index(fewest)]:
            if alive[place]:
                below, left = alive[:], counts[:]
                if self.lays(place, below, left) and not self.runs(below, left):
                    return False
                if len(self.found) >= self.most:
                    return True
        return True

    def lays(self, place: int, alive: bytearray, counts: list[int]) -> bool:
        """Lays a domino, and all that it forces; False where an item is left without a place."""
        items, over = self.items, self.over
        forced: list[int] = []
        for item in items[place]:
            for other in over[item]:
                if other != place and alive[other]:
                    alive[other] = 0
                    for touched in items[other]:
                        left = counts[touched] = counts[touched] - 1
                        if left < 2:
                            if not left:
                                return False
                            forced.append(touched)
            counts[item] = DONE
        return all(self.lays(self._only(item, alive), alive, counts) for item in forced if counts[item] == 1)

    def _only(self, item: int, alive: bytearray) -> int:
        return next(place for place in self.over[item] if alive[place])
