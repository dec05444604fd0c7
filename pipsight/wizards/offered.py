"""The wizards of the page: the lens, the table, and a new set, found over a live table's camera.

They are driven by the same guides as `pipsight calibrate`, and keep what they find at the very end.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from calibration.steadiness import Steadiness
from pipsight.cameras import camera_file, keep_lens, keep_table, lens_lines, plane_lines, settled, usable_camera
from pipsight.guide import ENOUGH_COVERAGE, ENOUGH_VIEWS, LensGuide
from pipsight.places import require_kept
from pipsight.wizards.set_lesson import learn_set
from pipsight.wizards.table_guide import LOOKS, TableGuide, TableWish, tile_finder
from pipsight.wizards.wizard import KEPT_BEFORE, OVER, Over
from pipsight.wizards.wizard_asks import LensWish, SetWish
from pipsight.wizards.wizard_events import Finished, Guided

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pipsight.guide import Guide, Step
    from pipsight.wizards.wizard import Desk, Work
    from pipsight.wizards.wizard_asks import Wish
    from vision.camera import Frame

NEARLY = 0.99  # as far as a wizard is that is not over


def work_of(wish: Wish, camera: str, hold: Callable[[], object] | None = None) -> Work:
    """The work that a wish asks for, over the camera that is kept under this name.

    hold: tells the camera to keep its exposure and focus; None for a film or a folder.
    """
    match wish:
        case LensWish():
            return partial(find_lens, camera=camera, hold=hold)
        case TableWish():
            return partial(find_table, camera=camera, wish=wish)
        case SetWish():
            return partial(learn_set, camera=camera, wish=wish)


def find_lens(desk: Desk, camera: str, hold: Callable[[], object] | None = None) -> Finished:
    """Find the lens and keep it. Raises Stopped, and UnusableOutput."""
    require_kept(camera_file(camera))
    guide, steadiness, old = LensGuide(), Steadiness(), usable_camera(camera)
    last = _followed(desk, guide, settled(desk.frames(), hold, steadiness), _lens_share)
    if last.state != "done" or guide.lens is None:
        return Finished(f"{last.words} {KEPT_BEFORE}")
    lines = (*keep_lens(camera, guide, old), *lens_lines(guide.lens, last), *steadiness.warnings())
    return Finished(last.words, True, lines)


def find_table(desk: Desk, camera: str, wish: TableWish) -> Finished:
    """Find the table and keep it, seen through the lens as it is known. Raises Stopped, and UnusableOutput."""
    require_kept(camera_file(camera))
    frames = desk.frames()
    first = next(frames)
    size = (first.image.shape[1], first.image.shape[0])
    old = usable_camera(camera, size_px=size)
    finder = tile_finder() if wish.by == "tiles" else None
    guide = TableGuide(wish, old.lens if old else None, finder, bool(old and old.mirrored))
    last = _followed(desk, guide, chain([first], frames), lambda step: step.views / LOOKS)
    if last.state != "done" or guide.plane is None:
        return Finished(f"{last.words} {KEPT_BEFORE}")
    told = plane_lines(guide.plane, guide.lens, size, wish.tile_mm)
    lines = (*keep_table(camera, guide, size, old), *told, *guide.advice)
    return Finished(last.words, True, lines)


def _followed(desk: Desk, guide: Guide, frames: Iterable[Frame], share: Callable[[Step], float]) -> Step:
    """Say and show each step of a guide; the last one. Raises Stopped."""
    step: Step | None = None
    for step in guide.steps(_to_their_end(frames)):
        desk.show(guide.drawn(step, written=False))
        if step.over:
            break
        desk.tell(Guided(step.words, "showing", round(min(share(step), NEARLY), 2), _figures(step), step.warnings))
    desk.check()
    if step is None or not step.over:
        raise Over(OVER)
    return step


def _to_their_end(frames: Iterable[Frame]) -> Iterator[Frame]:
    """The frames; the guide is asked what they gave once no more come."""
    with suppress(Over):
        yield from frames


def _lens_share(step: Step) -> float:
    """How far the lens wizard is, by its views and by what they cover."""
    return (min(1, step.views / ENOUGH_VIEWS) + min(1, step.coverage / ENOUGH_COVERAGE)) / 2


def _figures(step: Step) -> tuple[tuple[str, str], ...]:
    """What is known so far, each figure with its name."""
    found = [("Pictures taken", str(step.views)), ("Of the picture covered", f"{step.coverage:.0%}")]
    found += [("Corners missed by", f"{step.rms_px:.2f} pixels")] if step.rms_px else []
    found += [("Error on the table", f"{step.error_mm:.2f} mm")] if step.error_mm < 100 else []
    return tuple(found if step.coverage or step.rms_px else found[:1])
