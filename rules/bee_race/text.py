"""A race of Bee in text: who plays how, the round, the claims, the board and the dice; and how it is shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from rules.bee.setup import FEWEST, MOST, board_faults, dice_faults, strays
from rules.bee.state import Bee, BeeState, dice_text, parse_dice
from rules.bee_race.moves import Claim, parsed
from rules.bee_race.state import HESITATION_S, MOST_PLAYERS, TIMER_S, Phase, Race, said
from rules.bee_race.variants import WAYS, of_variant
from rules.board import EMPTY, Board, Cell
from rules.errors import BadText, BadVariant
from rules.game import IllegalMove, Problem
from rules.words import count, listing, player

_KEYS = (
    "players", "variant", "points", "dice", "rounds", "round", "series", "together", "phase", "queen", "came", "claims",
    "failed", "flown", "scored", "deadline", "since", "timer", "hesitation", "boards", "luck", "bees", "board",
)  # fmt: skip
LEFT = (Phase.RETURNING, Phase.SETTLED)
"""When dice may stand wherever somebody left them."""

_N = TypeVar("_N", int, float)


def written(state: Race) -> str:
    """The text of a state; `parse_race` reads it back."""
    lines = [f"players: {state.players}", f"points: {' '.join(map(str, state.points))}"]
    lines += [f"dice: {state.dice}", f"rounds: {state.rounds}", f"round: {state.round}"]
    lines += [f"{name}: yes" for name, on in (("series", state.series), ("together", state.together)) if on]
    lines += [f"phase: {state.phase.value}", f"boards: {state.boards}"]
    numbers = (
        ("queen", state.queen),
        ("came", state.queen_s),
        ("luck", state.luck),
        ("deadline", state.deadline_s),
        ("since", state.since_s),
    )
    lines += [f"{name}: {number!r}" for name, number in numbers if number is not None]
    seats = (("failed", state.failed), ("scored", state.scored))
    lines += [f"{name}: {' '.join(str(seat + 1) for seat in held)}" for name, held in seats if held]
    lines += [f"claims: {' '.join(map(str, state.claims))}"] if state.claims else []
    usual = (
        ("flown", state.flown, 0),
        ("timer", state.timer_s, TIMER_S),
        ("hesitation", state.hesitation_s, HESITATION_S),
    )
    lines += [f"{name}: {number!r}" for name, number, standard in usual if number != standard]
    lines += [f"bees: {dice_text(state.board, state.bees)}"] if state.bees else []
    return "\n".join([*lines, "board:", *str(state.board).splitlines()] if state.board.placed else lines)


class _Lines:
    """The entries of a text, each with its line."""

    def __init__(self, text: str) -> None:
        self.board, self.entries = EMPTY, dict[str, tuple[int, str]]()
        lines = text.split("\n")
        for number, line in enumerate(lines, 1):
            key, colon, value = line.partition(":")
            key = key.strip().lower()
            if key in _KEYS and colon:
                self.entries[key] = (number, value.strip())
            elif line.strip():
                raise BadText(f"a line begins with {listing([f'{each}:' for each in _KEYS], 'or')}", number)
            if key == "board":
                self.board = _board("\n".join(lines[number:]), number)
                break

    def line(self, key: str) -> int:
        """Where an entry stands."""
        return self.entries.get(key, (1, ""))[0]

    def text(self, key: str) -> str:
        """What it says, "" where it is not there."""
        return self.entries.get(key, (1, ""))[1]

    def number(self, key: str, usual: _N, least: int = 0, most: int = 1 << 40) -> _N:
        """The number that it says. Raises BadText."""
        if not (text := self.text(key)):
            return usual
        try:
            value = type(usual)(text)
        except ValueError:
            raise BadText(f"{text!r} is no number", self.line(key), len(key) + 3) from None
        if not least <= value <= most:
            raise BadText(f"{key}: {text} is not between {least} and {most}", self.line(key), len(key) + 3)
        return value

    def known(self, key: str, usual: _N) -> _N | None:
        """The number that it says, None where it is not there."""
        return self.number(key, usual) if self.text(key) else None

    def says(self, key: str) -> bool:
        """Whether it says yes; no where it is not there. Raises BadText."""
        if self.text(key) not in ("yes", "no", ""):
            raise BadText(f"{self.text(key)!r} is neither yes nor no", self.line(key), len(key) + 3)
        return self.text(key) == "yes"

    def seats(self, key: str, players: int) -> tuple[int, ...]:
        """The seats of the players that it lists."""
        words = self.text(key).split()
        if not all(word.isdecimal() and 1 <= int(word) <= players for word in words):
            raise BadText(f"players have the numbers 1 to {players}", self.line(key), len(key) + 3)
        return tuple(int(word) - 1 for word in words)

    def claims(self, players: int) -> tuple[Claim, ...]:
        """What was claimed, in order."""
        if not self.text("claims"):
            return ()
        try:
            moves = parsed(self.text("claims"))
        except IllegalMove as bad:
            raise BadText(str(bad).removesuffix("."), self.line("claims"), 9) from None
        claims = tuple(move for move in moves if isinstance(move, Claim) and move.seat < players)
        if len(claims) < len(moves) or len({claim.seat for claim in claims}) < len(claims):
            raise BadText("each player claims once, as 2:5 or 2:impossible", self.line("claims"), 9)
        return claims


def _board(text: str, line: int) -> Board:
    try:
        board = Board.parse(text)
    except BadText as bad:
        raise BadText(bad.reason, bad.line + line, bad.column) from None
    for problem in board_faults(board):
        raise _bad(problem, line + 1)
    return board.shifted(-board.top_left.row, -board.top_left.col)


def parse_race(text: str) -> Race:
    """The race that a text holds; what it lacks is as in a new series for two. Raises BadText with line and column."""
    lines = _Lines(text)
    players = lines.number("players", 2, 1, MOST_PLAYERS)
    race = _agreed(lines, players)
    board = lines.board
    phase = _phase(lines, board)
    race = replace(race, phase=phase, board=board, bees=_bees(lines, board), queen=lines.known("queen", 0))
    race = replace(
        race,
        queen_s=lines.known("came", 0.0),
        claims=lines.claims(players),
        failed=lines.seats("failed", players),
        flown=lines.number("flown", 0),
        scored=lines.seats("scored", players),
        deadline_s=lines.known("deadline", 0.0),
        since_s=lines.known("since", 0.0),
        boards=lines.number("boards", 1 if board.placed else 0),
    )
    _require_sense(lines, race)
    _require_clock(lines, race)
    return race


def _agreed(lines: _Lines, players: int) -> Race:
    """How many play how many rounds in which way."""
    variant = lines.text("variant") or WAYS[0]
    try:
        race = of_variant(variant, players)
    except BadVariant as bad:
        raise BadText(str(bad), lines.line("variant"), 10) from None
    series, together = lines.says("series"), lines.says("together")
    if lines.text("dice"):
        race = replace(race, dice=lines.number("dice", FEWEST, FEWEST, MOST), series=series)
        race = replace(race, rounds=race.dice - 2)
    points = tuple(map(int, lines.text("points").split())) if _are_numbers(lines.text("points")) else race.points
    if len(points) != players:
        raise BadText(f"{count(players, 'number')} of points are needed", lines.line("points"), 9)
    return replace(
        race,
        points=points,
        together=race.together or together,
        rounds=lines.number("rounds", race.rounds, 1),
        round=lines.number("round", 1, 1),
        timer_s=lines.number("timer", TIMER_S, 1),
        hesitation_s=lines.number("hesitation", HESITATION_S, 1),
        luck=lines.known("luck", 0),
    )


def _are_numbers(text: str) -> bool:
    return bool(text) and all(map(str.isdecimal, text.split()))


def _phase(lines: _Lines, board: Board) -> Phase:
    usual = Phase.ROLLING if board.placed else Phase.SETTING_UP
    name = lines.text("phase") or usual.value
    if name not in [phase.value for phase in Phase]:
        raise BadText(f"a phase is {listing([phase.value for phase in Phase], 'or')}", lines.line("phase"), 8)
    return Phase(name)


def _bees(lines: _Lines, board: Board) -> tuple[Bee, ...]:
    if lines.text("bees") and not board.placed:
        raise BadText("bees need a board: below them", lines.line("bees"), 7)
    return parse_dice(lines.text("bees"), board, lines.line("bees"), 7) if lines.text("bees") else ()


def _require_sense(lines: _Lines, race: Race) -> None:
    """Raises BadText for a race that cannot be: dice that cannot stand so, a demonstration of nothing."""
    if race.phase is not Phase.SETTING_UP:
        if not race.board.placed:
            raise BadText(f"{race.phase.value} needs a board", lines.line("phase"), 8)
        if max(race.board.pips.values()) != race.dice:
            raise BadText(f"with {race.dice} dice the board has {len(race.used)} dominoes", lines.line("board"))
    if race.phase in (Phase.SETTING_UP, Phase.ROLLING):
        _require_no_queen(lines, race)
        if race.phase is Phase.ROLLING and (race.bees != race.home or not race.empty):
            raise BadText("while a die is rolled all others stand on their starting spaces", lines.line("bees"), 7)
        return
    if race.queen is None:
        raise BadText(f"{race.phase.value} needs a queen", lines.line("phase"), 8)
    swarm = BeeState(race.board, race.home, race.queen) if race.phase in LEFT else race.swarm
    assert swarm
    for problem in (*dice_faults(race.board, swarm.bees, race.queen), *strays(swarm)):
        raise _bad(problem, lines.line("bees"))
    _require_demonstration(lines, race)


def _require_no_queen(lines: _Lines, race: Race) -> None:
    """Raises BadText for what a round has only once its queen has come."""
    for key, there in (("queen", race.queen is not None), ("claims", bool(race.claims))):
        if there:
            text = (
                f"while {race.phase.value} there is no {key.removesuffix('s')} yet: add phase: solving, or leave it out"
            )
            raise BadText(text, lines.line(key))


def _require_demonstration(lines: _Lines, race: Race) -> None:
    """Raises BadText where nobody can demonstrate though somebody has to."""
    if race.phase in (Phase.FLYING, Phase.RETURNING) and not race.together and not race.shown:
        raise BadText(f"{race.phase.value} needs claims", lines.line("phase"), 8)
    if race.phase is Phase.FLYING and race.left < 1:
        raise BadText("all flights that were claimed are flown: then the round is over", lines.line("flown"), 8)
    if race.phase is Phase.SOLVING and (race.together or race.bees != race.home):
        raise BadText("before the time is up all dice stand on their starting spaces", lines.line("phase"), 8)


def _require_clock(lines: _Lines, race: Race) -> None:
    """Raises BadText for an end of the time where none runs."""
    runs = race.claims if race.phase is Phase.SOLVING else race.phase is Phase.FLYING and not race.together
    if race.deadline_s is not None and not runs:
        raise BadText(
            f"no time runs while {race.phase.value}: nobody has claimed, or has to fly", lines.line("deadline")
        )


def _bad(problem: Problem, line: int) -> BadText:
    return BadText(problem.text[0].lower() + problem.text[1:].rstrip("."), line)


def told(state: Race) -> str:
    """The board with the dice on it, in brackets the queen, the claims and the points."""
    lines = [_score(state)]
    if state.board.placed and state.phase is not Phase.SETTING_UP:
        lines += _drawn(state)
    lines += [f"{player(claim.seat)}: {said(claim)}" for claim in (*state.ranked, *_ends(state))]
    return "\n".join(lines)


def _ends(state: Race) -> Iterator[Claim]:
    if state.impossible:
        yield state.impossible


def _score(state: Race) -> str:
    extra = " (an extra round)" if state.round > state.rounds else f" of {state.rounds}"
    points = [f"{player(seat)} {had}" for seat, had in enumerate(state.points)]
    scored = count(state.points[0], "point") if state.together else f"points: {', '.join(points)}"
    return f"Round {state.round}{extra}, {scored}"


def _drawn(state: Race) -> Iterator[str]:
    """The board, three characters a half: a die as (3), the queen as [3], all else as its number of pips."""
    at = {bee.cell: bee.number for bee in state.bees}
    for row, line in enumerate(str(state.board).splitlines()):
        drawn = ""
        for col, character in enumerate(line):
            number = at.get(Cell(row // 2, col // 2)) if row % 2 == col % 2 == 0 else None
            if number is not None:
                drawn += f"[{number}]" if number == state.queen else f"({number})"
            else:
                drawn += f" {character} " if col % 2 == 0 else character
        yield drawn.rstrip()
