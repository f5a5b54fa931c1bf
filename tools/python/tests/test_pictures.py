"""Pictures: equal to those of the command, without a copy, with notes."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import pspge


def drawn_by_command(command: str, tmp_path: Path, *arguments: str) -> npt.NDArray[Any]:
    """Returns the picture that `pspge render` writes."""
    output = tmp_path / "picture.png"
    subprocess.run([command, "render", *arguments, "-o", str(output), "-q"], check=True)
    return pspge.read_picture(output)


CASES: list[tuple[str, dict[str, Any], list[str]]] = [
    ("lampwing.pac", {}, []),
    (
        "lampwing.pac",
        {"view": "left", "yaw": 10, "pitch": -5, "zoom": 1.5},
        ["--view", "left", "--yaw", "10", "--pitch", "-5", "--zoom", "1.5"],
    ),
    ("lampwing.pac", {"size": (700, 600)}, ["--size", "700x600"]),
    ("lampwing.pac", {"background": "ff800080"}, ["--background", "ff800080"]),
    ("lampwing.pac", {"buffer": "depth"}, ["--buffer", "depth"]),
    ("lampwing.pac", {"arithmetic": "single"}, ["--arithmetic", "single"]),
    ("lampwing.pac", {"set": "TEXENABLE=0", "skip": "5-9,20"}, ["--set", "TEXENABLE=0", "--skip", "5-9,20"]),
    ("lampwing.pac", {"solo": range(70, 80)}, ["--solo", "70-79"]),
    ("lampwing.pac", {"wireframe": True}, ["--wireframe"]),
    ("lampwing.pac", {"highlight": 78}, ["--highlight", "78"]),
    ("lampwing.pac", {"overdraw": True}, ["--overdraw"]),
    ("lampwing.ppdmp", {}, []),
    ("lampwing.ppdmp", {"until": "draw:40"}, ["--until", "draw:40"]),
    ("lampwing.ppdmp", {"until": "command:200", "buffer": "color"}, ["--until", "command:200", "--buffer", "color"]),
    ("lampwing.ppdmp", {"size": (960, 544)}, ["--size", "960x544"]),
    ("lampwing.ppdmp", {"buffer": "stencil"}, ["--buffer", "stencil"]),
    ("lampwing.ppdmp", {"buffer": "depth", "skip": 3}, ["--buffer", "depth", "--skip", "3"]),
    ("reedling.arc#0", {"anim": 0, "frame": 2.5}, ["--anim", "0", "--frame", "2.5"]),
    ("swatches.ge", {}, []),
]


@pytest.fixture(scope="module", autouse=True)
def inputs(samples: Path) -> None:
    pspge.open(samples / "lampwing.pac").to_frame_dump().write(samples / "lampwing.ppdmp")
    (samples / "swatches.ge").write_text(
        "FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT BGR5650\n"
        "SCISSOR2 x=479 y=271 | REGION2 x=479 y=271 | BASE hi(corners)\n"
        "VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(corners)\n"
        "PRIM primitive=RECTANGLES count=2 | FINISH | END\n.align 4\n"
        "corners: .rgba #ff8040ff | .s16 8 8 0 | .align 4 | .rgba #2040ffff | .s16 99 77 0 | .align 4\n"
    )


@pytest.mark.parametrize(("name", "options", "arguments"), CASES)
def test_pictures_are_those_of_the_command(
    name: str, options: dict[str, Any], arguments: list[str], command: str, tmp_path: Path
) -> None:
    expected = drawn_by_command(command, tmp_path, name, *arguments)
    found = pspge.open(name).render(**options)
    if expected.shape[2] == 1:
        expected = expected[..., 0]
    elif expected.shape[2] == 3:
        assert (found[..., 3] == 255).all(), "opaque"
        found = found[..., :3]
    assert found.dtype == expected.dtype
    assert np.array_equal(found, expected)


def test_textures_can_be_replaced(command: str, tmp_path: Path) -> None:
    asset = pspge.open("lampwing.ppdmp")
    texture = asset.textures()[0]
    address = texture.facts["addresses"][0]
    other = np.zeros((32, 64, 4), np.uint8)
    other[..., 0] = other[..., 3] = 255
    png = tmp_path / "red.ppm"
    png.write_bytes(b"P6 64 32 255\n" + other[..., :3].tobytes())
    expected = drawn_by_command(command, tmp_path, "lampwing.ppdmp", "--replace-texture", f"{address:#x}={png}@1-9")
    found = asset.render(replace_texture={address: (other[..., :3], "1-9")})
    assert np.array_equal(found[..., :3], expected)
    assert not np.array_equal(found, asset.render())


def test_threads_do_not_change_the_picture() -> None:
    asset = pspge.open("lampwing.ppdmp")
    assert np.array_equal(asset.render(threads=1), asset.render(threads=2))


def test_arrays_own_the_memory_of_the_engine() -> None:
    picture = pspge.open("lampwing.pac").render()
    assert picture.flags.c_contiguous and picture.flags.writeable
    owner = picture
    while isinstance(owner, np.ndarray) and owner.base is not None:
        owner = owner.base
    # The owner is the engine's vector, not memory that NumPy allocated for a copy.
    assert not isinstance(owner, np.ndarray), type(owner)
    picture[:] = 0
    assert pspge.open("lampwing.pac").render().any(), "pictures share nothing"


def test_rasterize_returns_several_buffers() -> None:
    asset = pspge.open("lampwing.pac")
    drawn = asset.rasterize("display", "depth", "stencil", size=(120, 68))
    assert np.array_equal(drawn.color, asset.render(size=(120, 68)))
    assert np.array_equal(drawn.depth, asset.depth(size=(120, 68)))
    assert np.array_equal(drawn.stencil, asset.stencil(size=(120, 68)))
    with pytest.raises(AttributeError, match="not asked for"):
        _ = asset.rasterize("depth").color


@pytest.mark.filterwarnings("ignore:.*no such buffer:pspge.PspgeWarning")
def test_notes_of_a_run_are_warnings() -> None:
    asset = pspge.open(b"RET | FINISH | END", name="list.ge")
    with pytest.warns(pspge.PspgeWarning, match="list.ge: at address 0x08800000: .*empty stack") as caught:
        drawn = asset.rasterize("color")
    assert caught[0].filename == __file__, "the warning names the caller"
    codes = [note["code"] for note in drawn.notes]
    assert "buffer-unset" in codes and drawn.is_unset
    assert not drawn.color[..., :3].any()


def test_limits_cut_a_run_short_with_a_note() -> None:
    asset = pspge.open("lampwing.ppdmp", limits={"draws": 5})
    with pytest.warns(pspge.PspgeWarning, match="draws"):
        drawn = asset.rasterize("display")
    assert "limit" in {note["code"] for note in drawn.notes}
    unlimited = pspge.open("lampwing.ppdmp", limits={"draws": None})
    assert np.array_equal(unlimited.render(), pspge.open("lampwing.ppdmp").render())


def test_frames_of_the_corpus_are_those_of_the_command(corpus: Path, command: str, tmp_path: Path) -> None:
    dumps = sorted((corpus / "frames").glob("*.ppdmp"), key=lambda path: path.stat().st_size)[:4]
    assert dumps, "the corpus has frame dumps"
    for dump in dumps:
        expected = drawn_by_command(command, tmp_path, str(dump))
        assert np.array_equal(pspge.open(dump).render()[..., :3], expected), dump.name


@pytest.mark.filterwarnings("ignore::pspge.PspgeWarning")
def test_pictures_do_not_depend_on_earlier_ones(command: str, tmp_path: Path) -> None:
    """Pictures reuse memory, of the same asset and of others."""
    order = ["lampwing.ppdmp", "lampwing.ppdmp", "lampwing.pac", "rover.rlb", "lampwing.ppdmp", "rover.rlb"]
    assets = {name: pspge.open(name) for name in order}
    expected = {name: drawn_by_command(command, tmp_path, name) for name in assets}
    for name in 2 * order:
        assert np.array_equal(assets[name].render()[..., :3], expected[name]), name
        assets[name].render(set="BLENDENABLE=0")
        assets[name].depth()
