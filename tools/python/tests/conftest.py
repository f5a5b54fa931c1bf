"""Runs all tests, examples included, in a folder with copies of the bundled samples."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent.parent
SAMPLES = ROOT / "tools" / "sample"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run tests that take long")
    parser.addoption("--ray", action="store_true", help="also run the tests that need Ray, which take minutes")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for option in ("slow", "ray"):
        for item in items:
            if option in item.keywords and not config.getoption(f"--{option}"):
                item.add_marker(pytest.mark.skip(reason=f"takes long: run with --{option}"))


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with copies of the bundled samples."""
    folder = tmp_path_factory.mktemp("samples")
    for file in SAMPLES.iterdir():
        shutil.copy(file, folder)
    return folder


@pytest.fixture(autouse=True)
def in_samples(samples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs a test in the folder of the samples."""
    monkeypatch.chdir(samples)


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of frame dumps and models of other people. Tests that need it are skipped without it."""
    folder = os.environ.get("PSPGE_CORPUS")
    if not folder:
        pytest.skip("PSPGE_CORPUS is not set: it is a folder of frame dumps and models")
    return Path(folder)


@pytest.fixture(scope="session")
def command() -> str:
    """The path of the command `pspge`, which `run-tests.py` builds."""
    program = os.environ.get("PSPGE_COMMAND") or shutil.which("pspge")
    if not program:
        pytest.skip("PSPGE_COMMAND is not set: it is the path of the command pspge")
    return program
