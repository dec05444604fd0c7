"""The wizards that calibrate a camera: frames go in, a step comes out that says what to do next, until it is done.

Nothing is pressed: a picture is taken when the sheet is still and sharp and tells something new.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from calibration.certainty import TableError, information, inverse, known_before
from calibration.flatness import sag
from calibration.lens import Image, Lens, Points, Size
from calibration.lens_fit import FEWEST_VIEWS, LensFit, fit_lens
from calibration.overlay import Coverage, draw_guide
from calibration.poses import after_view, wanted_pose
from calibration.sighting import Sighting, find_sheet, mirrored, turned_back
from calibration.target import SHEET
from calibration.views import Pose, View, pose_of, solid
from rules.words import count

if TYPE_CHECKING:
    from vision.camera import Frame

State = Literal["showing", "holding", "taken", "done", "failed"]

STILL_PX_S = 25.0  # of the sheet at 1280 pixels: slower is still, as far as hands are
STILL_FRAMES = 2
SHARP = 1.6  # times the sharpest edges so far, and
SHARP_PX = 1.3  # pixels: wider edges are out of focus
WORTH = 0.35  # of what the best view would bring: a view that brings less is not taken
GOAL_MM = 0.35  # what the lens may add to the error on the table, 95 of 100 points
ENOUGH_VIEWS, MOST_VIEWS = 8, 14
ENOUGH_COVERAGE = 0.8
PATIENCE_S = 2.5  # after so long without a picture any view that helps at all is taken,
GIVEN_UP_S = 5.0  # and after so long another pose is asked for
PASSED = 7  # so many of the best poses are passed over then: the next ones are much alike
MIRROR_EVERY = 6  # frames without a sheet: whether it shows mirrored is looked up now and then
GUESSED_FOCAL = 0.8  # of the picture's width: an ordinary webcam
GUESSED_RMS_PX = 0.3

NO_SHEET = "Hold the sheet before the camera."
FILL = "Bring the sheet into the outline, the dot at its first corner, and hold it still."
BLURRED = "The sheet is out of focus: a little farther away, or more light."
BENT = "The sheet is bent by {:.0f} mm: tape it to a stiff board. The pictures so far are forgotten."
RESIZED = "The pictures changed from {}x{} to {}x{}: those taken so far are forgotten. Leave the camera as it is."
MIRRORED = "This camera shows left as right; its frames are turned back from now on."
MIRRORED_NO_MORE = "This camera shows left as right no more; its frames stay as they are from now on."


@dataclass(frozen=True, eq=False)
class Step:
    """What a wizard says after a frame.

    outline_px: where the sheet is wanted, (4, 2). coverage: the share of the picture the sheet has been in.
    rms_px: by how much corners are missed. error_mm: what the lens may still add to errors on the table.
    frame: the frame as it is used, turned back where the camera mirrors.
    """

    state: State
    words: str
    frame: Image
    views: int = 0
    coverage: float = 0.0
    rms_px: float = 0.0
    error_mm: float = float("inf")
    outline_px: Points | None = None
    sighting: Sighting | None = None
    warnings: tuple[str, ...] = ()

    @property
    def over(self) -> bool:
        """Whether the wizard has come to its end."""
        return self.state in ("done", "failed")


class Stillness:
    """Whether the sheet was held still over the last frames."""

    def __init__(self) -> None:
        self._last: tuple[Sighting, float] | None = None
        self._count = 0

    def see(self, sighting: Sighting, time_s: float) -> bool:
        """Take note of a frame's sighting; whether the sheet has been still."""
        last, self._last = self._last, (sighting, time_s)
        if last is None or not sighting.found:
            self._count = 0
            return False
        most = STILL_PX_S * max(sighting.size_px[0], 640) / 1280 * max(time_s - last[1], 1e-3)
        self._count = self._count + 1 if sighting.moved_px(last[0]) < max(most, 0.5) else 0
        return self._count >= STILL_FRAMES


class Guide(ABC):
    """Looks at frames one after the other, and says after each what to do next, until it is done.

    mirrored: whether the camera shows left as right.
    """

    mirrored: bool = False

    def steps(self, frames: Iterable[Frame]) -> Iterator[Step]:
        """A step for each frame, until the guide is over or the frames end."""
        for frame in frames:
            step = self.see(frame)
            yield step
            if step.over:
                return
        if last := self.ended():
            yield last

    @abstractmethod
    def see(self, frame: Frame) -> Step:
        """Look at one frame and say what to do next."""

    def ended(self) -> Step | None:
        """What the frames seen so far give, though no more will come; None where they are too few."""
        return None

    @abstractmethod
    def drawn(self, step: Step, *, written: bool = True) -> Image:
        """The step's frame with what is wanted and what was found; written: with the words of the step too."""

    def _upright(self, frame: Frame) -> Image:
        return turned_back(frame.image) if self.mirrored else frame.image

    def _turns(self, image: Image) -> str:
        """What to say of a frame that shows left as right, which the next ones will not; "" where it does not."""
        if not mirrored(image, SHEET):
            return ""
        self.mirrored = not self.mirrored
        return MIRRORED if self.mirrored else MIRRORED_NO_MORE


class LensGuide(Guide):
    """Asks for looks at the sheet, each where the lens is least certain, until the table's error would be small."""

    def __init__(self) -> None:
        self._still = Stillness()
        self._sharpest = float("inf")
        self._taken_s = self._asked_s = self._now_s = 0.0
        self._frames = 0
        self.warnings: list[str] = []
        self._begin(None)

    def _begin(self, size_px: Size | None) -> None:
        """Forget all views."""
        self.views: list[View] = []
        self.fit = LensFit(None)
        self._size = size_px
        if size_px:
            self.coverage = Coverage(size_px)
            self._learn(_guess(size_px), (), ())

    @property
    def lens(self) -> Lens | None:
        """The lens as it is known so far."""
        return self.fit.lens

    def see(self, frame: Frame) -> Step:
        """Look at one frame and say what to do next."""
        image = self._upright(frame)
        size = (image.shape[1], image.shape[0])
        if size != self._size:
            forgotten = RESIZED.format(*self._size, *size) if self._size and self.views else ""
            self._taken_s = self._now_s = frame.time_s
            self._begin(size)
            if forgotten:
                return self._step("showing", forgotten, image)
        self._now_s, self._frames, self._image = frame.time_s, self._frames + 1, image
        if frame.time_s - self._asked_s > GIVEN_UP_S:
            self._ask(self._passed + PASSED)
        sighting = find_sheet(image, SHEET)
        still = self._still.see(sighting, frame.time_s)
        if not sighting.found:
            return self._step("showing", sighting.fault or self._missing(image), image, sighting)
        self._sharpest = min(self._sharpest, sighting.blur_px)
        if not still:
            return self._step("showing", FILL, image, sighting)
        if sighting.blur_px > max(SHARP * self._sharpest, SHARP_PX):
            return self._step("holding", BLURRED, image, sighting)
        if not self._worth_taking(sighting):
            return self._step("showing", FILL, image, sighting)
        return self._take(sighting, image)

    def _missing(self, image: Image) -> str:
        """What to say where no sheet shows; now and then whether it shows in a mirror."""
        if not self.mirrored and self._frames % MIRROR_EVERY == 1 and (turned := self._turns(image)):
            self.warnings.append(turned)
            return turned
        return NO_SHEET

    def _worth_taking(self, sighting: Sighting) -> bool:
        """Whether a view brings about as much as the best one would; whoever cannot do better is not kept waiting."""
        pose = pose_of(sighting.view, self._used)
        if pose is None:
            return False
        after = after_view(self._used, self._known, self._error, sighting.view.points_mm, pose)
        share = WORTH if self._now_s - self._taken_s < PATIENCE_S else WORTH / 5
        return bool(np.log(self.error_mm / after) > share * np.log(self.error_mm / self._after))

    def _take(self, sighting: Sighting, image: Image) -> Step:
        """Keep a view, fit anew, and see whether that is enough."""
        self.views.append(sighting.view)
        self.coverage.add(sighting.corners_px)
        self._taken_s = self._now_s
        if len(self.views) < FEWEST_VIEWS:
            poses = [pose_of(view, self._used) for view in self.views]
            self._learn(self._used, self.views, [pose for pose in poses if pose is not None])
            return self._step("taken", "Taken.", image, sighting)
        self.fit = fit_lens(self.views, sighting.size_px)
        if self.fit.lens is None:
            return self._step("showing", self.fit.reason, image, sighting)
        self.views = list(self.fit.views)
        self._learn(self.fit.lens, self.fit.views, self.fit.poses)
        return self._judged(image, sighting)

    def _judged(self, image: Image, sighting: Sighting) -> Step:
        """Whether the lens is known well enough by enough views."""
        enough = self.error_mm < GOAL_MM and self.coverage.share >= ENOUGH_COVERAGE
        if not (len(self.views) >= MOST_VIEWS or (enough and len(self.views) >= ENOUGH_VIEWS)):
            words = "Taken." if not self.fit.dropped else "Taken; a view that did not fit the others was dropped."
            return self._step("taken", words, image, sighting)
        return self._settled(image, sighting)

    def ended(self) -> Step | None:
        """The lens, where a folder or a film has no more views and those it has tell it well enough."""
        return self._settled(self._image, None) if self.lens and self.error_mm < GOAL_MM else None

    def _settled(self, image: Image, sighting: Sighting | None) -> Step:
        """The end, whatever came of it; where the sheet is bent, all begins anew."""
        assert self.fit.lens
        size_px = (image.shape[1], image.shape[0])
        bulge = sag(self.fit.views, self.fit.poses, self.fit.lens, lens_known=False)
        if bulge.bent:
            self._begin(size_px)
            return self._step("showing", BENT.format(bulge.height_mm), image, sighting)
        if self.error_mm > 3 * GOAL_MM:
            return self._step(
                "failed", "The lens could not be settled: more light, a flat sheet, and try again.", image
            )
        return self._step("done", "The lens is known.", image, sighting)

    def _learn(self, lens: Lens, views: Iterable[View], poses: Iterable[Pose]) -> None:
        """Take note of what is known now, and find the view that would bring most."""
        views, poses = list(views), list(poses)
        self._used = lens
        self._known = information(lens, views, poses) if views else known_before(lens)
        self._error = TableError(lens)
        self.error_mm = self._error.of(inverse(self._known))
        self._ask(0)

    def _ask(self, passed: int) -> None:
        """Ask for the pose that would bring most, but for those that could not be held."""
        self._passed, self._asked_s = passed, self._now_s
        pose, self._after = wanted_pose(self._used, self._known, self._error, SHEET, passed)
        self._outline = self._used.project(solid(SHEET.outline_mm()), pose.turn, pose.shift)

    def _step(self, state: State, words: str, image: Image, sighting: Sighting | None = None) -> Step:
        lens = self.fit.lens
        return Step(
            state,
            words,
            image,
            len(self.views),
            self.coverage.share,
            lens.rms_px if lens else 0.0,
            self.error_mm if lens else float("inf"),
            None if state in ("done", "failed") else self._outline,
            sighting,
            tuple(self.warnings),
        )

    def drawn(self, step: Step, *, written: bool = True) -> Image:
        """The step's frame with the outline to fill, the corners found, and what was covered."""
        told = (step.words, progress(step)) if written else ()
        corners = step.sighting.corners_px if step.sighting else None
        return draw_guide(step.frame, step.outline_px, corners, self.coverage, told)


def progress(step: Step) -> str:
    """How far a wizard is, in a line."""
    parts = [count(step.views, "view"), f"{step.coverage:.0%} of the picture"]
    parts += [f"missed by {step.rms_px:.2f} px"] if step.rms_px else []
    parts += [f"table error {step.error_mm:.2f} mm"] if step.error_mm < 100 else []
    return ", ".join(parts)


def _guess(size_px: Size) -> Lens:
    """What is thought of a lens before anything was seen."""
    width, height = size_px
    focal = GUESSED_FOCAL * width
    matrix = ((focal, 0.0, (width - 1) / 2), (0.0, focal, (height - 1) / 2), (0.0, 0.0, 1.0))
    return Lens(size_px, matrix, (0.0,) * 5, "pinhole", GUESSED_RMS_PX)
