"""Teaching a set on the page: pictures taken by a button, questions with the tile's own picture, a test at the end."""

from __future__ import annotations

import time
from base64 import b64encode
from typing import TYPE_CHECKING

from pipsight.places import require_kept
from pipsight.sets import keep_set, set_file
from pipsight.standing import Standing
from pipsight.teaching import examine, teach
from pipsight.wizards.wizard import Stopped
from pipsight.wizards.wizard_asks import Answer, Enough, Lacking, Take
from pipsight.wizards.wizard_events import Finished, Guided, Question, Unseen
from rules.domino import Domino, DominoSet
from rules.words import count, listing, pair
from vision.lessons import numbered
from vision.picture import encode
from vision.reader import Reader
from vision.scene import Scene

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipsight.teaching import Pips
    from pipsight.teaching import Question as Asked
    from pipsight.wizards.wizard import Desk
    from pipsight.wizards.wizard_asks import SetWish
    from pipsight.wizards.wizard_events import May, State
    from vision.scene import TileDetection
    from vision.straighten import Image

MOST_PICTURES = 2
LOOK_S = 1.0  # so often it is counted what lies there
FIRST = "Lay the tiles face up, none on another, all of them or about half. Then take the picture."
SECOND = "Lay the other tiles, or all of them anew, and take the picture; or learn from what was taken."
TEST = "Lay some of its tiles anew for a test, and take the picture; or leave the test out."
UNSEEN = "These were on no picture. Which of them does your set lack?"
LEARNING = "Learning. This takes some seconds."
GOING_ON = "Going on with what you said."
READING = "Reading the fresh picture without and with what was learnt."


def learn_set(desk: Desk, camera: str, wish: SetWish) -> Finished:
    """Learn a set, keep it, and test it. Raises Stopped as long as nothing is kept, BadSetName, and UnusableOutput."""
    require_kept(set_file(wish.name))  # told before anybody lays tiles out, as is a name that cannot be
    asks, lesson = _Asks(desk, wish.highest), _Lesson(desk, camera, wish)
    taught = teach(lesson.pictures(), wish.name, wish.highest, asks, lesson.reader, wish.length_mm)
    desk.check()
    lines = [*taught.lines, *keep_set(taught.tiles)]
    try:
        fresh = lesson.fresh()
        if fresh is not None:
            lines.append(str(examine(fresh, taught.tiles, asks, lesson.reader)))
    except Stopped:
        lines.append("The test was left out.")
    return Finished(f"The set {wish.name} is known.", True, tuple(lines))


class _Lesson:
    """Shows what the camera sees with the tiles found on it, and gives the pictures that a person takes."""

    def __init__(self, desk: Desk, camera: str, wish: SetWish) -> None:
        self._desk, self._wish = desk, wish
        self._standing = Standing.of(camera)
        self._scene, self._next_s, self._taken = Scene((0, 0)), 0.0, 0
        self.reader = Reader()

    def pictures(self) -> Iterator[Image]:
        """One picture or two to learn from. Raises Stopped."""
        while self._taken < MOST_PICTURES:
            picture = self._picture(SECOND if self._taken else FIRST, ("take", "enough") if self._taken else ("take",))
            if picture is None:
                break
            self._taken += 1
            yield picture
        self._say(LEARNING, "thinking", 0.5)

    def fresh(self) -> Image | None:
        """A picture to be tested on, None where nobody wants a test. Raises Stopped."""
        picture = self._picture(TEST, ("take", "enough"), 0.8)
        self._say(READING, "thinking", 0.9)
        return picture

    def _picture(self, words: str, may: tuple[May, ...], share: float = 0.0) -> Image | None:
        self._begin_anew()
        for frame in self._desk.frames(held=True):
            image = self._standing.upright(frame).image
            self._look(image)
            self._say(words, "laying", share or 0.2 * self._taken, may if self._scene.tiles else may[1:])
            match self._desk.replied():
                case Take() if self._scene.tiles:
                    return image
                case Enough() if "enough" in may:
                    return None
        raise AssertionError("frames that are held do not end")

    def _begin_anew(self) -> None:
        """Forget what lies there until it is looked at once more: a second press takes no picture of the same."""
        self._scene, self._next_s = Scene((0, 0)), time.monotonic() + (LOOK_S if self._taken else 0.0)
        while self._desk.replied():
            pass

    def _look(self, image: Image) -> None:
        """Count what lies there, now and then, and show it."""
        now = time.monotonic()
        if now >= self._next_s:
            self._scene, self._next_s = self.reader.read(image), now + LOOK_S
        self._desk.show(numbered(image, self._scene.tiles))

    def _say(self, words: str, state: State, share: float, may: tuple[May, ...] = ()) -> None:
        whole = DominoSet(self._wish.highest)
        seen = f"{count(len(self._scene.tiles), 'tile')}; a {whole.name} set has {len(whole)}"
        figures = (("Pictures taken", str(self._taken)), ("Seen now", seen))
        warnings = self._scene.advice if state == "laying" else ()
        self._desk.tell(Guided(words, state, share, figures, warnings, may))


class _Asks:
    """Asks on the page."""

    def __init__(self, desk: Desk, highest: int) -> None:
        self._desk, self._highest = desk, highest

    def which(self, question: Asked) -> Pips | None:
        """Return the numbers of a tile, its head first; None if nobody knows."""
        self._desk.show(numbered(question.frame, [question.tile]))
        guesses = guesses_for(question.tile, self._highest)
        like = f" It looks like {listing([pair(*guess) for guess in guesses])}." if guesses else ""
        shown = "data:image/png;base64," + b64encode(encode(question.portrait, ".png")).decode()
        asked = Question(f"Which tile is this?{like}", question.number, shown, guesses, self._highest)
        self._desk.tell(asked)
        while True:
            match self._desk.answer():
                case Answer(None):
                    pips = None
                case Answer((head, tail)) if max(head, tail) <= self._highest:
                    pips = head, tail
                case _:
                    continue
            self._desk.tell(Guided(GOING_ON, "thinking", 0.6))
            return pips

    def lacking(self, dominoes: Sequence[Domino]) -> Sequence[Domino]:
        """Return those that the set really lacks."""
        self._desk.tell(Unseen(UNSEEN, tuple(map(str, dominoes))))
        while True:
            match self._desk.answer():
                case Lacking(lacks):
                    self._desk.tell(Guided(GOING_ON, "thinking", 0.7))
                    return tuple(domino for domino in dominoes if domino in lacks)


def guesses_for(tile: TileDetection, highest: int) -> tuple[Pips, ...]:
    """Say what a tile may be, each domino once and as it would lie there, its head first."""
    ways: dict[Domino, Pips] = {}
    for pips in (tile.pips, *tile.others):
        ways.setdefault(Domino.of(*pips), pips)
    return tuple(pips for domino, pips in ways.items() if domino.high <= highest)
