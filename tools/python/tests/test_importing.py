"""The way back: the bytes and documents of the command."""

from __future__ import annotations

import json
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pspge


def by_command(command: str, *arguments: str) -> dict[str, Any]:
    """Runs the command, and returns the document that it prints."""
    done = subprocess.run([command, *arguments, "--json"], check=True, capture_output=True, text=True)
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def without_files(report: dict[str, Any]) -> dict[str, Any]:
    """Leaves out the names of files, which differ."""
    rest = {key: value for key, value in report.items() if key not in ("input", "output", "geometry", "mesh_data")}
    if "pictures" in rest:
        rest["pictures"] = [{**picture, "file": picture["file"] is not None} for picture in rest["pictures"]]
    return rest


@pytest.mark.parametrize("name", ["lampwing.pac", "lampwing.tmh", "candle.gim", "swatches.tm2", "robot.bin"])
@pytest.mark.parametrize("dither", [False, True])
def test_textures_are_those_of_the_command(name: str, dither: bool, command: str, tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    subprocess.run([command, "textures", name, "-o", str(folder), "-q"], check=True)
    asset = pspge.open(name)
    same = asset.import_textures(folder)
    assert same.data == asset.data and same.report["changed_bytes"] == 0
    arrays = {}
    for texture in asset.textures():
        # Gradients, so that palettes are chosen anew.
        pixels = texture.pixels.copy()
        pixels[..., 0] = np.linspace(0, 255, pixels.shape[1], dtype=np.uint8)
        arrays[texture.name] = pixels
        break
    output = tmp_path / "new"
    for stem, pixels in arrays.items():
        write_png(folder / f"{stem}.png", pixels)
    options = ["--dither"] if dither else []
    document = by_command(command, "import-textures", name, *(str(folder / f"{stem}.png") for stem in arrays), "-o", str(output), *options)
    from_arrays = asset.import_textures(arrays, dither=dither)
    from_files = asset.import_textures([folder / f"{stem}.png" for stem in arrays], dither=dither)
    assert from_arrays.data == from_files.data == output.read_bytes() != asset.data
    assert without_files(from_arrays.report) == without_files(document)
    assert pspge.open(from_arrays.write(tmp_path / name)).data == from_arrays.data


def write_png(path: Path, pixels: np.ndarray[Any, Any]) -> None:
    """Writes a picture as PNG."""
    import struct
    import zlib

    height, width = pixels.shape[:2]
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    parts = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    chunks = (struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(chunks))


@pytest.mark.parametrize("name", ["lampwing.pac", "lampwing.pmo", "lampwing-102.pmo"])
def test_models_are_those_of_the_command(name: str, command: str, tmp_path: Path) -> None:
    asset = pspge.open(name)
    same = asset.import_model(asset.to_glb(up="z", scale=0.01), up="z", scale=0.01)
    assert same.data == asset.data
    glb = tmp_path / "large.glb"
    asset.export(glb, scale=3)
    output = tmp_path / "new"
    document = by_command(command, "import-model", str(glb), "--into", name, "-o", str(output))
    for source in (glb, glb.read_bytes()):
        written = asset.import_model(source)
        assert written.data == output.read_bytes() != asset.data
        assert without_files(written.report) == without_files(document)


def test_models_in_two_files_and_archives(command: str, tmp_path: Path) -> None:
    whole = Path("lampwing-102.pmo").read_bytes()
    at = int.from_bytes(whole[0x34:0x38], "little")
    (tmp_path / "one.pmo").write_bytes(whole[:at])
    (tmp_path / "one.mesh").write_bytes(whole[at:])
    shutil.copy("lampwing-102.ahi", tmp_path / "one.ahi")
    asset = pspge.open(tmp_path / "one.pmo")
    glb = asset.to_glb(scale=0.5)
    expected = pspge.open("lampwing-102.pmo").import_model(glb)
    written = asset.import_model(glb)
    assert written.mesh_data is not None
    assert written.data + written.mesh_data == expected.data != whole
    written.write(tmp_path / "new.pmo")
    assert (tmp_path / "new.mesh").read_bytes() == written.mesh_data
    large = tmp_path / "large.glb"
    large.write_bytes(glb)
    document = by_command(command, "import-model", str(large), "--into", str(tmp_path / "one.pmo"), "-o", str(tmp_path / "two.pmo"))
    assert (tmp_path / "two.pmo").read_bytes() == written.data
    assert (tmp_path / "two.mesh").read_bytes() == written.mesh_data
    assert without_files(document) == without_files(written.report)
    with zipfile.ZipFile(tmp_path / "set.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("one.pmo", "one.mesh", "one.ahi"):
            archive.write(tmp_path / name, name)
    packed = pspge.open(tmp_path / "set.zip").import_model(glb)
    packed.write(tmp_path / "new.zip")
    with zipfile.ZipFile(tmp_path / "new.zip") as archive:
        assert archive.testzip() is None
        assert archive.read("one.pmo") == written.data
        assert archive.read("one.mesh") == written.mesh_data
        assert archive.read("one.ahi") == Path("lampwing-102.ahi").read_bytes()


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    asset = pspge.open("lampwing.pac")
    glb = asset.to_glb()
    with pytest.raises(pspge.ContentError) as caught:
        asset.import_textures({"lampwing_02": np.zeros((5, 7, 4), np.uint8)})
    assert (caught.value.code, caught.value.file) == ("picture-size", "lampwing_02")
    with pytest.raises(pspge.ContentError, match="no texture has the name other") as caught:
        asset.import_textures({"other": np.zeros((32, 32, 4), np.uint8)})
    assert caught.value.code == "no-texture"
    with pytest.raises(pspge.UsageError, match="array of uint8"):
        asset.import_textures({"lampwing_02": np.zeros((32, 32, 4), np.float32)})
    with pytest.raises(pspge.ContentError, match="no picture in it"):
        asset.import_textures(tmp_path)
    with pytest.raises(pspge.ContentError) as caught:
        pspge.open(asset.to_frame_dump()).import_textures({})
    assert caught.value.code == "nothing-to-do"
    with pytest.raises(pspge.ContentError) as caught:
        asset.import_model(b"glTF")
    assert (caught.value.code, caught.value.file) == ("not-geometry", "bytes")
    with pytest.raises(pspge.ContentError, match="cannot be written") as caught:
        pspge.open("reedling.pmo").import_model(glb)
    assert caught.value.code == "nothing-to-do"
    with pytest.raises(pspge.UsageError):
        asset.import_model(glb, scale=0)
    with pytest.raises(pspge.UsageError):
        asset.import_model(glb, up="x")  # type: ignore[arg-type]
