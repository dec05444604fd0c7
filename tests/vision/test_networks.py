"""The networks that come along, and others in their place while those are measured."""

from pathlib import Path

import numpy as np
import pytest

from vision.dice import DieReader
from vision.networks import network, networks_in

pytestmark = pytest.mark.needs("cv2")


def test_networks_of_another_folder_are_taken_while_they_are_measured(tmp_path: Path) -> None:
    shipped = Path(__file__).parents[2] / "vision" / "models" / "dice.onnx"
    with networks_in(tmp_path):
        with pytest.raises(FileNotFoundError):
            DieReader()
        (tmp_path / "dice.onnx").write_bytes(shipped.read_bytes())
        DieReader()
    assert network("reader.onnx")(np.zeros((1, 3, 80, 160), np.float32), "face")[0].shape == (1, 3)


def test_a_network_is_loaded_once_for_all_who_look_through_it() -> None:
    assert network("dice.onnx") is network("dice.onnx")
    assert network("dice.onnx") is not network("relief.onnx")
