"""Bee Donimoes: dice on a board of dominoes, how they fly, the shortest way home, and claims about it."""
