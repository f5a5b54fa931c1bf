"""The interface: every public name has a docstring with an example, and types."""

from __future__ import annotations

import inspect
from pathlib import Path

import numpy as np
import pytest

import pspge

OPTIONS = [pspge.MemoryPictureOptions, pspge.Moment, pspge.RunOptions]


def public_members() -> list[tuple[str, object]]:
    """Lists all public functions, classes, methods and properties."""
    found: list[tuple[str, object]] = []
    for name in pspge.__all__:
        value = getattr(pspge, name)
        found.append((name, value))
        if inspect.isclass(value) and value not in OPTIONS:
            members = [(key, member) for key, member in inspect.getmembers(value) if not key.startswith("_")]
            found += [
                (f"{name}.{key}", member)
                for key, member in members
                if inspect.isfunction(member) or isinstance(member, property)
            ]
    return found


@pytest.mark.parametrize(("name", "value"), public_members(), ids=lambda item: item if isinstance(item, str) else "")
def test_public_names_have_docstrings(name: str, value: object) -> None:
    assert inspect.getdoc(value), f"{name} has no docstring"


def test_classes_and_functions_have_examples() -> None:
    for name in pspge.__all__:
        value = getattr(pspge, name)
        documents = [inspect.getdoc(value) or ""]
        if inspect.isclass(value):
            documents += [inspect.getdoc(member) or "" for member in vars(value).values()]
        assert value in (*OPTIONS, pspge.PspgeWarning) or any(">>>" in text for text in documents), f"{name} has no example"


def test_methods_of_assets_have_examples() -> None:
    for name, member in inspect.getmembers(pspge.Asset, inspect.isfunction):
        if not name.startswith("_"):
            assert ">>>" in (inspect.getdoc(member) or ""), f"Asset.{name} has no example"


def test_documents_have_schemas() -> None:
    for name in pspge.schemas():
        assert pspge.schema(name)["properties"]["schema"], name
    with pytest.raises(pspge.UsageError, match="no document"):
        pspge.schema("nothing")


def test_documents_follow_their_schemas() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    asset = pspge.open("lampwing.pac")
    for document in [
        asset.info(),
        asset.state(3),
        asset.draw(3),
        asset.passes(),
        asset.pixel(9, 9),
        asset.draws[3],
        asset.commands[3],
    ]:
        jsonschema.validate(document, pspge.schema(document["schema"]))


def test_sources_of_all_kinds(tmp_path: Path) -> None:
    data = Path("lampwing.pac").read_bytes()
    expected = pspge.open("lampwing.pac").render()
    sources: list[Path | str | bytes | bytearray | memoryview] = [
        Path("lampwing.pac"),
        data,
        bytearray(data),
        memoryview(data),
    ]
    for source in sources:
        assert np.array_equal(pspge.open(source).render(), expected), type(source)
    assert pspge.open("lampwing.pac#2").info() == {**pspge.open("lampwing.pac", member=2).info()}


@pytest.mark.filterwarnings("ignore::pspge.PspgeWarning")
def test_companions() -> None:
    beside = pspge.open("lampwing.pmo")
    assert beside.info()["textures"], "found next to the file"
    alone = pspge.open(Path("lampwing.pmo").read_bytes(), name="lampwing.pmo")
    assert "missing" in str(alone.notes) or not alone.info()["textures"], "bytes have no folder"
    files = {"lampwing.tmh": Path("lampwing.tmh").read_bytes(), "lampwing.ahi": Path("lampwing.ahi").read_bytes()}
    given = pspge.open(Path("lampwing.pmo").read_bytes(), name="lampwing.pmo", files=files)
    assert np.array_equal(given.render(), beside.render()), "in memory"
    folder = pspge.open(Path("lampwing.pmo").read_bytes(), name="lampwing.pmo", textures=".")
    assert folder.info()["textures"], "in a folder"


def test_members() -> None:
    asset = pspge.open("lampwing.pac")
    assert [member["index"] for member in asset.members] == [0, 1, 2, 3]
    assert asset.drawable_members == ["0"]
    assert asset.member("tmh").textures()[0].name == "lampwing_00"
    assert pspge.open("lampwing.tmh").members == []


def test_includes(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "end.ge").write_text("FINISH | END")
    text = '.include "end.ge"'
    (tmp_path / "list.ge").write_text('.include "lib/end.ge"')
    assert len(pspge.open(tmp_path / "list.ge").commands) == 2
    assembly = pspge.assemble(text, name=str(tmp_path / "list.ge"), include=[tmp_path / "lib"])
    assert assembly.image == bytes.fromhex("0000000f0000000c")
    assert assembly.info()["files"] == [str(tmp_path / "lib" / "end.ge")]
    assert "FINISH" in assembly.listing
    with pytest.raises(pspge.AssemblyError):
        pspge.assemble(text)
    words = pspge.open(assembly.image, format="list", name="words")
    assert words.format == "list" and len(words.commands) == 2


def test_mesh_data_is_a_companion(samples: Path, tmp_path: Path) -> None:
    whole = samples / "lampwing-102.pmo"
    content = whole.read_bytes()
    start = int.from_bytes(content[0x34:0x38], "little")
    first, second = content[:start], content[start:]
    expected = pspge.open(whole).render(size=(64, 64))
    with pytest.raises(pspge.FormatError, match="mesh_data="):
        pspge.open(first)
    model, data = tmp_path / "model.pmo", tmp_path / "model.mesh"
    model.write_bytes(first)
    data.write_bytes(second)
    for asset in [pspge.open(first, mesh_data=second), pspge.open(model), pspge.open(model, mesh_data=data)]:
        assert np.array_equal(asset.render(size=(64, 64)), expected)
