"""A race of Bee as it goes at a real table: dice set down carelessly, claims, demonstrations that succeed or fail.

Dice are thrown beside the board, hands rest over it while all think, somebody touches a die too early, the table is
nudged, shadows pass. The minute itself is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random

import numpy as np

from rules import engine
from rules.bee.setup import random_board
from rules.bee.state import Flight
from rules.bee_race.moves import Claim, Fly, GiveUp, Hesitated, PutBack, RaceMove, Roll, SetUp, TimeUp, at
from rules.bee_race.state import Phase
from rules.board import Board, Cell
from rules.domino import DominoSet
from rules.games.bee import GAME as BEE
from rules.games.bee_race import GAME
from rules.table import Die, Table
from training.course import stage_of
from training.dice import random_die
from training.film import Mishaps, Shot, Taking, film, pushed
from training.stage import Stage
from vision.camera import Frame

NOISE = (1.0, 4.0)
CARELESS = 0.16  # halves: how far from the middle of its cell a die stands at most
LATE = 3  # dominoes that are laid while the camera looks
LIES_S, THINKS_S, CLAIMS_S, SETTLES_S, AGAIN_S = 2.0, 1.5, (0.5, 2.5), 2.0, 0.3
BESIDE = (1.6, 3.4)  # cells: how far right of the board thrown dice come to rest
ROLLS, SLIDES = 6, 0.6  # frames; after which part of its way a die no longer turns over
TOUCHED, BOASTS, DENIES = 0.25, 0.4, 0.3  # how often a die is moved too early, too few are claimed, or "impossible"
MISFLIES, FORGETS = 0.4, 0.6  # below which luck who claimed too few flies wrongly, or else knows no further
HESITATES, RESTS_S = 0.3, (1.0, 2.5)  # how often a hand waits with a die; how long nothing moves after a flight
BACK_S = (0.1, 3.0)  # how long it takes from one die that goes back to the next
TOUCHED_S = 3.2  # how long a die that was moved too early stands there before it is put back
MISHAPS = Mishaps(nudged=0.2, far=0.12, shadows=0.2)


@dataclass(eq=False)
class RoughRaces:
    """A race on film for so many players with so many dice, or its first rounds; the same each time for one seed.

    rounds: how many are filmed at most. made: the moves that were made in the frames that were given so far, without
    their times; race: what they led to from start. says: what players have said, each before the next frame. touched:
    how often a die was moved too early.
    """

    players: int
    seed: int
    dice: int = 4
    rate: float = 15.0
    rounds: int = 99
    made: list[str] = field(default_factory=list)
    says: list[str] = field(default_factory=list)
    touched: int = 0

    def __post_init__(self) -> None:
        self._chance, self._rng = Random(self.seed), np.random.default_rng((self.seed, 37))
        self.race = self.start = GAME.start(f"players: {self.players}\nvariant: {self.dice} dice")
        self._board = random_board(self._chance, DominoSet(self.dice))
        self._at_s = 0.0  # when the next frame is taken
        self._stands: dict[int, Cell] = {}  # where each die of the board really stands
        self._taking = Taking(self._chance.uniform(*NOISE))

    @cached_property
    def stage(self) -> Stage:
        """The camera over the table."""
        rows, cols = self._board.size
        beside = Die(1, None, cols + BESIDE[1], rows / 2)
        seen = stage_of([Table(self._board), Table(self._board, dice=(beside,))], self.seed)
        return replace(seen, dice=random_die(self._rng), careless=CARELESS)

    def films(self) -> Iterator[Iterator[Frame]]:
        """The film round by round; each is to be looked at to its end before the next."""
        yield self._laid()
        for _ in range(self.rounds):
            if self.race.over or not self.race.empty:
                break
            yield self._round()

    def _laid(self) -> Iterator[Frame]:
        """The last dominoes of the board are laid."""
        order = self._chance.sample(self._board.placed, len(self._board.placed))
        boards = [Board(tuple(order[: len(order) - left])) for left in range(LATE, -1, -1)]
        yield from self._filmed([Shot(Table(board), LIES_S, carried=True) for board in boards])
        self._happens(SetUp(self._board))

    def _round(self) -> Iterator[Frame]:
        """Dice until there is a queen, what is claimed, and who can show it; then the dice go back."""
        if self.race.phase is Phase.SETTLED:
            self._happens(PutBack())  # nobody saw it: the dice had never left their starting spaces
        yield from self._disturbed()
        while self.race.phase is Phase.ROLLING:
            yield from self._rolled()
        yield from self._thought()
        while self.race.phase in (Phase.FLYING, Phase.RETURNING):
            yield from self._demonstrated()
        moved = self.race.bees != self.race.home
        yield from self._put_back()
        if moved and not self.race.over:
            self._happens(PutBack())

    def _disturbed(self) -> Iterator[Frame]:
        """Sometimes somebody nudges the table, or a shadow passes."""
        shots = MISHAPS.befall(self._table(), THINKS_S, self._chance)
        yield from self._filmed(shots)
        self.stage = pushed(self.stage, shots)

    def _rolled(self) -> Iterator[Frame]:
        """Somebody throws a die beside the board until it shows a free number, and sets it on its starting space."""
        while True:
            thrown = self._fallen()
            lying = Shot(self._table(thrown), LIES_S, hand=False)
            yield from self._filmed([*self._thrown(thrown), lying])
            if thrown.value in self.race.empty:
                break
            yield from self._filmed([lying, Shot(self._table(), AGAIN_S)])
        self._happens(Roll(thrown.value))
        shots = [Shot(self._table(thrown), 0.1)]
        self._stands |= {bee.number: bee.cell for bee in self.race.bees if bee.number == thrown.value}
        yield from self._filmed([*shots, Shot(self._table(), SETTLES_S, carried=True)])

    def _fallen(self) -> Die:
        """How a die comes to rest beside the board."""
        rows, cols = self._board.size
        x, y = cols + self._chance.uniform(*BESIDE), self._chance.uniform(0.5, rows - 0.5)
        return Die(self._chance.randint(1, 6), None, x, y)

    def _thrown(self, fallen: Die) -> Iterator[Shot]:
        """A die on its way from the right, slower and slower; at last it slides and turns over no more."""
        far = self._chance.uniform(-3, 3)
        for done in np.linspace(0.1, 1.0, ROLLS, endpoint=False):
            left = 1 - float(done) ** 0.6
            shown = fallen.value if done > SLIDES else self._chance.randint(1, 6)
            die = replace(fallen, value=shown, x=fallen.x + 4 * left, y=fallen.y + far * left)
            yield Shot(self._table(die), 1 / self.rate, hand=False)

    def _thought(self) -> Iterator[Frame]:
        """All think, point at the board, sometimes touch a die; then claims, and the time runs to its end."""
        yield from self._filmed([Shot(self._table(), THINKS_S), Shot(self._table(), THINKS_S, rests=True)])
        if self._chance.random() < TOUCHED:
            yield from self._touched()
        for claim in self._claims():
            yield from self._filmed([Shot(self._table(), self._chance.uniform(*CLAIMS_S))])
            self._says(claim)
        if self.race.claims:
            self._passes()
        else:
            self._says(GiveUp())
        yield from self._filmed([Shot(self._table(), 0.5, hand=False)])

    def _touched(self) -> Iterator[Frame]:
        """Somebody tries a way with a die, and puts it back when told."""
        number, before = self._chance.choice([*self._stands]), self._table()
        home, self._stands[number] = self._stands[number], self._free(number)
        self.touched += 1
        tried = Shot(self._table(), TOUCHED_S, carried=True)
        self._stands[number] = home
        back = Shot(before, SETTLES_S, carried=True)
        yield from self._filmed([Shot(before, 0.1, hand=False), tried, back])

    def _free(self, number: int) -> Cell:
        """Some other square in the row or column of a die, that no die stands on."""
        cell, taken = self._stands[number], set(self._stands.values())
        near = [other for other in self.race.board.owner if (other.row == cell.row) != (other.col == cell.col)]
        return self._chance.choice([other for other in near if other not in taken])

    def _claims(self) -> list[Claim]:
        """What players say of the puzzle: one knows it, another may boast, or say that there is no way."""
        way = self._way()
        seats = self._chance.sample(range(self.players), min(self.players, 2))
        knows, other = seats[0], seats[-1]
        claims = [Claim(knows, len(way) if way else None)]
        if other != knows:
            if (not way or len(way) > 1) and self._chance.random() < BOASTS:
                claims.insert(0, Claim(other, len(way) - 1 if way else self._chance.randint(1, 3)))
            elif way and self._chance.random() < DENIES:
                claims.append(Claim(other, None))
        return claims

    def _way(self) -> Sequence[Flight]:
        """The shortest solution from here, () where there is none."""
        assert self.race.swarm
        return tuple(engine.solve(BEE, self.race.swarm).moves or ())

    def _demonstrated(self) -> Iterator[Frame]:
        """Somebody shows a way: to its end, or until it fails by a wrong flight or too few, or by waiting too long."""
        if self.race.failed:
            yield from self._put_back()
        if self.race.phase is Phase.RETURNING:
            self._happens(PutBack())
        flier, way = self.race.flier, self._way()
        assert self.race.shown
        boasts = not way or len(way) > (self.race.shown.moves or 0)
        while self.race.phase is Phase.FLYING and self.race.flier == flier:
            flight = self._next(way, boasts)
            if flight is None:
                self._passes()
                yield from self._filmed([Shot(self._table(), 0.5, hand=False)])
                continue
            before = self._table()
            self._stands[flight.number] = flight.stops(self._stands[flight.number])[-1]
            hesitates, rests_s = self._chance.random() < HESITATES, self._chance.uniform(*RESTS_S)
            flown = Shot(self._table(), rests_s, carried=True, hesitates=hesitates)
            yield from self._filmed([Shot(before, 0.1, hand=False), flown])
            self._happens(Fly(flight))
            way = self._way() if self.race.phase is Phase.FLYING else ()

    def _next(self, way: Sequence[Flight], boasts: bool) -> Flight | None:
        """The next flight that is shown; None where somebody no longer knows one."""
        luck = self._chance.random() if boasts else 1.0
        if luck < MISFLIES:
            number = self._chance.choice([one for one in self._stands if one != self.race.queen])
            return _straight(number, self._stands[number], self._free(number))
        return way[0] if way and luck > FORGETS else None

    def _put_back(self) -> Iterator[Frame]:
        """The dice go back to their starting spaces, one after the other."""
        shots = [Shot(self._table(), 0.1, hand=False)]
        for bee in self.race.home:
            if self._stands[bee.number] != bee.cell:
                self._stands[bee.number] = bee.cell
                shots.append(Shot(self._table(), self._chance.uniform(*BACK_S), carried=True))
        yield from self._filmed([*shots, Shot(self._table(), SETTLES_S, hand=False)])

    def _passes(self) -> None:
        """Nothing happens until the clock says so."""
        due = GAME.due(self.race)
        assert isinstance(due, TimeUp | Hesitated)
        assert due.time_s is not None
        self._at_s = max(self._at_s, due.time_s + 0.5)
        self._happens(due)

    def _says(self, move: RaceMove) -> None:
        """Somebody says a move."""
        self.says.append(str(move))
        self._happens(move)

    def _happens(self, move: RaceMove) -> None:
        """A move is made now; what the clock brings has its own time."""
        self.race = GAME.play(self.race, move if isinstance(move, TimeUp | Hesitated) else at(move, self._at_s))
        self.made.append(str(move).partition("@")[0])

    def _table(self, *beside: Die) -> Table:
        """What lies on the table now. beside: dice that lie beside the board."""
        dice = (Die(number, cell) for number, cell in self._stands.items())
        return Table(self._board, dice=(*dice, *beside))

    def _filmed(self, shots: Sequence[Shot]) -> Iterator[Frame]:
        """The film goes on with these shots, whose own time begins with them."""
        began_s, seed = self._at_s, int(self._rng.integers(2**31))
        for frame in film(self.stage, shots, seed, self._taking, self.rate):
            self._at_s = began_s + frame.time_s + 1 / self.rate
            yield Frame(frame.image, began_s + frame.time_s)


def _straight(number: int, start: Cell, end: Cell) -> Flight:
    """A flight in one leg, whether or not a die may land there."""
    down, right = end.row - start.row, end.col - start.col
    way = ("R" if right > 0 else "L") if right else ("D" if down > 0 else "U")
    return Flight(number, ((way, abs(down + right)),))
