"""What the page offers to choose among can all be begun."""

from __future__ import annotations

import pytest

from pipsight.opening import CannotBegin, opening
from pipsight.page.choosing import games
from rules.games import slugs


@pytest.mark.parametrize("slug", slugs())
def test_every_variant_that_so_many_are_offered_can_be_begun(slug: str) -> None:
    (told,) = (one for one in games() if one["slug"] == slug)
    least, most = told["players"]
    for players, ways in zip(range(least, most + 1), told["variants"], strict=bool(told["variants"])):
        assert ways
        starts = [opening(slug, None, players, variant)[1] for variant in ways]
        assert len({start is None for start in starts}) == 1


def test_who_plays_tetradominoes_alone_is_offered_the_levels_and_others_a_game_or_a_tournament() -> None:
    (told,) = (one for one in games() if one["slug"] == "tetradominoes")
    assert told["variants"] == [["level 1", "level 2"], *[["standard", "tournament"]] * 3]
    with pytest.raises(CannotBegin, match="for 1 player: choose 'level 1' or 'level 2'"):
        opening("tetradominoes", None, 1, "standard")
