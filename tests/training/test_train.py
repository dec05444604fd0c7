"""Training for a few steps on a few scenes: it learns, goes on where it stopped, and exports what the program runs."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Generator, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event, Thread
from types import ModuleType

import cv2
import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from training import scenes, train_detector, train_dice, train_pieces, train_reader, train_relief, train_tiles
from training.checkpoints import ahead, learned_from, save, side_by_side, train
from training.export import KINDS, export, mean
from training.eyes import alone
from training.nets import DetectorNet, DieNet, ReaderNet, ReliefNet
from training.restore import restored
from training.scenes import Scene
from training.targets import piece_target, tile_target
from training.truth import TrueDie, TruePiece, TrueTetromino, TrueTile, Truth
from vision.networks import Network
from vision.peaks import PIECES, candidates, spots
from vision.scene import TetrominoDetection
from vision.tetrominoes import find_tetrominoes

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


def test_a_training_that_is_over_leaves_its_checkpoint_as_it_is(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "detector.pt"

    def learn() -> bytes:
        train(DetectorNet(), ahead(train_detector.batches(folder, 4, 1)), train_detector.loss_of, path, 1, 1e-3)
        return path.read_bytes()

    assert learn() == learn()


@pytest.mark.parametrize("part", ["tiles", "pieces"])
def test_one_part_of_a_detector_learns_and_the_other_says_what_it_said(part: str, folder: Path, tmp_path: Path) -> None:
    torch.manual_seed(3)
    net, picture = DetectorNet().eval(), torch.rand(1, 3, 320, 320)
    torch.save({"average": net.state_dict()}, tmp_path / "detector.pt")
    trainer: ModuleType = {"tiles": train_tiles, "pieces": train_pieces}[part]
    learning = alone(tmp_path / "detector.pt", trainer.eyes)
    train(learning, ahead(trainer.batches(folder, 4, 1)), trainer.loss_of, tmp_path / "part.pt", 2, 1e-3)
    with torch.no_grad():
        before, after = net(picture), learning.eval()(picture)
    same = [torch.allclose(was, now, atol=1e-4) for was, now in zip(before, after, strict=True)]
    assert same == [part == "pieces", part == "tiles"]


def test_the_reader_learns(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    net = ReaderNet()
    batch = next(train_reader.batches(folder, 8, 1))
    before = train_reader.loss_of(net, batch)[0].item()

    def again() -> Generator[train_reader.Batch]:
        while True:
            yield batch

    train(net, again(), train_reader.loss_of, tmp_path / "reader.pt", 12, 2e-3)
    assert train_reader.loss_of(net, batch)[0].item() < 0.85 * before


def test_the_die_reader_learns(folder: Path, tmp_path: Path) -> None:
    net = DieNet()
    batch = next(train_dice.batches(folder, 8, 1))
    before = train_dice.loss_of(net, batch)[0].item()

    def again() -> Generator[train_dice.Batch]:
        while True:
            yield batch

    train(net, again(), train_dice.loss_of, tmp_path / "dice.pt", 12, 2e-3)
    assert train_dice.loss_of(net, batch)[0].item() < 0.85 * before


def test_what_tells_tiles_from_pictures_of_them_learns(folder: Path, tmp_path: Path) -> None:
    net = ReliefNet()
    batch = next(train_relief.batches(folder, 8, 1))
    assert set(batch[1].flatten().tolist()) <= {0.0, 1.0}
    before = train_relief.loss_of(net, batch)[0].item()

    def again() -> Generator[train_relief.Batch]:
        while True:
            yield batch

    train(net, again(), train_relief.loss_of, tmp_path / "relief.pt", 20, 2e-3)
    assert train_relief.loss_of(net, batch)[0].item() < 0.85 * before


def test_the_reader_learns_that_two_squares_of_a_printed_board_are_no_tile() -> None:
    square = ((20.0, 40.0), (20.0, 60.0), (60.0, 60.0), (60.0, 40.0))
    jpeg = cv2.imencode(".jpg", np.full((320, 320, 3), 200, np.uint8))[1].tobytes()
    bare, board = (Scene(jpeg, Truth((320, 320), (), squares=(square,) * count)) for count in (0, 5))
    for seed in range(5):
        without, shown = (train_reader.samples(one, np.random.default_rng(seed)) for one in (bare, board))
        assert {sample.face for sample in shown} == {train_reader.NOTHING}
        assert len(shown) == len(without) + train_reader.SQUARES


def test_the_reader_learns_from_what_the_detector_proposes(folder: Path) -> None:
    scene = next(s for s in scenes.load(folder) if any(t.clear for t in s.truth.tiles))
    tile = next(t for t in scene.truth.tiles if t.clear)
    true = np.asarray(tile.corners_px, np.float32)
    along = true[3] - true[0]
    off, found = train_reader._nearest(true[[2, 3, 0, 1]] + 0.05 * along, scene.truth.tiles)
    assert found is not None
    assert found.pips == (tile.pips[1], tile.pips[0])
    assert abs(off).max() < 0.25
    assert train_reader._nearest(true + 40 * along, scene.truth.tiles)[1] is None


def test_the_reader_learns_that_a_tile_beneath_a_die_is_a_tile_of_whose_pips_nobody_sees_all() -> None:
    tile = TrueTile(((20, 40), (20, 60), (60, 60), (60, 40)), (4, 2), True, ((30, 45),), 0.8, pip_hidden=True)
    jpeg = cv2.imencode(".jpg", np.full((320, 320, 3), 200, np.uint8))[1].tobytes()
    scene = Scene(jpeg, Truth((320, 320), (tile,)), np.array([tile.corners_px], np.float32))
    told = [one for seed in range(9) for one in train_reader.samples(scene, np.random.default_rng(seed))]
    tiles = [one for one in told if one.face != train_reader.NOTHING]
    assert len(tiles) > 9
    assert {tuple(sorted(one.numbers)) for one in tiles} == {(2, 4)}
    assert np.isnan([one.pip_map for one in tiles]).all()
    half = replace(scene, truth=Truth((320, 320), (replace(tile, visible=0.55),)))  # may be either
    assert not [one for one in train_reader.samples(half, np.random.default_rng(1)) if one.numbers != (-1, -1)]


def test_a_fault_in_the_pictures_ends_the_training_instead_of_hanging_it() -> None:
    def broken() -> Iterator[int]:
        yield 1
        raise ValueError("a damaged picture")

    batches = ahead(broken())
    assert next(batches) == 1
    with pytest.raises(ValueError, match="damaged"):
        next(batches)


def test_a_fault_in_pictures_that_nobody_waits_for_any_more_keeps_nobody_waiting() -> None:
    ready = Event()

    def broken() -> Iterator[int]:
        yield from range(5)  # one is taken, and so many wait
        ready.set()
        raise ValueError("a damaged picture")

    batches = ahead(broken())
    next(batches)
    assert ready.wait(10)
    closing = Thread(target=batches.close, daemon=True)
    closing.start()
    closing.join(10)
    assert not closing.is_alive()


def test_fewer_scenes_than_a_batch_are_one(folder: Path) -> None:
    for trainer in (train_detector, train_pieces):
        picture, *_ = next(trainer.batches(folder, 2 * scenes.SHARD, 1))
        assert 0 < len(picture) <= scenes.SHARD


def test_a_folder_without_anything_to_learn_from_is_said(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="nothing to learn from"):
        learned_from(train_detector.batches, tmp_path, Namespace(loaders=0, batch=4))


def test_a_checkpoint_makes_its_folder(tmp_path: Path) -> None:
    save(tmp_path / "new" / "net.pt", {"step": 0})
    assert (tmp_path / "new" / "net.pt").exists()


def test_processes_side_by_side_make_batches_of_their_own(folder: Path) -> None:
    made = side_by_side(train_dice.batches, folder, 8, 2)
    (one, *_), (other, *_) = next(made), next(made)
    made.close()
    assert one.shape == other.shape == (8, 3, 80, 80)
    assert not torch.equal(one, other)


SHAPES: dict[str, list[tuple[int, ...]]] = {
    "detector": [(1, 3, 96, 128)],
    "reader": [(2, 3, 80, 160)],
    "dice": [(2, 3, 80, 80)],
    "relief": [(2, 3, 80, 120)],
    "touch": [(2, 8, 108, 108), (2, 96, 12), (2, 4), (2, 2)],
}


@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.filterwarnings("ignore")  # the exporter itself warns of what it deprecates
def test_an_exported_network_computes_what_torch_computes(kind: str, tmp_path: Path) -> None:
    torch.manual_seed(3)
    net = KINDS[kind].net()
    export(kind, net.state_dict(), tmp_path / f"{kind}.onnx")
    rng = np.random.default_rng(0)
    takes = tuple(rng.normal(size=size).astype(np.float32) for size in SHAPES[kind])
    if kind == "touch":
        takes = (*takes[:-1], np.array([[0, 0], [0, 2]], np.float32))  # one tile, as two sides see it
    net.eval()
    with torch.no_grad():
        told = net(*map(torch.from_numpy, takes))
    run = Network((tmp_path / f"{kind}.onnx").read_bytes(), 1)
    seen = run(takes, *KINDS[kind].outputs)
    for a, b in zip(seen, told if isinstance(told, tuple) else [told], strict=True):
        assert np.asarray(a) == pytest.approx(b.numpy(), abs=1e-3)


def test_the_mean_of_two_trainings_lies_between_them_and_counts_as_the_last() -> None:
    one = {"weight": torch.tensor([0.0, 2.0]), "batches": torch.tensor(3)}
    other = {"weight": torch.tensor([1.0, 4.0]), "batches": torch.tensor(7)}
    assert mean([one, other])["weight"].tolist() == [0.5, 3.0]
    assert int(mean([one, other])["batches"]) == 7


def test_what_the_detector_should_answer_decodes_to_what_lies_there() -> None:
    """The maps that are taught and the maps that are understood are the same language."""
    corners = ((60.0, 80.0), (60.0, 110.0), (124.0, 110.0), (124.0, 80.0))
    die = ((180.0, 60.0), (172.0, 76.0), (188.0, 84.0), (196.0, 68.0))
    squares = tuple(tuple((x + 20.0 * k, y) for x, y in ((40, 180), (40, 200), (60, 200), (60, 180))) for k in range(4))
    truth = Truth(
        (256, 256),
        (TrueTile(corners, (2, 3), True, (), 1.0),),
        (TrueDie(die, 4),),
        (TruePiece("pawn", (200.0, 200.0), 22.0, (255, 0, 0)),),
        (TrueTetromino(squares, light=False),),
    )

    def still(points: object) -> NDArray[np.float32]:
        return np.asarray(points, np.float32)

    tiles = candidates(_as_logits(tile_target(truth, still).maps, 2), 0.9, 1.0)
    pieces = spots(_as_logits(piece_target(truth, still).maps, len(PIECES)), 0.9, 1.0)
    assert [t.corners for t in tiles] == [pytest.approx(np.array(corners), abs=0.1)]
    assert sorted(s.kind for s in pieces) == ["dark", "dark", "dark", "dark", "die", "pawn"]
    found = next(s for s in pieces if s.kind == "die")
    assert found.center == pytest.approx(np.mean(die, axis=0), abs=0.1)
    assert found.edge_px == pytest.approx(np.hypot(8, 16), abs=0.1)
    assert (found.angle_deg - np.rad2deg(np.arctan2(8, 16)) + 45) % 90 == pytest.approx(45, abs=0.1)
    tetromino = find_tetrominoes(pieces)[0].piece
    assert isinstance(tetromino, TetrominoDetection)
    assert tetromino.centers_px == tuple((50.0 + 20 * k, 190.0) for k in range(4))
    assert not tetromino.light


def _as_logits(maps: NDArray[np.float32], peaks: int) -> NDArray[np.float32]:
    """The maps a perfect network would give: its first ones are the logits of chances."""
    chance = np.clip(maps[:peaks], 1e-4, 1 - 1e-4)
    return np.concatenate([np.log(chance / (1 - chance)), maps[peaks:]]).astype(np.float32)


@pytest.mark.filterwarnings("ignore")  # of the exporter
def test_an_exported_network_says_the_same_once_it_can_be_trained_on(folder: Path, tmp_path: Path) -> None:
    torch.manual_seed(3)
    net = DieNet()
    pictures = [next(train_dice.batches(folder, 32, 1))[0]]
    net(pictures[0])  # its normalisations have seen something
    net.eval()
    export("dice", net.state_dict(), tmp_path / "dice.onnx")
    again = restored("dice", tmp_path / "dice.onnx", pictures)
    with torch.no_grad():
        told = net(pictures[0])
        assert all(map(partial(torch.allclose, atol=1e-5), again(pictures[0]), told))
        assert all(map(partial(torch.allclose, atol=0.05), again.train()(pictures[0]), told))
