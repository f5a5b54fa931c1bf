"""Tables: equal to the documents and to those that the command writes."""

from __future__ import annotations

import gc
import subprocess
from pathlib import Path
from typing import Any

import pytest

import pspge

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

NAMES = ["frames", "draws", "commands", "textures", "vertices", "pixels"]


def rows(table: object) -> list[dict[str, Any]]:
    """Returns rows without the columns that depend on the way of opening."""
    found = pa.table(table).to_pylist()
    return [{key: value for key, value in row.items() if key != "input"} for row in found]


def test_tables_equal_documents() -> None:
    asset = pspge.open("lampwing.pac")
    tables = asset.tables()
    assert list(tables) == NAMES[:5], "all but pixels"
    draws = rows(tables["draws"])
    assert [(row["draw"], row["count"], row["pixels"]) for row in draws] == [
        (draw["draw"], draw["count"], draw["pixels"]) for draw in asset.draws
    ]
    frame = rows(tables["frames"])[0]
    info = asset.info()
    for key in ["format", "triangles", "vertices"]:
        assert frame[key] == info[key], key
    assert len(tables["commands"]) == len(asset.commands)
    assert len(tables["textures"]) == len(asset.textures())


@pytest.mark.filterwarnings("ignore::pspge.PspgeWarning")
@pytest.mark.parametrize("name", ["lampwing.pac", "lampwing.pmo", "rover.rlb"])
def test_tables_equal_those_of_the_command(name: str, command: str, tmp_path: Path) -> None:
    subprocess.run([command, "table", name, "--pixels", "-q", "-o", tmp_path], check=True)
    tables = pspge.open(name).tables(*NAMES)
    for table in NAMES:
        written = pq.read_table(tmp_path / f"{table}.parquet")
        made = pa.table(tables[table])
        assert made.schema.names == written.schema.names, table
        assert made.schema.metadata == {
            key: value for key, value in written.schema.metadata.items() if key != b"ARROW:schema"
        }, table
        assert rows(tables[table]) == rows(written), table


def test_names() -> None:
    asset = pspge.open("lampwing.pac")
    assert list(asset.tables("textures")) == ["textures"]
    assert len(asset.tables("pixels")["pixels"]) == 480 * 272
    with pytest.raises(pspge.UsageError, match="use one of frames, draws"):
        asset.tables("nothing")
    with pytest.raises(pspge.UsageError, match="a change to try"):
        asset.tables(skip=3)


def test_options_apply() -> None:
    asset = pspge.open("lampwing.pac")
    front, back = (rows(asset.tables("draws", view=view)["draws"]) for view in ("front", "back"))
    assert [row["pixels"] for row in front] != [row["pixels"] for row in back]
    with pytest.raises(pspge.UsageError, match="view"):
        pspge.open(b"FINISH | END").tables(view="front")


def test_capsules() -> None:
    table = pspge.open("lampwing.pac").tables("draws")["draws"]
    assert pa.schema(table) == pa.table(table).schema
    assert pa.table(table) == pa.table(table), "the rows can be taken again"
    names = [name for name, _, _ in table.columns]
    assert names == pa.schema(table).names
    assert all(description for _, _, description in table.columns), "every column is described"
    table.__arrow_c_stream__()  # A capsule that nobody takes frees its rows.
    arrow = pa.table(table)
    del table
    gc.collect()
    assert arrow.num_rows == 140 and arrow["draw"][139].as_py() == 139, "rows outlive the table"


def test_files_without_a_list_have_a_row() -> None:
    tables = pspge.open("lampwing.tmh").tables()
    assert {name: len(table) for name, table in tables.items()} == {
        "frames": 1,
        "draws": 0,
        "commands": 0,
        "textures": 0,
        "vertices": 0,
    }
    (frame,) = rows(tables["frames"])
    assert (frame["status"], frame["textures"]) == ("nothing", 4)
