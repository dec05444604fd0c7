"""The trained networks that come with the program, as vision/models/README.md describes them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable

import cv2

_folder: ContextVar[Traversable] = ContextVar("folder", default=files("vision") / "models")


def network(name: str) -> cv2.dnn.Net:
    """The network in this file, say "reader.onnx", loaded anew."""
    with as_file(_folder.get() / name) as path:
        return cv2.dnn.readNetFromONNX(str(path))


@contextmanager
def networks_in(folder: Traversable) -> Iterator[None]:
    """While this lasts, networks that are loaded come from another folder: so others are measured."""
    before = _folder.set(folder)
    try:
        yield
    finally:
        _folder.reset(before)
