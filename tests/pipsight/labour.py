"""Work that can be sent to other processes: a module of its own, so that they need not load what tests need."""

import os
import time
from random import Random


def drawn(seed: int) -> float:
    """Something that is drawn by chance, and takes longer for some seeds than for others."""
    chance = Random(seed)
    time.sleep(chance.random() / 200)
    return chance.random()


def inverse(number: int) -> float:
    """One by a number."""
    return 1 / number


def fall(number: int) -> None:
    """End the process that does the work, as a system does that has no memory left."""
    os._exit(number)
