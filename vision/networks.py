"""The trained networks that come with the program, as vision/models/README.md describes them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray

Floats = NDArray[np.float32]

_folder: ContextVar[Traversable] = ContextVar("folder", default=files("vision") / "models")


class Network:
    """A trained network; any thread may ask it, and several at once.

    model: an ONNX file's content. threads: with how many it computes.
    """

    def __init__(self, model: bytes, threads: int) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = max(1, threads)
        options.log_severity_level = 3
        # Threads that wait busily take the time of the other networks and of the page.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        self._takes = [one.name for one in self._session.get_inputs()]

    def __call__(self, batch: Floats | tuple[Floats, ...], *outputs: str) -> tuple[Floats, ...]:
        """Its outputs of these names, for a batch with as many of each; for several where it takes more than one."""
        batches = batch if isinstance(batch, tuple) else (batch,)
        told = self._session.run(outputs, dict(zip(self._takes, batches, strict=True)))
        return tuple(np.asarray(one, np.float32) for one in told)


def network(name: str) -> Network:
    """The network in this file, say "reader.onnx"; it computes with as many threads as OpenCV does now."""
    return _shared((_folder.get() / name).read_bytes(), cv2.getNumThreads())


@lru_cache(maxsize=8)
def _shared(model: bytes, threads: int) -> Network:
    """A network that all who look through it share: one keeps tens of megabytes, and threads of its own."""
    return Network(model, threads)


@contextmanager
def networks_in(folder: Traversable) -> Iterator[None]:
    """While this lasts, networks that are loaded come from another folder: so others are measured."""
    before = _folder.set(folder)
    try:
        yield
    finally:
        _folder.reset(before)
