"""The lines "name: value" of which positions in text are made."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TypeAlias

from rules.errors import BadText

Entries: TypeAlias = dict[str, tuple[int, str]]
"""By its name, the number of the line where each stands, and the value as it stands there."""


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
