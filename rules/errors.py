"""What can go wrong in the world of the rules: one base, and texts that cannot be read."""

from __future__ import annotations


class RulesError(Exception):
    """The base of every error that the rules raise."""


class BadText(RulesError, ValueError):
    """A board, grid or deal in text that cannot be read; the message names the place.

    line and column count from 1, as editors do.
    """

    def __init__(self, reason: str, line: int = 1, column: int = 1) -> None:
        super().__init__(f"line {line}, column {column}: {reason}")
        self.reason = reason
        self.line = line
        self.column = column


class BadVariant(RulesError, ValueError):
    """A game that takes more ways to play than it lists, and not this one; the text says why."""
