"""Errors: typed, with code, file and offset; bytes of any kind lead to nothing else."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pspge


def test_damaged_files() -> None:
    data = Path("lampwing.pmo").read_bytes()
    with pytest.raises(pspge.FormatError) as caught:
        pspge.open(data[:200], name="cut.pmo")
    error = caught.value
    assert (error.file, error.code) == ("cut.pmo", "damaged") and error.offset is not None
    assert str(error) == f"cut.pmo: at {error.offset:#x}: {error.message}"
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.code, again.offset) == (str(error), error.code, error.offset)


def test_errors_of_companions_name_their_file() -> None:
    with pytest.raises(pspge.FormatError) as caught:
        pspge.open("lampwing.pmo", textures=b"nothing like it")
    assert caught.value.file == "bytes"


@pytest.mark.parametrize(("question", "file"), [("names", "rover-colors.msh"), ("read", "lampwing.pmo")])
def test_interrupts_while_companions_are_read_pass_through(question: str, file: str) -> None:
    class Interrupted:
        """A folder in which the user presses Ctrl-C while the engine asks for this."""

        def answer(self, name: str, value: Any) -> Any:
            if name == question:
                raise KeyboardInterrupt
            return value

        @property
        def folder(self) -> str:
            return "models"

        def names(self) -> list[str]:
            return list(self.answer("names", ["lampwing.tmh"]))

        def read(self, name: str) -> tuple[str, bytes] | None:
            found: tuple[str, bytes] | None = self.answer("read", None)
            return found

    with pytest.raises(KeyboardInterrupt):
        pspge.open(Path(file).read_bytes(), name=file, files=Interrupted())


def test_all_mistakes_of_a_text_are_in_the_error() -> None:
    with pytest.raises(pspge.AssemblyError) as caught:
        pspge.open(b"PRIN | FINISH\nJUMP nowhere\nEND", format="ge", name="a.ge")
    error = caught.value
    assert (error.line, error.column, error.file) == (1, 1, "a.ge")
    assert [other["line"] for other in error.others] == [2]
    with pytest.raises(pspge.FormatError) as caught_bytes:
        pspge.open(b"NOP | FINISH | END ; \xff", format="ge", name="a.ge")
    assert caught_bytes.value.code == "not-text" and caught_bytes.value.offset == 21


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"format": "xyz"}, "no such format"),
        ({"lod": 9}, "lod=9 cannot apply: the model has only level of detail 0"),
        ({"group": 9}, "group=9 cannot apply"),
        ({"hidden": True}, "hidden cannot apply"),
        ({"limits": {"pixel": 5}}, "unknown limit"),
    ],
)
def test_options_that_cannot_apply_to_a_file(options: dict[str, Any], message: str) -> None:
    with pytest.raises(pspge.UsageError, match=message) as caught:
        pspge.open("lampwing.pac", **options)
    assert caught.value.file == "lampwing.pac"
    assert isinstance(caught.value, ValueError)


def test_companions_that_cannot_apply() -> None:
    with pytest.raises(pspge.UsageError, match="mesh_data cannot apply: a file of textures takes no such file"):
        pspge.open("lampwing.tmh", mesh_data=b"x")
    with pytest.raises(pspge.UsageError, match="skeleton cannot apply: a file of textures takes no such file"):
        pspge.open("lampwing.tmh", skeleton=b"x")
    with pytest.raises(pspge.UsageError, match="lod cannot apply: a file of textures is not a model"):
        pspge.open("lampwing.tmh", lod=1)
    with pytest.raises(pspge.UsageError, match="textures cannot apply: the file is a display list"):
        pspge.open(b"FINISH | END", textures="lampwing.tmh")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"view": "above"}, "view=.*use one of front"),
        ({"zoom": 0}, "zoom=0: expected a number above 0"),
        ({"yaw": float("nan")}, "yaw=NaN"),
        ({"size": (0, 5)}, "each side must be 1 to 4096"),
        ({"anim": "walk"}, "the model has 4 animations"),
        ({"frame": 1.0}, "frame needs anim"),
        ({"until": "draw:3"}, "a model is drawn as a whole"),
        ({"buffer": "colour"}, "use one of"),
        ({"set": "ZTST=ALWAYS"}, "ZTEST"),
        ({"skip": "event:999"}, "skip=.event:999. cannot apply: event 999 is beyond the end"),
        ({"background": "red"}, "background"),
        ({"highlight": 9999}, "no draw 9999"),
        ({"arithmetic": "double"}, "hardware"),
        ({"replace_texture": {"0x1x": None}}, "expected an array"),
    ],
)
def test_options_that_cannot_apply_to_a_picture(options: dict[str, Any], message: str) -> None:
    asset = pspge.open("lampwing.pac")
    with pytest.raises(pspge.UsageError, match=message):
        asset.render(**options)


def test_wrong_names_and_types_are_type_errors() -> None:
    asset = pspge.open("lampwing.pac")
    with pytest.raises(TypeError, match="unexpected option 'veiw'"):
        asset.render(veiw="front")  # type: ignore[call-overload]
    with pytest.raises((TypeError, ValueError)):
        asset.render(size="large")  # type: ignore[call-overload]
    with pytest.raises((TypeError, OverflowError)):
        asset.render(threads=-1)


def test_moments_that_do_not_exist() -> None:
    asset = pspge.open("lampwing.pac")
    with pytest.raises(pspge.UsageError, match="the run has 140 draws, 0 to 139, but not 140"):
        asset.state(140)
    with pytest.raises(pspge.UsageError, match="event 140 is beyond the end"):
        asset.state(event=140)
    with pytest.raises(pspge.UsageError, match="only one of them"):
        asset.state(1, event=1)
    with pytest.raises(pspge.UsageError, match="but not 500"):
        asset.trim("500")
    with pytest.raises(pspge.UsageError, match="one range"):
        asset.trim("1,5")
    with pytest.raises(pspge.UsageError, match="pixel"):
        asset.pixel(5000, 5000)
    with pytest.raises(pspge.UsageError, match="address"):
        asset.memory("here")
    with pytest.raises(pspge.UsageError, match="length"):
        asset.memory(0, 0)
    with pytest.raises(pspge.UsageError, match="extension"):
        asset.export("out.fbx")
    with pytest.raises(pspge.UsageError, match='merge="mesh": use "none", "material" or "object"'):
        asset.to_glb(merge="mesh")  # type: ignore[arg-type]
    with pytest.raises(pspge.UsageError, match='space="clip": use "world", "view" or "screen"'):
        pspge.open("lampwing.ppdmp").to_glb(space="clip")  # type: ignore[arg-type]


def test_content_that_cannot_be_drawn() -> None:
    asset = pspge.open("lampwing.tmh")
    attempts: list[Callable[[], object]] = [
        asset.render,
        asset.trace,
        asset.geometry,
        asset.passes,
        asset.run,
        asset.to_glb,
    ]
    for attempt in attempts:
        with pytest.raises(pspge.ContentError, match="holds no display list") as caught:
            attempt()
        assert caught.value.file == "lampwing.tmh"


def test_files_that_cannot_be_read() -> None:
    with pytest.raises(FileNotFoundError):
        pspge.open("missing.pac")
    with pytest.raises(FileNotFoundError):
        pspge.open("lampwing.pmo", textures="missing.tmh")
    with pytest.raises(IsADirectoryError):
        pspge.open(".")


@pytest.mark.filterwarnings("ignore::pspge.PspgeWarning")
def test_damaged_bytes_lead_to_errors_of_this_package() -> None:
    numbers = random.Random(7)
    limits = {"commands": 20_000, "pixels": 500_000, "vertices": 100_000, "decoded-bytes": 4_000_000}
    outcomes: dict[str, int] = {}
    for name in ["lampwing.pac", "robot.bin", "reedling.arc", "rover-24.msh", "swatches.tm2", "orchard.pmdl"]:
        whole = bytearray(Path(name).read_bytes())
        for _ in range(12):
            cut = numbers.choice([len(whole), numbers.randrange(1, len(whole))])
            data = bytearray(whole[:cut])
            for _ in range(numbers.choice([1, 3, 40])):
                data[numbers.randrange(len(data))] = numbers.randrange(256)
            try:
                asset = pspge.open(bytes(data), name=name, limits=limits)
                asset.info()
                asset.render(size=(64, 64))
                outcome = "drawn"
            except pspge.Error as error:
                outcome = type(error).__name__
                assert error.code and error.message and error.file
            outcomes[outcome] = outcomes.get(outcome, 0) + 1
    assert outcomes.get("drawn", 0) > 0 and outcomes.get("FormatError", 0) > 0, outcomes
