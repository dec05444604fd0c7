"""Mountains and Valleys: maps and how they are walked, what is wrong with one, and how one is made."""
