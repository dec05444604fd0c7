"""Which turn to make in Domineering, and why in a sentence."""

from __future__ import annotations

from rules.domineering.bits import Bits, Reply, cell_of, played, replies, runs
from rules.domineering.outlook import Looking, dangers
from rules.domineering.state import COLORS, Draw, Keep, Move, Position, Turn
from rules.players import Suggestion
from rules.watch import Watch
from rules.words import count

WIDTH, SHOWN = 12, 5


def advise(state: Position, watch: Watch) -> tuple[Suggestion[Move], ...]:
    """The turns by the drawn domino, the best first: the most promising ones are looked at two turns ahead.

    Every turn is estimated; the best of them are weighed against each domino that may be drawn next and the best
    reply by it. As far as `watch` allows.
    """
    if state.drawn is None:
        return (Suggestion(Draw(state.pool[0]), "The next domino has to be drawn."),) if state.pool else ()
    at = Bits.of(state)
    looking = Looking(state.keeps, watch)
    ranked = _ranked(at, state, looking)
    if not ranked:
        keep = Suggestion[Move](Keep(state.drawn), "No two pieces can move by it.")
        return (keep,) if state.keeps else ()
    weighed = _weighed(at, ranked, looking)
    return tuple(Suggestion(_turn(reply, state), _reason(state, at, reply), worth) for worth, reply in weighed[:SHOWN])


def _ranked(at: Bits, state: Position, looking: Looking) -> list[tuple[float, Reply]]:
    """Every turn that leads somewhere else, with its estimate, the best first."""
    reach = [runs(piece, at.taken) for piece in at.mine]
    found: dict[Bits, Reply] = {}
    for reply in sorted(replies(at, reach, state.drawn)):
        found.setdefault(played(at, reply, at.left), reply)
    rated = [(-looking.value(after, 0), reply) for after, reply in found.items()]
    return sorted(rated, key=lambda entry: -entry[0])


def _weighed(at: Bits, ranked: list[tuple[float, Reply]], looking: Looking) -> list[tuple[float, Reply]]:
    """The best turns looked at one turn further, the best first; as far as the time goes."""
    further: list[tuple[float, Reply]] = []
    for _, reply in ranked[:WIDTH]:
        if further and not looking.watch.goes_on(looking.seen, 1):
            break
        further.append((looking.after(at, reply, 1), reply))
    return sorted(further, key=lambda entry: -entry[0])


def _turn(reply: Reply, state: Position) -> Turn:
    assert state.drawn
    first, first_to, second, second_to = map(cell_of, reply[:4])
    return Turn(first, first_to, second, second_to, state.drawn)


def _reason(state: Position, at: Bits, reply: Reply) -> str:
    after = played(at, reply, at.left)
    number = after.left.bit_count()
    if not number:
        return "It is the last domino."
    theirs, mine = (round(share * number) for share in dangers(after))
    me, other = COLORS[state.turn], COLORS[1 - state.turn]
    return f"{theirs} of the {count(number, 'domino', 'dominoes')} left would stop {other}, and {mine} {me}."


def risk(state: Position) -> str:
    """How many of the dominoes left lose for who moves now and for the other player, in a sentence."""
    at = Bits.of(state)
    number = at.left.bit_count()
    if not number:
        return "No domino is left."
    mine, theirs = (round(share * number) for share in dangers(at))
    me, other = COLORS[state.turn], COLORS[1 - state.turn]
    return f"{mine} of the {count(number, 'domino', 'dominoes')} left would stop {me}, {theirs} {other}."
