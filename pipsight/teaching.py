"""Teaches a set: its tiles are found on one or two pictures, named by all that is known, learnt, and read again.

What one tile shows badly another shows well, and each domino is there once: nearly all name themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import accumulate
from statistics import median
from typing import TYPE_CHECKING, Protocol

import numpy as np
from scipy.optimize import linear_sum_assignment

from calibration.counting import counted
from calibration.learn_set import Known, learn
from calibration.tileset import TileSet
from rules.domino import Domino, DominoSet
from rules.words import count, listing, said_reading
from vision.assignment import assign
from vision.lessons import Shown
from vision.pips import NUMBERS
from vision.scene import Likelihoods, Scene, TileDetection
from vision.taught import each_once

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.reader import Reader
    from vision.straighten import Image

Pips = tuple[int, int]

ROUNDS = 7  # of naming and learning; they end as soon as nothing changes
BELIEVED = 0.5  # tiles named with less confidence teach nothing
SHOWN_AGAIN = 1.4  # so many times the set's tiles on all pictures: each picture shows the whole set
TOLD = 50.0  # what an answer counts against what was seen
AGREED, COUNTED = 3.0, 30.0  # what the networks' usual opinion of a number counts, and the pips counted on its picture
CLEAR = 4.0  # numbers told apart by less than this have to be asked for
CONFIRMED = -2.0  # and those of which less speaks for them than this
MOST_QUESTIONS = 12
BEYOND = 4  # so many tiles that surely show more than the set's highest number are no slips of the reading
UNKNOWN = (-1, -1)  # the numbers of a tile that nobody could tell: no reading of it counts as right


@dataclass(frozen=True, eq=False)
class Question:
    """A tile that could not be told.

    number: which question it is, from 1. picture: which of the pictures it is on. portrait: the tile straightened,
    (80, 160, 3), its head at the left. guesses: what it may be, the likeliest first.
    """

    number: int
    picture: int
    frame: Image
    tile: TileDetection
    portrait: Image
    guesses: tuple[Domino, ...]


class Asks(Protocol):
    """Whoever can be asked: a terminal, a page, a test."""

    def which(self, question: Question) -> Pips | None:
        """Return the numbers of a tile, its head first; None if nobody knows."""
        ...

    def lacking(self, dominoes: Sequence[Domino]) -> Sequence[Domino]:
        """Return those that the set really lacks, out of those that were seen on no picture."""
        ...


@dataclass(frozen=True, eq=False)
class Taught:
    """A set that was taught, its tiles picture by picture with their names, and how often somebody was asked.

    beyond: how many tiles surely showed more than the set's highest number, as long as nothing was known of it.
    untold: how many of the tiles that were asked for nobody could tell.
    """

    tiles: TileSet
    named: tuple[tuple[TileDetection, ...], ...]
    questions: int
    beyond: int = 0
    untold: int = 0

    @property
    def lines(self) -> Iterator[str]:
        """What there is to say of it, a sentence each."""
        fronts, whole = [t for tiles in self.named for t in tiles if t.face_up], DominoSet(self.tiles.highest)
        seen = {Domino.of(*tile.pips) for tile in fronts}
        yield f"{count(len(fronts), 'tile')} found; a {whole.name} set has {len(whole)}. Asked for: {self.questions}."
        if self.untold:
            yield f"Nobody told what {self.untold} of those are: they count as what they look like most."
        if self.beyond >= BEYOND:
            above = f"{count(self.beyond, 'tile')} seemed to show more than {self.tiles.highest} pips on a half"
            yield f"{above}: if it is a larger set, teach it again by its highest number."
        if unseen := [said_reading(str(d)) for d in whole if d not in seen and str(d) not in self.tiles.missing]:
            yield f"On no picture: {listing(unseen)}. Teach the set again with them, unless it lacks them."
        yield from roll_call(self.tiles)


def roll_call(tiles: TileSet) -> Iterator[str]:
    """What a taught set lacks or has twice, a sentence each."""
    yield from (f"Your set lacks {said_reading(domino)}." for domino in tiles.missing)
    yield from (f"Your set has {said_reading(domino)} twice." for domino in tiles.twice)


@dataclass(eq=False)
class _Lecture:
    """The pictures, and what is known by now."""

    shots: tuple[Shown, ...]
    known: Known
    answers: dict[tuple[int, object], Pips] = field(default_factory=dict)
    looks: dict[tuple[int, object], TileDetection] = field(default_factory=dict)
    tiles: TileSet | None = None
    named: list[tuple[TileDetection, ...]] = field(default_factory=list)
    unclear: frozenset[int] = frozenset()
    down: set[tuple[int, object]] = field(default_factory=set)
    beyond: int = 0
    untold: int = 0
    _again: bool = False

    def study(self) -> None:
        """Name and learn until nothing changes."""
        before = None
        for _ in range(ROUNDS):
            self._name()
            self._relabel()
            self._learn()
            now = [[(t.corners_px, t.pips) for t in tiles] for tiles in self.named]
            if now == before:
                break
            before = now

    def _name(self) -> None:
        taught = () if self.tiles is None else (self.tiles,)
        read = [shot.scene(taught) for shot in self.shots]
        if not taught:
            self.beyond = sum(_surely_beyond(tile, self.known.highest) for scene in read for tile in scene.tiles)
        scenes = [self._pinned(shot, scene) for shot, scene in zip(self.shots, read, strict=True)]
        counts = [len(scene.tiles) for scene in scenes]
        self._again = sum(counts) > SHOWN_AGAIN * len(DominoSet(self.known.highest))
        if self._again:
            self.named = [assign(scene, self.known.highest).tiles for scene in scenes]
            return
        told = assign(Scene((1, 1), tuple(t for s in scenes for t in s.tiles)), self.known.highest).tiles
        self.named = [told[end - n : end] for end, n in zip(accumulate(counts), counts, strict=True)]

    def _pinned(self, shot: Shown, scene: Scene) -> Scene:
        """What somebody said of a tile is not read again; what it looks like is kept apart."""
        tiles = []
        for tile in (_possible(tile, self.known.highest) for tile in scene.tiles):
            place = shot.number, tile.corners_px
            told = self.answers.get(place)
            if told is not None:
                self.looks[place] = tile
            tiles.append(tile if told is None else _surely(tile, told))
        return replace(scene, tiles=tuple(tiles))

    def _learn(self) -> TileSet:
        lessons = [shot.lesson(tile) for shot, tile in self._fronts() if tile.confidence >= BELIEVED]
        self.tiles = learn(lessons, self.known)
        return self.tiles

    def _fronts(self) -> Iterator[tuple[Shown, TileDetection]]:
        for shot, tiles in zip(self.shots, self.named, strict=True):
            yield from ((shot, tile) for tile in tiles if tile.face_up)

    def _relabel(self) -> None:
        """Tiles that look alike may all bear a wrong number: the usual opinion of all of them, and a count, decide."""
        votes = self._votes()
        _, meant = linear_sum_assignment(-votes)
        self.unclear = _unclear(votes, meant)
        self.named = [
            tuple(t if self._asked(shot, t) or not t.face_up else _renamed(t, meant) for t in tiles)
            for shot, tiles in zip(self.shots, self.named, strict=True)
        ]

    def _votes(self) -> NDArray[np.float64]:
        """(numbers, numbers): how much speaks for the halves that are called one number showing another."""
        count = self.known.highest + 1
        votes, halves = np.zeros((count, count)), np.zeros(count)
        said = np.zeros((count, count))
        for shot, tile in self._fronts():
            place = shot.number, tile.corners_px
            looks = self.looks[place] if place in self.answers else tile
            for half, (number, seen) in enumerate(zip(looks.pips, shot.unaided(tile), strict=True)):
                votes[number] += seen[:count]
                halves[number] += 1
                if place in self.answers and not looks.doubtful:  # else nobody knows which halves are like it
                    said[number, self.answers[place][half]] += TOLD
        votes = AGREED * votes / np.maximum(halves, 1)[:, None] + said
        for number, pips in (counted(self.tiles) if self.tiles else {}).items():
            if halves[number] and pips < count:
                votes[number, pips] += COUNTED
        return votes

    def ask(self, asks: Asks, number: int) -> bool:
        """Ask for the tile that would tell most; whether there was one to ask for."""
        doubtful = [(shot, t) for shot, t in self._fronts() if self._telling(t) > 0 and not self._asked(shot, t)]
        doubtful = doubtful or list(self._blanks())
        if not doubtful:
            return False
        shot, tile = max(doubtful, key=lambda one: self._telling(one[1]))
        answer, place = asks.which(_question(shot, tile, number)), (shot.number, tile.corners_px)
        if answer is None and not tile.face_up:
            self.down.add(place)
        else:
            self.answers[place] = tile.pips if answer is None else answer
            self.untold += answer is None
        return True

    def _blanks(self) -> Iterator[tuple[Shown, TileDetection]]:
        """The tiles that show nothing, as long as none is known to be the double blank: one of them may be it."""
        if not any(tile.pips == (0, 0) for _, tile in self._fronts()):
            for shot, tiles in zip(self.shots, self.named, strict=True):
                yield from ((shot, t) for t in tiles if not t.face_up and not self._asked(shot, t))

    def finished(self, asks: Asks) -> TileSet:
        """What was learnt, with what the set lacks, what it has twice, its tiles' shape and their backs."""
        names = Counter(Domino.of(*tile.pips) for _, tile in self._fronts())
        unseen = tuple(d for d in DominoSet(self.known.highest) if d not in names)
        lacking = asks.lacking(unseen) if unseen else ()
        twice = sorted({domino for one in self._layouts() for domino, often in one.items() if often > 1})
        backs = (shot.back_color(tiles) for shot, tiles in zip(self.shots, self.named, strict=True))
        self.known = replace(
            self.known,
            missing=tuple(map(str, lacking)),
            twice=tuple(map(str, twice)),
            back=next((color for color in backs if color), None),
            width=_width([tile for _, tile in self._fronts()]),
        )
        return self._learn()

    def _layouts(self) -> list[Counter[Domino]]:
        """How often each domino surely is there whenever tiles are laid out: on each picture, or on all together.

        No set has most of its dominoes twice: where two pictures share so many, the same tiles lie on both.
        """
        each = [Counter(Domino.of(*t.pips) for t in tiles if t.face_up and not t.doubtful) for tiles in self.named]
        shared = set.intersection(*map(set, each))
        same = len(each) > 1 and 2 * len(shared) > min(map(len, each))
        return each if self._again or same else [sum(each, Counter())]

    def _asked(self, shot: Shown, tile: TileDetection) -> bool:
        return (shot.number, tile.corners_px) in self.answers.keys() | self.down

    def _telling(self, tile: TileDetection) -> float:
        """How much would be won by knowing it."""
        return sum(half in self.unclear for half in tile.pips) + (1.5 - tile.confidence if tile.doubtful else 0.0)


def _unclear(votes: NDArray[np.float64], meant: NDArray[np.intp]) -> frozenset[int]:
    """The numbers that might as well change places with another one."""
    own = votes[np.arange(len(votes)), meant]
    swapped = votes[:, meant]
    loss = own[:, None] + own[None, :] - swapped - swapped.T
    np.fill_diagonal(loss, np.inf)
    return frozenset(int(meant[k]) for k in np.flatnonzero((loss.min(axis=1) < CLEAR) | (own < CONFIRMED)))


def _possible(tile: TileDetection, highest: int) -> TileDetection:
    """The tile as one of a set with no higher number."""
    if not tile.face_up or max(tile.pips) <= highest:
        return tile
    head, tail = (tuple(half[: highest + 1]) for half in tile.likelihoods)
    pips = int(np.argmax(head)), int(np.argmax(tail))
    confidence = min(tile.confidence, head[pips[0]] * tail[pips[1]])
    return replace(tile, pips=pips, confidence=confidence, likelihoods=(head, tail), doubtful=True)


def _surely_beyond(tile: TileDetection, highest: int) -> bool:
    """Whether a tile surely shows a number that no tile of the set has."""
    return tile.face_up and not tile.doubtful and max(tile.pips) > highest


def _renamed(tile: TileDetection, meant: NDArray[np.intp]) -> TileDetection:
    return replace(tile, pips=(int(meant[tile.pips[0]]), int(meant[tile.pips[1]])))


def _surely(tile: TileDetection, pips: Pips) -> TileDetection:
    likelihoods: Likelihoods = tuple(tuple(float(k == n) for k in range(NUMBERS)) for n in pips)  # type: ignore[assignment]
    return replace(tile, pips=pips, confidence=1.0, doubtful=False, face_up=True, likelihoods=likelihoods, why="")


def teach(
    pictures: Iterable[Image], name: str, highest: int, asks: Asks, reader: Reader, length_mm: float | None = None
) -> Taught:
    """Learn a set from one or two BGR pictures of its tiles, in any order, all of the set on each or on all together.

    length_mm: of a tile, if somebody measured it. UnsuitableCalibration where no tile is found.
    """
    shots = tuple(Shown(reader, picture, number) for number, picture in enumerate(pictures))
    lecture = _Lecture(shots, Known(name, highest, datetime.now(UTC).replace(microsecond=0), length_mm))
    lecture.study()
    questions = 0
    while questions < MOST_QUESTIONS and lecture.ask(asks, questions + 1):
        questions += 1
        lecture.study()
    return Taught(lecture.finished(asks), tuple(lecture.named), questions, lecture.beyond, lecture.untold)


def _width(tiles: Sequence[TileDetection]) -> float:
    """The usual width of a tile in lengths, as the camera sees it."""
    corners = [[np.array(corner) for corner in tile.corners_px] for tile in tiles]
    shares = [
        float((np.linalg.norm(b - a) + np.linalg.norm(d - c)) / (np.linalg.norm(c - b) + np.linalg.norm(d - a)))
        for a, b, c, d in corners
    ]
    return round(min(max(median(shares), 0.2), 1.0), 3)


@dataclass(frozen=True)
class Examination:
    """A fresh picture read without and with what was taught, beside what its tiles really are.

    untold: how many tiles nobody could tell; no reading of those counts as right.
    """

    tiles: int
    right_before: int
    right_after: int
    doubtful_before: int
    doubtful_after: int
    untold: int = 0

    def __str__(self) -> str:
        before = f"{self.right_before} of {self.tiles} right, {self.doubtful_before} doubtful"
        after = f"{self.right_after} of {self.tiles} right, {self.doubtful_after} doubtful"
        untold = f" Nobody told what {self.untold} of them are: those count as right neither time." * bool(self.untold)
        return f"On the fresh picture, before: {before}; after: {after}.{untold}"


def examine(picture: Image, tiles: TileSet, asks: Asks, reader: Reader) -> Examination:
    """Read a fresh picture of a taught set, each domino there once; what is doubtful or disputed is asked for.

    Disputed is what was surely another number before: nobody but a person knows which of the two is wrong.
    """
    shot = Shown(reader, picture, 0)
    before, after = shot.scene(()), each_once(shot.scene((tiles,)), (tiles,))
    fronts = [tile for tile in after.tiles if tile.face_up]
    true = {tile.corners_px: tile.pips for tile in fronts}
    surely = {tile.corners_px: tile.pips for tile in before.tiles if tile.face_up and not tile.doubtful}
    unsettled = [t for t in fronts if t.doubtful or surely.get(t.corners_px, t.pips) != t.pips]
    for number, tile in enumerate(unsettled, 1):
        told = asks.which(_question(shot, tile, number)) if number <= MOST_QUESTIONS else None
        true[tile.corners_px] = told or UNKNOWN
    return Examination(
        len(true),
        sum(true.get(tile.corners_px) == tile.pips for tile in before.tiles if tile.face_up),
        sum(true[tile.corners_px] == tile.pips for tile in fronts),
        sum(tile.doubtful for tile in before.tiles),
        sum(tile.doubtful for tile in fronts),
        sum(pips == UNKNOWN for pips in true.values()),
    )


def _question(shot: Shown, tile: TileDetection, number: int) -> Question:
    guesses = dict.fromkeys(Domino.of(*pips) for pips in (tile.pips, *tile.others))
    return Question(number, shot.number, shot.frame, tile, shot.portrait(tile), tuple(guesses))
