"""What a turn of Tetradominoes does: dominoes, draws, tetrominoes, trades, and what the rules forbid."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from rules.board import EMPTY, BoardError, Cell, Placed
from rules.domino import Domino
from rules.game import IllegalMove, Problem, Seat
from rules.holding import Holding
from rules.tetradominoes.compact import can_play, covers
from rules.tetradominoes.shapes import PIECES, at_origin, piece_of
from rules.tetradominoes.state import (
    FULL_SET,
    GOALS,
    HAND,
    SERIES,
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
)
from rules.words import count, listing, player, said, where

_PHASES: dict[type, Phase] = {
    Lay: Phase.PLAY,
    Reveal: Phase.PLAY,
    Discard: Phase.PLAY,
    Drew: Phase.LOOK,
    Cover: Phase.COVER,
    Return: Phase.RETURN,
    Offer: Phase.TRADE,
}
_ACTS = {Act.PASS: Phase.PLAY, Act.DONE: Phase.COVER, Act.KEEP: Phase.TRADE, Act.DEAL: Phase.OVER}
_WAITED = {
    Phase.PLAY: "A domino has to be played first.",
    Phase.LOOK: "First say which domino was drawn, as =42.",
    Phase.COVER: "First a tetromino is played, or done is said.",
    Phase.TRADE: "First the two other players may trade: offer a domino, or keep.",
    Phase.RETURN: "First as many dominoes go back into the pile as were drawn.",
    Phase.OVER: "The game is over.",
}
_COVERS = "First the tetromino is played that can be: alone nobody does without it."


def played(state: Grid, move: Move) -> Grid:
    """The state after a move. Raises IllegalMove with the rule that forbids it."""
    phase = _ACTS[move] if isinstance(move, Act) else _PHASES[type(move)]
    if phase is not state.phase:
        raise IllegalMove(_COVERS if state.alone and state.phase is Phase.COVER else _WAITED[state.phase])
    if isinstance(move, Lay):
        return _laid(state, move.placed)
    if isinstance(move, Cover):
        return _covered(state, move)
    if isinstance(move, Reveal):
        return _revealed(state, move)
    if isinstance(move, Drew):
        return _looked(state, move.domino)
    if isinstance(move, Discard):
        return _discarded(state, move)
    if isinstance(move, Return):
        return _returned(state, move.domino)
    if isinstance(move, Offer):
        return _offered(state, move.domino)
    return _acted(state, move)


def _acted(state: Grid, move: Act) -> Grid:
    if move is Act.PASS:
        return _passed(state)
    if move is Act.DEAL:
        return _next_game(state)
    if move is Act.DONE:
        if state.alone:
            raise IllegalMove("Alone, a tetromino that can be played has to be played.")
        return _ended(state)
    if state.offering:
        state = _handed(state, (state.turn - 2) % state.players, state.offer, state.revealed)
    return _after_trade(state)


def _laid(state: Grid, placed: Placed) -> Grid:
    domino, seat = placed.domino, state.turn
    if domino not in state.playable():
        raise IllegalMove(Problem(*_not_held(state, placed)))
    try:
        board = state.board.laid(placed)
    except BoardError:
        cells = tuple(cell for cell in placed.cells if cell in state.board.owner)
        raise IllegalMove(Problem(f"A domino lies at {where(cells)} already.", cells)) from None
    laid = replace(state, board=board, last=placed, passes=0)
    why = unmatched(state, placed)
    if why:
        raise IllegalMove(Problem(why, placed.cells), after=lambda: _took(laid, seat, domino))
    return _took(laid, seat, domino)


def _not_held(state: Grid, placed: Placed) -> tuple[str, tuple[Cell, ...]]:
    domino = placed.domino
    if domino not in FULL_SET:
        return f"The {said(domino)} is not in the {FULL_SET.name} set.", placed.cells
    there = [other for other in state.board.placed if other.domino == domino]
    if there:
        return f"The {said(domino)} lies on the grid already.", there[0].cells
    return f"{player(state.turn)} does not have the {said(domino)}.", placed.cells


def unmatched(state: Grid, placed: Placed) -> str:
    """Why a domino does not fit where it is to be played; "" where it does."""
    if not state.board.placed:
        return ""
    near = [
        (pips, other)
        for cell, pips in zip(placed.cells, (placed.head, placed.tail), strict=True)
        for other in cell.neighbours()
        if other in state.board.pips
    ]
    if not near:
        return f"The {said(placed.domino)} touches nothing: one of its numbers has to be next to a matching one."
    if state.covered.issuperset(state.board.pips):
        return ""
    numbers = {state.board.pips[other] for _, other in near if other not in state.covered}
    if any(pips == state.board.pips[other] for pips, other in near if other not in state.covered):
        return ""
    if not numbers:
        return f"The {said(placed.domino)} touches only covered numbers: a match has to lie open."
    touched = listing([str(number) for number in sorted(numbers)])
    return f"Neither number of the {said(placed.domino)} matches: next to it lies {touched}, not beside its own number."


def _took(state: Grid, seat: Seat, domino: Domino) -> Grid:
    """The domino left the hand; the grid's corner is (0, 0) again, and the hand is filled up."""
    shown = state.shown[seat]
    if domino in shown:
        state = state.with_shown(seat, tuple(other for other in shown if other != domino))
    else:
        state = state.with_hand(seat, state.hands[seat].without(domino))
    if state.held(seat) < HAND and len(state.pile):
        state = _drawn(state, seat)
    return _settled(_at_corner(state))


def _at_corner(state: Grid) -> Grid:
    first = state.board.top_left
    if first == Cell(0, 0):
        return state
    down, right = -first.row, -first.col
    laid = tuple(replace(one, cells=tuple(c.shifted(down, right) for c in one.cells)) for one in state.laid)
    last = state.last and state.last.moved(lambda cell: cell.shifted(down, right))
    origin = state.origin.shifted(first.row, first.col)
    return replace(state, board=state.board.shifted(down, right), laid=laid, last=last, origin=origin)


def _drawn(state: Grid, seat: Seat) -> Grid:
    """The next domino of the pile comes to a hand; who knows the whole hand looks at it."""
    hand = state.hands[seat]
    if state.pile.known:
        top, *rest = state.pile.known
        return replace(state, pile=replace(state.pile, known=tuple(rest))).with_hand(seat, hand.plus(top))
    state = replace(state, pile=replace(state.pile, unknown=state.pile.unknown - 1))
    if hand.unknown:
        return state.with_hand(seat, hand.plus(None))
    return replace(state, due=state.due + 1)


def _settled(state: Grid) -> Grid:
    """What has to be done next in this turn; the next turn where nothing is left to do."""
    if state.due:
        return replace(state, phase=Phase.LOOK)
    if state.back:
        return replace(state, phase=Phase.RETURN)
    if state.last is None:
        return replace(state, phase=Phase.PLAY)
    return replace(state, phase=Phase.COVER) if covers(state) else _ended(state)


def _ended(state: Grid) -> Grid:
    """The turn is over."""
    goes_on = replace(state, turn=(state.turn + 1) % state.players, last=None, phase=Phase.PLAY)
    stuck = state.passes >= state.players
    won = not state.alone and state.score(state.side(state.turn)) >= GOALS[state.players]
    if not (won or stuck or not state.pieces):
        return goes_on
    over = replace(goes_on, turn=state.turn, phase=Phase.OVER)
    if state.variant != SERIES:
        return over
    points = tuple(had + state.score(side) for side, had in enumerate(state.points))
    return replace(over, points=points)


def _looked(state: Grid, domino: Domino) -> Grid:
    if domino not in state.unseen:
        raise IllegalMove(f"The {said(domino)} cannot have been drawn: it is known to be elsewhere.")
    hand = state.hand.plus(domino)
    return _settled(replace(state.with_hand(state.turn, hand), due=state.due - 1))


def _covered(state: Grid, move: Cover) -> Grid:
    """A tetromino is played on the last domino and more of its numbers."""
    shaped = piece_of(move.cells, move.light)
    if len(set(move.cells)) != 4 or shaped != move.piece:
        raise IllegalMove(Problem(_wrong_shape(move, shaped), move.cells))
    seat = state.turn
    laid = replace(state, laid=(*state.laid, Covering(move.piece, move.light, tuple(sorted(move.cells)), seat)))
    for text, cells in objections(state, move):
        raise IllegalMove(Problem(text, cells), after=lambda: _after_cover(laid))
    return _after_cover(laid)


def _wrong_shape(move: Cover, shaped: str | None) -> str:
    side = "light" if move.light else "dark"
    if move.piece not in PIECES:
        return f"There is no tetromino {move.piece}; there are {listing(PIECES)}."
    if shaped:
        return f"With its {side} side up that is the {shaped}, not the {move.piece}: turning over mirrors it."
    return f"No tetromino covers {where(at_origin(move.cells))}: four numbers that adjoin are needed."


def objections(state: Grid, move: Cover) -> list[tuple[str, tuple[Cell, ...]]]:
    """What the rules have against a tetromino on these cells, each with the cells that it is about."""
    found = []
    last = state.last.cells if state.last else ()
    numbers = {state.board.pips[cell] for cell in last}
    bare = tuple(cell for cell in move.cells if cell not in state.board.pips)
    under = tuple(cell for cell in move.cells if cell in state.covered)
    other = tuple(cell for cell in move.cells if state.board.pips.get(cell, -1) not in {*numbers, -1})
    near = tuple(cell for cell in move.cells if not state.rivals(move.light).isdisjoint(cell.neighbours()))
    if move.piece not in state.pieces:
        found.append((f"The {move.piece} tetromino is used already.", move.cells))
    if move.light not in state.colors():
        side = "light" if state.colors()[0] else "dark"
        found.append((f"{player(state.turn)} plays tetrominoes with the {side} side up.", move.cells))
    if not set(last) & set(move.cells):
        found.append(("It has to cover a number of the domino that was just played.", last))
    if bare:
        found.append((f"It hangs off the edge of the dominoes at {where(bare)}.", bare))
    if under:
        found.append((f"A tetromino lies at {where(under)} already.", under))
    if other:
        shown = listing([str(number) for number in sorted({state.board.pips[cell] for cell in other})])
        allowed = listing([str(number) for number in sorted(numbers)], "or")
        found.append((f"It covers {shown}; only {allowed} may be covered.", other))
    if near:
        whose = "of the same player" if state.players == 3 else "of the same colour"
        found.append((f"It lies right next to a tetromino {whose} at {where(near)}.", near))
    return found


def _after_cover(state: Grid) -> Grid:
    after = _ended(state)
    if state.players != 4 or after.phase is Phase.OVER:
        return after
    return replace(after, phase=Phase.TRADE)


def _offered(state: Grid, domino: Domino) -> Grid:
    """The first partner gives a domino; the second gives one back, and both are exchanged."""
    seat = state.turn
    revealed = domino in state.shown[seat]
    if revealed:
        given = state.with_shown(seat, tuple(other for other in state.shown[seat] if other != domino))
    elif state.hands[seat].may_hold(domino) and domino in state.playable():
        given = state.with_hand(seat, state.hands[seat].without(domino))
    else:
        raise IllegalMove(f"{player(seat)} does not have the {said(domino)}.")
    if not state.offering:
        return replace(given, offering=True, offer=domino, revealed=revealed, turn=(seat + 2) % state.players)
    given = _handed(given, (seat - 2) % state.players, domino, revealed)
    return _after_trade(_handed(given, seat, state.offer, state.revealed))


def _handed(state: Grid, seat: Seat, domino: Domino | None, revealed: bool) -> Grid:
    """A domino comes to a player; one that was revealed stays so until it is played."""
    if domino and revealed:
        return state.with_shown(seat, (*state.shown[seat], domino))
    return state.with_hand(seat, state.hands[seat].plus(domino))


def _after_trade(state: Grid) -> Grid:
    turn = (state.turn - 2) % state.players if state.offering else state.turn
    return replace(state, turn=turn, offering=False, offer=None, revealed=False, phase=Phase.PLAY)


def _require_stuck(state: Grid) -> None:
    """No domino of those that are known can be played."""
    domino = can_play(state, (*state.shown[state.turn], *state.hand.known))
    if domino:
        raise IllegalMove(f"{player(state.turn)} can play the {said(domino)}, and has to.")


def _revealed(state: Grid, move: Reveal) -> Grid:
    if state.alone:
        raise IllegalMove("Alone, a tetromino is given up where no domino can be played.")
    _require_stuck(state)
    seat = state.turn
    if not len(state.pile) or len(state.hand) < 2:
        raise IllegalMove("To reveal two needs two hidden dominoes and one to draw: reveal all and pass.")
    for domino in (move.one, move.other):
        if move.one == move.other or domino not in state.playable() or not state.hand.may_hold(domino):
            raise IllegalMove(f"The {said(domino)} is not one of two hidden dominoes of {player(seat).lower()}.")
        if can_play(state, (domino,)):
            raise IllegalMove(f"{player(seat)} can play the {said(domino)}, and has to.")
    hand = state.hand.without(move.one).without(move.other)
    opened = state.with_hand(seat, hand).with_shown(seat, (*state.shown[seat], move.one, move.other))
    return _settled(_drawn(opened, seat))


def _passed(state: Grid) -> Grid:
    if state.alone:
        raise IllegalMove("Alone, a tetromino is given up where no domino can be played.")
    _require_stuck(state)
    if len(state.pile) and len(state.hand) >= 2:
        raise IllegalMove("Before passing, two hidden dominoes are revealed and one is drawn.")
    seat = state.turn
    opened = state.with_shown(seat, (*state.shown[seat], *state.hand.known))
    hand = Holding((), state.hand.unknown, state.hand.lacks)
    return _ended(replace(opened.with_hand(seat, hand), passes=state.passes + 1))


def _discarded(state: Grid, move: Discard) -> Grid:
    if not state.alone:
        raise IllegalMove("With others, two dominoes are revealed where none can be played.")
    _require_stuck(state)
    if move.piece not in state.pieces:
        raise IllegalMove(f"The {move.piece} tetromino is not left to be given up; {listing(state.pieces)} are.")
    most = min(HAND, len(state.pile))
    if not 0 <= move.drawn <= most:
        raise IllegalMove(f"Up to {count(most, 'domino', 'dominoes')} can be drawn, not {move.drawn}.")
    state = replace(state, gone=(*state.gone, move.piece))
    if not state.pieces:
        return _ended(state)
    for _ in range(move.drawn):
        state = _drawn(state, 0)
    return _settled(replace(state, back=move.drawn))


def _returned(state: Grid, domino: Domino) -> Grid:
    if domino not in state.hand.known and not (state.hand.unknown and domino in state.unseen):
        raise IllegalMove(f"The {said(domino)} is not in the hand.")
    pile = state.pile
    pile = pile.plus(None if pile.unknown or state.seed is None else domino)
    after = replace(state.with_hand(0, state.hand.without(domino)), pile=pile, back=state.back - 1)
    if not after.back and after.seed is not None and not after.pile.unknown:
        shuffled = list(after.pile.known)
        Random(f"{after.seed} {len(after.gone)}").shuffle(shuffled)
        after = replace(after, pile=Holding(tuple(shuffled)))
    return _settled(after)


def dealt(players: int, variant: str, seed: int, game: int = 1, lead: Seat = 0) -> Grid:
    """The start of a game: four dominoes each, the rest in the pile."""
    order = Random(f"{seed} game {game}").sample(FULL_SET.dominoes, len(FULL_SET))
    hands = tuple(Holding(tuple(order[HAND * seat : HAND * seat + HAND])) for seat in range(players))
    state = Grid(hands, Holding(tuple(order[HAND * players :])), shown=((),) * players, variant=variant, seed=seed)
    points = (0,) * state.sides() if variant == SERIES else ()
    return replace(state, points=points, game=game, lead=lead, turn=lead)


def _next_game(state: Grid) -> Grid:
    """The next game of a tournament; the lead passes on."""
    if state.variant != SERIES or state.champion is not None:
        raise IllegalMove("The game is over.")
    lead, seed = (state.lead + 1) % state.players, state.seed
    if seed is not None:
        return replace(dealt(state.players, SERIES, seed, state.game + 1, lead), points=state.points)
    hands = (Holding(unknown=HAND),) * state.players
    pile = Holding(unknown=len(FULL_SET) - HAND * state.players)
    anew = Grid(hands, pile, EMPTY, shown=((),) * state.players, variant=SERIES, points=state.points)
    return replace(anew, game=state.game + 1, lead=lead, turn=lead)
