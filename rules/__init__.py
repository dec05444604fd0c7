"""What a domino game is: dominoes, boards, tables, games and their problems, without a camera and without a screen.

>>> from rules import Board, Table, check, problem
>>> from rules.games import game
>>> board = Board.parse("2|2 1 2\\n    - -\\n0|0 1 0\\n\\n1|2 0|1")
>>> check(game("dominosa"), Table(board), problem("dominosa", "1")).state
'solved'
"""

from rules.board import Board, BoardError, Cell, Placed, Way
from rules.domino import Domino, DominoSet
from rules.engine import check, find_move, legal_moves
from rules.errors import BadText, RulesError
from rules.game import Game, GameInfo, Hint, IllegalMove, Outcome, Problem, UnreadableTable, Verdict
from rules.games import UnknownGame
from rules.puzzles import BadProblem, problem
from rules.table import Chain, Doubt, Joint, LaidTile, LooseTile, Place, Side, Table

__all__ = [
    "BadProblem",
    "BadText",
    "Board",
    "BoardError",
    "Cell",
    "Chain",
    "Domino",
    "DominoSet",
    "Doubt",
    "Game",
    "GameInfo",
    "Hint",
    "IllegalMove",
    "Joint",
    "LaidTile",
    "LooseTile",
    "Outcome",
    "Place",
    "Placed",
    "Problem",
    "RulesError",
    "Side",
    "Table",
    "UnknownGame",
    "UnreadableTable",
    "Verdict",
    "Way",
    "check",
    "find_move",
    "legal_moves",
    "problem",
]
