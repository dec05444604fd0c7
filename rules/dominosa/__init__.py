"""The machinery of Dominosa: solutions, reasons, grades, hints, new problems, and the ways problems are written.

deductions(grid)            the chain of reasons from the first to the solution
solutions(grid)             its solutions, two at most unless more are asked for
grade(grid), interest(...)  how hard it is, and how interesting it seems
make(chance, order, ...)    a new grid with one solution and just that grade
"""

from __future__ import annotations

from rules.dominosa.candidates import Deduction
from rules.dominosa.formats import diagram_text, game_id, plain_text, read_game_id, read_problem
from rules.dominosa.grading import grade, interest
from rules.dominosa.hints import hint
from rules.dominosa.making import deal, make
from rules.dominosa.reasoning import deductions
from rules.dominosa.solutions import is_unique, search, solutions
from rules.dominosa.technique import GRADES, Technique

__all__ = [
    "GRADES",
    "Deduction",
    "Technique",
    "deal",
    "deductions",
    "diagram_text",
    "game_id",
    "grade",
    "hint",
    "interest",
    "is_unique",
    "make",
    "plain_text",
    "read_game_id",
    "read_problem",
    "search",
    "solutions",
]
