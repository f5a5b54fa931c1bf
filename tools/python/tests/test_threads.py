"""Threads, and memory over many files."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import pspge


def resident() -> int:
    """Returns the memory of this process in KiB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise AssertionError("no VmRSS")


needs_proc = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")


def ticks_during(work: Callable[[], object]) -> tuple[int, float]:
    """Returns how often another thread of Python runs during some work, and the time of the work."""
    ticks, ended = 0, threading.Event()

    def run() -> None:
        work()
        ended.set()

    thread = threading.Thread(target=run)
    start = time.perf_counter()
    thread.start()
    while not ended.wait(0.001):
        ticks += 1
    thread.join()
    return ticks, time.perf_counter() - start


@pytest.mark.parametrize("method", ["render", "run", "passes", "pixel", "trace_draws", "geometry"])
def test_the_lock_is_released(method: str) -> None:
    asset = pspge.open(pspge.open("lampwing.pac").to_frame_dump())

    def work() -> None:
        # Long enough for many turns of the other thread.
        end = time.perf_counter() + 0.1
        while time.perf_counter() < end:
            if method == "render":
                asset.render(size=(1920, 1088))
            elif method == "pixel":
                asset.pixel(240, 136)
            else:
                getattr(asset, method)()

    ticks, seconds = ticks_during(work)
    # With the lock held during each call the other thread could run only between calls.
    assert ticks >= seconds / 0.001 * 0.1, f"{ticks} turns in {seconds} s"


def test_two_renders_overlap() -> None:
    asset = pspge.open(pspge.open("lampwing.pac").to_frame_dump())
    inside, largest, lock = 0, 0, threading.Lock()
    barrier = threading.Barrier(2)

    def draw() -> np.ndarray:
        nonlocal inside, largest
        barrier.wait()
        with lock:
            inside += 1
            largest = max(largest, inside)
        picture = asset.render(size=(1920, 1088))
        with lock:
            inside -= 1
        return picture

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: draw(), range(2))
    assert largest == 2, "the second call began before the first ended"
    assert np.array_equal(first, second)


def test_an_asset_is_used_by_many_threads() -> None:
    asset = pspge.open("lampwing.pac")
    expected = (asset.render(), asset.state(78), asset.pixel(240, 136), len(asset.draws))
    shared = pspge.open("lampwing.pac")

    def ask(number: int) -> bool:
        answers = [
            lambda: np.array_equal(shared.render(), expected[0]),
            lambda: shared.state(78) == expected[1] and shared.state(number) is not None,
            lambda: shared.pixel(240, 136) == expected[2],
            lambda: len(shared.draws) == expected[3],
        ]
        return bool(answers[number % 4]())

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(32)))


def memory_over(first: int, rounds: int, work: Callable[[], object]) -> tuple[int, int]:
    """Returns the memory after the first rounds, in which the allocator fills its stores, and after all."""
    for _ in range(first):
        work()
    gc.collect()
    early = resident()
    for _ in range(rounds - first):
        work()
    gc.collect()
    return early, resident()


def open_and_draw() -> None:
    data = Path("lampwing.pac").read_bytes()
    asset = pspge.open(data, name="lampwing.pac")
    picture = asset.render(size=(32, 32))
    assert picture.shape == (32, 32, 4)


@needs_proc
def test_memory_does_not_grow() -> None:
    early, late = memory_over(50, 400, open_and_draw)
    assert late - early < 16 * 1024, f"{early} KiB, then {late} KiB"


@needs_proc
@pytest.mark.slow
def test_memory_does_not_grow_over_10000_files() -> None:
    early, late = memory_over(1000, 10_000, open_and_draw)
    print(f"{early} KiB after 1,000 files, {late} KiB after 10,000")
    assert late - early < 16 * 1024, f"{early} KiB, then {late} KiB"


@needs_proc
def test_memory_of_errors_and_debuggers_does_not_grow() -> None:
    def work() -> None:
        with pytest.raises(pspge.FormatError):
            pspge.open(b"dear diary")
        asset = pspge.open(b"NOP | FINISH | END", name="list.ge")
        asset.state()
        asset.trace()
        with pytest.raises(pspge.UsageError):
            asset.state(5)

    early, late = memory_over(150, 400, work)
    assert late - early < 16 * 1024, f"{early} KiB, then {late} KiB"
