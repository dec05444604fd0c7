"""Where the files of a user lie; PIPSIGHT_HOME moves them all into one folder."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from pipsight.trouble import UnusableOutput

LONGEST = 1 << 16  # bytes


def config_folder() -> Path:
    """Return the folder for the settings that a user writes; it need not exist yet."""
    if home := _home():
        return home / "config"
    from platformdirs import user_config_path

    return user_config_path("pipsight")


def state_folder() -> Path:
    """Return the folder for what happened, such as drawn pictures and logs; it need not exist yet."""
    if home := _home():
        return home / "state"
    from platformdirs import user_state_path

    return user_state_path("pipsight")


def data_folder() -> Path:
    """Return the folder for what was learnt of cameras and sets; it need not exist yet."""
    if home := _home():
        return home / "data"
    from platformdirs import user_data_path

    return user_data_path("pipsight")


def _home() -> Path | None:
    """The folder that PIPSIGHT_HOME names; in quotes or in a file of settings no shell reads its ~ for the user's."""
    named = os.environ.get("PIPSIGHT_HOME")
    return Path(os.path.expanduser(named)) if named else None  # noqa: PTH111 - Path's raises where nobody has that name


def resuming(game: Path | str) -> str:
    """The command that goes on with a saved game, as it is typed: many a folder has blanks in its name."""
    return f"pipsight play --resume {as_typed(str(game))}"


def as_typed(name: str) -> str:
    """A name as it is typed in a command: in quotes where the shell would take it apart."""
    return subprocess.list2cmdline([name]) if os.name == "nt" else shlex.quote(name)


def writable(folder: Path) -> Path:
    """Return the folder, made if need be; a new temporary one where nothing can be written into it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _try(folder)
        return folder
    except OSError:
        return Path(tempfile.mkdtemp(prefix="pipsight-"))


def require_kept(place: Path) -> None:
    """Raises UnusableOutput at once where what is to be learnt could not be kept: nobody toils in vain."""
    try:
        _try(next(folder for folder in place.absolute().parents if folder.exists()))
    except OSError as error:
        told = f"nothing can be kept in {place.parent}: {error.strerror}; name another folder by PIPSIGHT_HOME"
        raise UnusableOutput(told) from None


def _try(folder: Path) -> None:
    """Write for a moment what no camera's and no set's file is longer than: on a full disk an empty one would fit."""
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(bytes(LONGEST))
