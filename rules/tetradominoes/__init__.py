"""Tetradominoes: dominoes in a grid and seven tetrominoes upon them; what a turn does, what is seen, and advice."""
