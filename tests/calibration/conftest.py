"""Every file of tests sees noise of its own, whatever ran before it."""

from __future__ import annotations

import sys

import pytest


@pytest.fixture(autouse=True, scope="module")
def own_noise() -> None:
    """Begin with a fresh stage, if any was set: its camera's noise goes on from frame to frame."""
    staging = sys.modules.get("tests.calibration.staging")
    if staging:
        staging.stage.cache_clear()
