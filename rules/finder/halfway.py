"""A move of Domino Finder that was begun: the domino is turned, and pawn, treasure or traps are still to follow."""

from __future__ import annotations

from collections.abc import Iterator

from rules.finder.reading import towards
from rules.finder.state import Face, Idle, Move, Search, Tile, halves, square
from rules.finder.turns import played
from rules.game import IllegalMove
from rules.two_dice import Roll
from rules.words import listing, player, said


def left_to_do(state: Search, seen: Search) -> str:
    """What who is to move still has to do, in a sentence; "" where the table shows no move that was begun."""
    if not state.is_over and state.turn in state.skips and not state.rolling:
        return left_to_do(played(state, Idle.SKIP), seen)
    for rolled in _after(state, Roll(seen.dice)) if state.rolling and not state.rolls and seen.dice else ():
        if not rolled.rolling:
            return left_to_do(rolled, seen)  # the domino was flipped in the same breath
    ways = [after for after in _nearer(state, seen) if _is_between(state, seen, after)]
    left = [*_pawns_to_go(seen, ways), *_tiles_to_turn(seen, ways[0])] if ways else []
    return f"{player(state.turn)} is not done: {listing(left)}." if left else ""


def _nearer(state: Search, seen: Search) -> Iterator[Search]:
    """The states after the moves that bring nearer to what is seen; what a flipped domino shows is looked at."""
    for move in towards(state, seen):
        for after in _after(state, move):
            if after.looking:
                for shown in towards(after, seen):
                    yield from _after(after, shown)
            else:
                yield after


def _after(state: Search, move: Move) -> Iterator[Search]:
    """The state after a move, none where it is not allowed or nothing that shows."""
    if not isinstance(move, Idle):
        try:
            yield played(state, move)
        except IllegalMove:
            return


def _is_between(before: Search, seen: Search, after: Search) -> bool:
    """Whether each thing lies as before a move or as after it, and some as after it alone."""
    tiles = list(zip(before.tiles, seen.tiles, after.tiles, strict=True))
    pawns = list(zip(before.pawns, seen.pawns, after.pawns, strict=True))
    dice = [sorted(one.dice or ()) for one in (before, seen, after)]
    begun = any(new.face is not old.face for old, new, _ in tiles) or seen.pawns != before.pawns or dice[1] != dice[0]
    return (
        begun
        and all(_turned(*three) for three in tiles)
        and all(new in (old, then) for old, new, then in pawns)
        and dice[1] in (dice[0], dice[2])
    )


def _turned(old: Tile, new: Tile, then: Tile) -> bool:
    """Whether a domino lies as before or as after; a treasure lies open before it is taken."""
    taken = old.face is Face.DOWN and then.face is Face.GONE
    faces = (old.face, then.face, Face.UP) if taken else (old.face, then.face)
    known = then.pips or old.pips
    return new.face in faces and (new.face is not Face.UP or known in (None, new.pips))


def _pawns_to_go(seen: Search, ways: list[Search]) -> Iterator[str]:
    """The pawn that still has to step onto the domino: by one half or by the other, where it can reach both."""
    for seat, color in enumerate(seen.colors):
        goals = dict.fromkeys(after.pawns[seat] for after in ways)
        if seen.pawns[seat] not in goals:
            yield f"the {color} pawn goes to {listing([square(cell) for cell in goals if cell], 'or')}"


def _tiles_to_turn(seen: Search, after: Search) -> Iterator[str]:
    """The dominoes that are still to be turned or taken."""
    for place, (new, then) in enumerate(zip(seen.tiles, after.tiles, strict=True)):
        if new.face is not then.face:
            known = new.domino or then.domino
            name = f"the {said(known)}" if known and new.face is Face.UP else "the domino"
            to_do = {Face.DOWN: "is turned face down", Face.UP: "is turned over", Face.GONE: "is taken"}[then.face]
            yield f"{name} at {square(halves(place)[0])} {to_do}"
