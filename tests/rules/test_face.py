"""The one flat face of the rules: what it offers, and that its example is true."""

import builtins
import doctest

import pytest

import rules
from rules import RulesError

ERRORS = [value for value in vars(rules).values() if isinstance(value, type) and issubclass(value, RulesError)]


def test_the_example_of_the_face_is_true() -> None:
    assert doctest.testmod(rules).failed == 0


def test_every_name_that_is_offered_is_there_and_explained() -> None:
    assert all(getattr(rules, name).__doc__ for name in rules.__all__)


@pytest.mark.parametrize("error", [error for error in ERRORS if error is not RulesError])
def test_every_error_of_the_rules_is_also_one_of_the_languages_own(error: type[RulesError]) -> None:
    own = [base for base in vars(builtins).values() if isinstance(base, type) and base not in (object, BaseException)]
    assert any(issubclass(error, base) for base in own if base is not Exception)
