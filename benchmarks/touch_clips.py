"""Real clips of hands over a table, and whether the referee's eyes name the first touch of each piece.

FOLDER/labels.json says what happens in them; frames count from 0, places are four corners in pixels, going round:

    {"clips": [{"file": "play.avi",
                "places": {"e2": [[414, 146], [460, 146], [460, 191], [414, 191]]},
                "parts": [{"still": 27, "to": 60, "without": ["h5"],
                           "touches": [{"frame": 33, "side": "right", "place": "e2", "tolerance": 3}]}]}]}

A clip is watched part by part, for what was moved lies elsewhere afterwards. still: the frame of a part in which no
hand is seen; the eyes watch the frames after it up to `to`. without: places that are not watched in this part. side:
the half of the picture from which the arm comes. A part without touches is quiet: nothing may be named in it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.clip_changes import CHANGES, Change
from vision.camera import Frame, open_camera
from vision.hands.touch import TouchWatch
from vision.hands.touches import Contact
from vision.scene import Point

TOLERANCE = 3  # frames


@dataclass(frozen=True)
class Touched:
    """A first touch as somebody saw it in a clip."""

    frame: int
    side: str
    place: str
    tolerance: int = TOLERANCE


@dataclass(frozen=True)
class Part:
    """Some frames of a clip: the still one before them, what is touched, and which places are watched."""

    still: int
    to: int
    touches: tuple[Touched, ...]
    places: dict[str, tuple[Point, ...]]


@dataclass(frozen=True)
class Clip:
    """A clip's name, its frames, and its parts."""

    name: str
    frames: list[Frame]
    parts: tuple[Part, ...]

    def seen(self, change: Change) -> Clip:
        """The same, seen otherwise."""
        rng, (height, width) = np.random.default_rng(0), self.frames[0].image.shape[:2]
        frames = [replace(frame, image=change.picture(frame.image, rng)) for frame in self.frames]

        def moved(part: Part) -> Part:
            quads = part.places.items()
            places = {name: tuple(change.point(at, (width, height)) for at in quad) for name, quad in quads}
            touches = tuple(replace(touch, side=change.side(touch.side)) for touch in part.touches)
            return replace(part, places=places, touches=touches)

        return Clip(self.name, frames, tuple(map(moved, self.parts)))


@dataclass(frozen=True)
class Count:
    """First touches, those that were named within their tolerance by the right hand, and what was named besides."""

    made: int = 0
    named: int = 0
    elsewhere: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(self.made + other.made, self.named + other.named, self.elsewhere + other.elsewhere)

    def __str__(self) -> str:
        return f"{self.named} of {self.made}; elsewhere: {self.elsewhere}"


def clip_lines(folder: Path) -> Iterator[str]:
    """What was named in each part of each clip, and the count of all."""
    whole = Count()
    for clip in _clips(folder):
        for lines, count in _watched(clip):
            yield from lines
            whole += count
    yield f"first touches named within their tolerance, by the right hand: {whole}"


def changed_lines(folder: Path) -> Iterator[str]:
    """The counts of the clips seen otherwise, and of all of these together."""
    whole = Count()
    yield "first touches named within their tolerance, by the right hand"
    for change in CHANGES:
        count = sum((one for clip in _clips(folder) for _, one in _watched(clip.seen(change))), Count())
        yield f"  {change.name:20} {count}"
        whole += count
    yield f"  {'all of these':20} {whole}"


def _watched(clip: Clip) -> Iterator[tuple[list[str], Count]]:
    """What is named in each part of a clip: in words, and counted."""
    for part in clip.parts:
        names, contacts, named = list(part.places), list(contacts_of(clip.frames, part)), 0
        lines = [f"{clip.name} frames {part.still + 1} to {part.to}"]
        for touch in part.touches:
            found, words = judged(touch, contacts, clip.frames, names)
            lines.append(f"  {words}")
            if found is not None:
                contacts.remove(found)
                named += 1
        lines += [f"  elsewhere: {_words(one, clip.frames, names)}" for one in contacts]
        yield lines, Count(len(part.touches), named, len(contacts))


def contacts_of(frames: list[Frame], part: Part) -> tuple[Contact, ...]:
    """What the eyes name in a part of a clip."""
    watch = TouchWatch(frames[part.still].image, list(part.places.values()))
    return tuple(contact for frame in frames[part.still + 1 : part.to + 1] for contact in watch.see(frame))


def judged(
    touch: Touched, contacts: list[Contact], frames: list[Frame], names: list[str]
) -> tuple[Contact | None, str]:
    """The contact that names a touch, if one does, and the whole in words."""
    true_s = frames[touch.frame].time_s
    mine = [one for one in contacts if names[one.place] == touch.place]
    best = min(mine, key=lambda one: abs(one.time_s - true_s), default=None)
    whole = f"{touch.place} by the {touch.side} hand at frame {touch.frame}"
    if best is None:
        return None, f"{whole}: missed"
    period = frames[1].time_s - frames[0].time_s
    late = (best.time_s - true_s) / period
    right = abs(late) <= touch.tolerance and from_side(best, touch.side, frames[0])
    return (
        best if right else None,
        f"{whole}: {'named' if right else 'NOT named'}, {late:+.1f} frames, {_entry(best, frames)}",
    )


def from_side(contact: Contact, side: str, frame: Frame) -> bool:
    """Whether an arm comes from this half of the picture."""
    height, width = frame.image.shape[:2]
    x, y = contact.entry_px
    half = {"left": x < width / 2, "right": x > width / 2, "top": y < height / 2, "bottom": y > height / 2}
    return bool(half[side])


def _entry(contact: Contact, frames: list[Frame]) -> str:
    side = "right" if from_side(contact, "right", frames[0]) else "left"
    return f"from the {side} at ({contact.entry_px[0]:.0f}, {contact.entry_px[1]:.0f})"


def _words(contact: Contact, frames: list[Frame], names: list[str]) -> str:
    frame = contact.time_s / (frames[1].time_s - frames[0].time_s)
    return f"{names[contact.place]} at frame {frame:.1f}, {_entry(contact, frames)}"


def _clips(folder: Path) -> Iterator[Clip]:
    for clip in json.loads((folder / "labels.json").read_text(encoding="utf-8"))["clips"]:
        with open_camera(str(folder / clip["file"])) as camera:
            frames = list(camera)
        yield Clip(clip["file"], frames, tuple(_parts(clip, len(frames))))


def _parts(clip: dict[str, Any], count: int) -> Iterator[Part]:
    places = {name: tuple((float(x), float(y)) for x, y in quad) for name, quad in clip["places"].items()}
    for part in clip["parts"]:
        watched = {name: quad for name, quad in places.items() if name not in part.get("without", ())}
        touches = tuple(Touched(**touch) for touch in part.get("touches", ()))
        yield Part(part["still"], min(part.get("to", count - 1), count - 1), touches, watched)
