"""Saved games: how a game began and the moves in notation, as JSON; loading plays them again by the rules."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

from rules.engine import named
from rules.errors import BadText, RulesError
from rules.game import CHANCE, Game, IllegalMove, Mover, Starts
from rules.games import UnknownGame, game

FORMAT = 1
LARGEST_CHARS = 1 << 22


class BadSave(RulesError, ValueError):
    """A saved game that cannot be loaded; the message is one sentence that says why, and where."""


@dataclass(frozen=True)
class Made:
    """A move that was made: its notation, and who made it, as "player 1", "chance" or "anyone"."""

    move: str
    by: str


@dataclass(frozen=True)
class SavedGame:
    """A game as it is kept.

    start: the text from which the game's `start` sets it up. version: of the pipsight that wrote it. notes: whatever
    else whoever saved it wants to find again, as the seed of its dice.
    """

    slug: str
    start: str
    moves: tuple[Made, ...] = ()
    variant: str = ""
    version: str = ""
    notes: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Loaded:
    """A saved game that was played again: its rules, and every state from the first to the last."""

    game: Game[Any, Any]
    states: tuple[Any, ...]


def maker(game: Game[Any, Any], state: Any) -> str:
    """Who makes the next move, in a word or two."""
    who = game.to_move(state)
    return who.value if isinstance(who, Mover) else f"player {who + 1}"


def dumps(saved: SavedGame) -> str:
    """The game as JSON text."""
    told = asdict(saved)
    kept = {
        "format": FORMAT,
        "pipsight": told["version"],
        "game": told["slug"],
        "variant": told["variant"],
        "start": told["start"].split("\n"),
        "moves": [[made.move, made.by] for made in saved.moves],
        "notes": told["notes"],
    }
    return json.dumps(kept, indent=1, ensure_ascii=False) + "\n"


def loads(text: str) -> SavedGame:
    """The game that a text holds; its moves are not looked at yet. Raises BadSave."""
    if len(text) > LARGEST_CHARS:
        raise BadSave("This file is too large to be a saved game.")
    try:
        told = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        where = f" (line {error.lineno}, column {error.colno})" if isinstance(error, json.JSONDecodeError) else ""
        raise BadSave(f"This is no saved game, for it is no JSON{where}.") from None
    if not isinstance(told, dict) or "format" not in told:
        raise BadSave("This is no saved game: it names no format.")
    version = told.get("pipsight", "")
    if told["format"] != FORMAT:
        by = f"pipsight {version}" if version else "another pipsight"
        raise BadSave(f"This game was saved by {by} in format {told['format']}, and this one knows format {FORMAT}.")
    return _checked(told)


def _checked(told: dict[str, Any]) -> SavedGame:
    lines, moves = told.get("start"), told.get("moves")
    if not (isinstance(lines, list) and all(isinstance(line, str) for line in lines)):
        raise BadSave("This saved game lacks its start, a list of lines.")
    if not isinstance(moves, list):
        raise BadSave("This saved game lacks its moves, a list.")
    for number, move in enumerate(moves, 1):
        if not (isinstance(move, list) and len(move) == 2 and all(isinstance(word, str) for word in move)):
            raise BadSave(f"Move {number} of this saved game is not a move and who made it: {json.dumps(move)[:60]}.")
    slug, variant, version, notes = (told.get(name, "") for name in ("game", "variant", "pipsight", "notes"))
    made = tuple(Made(*move) for move in moves)
    return SavedGame(
        str(slug), "\n".join(lines), made, str(variant), str(version), notes if isinstance(notes, dict) else {}
    )


def replayed(saved: SavedGame) -> Loaded:
    """The saved game, played again. Raises BadSave for an unknown game, and at the first move that is refused."""
    since = f" It was saved by pipsight {saved.version}." if saved.version else ""
    try:
        rules = game(saved.slug)
    except UnknownGame as unknown:
        raise BadSave(f"This saved game cannot be loaded: {unknown}{since}") from None
    if not isinstance(rules, Starts):
        raise BadSave(f"{rules.info.title} cannot be set up from a text.")
    try:
        state = rules.start(saved.start)
    except BadText as bad:
        raise BadSave(f"The start of this game of {rules.info.title} is no longer understood: {bad}.{since}") from None
    states = [state]
    for number, made in enumerate(saved.moves, 1):
        try:
            states.append(_after(rules, states[-1], made))
        except IllegalMove as refused:
            text = f"Move {number}, {made.move} by {made.by}, is no longer allowed: {refused}{since}"
            raise BadSave(text) from None
    return Loaded(rules, tuple(states))


def _after(rules: Game[Any, Any], state: Any, made: Made) -> Any:
    """The state after a move. Raises IllegalMove, also where the game is over or it is somebody else's turn."""
    if rules.outcome(state):
        raise IllegalMove("The game is over.")
    if made.by not in (maker(rules, state), CHANCE.value):
        raise IllegalMove(f"It is the turn of {maker(rules, state)}.")
    for move in named(rules, state, made.move):
        state = rules.play(state, move)
    return state
