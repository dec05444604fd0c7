"""Set up everything that the checks need, then run all that this machine can: python3 tests.

The environment is .venv, or the folder that PIPSIGHT_VENV names. With PIPSIGHT_ALL=1 every extra is installed
too, and leaving anything out is a failure. Standard library only: this runs before anything is installed.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EVERYTHING = os.environ.get("PIPSIGHT_ALL") == "1"
EXTRAS = "dev,train,dask,bench" if EVERYTHING else "dev"
STEPS = {
    "ruff format": ["-m", "ruff", "format", "--check", "."],
    "ruff": ["-m", "ruff", "check", "."],
    "mypy": ["-m", "mypy"],
    "lint-imports": ["-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
}


def main() -> int:
    """Set up, check, test, and say how it went; 0 only if everything that ran was in order."""
    os.chdir(ROOT)
    python = set_up(Path(os.environ.get("PIPSIGHT_VENV") or ROOT / ".venv").resolve())
    results = {title: run(title, python, command) for title, command in STEPS.items()}
    results["pytest"], summary, left_out = run_pytest(python)
    heading("left out")
    print("\n".join(left_out) or "nothing")
    if EVERYTHING and left_out:
        results["nothing left out"] = False
    heading("result")
    print("\n".join(f"{title:16} {'in order' if fine else 'FAILED'}" for title, fine in results.items()))
    print(summary, flush=True)
    return 0 if all(results.values()) else 1


def heading(title: str) -> None:
    """Print a line that stands out between the outputs of the steps."""
    print(f"\n=== {title} ===", flush=True)


def set_up(folder: Path) -> Path:
    """Return the Python of an environment in which the project and its tools are installed; leave where that fails."""
    heading(f"environment {folder}")
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not works(python):
        must([sys.executable, "-m", "venv", "--clear", str(folder)], "a virtual environment (on Debian: python3-venv)")
    stamp, wanted = folder / "set-up.txt", fingerprint()
    if not (stamp.exists() and stamp.read_text() == wanted and is_editable(folder)):
        stamp.unlink(missing_ok=True)
        must([str(python), "-m", "pip", "install", "--quiet", "--editable", f".[{EXTRAS}]"], "the packages")
        stamp.write_text(wanted)
    return python


def works(python: Path) -> bool:
    """Whether an interpreter is there, runs and has pip (a moved or half-made environment does not)."""
    return python.exists() and not subprocess.run([python, "-m", "pip", "--version"], capture_output=True).returncode


def must(command: list[str], what: str) -> None:
    """Run a command that everything after it needs."""
    if subprocess.run(command).returncode:
        sys.exit(f"{what} could not be installed: see the lines above")


def fingerprint() -> str:
    """Return what the environment was made for: another pyproject or other extras need another installation."""
    return hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest() + " " + EXTRAS


def is_editable(folder: Path) -> bool:
    """Whether pipsight is installed from this very folder, so that the tests see its files as they are now."""
    for record in folder.rglob("pipsight-*.dist-info/direct_url.json"):
        return bool(json.loads(record.read_text()) == {"dir_info": {"editable": True}, "url": ROOT.as_uri()})
    return False


def run(title: str, python: Path, command: list[str]) -> bool:
    """Run one step under its heading; whether it was content."""
    heading(title)
    return not subprocess.run([python, *command]).returncode


def run_pytest(python: Path) -> tuple[bool, str, list[str]]:
    """Run the tests; return whether all passed, pytest's own last line, and a line for each thing left out."""
    heading("pytest")
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "left-out.json"
        process = subprocess.Popen(
            [
                python,
                "-m",
                "pytest",
                "--continue-on-collection-errors",
                f"--color={'yes' if sys.stdout.isatty() else 'no'}",
            ],
            env={**os.environ, "PIPSIGHT_LEFT_OUT": str(report)},
            stdout=subprocess.PIPE,
        )
        summary = follow(process)
        left_out = json.loads(report.read_text()) if report.exists() else ["the tests did not run to their end"]
    return process.returncode == 0, summary, left_out


def follow(process: subprocess.Popen[bytes]) -> str:
    """Pass on what a process prints as it comes; return its last line."""
    assert process.stdout
    last = b""
    while chunk := os.read(process.stdout.fileno(), 65536):
        sys.stdout.buffer.write(chunk)
        sys.stdout.flush()
        last = (last + chunk)[-4000:]
    process.wait()
    return (last.decode(errors="replace").strip().splitlines() or [""])[-1]


if __name__ == "__main__":
    if sys.version_info < (3, 11):
        sys.exit("pipsight needs Python 3.11 or newer")
    sys.exit(main())
