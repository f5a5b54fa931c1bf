#!/usr/bin/env python3
"""Builds the module for Python, and runs its tests, its examples, and mypy.

    python3 tools/python/run-tests.py [--after-tests | --wheel] [--ray] [ARGUMENTS OF PYTEST]

The module is built with the profile of the other tests. With `--after-tests` it also shares their build of the engine,
if they were built together with the package `pspge-python`, as in CI. With `--wheel`, pip builds and installs the wheel
as users get it, optimised, which takes minutes. With `--ray`, Ray is installed, too, and its example is tested. NumPy,
pytest and mypy are installed in target/python/venv. If this is not possible, the script prints SKIPPED and succeeds.
"""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from python_packages import ROOT, install, skip  # noqa: E402
from python_packages import TARGET as TARGET_FOLDER  # noqa: E402

TARGET = TARGET_FOLDER.resolve()
HOME = TARGET / "python"
PYTHON = HOME / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def run(command, **options):
    """Runs a command, and ends the script with its status if it fails."""
    print("+", *(str(word) for word in command), flush=True)
    status = subprocess.run(command, **options).returncode
    if status != 0:
        sys.exit(status)


def install_groups(groups):
    """Installs the packages that the module needs, and those of these groups of optional dependencies."""
    with (HERE / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    optional = [package for group in groups for package in project["optional-dependencies"][group]]
    packages = [*project["dependencies"], *optional]
    install(HOME / "venv", packages, "the packages of the tests")


def build(after_tests):
    """Builds the module and the command, and puts the package together in the target folder."""
    packages = ["pspge-python", "pspge-tools"]
    command = ["cargo", "build", "--locked"]
    if after_tests:
        # With the same packages and targets as the tests, dependencies have the same features.
        packages += ["pspge", "pspge-engine", "ge-tests", "pspge-c", "pspge-capture", "pspge-release"]
        command += ["--features=pspge-c/fuzz", "--lib", "--bins", "--tests"]
    run([*command, *(f"--package={package}" for package in packages)], cwd=ROOT)
    names = {"win32": "pspge_python.dll", "darwin": "libpspge_python.dylib"}
    library = names.get(sys.platform, "libpspge_python.so")
    package = HOME / "package"
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(HERE / "python", package)
    suffix = ".pyd" if os.name == "nt" else ".abi3.so"
    shutil.copy(TARGET / "debug" / library, package / "pspge" / f"_native{suffix}")
    return package


def install_wheel():
    """Builds and installs the wheel with pip, and returns the folder that holds the package."""
    run([PYTHON, "-m", "pip", "install", "--force-reinstall", "--no-deps", str(HERE)], cwd=ROOT)
    run(["cargo", "build", "--locked", "--package", "pspge-tools", "--bin", "pspge"], cwd=ROOT)
    location = [PYTHON, "-c", "import pspge, pathlib; print(pathlib.Path(pspge.__file__).parent.parent)"]
    done = subprocess.run(location, check=True, capture_output=True, text=True, cwd=HOME)
    return Path(done.stdout.strip())


def main():
    arguments = sys.argv[1:]
    if sys.version_info < (3, 11):
        skip("Python 3.11 or newer is needed to run the tests")
    install_groups(["test", "ray"] if "--ray" in arguments else ["test"])
    environment = dict(os.environ)
    if "--wheel" in arguments:
        arguments.remove("--wheel")
        package = install_wheel()
    else:
        package = build("--after-tests" in arguments)
        arguments = [argument for argument in arguments if argument != "--after-tests"]
        environment["PYTHONPATH"] = str(package)
    environment["PSPGE_COMMAND"] = str(TARGET / "debug" / ("pspge.exe" if os.name == "nt" else "pspge"))
    # Nothing is written into the checkout.
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    pytest = [PYTHON, "-m", "pytest", "-p", "no:cacheprovider", "-c", HERE / "pyproject.toml"]
    run([*pytest, HERE / "tests", *arguments], env=environment, cwd=HERE)
    mypy = [PYTHON, "-m", "mypy", "--strict", "--cache-dir", HOME / "mypy-cache"]
    # The tests are programs that use the types.
    sources = [package / "pspge", *sorted((HERE / "tests").glob("*.py"))]
    run([*mypy, "--config-file", HERE / "pyproject.toml", *sources], env=environment, cwd=HOME)
    stubtest = [PYTHON, "-m", "mypy.stubtest", "pspge._native"]
    run([*stubtest, "--mypy-config-file", HERE / "pyproject.toml"], env=environment, cwd=HOME)


main()
