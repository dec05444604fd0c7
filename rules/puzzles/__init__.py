"""The published problems, as data under a licence of their own (LICENSE.md), and problems from a player's own files."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from rules.errors import BadText, RulesError
from rules.game import Starts
from rules.games import game
from rules.words import listing

LARGEST_FILE_BYTES = 1 << 16


class BadProblem(RulesError, ValueError):
    """A problem that does not exist or cannot be read; the message is one sentence with the file, line and column."""


@dataclass(frozen=True)
class Published:
    """A problem from the book: its number, the text that its game starts from, and its solution.

    solution: the finished table in board text, "" where the book gives the moves instead, as "24R, 24R, 23D".
    """

    name: str
    start: str
    solution: str = ""
    moves: str = ""


@cache
def published(slug: str) -> tuple[Published, ...]:
    """The published problems of a game, in the book's order; () for a game without any."""
    data = files(__name__).joinpath(f"{slug}.toml")
    if not data.is_file():
        return ()
    problems = tomllib.loads(data.read_text(encoding="utf-8"))["problem"]
    return tuple(Published(**problem) for problem in problems)


def problem(slug: str, name_or_path: str) -> Any:
    """The state in which a problem begins: a published one by its number, or one of your own by the path of its file.

    Raises BadProblem for a number that does not exist and for a file that cannot be read.
    """
    played = game(slug)
    if not isinstance(played, Starts):
        raise BadProblem(f"{played.info.title} has no problems.")
    if not name_or_path.strip():
        raise BadProblem(f"No problem is named: {_choices(slug)}give the path of a file.")
    by_name = {problem.name: problem for problem in published(slug)}
    if name_or_path in by_name:
        return played.start(by_name[name_or_path].start)
    return begun(slug, written(slug, name_or_path), name_or_path)


def begun(slug: str, text: str, path: str) -> Any:
    """The state that the text of a file sets up, wherever that file is by now. Raises BadProblem, which names it."""
    try:
        played: Any = game(slug)
        return played.start(text)
    except BadText as error:
        raise BadProblem(f"{path}: {error}.") from None


def is_published(slug: str, name: str) -> bool:
    """Whether a published problem of a game is called so."""
    return any(problem.name == name for problem in published(slug))


def written(slug: str, path: str) -> str:
    """The text of a file of one's own. Raises BadProblem for a file that cannot be read."""
    try:
        return _text(_bytes(slug, path))
    except BadText as error:
        raise BadProblem(f"{path}: {error}.") from None


def _bytes(slug: str, path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST_FILE_BYTES + 1)
    except FileNotFoundError:
        raise BadProblem(_unknown(slug, path)) from None
    except OSError as error:
        raise BadProblem(f"{path}: this problem cannot be read: {error.strerror}.") from None
    except ValueError:
        raise BadProblem(_unknown(slug, ascii(path))) from None
    if len(data) > LARGEST_FILE_BYTES:
        raise BadProblem(f"{path}: this file is too large to be a problem.")
    return data


def _text(data: bytes) -> str:
    """The text of a file, its lines ended as everywhere, whatever system wrote it. Raises BadText."""
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadText("this is not text", line, error.start - data.rfind(b"\n", 0, error.start)) from None


def _unknown(slug: str, name: str) -> str:
    choices, title = _choices(slug), game(slug).info.title
    if not choices:
        return f"There is no file {name}, and no published problem of {title}: give the path of a file."
    return f"There is no problem {name} of {title}: {choices}give the path of a file."


def _choices(slug: str) -> str:
    """What there is to choose among, before the words for a file of one's own; "" where nothing was published."""
    names = [problem.name for problem in published(slug)]
    if not names:
        return ""
    numbered = len(names) > 1 and names == [str(number + 1) for number in range(len(names))]
    known = f"from 1 to {len(names)}" if numbered else f"from {listing(names)}" if len(names) > 1 else names[0]
    return f"choose {known}, or "
