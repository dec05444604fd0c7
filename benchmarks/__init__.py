"""What pipsight measures of itself: reading and speed."""
