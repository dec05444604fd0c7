"""The race of Bee: who claims what, the timer, the demonstrations, the rounds and the points."""
