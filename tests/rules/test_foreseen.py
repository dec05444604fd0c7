"""What the rules foresee on a table: which dominoes, where some must lie, where others may be laid."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from rules.bee.setup import random_board
from rules.bee_race.moves import Roll, SetUp
from rules.board import Board
from rules.domino import DominoSet
from rules.engine import legal_moves, replay
from rules.foreseen import backs, dice_foreseen, expected, in_place, lacking, may_lie_down, playable, promised
from rules.games import game
from rules.puzzles import problem
from rules.table import Table


def test_a_game_that_knows_its_dominoes_promises_them() -> None:
    dominosa, mountains = game("dominosa"), game("mountains")
    assert promised(dominosa, Table(), problem("dominosa", "1")) == DominoSet(2).dominoes
    assert promised(dominosa, Table(Board.parse("0|0 1\n    -\n0|1 1"))) == DominoSet(1).dominoes
    assert promised(dominosa, Table(Board.parse("1|1 2|2"))) == ()
    assert promised(mountains, Table()) == DominoSet(6).dominoes
    dealt = promised(mountains, Table(), problem("mountains", "1"))
    assert len(dealt) == 18
    assert set(dealt) < set(DominoSet(6))


def test_the_dominoes_that_a_table_lacks_have_to_lie_where_the_others_tell() -> None:
    unmatched, start = game("unmatched"), problem("unmatched", "5")
    whole = unmatched.diagram(start).table  # type: ignore[attr-defined]
    one = whole.board.placed[3]
    seen = whole.without(one.domino).moved(lambda cell: cell.turned(1).shifted(4, -7))
    (told,) = lacking(unmatched, seen, start)
    assert told.domino == one.domino
    assert whole.moved(lambda cell: cell.turned(1).shifted(4, -7)).board.placed.count(told) == 1


def test_a_table_tells_which_dominoes_lie_where_they_have_to() -> None:
    unmatched, start = game("unmatched"), problem("unmatched", "5")
    whole = unmatched.diagram(start).table.moved(lambda cell: cell.turned(1).shifted(4, -7))  # type: ignore[attr-defined]
    one = whole.board.placed[3]
    other = Table(Board((*(p for p in whole.board.placed if p != one), replace(one, head=(one.head + 1) % 7))))
    assert {*in_place(unmatched, other, start)} == {*whole.board.placed} - {one}
    assert in_place(unmatched, other) == in_place(unmatched, Table(), start) == ()


def test_nothing_is_said_to_lack_where_most_are_not_there_or_another_lies_in_its_place() -> None:
    unmatched, start = game("unmatched"), problem("unmatched", "5")
    whole = unmatched.diagram(start).table  # type: ignore[attr-defined]
    few = Table(Board(whole.board.placed[:2]))
    assert lacking(unmatched, few, start) == ()
    assert lacking(unmatched, whole, start) == ()
    one = whole.board.placed[3]
    other = Board((*(p for p in whole.board.placed if p != one), replace(one, head=(one.head + 1) % 7)))
    assert lacking(unmatched, Table(other), start) == ()
    assert lacking(unmatched, whole.without(one.domino)) == ()


def test_a_game_that_knows_what_lies_face_down_tells_where_though_some_of_it_is_not_found() -> None:
    finder: Any = game("finder")
    start = finder.set_up(2, Random(1))
    whole = finder.diagram(start).table.moved(lambda cell: cell.shifted(4, -7))
    fewer = replace(whole, face_down=whole.face_down[:9] + whole.face_down[10:])
    assert backs(finder, whole, start) == backs(finder, fewer, start) == tuple(p.cells for p in whole.face_down)
    assert backs(finder, whole) == ()
    assert backs(finder, Table(), start) == ()
    assert backs(game("unmatched"), Table(), problem("unmatched", "5")) == ()


def test_what_the_next_move_may_lay_lies_beside_what_lies_there() -> None:
    tetradominoes: Any = game("tetradominoes")
    state = replay(tetradominoes, tetradominoes.set_up(1, Random(1)), "02H2.2, 30V2.0")[0]
    turned = tetradominoes.diagram(state).table.moved(lambda cell: cell.turned(1).shifted(4, -7))
    told = playable(tetradominoes, turned, state)
    assert len(told) == len([*legal_moves(tetradominoes, state)])
    assert {one.domino for one in told} <= set(state.hand.known)
    lying = turned.board.owner
    assert all(any(beside in lying for cell in one.cells for beside in cell.neighbours()) for one in told)
    assert all(lying.keys().isdisjoint(one.cells) for one in told)


def test_a_domino_that_is_passed_first_may_be_laid_by_the_other_player() -> None:
    together: Any = game("mountains_together")
    first = together.start("player 1: 00 32\nplayer 2: 10 20\nturn: 1")
    state = replay(together, first, "pass00, 00H11")[0]
    table = together.diagram(state).table
    told = playable(together, table, state)
    assert {str(one) for one in told} == {"10", "01", "20", "02"}


def test_nothing_may_be_laid_where_nobody_knows_where_the_others_lie() -> None:
    tetradominoes: Any = game("tetradominoes")
    start = tetradominoes.set_up(1, Random(1))
    assert playable(tetradominoes, Table(), start) == ()
    assert playable(tetradominoes, Table()) == ()


def test_a_die_stands_where_it_stood_or_where_the_next_move_sets_it() -> None:
    race: Any = game("bee_race")
    laid = race.play(race.start("players: 2\nvariant: 4 dice"), SetUp(random_board(Random(1), DominoSet(4))))
    spaces = {(bee.number, bee.cell) for bee in laid.spaces}
    state = race.play(laid, Roll(3))
    turned = race.diagram(state).table.moved(lambda cell: cell.turned(1).shifted(4, -7))
    told = {(die.value, die.cell.shifted(-4, 7).turned(-1)) for die in dice_foreseen(race, turned, state) if die.cell}
    assert told == spaces
    queen = race.play(race.play(state, Roll(1)), Roll(4))
    lying = {(bee.number, bee.cell) for bee in queen.bees}
    assert {(die.value, die.cell) for die in dice_foreseen(race, race.diagram(queen).table, queen)} == lying
    assert not [*dice_foreseen(race, Table(), state), *dice_foreseen(race, turned)]


def test_a_game_tells_whether_any_of_its_dominoes_lies_face_down() -> None:
    unmatched, finder = game("unmatched"), game("finder")
    assert may_lie_down(unmatched, problem("unmatched", "5")) is False
    assert may_lie_down(finder, finder.set_up(2, Random(1)))  # type: ignore[attr-defined]
    assert may_lie_down(unmatched) is None


@pytest.mark.parametrize("slug", ["all_fives", "mountains_together", "tetradominoes"])
def test_where_players_hold_dominoes_some_may_lie_face_down_before_them(slug: str) -> None:
    held: Any = game(slug)
    assert may_lie_down(held, held.set_up(2, Random(1)))


def test_dice_of_a_race_are_expected_by_their_numbers_until_chance_moves_again() -> None:
    rules: Any = game("bee_race")
    rolling = rules.start("""\
players: 2
dice: 4
bees: 1,2
board:
4|4 0|1 3|3

2|2 2|1 0|4

2|3 0|2 1|4

0|3 4|2 1|1

4|3 1|3 0|0
""")
    solving, _ = replay(rules, rolling, "roll(3)")
    settled, _ = replay(rules, solving, "give-up")
    told = [expected(rules, state)[0] for state in (rolling, solving, settled)]
    assert [(dice.least, dice.values) for dice in told] == [(0, ()), (3, (1, 2, 3)), (0, ())]
