"""Games that were left in text, each a file in one folder: where one is kept, which one is meant, which there are."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from pipsight.places import resuming, state_folder, writable
from pipsight.sitting import CannotPlay, resumed
from rules.games import game
from rules.words import listing

if TYPE_CHECKING:
    from pipsight.sitting import Sitting
    from rules.game import Game

MOST_NAMED = 5
SAVED = ".json"


def games_folder() -> Path:
    """Where games are kept that nobody named a file for; it need not exist yet."""
    return state_folder() / "games"


def new_place(game: Game[object, object]) -> Path:
    """A file of its own for a game that somebody leaves; it is made at once: nobody else takes it."""
    folder, name = writable(games_folder()), f"{game.info.slug}-{time.strftime('%Y%m%d-%H%M%S')}"
    number = 1
    while True:
        place = folder / (f"{name}{SAVED}" if number == 1 else f"{name}-{number}{SAVED}")
        try:
            place.touch(exist_ok=False)
        except FileExistsError:
            number += 1
        else:
            return place


def kept_game(name: str) -> Path:
    """The saved game that is meant: a file, or the name of one in the folder of games.

    Raises CannotPlay, which tells the newest ones, where nothing is named or there is no such file.
    """
    path = Path(name)
    if name and path.exists():
        return path
    if there := named_in(games_folder(), name, SAVED):
        return there
    raise CannotPlay(f"{f'there is no saved game {name}' if name else 'name a saved game'}: {_there_are()}")


def is_saved_game(source: str) -> bool:
    """Whether what is named is a saved game, by its ending."""
    return Path(source).suffix.lower() == SAVED


def game_left(slug: str, source: str) -> Sitting:
    """A saved game where it was left, named by its file or by its name alone in the folder of games.

    Raises BadSave where it cannot be loaded, and CannotPlay where it is not there or of another game than is named.
    """
    sitting = resumed(kept_game(source))
    require_same(slug, sitting, source)
    return sitting


def require_same(slug: str, sitting: Sitting, source: str) -> None:
    """Raises CannotPlay where a saved game is of another game than the one that is named."""
    if sitting.game.info.slug != slug:
        raise CannotPlay(f"{source} is a game of {sitting.game.info.title}, not of {game(slug).info.title}")


def named_in(folder: Path, name: str, ending: str) -> Path | None:
    """The file of that bare name in a folder, whether or not its ending is named; None where there is none."""
    bare = bool(name) and Path(name).name == name
    here = [folder / one for one in (name, f"{name}{ending}")] if bare else []
    return next((one for one in here if one.is_file()), None)


def newest(folder: Path, ending: str) -> list[str]:
    """The names of the files of a folder that end so, the newest first; instead of the old ones how many they are."""
    kept = (path for path in folder.glob(f"*{ending}") if path.is_file())
    names = [path.name for path in sorted(kept, key=lambda path: path.stat().st_mtime, reverse=True)]
    return names[:MOST_NAMED] + ([f"{len(names) - MOST_NAMED} older ones"] if len(names) > MOST_NAMED else [])


def there_are(folder: Path, told: list[str]) -> str:
    """Which files are in a folder, of which there are some, in words."""
    here = f"there is {told[0]}" if len(told) == 1 else f"there are, the newest first, {listing(told)}"
    return f"in {folder} {here}"


def _there_are() -> str:
    folder = games_folder()
    told = newest(folder, SAVED)
    if not told:
        return f"none is kept in {folder}, begin one by pipsight play GAME"
    return f"{there_are(folder, told)}; go on with {resuming(told[0])}"
