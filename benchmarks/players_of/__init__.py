"""Players of another strength than the advice, to be matched against it: one module a game."""
