"""All Fives on a real table: what is read with memory, which move was made, what is wrong and can be put right."""

from dataclasses import replace

import pytest

from rules.all_fives.line_text import row_text
from rules.all_fives.state import FivesState, Phase
from rules.board import Board, Cell
from rules.domino import Domino
from rules.engine import check, explain, left_to_do, replay
from rules.game import UnreadableTable
from rules.games.all_fives import GAME
from rules.holding import Holding
from rules.table import Chain, Doubt, Hand, Joint, LaidTile, Side, Spot, Table
from tests.rules.all_fives.lining import chain, chain_of


def start(text: str) -> FivesState:
    return GAME.start(text)


def dominoes(text: str) -> tuple[Domino, ...]:
    return tuple(Domino.of(int(word[0]), int(word[1])) for word in text.split())


def faults(seen: Chain | Table, before: FivesState | None = None) -> list[str]:
    with pytest.raises(UnreadableTable) as unreadable:
        GAME.read(seen if isinstance(seen, Table) else Table(chain=seen), before)
    return [problem.text for problem in unreadable.value.problems]


LATER = "players: 2\nline: 63 32 [22] 25 54"


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    ("row", "up", "move"),
    [
        ("63 32 [22] 25 54 44", "", "44R"),
        ("16 63 32 [22] 25 54", "", "61L"),
        ("63 32 [22] 25 54", "24", "42U"),
    ],
)
def test_the_move_that_was_made_is_found_however_the_table_is_turned(
    turned: bool, row: str, up: str, move: str
) -> None:
    before = start(LATER)
    table = Table(chain=chain_of(row, up, turned=turned))
    explained = explain(GAME, before, table)
    assert [str(made) for made in explained.moves] == [move]
    assert explained.legal


@pytest.mark.parametrize("tail_points", [1, 3], ids=("down", "up"))
@pytest.mark.parametrize(
    ("side", "move"),
    [(Side.RIGHT, "63R"), (Side.LEFT, "63L"), (Side.HEAD, "63U"), (Side.TAIL, "63D")],
)
def test_a_domino_at_the_sniff_is_named_by_where_it_lies_in_the_picture(
    side: Side, move: str, tail_points: int
) -> None:
    if tail_points == 3:
        side = {Side.RIGHT: Side.LEFT, Side.LEFT: Side.RIGHT, Side.HEAD: Side.TAIL, Side.TAIL: Side.HEAD}[side]
    laid = Chain((LaidTile(6, 6), LaidTile(6, 3)), (Joint(0, side, 1, Side.HEAD),), (tail_points, 0))
    explained = explain(GAME, start("players: 2\nline: [66]"), Table(chain=laid))
    assert [str(made) for made in explained.moves] == [move]


def test_however_often_a_player_drew_before_playing_is_found() -> None:
    before = start("players: 2\nplayer 1: 00 01 02 03 04 06\nline: [55]")
    table = Table(chain=chain_of("[55] 51"))
    explained = explain(GAME, before, table)
    *drawn, played = map(str, explained.moves)
    assert played.startswith("51")
    assert {word[:1] for word in drawn} == {"d", "="}


def over() -> FivesState:
    """A hand that player 1 has just gone out of."""
    last = start("players: 2\nplayer 1: 10\nplayer 2: 31\nline: 14 44 42 23 35 56 [66] 60 00\nturn: 1\nscores: 20 30")
    state = replay(GAME, last, "10L")[0]
    assert state.phase is Phase.DEALING
    return state


@pytest.mark.parametrize(("row", "moves"), [("", ["deal"]), ("[55]", ["deal", "55"])])
def test_after_a_hand_the_line_is_taken_up_and_the_next_one_begins(row: str, moves: list[str]) -> None:
    explained = explain(GAME, over(), Table(chain=chain_of(row)) if row else Table())
    assert [str(made) for made in explained.moves] == moves
    assert explained.legal


@pytest.mark.parametrize("row", ["14 44 42 23 35 56", "42 23", "44"])
def test_while_the_line_is_taken_up_nothing_is_wrong_and_nobody_plays(row: str) -> None:
    half = Table(chain=chain_of(row))
    assert explain(GAME, over(), half).moves == ()
    assert left_to_do(GAME, over(), half) == (
        "The hand is over: all dominoes are taken up, and the next hand is dealt."
    )


@pytest.mark.parametrize("row", ["14 44 42", ""])
def test_before_the_line_is_taken_up_what_is_left_is_counted(row: str) -> None:
    state = replay(GAME, start("player 1: 10\nplayer 2: +2\nline: 14 44 42 23"), "10L")[0]
    assert left_to_do(GAME, state, Table(chain=chain_of(row)) if row else Table()) == (
        "The hand is over: before the line is taken up, what is left in the hands is shown, to be counted."
    )


def test_what_is_left_is_counted_as_soon_as_it_is_shown() -> None:
    state = replay(GAME, start("player 1: 10\nplayer 2: +2\nline: 14 42 23\nscores: 20 30"), "10L")[0]
    line = chain_of("01 14 42 23")
    assert state.phase is Phase.SHOWING
    assert explain(GAME, state, Table(chain=line)).moves == ()
    half = Table(chain=line, hands=(Hand(0, (), 0), Hand(1, dominoes("31"), 1)))
    assert list(map(str, explain(GAME, state, half).moves)) == ["=31"]
    shown = Table(chain=line, hands=(Hand(0, (), 0), Hand(1, dominoes("31 66"), 0)))
    counted = explain(GAME, state, shown)
    assert list(map(str, counted.moves)) == ["=31", "=66"]
    after = replay(GAME, state, "=31 =66")[0]
    assert (after.phase, after.scores) == (Phase.DEALING, (35, 30))
    assert GAME.read(shown, state).scores == after.scores
    assert GAME.agrees(after, GAME.read(shown, after))


def test_a_last_domino_that_fits_both_ends_is_where_it_lies_though_hands_are_shown_at_once() -> None:
    state = start("player 1: +1\nplayer 2: +2\nline: [44] 42 20")
    shown = (Hand(0, (), 0), Hand(1, dominoes("31 66"), 0))
    explained = explain(GAME, state, Table(chain=chain_of("[44] 42 20 04"), hands=shown))
    assert list(map(str, explained.moves)) == ["40R", "=31", "=66"]


def test_who_has_no_fewer_dominoes_than_before_has_passed_or_drawn() -> None:
    passed = start("player 1: +2\nplayer 2: +1\nplayer 3: +21\nboneyard:\nline: [44] 42 21 13")
    shown = (Hand(0, dominoes("22 66"), 0), Hand(1, (), 0), Hand(2, (), 21))
    explained = explain(GAME, passed, Table(chain=chain_of("[44] 42 21 13 36"), hands=shown))
    assert list(map(str, explained.moves)) == ["pass", "63R", "=22", "=66"]
    drawn = start("player 1: +2\nplayer 2: +4\nline: [44] 42 21 13")
    kept = (Hand(0, (), 3), Hand(1, (), 4))
    explained = explain(GAME, drawn, Table(chain=chain_of("[44] 42 21 13 36"), hands=kept))
    assert list(map(str, explained.moves)) == ["draw", "draw", "63R"]


def test_two_moves_that_nobody_watched_are_found() -> None:
    explained = explain(GAME, start(LATER), Table(chain=chain_of("16 63 32 [22] 25 54 44")))
    assert sorted(str(made) for made in explained.moves) == ["44R", "61L"]


def test_the_sniff_is_remembered_when_other_doubles_lie_across() -> None:
    before = start("players: 2\nline: 63 32 [22] 25 54 44")
    seen = GAME.read(Table(chain=chain_of("63 32 [22] 25 54 44 46")), before)
    assert row_text(seen.line) == "63 32 [22] 25 54 44 46"
    assert faults(chain_of("63 32 [22] 25 54 44 46")) == ["Which double was played first, the 2-2 or 4-4?"]


def test_a_domino_that_its_player_does_not_have_is_a_slip() -> None:
    before = start(LATER + "\nplayer 1: 61 50\nplayer 2: 64 11")
    explained = explain(GAME, before, Table(chain=chain_of("63 32 [22] 25 54 46")), most=1)
    assert [problem.text for problem in explained.problems] == ["The 4-6 is not in player 1's hand."]
    assert explained.slip == 0


def test_numbers_that_do_not_match_are_said_with_their_tiles() -> None:
    table = Table(Board.parse("6|3 3|2 4|2"), chain("63 32 42", "0T-1H 1T-2H"))
    explained = explain(GAME, start("players: 2\nline: 63 32"), table)
    assert [problem.text for problem in explained.problems] == [
        "The 2 of the 3-2 lies against the 4 of the 4-2: they do not match."
    ]
    assert explained.problems[0].cells


def test_a_domino_beside_the_line_is_not_played() -> None:
    beside = chain("63 32 34", "0T-1H 1H-2H")
    assert faults(beside, start("players: 2\nline: 63 32")) == [
        "The 3-4 cannot lie there: the 3 of the 3-2 is not an open end."
    ]


def test_a_lost_tile_is_named_and_the_game_goes_on_with_it() -> None:
    before = start(LATER)
    assert faults(chain_of("63 32 [22] 25"), before) == [
        "The 4-5 is gone from the line: put it back, or take the move back."
    ]
    assert explain(GAME, before, Table(chain=chain_of("63 32 [22] 25 54"))).legal


def test_a_move_that_was_taken_back_fits_the_moment_before_it() -> None:
    before = start(LATER)
    after = replay(GAME, before, "44R")[0]
    back = Table(chain=chain_of("63 32 [22] 25 54"))
    assert not explain(GAME, after, back).legal
    assert explain(GAME, before, back).legal
    assert explain(GAME, before, back).moves == ()


def test_a_tile_that_was_moved_to_another_place_is_no_move() -> None:
    moved = explain(GAME, start("players: 2\nline: 26 63 32"), Table(chain=chain_of("63 32 26")), most=1)
    assert [p.text for p in moved.problems] == ["The line's dominoes are the same, but they lie in another order."]


def test_what_no_move_explains_is_listed() -> None:
    before = start("players: 2\nline: 63 32")
    found = explain(GAME, before, Table(chain=chain_of("64 43 32")), most=1)
    assert [problem.text for problem in found.problems] == [
        "New in the line: 3-4 and 4-6; no moves put them there.",
        "Gone from the line: 3-6.",
    ]


def test_who_goes_on_playing_had_drawn_before_unseen() -> None:
    before = start("player 1: +1\nplayer 2: +3\nline: 63 32 [22] 25 54")
    both = explain(GAME, before, Table(chain=chain_of("63 32 [22] 25 54 44 46")))
    assert [str(made) for made in both.moves] == ["44R", "draw", "64R"]
    assert [len(hand) for hand in replay(GAME, before, "44R draw 64R")[0].hands] == [1, 2]


def test_a_domino_that_was_drawn_and_played_is_no_slip() -> None:
    before = start(LATER + "\nplayer 1: 61 50")
    explained = explain(GAME, before, Table(chain=chain_of("63 32 [22] 25 54 46")))
    assert [str(made) for made in explained.moves] == ["draw", "=64", "64R"]


def test_a_correction_by_hand_goes_on_from_the_corrected_position() -> None:
    state = start(LATER)
    corrected = start(str(state).replace("25 54", "25 51"))
    assert row_text(replay(GAME, corrected, "14R")[0].line) == "63 32 [22] 25 51 14"


def test_a_hand_that_is_shown_is_known_from_then_on() -> None:
    before = start(LATER)
    table = Table(chain=chain_of("63 32 [22] 25 54"), hands=(Hand(0, dominoes("61 50 11"), 4, "bottom"),))
    seen = GAME.read(table, before)
    assert seen.hands == (Holding(dominoes("61 50 11"), 4), Holding(unknown=7))
    assert explain(GAME, before, table).legal
    assert GAME.agrees(before, seen)
    other = replace(before, hands=(Holding(dominoes("66 60")), before.hands[1]))
    assert not GAME.agrees(other, seen)


def test_the_hand_at_the_top_is_the_second_players() -> None:
    table = Table(chain=chain_of("63 32"), hands=(Hand(0, dominoes("61 50"), 0, "top"),))
    assert GAME.read(table, start("players: 2\nline: 63 32")).hands[1] == Holding(dominoes("61 50"))


def test_a_domino_that_a_shown_hand_lacks_is_named() -> None:
    before = start(LATER + "\nplayer 1: 61 50 11")
    table = Table(chain=chain_of("63 32 [22] 25 54"), hands=(Hand(0, dominoes("61 50"), 0, "bottom"),))
    told = [problem.text for problem in explain(GAME, before, table).problems]
    assert "Player 1 had the 1-1, which is not shown any more." in told
    assert "Player 1 shows 2 dominoes, and should have 3." in told
    assert explain(GAME, before, replace(table, hands=())).legal


def test_dominoes_on_the_squares_of_a_board_are_no_line() -> None:
    assert faults(Table(spots=(Spot(Cell(3, 3), Domino(5, 2)),))) == [
        "1 domino lies on one square of a board each: here a domino lies against an end of the line."
    ]


def test_a_draw_is_seen_where_the_hand_is() -> None:
    before = start("player 1: 11 10\nplayer 2: +7\nline: 63 32")
    table = Table(chain=chain_of("63 32"), hands=(Hand(0, dominoes("11 10 44"), 0, "bottom"),))
    assert [str(made) for made in explain(GAME, before, table).moves] == ["draw", "=44"]


@pytest.mark.parametrize(
    ("hands", "text", "sentence"),
    [
        ([Hand(0, dominoes("63 50"), 0, "bottom")], LATER, "The 3-6 lies in the line, and in a hand too."),
        ([Hand(0, dominoes("50 50"), 0, "bottom")], LATER, "The 0-5 is in the hands 2 times."),
        ([Hand(0, (Domino(9, 1),), 0, "bottom")], LATER, "The 1-9 in a hand is not in the double-six set."),
        (
            [Hand(0, dominoes("50 11"), 0, "bottom")],
            LATER + "\nplayer 2: 50 +6",
            "The 0-5 cannot be in player 1's hand: it is known to be elsewhere.",
        ),
        ([Hand(k, dominoes(f"{k}0"), 1) for k in range(5)], "", "There are 5 hands on the table, and at most 4 play."),
    ],
)
def test_an_impossible_hand_is_refused_with_the_reason(hands: list[Hand], text: str, sentence: str) -> None:
    table = Table(chain=chain_of("63 32 [22] 25 54"), hands=tuple(hands))
    assert sentence in faults(table, start(text) if text else None)


def test_who_passed_cannot_show_what_could_have_been_played() -> None:
    state = replace(start(LATER + "\nturn: 2"), boneyard=Holding())
    passed = replay(GAME, state, "pass")[0]
    table = Table(chain=chain_of("63 32 [22] 25 54"), hands=(Hand(0, dominoes("61 11"), 5, "top"),))
    assert faults(table, passed) == ["Player 2 passed and cannot have the 1-6, which could have been played."]


def test_a_first_look_knows_the_line_and_guesses_how_many_the_hands_have() -> None:
    state = GAME.read(Table(chain=chain_of("63 32 25")))
    assert [len(hand) for hand in state.hands] == [7, 7]
    assert len(state.boneyard) == 11


def test_a_table_is_checked_as_a_line_and_for_whether_the_game_is_over() -> None:
    over = ["The game is not over."]
    assert [fault.text for fault in check(GAME, Table(chain=chain_of("63 32 25"))).problems] == over
    assert check(GAME, Table(chain=chain("63 42", "0T-1H"))).problems[0].text != over[0]
    doubt = Doubt((), "63", ("53",), 0.5)
    assert [fault.text for fault in check(GAME, Table(chain=chain_of("63 32"), doubts=(doubt,))).problems] == over
    won = replace(GAME.read(Table(chain=chain_of("63 32 25"))), phase=Phase.DEALING, scores=(205, 120))
    assert check(GAME, Table(chain=chain_of("63 32 25")), won).state == "solved"
    assert check(GAME, Table()).problems[0].text == "No domino lies face up on the grid."
    assert len(GAME.dominoes(Table())) == 28


def test_once_a_game_is_won_no_other_hand_is_read() -> None:
    won = replace(GAME.read(Table(chain=chain_of("63 32 25"))), phase=Phase.DEALING, scores=(205, 120))
    assert GAME.read(Table(chain=chain_of("63 32 25")), won).scores == (205, 120)
    for lying in ("64 42", "63 32"):
        assert faults(Table(chain=chain_of(lying)), won) == ["The game is over: no other hand is dealt."]


def test_a_line_can_be_drawn_on_paper() -> None:
    diagram = GAME.diagram(start("players: 2\nline: 63 32 [22] 25\nup: 21\ndown: 24"))
    assert diagram.caption == "6 + 1 + 4 + 5 = 16, no score."
    assert {(tile.head, tile.tail): (tile.x, tile.y, tile.angle_deg) for tile in diagram.table.loose} == {
        (6, 3): (1.0, 0.0, 0.0),
        (3, 2): (3.0, 0.0, 0.0),
        (2, 2): (4.5, 0.0, 90.0),
        (2, 1): (4.5, -2.0, 270.0),
        (2, 4): (4.5, 2.0, 90.0),
        (2, 5): (6.0, 0.0, 0.0),
    }
