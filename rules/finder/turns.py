"""What a turn of Domino Finder does: where the pawn can go, traps, treasures, rolls and skipped turns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rules.board import Cell
from rules.domino import Domino
from rules.finder.state import (
    FULL_SET,
    REMOVED,
    Face,
    Flip,
    Idle,
    Move,
    Search,
    Seen,
    Step,
    Tile,
    halves,
    on_board,
    place_of,
    square,
)
from rules.game import IllegalMove, Problem
from rules.two_dice import Roll
from rules.words import player, said

_OUT = -1


def flips(state: Search) -> Iterator[Flip]:
    """Every face-down domino that the pawn can get next to, by each half and step."""
    standing, entering = state.standing, state.pawns[state.turn] is None
    for place, tile in enumerate(state.tiles):
        for half in halves(place) if tile.face is Face.DOWN else ():
            for step in Step:
                stand = step.back(half)
                if stand in standing or (entering and not on_board(stand)):
                    yield Flip(half, step)


def played(state: Search, move: Move) -> Search:
    """The state after a move. Raises IllegalMove with the rule that forbids it."""
    if state.is_over:
        raise IllegalMove("The game is over.")
    if isinstance(move, Roll):
        return _rolled(state, move)
    if isinstance(move, Seen):
        return _looked(state, move)
    if state.rolls or state.rolling:
        raise IllegalMove("The dice have to be rolled first.")
    if state.looking:
        raise IllegalMove(f"First say what the domino at {square(state.looking)} shows, as =24.")
    if isinstance(move, Flip):
        return _flipped(state, move)
    return _skipped(state) if move is Idle.SKIP else _passed(state)


def _rolled(state: Search, move: Roll) -> Search:
    if not all(1 <= number <= 6 for number in move.dice):
        raise IllegalMove(f"Two dice cannot show {move.dice[0]} and {move.dice[1]}: 1 to 6 are possible.")
    if state.rolls:
        return _contest(state, move)
    if not state.rolling:
        raise IllegalMove("Nobody rolls before the treasure is found.")
    domino = Domino.of(*move.dice)
    rolled = replace(state, dice=move.dice, thrown=())
    lying = next(
        (place for place, tile in enumerate(state.tiles) if tile.face is Face.UP and tile.domino == domino), -1
    )
    if domino in state.taken or lying in state.under_pawns:
        return rolled
    if lying >= 0:
        return rolled.with_tile(lying, replace(state.tiles[lying], face=Face.DOWN))
    return replace(rolled, rolling=False)


def _contest(state: Search, move: Roll) -> Search:
    """The next player rolls for who begins; those with the highest sum roll again until one is left."""
    at = state.rolls.index(0)
    rolls = (*state.rolls[:at], sum(move.dice), *state.rolls[at + 1 :])
    if 0 not in rolls:
        best = max(rolls)
        rolls = tuple(0 if rolled == best else _OUT for rolled in rolls)
        if rolls.count(0) == 1:
            return replace(state, turn=rolls.index(0), rolls=(), dice=move.dice, thrown=())
    return replace(state, rolls=rolls, dice=move.dice, turn=rolls.index(0), thrown=())


def _flipped(state: Search, move: Flip) -> Search:
    if not on_board(move.half):
        raise IllegalMove("There are 7 rows of 8 numbers, a1 to h7.")
    tile, who = state.tile_at(move.half), player(state.turn)
    cells = halves(place_of(move.half))
    if tile.face is not Face.DOWN:
        told = "was removed" if tile.face is Face.GONE else "lies face up already"
        raise IllegalMove(Problem(f"The domino at {square(move.half)} {told}.", cells))
    if state.turn in state.skips:
        told = f"{who} stepped in a trap and has to skip this turn."
        raise IllegalMove(Problem(told, cells), after=lambda: _entered(state, move.half))
    if not state.gives_way(move.stand):
        raise IllegalMove(lambda: Problem(_why_not(state, move), cells), after=lambda: _entered(state, move.half))
    return _entered(state, move.half)


def _why_not(state: Search, move: Flip) -> str:
    who, stand = player(state.turn), move.stand
    if state.pawns[state.turn] is None:
        return f"{who}'s pawn comes from beside the board: the first domino is flipped from the edge."
    if not on_board(stand):
        return f"{who}'s pawn is on the board and cannot go beside it to flip {square(move.half)}."
    if state.tile_at(stand).face is Face.DOWN:
        why = f"{square(stand)} lies face down"
    elif not state.walkable(stand):
        why = f"{square(stand)} is a blank"
    else:
        why = "only blanks and face-down dominoes lead there"
    return f"{who}'s pawn cannot stand next to {square(move.half)}: {why}."


def _entered(state: Search, half: Cell) -> Search:
    """The domino is turned over; where nobody knew it, it is looked at first."""
    tile = state.tile_at(half)
    return _shown(state, half, tile) if tile.pips else replace(state, looking=half)


def _looked(state: Search, move: Seen) -> Search:
    half = state.looking
    if half is None:
        raise IllegalMove("No domino has just been flipped.")
    domino = Domino.of(move.head, move.tail)
    place = place_of(half)
    if domino not in FULL_SET:
        raise IllegalMove(Problem(f"The {said(domino)} is not in the {FULL_SET.name} set.", halves(place)))
    if domino in state.taken or any(tile.domino == domino for tile in state.tiles):
        raise IllegalMove(Problem(f"The {said(domino)} is known to be elsewhere.", halves(place)))
    why = against_row(state, place, domino)
    if why:
        raise IllegalMove(Problem(why, halves(place)))
    return _shown(replace(state, looking=None), half, Tile((move.head, move.tail)))


def against_row(state: Search, place: int, domino: Domino) -> str:
    """Why a domino cannot be in a place where each row has one domino with a blank; "" where it can."""
    row = place - place % 4
    others = [state.tiles[k] for k in range(row, row + 4) if k != place]
    if domino.low == 0 and any(tile.is_trap for tile in others):
        return f"The {said(domino)} cannot be in row {row // 4 + 1}: its one domino with a blank is known."
    if domino.low and all(tile.face is Face.GONE or (tile.pips and not tile.is_trap) for tile in others):
        return f"The {said(domino)} cannot be the last of row {row // 4 + 1}: one of its dominoes has a blank."
    return ""


def _shown(state: Search, half: Cell, tile: Tile) -> Search:
    """What the numbers mean for who flipped: a trap, the treasure or neither; then it is the next player's turn."""
    seat, place = state.turn, place_of(half)
    pawns = (*state.pawns[:seat], half, *state.pawns[seat + 1 :])
    flipped = replace(tile, face=Face.UP, seen=True)
    after = replace(state, pawns=pawns, passes=0, turn=after_seat(state)).with_tile(place, flipped)
    if after.number_at(half) == 0:
        return replace(after, skips=after.skips | {seat})
    if state.target is None or flipped.domino != state.target:
        return after
    found = (*state.found[:seat], (*state.found[seat], state.target), *state.found[seat + 1 :])
    return replace(_traps_hidden(after.with_tile(place, REMOVED)), found=found, rolling=True)


def _traps_hidden(state: Search) -> Search:
    """Every open domino with a blank is turned face down, unless a pawn stands on it."""
    kept = state.under_pawns
    tiles = tuple(
        replace(tile, face=Face.DOWN) if tile.face is Face.UP and tile.is_trap and place not in kept else tile
        for place, tile in enumerate(state.tiles)
    )
    return replace(state, tiles=tiles)


def after_seat(state: Search) -> int:
    """Whose turn is next: the player on the right."""
    return (state.turn - 1) % state.players


def _skipped(state: Search) -> Search:
    if state.turn not in state.skips:
        raise IllegalMove(f"{player(state.turn)} has no turn to skip.")
    return replace(state, skips=state.skips - {state.turn}, turn=after_seat(state), passes=0)


def _passed(state: Search) -> Search:
    if state.turn in state.skips:
        raise IllegalMove(f"{player(state.turn)} stepped in a trap and skips this turn: say skip.")
    move = next(flips(state), None)
    if move:
        raise IllegalMove(f"{player(state.turn)} can flip a domino, as {square(move.half)}, and has to.")
    return replace(state, turn=after_seat(state), passes=state.passes + 1)
