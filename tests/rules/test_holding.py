"""What is known of dominoes that lie face down, and how the rest may lie."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.domino import Domino, DominoSet
from rules.holding import Holding, guessed

SET = DominoSet(6).dominoes
FIVES = frozenset(d for d in SET if 5 in (d.high, d.low))


def test_it_is_written_as_the_known_dominoes_and_how_many_are_unknown() -> None:
    assert str(Holding((Domino(6, 4), Domino(3, 1)), 5)) == "64 31 +5"
    assert str(Holding((Domino(6, 4),))) == "64"
    assert str(Holding()) == ""


def test_a_domino_that_is_shown_leaves_the_unknown_ones() -> None:
    hand = Holding((Domino(6, 4),), 2)
    assert len(hand.without(Domino(6, 4))) == len(hand.without(Domino(3, 1))) == 2
    assert hand.without(Domino(3, 1)) == Holding((Domino(6, 4),), 1)


def test_who_passed_on_a_five_has_none_until_the_next_draw() -> None:
    hand = Holding(unknown=3, lacks=FIVES)
    with pytest.raises(ValueError, match="53 is not here"):
        hand.without(Domino(5, 3))
    assert hand.plus(None).may_hold(Domino(5, 3))


def test_others_see_only_how_many_there_are() -> None:
    assert Holding((Domino(6, 4), Domino(1, 0)), 1).unseen() == Holding(unknown=3)


@pytest.mark.parametrize(
    ("seen", "told"),
    [
        (Holding(unknown=3), True),
        (Holding((Domino(6, 4), Domino(3, 1), Domino(2, 2))), True),
        (Holding((Domino(6, 4),), 1), False),  # too few
        (Holding((Domino(5, 0),), 2), False),  # what the hand lacks
        (Holding((Domino(3, 3),), 2), True),
        (Holding((Domino(3, 3), Domino(2, 2)), 1), False),  # where are both that are known?
    ],
)
def test_a_hand_may_be_what_is_seen_of_it(seen: Holding, told: bool) -> None:
    assert Holding((Domino(6, 4), Domino(3, 1)), 1, FIVES).may_be(seen) is told


@given(st.integers(0, 10_000))
def test_a_guess_gives_everybody_dominoes_of_their_own_and_none_that_they_lack(seed: int) -> None:
    mine, yours, boneyard = Holding(SET[:5]), Holding(unknown=5, lacks=FIVES), Holding(unknown=14)
    whole = guessed((mine, yours, boneyard), SET[5:9], SET, Random(seed))
    assert whole is not None
    dealt = [domino for holding in whole for domino in holding]
    assert sorted(dealt) == sorted({*SET} - {*SET[5:9]})
    assert whole[0] == mine
    assert not FIVES.intersection(whole[1])


def test_a_deal_that_cannot_be_is_none() -> None:
    assert guessed((Holding(unknown=22, lacks=FIVES),), (), SET, Random(1)) is None
    assert guessed((Holding(unknown=29),), (), SET, Random(1)) is None


def test_every_guess_is_possible() -> None:
    pool, chance = SET[:4], Random(3)
    hands = (Holding(unknown=1, lacks=frozenset({SET[0]})), Holding(unknown=1))
    seen = {tuple(h.known[0] for h in whole) for _ in range(200) if (whole := guessed(hands, (), pool, chance))}
    assert len(seen) == 9
