"""`pipsight doctor`: what works on this machine, a line each, and what to do about the rest."""

from __future__ import annotations

import os
import platform
import shutil
import sys
import time
from dataclasses import dataclass
from importlib import metadata, util
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer

from pipsight.trouble import ended

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

NOT_WELL = 3
OLDEST = (3, 11)
PACKAGES = ("rules", "calibration", "vision", "hardware", "sample_images")
OPENCVS = ("opencv-python", "opencv-python-headless", "opencv-contrib-python", "opencv-contrib-python-headless")
SAMPLE = Path(__file__).resolve().parents[1] / "sample_images" / "chain.jpg"
DEVICES = Path("/dev")
ROOM_MB = 200

State = Literal["OK", "--", "!!"]
"""It works; it does not, and only some things need it; it does not, and nothing goes well without it."""


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: its name, how it is, and what there is or what to do."""

    name: str
    state: State
    words: str

    def __str__(self) -> str:
        return f"{self.state}  {self.name:<9} {ended(self.words)}"


def doctor() -> None:
    """Say what works on this machine, a line each, and what to do about what does not.

    Exit 0: all that is needed works (only some things need what is marked --); 3: something that is needed does not.
    """
    well = True
    for finding in findings():
        print(finding, flush=True)
        well &= finding.state != "!!"
    if not well:
        raise typer.Exit(NOT_WELL)


def findings() -> Iterator[Finding]:
    """Look at one thing after the other; what goes wrong on the way is a finding too."""
    from pipsight.trouble import in_words

    for check in CHECKS:
        try:
            yield from check()
        except Exception as error:
            words = in_words(error)
            if words is None:
                raise
            yield Finding(check.__name__.strip("_"), "!!", words)


def _python() -> Iterator[Finding]:
    version = platform.python_version()
    if sys.version_info < OLDEST:
        yield Finding("python", "!!", f"{version} is too old: install Python {OLDEST[0]}.{OLDEST[1]} or a newer one")
    else:
        yield Finding("python", "OK", f"{version} on {platform.system()} {platform.machine()}")


def _packages() -> Iterator[Finding]:
    """Whether somebody else's distribution has brought packages of our names."""
    here, owners = Path(__file__).resolve().parents[1], metadata.packages_distributions()
    foreign = {owner for name in PACKAGES for owner in owners.get(name, ())} - {"pipsight"}
    strange = [name for name in PACKAGES if not _lies_in(name, here)]
    if foreign or strange:
        whose = f"{', '.join(sorted(foreign))} has" if foreign else f"{', '.join(strange)} comes from elsewhere, or has"
        words = f"{whose} packages of the same names: install pipsight in an environment of its own, as pipx does"
        yield Finding("packages", "!!", words)
    else:
        yield Finding("packages", "OK", "nobody else's have the same names")


def _lies_in(name: str, folder: Path) -> bool:
    found = util.find_spec(name)
    places = [found.origin or "", *(found.submodule_search_locations or ())] if found else []
    return any(folder in Path(place).parents for place in places)


def _opencv() -> Iterator[Finding]:
    from vision import picture  # noqa: F401

    versions = {name: metadata.version(name) for name in OPENCVS if _installed(name)}
    told = ", ".join(f"{name} {version}" for name, version in versions.items())
    if len(versions) > 1:
        yield Finding(
            "opencv", "!!", f"{told} break each other: uninstall all of them, then install pipsight once more"
        )
    else:
        yield Finding("opencv", "OK", told or "there")


def _installed(name: str) -> bool:
    try:
        metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def _networks() -> Iterator[Finding]:
    """Whether the networks read a picture that comes along."""
    from vision.picture import load
    from vision.reader import Reader

    began_s = time.perf_counter()
    reader, frame = Reader(), load(SAMPLE)
    loaded_s = time.perf_counter()
    if reader.read(frame).tiles:
        moments = (began_s, loaded_s, time.perf_counter())
        loading_ms, reading_ms = (1000 * (end_s - start_s) for start_s, end_s in pairwise(moments))
        yield Finding("networks", "OK", f"loaded in {loading_ms:.0f} ms, read a picture in {reading_ms:.0f} ms")
    else:
        yield Finding("networks", "!!", f"they find nothing on {SAMPLE}: install pipsight once more")


def _camera() -> Iterator[Finding]:
    from vision.camera import CameraError, open_camera

    denied = [path for path in DEVICES.glob("video*") if not os.access(path, os.R_OK | os.W_OK)]
    if denied:
        yield Finding("camera", "--", f"you may not use {denied[0]}: {_join_group(denied[0])}")
        return
    try:
        with open_camera("0") as camera:
            size = next(iter(camera)).image.shape
    except CameraError as error:
        yield Finding("camera", "--", f"{error} Without one a page's camera serves: pipsight watch --camera page")
    else:
        yield Finding("camera", "OK", f"camera 0 gives pictures of {size[1]}x{size[0]}")


def _join_group(path: Path) -> str:
    """What to do where a device is for a group only."""
    try:
        group = path.group()
    except (OSError, KeyError, NotImplementedError):
        group = "its group"
    return f"sudo usermod -a -G {group} $USER, then log in again"


def _serial() -> Iterator[Finding]:
    """The ports and who may use them; none is opened, for that restarts many a device."""
    from hardware.link import port_names

    names = port_names()
    if not names:
        yield Finding("serial", "--", "there is no port; only lights and buttons need one")
    for name in names:
        denied = os.name == "posix" and not os.access(name, os.R_OK | os.W_OK)
        words = (
            f"you may not use {name}: {_join_group(Path(name))}" if denied else f"{name}; who greets there is told by"
        )
        yield Finding("serial", "--" if denied else "OK", words if denied else f"{words} pipsight hardware list")


def _page() -> Iterator[Finding]:
    import webbrowser

    from pipsight.page.serving import CannotListen, listen

    try:
        listen().listening.close()
    except CannotListen as error:
        yield Finding("page", "--", str(error))
        return
    try:
        webbrowser.get()
    except webbrowser.Error:
        yield Finding(
            "page", "--", "there is no browser here: open the page on another device, by pipsight watch --lan"
        )
    else:
        yield Finding("page", "OK", "its port is free and there is a browser")


def _voice() -> Iterator[Finding]:
    from pipsight.voice import NoVoice, program

    try:
        yield Finding("voice", "OK", f"{program()[0]} speaks")
    except NoVoice as error:
        yield Finding("voice", "--", str(error))


def _settings() -> Iterator[Finding]:
    from pipsight.config import config_file, load, require_taught

    require_taught(load().watch)
    path = config_file()
    yield Finding("settings", "OK", str(path) if path.exists() else f"none; they would stand in {path}")


def _kept() -> Iterator[Finding]:
    """What was learnt of cameras and sets; a file that cannot be used is named."""
    from calibration import store, tileset_file
    from calibration.errors import CalibrationError
    from pipsight.places import data_folder
    from pipsight.trouble import in_words

    def load_camera(path: Path) -> object:
        return store.load(path, path.stem)  # a copy under another camera's name is not used either

    kept = 0
    for folder, load in (("cameras", load_camera), ("sets", tileset_file.load)):
        for path in sorted((data_folder() / folder).glob("*.toml")):
            try:
                load(path)
                kept += 1
            except (CalibrationError, OSError) as error:
                yield Finding("kept", "--", in_words(error) or str(path))
    yield Finding("kept", "OK", f"{kept} cameras and sets in {data_folder()}")


def _disk() -> Iterator[Finding]:
    from pipsight.places import config_folder, data_folder, state_folder

    folders = [_there(folder) for folder in (config_folder(), data_folder(), state_folder())]
    if closed := [folder for folder in folders if not os.access(folder, os.W_OK)]:
        yield Finding("disk", "!!", f"{closed[0]} cannot be written: give it to yourself, or set PIPSIGHT_HOME")
        return
    room = min(shutil.disk_usage(folder).free for folder in folders) // 1_000_000
    words = f"{room:,} MB are free"
    yield Finding("disk", *(("OK", words) if room >= ROOM_MB else ("!!", f"only {words}: games are kept there")))


def _there(folder: Path) -> Path:
    """The folder, or the nearest one above it that exists."""
    return next(one for one in (folder, *folder.parents) if one.exists())


CHECKS: Iterable[Callable[[], Iterator[Finding]]] = (
    _python,
    _packages,
    _opencv,
    _networks,
    _camera,
    _serial,
    _page,
    _voice,
    _settings,
    _kept,
    _disk,
)
