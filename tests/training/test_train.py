"""Training for a few steps on a few scenes: it learns, goes on where it stopped, and exports what OpenCV runs."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
import torch

from training import scenes, train_detector, train_reader
from training.checkpoints import ahead, train
from training.export import export
from training.nets import DetectorNet, ReaderNet

pytestmark = pytest.mark.needs("cv2", "torch", "onnx")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("scenes")
    scenes.make(where, 1, seed=5, workers=1)
    return where


def test_scenes_that_are_there_are_not_rendered_again(folder: Path) -> None:
    before = {p: p.stat().st_mtime_ns for p in folder.iterdir()}
    scenes.make(folder, 1, seed=5, workers=1)
    assert {p: p.stat().st_mtime_ns for p in folder.iterdir()} == before
    assert len(list(scenes.load(folder))) == scenes.SHARD


def test_the_detector_trains_stops_and_goes_on(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "detector.pt"
    for steps in (2, 3):
        train(DetectorNet(), ahead(train_detector.batches(folder, 4, 1)), train_detector.loss_of, path, steps, 1e-3)
        assert torch.load(path, weights_only=True)["step"] == steps


def test_the_reader_learns(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    net = ReaderNet()
    batch = next(train_reader.batches(folder, 8, 1))
    before = train_reader.loss_of(net, batch)[0].item()

    def again() -> Generator[train_reader.Batch]:
        while True:
            yield batch

    train(net, again(), train_reader.loss_of, tmp_path / "reader.pt", 12, 2e-3)
    assert train_reader.loss_of(net, batch)[0].item() < 0.85 * before


def test_a_fault_in_the_pictures_ends_the_training_instead_of_hanging_it() -> None:
    def broken() -> Iterator[int]:
        yield 1
        raise ValueError("a damaged picture")

    batches = ahead(broken())
    assert next(batches) == 1
    with pytest.raises(ValueError, match="damaged"):
        next(batches)


@pytest.mark.filterwarnings("ignore")  # the exporter itself warns of what it deprecates
def test_opencv_computes_what_torch_computes(tmp_path: Path) -> None:
    torch.manual_seed(3)
    for kind, net, shape in (("detector", DetectorNet(), (1, 3, 96, 128)), ("reader", ReaderNet(), (2, 3, 80, 160))):
        export(kind, net.state_dict(), tmp_path / f"{kind}.onnx")
        picture = np.random.default_rng(0).normal(size=shape).astype(np.float32)
        net.eval()
        with torch.no_grad():
            told = net(torch.from_numpy(picture))
        run = cv2.dnn.readNetFromONNX(str(tmp_path / f"{kind}.onnx"))
        run.setInput(picture)
        seen = run.forward(["maps"] if kind == "detector" else ["pips", "numbers", "face", "corners"])
        for a, b in zip(seen, [told] if kind == "detector" else told, strict=True):
            assert np.asarray(a) == pytest.approx(b.numpy(), abs=1e-3)
