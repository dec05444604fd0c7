"""The ways of reasoning that solve Dominosa, and how hard each is."""

from __future__ import annotations

from enum import Enum

TRIVIAL, BASIC, HARD, EXTREME, GUESSED = GRADES = ("trivial", "basic", "hard", "extreme", "guess")


class Technique(Enum):
    """A way of reasoning: its name, its number in Don Kirkby's book (0 where the book has none), its grade, a nudge.

    The grades are those of Simon Tatham's portable puzzle collection, as far as it knows the technique.
    """

    ONLY_NEIGHBOUR = ("only neighbour", 1, TRIVIAL, "look for a number with only one neighbour left to join")
    TAKEN = ("taken", 2, TRIVIAL, "a domino that lies rules out its other places, and all else on its squares")
    LAST_PLACE = ("last place", 3, TRIVIAL, "look for a domino that has lost all its places but one")
    SAME_DOMINO = ("same domino", 4, BASIC, "look for a number whose neighbours are all alike")
    SHARED_SQUARE = ("shared square", 5, BASIC, "look for a domino whose places all share one square")
    UNIQUE_PAIR = ("unique pair", 6, TRIVIAL, "look for two numbers that stand side by side only once")
    PARITY = ("parity", 7, BASIC, "look for a narrow neck, and count the squares on both sides")
    NO_PLACE_LEFT = ("no place left", 0, BASIC, "look for a place that clashes with every place of some domino")
    NO_NEIGHBOUR_LEFT = ("no neighbour left", 0, BASIC, "look for a place that leaves some square nothing to join")
    NEEDED_TWICE = ("needed twice", 0, BASIC, "look for a place that makes two squares need one and the same domino")
    SET = ("set", 0, HARD, "look for squares with one number that have only as many dominoes to share as they are")
    SET_WITH_DOUBLE = ("set with a double", 0, EXTREME, "look for squares with one number that need their double")
    FORCING_CHAIN = ("forcing chain", 0, EXTREME, "follow a chain of squares and dominoes that have two choices each")
    CONTRADICTION = ("contradiction", 8, GUESSED, "suppose that a domino lies somewhere, and see where that leads")

    def __init__(self, title: str, rule: int, grade: str, nudge: str) -> None:
        self.title = title
        self.rule = rule
        self.grade = grade
        self.nudge = nudge


def hardest(grades: set[str]) -> str:
    """The hardest of some grades; "trivial" of none."""
    return max(grades, key=GRADES.index, default=TRIVIAL)
