"""Honest doubt: whether readings that call themselves 90% sure are right 9 times in 10, and where to draw the line.

    python -m benchmarks.doubt --rendered 600          # seeded scenes, eight in nine of them degraded
    python -m benchmarks.doubt --photos FOLDER         # labelled photographs as they are
    python -m benchmarks.doubt --rendered 600 --out reliability.svg

With --log FILE each picture's readings are kept as they come, and a run that was stopped goes on from there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import cv2

from benchmarks.changes import degraded
from benchmarks.log import Log
from benchmarks.pictures import Picture, labelled, rendered
from benchmarks.reliability import Judged, Reliability, svg
from benchmarks.scoring import judged
from vision.reader import Reader
from vision.reading import SURE

MOST_ERROR, LEAST_AUROC, MOST_DOUBTED = 0.03, 0.95, 0.03
THRESHOLDS = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99)


def gathered(pictures: Iterable[Picture], log: Log) -> list[Judged]:
    """Every reading on the pictures that can be called right or wrong."""
    reader, found = Reader(), list[Judged]()
    for k, picture in enumerate(pictures):
        known = log.get(picture.key)
        told = known["readings"] if known else _readings(reader, picture)
        if not known:
            log.add(picture.key, {"readings": told})
        found += [Judged(float(confidence), bool(right), bool(doubtful)) for confidence, right, doubtful in told]
        print(f"\r{k + 1} pictures", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return found


def _readings(reader: Reader, picture: Picture) -> list[tuple[float, bool, bool]]:
    label, image = picture.take()
    return [(round(s.confidence, 5), right, s.doubtful) for s, right in judged(label, reader.read(image).tiles)]


def lines(told: Reliability) -> Iterator[str]:
    """The figures as text."""
    right, total = int(told.right.sum()), len(told.readings)
    if not total:
        yield "0 readings"
        return
    yield f"{total} readings, {right / total:.2%} right"
    yield "confidence         readings   told    right"
    yield from (f"{b.low:5.3f} to {b.high:5.3f}  {b.count:9}   {b.confidence:.4f}  {b.right:.4f}" for b in told.bins())
    yield f"expected calibration error {told.expected_error():.4f} (aim {MOST_ERROR})"
    yield f"AUROC of right against wrong {told.auroc():.4f} (aim {LEAST_AUROC})"
    yield "doubted below   silent errors   right but doubted"
    for sure in THRESHOLDS:
        at = told.at(sure)
        doubted = at.doubted / max(right, 1)
        yield f"{sure:13.2f}   {at.silent:6} {at.silent / total:6.2%}   {at.doubted:8} {doubted:7.2%}"
    best = told.highest(MOST_DOUBTED)
    yield f"highest threshold that doubts at most {MOST_DOUBTED:.0%} of the right: {best.sure:g} ({best.silent} silent)"
    silent, doubted = told.as_marked()
    yield f"as it is now (below {SURE:g}, or too small): {silent} silent, {doubted} right but doubted"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--rendered", type=int, default=300)
    parser.add_argument("--seed", type=int, default=2_000_003)
    parser.add_argument("--log", type=Path, help="keep each picture's readings in this file, and go on from it")
    parser.add_argument("--out", type=Path, help="draw the reliability curve: an SVG file")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    cv2.setNumThreads(args.threads)
    pictures = labelled(args.photos) if args.photos else degraded(rendered(args.rendered, args.seed))
    told = Reliability(gathered(pictures, Log(args.log, "readings")))
    print("\n".join(lines(told)))
    if args.out:
        title = "photographs" if args.photos else f"{args.rendered} rendered scenes, eight in nine degraded"
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text(svg(told, title), encoding="utf-8")


if __name__ == "__main__":
    main()
