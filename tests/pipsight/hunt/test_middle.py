"""The table of a hunt: what lies before players, what was won and lies there still, and dice nobody plays with."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from pipsight.events import Began, Foul, Moved, TakenBack
from pipsight.follower import PATIENCE_S, Follower
from pipsight.record import Recorded
from pipsight.referee import Referee
from pipsight.session import Session, resumed
from rules.cobra_paw.state import FULL_SET, SIDES
from rules.domino import Domino
from rules.games.cobra_paw import GAME
from rules.table import Die, Hand, LooseTile, Table
from tests.pipsight.hunting import BLANK, LYING, OTHER, SIZE, TARGET, Hunting, lying, middle, touch
from vision.scene import DieDetection

if TYPE_CHECKING:
    from pipsight.events import Event

pytestmark = pytest.mark.needs("cv2")

BEFORE = {"bottom": (600.0, 850.0), "left": (40.0, 450.0), "right": (1160.0, 450.0)}


def before_players(hunt: Hunting, table: Table, backs: str) -> dict[int, int]:
    """How many dominoes the referee sees before whom, with backs along these sides; one with "?" is in doubt."""
    tiles = [
        SimpleNamespace(
            face_up=False,
            centers_px=(BEFORE[side.strip("?")],) * 2,
            doubtful="?" in side,
            confidence=0.6 if "?" in side else 0.99,
        )
        for side in backs.split()
    ]
    look: Any = SimpleNamespace(tables=(table,), scene=SimpleNamespace(size_px=SIZE, tiles=tiles, dice=()))
    (seen,) = hunt.referee.middle.tables(look)
    return {hand.seat: hand.face_down for hand in seen.hands}


@pytest.mark.parametrize(
    ("backs", "seen"),
    [
        ("left", {}),
        ("", {}),  # it is not laid down yet
        ("bottom", {0: 1, 1: 0}),
        ("bottom?", {}),  # what is in doubt overrules nobody
        ("left right", {}),  # that is no domino of this hunt
        ("left right?", {}),
        ("bottom right?", {0: 1, 1: 0}),
    ],
)
def test_a_domino_that_lies_before_somebody_else_than_was_named_is_seen(backs: str, seen: dict[int, int]) -> None:
    hunt = Hunting().touched(touch("left", TARGET, 10.0))
    assert before_players(hunt, Table(loose=middle(LYING[TARGET]), dice=(Die(5), Die(3))), backs) == seen
    # once the dice were rolled that comes first
    assert before_players(hunt, Table(loose=middle(LYING[TARGET]), dice=(Die(6), Die(4))), backs) == {}


@pytest.mark.parametrize(("far_px", "seen"), [(300.0, {1: 1}), (520.0, {})])
def test_seen_aslant_a_domino_lies_before_a_player_beyond_all_that_lies_in_the_middle(
    far_px: float, seen: dict[int, int]
) -> None:
    hunt = Hunting()
    where = [(True, (440.0 + 100 * k, 450.0)) for k in range(3)] + [(False, (far_px, 440.0))]
    tiles = [SimpleNamespace(face_up=up, centers_px=(at, at), doubtful=False, confidence=0.99) for up, at in where]
    table = Table(loose=middle(LYING[TARGET]), dice=(Die(5), Die(3)))
    empty: Any = SimpleNamespace(tables=(table,), scene=SimpleNamespace(size_px=SIZE, tiles=tiles[:3], dice=()))
    hunt.referee.middle.tables(empty)
    look: Any = SimpleNamespace(tables=(table,), scene=SimpleNamespace(size_px=SIZE, tiles=tiles, dice=()))
    (told,) = hunt.referee.middle.tables(look)
    assert {hand.seat: hand.face_down for hand in told.hands} == seen


def test_a_claim_that_the_table_belies_is_taken_back_with_the_find_after_it() -> None:
    """Player 1 found the target, and was told to have claimed that it is gone."""
    hunt = Hunting().touched(touch("bottom", BLANK, 10.0)).touched(touch("left", TARGET, 10.3), at_s=10.6)
    assert (hunt.follower.state.counts, hunt.follower.state.owed) == ((0, 1, 0), (1, 2))
    backs = [SimpleNamespace(face_up=False, centers_px=(BEFORE["bottom"],) * 2, doubtful=False, confidence=0.99)]
    table = Table(loose=middle(LYING[TARGET]), dice=(Die(5), Die(3)))
    look: Any = SimpleNamespace(tables=(table,), scene=SimpleNamespace(size_px=SIZE, tiles=backs, dice=()))
    told = hunt.follower.see(hunt.referee.middle.tables(look), PATIENCE_S)
    assert [event.moves for event in told if isinstance(event, TakenBack)] == [("1:00@10.000", "2:53@10.300")]
    assert (hunt.follower.state.counts, hunt.follower.state.owed) == ((1, 0, 0), ())


def test_only_who_was_last_to_take_one_can_have_been_named_wrongly() -> None:
    hunt = Hunting("1:53", "roll(6-6)").touched(touch("left", OTHER, 10.0))
    assert hunt.follower.state.counts == (1, 1, 0)
    table = Table(loose=middle(LYING[TARGET], LYING[OTHER]), dice=(Die(6), Die(6)))
    assert before_players(hunt, table, "left left") == {}  # a domino of player 1 is not seen just now
    assert before_players(hunt, table, "bottom bottom") == {0: 2, 1: 0}


def test_dark_backs_that_are_not_seen_just_now_are_there_still() -> None:
    hunt = Hunting("1:53", "roll(6-6)")
    table = Table(loose=middle(LYING[TARGET], LYING[OTHER]), dice=(Die(6), Die(6)))
    assert before_players(hunt, table, "left") == {1: 1}  # that of player 1 is as dark as the table


@pytest.mark.parametrize("backs", ["left", "left?", "left bottom?", "left? right? bottom?"])
def test_a_back_in_doubt_that_nothing_is_gone_for_is_none(backs: str) -> None:
    hunt, table = Hunting(), Table(loose=middle(LYING[TARGET]), dice=(Die(5), Die(3)))
    assert len(before_players(hunt, table, backs)) == 1


def test_dice_that_show_again_what_they_showed_long_ago_take_nothing_back() -> None:
    hunt = Hunting().touched(touch("left", TARGET, 10.0))
    gone = [LYING[TARGET]]

    def rolled(*dice: int) -> list[Event]:
        return hunt.follower.see([Table(loose=middle(*gone), dice=tuple(map(Die, dice)))], PATIENCE_S)

    for found in (Domino.of(6, 4), LYING[OTHER]):
        rolled(found.high, found.low)
        hunt.follower.make(f"1:{found}")
        gone.append(found)
    rolled(4, 2)
    told = rolled(5, 3)  # so they lay there all the time, and were misread
    assert [event.moves for event in told if isinstance(event, TakenBack)] == [("roll(4-2)",)]
    assert hunt.follower.state.counts == (2, 1, 0)


def test_dice_of_which_one_only_lies_elsewhere_were_not_rolled_yet() -> None:
    hunt = Hunting().touched(touch("left", TARGET, 10.0))

    def rolled(*dice: tuple[int, float], still_s: float = 0.5) -> list[str]:
        """What is told to be rolled where dice show these numbers, that far to the right."""
        there = tuple(DieDetection((x, 100.0), value, 0.99, edge_px=20.0) for value, x in dice)
        table = Table(loose=middle(LYING[TARGET]), dice=tuple(Die(value) for value, _ in dice))
        scene = SimpleNamespace(size_px=SIZE, tiles=(), dice=there)
        look: Any = SimpleNamespace(tables=(table,), scene=scene, still_s=still_s)
        told = hunt.follower.see(hunt.referee.middle.tables(look), still_s)
        return [event.move for event in told if isinstance(event, Moved)]

    assert rolled((5, 200.0), (3, 300.0)) == []
    assert rolled((5, 200.0), (2, 700.0)) == []  # the other one was rolled, too, and is yet to be read
    assert rolled((6, 500.0), (2, 700.0)) == ["roll(6-2)"]
    assert rolled((6, 500.0), (2, 700.0)) == []
    hunt.follower.make("1:62")
    assert rolled((6, 500.0), (4, 900.0), still_s=1.9) == []
    assert rolled((6, 500.0), (4, 900.0), still_s=2.0) == ["roll(6-4)"]  # it came to lie where it lay


def test_a_hand_that_touched_something_before_the_dice_lay_still_reached_for_nothing() -> None:
    hunt = Hunting()
    hunt.referee._since_s, hunt.referee._still_s = None, 0.2
    hunt.touched(touch("right", OTHER, 10.0), at_s=10.3)
    assert hunt.told == []
    hunt.touched(touch("right", OTHER, 10.2, hand=9), at_s=10.4)
    assert [foul.seat for foul in hunt.of(Foul)] == [2]


def test_what_looked_like_a_domino_before_a_player_all_the_time_is_none() -> None:
    hunt = Hunting()
    assert before_players(hunt, Table(loose=middle(), dice=(Die(5), Die(3))), "bottom") == {}
    gone = Table(loose=middle(LYING[TARGET]), dice=(Die(5), Die(3)))
    assert before_players(hunt, gone, "bottom") == {}
    assert before_players(hunt, gone, "bottom left") == {1: 1}


def test_the_table_says_who_has_a_domino_whoever_was_named() -> None:
    hunt = Hunting().touched(touch("left", TARGET, 10.0))
    hands = (Hand(0, (), 1, "bottom"), Hand(1, (), 0, "left"))
    told = hunt.follower.see([Table(loose=middle(LYING[TARGET]), hands=hands, dice=(Die(5), Die(3)))], PATIENCE_S)
    assert [event.move for event in told if isinstance(event, Moved)] == ["1:53"]
    assert hunt.follower.state.counts == (1, 0, 0)


@pytest.mark.parametrize("words", ["roll(5-3) 2:53@10.000", "roll(5-3) 1:00@9.000 2:53@10.000"])
def test_a_verdict_stands_when_the_game_is_taken_up_again_before_the_domino_is_taken_away(words: str) -> None:
    session = Session(GAME, GAME.set_up(3, Random(1)))
    session.follower.restart(session.follower.start)
    for word in words.split():
        session.follower.again(word)
    scene = SimpleNamespace(size_px=SIZE, tiles=(), dice=())
    look: Any = SimpleNamespace(tables=(Table(loose=middle(), dice=(Die(5), Die(3))),), scene=scene, still_s=PATIENCE_S)
    assert session.referee
    assert session.follower.see(session.referee.middle.tables(look), PATIENCE_S) == []
    assert session.follower.state.counts == (0, 1, 0)


@pytest.mark.parametrize(
    ("dice", "target", "waits"),
    [
        ((5, 3), None, "Player 2 rolls the dice."),
        ((6, 1), Domino(6, 1), "Find the 1-6; if it is gone, be the first on the double blank."),
    ],
)
@pytest.mark.parametrize("words", [(), ("1:00",)])
def test_whoever_takes_the_table_as_it_lies_hunts_no_target_that_somebody_took(
    dice: tuple[int, int], target: Domino | None, waits: str, words: tuple[str, ...]
) -> None:
    """Player 2 took the target and another domino, which nobody may: the table is told to be wrong before."""
    hunt, gone = Hunting(*words), (LYING[TARGET], LYING[OTHER])
    lies = Table(loose=middle(*gone), dice=tuple(map(Die, dice)), hands=(Hand(1, (), 2, SIDES[3][1]),))
    hunt.follower.resync([lies])
    assert (hunt.follower.state.target, hunt.follower.waits().text) == (target, waits)
    assert hunt.follower.see([lies], PATIENCE_S) == []
    rolled = replace(lies, dice=(Die(4), Die(4)))
    moves = [event.move for event in hunt.follower.see([rolled], PATIENCE_S) if isinstance(event, Moved)]
    assert moves == ([] if target else ["roll(4-4)"])


def test_also_after_the_next_roll() -> None:
    hunt = Hunting().touched(touch("left", TARGET, 10.0))
    hunt.follower.make("roll(6-4)")
    hands = (Hand(0, (), 1, "bottom"), Hand(1, (), 0, "left"))
    told = hunt.follower.see([Table(loose=middle(LYING[TARGET]), hands=hands, dice=(Die(6), Die(4)))], PATIENCE_S)
    assert [event.move for event in told if isinstance(event, Moved)] == ["1:53", "roll(6-4)"]


def test_a_find_is_not_taken_back_for_dice_that_are_rolled_before_all_rewards_are_taken() -> None:
    hunt = Hunting("1:00@9.0").touched(touch("left", TARGET, 10.0))
    gone = middle(LYING[TARGET], LYING[OTHER])
    hunt.follower.see([Table(loose=gone, dice=(Die(6), Die(4)))], PATIENCE_S)
    assert hunt.follower.state.counts == (0, 1, 0)


@pytest.mark.parametrize(
    ("words", "won", "rewarded"),
    [
        ("1:00@9.0 2:53@10.0", [LYING[TARGET]], [1, 2]),
        ("1:53@9.0 roll(5-3) 2:00@10.0 none", [LYING[TARGET]], [1]),
        ("1:00@10.0 none", [], [0]),
    ],
)
def test_dice_that_are_rolled_before_the_rewards_are_taken_count_once_they_are(
    words: str, won: list[Domino], rewarded: list[int]
) -> None:
    hunt = Hunting(*words.split())
    had = hunt.follower.state.counts

    def told(gone: list[Domino], takers: list[int]) -> list[str]:
        """What happens where the dice show 6 and 4, these dominoes are gone and these players have one more."""
        hands = tuple(Hand(k, (), n + takers.count(k), SIDES[3][k]) for k, n in enumerate(had) if n + takers.count(k))
        table = Table(loose=middle(*gone), hands=hands, dice=(Die(6), Die(4)))
        scene = SimpleNamespace(size_px=SIZE, tiles=(), dice=())
        look: Any = SimpleNamespace(tables=(table,), scene=scene, still_s=PATIENCE_S)
        events = hunt.follower.see(hunt.referee.middle.tables(look), PATIENCE_S)
        assert not [event for event in events if isinstance(event, TakenBack)]
        return [event.move for event in events if isinstance(event, Moved)]

    assert told(won, []) == []
    gone = [*won, LYING[OTHER], Domino.of(5, 5)][: len(won) + len(rewarded)]
    assert [move[:2] for move in told(gone, rewarded)] == [f"{seat + 1}+" for seat in rewarded]
    assert told(gone, rewarded) == ["roll(6-4)"]


def test_dice_that_lie_about_while_the_program_rolls_are_overlooked_until_somebody_rolls_them() -> None:
    hunt = Hunting()
    cast = replace(lying(), dice=(Die(6), Die(4)))
    dice = [SimpleNamespace(center_px=(100.0 * k, 80.0), edge_px=20.0, value=value) for k, value in enumerate((6, 4))]
    look: Any = SimpleNamespace(tables=(cast,), scene=SimpleNamespace(size_px=SIZE, tiles=(), dice=dice))
    assert hunt.referee.middle.tables(look)[0].dice
    hunt.referee.middle.overlook(look.scene.dice)
    assert not hunt.referee.middle.tables(look)[0].dice
    dice[0].center_px = (400.0, 300.0)
    assert hunt.referee.middle.tables(look)[0].dice


@pytest.mark.parametrize(("seen", "rolled"), [(False, []), (True, ["roll(6-4)"])])
def test_dice_that_lie_about_while_the_program_rolls_are_idle_also_when_the_game_is_taken_up_again(
    seen: bool, rolled: list[str]
) -> None:
    start = GAME.set_up(3, Random(1))
    entries = (
        {"event": "began", "state": str(start)},
        {"event": "moved", "move": "roll(5-3)", "seen": seen},
        {"event": "moved", "move": "2:53@10.000"},
    )
    session = resumed(Recorded({"game": "cobra_paw"}, entries), Session(GAME, start))
    table = Table(loose=middle(LYING[TARGET]), dice=(Die(6), Die(4)))
    dice = [SimpleNamespace(center_px=(100.0 * k, 80.0), edge_px=20.0, value=value) for k, value in enumerate((6, 4))]
    look: Any = SimpleNamespace(tables=(table,), scene=SimpleNamespace(size_px=SIZE, tiles=(), dice=dice), still_s=5.0)
    assert session.referee
    for _ in range(2):
        told = session.follower.see(session.referee.middle.tables(look), PATIENCE_S)
        assert [event.move for event in told if isinstance(event, Moved)] == rolled
        rolled = []
    dice[0].center_px, dice[1].center_px = (400.0, 300.0), (600.0, 300.0)
    assert session.referee.middle.tables(look)[0].dice


def test_dice_that_lie_there_before_the_game_begins_were_not_rolled() -> None:
    follower = Follower(GAME, GAME.set_up(3, Random(1)), [])
    referee = Referee(follower)
    cast = Table(
        loose=tuple(LooseTile(d.high, d.low, 3.0 * d.high, 3.0 * d.low, 0.0) for d in FULL_SET), dice=(Die(6), Die(4))
    )
    dice = [SimpleNamespace(center_px=(100.0 * k, 80.0), edge_px=20.0, value=value) for k, value in enumerate((6, 4))]
    look: Any = SimpleNamespace(tables=(cast,), scene=SimpleNamespace(size_px=SIZE, tiles=(), dice=dice))
    assert isinstance(follower.see(referee.middle.tables(look), 1.0)[0], Began)
    one_unseen: Any = SimpleNamespace(tables=look.tables, scene=SimpleNamespace(size_px=SIZE, tiles=(), dice=dice[1:]))
    assert not referee.middle.tables(one_unseen)[0].dice
    assert not referee.middle.tables(look)[0].dice
    dice[1].center_px = (400.0, 300.0)
    told = follower.see(referee.middle.tables(look), 1.0)
    assert [event.move for event in told if isinstance(event, Moved)] == ["roll(6-4)"]
