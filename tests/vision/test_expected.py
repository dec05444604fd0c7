"""A game knows what stands on its table: faint pieces are taken up, and what it does not have is left out."""

from __future__ import annotations

from typing import Any

import pytest

from rules.foreseen import expected
from rules.game import Expected
from rules.games import game
from rules.puzzles import problem
from vision.scene import DieDetection, Faint, PawnDetection, Scene, TetrominoDetection

pytestmark = pytest.mark.needs("cv2")

RED, BLUE = (200, 30, 30), (30, 30, 200)


def pawn(x: float, width: float = 20.0, color: tuple[int, int, int] = RED) -> PawnDetection:
    return PawnDetection((x, 50.0), color, 0.6, width)


def die(x: float, value: int) -> DieDetection:
    return DieDetection((x, 50.0), value, 0.9, edge_px=20.0)


def faint(chance: float, piece: PawnDetection | DieDetection, kind: str = "pawn") -> Faint:
    return Faint(kind, chance, piece)


def found(scene: Scene, *wanted: Expected) -> Scene:
    from vision.expected import as_expected

    return as_expected(scene, wanted)


def test_four_pawns_must_stand_there_so_the_likeliest_faint_ones_are_pawns() -> None:
    scene = Scene(
        (400, 100),
        pawns=(pawn(10),),
        faint=tuple(faint(c, pawn(x)) for c, x in ((0.4, 60), (0.1, 300), (0.3, 110), (0.2, 160))),
    )
    assert [p.center_px[0] for p in found(scene, Expected("pawn", 4, 4)).pawns] == [10, 60, 110, 160]


def test_a_pawn_of_a_color_that_the_game_knows_is_likelier_than_a_stain() -> None:
    grey = (180, 180, 175)
    stains = faint(0.48, pawn(60, color=grey)), faint(0.45, pawn(110, color=BLUE)), faint(0.4, pawn(160))
    scene = Scene((400, 100), faint=stains)
    known = Expected("pawn", 2, 2, by_color=True, colors=("red", "blue"))
    assert [p.center_px[0] for p in found(scene, known).pawns] == [110, 160]
    assert [p.center_px[0] for p in found(scene, Expected("pawn", 2, 2)).pawns] == [60, 110]


def test_a_pawn_of_a_known_color_comes_before_one_of_another_and_each_color_but_once() -> None:
    printed, stain = pawn(10, color=(150, 60, 20)), pawn(210, color=(200, 32, 32))
    shown = (faint(0.49, pawn(60)), faint(0.35, stain), faint(0.43, pawn(110, color=(30, 40, 200))))
    scene = Scene((0, 0), pawns=(printed, pawn(160, color=(40, 30, 20))), faint=shown)
    known = Expected("pawn", 2, 2, by_color=True, colors=("red", "blue"))
    assert sorted(p.center_px[0] for p in found(scene, known).pawns) == [60, 110]
    assert sorted(p.center_px[0] for p in found(scene, Expected("pawn", 2, 2)).pawns) == [10, 160]


def test_a_mere_blot_of_a_known_color_is_no_pawn_where_another_one_surely_stands() -> None:
    orange, blue = pawn(10, color=(230, 120, 30)), pawn(160, color=BLUE)
    scene = Scene((0, 0), pawns=(orange, blue), faint=(faint(0.2, pawn(60)),))
    known = Expected("pawn", 2, 2, by_color=True, colors=("red", "blue"))
    assert sorted(p.center_px[0] for p in found(scene, known).pawns) == [10, 160]


def test_domino_finder_knows_its_pawns_by_their_colors() -> None:
    finder: Any = game("finder")
    assert expected(finder)[0].colors == ()
    assert expected(finder, finder.start("players: 3\n"))[0].colors == ("red", "blue", "green")


def test_what_may_lie_there_but_need_not_is_not_sought_among_the_faint() -> None:
    scene = Scene((400, 100), dice=(die(60, 3),), faint=(faint(0.45, die(110, 5), "die"),))
    assert [d.value for d in found(scene, Expected("die", 0, 2)).dice] == [3]


def test_where_one_of_two_dice_lies_the_other_one_is_believed_though_it_is_faint() -> None:
    pair = Expected("die", 0, 2, together=True)
    hardly, blot = faint(0.4, die(110, 6), "die"), faint(0.1, die(210, 2), "die")
    assert [d.value for d in found(Scene((400, 100), dice=(die(10, 3),), faint=(hardly, blot)), pair).dice] == [3, 6]
    assert [d.value for d in found(Scene((400, 100), dice=(die(10, 3),), faint=(blot,)), pair).dice] == [3]
    assert found(Scene((400, 100), faint=(hardly,)), pair).dice == ()
    both = Scene((400, 100), dice=(die(10, 3), die(300, 5)), faint=(hardly,))
    assert [d.value for d in found(both, pair).dice] == [3, 5]


def test_never_more_than_there_are() -> None:
    scene = Scene((400, 100), dice=(die(10, 1), die(60, 2), die(110, 3)))
    assert len(found(scene, Expected("die", 0, 2)).dice) == 2


def test_a_die_is_not_taken_for_a_pawn_besides() -> None:
    scene = Scene(
        (400, 100), dice=(die(60, 2),), pawns=(pawn(62),), faint=(faint(0.3, pawn(200)), faint(0.2, pawn(300)))
    )
    there = found(scene, Expected("die", 0, 2), Expected("pawn", 2, 2))
    assert [p.center_px[0] for p in there.pawns] == [200, 300]
    assert [d.value for d in there.dice] == [2]


def test_a_token_may_lie_on_a_tetromino() -> None:
    squares = tuple((float(x), 50.0) for x in (40, 60, 80, 100))
    cardboard = TetrominoDetection(squares, True, 0.95)
    scene = Scene((400, 100), tokens=(pawn(70),), tetrominoes=(cardboard,))
    assert len(found(scene, Expected("token", 0, 3), Expected("tetromino", 0, 7)).tokens) == 1


def test_a_game_without_pieces_has_none() -> None:
    scene = Scene((400, 100), dice=(die(10, 1),), pawns=(pawn(60),), tokens=(pawn(110),))
    nothing = found(scene)
    assert (nothing.dice, nothing.pawns, nothing.tokens) == ((), (), ())


def test_a_pawn_seen_from_above_may_look_like_a_token() -> None:
    scene = Scene((400, 100), tokens=(pawn(10),), faint=(faint(0.3, pawn(60), "token"), faint(0.2, pawn(110))))
    assert len(found(scene, Expected("pawn", 3, 3)).pawns) == 3
    both = found(scene, Expected("pawn", 3, 3), Expected("token", 0, 9))
    assert (len(both.pawns), len(both.tokens)) == (1, 1)


def test_pieces_are_of_one_size_and_apart() -> None:
    scene = Scene(
        (400, 100), pawns=(pawn(10),), faint=(faint(0.4, pawn(16)), faint(0.35, pawn(60, 90.0)), faint(0.3, pawn(110)))
    )
    assert [p.center_px[0] for p in found(scene, Expected("pawn", 2, 2)).pawns] == [10, 110]


def test_the_state_before_tells_how_many_dice_stand_on_the_bees_dominoes() -> None:
    rules = game("bee")
    start = problem("bee", "4")
    assert (expected(rules)[0].least, expected(rules)[0].most) == (3, 6)
    (known,) = expected(rules, start)
    assert known.least == known.most == len(start.bees)
    assert expected(game("dominosa")) == ()


def test_bee_knows_what_its_dice_show_so_a_second_four_is_less_likely_than_a_faint_one() -> None:
    scene = Scene((400, 100), dice=(die(60, 4), die(110, 4)), faint=(faint(0.3, die(160, 1), "die"),))
    known = Expected("die", 2, 2, by_value=True, values=(1, 4))
    assert [d.value for d in found(scene, known).dice] == [4, 1]
    assert [d.value for d in found(scene, Expected("die", 2, 2)).dice] == [4, 4]


def test_a_die_that_shows_what_none_should_is_told_where_no_other_may_be_meant() -> None:
    scene = Scene((400, 100), dice=(die(60, 4), die(110, 4)), faint=(faint(0.1, die(160, 1), "die"),))
    assert [d.value for d in found(scene, Expected("die", 2, 2, by_value=True, values=(1, 4))).dice] == [4, 4]


def test_the_state_of_bee_tells_what_the_dice_show() -> None:
    bee: Any = game("bee")
    start = problem("bee", "1")
    assert sorted(expected(bee, start)[0].values) == sorted(die.value for die in bee.diagram(start).table.dice)
    assert expected(bee)[0].values == ()


def test_a_die_that_hardly_looks_like_one_is_taken_up_as_doubtful() -> None:
    scene = Scene((400, 100), dice=(die(60, 4),), faint=(faint(0.02, die(160, 1), "die"),))
    seen = found(scene, Expected("die", 2, 2, by_value=True, values=(1, 4))).dice
    assert [(d.value, d.doubtful) for d in seen] == [(4, False), (1, True)]


def test_a_die_that_hardly_shows_is_one_where_the_rules_have_it_and_no_other_shows_its_number() -> None:
    from vision.expected import with_foreseen

    hardly = tuple(faint(c, die(x, v), "die") for c, x, v in ((0.05, 60, 4), (0.02, 110, 4), (0.001, 160, 2)))
    scene = Scene((400, 100), dice=(die(10, 3),), faint=(*hardly, faint(0.05, die(210, 3), "die")))
    told = with_foreseen(scene, lambda one: one.center_px[0] < 250)
    assert [(d.center_px[0], d.value, d.doubtful) for d in told.dice] == [(10, 3, False), (60, 4, True)]
    assert told.faint == scene.faint[1:]
    assert with_foreseen(scene, lambda one: False) == scene
