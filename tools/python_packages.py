"""Packages for the scripts of this folder, installed in a Python of their own if that is necessary."""

import importlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
# Set in the Python of the virtual environment.
INSTALLED = "PSPGE_SCRIPT_VENV"


def require(names, requirements, home):
    """Imports packages by their names. If this Python lacks one, installs the requirements in the folder `home` and runs
    the script there. Ends the script as skipped if that is not possible."""
    try:
        return [importlib.import_module(name) for name in names]
    except ImportError as error:
        if INSTALLED in os.environ:
            skip(f"the installed packages cannot be imported: {error}")
    python = install(home, requirements, " and ".join(names))
    again = subprocess.run([python, *sys.argv], env={**os.environ, INSTALLED: "1"})
    sys.exit(again.returncode)


def install(home, requirements, wanted):
    """Installs requirements in the virtual environment `home`, which is created if it is missing, and returns its Python.
    Ends the script as skipped if that is not possible; `wanted` names the packages in the reason."""
    python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    commands = [[python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements]]
    if not python.exists():
        commands.insert(0, [sys.executable, "-m", "venv", home])
    for command in commands:
        try:
            run = subprocess.run(command, capture_output=True, text=True, timeout=900)
        except (OSError, subprocess.TimeoutExpired) as error:
            skip(f"{wanted} cannot be installed: {error}")
        if run.returncode != 0:
            last = (run.stderr.strip().splitlines() or ["no message"])[-1]
            skip(f"{wanted} cannot be installed: {last}")
    return python


def skip(reason):
    """Ends the script without failure."""
    print(f"SKIPPED: {reason}")
    sys.exit(0)
