"""Fujisan and Country Road once more, the plain way: four interchangeable priests, spaces in two rows of fourteen."""

from collections.abc import Iterator

Space = tuple[int, int]
Standing = frozenset[Space]
Numbers = dict[Space, int]
PEAK = {(row, col) for row in (0, 1) for col in (6, 7)}
ENDS = {(row, col) for row in (0, 1) for col in (0, 13)}


def numbers(rows: tuple[tuple[int, ...], ...], down: bool) -> Numbers:
    """What each space shows; the mountain lies in columns 1 to 12."""
    shown = {(row, col + 1): number for row, line in enumerate(rows) for col, number in enumerate(line)}
    if down:
        for row in (0, 1):
            shown[row, 0], shown[row, 13] = shown[row, 6], shown[row, 7]
            shown[row, 6] = shown[row, 7] = 0
    return shown


def free_between(one: Space, other: Space, standing: Standing) -> int:
    """The unoccupied spaces on a straight way, the last one counted."""
    low, high = sorted((one[1], other[1]))
    return 1 + sum((one[0], col) not in standing for col in range(low + 1, high))


def may_go(here: Space, there: Space, standing: Standing, shown: Numbers, down: bool) -> bool:
    """Whether a priest may step from here to there, by the words of the rules."""
    if there in standing or there not in shown:
        return False
    if here in ENDS:
        if down or here[1] == there[1]:
            return down and here[1] == there[1]
    elif here[1] == there[1] or {here, there} <= PEAK:
        return here[0] == there[0] or here[1] == there[1]
    if here in PEAK and not down:
        return False
    return here[0] == there[0] and shown[there] == free_between(here, there, standing)


def steps(standing: Standing, shown: Numbers, down: bool) -> Iterator[tuple[Space, Space]]:
    """Every step that the rules allow."""
    return ((a, b) for a in standing for b in shown if may_go(a, b, standing, shown, down))


def shortest(standing: Standing, shown: Numbers, down: bool) -> int | None:
    """The fewest steps to the peak, or down to the ends."""
    goal = frozenset(ENDS if down else PEAK)
    seen, frontier, depth = {standing}, [standing], 0
    while frontier:
        if goal in seen:
            return depth
        depth += 1
        reached = {at - {a} | {b} for at in frontier for a, b in steps(at, shown, down)}
        frontier = [at for at in reached if at not in seen]
        seen |= reached
    return None
