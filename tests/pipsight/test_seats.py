"""Where the players of Cobra Paw sit: as somebody says, else as the camera's table was calibrated, else as usual."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from calibration.plane import Plane, Side
from calibration.store import CameraCalibration, save
from pipsight.cameras import camera_file, camera_id, seats_of
from pipsight.sessions import Choice, begun, taken_up, unlogged
from tests.pipsight.pages import SAMPLES
from vision.camera import open_camera

pytestmark = pytest.mark.needs("cv2")

CAMERA = "3"
SQUARE = ((0.5, 0.0, 0.0), (0.0, 0.5, 0.0), (0.0, 0.0, 1.0))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user of this test's own."""
    monkeypatch.setenv("PIPSIGHT_HOME", str(tmp_path))


def calibrated(*seats: Side) -> None:
    """A table at which players sit at these sides of the picture."""
    plane = Plane(SQUARE, ((0, 0), (600, 0), (600, 400), (0, 400)), seats)
    path = camera_file(CAMERA)
    path.parent.mkdir(parents=True, exist_ok=True)
    save(path, CameraCalibration(camera_id(CAMERA), (1280, 720), datetime.now(UTC), plane=plane))


def sides(choice: Choice) -> tuple[str, ...]:
    """Where the players sit in a game before that camera."""
    state: Any = choice.seated(seats_of(CAMERA)).opening[1]
    return tuple(state.sides)


def test_who_says_nothing_sits_as_usual() -> None:
    assert sides(Choice("cobra_paw")) == ("bottom", "top")
    assert sides(Choice("cobra_paw", players=3)) == ("bottom", "left", "right")


def test_a_calibrated_table_tells_how_many_play_and_where_they_sit() -> None:
    calibrated("left", "top", "right")
    assert sides(Choice("cobra_paw")) == ("left", "top", "right")
    assert sides(Choice("cobra_paw", players=3)) == ("left", "top", "right")


def test_what_is_said_counts_more_than_what_was_calibrated() -> None:
    calibrated("left", "top", "right")
    assert sides(Choice("cobra_paw", players=2)) == ("bottom", "top")
    assert sides(Choice("cobra_paw", players=3, seats=("top", "bottom", "left"))) == ("top", "bottom", "left")


def test_seats_of_one_player_and_of_games_without_sides_mean_nothing() -> None:
    calibrated("left")
    assert sides(Choice("cobra_paw")) == ("bottom", "top")
    calibrated("left", "top")
    assert Choice("fujisan", "3").seated(seats_of(CAMERA)) == Choice("fujisan", "3")


def test_a_damaged_file_of_the_camera_keeps_nobody_from_playing() -> None:
    calibrated("left", "top")
    camera_file(CAMERA).write_text("seats = [")
    assert sides(Choice("cobra_paw")) == ("bottom", "top")


def test_a_game_goes_on_with_its_players_where_they_sat() -> None:
    game = begun(Choice("cobra_paw", players=2, seats=("right", "bottom")))
    assert game.log
    game.log.write({"event": "began", "state": str(game.session.follower.start)})
    game.close()
    again = taken_up(game.log.path)
    again.close()
    assert again.choice.seats == again.session.follower.state.sides == ("right", "bottom")


def test_the_referee_looks_for_hands_where_somebody_sits() -> None:
    session = unlogged(Choice("cobra_paw", players=2, seats=("right", "bottom"))).session
    assert session.referee
    for photo in islice(open_camera(str(SAMPLES / "cobra_paw.jpg")), 60):
        session.see(photo)
    assert session.referee._calm
    assert session.referee._calm.seats == ("right", "bottom")
