"""Documents: equal to the JSON of the command."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pspge


@pytest.fixture(scope="module", autouse=True)
def dump(samples: Path) -> None:
    pspge.open(samples / "lampwing.pac").to_frame_dump().write(samples / "lampwing.ppdmp")


@pytest.fixture
def printed(command: str) -> Callable[..., list[dict[str, Any]]]:
    """Runs the command and returns the documents that it prints."""

    def run(*arguments: str) -> list[dict[str, Any]]:
        done = subprocess.run([command, *arguments], capture_output=True, text=True)
        assert done.returncode in (0, 1), done.stderr
        decoder, text, documents = json.JSONDecoder(), done.stdout.strip(), []
        while text:
            document, end = decoder.raw_decode(text)
            documents.append(document)
            text = text[end:].lstrip()
        return documents

    return run


NAMES = ["lampwing.pac", "lampwing.ppdmp", "robot.bin", "orchard.pmdl", "rover-24.msh", "reedling.arc"]


@pytest.mark.parametrize(
    "name", [*NAMES, "lampwing.tmh", "reedling.pam", "reedling.bon", "swatches.tm2", "lampwing.pac#tmh"]
)
@pytest.mark.filterwarnings("ignore::pspge.PspgeWarning")
def test_info(name: str, printed: Callable[..., list[dict[str, Any]]]) -> None:
    assert [pspge.open(name).info()] == printed("info", name, "--json")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore::pspge.PspgeWarning")
def test_runs(name: str, printed: Callable[..., list[dict[str, Any]]]) -> None:
    asset = pspge.open(name)
    assert [asset.state(1)] == printed("state", name, "--draw", "1", "--json")
    assert [asset.state()] == printed("state", name, "--json")
    assert [asset.state(1, after=True)] == printed("state", name, "--draw", "1", "--after", "--json")
    assert [asset.run().events()] == printed("state", name, "--events", "--json")
    assert [asset.draw(1)] == printed("draw", name, "1", "--json")
    assert [asset.passes()] == printed("passes", name, "--json")
    assert [asset.pixel(240, 136)] == printed("pixel", name, "240,136", "--json")
    assert asset.check() == printed("check", name, "--json")
    draws = [item for item in printed("trace", name, "--draws", "--json") if item["schema"] == "pspge.draw/1"]
    assert list(asset.draws) == draws
    *commands, end = printed("trace", name, "--json")
    commands = [item for item in commands if item["schema"] != "pspge.note/1"]
    trace = asset.commands
    assert list(trace) == commands and trace.end == end


def test_traces_of_some_draws(printed: Callable[..., list[dict[str, Any]]]) -> None:
    asset = pspge.open("lampwing.pac")
    expected = printed("trace", "lampwing.pac", "--registers", "--only", "3-5", "--set", "ZTEST=ALWAYS@4", "--json")
    found = asset.trace_draws(only=range(3, 6), registers=True, set="ZTEST=ALWAYS@4")
    assert [*found, found.end] == expected
    commands = asset.trace(only="3-9", first=4)
    assert len(commands) == 4
    assert [*commands, commands.end] == printed("trace", "lampwing.pac", "--only", "3-9", "--first", "4", "--json")
    assert [commands.line(0), commands[-1], commands[1:3]] == [
        commands.line(-4),
        commands[3],
        [commands[1], commands[2]],
    ]


def test_options_of_the_debugger(printed: Callable[..., list[dict[str, Any]]]) -> None:
    asset = pspge.open("lampwing.ppdmp")
    options = ["--draws", "70-80", "--target", "0", "--skip", "72", "--json"]
    assert [asset.pixel(240, 136, draws="70-80", target=0, skip=72)] == printed(
        "pixel", "lampwing.ppdmp", "240,136", *options
    )
    model = pspge.open("lampwing.pac")
    assert [model.run(view="left", arithmetic="single").state(5)] == printed(
        "state", "lampwing.pac", "--draw", "5", "--view", "left", "--arithmetic", "single", "--json"
    )
    assert [asset.diff(b={"skip": 78})] == printed("diff", "lampwing.ppdmp", "--b", "--skip 78", "--json")
    assert [asset.diff(reference=(False, True))] == printed("diff", "lampwing.ppdmp", "--b", "--reference", "--json")
    assert [asset.diff(draws=(78, 79))] == printed("diff", "lampwing.ppdmp", "--a", "--at 78", "--b", "--at 79", "--json")


@pytest.mark.filterwarnings("ignore::pspge.PspgeWarning")
@pytest.mark.parametrize(
    "name", ["lampwing.pac", "lampwing.tmh", "lampwing.ppdmp", "robot.bin", "swatches.tm2", "reedling.arc"]
)
def test_textures(name: str, printed: Callable[..., list[dict[str, Any]]], tmp_path: Path) -> None:
    (index,) = (
        printed("textures", name, "--levels", "-o", str(tmp_path), "--json")
        if name.endswith("ppdmp")
        else printed("textures", name, "-o", str(tmp_path), "--json")
    )
    found = pspge.open(name).textures()
    assert [{**texture.facts, "files": []} for texture in found] == [
        {**entry, "files": []} for entry in index["textures"]
    ]
    assert found.notes == index["notes"]
    for texture, entry in zip(found, index["textures"]):
        assert entry["files"][0] == f"{texture.name}.png"
        for level, file in zip(texture.levels, entry["files"]):
            assert np.array_equal(level, pspge.read_picture(tmp_path / file)), file


@pytest.mark.parametrize("name", ["lampwing.pac", "lampwing.ppdmp", "orchard.pmdl"])
@pytest.mark.filterwarnings("ignore::pspge.PspgeWarning")
def test_geometry(name: str, printed: Callable[..., list[dict[str, Any]]]) -> None:
    (expected,) = printed("decode", name, "--json")
    found = pspge.open(name).geometry()
    assert found.notes == expected["notes"] and len(found) == len(expected["draws"])
    for draw, document in zip(found, expected["draws"]):
        for key in [
            "draw",
            "address",
            "file_offset",
            "primitive",
            "vertex_type",
            "through",
            "mesh",
            "material",
            "texture",
            "bones",
        ]:
            assert getattr(draw, key) == document[key], key
        for key in ["positions", "normals", "uvs", "colors", "weights", "triangles", "pairs", "points"]:
            values = np.array(document[key], getattr(draw, key).dtype)
            assert np.array_equal(getattr(draw, key).ravel(), values.ravel()), key
        indices = [-1 if index is None else index for index in document["vertex_indices"]]
        assert draw.vertex_indices.tolist() == indices


def test_memory(command: str, tmp_path: Path) -> None:
    asset, output = pspge.open("lampwing.ppdmp"), tmp_path / "memory.bin"
    run = [command, "memory", "lampwing.ppdmp", "0x04000000", "--length", "4096", "--at", "9", "-o", str(output)]
    subprocess.run(run, check=True)
    assert asset.memory(0x04000000, 4096, at=9) == output.read_bytes()
    picture = tmp_path / "memory.png"
    subprocess.run([command, "memory", "lampwing.ppdmp", "0", "-o", str(picture), "--size", "64x48"], check=True)
    assert np.array_equal(asset.memory_picture(0, (64, 48)), pspge.read_picture(picture))
    with pytest.warns(pspge.PspgeWarning, match="have no memory"):
        assert asset.memory(0, 8) and not any(asset.memory(0x06000000, 8))


@pytest.mark.filterwarnings("ignore::pspge.PspgeWarning")
def test_files(command: str, tmp_path: Path, printed: Callable[..., list[dict[str, Any]]]) -> None:
    asset = pspge.open("lampwing.ppdmp")
    trimmed = tmp_path / "trimmed.ppdmp"
    (report,) = printed("trim", "lampwing.ppdmp", "--draws", "70-79", "-o", str(trimmed), "--json")
    dump = asset.trim("70-79")
    assert dump.data == trimmed.read_bytes()
    assert {**dump.report, "output": None} == {**report, "output": None}
    exports: list[tuple[str, dict[str, Any], list[str]]] = [
        ("lampwing.pac", {}, []),
        ("lampwing.ppdmp", {}, []),
        ("reedling.arc", {"anim": "0"}, ["--anim", "0"]),
        (
            "lampwing.ppdmp",
            {"draws": "1-50", "up": "z", "scale": 0.5},
            ["--draws", "1-50", "--up", "z", "--scale", "0.5"],
        ),
        ("lampwing.pac", {"merge": "none"}, ["--merge", "none"]),
        ("lampwing.ppdmp", {"merge": "object", "space": "screen"}, ["--merge", "object", "--space", "screen"]),
    ]
    for number, (name, options, arguments) in enumerate(exports):
        for extension in ["glb", "gltf", "obj"]:
            own, theirs = (tmp_path / f"{side}-{number}-{extension}" for side in ["own", "theirs"])
            own.mkdir()
            theirs.mkdir()
            subprocess.run(
                [command, "export", name, "-o", str(theirs / f"x.{extension}"), "-q", *arguments], check=True
            )
            paths = pspge.open(name).export(own / f"x.{extension}", **options)
            assert sorted(path.name for path in paths) == sorted(path.name for path in theirs.iterdir())
            for path in paths:
                assert path.read_bytes() == (theirs / path.name).read_bytes(), (name, path.name)
    subprocess.run([command, "pack", "lampwing.pac", "-o", str(tmp_path / "packed.ppdmp"), "-q"], check=True)
    assert pspge.open("lampwing.pac").to_frame_dump().data == (tmp_path / "packed.ppdmp").read_bytes()


def test_pictures_are_compared(printed: Callable[..., list[dict[str, Any]]], tmp_path: Path) -> None:
    asset = pspge.open("lampwing.pac")
    asset_document = pspge.compare(asset, "lampwing-in-blender.png", region="0,0,64x64", ignore_alpha=True)
    (expected,) = printed(
        "compare",
        "lampwing.pac",
        "lampwing-in-blender.png",
        "--region",
        "0,0,64x64",
        "--ignore-alpha",
        "--size",
        "480x272",
        "--json",
    )
    assert {**asset_document, "notes": []} == {**expected, "notes": []}
    depth = asset.depth()
    assert pspge.compare(depth, depth)["identical"]
    assert pspge.compare(depth, np.maximum(depth, 1))["differing_pixels"] == int((depth == 0).sum())
