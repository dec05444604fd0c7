"""How a game begins on a real table: from a published problem, from a text, or with a shuffle that nobody knows."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from pipsight.trouble import PipsightError
from rules.errors import BadText, BadVariant
from rules.game import Starts
from rules.games import game
from rules.players import Seated, SetsUp
from rules.puzzles import begun as from_text
from rules.puzzles import problem as find_problem
from rules.words import count, listing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rules.game import Game
    from rules.table import TableSide


REFEREED = "cobra_paw"  # the game in which the first finger decides


class CannotBegin(PipsightError, ValueError):
    """The game cannot be begun like that; the text says what it takes."""


def opening(
    slug: str,
    problem: str | None = None,
    players: int | None = None,
    variant: str = "",
    text: str = "",
    seats: Sequence[TableSide] = (),
) -> tuple[Game[Any, Any], Any]:
    """The game, and the state in which it begins; None where whatever lies on the table is the start.

    problem: the number of a published one, or a file. players, variant: for games that are shuffled; who holds what is
    unknown then. text: what the file of the problem held, where it need not be there any more. seats: the sides of the
    picture where the players sit, where it matters and they do not sit as usual. Raises RulesError or CannotBegin.
    """
    rules = game(slug)
    number = players or rules.info.players[0]
    require(rules, number, variant)
    _require_seats(rules, number, seats, problem)
    if problem is not None:
        return rules, from_text(slug, text, problem) if text else find_problem(slug, problem)
    return rules, _shuffled(rules, number, variant, seats) if isinstance(rules, SetsUp) else None


def require(rules: Game[Any, Any], players: int, variant: str = "") -> None:
    """Raises CannotBegin where a game is for another number of players, or so many cannot play it so."""
    least, most = rules.info.players
    if not least <= players <= most:
        many = count(most, "player") if least == most else f"{least} to {most} players"
        raise CannotBegin(f"{rules.info.title} is for {many}, not {players}")
    if variant and not _has(rules, players, variant):
        raise CannotBegin(f"{rules.info.title} has no variant {variant!r}{_there_is(rules, players)}")


def _require_seats(rules: Game[Any, Any], players: int, seats: Sequence[TableSide], problem: str | None) -> None:
    """Raises CannotBegin for seats where they do not matter, and for others than one a player."""
    if seats and rules.info.slug != REFEREED:
        raise CannotBegin(f"{rules.info.title} does not ask where players sit, only Cobra Paw does: leave --seats out")
    if seats and problem is not None:
        raise CannotBegin(f"leave --seats out: {problem} says where they sit")
    if seats and not len(seats) == len(set(seats)) == players:
        many = count(players, "player")
        raise CannotBegin(f"{many} sit at as many sides of the picture, each at one, not at {listing(list(seats))}")


def require_as_written(
    rules: Game[Any, Any], state: Any, problem: str, players: int | None = None, variant: str = ""
) -> int:
    """How many play what a problem sets up. Raises CannotBegin where it is to be played by others, or another way."""
    number = state.players if isinstance(state, Seated) else rules.info.players[0]
    if players not in (None, number):
        raise CannotBegin(f"--players {players}: in {problem} there {'is' if number == 1 else 'are'} {number}")
    if variant:
        raise CannotBegin(f"leave --variant out: {problem} says what is played")
    return number


def _there_is(rules: Game[Any, Any], players: int) -> str:
    """The variants that so many may choose among, each in quotes: some have a comma in their names."""
    if not isinstance(rules, SetsUp):
        return ""
    fitting = variants(rules, players)
    among = f" for {count(players, 'player')}" if len(fitting) < len(rules.variants) else ""
    return f"{among}: choose {listing([repr(one) for one in fitting], 'or')}"


def variants(rules: Game[Any, Any], players: int) -> list[str]:
    """The ways to play a game that so many may choose among; [] for one that is not shuffled."""
    return [one for one in rules.variants if _has(rules, players, one)] if isinstance(rules, SetsUp) else []


def _has(rules: Game[Any, Any], players: int, variant: str) -> bool:
    """Whether a game can be set up so; one that takes more than the variants that it lists says itself why not."""
    if not isinstance(rules, SetsUp):
        return False
    try:
        rules.set_up(players, Random(0), variant)
    except BadVariant as bad:
        raise CannotBegin(str(bad).removesuffix(".")) from None
    except ValueError:
        return False
    return True


def _shuffled(rules: Game[Any, Any], players: int, variant: str, seats: Sequence[TableSide]) -> Any:
    """The start whose shuffle nobody knows; None for a game whose whole shuffle lies open on the table."""
    if not isinstance(rules, Starts):
        return None
    lines = [f"variant: {variant}"] if variant else []
    lines += [f"sides: {' '.join(seats)}"] if seats else []
    try:
        return rules.start("\n".join([*lines, f"players: {players}"]))
    except BadText:
        return None
