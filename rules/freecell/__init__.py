"""Dominoes Freecell: the columns, how they are read, and the way to the end."""
