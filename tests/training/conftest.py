"""Nets that learn in tests keep to one thread: they are small, and threads that wait for busy cores take far longer."""

from __future__ import annotations

import importlib.util

import pytest


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    if importlib.util.find_spec("torch"):
        import torch

        torch.set_num_threads(1)
