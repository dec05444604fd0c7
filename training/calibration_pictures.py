"""The pictures of docs/calibration.md, from a rendered camera that goes through the guide.

python -m training.calibration_pictures docs/calibration
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np

from calibration.lens import Image
from calibration.sheet import png, sheet
from pipsight.guide import LensGuide
from pipsight.wizards.table_guide import TableGuide, TableWish
from training.sheet_holder import Holder
from training.sheet_video import Eye, Stage, laid, looking_at_table, page_pose
from vision.camera import Frame

EYE = Eye((640, 360), 80.0, 0.85, 0.002, (0.002, -0.001), (3.0, -2.0))
RATE = 8.0
SHOWN_AFTER = 3  # views: by then the outline asks for something that explains itself


def guiding(stage: Stage, rng: np.random.Generator) -> tuple[LensGuide, Image]:
    """The guide once the lens is known, and how it looked half-way."""
    guide, holder = LensGuide(), Holder(EYE, laid(stage.table, 0, 0), rng)
    time_s, half_way = 0.0, stage.frame()
    while True:
        step = guide.see(Frame(stage.frame(page_pose(holder.squares(time_s))), time_s))
        if step.views == SHOWN_AFTER and step.state == "showing":
            half_way = guide.drawn(step)
        if step.over:
            return guide, half_way
        if step.outline_px is not None:
            holder.ask(step.outline_px, time_s)
        time_s = max(time_s + 1 / RATE, holder.there_s - 1 / RATE)


def found_table(stage: Stage, guide: LensGuide) -> Image:
    """The table with its grid, once it was found."""
    table = TableGuide(TableWish(area_mm=(600.0, 400.0)), guide.lens)
    page = page_pose(laid(stage.table, 10.0, -5.0, 8.0))
    for step in table.steps(Frame(stage.frame(page), k / RATE) for k in range(40)):
        if step.over:
            return table.drawn(step)
    raise RuntimeError("the table was not found: the guide or the rendering changed")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(8)
    page = np.asarray(cv2.imdecode(np.frombuffer(png(sheet("a4")), np.uint8), cv2.IMREAD_GRAYSCALE), np.uint8)
    small = cv2.resize(page, None, fx=0.15, fy=0.15, interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(args.folder / "sheet.png"), small)
    stage = Stage(EYE, looking_at_table(EYE, 25.0), rng)
    guide, half_way = guiding(stage, rng)
    for name, picture in (("guide", half_way), ("table", found_table(stage, guide))):
        cv2.imwrite(str(args.folder / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 85])


if __name__ == "__main__":
    main()
