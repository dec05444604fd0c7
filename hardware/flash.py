"""The controller's program, built from its sources and written to a board through its bootloader."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from enum import Enum
from importlib.resources import as_file, files
from pathlib import Path

from hardware.errors import BadFlash
from hardware.link import lent, require_port

TOOLS = {"make": "make", "avr-gcc": "gcc-avr avr-libc", "avrdude": "avrdude"}
"""What is needed, and the Debian packages that bring it."""


class Board(Enum):
    """Boards with the right chip, by the speed of their bootloaders; a Nano from before 2018 is an old one."""

    UNO = "uno"
    NANO = "nano"
    OLD_NANO = "old-nano"

    @property
    def baud(self) -> int:
        """How fast its bootloader talks."""
        return 57_600 if self is Board.OLD_NANO else 115_200


def require(port: str) -> None:
    """Raise what is in the way of flashing, as far as it shows beforehand.

    BadFlash where a program lacks or no board can be at such a port, else what `link.require_port` raises.
    """
    if lacking := [packages for tool, packages in TOOLS.items() if not shutil.which(tool)]:
        raise BadFlash(f"flashing needs other programs: on Debian or Ubuntu apt-get install {' '.join(lacking)}")
    if "://" in port:
        raise BadFlash(f"{port} is no board: plug one in, and name its port as pipsight hardware list shows it")
    require_port(port)


def flash(port: str, board: Board = Board.UNO, leds: int = 24) -> None:
    """Build the program for so many LEDs and write it to the board at a port. Raises BadFlash, or as `require`."""
    require(port)
    with as_file(files("hardware") / "firmware") as sources, tempfile.TemporaryDirectory() as folder:
        here = shutil.copytree(sources, Path(folder) / "firmware", ignore=shutil.ignore_patterns("build"))
        built = _run(["make", "-C", str(here), "BUILD=build", f"LEDS={leds}"])  # make knows no names with blanks
        if built.returncode:
            raise BadFlash(f"the controller's program could not be built: {_last_line(built)}")
        image = here / "build" / "controller.hex"
        chip = ["-p", "atmega328p", "-c", "arduino", "-P", port, "-b", str(board.baud), "-D"]
        with lent(port):
            written = _run(["avrdude", *chip, "-U", f"flash:w:{image}:i"])
    if written.returncode:
        others = " or ".join(f"--board {other.value}" for other in Board if other is not board)
        raise BadFlash(
            f"no {board.value} could be written at {port}: see that nothing else uses the port, try {others}"
        )


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, errors="replace")


def _last_line(done: subprocess.CompletedProcess[str]) -> str:
    return (done.stderr or done.stdout).strip().splitlines()[-1]
