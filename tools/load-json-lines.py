#!/usr/bin/env python3
"""Loads JSON Lines of `pspge info` with DuckDB and pandas, and checks the types of their columns.

    python3 tools/load-json-lines.py [FILE.jsonl]

Without FILE it loads the lines of 3,000 files that the test `json_lines` writes, and runs that test if they are
missing. DuckDB and pandas are installed in target/json-lines/venv if this Python does not have them. If that fails,
the script prints SKIPPED and succeeds.
"""

import json
import subprocess
import sys
from pathlib import Path

from python_packages import ROOT, TARGET, require

# The types of columns that DuckDB must find by itself.
COLUMNS = {
    "schema": "VARCHAR",
    "input": "VARCHAR",
    "format": "VARCHAR",
    "version": "VARCHAR",
    "game": "VARCHAR",
    "content": "VARCHAR",
    "file_bytes": "BIGINT",
    "file_hash": "VARCHAR",
    "meshes": "BIGINT",
    "draws": "BIGINT",
    "vertices": "BIGINT",
    "triangles": "BIGINT",
    "commands": "BIGINT",
    "bounds": "STRUCT(min DOUBLE[], max DOUBLE[])",
    "exported": "STRUCT(meshes BIGINT, vertices BIGINT, triangles BIGINT)",
    "stored": "STRUCT(vertices BIGINT, triangles BIGINT, bones BIGINT)",
    "payload_bytes": "BIGINT",
    "records": "STRUCT(kind VARCHAR, count BIGINT)[]",
    "companions": "STRUCT(role VARCHAR, file VARCHAR, bytes BIGINT, found BOOLEAN)[]",
}
# Columns whose elements have members that are null in all of these files.
NULLS_INSIDE = {"error", "fields", "members", "notes"}


def lines_file():
    """Returns the file to load, which the test writes if it does not exist."""
    if len(sys.argv) > 1:
        return Path(sys.argv[1])
    path = TARGET / "tmp" / "json_lines" / "info.jsonl"
    if not path.exists():
        test = ["cargo", "test", "--locked", "--package", "pspge-tools", "--test", "json_lines"]
        subprocess.run(test, cwd=ROOT, check=True)
    return path


def check_duckdb(duckdb, path, documents):
    connection = duckdb.connect()
    connection.execute("CREATE TABLE info AS SELECT * FROM read_json(?)", [str(path)])
    # Versions differ in which names they quote.
    found = {name: kind.replace('"', "") for name, kind, *_ in connection.execute("DESCRIBE info").fetchall()}
    for name, kind in found.items():
        # DuckDB calls a column JSON if it finds no type. It has none to find in a column without values.
        if any(document.get(name) not in (None, [], {}) for document in documents):
            assert kind == COLUMNS.get(name, kind), f"{name} is {kind}, not {COLUMNS[name]}"
            assert "JSON" not in kind or name in NULLS_INSIDE, f"{name} is {kind}"
        else:
            # The test's files have values in all of these columns.
            assert len(sys.argv) > 1 or name not in COLUMNS, f"{name} has no values"
    expected = [
        ("count(*)", len(documents)),
        ("sum(file_bytes)", sum(document.get("file_bytes", 0) for document in documents)),
        ("sum(draws)", sum(document.get("draws") or 0 for document in documents)),
        ("sum(len(notes))", sum(len(document.get("notes", [])) for document in documents)),
        ("count(*) FILTER (bounds.max[1] > 100)", sum(largest(document) > 100 for document in documents)),
        ("count(error.code)", sum("error" in document for document in documents)),
    ]
    for expression, value in expected:
        (answer,) = connection.execute(f"SELECT {expression} FROM info").fetchone()
        assert answer == value, f"{expression} is {answer}, not {value}"
    (members,) = connection.execute(
        "SELECT count(*) FROM (SELECT unnest(members) AS member FROM info) WHERE member.drawable"
    ).fetchone()
    drawable = sum(member["drawable"] for document in documents for member in document.get("members", []))
    assert members == drawable, f"{members} drawable members, not {drawable}"
    print(f"DuckDB {duckdb.__version__}: {len(documents)} rows, {len(found)} columns, all typed")


def largest(document):
    return document["bounds"]["max"][0] if document.get("bounds") else float("-inf")


def check_pandas(pandas, path, documents):
    frame = pandas.read_json(path, lines=True, dtype_backend="numpy_nullable")
    assert len(frame) == len(documents), f"{len(frame)} rows"
    for name in ["file_bytes", "meshes", "draws", "vertices", "triangles", "commands", "bones", "animations"]:
        assert str(frame[name].dtype) == "Int64", f"{name} is {frame[name].dtype}"
        total = sum(document.get(name) or 0 for document in documents)
        assert frame[name].sum() == total, f"the sum of {name} is {frame[name].sum()}, not {total}"
    for name in ["schema", "input", "format", "content", "file_hash"]:
        assert str(frame[name].dtype).startswith("string"), f"{name} is {frame[name].dtype}"
    print(f"pandas {pandas.__version__}: {len(frame)} rows, {len(frame.columns)} columns, all typed")


def main():
    home = TARGET / "json-lines" / "venv"
    duckdb, pandas = require(["duckdb", "pandas"], ["duckdb>=1.2", "pandas>=2.2"], home)
    path = lines_file()
    with path.open(encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines]
    check_duckdb(duckdb, path, documents)
    check_pandas(pandas, path, documents)


main()
