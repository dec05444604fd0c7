"""The house rules that no other tool keeps: what the README promises, and that tests say what they need."""

from __future__ import annotations

import ast
import functools
import os
import re
import tomllib
from pathlib import Path

import pytest
from typer.main import get_command

from pipsight import __version__
from pipsight.cli import app
from tests.conftest import declared

ROOT = Path(__file__).resolve().parents[1]
MAY_LACK = {"cv2", "torch", "onnx"}
TESTS = sorted((ROOT / "tests").rglob("test_*.py"))
FOLDERS = ("rules", "calibration", "vision", "hardware", "pipsight", "training", "benchmarks", "tests")
MODULES = [path.relative_to(ROOT).as_posix() for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
GUIDES = [ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@functools.cache
def imported(path: Path) -> frozenset[str]:
    """The modules that a file of this repository brings in as it is imported, itself or through others here."""
    nodes = ast.parse(path.read_text(encoding="utf-8")).body
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    files = (ROOT / f"{name.replace('.', '/')}.py" for name in names)
    return frozenset(names.union(*(imported(file) for file in files if file.exists())))


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_test_says_what_it_needs(path: Path) -> None:
    needs = {name.partition(".")[0] for name in imported(path)} & MAY_LACK
    assert needs <= set(declared(path))


def test_the_first_two_commands_set_everything_up_and_are_one_line_each() -> None:
    commands = re.findall(r"^    (.+)$", README, re.MULTILINE)
    assert commands[:2] == [
        "python3 -m venv .venv && .venv/bin/pip install --quiet . && .venv/bin/pipsight demo",
        "python3 tests",
    ]


def test_every_command_in_the_readme_exists_with_its_options() -> None:
    known = get_command(app).commands  # type: ignore[attr-defined]
    told = re.findall(r"^    pipsight (\w+)((?: \S+)*)", README, re.MULTILINE)
    assert {name for name, _ in told} <= known.keys()
    for name, rest in told:
        options = {option for parameter in known[name].params for option in parameter.opts}
        assert set(re.findall(r"--\w+", rest)) <= options


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_module_that_a_guide_names_is_there(path: Path) -> None:
    named = re.findall(r"`([\w/]+\.py)`", path.read_text(encoding="utf-8"))
    assert [name for name in named if not any(f"/{module}".endswith(f"/{name}") for module in MODULES)] == []


def test_the_version_stands_in_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__)
    assert project["project"]["dynamic"] == ["version"]


def test_continuous_integration_runs_the_readmes_own_command() -> None:
    script = ROOT / ".ci" / "run"
    assert "python3 tests" in script.read_text(encoding="utf-8")
    assert os.name == "nt" or os.access(script, os.X_OK)
