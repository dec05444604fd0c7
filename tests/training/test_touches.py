"""Strips of hands over one tile, and the network that learns from them when a finger touches it."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest
import torch

from training import touches, train_touch
from training.checkpoints import train
from training.export import export
from training.grabs import random_grabs
from training.touch_net import TouchNet
from training.touches import moment_of, write
from vision.contact import AGES, SIDE

pytestmark = pytest.mark.needs("cv2", "torch", "onnx")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The strips of one hunt over one table."""
    where = tmp_path_factory.mktemp("strips")
    with pytest.MonkeyPatch.context() as patch:
        for name, count in (("HUNTS", 1), ("IDLES", 0), ("ARMS", 2)):
            patch.setattr(touches, name, count)
        assert write(where, 1, "tuning")
    return where


def test_a_part_of_a_film_is_what_the_whole_shows_there() -> None:
    shot = replace(random_grabs(4, 30.0, "tuning").shooting, noise=0.0)
    part = shot.part((400, 200), (320, 240))  # a shadow's blur is another one at its edges
    for whole, piece in islice(zip(shot.frames(30.0, 2.0, 1.0), part.frames(30.0, 2.0, 1.0), strict=True), 0, 12, 4):
        apart = abs(whole.image[200:440, 400:720].astype(int) - piece.image)[50:-50, 50:-50]
        assert whole.time_s == piece.time_s
        assert (apart > 4).mean() < 0.01


def test_a_touched_tile_changes_up_to_the_contact_and_the_finger_stays(folder: Path) -> None:
    touched = [one for one in train_touch.strips_in(folder / "1.npz") if one.contact == one.contact]
    assert touched
    for one in touched:
        middle = one.looks[:, SIDE // 3 : -SIDE // 3, SIDE // 3 : -SIDE // 3, 0].astype(np.float32)
        came = int(np.ceil(one.contact))
        stirs = abs(np.diff(middle, axis=0)).mean(axis=(1, 2))
        assert stirs[max(0, came - 8) : came].max() > 2 * stirs[came : came + 2].min()


@pytest.mark.parametrize(
    ("age", "told"), [(0.2, {0: 1.0}), (3.25, {3: 0.75, 4: 0.25}), (AGES, {AGES: 1.0}), (14.0, {0: 1.0})]
)
def test_a_moment_is_shared_by_the_frames_about_it(age: float, told: dict[int, float]) -> None:
    moment = moment_of(age)
    assert moment is not None
    assert {k: float(share) for k, share in enumerate(moment) if share} == pytest.approx(told)


def test_nobody_can_tell_a_contact_that_is_almost_forgotten() -> None:
    assert moment_of(AGES + 1.0) is None
    assert moment_of(float("nan")) is not None


@pytest.mark.filterwarnings("ignore")  # the exporter itself warns of what it deprecates
def test_the_network_learns_and_is_what_opencv_runs(folder: Path, tmp_path: Path) -> None:
    net, path = TouchNet(), tmp_path / "touch.pt"
    batch = next(train_touch.batches(folder, 16, 1))
    before = train_touch.loss_of(net, batch)[0].item()

    def again() -> Generator[train_touch.Batch]:
        while True:
            yield batch

    train(net, again(), train_touch.loss_of, path, 24, 2e-3)
    assert train_touch.loss_of(net, batch)[0].item() < 0.85 * before
    saved = torch.load(path, weights_only=True)
    export("touch", saved["average"], tmp_path / "touch.onnx")
    net.load_state_dict(saved["average"])
    net.eval()
    seen = cv2.dnn.readNetFromONNX(str(tmp_path / "touch.onnx"))
    seen.setInput(batch[0].numpy())
    with torch.no_grad():
        assert np.allclose(net(batch[0]).numpy(), seen.forward(), atol=1e-3)
    assert batch[0].shape[2:] == (SIDE, SIDE)
