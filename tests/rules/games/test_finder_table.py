"""Domino Finder on the table: what is read, followed, remembered, and what cannot lie there."""

from dataclasses import replace
from itertools import pairwise

import pytest

from rules.board import Board, Cell, Placed
from rules.engine import check, explain, left_to_do, replay
from rules.finder.state import Face, Flip, Idle, Search, halves, place_of
from rules.game import UnreadableTable
from rules.games.finder import GAME
from rules.inference import Explanation
from rules.table import Die, Doubt, Hand, Piece, Place, Table
from tests.rules.finder.walking import a_game, after


def on_table(state: Search, *, turns: int = 0, spread: int = 1) -> Table:
    """What a camera sees of a state: backs, open dominoes, pawns and dice."""

    def place(cell: Cell) -> Cell:
        return Cell(cell.row * spread, cell.col).turned(turns).shifted(9, 20)

    shown = GAME.diagram(state).table
    board = Board(tuple(tile.moved(place) for tile in shown.board.placed))
    backs = tuple(Place(tuple(sorted(map(place, back.cells)))) for back in shown.face_down)
    pawns = tuple(replace(pawn, cell=pawn.cell and place(pawn.cell)) for pawn in shown.pawns)
    return replace(shown, board=board, face_down=backs, pawns=pawns)


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("spread", [1, 2])
def test_a_table_is_read_with_what_was_seen_before(turns: int, spread: int) -> None:
    before = None
    for state in a_game(3)[4:30]:
        if state.rolls:
            continue
        known = GAME.visible(state, 0)
        seen = GAME.read(on_table(state, turns=turns, spread=spread), known if before is None else before)
        assert GAME.agrees(known, seen)
        before = replace(known, fit=seen.fit, spread=seen.spread)


def test_a_real_table_is_followed_by_what_must_have_happened() -> None:
    states = [state for state in a_game(11) if not state.rolls and not state.rolling][:12]
    for old, new in pairwise(states):
        explained = explain(GAME, GAME.visible(old, 0), on_table(new), most=2)
        if new.found == old.found:
            assert explained.legal
            assert [type(move) for move in explained.moves][:1] in ([Flip], [Idle], [])


def test_a_game_is_taken_up_in_the_middle_with_the_treasures_before_the_players() -> None:
    state = next(state for state in a_game(11) if state.taken and not state.looking)
    hands = tuple(Hand(seat, held) for seat, held in enumerate(state.found) if held)
    seen = GAME.read(replace(on_table(state), hands=hands))
    assert (seen.found, seen.players) == (state.found, state.players)
    assert [tile.face for tile in seen.tiles] == [tile.face for tile in state.tiles]
    with pytest.raises(UnreadableTable, match="27 dominoes; 28 dominoes in 7 rows of 4 are expected"):
        GAME.read(on_table(state))


def test_who_begins_in_the_middle_is_asked_to_lift_the_pawns_that_hide_dominoes() -> None:
    table = on_table(after("a2R h5L"))
    stood_on = {pawn.cell for pawn in table.pawns}
    board = Board(tuple(tile for tile in table.board.placed if stood_on.isdisjoint(tile.cells)))
    for shown, advice in ((replace(table, pawns=()), ""), (table, " What lies beneath a pawn is not seen: lift the")):
        with pytest.raises(UnreadableTable) as told:
            GAME.read(replace(shown, board=board))
        assert any(f"28 dominoes in 7 rows of 4 are expected.{advice}" in one.text for one in told.value.problems)
        assert any("lift" in one.text for one in told.value.problems) == bool(advice)


def test_a_domino_that_the_pawn_could_not_reach_is_pointed_out() -> None:
    old = GAME.visible(after("a2R h5L"), 0)
    wrong = on_table(GAME.visible(after("a2R h5L"), 0))
    pawn = replace(wrong.pawns[0], cell=Cell(12, 24))
    backs = tuple(back for back in wrong.face_down if Cell(12, 24) not in back.cells)
    board = wrong.board.laid(Placed.on(Cell(12, 24), Cell(12, 25), 2, 1))
    found = explain(GAME, old, replace(wrong, board=board, face_down=backs, pawns=(pawn, *wrong.pawns[1:])))
    assert found.slip == 0
    assert found.problems[0].text.startswith("Player 1's pawn cannot stand next to e4")


def flipped(state: Search, half: Cell, pips: tuple[int, int]) -> Table:
    """What lies there once a domino was turned over, and no pawn went on to it."""
    table = on_table(state)
    left, right = (cell.shifted(9, 20) for cell in halves(place_of(half)))
    backs = tuple(back for back in table.face_down if back.cells != (left, right))
    return replace(table, board=table.board.laid(Placed.on(left, right, *pips)), face_down=backs)


@pytest.mark.parametrize(
    ("moves", "half", "pips", "told"),
    [
        ("a2R h5L", Cell(1, 2), (2, 0), "Player 1 is not done: the red pawn goes to c2."),
        ("a2R h5L", Cell(2, 0), (3, 1), "Player 1 is not done: the red pawn goes to a3 or b3."),
        ("a2R h5L", Cell(4, 2), (1, 1), ""),  # it cannot get there
        ("a2R h5L", Cell(1, 2), (2, 2), ""),  # nobody has two of them
        (
            "a2R h5L c2R",
            Cell(3, 6),
            (5, 3),
            "Player 2 is not done: the blue pawn goes to g4 or h4 and the 3-5 at g4 is taken.",
        ),
    ],
)
def test_a_domino_that_was_flipped_is_a_move_that_was_begun(
    moves: str, half: Cell, pips: tuple[int, int], told: str
) -> None:
    state = GAME.visible(after(moves), 0)
    assert left_to_do(GAME, state, flipped(state, half, pips)) == told


def test_traps_that_a_treasure_hides_are_turned_one_by_one() -> None:
    before, found = (GAME.visible(after(f"a2R h5L c2R h6D c1U{end}"), 0) for end in ("", " h4U"))
    told = left_to_do(GAME, before, flipped(found, Cell(1, 2), (2, 0)))
    assert told == "Player 2 is not done: the 0-2 at c2 is turned face down."
    assert left_to_do(GAME, before, on_table(found)) == ""


def test_dice_that_were_rolled_at_the_same_time_keep_no_move_from_being_half_done() -> None:
    state = replace(GAME.visible(after("a2R h5L"), 0), rolling=True)
    table = flipped(state, Cell(1, 2), (2, 0))
    assert left_to_do(GAME, state, replace(table, dice=(Die(5), Die(1)))).endswith("the red pawn goes to c2.")


def test_where_nothing_was_begun_nothing_is_left_to_do() -> None:
    state = GAME.visible(after("a2R h5L"), 0)
    assert left_to_do(GAME, state, on_table(state)) == ""


@pytest.mark.parametrize("lost", range(0, 28, 9))
def test_a_lost_domino_and_a_moved_pawn_are_named_and_the_game_goes_on(lost: int) -> None:
    state = GAME.visible(after("a2R h5L"), 0)
    whole = on_table(state)
    gone = replace(whole, face_down=tuple(p for p in whole.face_down if p != whole.face_down[lost % 26]))
    (problem,) = explain(GAME, state, gone).problems
    assert problem.text.startswith("The domino at ")
    assert problem.text.endswith(" is missing.")
    assert explain(GAME, state, whole).legal


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"dice": (Die(3),)}, "There is 1 die; two are expected."),
        ({"dice": (Die(3), Die(7))}, "A die shows 7; 1 to 6 are possible."),
        ({"pawns": (Piece((120, 40, 160)),)}, "A purple pawn is there; the red or the blue one is expected."),
        ({"pawns": (Piece((200, 30, 30)),) * 2}, "There are 2 red pawns; each player has one, of a colour of its own."),
        ({"board": Board(), "face_down": ()}, "No domino lies on the grid; 28 dominoes in 7 rows of 4 are expected."),
        (
            {"face_down": (Place((Cell(0, 0), Cell(0, 1))), Place((Cell(0, 3), Cell(0, 4))))},
            "There are 2 dominoes, not in such rows; 28 dominoes in 7 rows of 4 are expected.",
        ),
    ],
)
def test_tables_that_cannot_be_this_game(change: dict[str, object], why: str) -> None:
    state = GAME.visible(after(""), 0)
    with pytest.raises(UnreadableTable) as unreadable:
        GAME.read(replace(on_table(state), **change), state)  # type: ignore[arg-type]
    assert why in str(unreadable.value)


def test_a_table_in_the_middle_of_the_game_is_not_its_end() -> None:
    state = GAME.visible(after("a1R"), 0)
    assert [fault.text for fault in check(GAME, on_table(state), state).problems] == ["The game is not over."]


def test_two_blanks_in_a_row_cannot_be() -> None:
    state = GAME.visible(after("a1R"), 0)
    seen = on_table(state)
    twice = replace(
        seen, board=seen.board.laid(Placed.on(Cell(9, 22), Cell(9, 23), 4, 0)), face_down=seen.face_down[1:]
    )
    verdict = check(GAME, twice, state)
    assert verdict.state == "unsolved"
    assert [p.text for p in verdict.problems] == [
        "In row 1 lie the 0-1 and the 0-4; each row has one domino with a blank."
    ]


def test_a_domino_that_is_there_twice_is_told_once_with_both_places() -> None:
    state = GAME.visible(after("a1R"), 0)
    seen = on_table(state)
    (there,) = (placed for placed in seen.board.placed if placed.cell == Cell(9, 20))
    back = next(back for back in seen.face_down if Cell(11, 22) in back.cells)
    head, tail = back.cells
    twin = Placed.on(head, tail, there.head, there.tail)
    rest = tuple(one for one in seen.face_down if one is not back)
    with pytest.raises(UnreadableTable) as unreadable:
        GAME.read(replace(seen, board=seen.board.laid(twin), face_down=rest), state)
    told = [problem for problem in unreadable.value.problems if "twice" in problem.text]
    assert [problem.text for problem in told] == ["The 0-1 is there twice: at a1 and at c3."]
    assert told[0].cells == (*there.cells, *twin.cells)


def test_what_looks_like_a_back_where_a_treasure_was_taken_is_none_and_a_doubtful_face_neither() -> None:
    state, place = next(
        (state, place)
        for state in a_game(11)
        for place, tile in enumerate(state.tiles)
        if tile.face is Face.GONE and not {*halves(place)} & {*state.pawns} and not state.looking
    )
    known, cells = GAME.visible(state, 0), halves(place)
    lies = GAME.diagram(known).table
    more = replace(lies, face_down=(*lies.face_down, Place(cells)))
    assert GAME.agrees(known, GAME.read(more, known))
    front = replace(lies, board=Board((*lies.board.placed, Placed.on(*cells, 3, 3))))
    assert GAME.agrees(known, GAME.read(replace(front, doubts=(Doubt(cells, "33", (), 0.6),)), known))
    with pytest.raises(UnreadableTable):
        GAME.read(front, known)


def test_what_may_be_a_back_beside_the_rows_is_none() -> None:
    known = GAME.visible(a_game(11)[0], 0)
    lies = on_table(known)
    beside, unsure = Place((Cell(20, 40), Cell(20, 41))), lies.face_down[3].cells
    more = replace(lies, face_down=(*lies.face_down, beside))
    doubts = tuple(Doubt(cells, "face down", (), 0.6) for cells in (beside.cells, unsure))
    assert GAME.agrees(known, GAME.read(replace(more, doubts=doubts), known))
    with pytest.raises(UnreadableTable):
        GAME.read(more, known)


def test_what_looks_like_a_back_across_the_rows_is_none_and_a_domino_there_lies_off_them() -> None:
    known = GAME.visible(a_game(11)[0], 0)
    lies, across = on_table(known), (Cell(10, 31), Cell(11, 31))
    assert GAME.agrees(known, GAME.read(replace(lies, face_down=(*lies.face_down, Place(across))), known))
    with pytest.raises(UnreadableTable, match="The 3-3 lies off the rows"):
        GAME.read(replace(lies, board=Board((*lies.board.placed, Placed.on(*across, 3, 3)))), known)


def test_several_flips_are_followed_at_once() -> None:
    old = GAME.visible(after("a2R h5L"), 0)
    new = GAME.visible(after("a2R h5L a3D h6D c2R"), 0)
    explained = explain(GAME, old, on_table(new))
    assert [str(move) for move in explained.moves if isinstance(move, Flip)] == ["a3D", "h6D", "c2R"]


def rolling(moves: str) -> Search:
    """A game of two after some rolls."""
    return replay(GAME, Search.fresh(2), moves)[0]


def thrown(state: Search, at: tuple[complex, complex], turns: int) -> Table:
    """A table whose dice lie there, in cells from the rows' corner, as a camera that is turned tells where all lies."""

    def seen(row: float, col: float) -> tuple[float, float]:
        point = complex(col, row) * 1j**turns * 1.02 + complex(-3, 5)
        return point.real, point.imag

    def back(place: Place) -> Place:
        x, y = seen(*(sum(part) / 2 for part in zip(*((cell.row, cell.col) for cell in place.cells), strict=True)))
        return Place(tuple(sorted(cell.turned(turns) for cell in place.cells)), x, y)

    shown = GAME.diagram(state).table
    dice = tuple(Die(die.value, None, *seen(there.imag, there.real)) for die, there in zip(shown.dice, at, strict=True))
    return replace(shown, face_down=tuple(map(back, shown.face_down)), dice=dice)


@pytest.mark.parametrize("turns", range(4))
def test_dice_that_show_the_same_numbers_were_rolled_if_both_lie_elsewhere(turns: int) -> None:
    first = rolling("roll(4-1)")
    lay, nudged, rolled = (9.0 + 2.0j, 9.5 + 4.0j), (9.1 + 2.1j, 9.6 + 3.9j), (10.5 + 5.0j, 9.0 + 3.0j)
    seen = GAME.read(thrown(first, lay, turns), first)
    assert explain(GAME, seen, thrown(first, nudged, turns)).moves == ()
    assert [str(move) for move in explain(GAME, seen, thrown(first, rolled, turns)).moves] == ["roll(4-1)"]
    one_pushed = (lay[0], rolled[0])
    assert explain(GAME, seen, thrown(first, one_pushed, turns)).moves == ()


def test_dice_are_rolled_once_both_lie_elsewhere() -> None:
    first = rolling("roll(4-1)")
    lay, one_gone, rolled = (9.0 + 2.0j, 9.5 + 4.0j), (9.1 + 2.0j, 10.5 + 6.0j), (9.0 + 6.0j, 10.5 + 6.0j)
    seen = GAME.read(thrown(first, lay, 0), first)
    mixed = replace(first, dice=(first.dice or (0, 0))[:1] + (3,))
    assert explain(GAME, seen, thrown(mixed, one_gone, 0)) == Explanation()
    assert [str(move) for move in explain(GAME, seen, thrown(mixed, rolled, 0)).moves] == ["roll(4-3)"]


def test_a_die_that_shows_its_number_again_while_the_other_one_lies_is_not_the_whole_roll() -> None:
    first = rolling("roll(4-1)")
    seen = GAME.read(thrown(first, (9.0 + 2.0j, 9.5 + 4.0j), 0), first)
    half = GAME.read(thrown(first, (10.5 + 6.0j, 9.5 + 4.0j), 0), seen)
    assert (half.dice, half.thrown) == (seen.dice, seen.thrown)
    rolled = replace(first, dice=(4, 3))
    both = thrown(rolled, (10.5 + 6.0j, 9.0 + 6.0j), 0)
    assert [str(move) for move in explain(GAME, half, both).moves] == ["roll(4-3)"]


def test_a_die_that_was_knocked_over_when_nobody_rolls_is_told() -> None:
    state = rolling("roll(4-1) roll(3-1) roll(6-5)")
    seen = GAME.read(thrown(state, (9.0 + 2.0j, 9.5 + 4.0j), 0), state)
    over = thrown(replace(state, dice=(6, 2)), (9.0 + 2.0j, 11.0 + 4.0j), 0)
    (problem,) = explain(GAME, seen, over).problems
    assert problem.text == "The dice show 6 and 2 now, though nobody was to roll."


def test_dice_that_nobody_has_to_roll_may_be_put_elsewhere() -> None:
    state = rolling("roll(4-1) roll(3-1) roll(6-5)")
    seen = GAME.read(thrown(state, (9.0 + 2.0j, 9.5 + 4.0j), 0), state)
    assert not seen.rolling
    assert explain(GAME, seen, thrown(state, (12.0 + 1.0j, 12.0 + 6.0j), 0)) == Explanation()


def test_a_treasure_that_was_taken_and_the_next_roll_are_followed() -> None:
    old = after("a2R h5L a3D")
    new = replay(GAME, old, "h4U roll(4-1)")[0]
    explained = explain(GAME, GAME.visible(old, 0), on_table(GAME.visible(new, 0)))
    assert list(map(str, explained.moves))[-1] == "roll(4-1)"
    assert explained.legal
