"""Domino Finder: walk over secret numbers, find the domino that the dice show, and remember where the traps are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from random import Random

from rules.board import Board, Cell, Placed
from rules.colors import SHADES
from rules.diagram import Diagram
from rules.domino import Domino
from rules.ended import judged
from rules.finder.advice import advice
from rules.finder.halfway import left_to_do
from rules.finder.outlook import Outlook
from rules.finder.reading import agrees, differences, read_search, to_table, towards, tried
from rules.finder.state import (
    BLANKS,
    FILES,
    FULL_SET,
    GOALS,
    PLAIN,
    ROWS,
    Face,
    Flip,
    Idle,
    Move,
    Search,
    Seen,
    Step,
    Tile,
    cell_at,
    halves,
    hidden,
    place_of,
    square,
)
from rules.finder.text import parsed, told
from rules.finder.turns import flips, played
from rules.game import (
    CHANCE,
    Expected,
    Game,
    GameInfo,
    IllegalMove,
    Mover,
    Outcome,
    Problem,
    Seat,
    Verdict,
)
from rules.players import Suggestion
from rules.table import Die, Piece, Place, Table
from rules.two_dice import ROLLS, Roll, roll_named
from rules.watch import Watch
from rules.words import count, listing, pair, player, said

USUAL = "standard"
_FLIP = re.compile(r"([a-h][1-7])([RLUD]?)", re.IGNORECASE)
_SEEN = re.compile(r"=([0-6])([0-6])")


class Finder(Game[Search, Move]):
    """The memory game by Don Kirkby, for two to four. What was seen once is known to all, though it is turned down.

    A trap is a blank on the half next to the pawn; a treasure turns every open domino with a blank face down unless a
    pawn is on it. Where a player can reach no face-down domino the turn is passed; if all pass, most treasures win.
    """

    info = GameInfo(
        "finder",
        "Domino Finder",
        (2, 4),
        "a double-six set",
        ("a pawn for each player", "two dice"),
        "board",
        (Expected("pawn", 2, 4, by_color=True), Expected("die", 0, 2, together=True)),
    )
    variants = (USUAL,)

    def set_up(self, players: int, chance: Random, variant: str = "") -> Search:
        """Seven rows of four, one domino with a blank in each; nobody has rolled yet."""
        if players not in GOALS:
            raise ValueError(f"Domino Finder is for 2 to 4 players, not {players}.")
        if variant not in ("", USUAL):
            raise ValueError(f"Domino Finder has no variant {variant!r}: there is {USUAL!r}.")
        blanks, plain = chance.sample(BLANKS, len(BLANKS)), chance.sample(PLAIN, len(PLAIN))
        tiles: list[Tile] = []
        for row in range(ROWS):
            dominoes = [blanks[row], *plain[3 * row : 3 * row + 3]]
            chance.shuffle(dominoes)
            tiles += [Tile((d.high, d.low) if chance.random() < 0.5 else (d.low, d.high)) for d in dominoes]
        return Search.fresh(players, tuple(tiles))

    def start(self, text: str) -> Search:
        """The state that a text holds, as `str` writes it; "players: 2" is enough. Raises BadText."""
        return parsed(text)

    def read(self, table: Table, before: Search | None = None) -> Search:
        """The rows, pawns and dice on the table, with the numbers that were seen before. Raises UnreadableTable."""
        return read_search(table, before)

    def candidates(self, state: Search) -> Iterator[Move]:
        """The flips that the pawn can reach; or the rolls, or what a flipped domino may show."""
        if state.is_over:
            return
        if state.rolls or state.rolling:
            yield from (roll for roll, _ in ROLLS)
        elif state.looking:
            yield from (look for look, _ in Outlook(state).looks(place_of(state.looking)))
        elif state.turn in state.skips:
            yield Idle.SKIP
        else:
            yield from flips(state)
            yield Idle.PASS

    def plays(self, state: Search) -> Iterator[tuple[Move, Search]]:
        """Every legal move with what it leads to, worked out once for all steps onto a half."""
        entered: dict[Cell, Search] = {}
        for move in self.candidates(state):
            if move is Idle.PASS and entered:
                continue
            if not isinstance(move, Flip):
                yield move, played(state, move)
                continue
            if move.half not in entered:
                entered[move.half] = played(state, move)
            yield move, entered[move.half]

    def play(self, state: Search, move: Move) -> Search:
        """A roll, a flip, what it shows, a turn skipped or passed. Raises IllegalMove."""
        return played(state, move)

    def outcome(self, state: Search) -> Outcome | None:
        """Won by who has enough treasures; where nobody can go on, by who has most."""
        if not state.is_over:
            return None
        scores = tuple(map(len, state.found))
        best = tuple(seat for seat, score in enumerate(scores) if score == max(scores))
        names = listing([player(seat) for seat in best])
        verb = "wins" if len(best) == 1 else "win together"
        stuck = "" if max(scores) >= state.goal else "Nobody can reach a face-down domino: "
        return Outcome(True, best, scores, f"{stuck}{names} {verb} with {count(max(scores), 'treasure')}.")

    def describe(self, state: Search, move: Move) -> str:
        """A move in a sentence, with what comes of it."""
        who = player(state.turn)
        if isinstance(move, Roll):
            return _rolled(state, move)
        if isinstance(move, Idle):
            return f"{who} skips a turn." if move is Idle.SKIP else f"{who} can reach no face-down domino and passes."
        if isinstance(move, Seen):
            half = state.looking or Cell(0, 0)
            shown = f"{who} finds the {pair(move.head, move.tail)} at {square(half)}"
            return shown + _effect(state, (move.head, move.tail), half)
        pips = state.tile_at(move.half).pips
        flipped = f"{who} flips the domino at {square(move.half)}"
        return f"{flipped}, the {pair(*pips)}{_effect(state, pips, move.half)}" if pips else f"{flipped}."

    def to_move(self, state: Search) -> Seat | Mover:
        """Whose turn it is; chance rolls, and shows what nobody knows."""
        chance = not state.is_over and (state.rolls or state.rolling or state.looking)
        return CHANCE if chance else state.turn

    def chances(self, state: Search) -> Iterable[tuple[Move, float]]:
        """Two dice; or what the flipped domino may be, by its row and by what was seen."""
        if self.to_move(state) is not CHANCE:
            return ()
        if state.looking:
            return tuple(Outlook(state).looks(place_of(state.looking)))
        return ROLLS

    def visible(self, state: Search, seat: Seat) -> Search:
        """All but the numbers that nobody has seen."""
        return hidden(state)

    def agrees(self, expected: Search, seen: Search) -> bool:
        """Whether the same lies open, face down and nowhere, with the same pawns and dice."""
        return agrees(expected, seen)

    def dominoes(self, table: Table, before: Search | None = None) -> Iterable[Domino]:
        """A double-six set."""
        return FULL_SET

    def cells(self, state: Search, move: Move) -> tuple[Cell, ...]:
        """The domino that is flipped, the half next to the pawn first."""
        if not isinstance(move, Flip):
            return ()
        return move.half, next(half for half in halves(place_of(move.half)) if half != move.half)

    def moves(self, state: Search, text: str) -> tuple[Move, ...]:
        """The move that a word names: "d4R" or "d4", "=24", "roll(5-3)", "skip", "pass"."""
        flip, roll, seen = _FLIP.fullmatch(text), roll_named(text), _SEEN.fullmatch(text)
        if flip:
            half = cell_at(flip[1].lower())
            steps = [Step(flip[2].upper())] if flip[2] else list(Step)
            ways = [Flip(half, step) for step in steps]
            return (next((way for way in ways if state.gives_way(way.stand)), ways[0]),)
        if roll:
            return (roll,)
        if seen:
            return (Seen(int(seen[1]), int(seen[2])),)
        if text in (idle.value for idle in Idle):
            return (Idle(text),)
        raise IllegalMove(f"{text} is no move: d4R, d4, =24, roll(5-3), skip and pass are.")

    def attempts(self, state: Search, seen: Search) -> Iterable[Move]:
        """The domino that was flipped, from where the pawn stands now."""
        return tried(state, seen)

    def towards(self, state: Search, seen: Search) -> Iterable[Move]:
        """The flips of what lies open now, with the numbers that it shows; rolls, and turns without a flip."""
        return towards(state, seen)

    def differences(self, state: Search, seen: Search) -> Iterable[Problem]:
        """What was turned, came and went, and which pawns moved."""
        return differences(state, seen)

    def on_table(self, state: Search, seen: Search, cell: Cell) -> Cell:
        """The cell of the table that was read."""
        return to_table(seen, cell)

    def left_to_do(self, state: Search, seen: Search) -> str:
        """Where the pawn still goes, and what is still turned or taken, once a domino was flipped."""
        return left_to_do(state, seen)

    def check(self, table: Table, before: Search | None = None) -> Verdict:
        """Whether the table can be a moment of the game, and whether it is over."""
        return judged(self, table, before, bare=not (table.board.placed or table.face_down))

    def diagram(self, state: Search) -> Diagram:
        """The rows with what lies open, the pawns, and the treasure in the caption."""
        board = Board(
            tuple(
                Placed.on(*halves(place), *tile.pips)
                for place, tile in enumerate(state.tiles)
                if tile.face is Face.UP and tile.pips
            )
        )
        backs = tuple(Place(halves(place)) for place, tile in enumerate(state.tiles) if tile.face is Face.DOWN)
        pawns = tuple(Piece(SHADES[color], cell) for color, cell in zip(state.colors, state.pawns, strict=True))
        dice = tuple(map(Die, state.dice or ()))
        caption = f"The treasure is the {said(state.target)}." if state.target else ""
        table = Table(board, face_down=backs, pawns=pawns, dice=dice)
        return Diagram(table, caption=caption, ranks="1234567", files=FILES)

    def suggest(self, state: Search, watch: Watch, chance: Random) -> tuple[Suggestion[Move], ...]:
        """The flips by the chance of the treasure for what the way there costs, traps counted."""
        if self.to_move(state) is CHANCE or state.is_over:
            return ()
        return advice(state, watch, chance)

    def owed(self, state: Search) -> str:
        """What has to be done now."""
        who = player(state.turn)
        if state.is_over:
            return "The game is over."
        if state.rolls or state.rolling:
            return _to_roll(state)
        if state.looking:
            return f"Say what the domino at {square(state.looking)} shows, as =24."
        if state.turn in state.skips:
            return f"{who} stepped in a trap and skips this turn."
        if next(flips(state), None) is None:
            return f"{who} can reach no face-down domino and passes."
        begins = " from beside the board" if state.pawns[state.turn] is None else ""
        return f"{who} flips a face-down domino{begins}."

    def told(self, state: Search, seat: Seat | None = None) -> str:
        """The rows with the chance of a trap in each, the pawns, the treasures and what is looked for."""
        return told(state, seat)


def _to_roll(state: Search) -> str:
    """Who rolls both dice, and what for; the treasures after the first one anybody may roll for."""
    who = player(state.turn)
    if state.rolls:
        if max(state.rolls) == 0 > min(state.rolls):
            tied = [player(seat) for seat, rolled in enumerate(state.rolls) if rolled == 0]
            return f"{listing(tied)} rolled the same: {who} rolls both dice again."
        return f"{who} rolls both dice: the highest sum begins."
    if not any(state.found) and not any(state.pawns):
        return f"{who} begins, and rolls both dice for the treasure."
    just_found = state.found[(state.turn + 1) % state.players][-1:]  # whoever had the turn before
    again = " again" if state.dice and Domino.of(*state.dice) not in just_found else ""
    return f"Roll both dice{again} for the next treasure."


def _rolled(state: Search, move: Roll) -> str:
    shown = f"The dice show {move.dice[0]} and {move.dice[1]}"
    if state.rolls:
        return f"{player(state.turn)} rolls {move.dice[0]} + {move.dice[1]} = {sum(move.dice)}."
    domino = Domino.of(*move.dice)
    if domino in state.taken:
        return f"{shown}: the {said(domino)} is taken, so they are rolled again."
    lying = next((k for k, tile in enumerate(state.tiles) if tile.face is Face.UP and tile.domino == domino), None)
    if lying is None:
        return f"{shown}: the treasure is the {said(domino)}."
    if lying in state.under_pawns:
        return f"{shown}: a pawn is on the {said(domino)}, so they are rolled again."
    return f"{shown}: the {said(domino)} is turned face down, and they are rolled again."


def _effect(state: Search, pips: tuple[int, int], half: Cell) -> str:
    if pips[half.col % 2] == 0:
        return ", and steps in a trap."
    if state.target == Domino.of(*pips):
        held = len(state.found[state.turn])
        return f", the treasure: {held} + 1 = {held + 1} of {state.goal}."
    return "."


GAME = Finder()
