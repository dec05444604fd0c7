"""What the sliding puzzles share: dominoes that slide in one group, their tables, and how starts are made."""
