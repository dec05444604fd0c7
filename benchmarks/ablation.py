"""What real surfaces and touching tiles in the training scenes bring: networks that learnt without them, side by side.

    make ablation PHOTOS=FOLDER                        # renders, trains and measures; may be stopped and taken up again
    python -m benchmarks.ablation build/ablation --rendered 120 --photos FOLDER

The folder holds a folder of networks for each mixture of scenes: "all", "surfaces", "touching", the last two without
what they are called by. All are trained alike and for a short time, far shorter than those that come along, so only
what one run prints can be compared. What knowing the set and many frames bring, `python -m benchmarks.live --boards 50`
tells.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from benchmarks.log import Log
from benchmarks.pictures import Picture, labelled, rendered
from benchmarks.reading import measure
from benchmarks.scoring import Tally
from training.look import WITHOUT
from vision.networks import networks_in

SEED = 1_000_003
MIXTURES = {"all": "everything"} | {lacking: f"without {lacking}" for lacking in WITHOUT}


def pictures(photos: Path | None, count: int) -> dict[str, Iterator[Picture]]:
    """The pictures that each of the networks reads, by what they are."""
    found = {"rendered scenes": rendered(count, SEED)} if count else {}
    return found | ({"photographs": labelled(photos)} if photos else {})


def row(tally: Tally) -> str:
    """Found and right as shares, and what was seen where none is."""
    n = tally.n
    return f"found {n['found'] / n['tiles']:.3f}   right {n['right'] / n['tiles']:.3f}   spurious {n['spurious']}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", type=Path)
    parser.add_argument("--rendered", type=int, default=120)
    parser.add_argument("--photos", type=Path)
    args = parser.parse_args()
    for mixture, name in MIXTURES.items():
        with networks_in(args.networks / mixture):
            for kind, some in pictures(args.photos, args.rendered).items():
                print(f"{name:18} {kind:16} {row(measure(some, False, Log(None))['ALL'])}", flush=True)


if __name__ == "__main__":
    main()
