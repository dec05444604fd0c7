"""How well dominoes are read, on a folder of labelled pictures or on rendered scenes.

    python -m benchmarks.reading --photos FOLDER        # FOLDER/labels.json names the pictures and their truth
    python -m benchmarks.reading --rendered 500         # seeded scenes of our own

With --log FILE each picture's counts are kept as they come, and a run that was stopped goes on from there.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from benchmarks.pictures import Picture, labelled, rendered
from benchmarks.scoring import Tally, score
from vision.reader import Reader


class Log:
    """What was measured before, by picture and reader; every line is flushed as it is written."""

    def __init__(self, path: Path | None) -> None:
        self._path, self._reader = path, fingerprint()
        lines = path.read_text(encoding="utf-8").splitlines() if path and path.exists() else []
        told = [json.loads(line) for line in lines]
        self._done = {one["picture"]: one for one in told if one["reader"] == self._reader}

    def get(self, name: str) -> tuple[list[str], Counter[str]] | None:
        """The groups and counts of a picture, if this very reader has read it."""
        one = self._done.get(name)
        return (one["groups"], Counter(one["counts"])) if one else None

    def add(self, name: str, groups: list[str], counts: Counter[str]) -> None:
        if self._path is None:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        one = {"picture": name, "reader": self._reader, "groups": groups, "counts": counts}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(one) + "\n")


def fingerprint() -> str:
    """A name for this very reader: its networks and its code."""
    folder = files("vision")
    parts = [folder / "models" / name for name in ("detector.onnx", "reader.onnx")]
    parts += sorted((p for p in folder.iterdir() if p.name.endswith(".py")), key=lambda p: p.name)
    return hashlib.sha256(b"".join(p.read_bytes() for p in parts)).hexdigest()[:12]


def measure(pictures: Iterator[Picture], each: bool, log: Log) -> dict[str, Tally]:
    """Read every picture and count, by group."""
    reader, tallies = Reader(), defaultdict[str, Tally](Tally)
    for k, picture in enumerate(pictures):
        groups, n = log.get(picture.name) or _read(reader, picture, log)
        for group in groups:
            tallies[group].n.update(n)
        if each and not n["exact"]:
            told = f"right {n['right']}/{n['tiles']} spurious {n['spurious']} silent {n['silent']}"
            print(f"{Path(picture.name).name:50} {told}")
        print(f"\r{k + 1} pictures", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return tallies


def _read(reader: Reader, picture: Picture, log: Log) -> tuple[list[str], Counter[str]]:
    label, image = picture.take()
    groups, counts = list(label.groups), score(label, reader.read(image).tiles)
    log.add(picture.name, groups, counts)
    return groups, counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--rendered", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1_000_003)
    parser.add_argument("--each", action="store_true", help="a line for each picture that is not exactly right")
    parser.add_argument("--log", type=Path, help="keep each picture's counts in this file, and go on from it")
    args = parser.parse_args()
    pictures = labelled(args.photos) if args.photos else rendered(args.rendered or 100, args.seed)
    tallies = measure(pictures, args.each, Log(args.log))
    for group in sorted(tallies, key=lambda g: (g != "ALL", g)):
        print(f"\n{group}: " + "\n".join(tallies[group].lines()))


if __name__ == "__main__":
    main()
