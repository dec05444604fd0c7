"""TOML written for people to read, and read so that whatever is wrong names its line."""

from __future__ import annotations

import math
import os
import re
import tempfile
import tomllib
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from calibration.errors import BadFile

LAST_LINE = "# the end: a file without this line was cut off"
LONG = 12  # letters of a text that stands on a line of its own in a list

Value = str | bool | int | float | datetime | tuple["Value", ...]


def written(first_line: str, values: Mapping[str, Value], tables: Mapping[str, Mapping[str, Value]]) -> str:
    """A TOML document: a comment, values, then tables of values; its last line shows that it is whole."""
    lines = [f"# {first_line}", *_lines(values)]
    for name, table in tables.items():
        lines += ["", f"[{name}]", *_lines(table)]
    return "\n".join([*lines, "", LAST_LINE, ""])


def replace_file(path: Path, text: str) -> None:
    """Put a text into a file that appears whole or not at all; what was there before stays until then.

    Raises OSError, which names the file.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, part = tempfile.mkstemp(dir=path.parent, prefix=".")  # of a short name, be the file's as long as may be
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(part).replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    finally:
        Path(part).unlink(missing_ok=True)


def _lines(values: Mapping[str, Value]) -> Iterable[str]:
    return (f"{key} = {_value(value)}" for key, value in values.items())


def _value(value: Value) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return '"' + "".join(_letter(letter) for letter in value) + '"'
        case datetime():
            return value.isoformat(timespec="seconds")
        case tuple():
            nested = any(isinstance(part, tuple) or (isinstance(part, str) and len(part) > LONG) for part in value)
            parts = [_value(part) for part in value]
            return "[\n" + "".join(f"    {part},\n" for part in parts) + "]" if nested else f"[{', '.join(parts)}]"
    return repr(value)


def _letter(letter: str) -> str:
    if letter in '"\\':
        return f"\\{letter}"
    return letter if letter.isprintable() else f"\\U{ord(letter):08x}"


class TableOfFile:
    """The values of a TOML file, or of one table in it, each checked as it is asked for; BadFile names the line.

    again: what makes a good file of one that cannot be used.
    """

    def __init__(self, path: Path, again: str, text: str, values: Mapping[str, Any], name: str = "") -> None:
        self._path, self._again, self._text, self._values, self.name = path, again, text, values, name

    @classmethod
    def read(cls, path: Path, again: str) -> TableOfFile:
        """The whole file; BadFile where it is cut off or no TOML."""
        try:
            text = path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            raise BadFile(f"{path}: it is no text: {again}, or put back a copy") from error
        try:
            values = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            found = re.search(r"line (\d+)", str(error))
            line = int(found[1]) if found else _last(text)
            raise BadFile(f"{path}, line {line}: this is no TOML ({error}); put it right or {again}") from error
        if LAST_LINE not in text.splitlines()[-1:]:
            raise BadFile(f"{path}, line {_last(text)}: the file is cut off here: {again}, or put back a copy")
        return cls(path, again, text, values)

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def table(self, name: str) -> TableOfFile:
        """One of the tables in the file."""
        values = self._values.get(name)
        if not isinstance(values, dict):
            raise self.wrong(name, f"a table [{name}] must be there")
        return TableOfFile(self._path, self._again, self._text, values, name)

    def only(self, *known: str) -> None:
        """See that there is nothing but these keys."""
        for key in self._values:
            if key not in known:
                raise self.wrong(key, f"{key} is not known here, only {', '.join(known)}")

    def text(self, key: str, *allowed: str) -> str:
        """A text; one of these if some are given."""
        value = self._values.get(key)
        if not isinstance(value, str) or (allowed and value not in allowed):
            raise self.wrong(key, f"{key} must be {' or '.join(map(repr, allowed)) or 'a text'}")
        return value

    def flag(self, key: str) -> bool:
        """True or false."""
        value = self._values.get(key)
        if not isinstance(value, bool):
            raise self.wrong(key, f"{key} must be true or false")
        return value

    def moment(self, key: str) -> datetime:
        """A day and time."""
        value = self._values.get(key)
        if not isinstance(value, datetime):
            raise self.wrong(key, f"{key} must be a day and time, as 2026-01-31T20:15:00+00:00")
        return value

    def whole(self, key: str, least: int = 0) -> int:
        """A whole number."""
        value = self._values.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise self.wrong(key, f"{key} must be a whole number, {least} or more")
        return value

    def number(self, key: str, least: float = -math.inf) -> float:
        """A number."""
        value = _number(self._values.get(key))
        if value is None or value < least:
            raise self.wrong(key, f"{key} must be a number" + (f", {least:g} or more" if least > -math.inf else ""))
        return value

    def numbers(self, key: str, *counts: int) -> tuple[float, ...]:
        """A list of numbers; so many of them, if counts are given."""
        value = self._values.get(key)
        found = [_number(part) for part in value] if isinstance(value, list) else [None]
        if None in found or (counts and len(found) not in counts):
            raise self.wrong(key, f"{key} must be a list of {' or '.join(map(str, counts)) or 'only'} numbers")
        return tuple(part for part in found if part is not None)

    def rows(self, key: str, length: int, count: int | None = None) -> tuple[tuple[float, ...], ...]:
        """A list of lists of numbers, all of one length."""
        value = self._values.get(key)
        rows = (
            [tuple(map(_number, row)) if isinstance(row, list) else () for row in value]
            if isinstance(value, list)
            else [()]
        )
        if any(len(row) != length or None in row for row in rows) or count not in (None, len(rows)):
            raise self.wrong(key, f"{key} must be {count or 'any number of'} lists of {length} numbers each")
        return tuple(tuple(part for part in row if part is not None) for row in rows)

    def texts(self, key: str, *allowed: str) -> tuple[str, ...]:
        """A list of texts; each one of these, if some are given."""
        value = self._values.get(key)
        if not isinstance(value, list) or not all(isinstance(p, str) and (not allowed or p in allowed) for p in value):
            raise self.wrong(key, f"{key} must be a list of {', '.join(map(repr, allowed)) or 'texts'}")
        return tuple(value)

    def wrong(self, key: str, why: str) -> BadFile:
        """What to raise where a value cannot be."""
        place = _line_of(self._text, self.name, key)
        where = f"line {place}" if place else f"in [{self.name}]" if self.name else "at its top"
        lacks = "" if place else f" {key} lacks;"
        return BadFile(f"{self._path}, {where}:{lacks} {why}; put it right or {self._again}")


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    return float(value)


def _last(text: str) -> int:
    return max(1, len(text.splitlines()))


def _line_of(text: str, table: str, key: str) -> int | None:
    """The number of the line where a key of a table, or a table itself, begins."""
    within = ""
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[\s*([\w.-]+)\s*\]", line):
            within = header[1]
            if not table and within == key:
                return number
        elif within == table and re.match(rf"\s*{re.escape(key)}\s*=", line):
            return number
    return None
