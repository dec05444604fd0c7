"""Tetradominoes: quick lists of moves, and the advice."""

from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

from benchmarks.matches import Timed
from benchmarks.players_of.tetradominoes import greedy
from rules.board import Cell, Placed
from rules.engine import legal_moves
from rules.game import IllegalMove
from rules.games.tetradominoes import GAME
from rules.tetradominoes.shapes import PIECES, piece_of
from rules.tetradominoes.state import Cover, Grid, Lay, Move, Phase
from rules.watch import Watch
from tests.rules.tetradominoes.gridding import ALONE, KINDS, SECOND, STUCK, a_game, after, placements


def allowed(state: Grid, move: Move) -> bool:
    try:
        GAME.play(state, move)
    except IllegalMove:
        return False
    return True


def every_lay(state: Grid) -> set[Lay]:
    """Every domino of the hand everywhere near the grid, judged by play alone."""
    rows, cols = state.board.size
    cells = [Cell(row, col) for row in range(-2, rows + 2) for col in range(-2, cols + 2)]
    lays = {
        Lay(Placed.on(cell, other, *pips))
        for domino in (*state.hand.known, *state.shown[state.turn])
        for pips in ((domino.high, domino.low), (domino.low, domino.high))
        for cell in cells
        for other in cell.neighbours()[:2]
    }
    return {lay for lay in lays if allowed(state, lay)}


def every_cover(state: Grid) -> set[Cover]:
    """Every tetromino on any four cells, judged by play alone."""
    near = [
        cell
        for cell in state.board.pips
        if state.last and abs(cell.row - state.last.cell.row) + abs(cell.col - state.last.cell.col) <= 4
    ]
    fours = [cells for cells in combinations(sorted(near), 4) if piece_of(cells, light=True)]
    moves = {Cover(piece, light, cells) for cells in fours for light in (True, False) for piece in PIECES}
    return {move for move in moves if piece_of(move.cells, move.light) == move.piece and allowed(state, move)}


def test_the_quick_lists_of_moves_are_those_that_play_allows() -> None:
    compared = 0
    for seed in range(5):
        players, variant = KINDS[seed % 5]
        states = [state for state in a_game(seed, players, variant) if state.board.placed]
        for state in Random(seed).sample(states, min(8, len(states))):
            if state.phase is Phase.PLAY:
                assert {move for move in GAME.candidates(state) if isinstance(move, Lay)} == every_lay(state)
                compared += 1
            elif state.phase is Phase.COVER and len(state.board.placed) < 12:
                assert set(placements(state)) == every_cover(state)
                compared += 1
    assert compared >= 20


def test_advice_knows_no_more_than_the_player_and_says_why() -> None:
    state = GAME.set_up(2, Random(3))
    other = replace(state, hands=(state.hands[0], replace(state.hands[1], known=state.pile.known[:4])))
    other = replace(other, pile=replace(state.pile, known=(*state.hands[1].known, *state.pile.known[4:])))
    advice = GAME.suggest(state, Watch(), Random(1))
    assert advice == GAME.suggest(other, Watch(), Random(1))
    assert "the next player can then play one with a chance of" in advice[0].reason
    best = GAME.suggest(after("46H4.3 =50", SECOND), Watch(), Random(1))[0]
    assert isinstance(best.move, Cover)
    for text in (STUCK, ALONE):
        stuck = GAME.start(text)
        assert GAME.suggest(stuck, Watch(), Random(1))[0].move in set(legal_moves(GAME, stuck))


def wins(player: Any, seeds: range) -> int:
    ended = (GAME.outcome(a_game(seed, 1, "level 1", player)[-1]) for seed in seeds)
    return sum(outcome.won for outcome in ended if outcome)


def test_the_advice_wins_the_solitaire_more_often_than_greedy_play() -> None:
    assert wins(Timed(), range(5)) > wins(greedy, range(5))
