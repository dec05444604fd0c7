"""Tetradominoes: match dominoes in a grid, then play tetrominoes on top of equal numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations
from random import Random

from rules.board import Cell, Placed
from rules.diagram import Diagram
from rules.domino import Domino
from rules.ended import judged
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
from rules.holding import guessed
from rules.players import Suggestion
from rules.table import Piece, Table, Tetromino
from rules.tetradominoes.advice import advice
from rules.tetradominoes.compact import Compact, can_play, covers
from rules.tetradominoes.reading import agrees, differences, read_grid, to_table, towards, tried
from rules.tetradominoes.scoring import final, sides_said, sum_said
from rules.tetradominoes.state import (
    FULL_SET,
    GOALS,
    HAND,
    SERIES,
    USUAL,
    VARIANTS,
    Act,
    Cover,
    Covering,
    Discard,
    Drew,
    Grid,
    Lay,
    Move,
    Offer,
    Phase,
    Return,
    Reveal,
    hidden,
)
from rules.tetradominoes.text import parsed, parsed_cell, told
from rules.tetradominoes.turns import dealt, played
from rules.watch import Watch
from rules.words import count, listing, pair, player, said, where

_PLACE = r"(\d+\.\d+)"
_LAY = re.compile(rf"([0-6])([0-6])([HV]){_PLACE}", re.IGNORECASE)
_COVER = re.compile(rf"([IOTSZJL])([wb])@{_PLACE}-{_PLACE}-{_PLACE}-{_PLACE}", re.IGNORECASE)
_ONE = re.compile(r"(=|return\(|offer\()([0-6])([0-6])\)?", re.IGNORECASE)
_TWO = re.compile(r"reveal\(([0-6])([0-6])/([0-6])([0-6])\)", re.IGNORECASE)
_GIVEN_UP = re.compile(r"discard\(([IOTSZJL])(?:/(\d))?\)", re.IGNORECASE)
_VERBS: dict[type, str] = {Drew: "draws", Return: "puts back", Offer: "gives the partner"}
_TOKENS = ((200, 30, 30), (30, 60, 200), (30, 150, 60))


class Tetradominoes(Game[Grid, Move]):
    """The game by Don Kirkby for one to four: alone at level 1 or 2, with others one game or a tournament.

    With two and four the first player and the partner play light, the others dark; with three all play light. If all
    have passed in a row, the game ends and most tetrominoes win.
    """

    info = GameInfo(
        "tetradominoes",
        "Tetradominoes",
        (1, 4),
        "a double-six set",
        ("seven cardboard tetrominoes", "tokens"),
        pieces=(Expected("tetromino", 0, 7), Expected("token", 0, 28)),
        hands=True,
    )
    variants = VARIANTS

    def set_up(self, players: int, chance: Random, variant: str = "") -> Grid:
        """Four dominoes each. Raises ValueError for a number of players, or a variant that is not for so many."""
        if players not in GOALS:
            raise ValueError(f"Tetradominoes is for 1 to 4 players, not {players}.")
        fitting = VARIANTS[1:3] if players == 1 else (USUAL, SERIES)
        if variant and variant not in fitting:
            raise ValueError(f"For {count(players, 'player')} there is {listing(fitting, 'or')}, not {variant!r}.")
        return dealt(players, variant or fitting[0], chance.getrandbits(32))

    def start(self, text: str) -> Grid:
        """The state that a text holds, as `str` writes it; "players: 2" is enough. Raises BadText."""
        return parsed(text)

    def filled(self, state: Grid, chance: Random) -> Grid:
        """The state with the hidden hands dealt from what lies nowhere else."""
        seen = state.known.union(state.pile.known)
        return replace(state, hands=guessed(state.hands, seen, FULL_SET.dominoes, chance) or state.hands)

    def read(self, table: Table, before: Grid | None = None) -> Grid:
        """The grid, the tetrominoes and shown hands; covered numbers are remembered. Raises UnreadableTable."""
        return read_grid(table, before)

    def candidates(self, state: Grid) -> Iterator[Move]:
        """Every way to play what the hand has or may have; or what else is waited for."""
        if state.phase is Phase.PLAY:
            yield from _turns(state)
        elif state.phase is Phase.LOOK:
            yield from map(Drew, state.unseen)
        elif state.phase is Phase.COVER:
            yield from covers(state)
            yield from () if state.alone else (Act.DONE,)
        elif state.phase is Phase.RETURN:
            yield from map(Return, state.playable())
        elif state.phase is Phase.TRADE:
            yield from map(Offer, state.playable())
            yield Act.KEEP
        elif state.next_is_dealt:
            yield Act.DEAL

    def play(self, state: Grid, move: Move) -> Grid:
        """The state after a move. Raises IllegalMove with the rule that forbids it."""
        return played(state, move)

    def outcome(self, state: Grid) -> Outcome | None:
        """Won by the fourth tetromino, the third with three players; alone by a low score; a series by 7 points."""
        return final(state)

    def describe(self, state: Grid, move: Move) -> str:
        """A move in a sentence, with the score after a tetromino."""
        who = player(state.turn)
        if isinstance(move, Lay):
            return f"{who} plays the {pair(move.placed.head, move.placed.tail)} at {where(move.placed.cells)}."
        if isinstance(move, Cover):
            laid = (*state.laid, Covering(move.piece, move.light, move.cells, state.turn))
            after = replace(state, laid=laid)
            score = sum_said(after) if state.alone else sides_said(after)
            side = "light" if move.light else "dark"
            return f"{who} plays the {move.piece} tetromino, {side} side up, at {where(move.cells)}: {score}"
        if isinstance(move, Discard):
            drawn = count(move.drawn, "domino", "dominoes")
            return f"{who} gives up the {move.piece} tetromino and draws {drawn}."
        if isinstance(move, Reveal):
            return f"{who} reveals the {said(move.one)} and the {said(move.other)} and draws one."
        if isinstance(move, Act):
            told = {Act.DONE: "plays no tetromino", Act.PASS: "reveals the hand and passes", Act.KEEP: "does not trade"}
            return f"Game {state.game + 1} is dealt." if move is Act.DEAL else f"{who} {told[move]}."
        return f"{who} {_VERBS[type(move)]} the {said(move.domino)}."

    def heard(self, state: Grid, move: Move, seat: Seat) -> str:
        """A move in a sentence; only its player sees what is drawn, and what is offered unless it was revealed, and the
        partner once they exchange."""
        sees = {state.turn, (state.turn - 2) % state.players} if state.offering else {state.turn}
        hides = isinstance(move, Drew | Return | Offer) and move.domino not in state.shown[state.turn]
        if seat in sees or not hides:
            return self.describe(state, move)
        return f"{player(state.turn)} {_VERBS[type(move)]} a domino."

    def to_move(self, state: Grid) -> Seat | Mover:
        """Whose turn it is; chance shows a domino that was drawn."""
        return CHANCE if state.phase is Phase.LOOK else state.turn

    def chances(self, state: Grid) -> Iterable[tuple[Move, float]]:
        """Every domino that is not seen is as likely to be drawn."""
        if state.phase is not Phase.LOOK:
            return ()
        return tuple((Drew(domino), 1 / len(state.unseen)) for domino in state.unseen)

    def visible(self, state: Grid, seat: Seat) -> Grid:
        """The own hand, and what lies open."""
        return hidden(state, seat)

    def agrees(self, expected: Grid, seen: Grid) -> bool:
        """Whether the same dominoes and tetrominoes lie on the same cells."""
        return agrees(expected, seen)

    def dominoes(self, table: Table, before: Grid | None = None) -> Iterable[Domino]:
        """A double-six set."""
        return FULL_SET

    def cells(self, state: Grid, move: Move) -> tuple[Cell, ...]:
        """The cells that a domino or a tetromino will cover."""
        return move.placed.cells if isinstance(move, Lay) else move.cells if isinstance(move, Cover) else ()

    def moves(self, state: Grid, text: str) -> tuple[Move, ...]:
        """The move that a word names, as `str` writes it: "46V3.2", "Lw@2.2-2.3-2.4-3.4", "done", "pass" ..."""
        lay, cover = _LAY.fullmatch(text), _COVER.fullmatch(text)
        if lay:
            cell = parsed_cell(lay[4])
            other = cell.neighbours()[0 if lay[3].upper() == "H" else 1]
            return (Lay(Placed.on(cell, other, int(lay[1]), int(lay[2]))),)
        if cover:
            return (Cover(cover[1].upper(), cover[2] in "wW", tuple(sorted(map(parsed_cell, cover.groups()[2:])))),)
        one, two, given_up = _ONE.fullmatch(text), _TWO.fullmatch(text), _GIVEN_UP.fullmatch(text)
        if one:
            kinds: dict[str, type[Drew] | type[Return] | type[Offer]]
            kinds = {"=": Drew, "return(": Return, "offer(": Offer}
            return (kinds[one[1].lower()](Domino.of(int(one[2]), int(one[3]))),)
        if two:
            return (Reveal(Domino.of(int(two[1]), int(two[2])), Domino.of(int(two[3]), int(two[4]))),)
        if given_up:
            return (Discard(given_up[1].upper(), int(given_up[2]) if given_up[2] else min(HAND, len(state.pile))),)
        if text.lower() in (act.value for act in Act):
            return (Act(text.lower()),)
        raise IllegalMove(
            f"{text} is no move: 46V3.2, Lw@2.2-2.3-2.4-3.4, =42, reveal(42/63), offer(42), return(42), discard(L), "
            "done, pass, keep and deal are."
        )

    def attempts(self, state: Grid, seen: Grid) -> Iterable[Move]:
        """The domino or tetromino that is new on the table."""
        return tried(state, seen)

    def towards(self, state: Grid, seen: Grid) -> Iterable[Move]:
        """The dominoes and tetrominoes that are new on the table, and the turns that leave nothing to see."""
        return towards(state, seen)

    def differences(self, state: Grid, seen: Grid) -> Iterable[Problem]:
        """What came, went, and lies elsewhere."""
        return differences(state, seen)

    def on_table(self, state: Grid, seen: Grid, cell: Cell) -> Cell:
        """The cell of the table that was read."""
        return to_table(state, seen, cell)

    def check(self, table: Table, before: Grid | None = None) -> Verdict:
        """Whether the table can be a moment of the game, and whether it is over."""
        return judged(self, table, before, bare=not (table.board.placed or table.tetrominoes))

    def diagram(self, state: Grid) -> Diagram:
        """The grid with its tetrominoes, the tokens of three players, and the score."""
        shapes = tuple(Tetromino(one.cells, one.light) for one in state.laid)
        tokens = tuple(Piece(_TOKENS[one.seat], one.cells[0]) for one in state.laid if state.players == 3)
        caption = sum_said(state) if state.alone else sides_said(state)
        return Diagram(Table(state.board, tetrominoes=shapes, tokens=tokens), caption=caption)

    def suggest(self, state: Grid, watch: Watch, chance: Random) -> tuple[Suggestion[Move], ...]:
        """The best dominoes or tetrominoes to play, from what the player sees, looking one domino ahead."""
        if state.phase in (Phase.LOOK, Phase.OVER):
            return ()
        return advice(hidden(state, state.turn), watch, chance)

    def owed(self, state: Grid) -> str:
        """What has to be done now."""
        who = player(state.turn)
        if state.phase is Phase.OVER:
            return "The game is over." if self.outcome(state) else "Deal the next game of the tournament."
        if state.phase is Phase.LOOK:
            return f"{who} has drawn: say which domino it is."
        if state.phase is Phase.COVER:
            return f"{who} {'has to play' if state.alone else 'may play'} a tetromino on the domino just played."
        if state.phase is Phase.TRADE:
            partner = player((state.turn + 2) % state.players).lower()
            return f"{who} may give a domino to {partner} in a trade, or keeps."
        if state.phase is Phase.RETURN:
            return f"{who} puts {count(state.back, 'domino', 'dominoes')} back into the pile."
        return _owed_domino(state, who)

    def told(self, state: Grid, seat: Seat | None = None) -> str:
        """The grid with covered numbers as W or B, the hands as that seat sees them, and the score."""
        return told(state, seat)


def _turns(state: Grid) -> Iterator[Move]:
    """What may be done where a domino has to be played."""
    grid = Compact.of(state)
    playable = state.playable()
    for domino in playable:
        yield from (Lay(lay.placed) for lay in grid.lays(domino))
    if can_play(state, (*state.shown[state.turn], *state.hand.known)):
        return
    if state.alone:
        most = min(HAND, len(state.pile))
        yield from (Discard(piece, drawn) for piece in state.pieces for drawn in range(most, -1, -1))
    elif len(state.pile) and len(state.hand) >= 2:
        revealed = state.shown[state.turn]
        concealed = [domino for domino in playable if domino not in revealed]
        yield from (Reveal(one, other) for one, other in combinations(concealed, 2))
    else:
        yield Act.PASS


def _owed_domino(state: Grid, who: str) -> str:
    if state.hand.unknown or can_play(state, (*state.shown[state.turn], *state.hand.known)):
        bare = state.covered.issuperset(state.board.pips) and state.board.placed
        how = "next to a covered number" if bare else "next to a matching number" if state.board.placed else ""
        return f"{who} plays a domino {how}".rstrip() + "."
    if state.alone:
        return f"{who} can play no domino: give up a tetromino and draw up to four dominoes."
    if len(state.pile) and len(state.hand) >= 2:
        return f"{who} can play no domino: reveal two hidden ones and draw one."
    return f"{who} can play no domino: reveal the hand and pass."


GAME = Tetradominoes()
