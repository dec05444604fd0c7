"""What a user has settled once and for all: config/config.toml, each setting checked as it is read.

A command's own options come before it. The file is the user's: pipsight reads it and never writes it.
"""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

from hardware.errors import BadScheme
from hardware.scheme import DEFAULT, Scheme, scheme_of
from pipsight.places import config_folder
from pipsight.trouble import PipsightError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

PORT = 8760  # where the page is, unless somebody says otherwise

T = TypeVar("T")
Means = Literal["claim", "pause", "resync", "nothing"]
"""What a press of a button is for: a claim, a pause or its end, taking the table as it lies, nothing but being told."""


class BadConfig(PipsightError, ValueError):
    """The settings cannot be used; the text names the file and the setting."""


@dataclass(frozen=True)
class Watching:
    """The options of `pipsight watch`, by their own names.

    camera: one a table; () for the first that is found. taught: the sets that lie on the tables.
    """

    camera: tuple[str, ...] = ()
    port: int = PORT
    lan: bool = False
    voice: bool = False
    browser: bool = True
    taught: tuple[str, ...] = ()


@dataclass(frozen=True)
class Lights:
    """The lights and buttons: whether a table has them, at which port (None: the first that greets), how they look."""

    enabled: bool = False
    port: str | None = None
    buttons: Means = "claim"
    scheme: Scheme = DEFAULT


@dataclass(frozen=True)
class Config:
    """All settings."""

    watch: Watching = Watching()
    hardware: Lights = Lights()


def config_file() -> Path:
    """Where the settings lie; the file need not exist."""
    return config_folder() / "config.toml"


def load(path: Path | None = None) -> Config:
    """The settings of a file, the user's own by default; without the file the defaults. Raises BadConfig.

    >>> load().hardware.enabled
    False
    """
    path = path or config_file()
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        return config_of(values)
    except FileNotFoundError:
        return Config()
    except OSError as error:
        raise BadConfig(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadConfig(f"{path} is no text: write it anew, or take it away") from error
    except tomllib.TOMLDecodeError as error:
        raise BadConfig(f"{path} is no TOML: {error}") from error
    except (BadScheme, BadConfig) as error:
        raise BadConfig(f"{path}: {error}") from error


def require_taught(watching: Watching) -> None:
    """See that the sets that the settings lay on every table can be used. Raises BadConfig, which names the file."""
    from calibration.errors import CalibrationError
    from pipsight.sets import taught_set

    for name in watching.taught:
        try:
            taught_set(name)
        except (PipsightError, CalibrationError) as error:
            raise BadConfig(f"{config_file()}: watch.taught: {error}") from error


def config_of(values: Mapping[str, Any]) -> Config:
    """The defaults with the changes of a table of settings. Raises BadConfig or BadScheme, which name the setting."""
    _known(values, _names(Config), "")
    return Config(_watching(_table(values, "watch")), _lights(_table(values, "hardware")))


def _watching(values: Mapping[str, Any]) -> Watching:
    _known(values, _names(Watching), "watch.")
    return replace(Watching(), **{key: _read(key, value, f"watch.{key}") for key, value in values.items()})


def _lights(values: Mapping[str, Any]) -> Lights:
    """The hardware table: three settings of its own, all others are the scheme's."""
    own = ("enabled", "port", "buttons")
    _known(values, (*own, *_names(Scheme)), "hardware.")
    scheme = scheme_of({key: value for key, value in values.items() if key not in own})
    mine = {key: _read(f"hardware {key}", values[key], f"hardware.{key}") for key in own if key in values}
    return replace(Lights(scheme=scheme), **mine)


def _names(of: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(of))


def _table(values: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = values.get(name, {})
    if not isinstance(table, dict):
        raise BadConfig(f"{name} must be a table: write [{name}] and its settings below it")
    return table


def _known(keys: Iterable[str], names: Iterable[str], before: str) -> None:
    names = tuple(names)
    for key in keys:
        if key in names:
            continue
        near = difflib.get_close_matches(key, names, 1, 0.5)
        advice = f"did you mean {before}{near[0]}?" if near else f"there are {', '.join(names)}"
        raise BadConfig(f"there is no setting {before}{key}; {advice}")


def _read(kind: str, value: Any, name: str) -> Any:
    reader, wanted = READERS[kind]
    try:
        return reader(value)
    except (TypeError, ValueError):
        raise BadConfig(f"{name} cannot be {value!r}: {wanted}") from None


def _flag(value: Any) -> Any:
    return _fit(value, isinstance(value, bool))


def _port(value: Any) -> Any:
    return _fit(value, type(value) is int and 0 <= value < 1 << 16)


def _cameras(value: Any) -> tuple[str, ...]:
    several = value if isinstance(value, list) else [value]
    return tuple(str(_fit(one, type(one) in (int, str) and one != "")) for one in several)


def _sets(value: Any) -> tuple[str, ...]:
    several = value if isinstance(value, list) else [value]
    return tuple(str(_text(one)) for one in several)


def _text(value: Any) -> Any:
    return _fit(value, isinstance(value, str) and bool(value))


def _means(value: Any) -> Any:
    return _fit(value, value in get_args(Means))


def _fit(value: T, fits: bool) -> T:
    if not fits:
        raise ValueError
    return value


YES_NO = "write true or false"
READERS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "camera": (_cameras, 'write a number, an address or a file as "0", or a list of them, one a table'),
    "port": (_port, "write a whole number from 0 to 65535"),
    "lan": (_flag, YES_NO),
    "voice": (_flag, YES_NO),
    "browser": (_flag, YES_NO),
    "taught": (_sets, 'write the name of a set that you taught as "grandma", or a list of them'),
    "hardware enabled": (_flag, YES_NO),
    "hardware port": (_text, "write the name of a serial port, or leave it out for the first controller that greets"),
    "hardware buttons": (_means, f"choose one of {', '.join(get_args(Means))}"),
}
"""How each setting is read, and what its value must be."""
