"""Domino Finder: the rows of secret numbers, what a turn does, what chance may bring, and advice."""
