"""Of what positions in text are made: lines "name: value", and parts that a line of "===" divides."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple, TypeAlias

from rules.errors import BadText

Entries: TypeAlias = dict[str, tuple[int, str]]
"""By its name, the number of the line where each stands, and the value as it stands there."""

_DIVIDES = re.compile(r"^=+[ \t]*$", re.MULTILINE)


class Parts(NamedTuple):
    """A text in two parts: what stands above a line of "===", what stands below it, after so many lines."""

    above: str
    below: str
    lines: int


def parted(text: str) -> Parts | None:
    """The two parts of a text; None where no line of "===" divides it."""
    found = _DIVIDES.search(text)
    if not found:
        return None
    above = text[: found.start()]
    return Parts(above, text[found.end() :].removeprefix("\n"), above.count("\n") + 1)


def entries(lines: Iterable[str], names: Collection[str], like: str, enough: str) -> Entries:
    """What each line gives that is not empty. Raises BadText for other names, a name twice, and nothing at all.

    like: what a line looks like, and enough: what would do, each as it is told to whoever wrote something else.
    """
    given: Entries = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        name, colon, value = line.partition(":")
        name = " ".join(name.lower().split())
        if not colon or name not in names:
            raise BadText(f"{line.strip()!r} is not understood; a line is like {like}", number)
        if name in given:
            raise BadText(f"{name} stands there twice", number)
        given[name] = number, value
    if not given:
        raise BadText(f"nothing is given: {enough}")
    return given


def number_of(given: Entries, name: str) -> int:
    """The number that stands there by its name. Raises BadText where it is none."""
    line, text = given[name]
    if not text.strip().isdecimal():
        raise BadText(f"{name} is a number, not {text.strip()!r}", line)
    return int(text)
