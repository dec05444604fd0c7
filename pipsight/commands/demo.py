"""The main job on a picture that comes along, for someone who has neither camera nor dominoes at hand."""

from __future__ import annotations

from pathlib import Path

from pipsight.commands.checking import check_picture
from pipsight.commands.showing import show_reading, show_verdict
from pipsight.places import state_folder, writable
from pipsight.saving import Album, save

GAME, PICTURE = "mountains", "mountains_spoilt.jpg"
SAMPLES = Path(__file__).resolve().parents[2] / "sample_images"


def play_demo() -> None:
    """Read and judge the sample, and write it with the faults drawn on it into the user's own folder."""
    from vision.picture import encode

    picture = SAMPLES / PICTURE
    checked = check_picture(GAME, str(picture))
    show_reading(checked.reading)
    print()
    show_verdict(checked)
    place = Album(writable(state_folder() / "demo"), [picture]).place(picture, "check")
    save(place, encode(checked.drawn(), place.suffix))
    print(f"\nThe picture with the faults drawn on it: {place}")
    print("With a picture of your own: pipsight read PICTURE, or pipsight check GAME PICTURE")
