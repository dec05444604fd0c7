"""Close-ups for training: their truth is what the pictures show."""

from __future__ import annotations

from collections.abc import Generator
from math import ceil
from pathlib import Path

import cv2
import numpy as np
import pytest
import torch

from training import touches, train_landing, train_touch
from training.checkpoints import train
from training.export import export
from training.nets import TouchNet
from training.restore import pictures_of, restored
from vision.hands.closeup import SIZE, turned_points
from vision.layout.seats import SIDES

pytestmark = pytest.mark.needs("cv2", "torch", "onnx")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("films")
    touches.make(where, 2, seed=7, workers=1)
    return where


def test_the_fingertip_is_on_the_tile_when_it_touches(folder: Path) -> None:
    told = [(one, side, frame) for one in touches.load(folder) for side, frame in one.touched.items()]
    assert told
    for one, side, frame in told:
        x, y, gap = one.tips[side][ceil(frame)]
        assert cv2.pointPolygonTest(one.tile.astype(np.float32), (float(x), float(y)), True) > -2
        assert gap < 1


def test_films_that_are_there_are_not_filmed_again(folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    touches.make(folder, 2, seed=7, workers=1)
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before


def test_every_sequence_says_how_long_ago_the_touch_was(folder: Path) -> None:
    rng = np.random.default_rng(3)
    one = next(one for one in touches.load(folder) if one.touched)
    side = next(iter(one.touched))
    for _ in range(8):
        ((closeups, _, where, lags, weight, upon, tips),) = train_touch.sequence(one, [side], rng)
        assert closeups.shape == (train_touch.LENGTH, SIZE, SIZE, 8)
        assert (len(where), len(tips)) == (4, train_touch.LENGTH)
        assert lags.sum(axis=1) == pytest.approx(np.ones(len(lags)))
        middles = lags[:, :-1] @ (np.arange(16) + 0.5) / 2
        sure = lags[:-1, -1] + lags[1:, -1] < 0.001
        assert np.diff(middles)[sure] == pytest.approx(np.ones(sure.sum()), abs=0.51)
        assert weight.min() == 1.0
        begun = np.flatnonzero(lags[:, :-1].any(axis=1))
        assert upon[begun, 0].min(initial=1.0) == 1.0  # a hand that has just touched is on the tile
        assert upon[: int(begun[0]) if len(begun) else 0, 0].max(initial=0.0) == 0.0


def test_the_network_learns(folder: Path, tmp_path: Path) -> None:
    torch.manual_seed(3)
    net = TouchNet()
    batch = next(train_touch.batches(folder, 1, 1))
    before = train_touch.loss_of(net, batch)[0].item()

    def again() -> Generator[train_touch.Batch]:
        while True:
            yield batch

    train(net, again(), train_touch.loss_of, tmp_path / "touch.pt", 10, 4e-3)
    assert train_touch.loss_of(net, batch)[0].item() < 0.85 * before


@pytest.fixture(scope="module")
def touch(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network with its eyes, and all that they see in the films remembered."""
    torch.manual_seed(3)
    path = tmp_path_factory.mktemp("weights") / "touch.pt"
    torch.save({"average": TouchNet().state_dict()}, path)
    train_landing.remember(folder, path, cameras=1, workers=1)
    return path


def test_eyes_look_at_each_film_once(folder: Path, touch: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    train_landing.remember(folder, touch, cameras=1, workers=1)
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before
    seen = list(train_landing.recalled(folder, touch))
    assert [one.touched for one in seen] == [bool(one.touched) for one in touches.load(folder)]
    for one in seen:
        rows, count, _ = one.features.shape
        assert count >= train_touch.LENGTH
        assert one.lags.sum(axis=2) == pytest.approx(np.ones((rows, count - TouchNet.memory)), abs=1e-2)
        assert one.upon.shape == (rows, count - TouchNet.memory, 2)
    # whoever touches a tile is among those that are looked at, at the moment of the touch
    assert all((one.lags[..., :-1].sum(axis=2) > 0.9).any() for one in seen if one.touched)


def test_the_judge_learns_and_the_eyes_stay(folder: Path, touch: Path, tmp_path: Path) -> None:
    net = train_landing.judging(touch)
    batch = next(train_landing.batches(list(train_landing.recalled(folder, touch)), 6, 1))
    before, eyes = train_landing.loss_of(net, batch)[0].item(), train_landing.judging(touch).eval()

    def again() -> Generator[train_landing.Batch]:
        while True:
            yield batch

    train(net, again(), train_landing.loss_of, tmp_path / "judge.pt", 15, 0.04)
    assert train_landing.loss_of(net, batch)[0].item() < 0.85 * before
    picture = torch.rand(2, 8, SIZE, SIZE)
    with torch.no_grad():
        assert torch.allclose(net.eval().look(picture)[0], eyes.look(picture)[0])


def test_tiles_are_judged_by_themselves_however_many_there_are(
    folder: Path, touch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    net = train_landing.judging(touch).eval()
    batch = next(train_landing.batches(list(train_landing.recalled(folder, touch)), 7, 1))
    few = train_landing.loss_of(net, batch)[0].item()
    monkeypatch.setattr(train_landing, "TOGETHER", 100)
    assert train_landing.loss_of(net, batch)[0].item() == pytest.approx(few, abs=1e-4)


def test_a_turned_closeup_keeps_its_tips_inside() -> None:
    for side in SIDES:
        assert ((turned_points([(5, 60)], side) >= 0) & (turned_points([(5, 60)], side) < SIZE)).all()


@pytest.mark.filterwarnings("ignore")  # of the exporter
def test_an_exported_network_says_the_same_once_it_can_be_trained_on(folder: Path, tmp_path: Path) -> None:
    torch.manual_seed(3)
    net = TouchNet()
    closeups, scales, where, who, *_ = next(train_touch.batches(folder, 2, 1))
    pictures = pictures_of((closeups[:, :2], scales))
    net.look(pictures)  # its normalisations have seen something
    net.eval()
    export("touch", net.state_dict(), tmp_path / "touch.onnx")
    again = restored("touch", tmp_path / "touch.onnx", [pictures]).eval()
    now, before = pictures[: len(where)], torch.rand((len(where), net.features, net.memory))
    with torch.no_grad():
        for old, new in zip(net(now, before, where, who), again(now, before, where, who), strict=True):
            assert torch.allclose(old, new, atol=1e-4)
