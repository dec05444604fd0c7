"""What every test shares: seeded properties, and the one way to leave out what a machine cannot run.

A test, or a whole module by `pytestmark = pytest.mark.needs("cv2")`, says what it needs. Where that lacks, the test is
left out, and the end of the run names it together with the package that would bring it.
"""

import ast
import functools
import gc
import importlib
import json
import os
import shutil
import subprocess
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from pipsight.trouble import in_words
from tests.ahead import Ahead, calls_of

REMEDIES = {
    "cv2": "pip install '.[dev]'",
    "torch": "the extra train: pip install '.[train]'",
    "onnx": "the extra train: pip install '.[train]'",
    "distributed": "the extra dask: pip install '.[dask]'",
    "ortools": "the extra bench: pip install '.[bench]'",
    "pysat": "the extra bench: pip install '.[bench]'",
}
TOOLS = {
    "chromium": ("on Debian apt-get install chromium", "chromium --version"),
    "simavr": (
        "on Debian apt-get install gcc-avr avr-libc libsimavr-dev gcc libc6-dev make",
        "make --version",
        "avr-gcc -mmcu=atmega328p -E -include avr/io.h -x c -",
        "cc -E -include simavr/sim_avr.h -x c -",
    ),
}
"""What is no Python package: how to get it, and commands that succeed where it is all there."""

LEFT_OUT: dict[str, list[str]] = {}
AHEAD = Ahead()

settings.register_profile("pipsight", derandomize=True, deadline=None, max_examples=30, database=None)
settings.load_profile("pipsight")


@functools.cache
def lack(need: str) -> str:
    """Return what to install before `need` can be imported or run; empty if it can."""
    if need in TOOLS:
        remedy, *commands = TOOLS[need]
        return "" if all(map(succeeds, commands)) else f"{need}: {remedy}"
    try:
        with warnings.catch_warnings(action="ignore"):
            importlib.import_module(need)
    except ImportError as error:
        words = REMEDIES[need] if isinstance(error, ModuleNotFoundError) else in_words(error)
        return f"{need}: {words}"
    return ""


def succeeds(command: str) -> bool:
    """Whether a command without any input is there and is content."""
    name, *rest = command.split()
    return bool(shutil.which(name)) and not subprocess.run([name, *rest], input=b"", capture_output=True).returncode


def first_lack(needs: tuple[str, ...]) -> str:
    """Return the first lack among the needs, empty if all are met."""
    return next(filter(None, map(lack, needs)), "")


def declared(path: Path) -> tuple[str, ...]:
    """Return the needs in a module's pytestmark without importing it: the import is what would fail."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        match node:
            case ast.Assign(targets=[ast.Name(id="pytestmark")], value=marks):
                return tuple(name for call in ast.walk(marks) if isinstance(call, ast.Call) for name in arguments(call))
    return ()


def arguments(call: ast.Call) -> tuple[str, ...]:
    """Return the names in one needs(...) call, nothing for another call."""
    match call:
        case ast.Call(func=ast.Attribute(attr="needs")):
            return tuple(ast.literal_eval(argument) for argument in call.args)
    return ()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "needs(*names): left out, and named at the end, where one is not there")
    config.addinivalue_line("markers", "ahead(function, *items): waits for long work, which begins before all tests")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    if not (collection_path.name.startswith("test_") and collection_path.suffix == ".py"):
        return None
    if why := first_lack(declared(collection_path)):
        LEFT_OUT.setdefault(why, []).append(f"{collection_path.parent.name}/{collection_path.name}")
        return True
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = []
    for item in items:
        if why := first_lack(tuple(name for mark in item.iter_markers("needs") for name in mark.args)):
            left_out.append(item)
            LEFT_OUT.setdefault(why, []).append(item.nodeid.removeprefix("tests/"))
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
    items.sort(key=lambda item: bool(calls_of(item)))  # what waits comes last: no processor is idle meanwhile


def pytest_collection_finish(session: pytest.Session) -> None:
    """Begin the long work, and spare the collector of garbage what stays to the end.

    Looking through all of that takes longer than many a test. Its second look counts what is left to it: by the
    first count it would wait until a quarter as much is new, and tables with all their pictures would pile up.
    """
    if not session.config.option.collectonly:
        AHEAD.begin(session.items)
    gc.collect()
    gc.freeze()
    gc.collect()


@pytest.fixture
def ahead(request: pytest.FixtureRequest) -> list[Any]:
    """What came of each item of the long work that the test waits for: see tests/ahead.py."""
    return AHEAD.results(request.node)


def told() -> list[str]:
    """Return a line for each thing that lacks: what it is, how to get it, and the tests that wait for it."""
    return [f"{why}; without it: {', '.join(names)}" for why, names in LEFT_OUT.items()]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if LEFT_OUT:
        terminalreporter.section("left out")
        terminalreporter.write_line("\n".join(told()))


def pytest_unconfigure() -> None:
    AHEAD.end()
    if report := os.environ.get("PIPSIGHT_LEFT_OUT"):
        Path(report).write_text(json.dumps(told()), encoding="utf-8")
