#!/usr/bin/env python3
"""Runs the queries of the guide on tables with DuckDB, and compares their results with the JSON documents of pspge.

    python3 tools/query-tables.py [--program PSPGE]

The tables are those of the bundled samples and of a list with unusual state. With PSPGE_CORPUS set, the figures of its
files are compared with `pspge info`, too. Without --program, the program of `cargo build` is taken, and built if it is
missing. DuckDB is installed in target/tables/venv if this Python does not have it. If that fails, the script prints
SKIPPED and succeeds.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

from python_packages import ROOT, TARGET, require

GUIDE = ROOT / "src" / "guides" / "tables.md"
QUERIES = 10

# A stencil with a logic operation, a texture that is the target, equal commands, and a draw without pixels.
LIST = """
    FRAMEBUFWIDTH width=64 | FRAMEBUFPIXFORMAT ABGR4444 | SCISSOR2 x=63 y=31 | REGION2 x=63 y=31 | BASE hi(corners)
    VTYPE texcoord=BITS16 position=BITS16 through=1 | MATERIALAMBIENT #ff8000 | MATERIALALPHA 255
    VADDR lo(corners) | PRIM primitive=RECTANGLES count=2
    TEXENABLE 1 | TEXFORMAT ABGR4444 | TEXADDR0 0 | TEXBUFWIDTH0 width=64 high=4
    TEXSIZE0 width_log2=4 height_log2=4 | TEXFUNC function=REPLACE use_alpha=1 | TEXFLUSH
    STENCILTESTENABLE 1 | STENCILTEST function=ALWAYS mask=255 | LOGICOPENABLE 1 | LOGICOP XOR | LOGICOP XOR
    VADDR lo(below) | PRIM primitive=RECTANGLES count=2
    ALPHATESTENABLE 1 | ALPHATEST function=NEVER mask=255 | VADDR lo(below) | PRIM primitive=RECTANGLES count=2
    FINISH | END
.align 4
corners: .s16 0 0 0 0 0 | .s16 8 4 8 4 0
below: .s16 0 0 16 16 0 | .s16 8 4 24 20 0
"""


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=Path)
    return parser.parse_args()


def program(given):
    """Returns the program, which is built if none is given and none exists."""
    if given:
        return given.resolve()
    path = (TARGET if TARGET.is_absolute() else ROOT / TARGET) / "debug" / ("pspge.exe" if os.name == "nt" else "pspge")
    if not path.exists():
        build = ["cargo", "build", "--locked", "--package", "pspge-tools", "--bin", "pspge"]
        subprocess.run(build, cwd=ROOT, check=True)
    return path


class Documents:
    """The JSON documents of inputs."""

    def __init__(self, pspge, folder, inputs):
        self.pspge, self.folder, self.inputs = pspge, folder, inputs

    def run(self, *options):
        """Runs pspge. Some inputs hold nothing to work on, which is status 1."""
        command = [self.pspge, *map(str, options), "-q"]
        output = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        assert output.returncode in (0, 1), f"{command}: {output.stderr}"
        return output.stdout

    def of(self, command, kind, *options):
        """Returns the documents of one kind that a command prints."""
        lines = self.run(command, *self.inputs, "--json", *options).splitlines()
        documents = map(json.loads, lines)
        return [document for document in documents if document["schema"] == f"pspge.{kind}/1"]


def queries():
    """Returns the statement that creates the views, and the queries."""
    blocks = re.findall(r"^```sql\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    views, *found = blocks
    assert len(found) == QUERIES, f"{GUIDE.name} has {len(found)} queries, not {QUERIES}"
    return views, found


def uses_texture(state):
    """Tells whether a draw with this state uses a texture, as `pspge textures` decides it."""
    vertex, texture = state["vertex"], state["texture"]
    generated = texture["mapping"]["mode"] in ("MATRIX", "ENVIRONMENT") and not vertex["through"]
    return texture["enabled"] and not state["clear"]["enabled"] and (vertex["texcoord"] != "NONE" or generated)


class Expected:
    """The results of the queries, computed from documents."""

    def __init__(self, documents, report):
        self.report = report
        self.info = documents.of("info", "info")
        self.draws = documents.of("trace", "draw", "--registers")
        self.commands = documents.of("trace", "command")
        self.numbers = {line["input"]: number for number, line in enumerate(report)}
        # Geometry of models has no camera and no clear, but the numbers of a trace.
        self.geometry = documents.of("decode", "geometry")

    def games(self):
        games = {document["input"]: document["game"] for document in self.info}
        draws = [draw for draw in self.draws if draw["state"]["stencil_test"]["enabled"]]
        found = {games[draw["input"]] or draw["input"] for draw in draws if draw["state"]["logic"]["enabled"]}
        return sorted((game,) for game in found)

    def figures(self):
        done = {line["input"] for line in self.report if line["status"] == "ok"}
        names = ["input", "draws", "vertices", "triangles", "commands"]
        return [tuple(info[name] for name in names) for info in self.info if info["input"] in done]

    def problems(self):
        results = Counter(
            (line["status"], (line["error"] or {}).get("code")) for line in self.report if line["status"] != "ok"
        )
        inputs, times = Counter(), Counter()
        for line in self.report:
            inputs.update({note["code"] for note in line["notes"]})
            for note in line["notes"]:
                times[note["code"]] += note["count"]
        rows = [(*result, count, 1) for result, count in results.items()]
        rows += [("note", code, inputs[code], times[code]) for code in inputs]
        return sorted(rows, key=lambda row: (row[0], row[1] is None, row[1] or ""))

    def expensive(self):
        draws = sorted(self.draws, key=lambda draw: (-draw["pixels"], self.numbers[draw["input"]], draw["draw"]))
        return [(draw["input"], draw["draw"], draw["primitive"], draw["pixels"]) for draw in draws[:10]]

    def textures(self):
        frames, draws = defaultdict(set), Counter()
        for draw in filter(lambda draw: uses_texture(draw["state"]), self.draws):
            texture = draw["state"]["texture"]
            level = texture["levels"][0]
            key = (texture["hash"], texture["format"], level["width"], level["height"])
            frames[key].add(draw["input"])
            draws[key] += 1
        rows = [(*key, len(frames[key]), count) for key, count in draws.items()]
        return sorted(rows, key=lambda row: (-row[-1], *row))[:10]

    def own_target(self):
        rows = []
        for draw in self.draws:
            state, size = draw["state"], 0x200000
            target, texels = state["framebuffer"], state["texture"]["levels"][0]["address"]
            pixel = 4 if target["format"] == "ABGR8888" else 2
            length = target["stride"] * (state["scissor"]["bottom"] + 1) * pixel
            offset = texels % size - target["address"] % size
            in_vram = 0x04000000 <= texels < 0x04800000
            if state["texture"]["enabled"] and not state["clear"]["enabled"] and in_vram and 0 <= offset < length:
                rows.append((draw["input"], draw["draw"]))
        return rows

    def unchanged(self):
        held, unchanged, executed = {}, Counter(), Counter()
        for command in self.commands:
            name, key = command["name"], (command["input"], command["name"])
            executed[name] += 1
            unchanged[name] += held.get(key, 0) == command["argument"]
            held[key] = command["argument"]
        return {name: (unchanged[name], executed[name]) for name in executed}

    def formats(self):
        buffers, draws, pixels = defaultdict(set), Counter(), Counter()
        for draw in self.draws:
            target = draw["state"]["framebuffer"]
            buffers[target["format"]].add((draw["input"], target["address"]))
            draws[target["format"]] += 1
            pixels[target["format"]] += draw["pixels"]
        return [(format, len(buffers[format]), draws[format], pixels[format]) for format in sorted(draws)]

    def invisible(self):
        counts = {}
        for draw in self.draws:
            if not draw["state"]["clear"]["enabled"]:
                invisible, count = counts.get(draw["input"], (0, 0))
                counts[draw["input"]] = (invisible + (draw["pixels"] == 0), count + 1)
        return [(name, *count) for name, count in counts.items()]

    def extents(self):
        """Returns the size of each draw by input and number."""
        sizes = {}
        for document in self.geometry:
            for draw in document["draws"]:
                if draw["positions"] and not draw["through"]:
                    axes = list(zip(*draw["positions"]))
                    extent = [max(axis) - min(axis) for axis in axes]
                    sizes[document["input"], draw["draw"]] = (len(draw["positions"]), *extent)
        return sizes


def compare(number, found, expected):
    assert found == expected, f"query {number} gives {found}, not {expected}"


def check_queries(connection, expected):
    """Runs all queries and compares the results. Returns the numbers of their rows."""
    views, found = queries()
    connection.execute(views)
    results = [connection.execute(query).fetchall() for query in found]
    games, figures, problems, expensive, textures, own_target, unchanged, formats, invisible, extents = results
    compare(1, games, expected.games())
    compare(2, figures, expected.figures())
    compare(3, problems, expected.problems())
    compare(4, [(name, draw, kind, pixels) for name, draw, kind, _, pixels in expensive], expected.expensive())
    compare(5, textures, expected.textures())
    compare(6, own_target, expected.own_target())
    known = expected.unchanged()
    compare(7, unchanged, [(name, *known[name]) for name, *_ in unchanged])
    compare(8, formats, expected.formats())
    compare(9, invisible, expected.invisible())
    sizes = expected.extents()
    assert len(extents) == len(sizes), f"query 10 gives {len(extents)} draws, not {len(sizes)}"
    for name, draw, count, *extent in extents:
        vertices, *size = sizes[name, draw]
        close = all(abs(a - b) <= 1e-3 * max(1.0, abs(b)) for a, b in zip(extent, size))
        assert count == vertices and close, f"query 10, {name}, draw {draw}: {extent}, not {size}"
    return [len(rows) for rows in results]


def check_corpus(duckdb, pspge, folder, corpus):
    """Compares the figures of frames with `pspge info`, and the rows of all tables with the figures."""
    inputs = [corpus / name for name in ["frames", "hardware", "models"] if (corpus / name).is_dir()]
    documents = Documents(pspge, folder, inputs)
    documents.run("table", *inputs, "-o", "corpus")
    info = {document["input"]: document for document in documents.of("info", "info")}
    connection = duckdb.connect()
    table = f"'{folder / 'corpus'}/%s.parquet'"
    names = ["file_hash", "format", "game", "file_bytes", "draws", "vertices", "triangles", "commands", "textures", "bones"]
    rows = connection.execute(f"SELECT input, {', '.join(names)} FROM {table % 'frames'} WHERE format NOT NULL").fetchall()
    for name, *figures in rows:
        expected = [info[name][column] for column in names]
        assert figures == expected, f"{name}: {names} are {figures}, not {expected}"
    assert len(rows) == len(info), f"{len(rows)} frames, not {len(info)}"
    for name in ["commands", "draws", "vertices", "textures"]:
        query = f"SELECT (SELECT count(*) FROM {table % name}), (SELECT sum(run_{name}) FROM {table % 'frames'})"
        count, total = connection.execute(query).fetchone()
        assert count == total, f"{name} has {count} rows, and the frames count {total}"
    print(f"corpus: {len(rows)} files have the figures of pspge info")


def main():
    given = arguments()
    (duckdb,) = require(["duckdb"], ["duckdb>=1.2"], TARGET / "tables" / "venv")
    pspge = program(given.program)
    folder = (ROOT / TARGET / "tables").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "list.ge").write_text(LIST, encoding="utf-8")
    documents = Documents(pspge, folder, ["list.ge", ROOT / "tools" / "sample"])
    documents.run("table", *documents.inputs, "-o", "tables", "--report", "report.jsonl")
    report = [json.loads(line) for line in (folder / "report.jsonl").read_text(encoding="utf-8").splitlines()]
    expected = Expected(documents, report)
    os.chdir(folder)
    counts = check_queries(duckdb.connect(), expected)
    assert all(counts), f"a query has no rows: {counts}"
    print(f"DuckDB {duckdb.__version__}: {QUERIES} queries of the guide, {sum(counts)} rows as the documents say")
    if corpus := os.environ.get("PSPGE_CORPUS"):
        check_corpus(duckdb, pspge, folder, Path(corpus).resolve())
    else:
        print("SKIPPED: the corpus, because PSPGE_CORPUS is not set")


sys.exit(main())
