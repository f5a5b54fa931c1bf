#!/usr/bin/env python3
"""Draws a collection of files with Ray Data, on one machine or on many.

    pip install pspge "ray[data]" pillow
    python ray_corpus.py INPUT... -o DIR

An INPUT is a file, a folder with files, or `@LIST`, a text with a path on each line. DIR gets

    results.parquet   a row for each file: content hash, counts, notes, or the error
    draws.parquet     a row for each draw of each file
    pictures/         a PNG file for each file that can be drawn
    parts/            the result of each finished file, from which an interrupted run goes on

Ray distributes the files, and repeats the work of workers that die. Each file is once in the results, however often it
was begun. A file whose worker dies each time gets an error. With `--address auto` the work runs on a cluster; all its
machines must then see the inputs and DIR at the same paths, and have the same packages.

The exit status is 0, or 1 if a file failed, 2 for wrong usage, and 4 if a list cannot be read
or DIR cannot be written.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import socket
import sys
import tempfile
import traceback
import uuid
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq
import ray
import ray.data
import ray.exceptions
from PIL import Image

import pspge

Row = dict[str, Any]

NOTE = pa.struct([("code", pa.string()), ("severity", pa.string()), ("message", pa.string()), ("count", pa.int64())])
ERROR = pa.struct([("code", pa.string()), ("file", pa.string()), ("offset", pa.int64()), ("message", pa.string())])
# The counts of `pspge info`.
COUNTS = ["meshes", "draws", "vertices", "triangles", "textures", "commands"]
RESULTS = pa.schema(
    [
        ("input", pa.string()),  # path below the common folder of all inputs
        ("status", pa.string()),  # `ok`, `nothing` if the file holds nothing to draw, or `failed`
        ("sha256", pa.string()),  # hash of the content; null if the file cannot be read
        ("file_bytes", pa.int64()),
        ("file_hash", pa.string()),  # hash of the content in the documents and tables of pspge
        ("format", pa.string()),
        *((name, pa.int64()) for name in COUNTS),
        ("picture", pa.string()),  # path below DIR
        ("error", ERROR),
        ("notes", pa.list_(NOTE)),
    ]
)
DRAWS = pa.schema(
    [
        ("input", pa.string()),
        ("file_hash", pa.string()),
        ("draw", pa.int64()),
        ("kind", pa.string()),
        ("primitive", pa.string()),
        ("count", pa.int64()),  # vertices or control points
        ("pixels", pa.int64()),  # pixels that it wrote
        ("text", pa.string()),  # the draw and its state in one line, as `pspge trace --draws` prints it
    ]
)
# Workers also return the number of the file, whether an earlier run did the work, and how often the file was begun.
RETURNED = pa.schema([*RESULTS, ("number", pa.int64()), ("reused", pa.bool_()), ("begun", pa.int64())])


@dataclass(frozen=True)
class Settings:
    """Everything that a worker needs besides the path of a file."""

    output: Path
    """The folder of all results."""
    run: str
    """The name of this run: a file is begun a limited number of times in each run."""
    attempts: int
    """How often a file is begun before it gets an error."""
    size: tuple[int, int] | None
    """Width and height of pictures."""
    retry_failed: bool
    """Whether files that failed in an earlier run are drawn again."""

    def fingerprint(self) -> str:
        """Returns everything besides the file that decides its result."""
        return f"pspge {pspge.__version__}, size {self.size}"


@dataclass(frozen=True)
class Part:
    """The folder with the result of one file."""

    folder: Path

    @staticmethod
    def of(output: Path, path: str) -> Part:
        key = hashlib.sha256(os.fsencode(path)).hexdigest()[:32]
        return Part(output / "parts" / key[:2] / key)

    @property
    def row(self) -> Path:
        return self.folder / "row.json"

    @property
    def draws(self) -> Path:
        return self.folder / "draws.parquet"

    def begin(self, run: str) -> int:
        """Counts that the file is begun, on the disk, where the count survives the worker. Returns the count."""
        self.folder.mkdir(parents=True, exist_ok=True)
        begun = self.folder / f"begun-{run}"
        with begun.open("a") as file:
            file.write(f"{socket.gethostname()} {os.getpid()}\n")
        return len(begun.read_text().splitlines())

    def end(self) -> None:
        """Removes counts and files that dead workers left."""
        for file in (*self.folder.glob("begun-*"), *self.folder.glob("*.incomplete")):
            file.unlink(missing_ok=True)

    def write(self, path: Path, write: Callable[[BinaryIO], object]) -> None:
        """Writes a file that gets its name when it is complete. To do it twice is as good as once."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=self.folder, suffix=".incomplete", delete=False) as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(file.name, path)


def work(batch: pa.Table, settings: Settings) -> pa.Table:
    """Draws the files of a batch. Runs in a worker of Ray."""
    rows = []
    for item in batch.to_pylist():
        path = os.fsdecode(item["path"])
        rows.append({**result(path, item["name"], settings), "number": item["number"]})
    return pa.Table.from_pylist(rows, schema=RETURNED)


def result(path: str, name: str, settings: Settings) -> Row:
    """Returns the row of a file: that of an earlier attempt, or else a new one."""
    part = Part.of(settings.output, path)
    row: Row = {"input": name, "status": "failed", "notes": []}
    try:
        row["sha256"], row["file_bytes"] = sha256(path)
    except OSError as error:
        row["error"] = error_of(error, path)
        return {**row, "reused": False, "begun": 0}
    earlier = finished(part, row, settings)
    if earlier is not None:
        return earlier
    begun = part.begin(settings.run)
    if begun > settings.attempts:
        message = f"the worker died each of the {settings.attempts} times that it drew this file"
        row["error"] = {"code": "crash", "file": shown(path), "message": message}
    else:
        draw(path, row, part, settings)
    stored = {"fingerprint": settings.fingerprint(), "run": settings.run, "begun": begun, "row": row}
    part.write(part.row, lambda file: file.write(json.dumps(stored).encode()))
    part.end()
    return {**row, "reused": False, "begun": begun}


def finished(part: Part, row: Row, settings: Settings) -> Row | None:
    """Returns the row of an earlier attempt, if the file and all settings are the same as then."""
    try:
        stored = json.loads(part.row.read_bytes())
    except (FileNotFoundError, ValueError):
        return None
    earlier, is_this_run = stored["row"], stored["run"] == settings.run
    same = stored["fingerprint"] == settings.fingerprint() and all(row[key] == earlier[key] for key in ("input", "sha256"))
    complete = earlier["status"] != "ok" or ((settings.output / earlier["picture"]).exists() and part.draws.exists())
    again = settings.retry_failed and not is_this_run and earlier["status"] == "failed"
    if not same or not complete or again:
        return None
    # In this run, a worker died after it had finished the file.
    return {**earlier, "reused": not is_this_run, "begun": stored["begun"] if is_this_run else 0}


def draw(path: str, row: Row, part: Part, settings: Settings) -> None:
    """Draws a file, and completes its row with the result or the error."""
    try:
        with warnings.catch_warnings():
            # The notes are in the row.
            warnings.simplefilter("ignore", pspge.PspgeWarning)
            asset = pspge.open(path)
            info = asset.info()
            row.update({key: info[key] for key in ("format", "file_hash", *COUNTS)})
            add_notes(row, asset.notes)
            # Ray uses all processors, so one thread for each file is best.
            drawn = asset.rasterize("display", size=settings.size, threads=1)
            add_notes(row, [note for note in drawn.notes if note not in asset.notes])
            keys = {"input": row["input"], "file_hash": info["file_hash"]}
            draws = [{**{name: document.get(name) for name in DRAWS.names}, **keys} for document in asset.draws]
    except pspge.ContentError as error:
        if error.code == "no-display-list":
            row["status"] = "nothing"
        else:
            row["error"] = error_of(error, path)
    except (pspge.Error, OSError) as error:
        row["error"] = error_of(error, path)
    except BaseException as error:
        if isinstance(error, (KeyboardInterrupt, SystemExit)):
            raise
        # A fault of pspge or of this script must not cost the other files.
        traceback.print_exc()
        row["error"] = {"code": "internal", "file": shown(path), "message": f"{type(error).__name__}: {error}"}
    else:
        table = pa.Table.from_pylist(draws, schema=DRAWS)
        part.write(part.draws, lambda file: pq.write_table(table, file, compression="zstd"))
        picture = f"pictures/{row['input']}.png"
        part.write(settings.output / picture, lambda file: Image.fromarray(drawn.color).save(file, "PNG", compress_level=1))
        row.update(status="ok", picture=picture)


def add_notes(row: Row, notes: list[Row]) -> None:
    row["notes"] += [{field.name: note[field.name] for field in NOTE} for note in notes]


def error_of(error: pspge.Error | OSError, path: str) -> Row:
    """Returns an error as a value of the column."""
    if isinstance(error, pspge.Error):
        # The file at fault may be a companion of the input.
        return {"code": error.code, "file": shown(error.file or path), "offset": error.offset, "message": error.message}
    return {"code": "read", "file": shown(error.filename or path), "message": error.strerror or str(error)}


def shown(path: str) -> str:
    """Returns a path as a text. Names of files need not be texts, but values of tables must be."""
    return os.fsencode(path).decode(errors="backslashreplace")


def sha256(path: str) -> tuple[str, int]:
    """Returns hash and size of a file."""
    hasher, size = hashlib.sha256(), 0
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            hasher.update(block)
            size += len(block)
    return hasher.hexdigest(), size


def inputs(names: list[str], output: Path) -> list[str]:
    """Returns the absolute paths of all files, sorted, each once."""
    found: set[str] = set()
    for name in names:
        if name.startswith("@"):
            lines = Path(name[1:]).read_text().splitlines()
            found.update(os.path.abspath(line) for line in lines if line.strip())
        elif Path(name).is_dir():
            files = (Path(folder, file) for folder, _, files in os.walk(name) for file in files)
            found.update(os.path.abspath(file) for file in files if not file.name.startswith("."))
        else:
            # If it does not exist, its row says so.
            found.add(os.path.abspath(name))
    return sorted(path for path in found if not Path(path).is_relative_to(output))


def results(paths: list[str], settings: Settings, batch: int) -> Iterator[Row]:
    """Yields the rows of all files as Ray finishes them. `number` is that of the path."""
    root = os.path.commonpath([os.path.dirname(path) for path in paths])
    items = [
        {"number": number, "path": os.fsencode(path), "name": shown(Path(path).relative_to(root).as_posix())}
        for number, path in enumerate(paths)
    ]
    # Ray repeats a batch whose worker died as often as necessary. It ends, because each file is begun `attempts` times
    # at most, and a finished file is not drawn again.
    rows = ray.data.from_items(items, override_num_blocks=-(-len(items) // batch)).map_batches(
        work,
        fn_kwargs={"settings": settings},
        batch_size=None,
        batch_format="pyarrow",
    )
    for table in rows.iter_batches(batch_size=None, batch_format="pyarrow"):
        yield from table.to_pylist()


def write_tables(paths: list[str], rows: list[Row], settings: Settings) -> None:
    """Writes the rows of all files, and the draws of all parts in the same order."""
    whole = Part(settings.output)
    table = pa.Table.from_pylist(rows, schema=RESULTS)
    whole.write(settings.output / "results.parquet", lambda file: pq.write_table(table, file, compression="zstd"))

    def write_draws(file: BinaryIO) -> None:
        with pq.ParquetWriter(file, DRAWS, compression="zstd") as writer:
            waiting: list[pa.Table] = []
            for path, row in zip(paths, rows):
                if row["status"] == "ok":
                    waiting.append(pq.read_table(Part.of(settings.output, path).draws, schema=DRAWS))
                if sum(len(table) for table in waiting) > 100_000:
                    writer.write_table(pa.concat_tables(waiting))
                    waiting.clear()
            writer.write_table(pa.concat_tables([DRAWS.empty_table(), *waiting]))

    whole.write(settings.output / "draws.parquet", write_draws)
    whole.end()


def report(rows: list[Row]) -> None:
    """Prints the errors of all files, and a summary."""
    for row in rows:
        if row["error"]:
            error = row["error"]
            offset = "" if error.get("offset") is None else f" at {error['offset']:#x}:"
            print(f"error: {error['file']}:{offset} {error['message']}", file=sys.stderr)
    codes = Counter(row["error"]["code"] for row in rows if row["error"])
    counts = [
        (sum(row["status"] == "ok" for row in rows), "drawn"),
        (sum(row["status"] == "nothing" for row in rows), "with nothing to draw"),
        (codes.total(), f"failed ({', '.join(f'{count} {code}' for code, count in sorted(codes.items()))})"),
        (sum(row["reused"] for row in rows), "taken from an earlier run"),
        (sum(row["begun"] > 1 for row in rows), "begun again because a worker died"),
    ]
    print(", ".join(f"{count} {text}" for count, text in counts if count or text == "drawn"), file=sys.stderr)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Draw a collection of files with Ray Data.")
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="file, folder, or @LIST with a path on each line")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="folder of all results")
    parser.add_argument("--size", type=size, metavar="WxH", help="size of pictures [default: 480x272]")
    parser.add_argument("--address", help="address of a cluster, or `auto` [default: this machine alone]")
    parser.add_argument("--cpus", type=int, help="processors of this machine to use [default: all]")
    parser.add_argument("--batch", type=positive, default=16, help="files that a worker takes at once [default: 16]")
    parser.add_argument("--attempts", type=positive, default=3, help="how often a file is begun at most [default: 3]")
    parser.add_argument("--retry-failed", action="store_true", help="draw files again that failed in an earlier run")
    args = parser.parse_args()
    if args.address and args.cpus:
        parser.error("--cpus is for this machine alone; a cluster knows its processors")
    return args


def size(text: str) -> tuple[int, int]:
    width, height = text.split("x")
    return int(width), int(height)


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def main() -> int:
    args = arguments()
    output = args.output.resolve()
    settings = Settings(output, uuid.uuid4().hex, args.attempts, args.size, args.retry_failed)
    try:
        output.mkdir(parents=True, exist_ok=True)
        paths = inputs(args.inputs, output)
        if not paths:
            print("error: the inputs hold no files", file=sys.stderr)
            return 2
        try:
            ray.init(address=args.address, num_cpus=args.cpus, log_to_driver=sys.stderr.isatty())
        except ConnectionError as error:
            print(f"error: no cluster at {args.address}: {error}", file=sys.stderr)
            return 1
        context = ray.data.DataContext.get_current()
        context.enable_progress_bars = sys.stderr.isatty()
        found = {row["number"]: row for row in results(paths, settings, args.batch)}
        if len(found) != len(paths):
            raise RuntimeError(f"Ray returned {len(found)} of {len(paths)} results")
        rows = [found[number] for number in range(len(paths))]
        write_tables(paths, rows, settings)
    except OSError as error:
        print(f"error: {shown(error.filename or str(output))}: {error.strerror or error}", file=sys.stderr)
        return 4
    except (ray.exceptions.RayError, RuntimeError) as error:
        print(f"error: the run ended early, and the same command goes on with it: {error}", file=sys.stderr)
        return 1
    report(rows)
    return 1 if any(row["status"] == "failed" for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
