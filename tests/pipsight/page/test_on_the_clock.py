"""The games on the clock at a live table: what a page is told of them, claims by a press, and what the time brings."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from pipsight.asking import BadAsk, Chance, Move, Pause, Press, asked
from pipsight.events import Countdown, Hinted, Moved, Pressed, Refused, WasFirst
from pipsight.page.view import view
from pipsight.session import Session
from rules import engine
from rules.bee.setup import random_board
from rules.bee_race.moves import SetUp
from rules.cobra_paw.state import Hunt
from rules.domino import Domino
from rules.games import game
from rules.holding import Holding
from rules.puzzles import problem

pytestmark = pytest.mark.needs("cv2")


def going_on(slug: str, state: Any) -> Session:
    """A session in the middle of a game."""
    session = Session(game(slug), state)
    session.follower.states = [state]
    return session


@pytest.fixture
def race() -> Session:
    """Three players who look for a way; the clock stands at 100 s."""
    rules: Any = game("bee_race")
    session = going_on("bee_race", rules.start("players: 3\nvariant: 3 dice, 2 rounds"))
    session.do(Move(str(SetUp(random_board(Random(5), session.follower.state.used)))))
    for _ in range(3):
        session.do(Chance())
    session.time_s = 100.0
    return session


def told(session: Session) -> dict[str, Any]:
    """What a page is told of the race."""
    shown: dict[str, Any] = view(session)["race"]
    return shown


def later(session: Session, seconds: float, still_s: float = 5.0) -> list[Any]:
    """What the clock brings after so many seconds."""
    session.until(session.time_s + seconds)
    session.look._since_s = session.look._now_s - still_s
    return session._due()


def test_of_moves_typed_at_once_none_is_made_where_one_is_refused(race: Session) -> None:
    before, made = race.follower.state, [*race.follower.made]
    (refused,) = race.do(Move("1:5 1:7"))
    assert isinstance(refused, Refused)
    assert race.follower.state == before
    assert race.follower.made == made


def test_a_press_counts_from_its_own_moment(race: Session) -> None:
    assert race.do(Press(1)) == [Pressed("Player 2 pressed.", 1, 100.0, "claim")]
    assert race.do(Press(1, on=False)) == [Pressed("Player 2 takes the press back.", 1, 100.0, "withdrawn")]
    assert asked({"ask": "press", "seat": 1, "on": False}) == Press(1, on=False)
    race.time_s = 104.0
    moved, _, countdown = race.do(Move("2:7@100.000"))
    assert isinstance(moved, Moved)
    assert moved.move == "2:7@100.000"
    assert countdown == Countdown("56 seconds.", 56.0)
    assert told(race)["claims"] == [{"seat": 1, "moves": 7}]


def test_a_race_that_begins_in_its_middle_goes_on_by_its_own_clock(race: Session) -> None:
    race.do(Move("give-up@100.000"))
    rules: Any = game("bee_race")
    later_on = going_on("bee_race", rules.start(str(race.follower.state)))
    later_on.time_s = 3.0
    later_on.do(Move("back"))
    assert [made.move for made in later_on.follower.made] == ["back@103.000"]
    assert later_on.played_s(5.0) == 105.0


def test_nothing_that_people_say_happened_ahead_of_its_time(race: Session) -> None:
    race.paused = True
    race.until(130.0)
    race.paused = False  # the clock of the game stood for half a minute
    assert race.do(Move("1:5@101.100")) == [Refused("Nothing has happened at 101.100 s yet: now it is 100.000 s.")]
    assert race.do(Move("1:5@101.100"), at_s=130.2)[0].move == "1:5@101.100"  # type: ignore[union-attr]
    hunt = going_on("cobra_paw", Hunt((Holding(), Holding()), dice=(5, 3), hunting=True))
    hunt.time_s = 20.0
    assert isinstance(hunt.do(Move("1:53@99999"))[0], Refused)
    assert isinstance(hunt.do(Move("1:53@20.5"))[0], WasFirst)


def test_a_claim_without_a_moment_is_made_when_it_is_asked_for(race: Session) -> None:
    first = race.do(Move("2:7"))[0]
    assert isinstance(first, Moved)
    assert first.move == "2:7@100.000"


def test_the_time_is_up_to_the_second(race: Session) -> None:
    race.do(Move("2:7"))
    assert later(race, 59.99) == []
    moved, *_, countdown = later(race, 0.07)
    assert moved.move == "time@160.060"
    assert countdown.length_s == pytest.approx(10.0)
    assert (told(race)["phase"], told(race)["shown"]) == ("flying", {"seat": 1, "moves": 7})


def test_the_clock_stands_while_the_table_is_paused(race: Session) -> None:
    race.do(Move("2:7"))
    assert later(race, 20.0) == []
    assert race.do(Pause(on=True))[1:] == [Countdown("The clock stands.", 0.0)]
    assert later(race, 300.0) == []
    assert race.do(Pause(on=False))[1:] == [Countdown("40 seconds.", 40.0)]
    assert race.do(Press(2)) == [Pressed("Player 3 pressed.", 2, 120.0, "claim")]
    assert race.do(Press(2, on=False)) == [Pressed("Player 3 takes the press back.", 2, 120.0, "withdrawn")]
    assert later(race, 39.9) == []
    assert later(race, 0.2)[0].move == "time@160.100"


def test_a_hand_that_is_on_its_way_has_two_seconds_more(race: Session) -> None:
    race.do(Move("2:7"))
    later(race, 60.1)
    assert later(race, 11.0, still_s=0.0) == []
    assert later(race, 1.5, still_s=0.0)[0].move == "late@172.600"


def test_who_waits_with_the_dice_in_place_hesitates(race: Session) -> None:
    race.do(Move("2:7"))
    later(race, 60.1)
    assert later(race, 10.3)[0].move == "late@170.400"
    assert told(race)["phase"] == "settled"


def test_a_way_that_is_shown_scores_and_stops_the_clock(race: Session) -> None:
    way = engine.solve(game("bee"), race.follower.state.swarm).moves or ()
    race.do(Move(f"3:{len(way)}"))
    later(race, 60.1)
    events = [event for flight in way for event in race.do(Move(str(flight)))]
    assert events[-1] == Countdown("The clock stands.", 0.0)
    assert (told(race)["points"], told(race)["scored"]) == ([0, 0, 1], [2])
    assert view(race)["chance"]  # the dice go back


def test_a_game_without_a_clock_has_no_deadlines() -> None:
    assert later(going_on("unmatched", problem("unmatched", "5")), 100.0) == []


def test_nobody_presses_for_a_player_who_is_not_there(race: Session) -> None:
    assert race.do(Press(3)) == [Refused("There is no player 4: there are 3.")]
    with pytest.raises(BadAsk, match="seat is a whole number"):
        asked({"ask": "press", "seat": -1})


def test_a_hunt_tells_its_target_and_who_has_how_many() -> None:
    session = going_on("cobra_paw", Hunt((Holding(unknown=2), Holding(), Holding())))
    assert view(session)["chance"]
    session.do(Move("roll(5-3)"))
    shown = view(session)
    assert not shown["chance"]
    assert shown["hunt"] == {
        "target": [3, 5],
        "claimed": None,
        "owed": [],
        "roller": 0,
        "counts": [2, 0, 0],
        "goal": 6,
        "sides": ["bottom", "left", "right"],
    }
    assert shown["hands"] == []


def test_nobody_lets_the_program_roll_for_a_hunt_while_the_table_is_paused() -> None:
    session = going_on("cobra_paw", Hunt((Holding(), Holding())))
    session.do(Pause(True))
    assert session.do(Chance()) == [Refused("The table is paused: go on first.")]
    session.do(Pause(False))
    assert isinstance(session.do(Chance())[0], Moved)


def test_the_cells_of_a_hint_are_lit_on_the_drawn_board() -> None:
    session = going_on("unmatched", problem("unmatched", "5"))
    (hinted,) = session.follower.hint(3)
    assert isinstance(hinted, Hinted)
    cells = hinted.cells
    plain, lit = view(session)["board_svg"], view(session, cells, cells)["board_svg"]
    assert lit.count("#ffd84d") == plain.count("#ffd84d") + 2


def test_the_pad_offers_what_the_set_has() -> None:
    assert view(going_on("unmatched", problem("unmatched", "5")))["highest"] == 12  # nothing was seen yet


def test_a_hunt_that_is_over_waits_for_no_dice() -> None:
    state = replace(Hunt((Holding(unknown=5), Holding())), dice=(5, 3), hunting=True, before=(5, 0))
    session = going_on("cobra_paw", state)
    session.do(Move("1:53"))
    assert Domino(5, 3) not in session.follower.state.face_up
    assert (view(session)["view"], view(session)["chance"]) == ("over", False)
