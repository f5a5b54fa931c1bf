"""The example with Ray: thousands of files, damaged ones, workers that die, and runs that go on."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import pspge

pytest.importorskip("ray", reason="needs Ray, which run-tests.py installs with --ray")
pytest.importorskip("PIL", reason="needs Pillow, which run-tests.py installs with --ray")
parquet: Any = pytest.importorskip("pyarrow.parquet")
pytestmark = [
    pytest.mark.ray,
    pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="needs /proc to find workers"),
]

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "ray_corpus.py"
SIZE = (64, 32)
FILES = 2000

LIST = """
    FRAMEBUFWIDTH width=64 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=63 y=31 | REGION2 x=63 y=31
    SHADEMODE GOURAUD | BASE hi(corners) | VTYPE color=ABGR8888 position=BITS16 through=1
    VADDR lo(corners) | PRIM primitive=TRIANGLES count=3
    FINISH | END
.align 4
corners:
    .rgba #{color:06x}ff | .s16 2 2 0 | .align 4
    .rgba #80000aff | .s16 60 4 0 | .align 4
    .rgba #ffb000ff | .s16 30 {row} 0 | .align 4
"""
# A list without end, which runs until a limit ends it: long enough to find its worker.
SLOW = """
    FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | SCISSOR2 x=479 y=271 | REGION2 x=479 y=271
    BASE hi(corners) | VTYPE color=ABGR8888 position=BITS16 through=1 | BLENDENABLE 1
again:
    VADDR lo(corners) | PRIM primitive=TRIANGLE_STRIP count=4 | JUMP lo(again)
.align 4
corners:
    .rgba #ff0000ff | .s16 0 0 0 | .align 4
    .rgba #80000a80 | .s16 480 0 0 | .align 4
    .rgba #80ff0a80 | .s16 0 272 0 | .align 4
    .rgba #8000ff80 | .s16 480 272 0 | .align 4
"""


@pytest.fixture(scope="module")
def example() -> ModuleType:
    """The example as a module, for the places of its files."""
    spec = importlib.util.spec_from_file_location("ray_corpus", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["ray_corpus"] = module
    spec.loader.exec_module(module)
    return module


def damaged(number: int) -> tuple[str, bytes]:
    """Returns extension and content of a file that cannot be opened."""
    dump = pspge.assemble(LIST.format(color=number, row=number % 32)).open().to_frame_dump().data
    return [("ge", b"PRIM |"), ("txt", b"dear diary"), ("tm2", b"TIM2"), ("ppdmp", dump[: 40 + number]), ("bin", b"")][
        number % 5
    ]


def make_files(folder: Path, count: int) -> dict[str, bool]:
    """Writes lists, each with a picture of its own, and a damaged file for every 50. Returns names and whether they can
    be drawn."""
    folder.mkdir(parents=True)
    made = {}
    for number in range(count):
        subfolder = folder / f"{number % 7}"
        subfolder.mkdir(exist_ok=True)
        if number % 50 == 49:
            extension, content = damaged(number // 50)
            path = subfolder / f"damaged-{number}.{extension}"
            path.write_bytes(content)
        else:
            path = subfolder / f"{number}.ge"
            path.write_text(LIST.format(color=number * 7919 % (1 << 24), row=8 + number % 24))
        made[path.relative_to(folder).as_posix()] = number % 50 != 49
    return made


@dataclass
class Killer:
    """Kills the workers that begin a file."""

    folder: Path
    """The folder of the file's result."""
    times: int
    """How many workers to kill at most."""
    killed: list[int] = field(default_factory=list)
    """The processes that were killed."""

    def __enter__(self) -> Killer:
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        while len(self.killed) < self.times and not self._stop.wait(0.005):
            for process in self._workers():
                if process not in self.killed and is_worker(process):
                    os.kill(process, signal.SIGKILL)
                    self.killed.append(process)

    def _workers(self) -> Iterator[int]:
        """Yields the processes that have begun the file."""
        for begun in self.folder.glob("begun-*"):
            try:
                lines = begun.read_text().splitlines(keepends=True)
            except FileNotFoundError:
                continue
            yield from (int(line.split()[1]) for line in lines if line.endswith("\n"))


def is_worker(process: int) -> bool:
    """Returns whether a process is a worker of Ray."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().startswith(b"ray::")
    except FileNotFoundError:
        return False


def run(folder: Path, output: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Runs the example with two workers."""
    size = "x".join(map(str, SIZE))
    command = [sys.executable, str(EXAMPLE), str(folder), "-o", str(output), "--size", size, "--cpus", "2", *options]
    # Ray would write a token for its servers into the home folder.
    environment = {**os.environ, "RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)


def rows_of(output: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = parquet.read_table(output / "results.parquet").to_pylist()
    return rows


def test_a_worker_dies_and_each_file_is_there_once(tmp_path: Path, example: ModuleType) -> None:
    folder, output = tmp_path / "in", tmp_path / "out"
    made = make_files(folder, FILES - 1)
    slow = folder / "3" / "slow.ge"
    slow.write_text(SLOW)
    made["3/slow.ge"] = True
    start = time.perf_counter()
    with Killer(example.Part.of(output, str(slow)).folder, times=1) as killer:
        done = run(folder, output)
    print(f"{len(made)} files in {time.perf_counter() - start:.1f} s")
    assert done.returncode == 1, done.stderr
    assert len(killer.killed) == 1, "a worker was killed while it drew"
    count = sum(made.values())
    assert f"{count} drawn, {len(made) - count} failed (" in done.stderr
    assert "1 begun again because a worker died" in done.stderr

    rows = rows_of(output)
    assert [row["input"] for row in rows] == [name for _, name in sorted((folder / name, name) for name in made)]
    assert {row["input"]: row["status"] == "ok" for row in rows} == made
    drawn, pictures = 0, set()
    for row in rows:
        path = folder / row["input"]
        assert row["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest(), row
        if row["status"] == "ok":
            picture = pspge.read_picture(output / row["picture"])
            if path != slow:
                assert np.array_equal(picture, pspge.open(path).render(size=SIZE)), row["input"]
                assert row["notes"] == [] and row["draws"] == 1, row
            pictures.add(picture.tobytes())
            drawn += 1
        else:
            with pytest.raises(pspge.Error) as error:
                pspge.open(path)
            found = row["error"]
            assert (found["code"], found["offset"]) == (error.value.code, error.value.offset), row
            assert found["file"] == error.value.file == str(path), row
    assert len(pictures) == drawn, "each file has a picture of its own"
    assert [note["code"] for row in rows for note in row["notes"]] == ["limit"], "that of the slow list"
    draws = parquet.read_table(output / "draws.parquet").to_pylist()
    assert sorted({row["input"] for row in draws}) == sorted(name for name, is_drawn in made.items() if is_drawn)
    assert sum(row["draws"] for row in rows if row["draws"] and "slow" not in row["input"]) == sum(
        "slow" not in row["input"] for row in draws
    )
    assert not list(output.glob("**/begun-*")) and not list(output.glob("**/*.incomplete"))

    # A second run takes everything from the first one, and its tables have the same bytes.
    tables = [(output / name).read_bytes() for name in ("results.parquet", "draws.parquet")]
    again = run(folder, output)
    assert again.returncode == 1 and f"{len(made)} taken from an earlier run" in again.stderr, again.stderr
    assert [(output / name).read_bytes() for name in ("results.parquet", "draws.parquet")] == tables


def test_a_file_that_kills_its_workers_is_an_error(tmp_path: Path, example: ModuleType) -> None:
    folder, output = tmp_path / "in", tmp_path / "out"
    made = make_files(folder, 30)
    slow = folder / "slow.ge"
    slow.write_text(SLOW)
    missing = folder / "missing.ge"
    missing.symlink_to(folder / "nowhere.ge")
    with Killer(example.Part.of(output, str(slow)).folder, times=2) as killer:
        done = run(folder, output, "--attempts", "2")
    assert done.returncode == 1 and len(killer.killed) == 2, done.stderr
    rows = {row["input"]: row for row in rows_of(output)}
    assert sorted(rows) == sorted([*made, "slow.ge", "missing.ge"])
    assert rows["slow.ge"]["error"]["code"] == "crash", rows["slow.ge"]
    assert rows["missing.ge"]["error"]["code"] == "read", rows["missing.ge"]
    assert {name: rows[name]["status"] == "ok" for name in made} == made
    assert "1 crash" in done.stderr and "the worker died each of the 2 times" in done.stderr

    # A changed file is drawn again, and so are failed ones on request.
    missing.unlink()
    missing.write_text(LIST.format(color=1, row=9))
    again = run(folder, output, "--retry-failed")
    assert again.returncode == 0, again.stderr
    assert f"{len(made) + 2} drawn, {len(made)} taken from an earlier run" in again.stderr
