"""Options: their types, and the form in which the engine takes them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol, TypedDict, Union

import numpy as np
import numpy.typing as npt

from ._errors import UsageError

Document = dict[str, Any]
"""A document: the JSON that the command prints, as dictionaries and lists. `pspge.schema` describes each kind."""

Note = dict[str, Any]
"""A note: an omission, a guess or an oddity, as in the member `notes` of documents."""

View = Literal["front", "back", "left", "right", "top", "bottom", "three-quarter"]
"""A viewpoint around a model."""

Arithmetic = Literal["hardware", "single"]
"""The arithmetic of transform and rasterizer: that of the PSP, or IEEE single precision, as emulators compute."""

Buffer = Literal["display", "color", "depth", "stencil"]
"""A buffer: the one that the screen shows, the one that draws write to, its depth, or its alpha channel."""

StrPath = Union[str, "os.PathLike[str]"]
"""The path of a file."""

Source = Union[StrPath, bytes, bytearray, memoryview]
"""A file: its path, or its bytes."""

Draws = Union[int, str, range, Iterable[int]]
"""Draws: a number, a range, several numbers, or a text such as `"7,40-57"` or `"12-"`."""

Background = Union[str, Sequence[int]]
"""A colour: `"RRGGBB"` or `"RRGGBBAA"` in hexadecimal, or three or four numbers from 0 to 255."""

Address = Union[int, str]
"""An address. A number below 0x200000 is an offset in VRAM."""

Replacements = Mapping[Address, Union[npt.NDArray[np.uint8], tuple[npt.NDArray[np.uint8], Draws]]]
"""Pictures by the addresses of the textures that they replace, each alone or with the draws."""

Limits = Mapping[str, Union[int, None]]
"""Limits on work and memory by name, such as `{"pixels": 50_000_000}`. `None` removes a limit."""


class RunOptions(TypedDict, total=False):
    """The options that decide how a list runs. They have the names of the command's options."""

    arithmetic: Arithmetic
    """Arithmetic of transform and rasterizer."""
    threads: int
    """Threads that draw; the result does not depend on it."""
    view: View
    """Side from which to look at a model."""
    yaw: float
    """Angle that turns the camera around a model, in degrees, added to `view`."""
    pitch: float
    """Angle that raises the camera, in degrees, added to `view`."""
    zoom: float
    """Magnification; 1 shows the whole model."""
    anim: str | int
    """Animation that poses a model, by name or number."""
    frame: float
    """Frame of `anim`, counted from 0; may be fractional."""
    set: str | Sequence[str]
    """Registers, fields or matrices with other values during draws: `"ZTEST=ALWAYS@600-603"`."""
    skip: Draws
    """Draws to leave out; in a text also events: `"event:9"`."""
    solo: Draws
    """Draws of which all others are left out."""
    wireframe: bool | Draws
    """Draws of which only the edges of triangles are drawn; `True` for all."""
    cache: str
    """`"off"` samples memory instead of the texture cache, as emulators do; `"off@DRAWS"` for some draws."""
    replace_texture: Replacements
    """Pictures that are sampled instead of the textures at addresses."""


class Moment(TypedDict, total=False):
    """A moment of a run: the end, unless `at` or `event` is given."""

    at: int | None
    """Draw before which it is."""
    event: int | None
    """Event before which it is."""
    after: bool
    """Whether it is after the draw or event instead."""


class MemoryPictureOptions(Moment, total=False):
    """How and when memory is shown as a picture."""

    stride: int | None
    """Pixels from one row to the next; unless given, that of the colour buffer at the address."""
    pixel_format: str | None
    """Format of the pixels; unless given, that of the colour buffer at the address."""
    swizzle: bool
    """Whether pixels are stored in blocks of 16 bytes by 8 rows."""
    alpha: bool
    """Whether the alpha of pixels is kept."""


RUN_OPTIONS = frozenset(RunOptions.__annotations__)


class Files(Protocol):
    """A folder with files next to an input, for the companions that are not given."""

    @property
    def folder(self) -> str:
        """The name of the folder, for messages."""

    def names(self) -> list[str]:
        """Returns the names of all files."""

    def read(self, name: str) -> tuple[str, bytes] | None:
        """Returns the name with folders and the content of a file; `None` if there is none."""


LARGEST = 256 << 20
"""Largest input file in bytes: far more than the machine's memory."""


def read_file(path: Path) -> bytes:
    """Returns the content of a file, which must not be larger than any file for the machine."""
    with path.open("rb") as file:
        data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise UsageError("too-large", f"larger than {LARGEST >> 20} MiB", str(path))
    return data


class Folder:
    """The files of a folder on the disk."""

    def __init__(self, path: Path, without: Path | None = None) -> None:
        self._path = path
        self._without = without

    @property
    def folder(self) -> str:
        """The path of the folder."""
        # The command names files in the current folder without it.
        return "" if self._path == Path() else str(self._path)

    def names(self) -> list[str]:
        """Returns the names of all files but the input itself."""
        files = (entry for entry in self._path.iterdir() if entry.is_file())
        return sorted(entry.name for entry in files if entry != self._without)

    def read(self, name: str) -> tuple[str, bytes] | None:
        """Returns the path and the content of a file; `None` if there is none."""
        path = self._path / name
        return (str(path), read_file(path)) if path.is_file() else None


class MemoryFiles:
    """Files by name, instead of a folder on the disk."""

    folder = ""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = {name: bytes(data) for name, data in files.items()}

    def names(self) -> list[str]:
        """Returns the names of all files."""
        return sorted(self._files)

    def read(self, name: str) -> tuple[str, bytes] | None:
        """Returns a file; `None` if there is none."""
        data = self._files.get(name)
        return None if data is None else (name, data)


class Includes:
    """Reads the files that assembly text includes: from the folder of the including text, and then from others."""

    def __init__(self, folders: Sequence[StrPath] = ()) -> None:
        self._folders = [Path(folder) for folder in folders]

    def __call__(self, path: str, including: str) -> tuple[str, bytes] | None:
        """Returns the path and the content of a file; `None` if there is none."""
        for folder in [Path(including).parent, *self._folders]:
            file = folder / path
            if file.exists():
                return str(file), read_file(file)
        return None


def draws_text(draws: Draws | None) -> str | None:
    """Returns draws as the engine parses them.

    >>> draws_text(7), draws_text("3,8-"), draws_text(range(40, 58)), draws_text([3, 1])
    ('7', '3,8-', '40-57', '3,1')
    """
    if draws is None or isinstance(draws, str):
        return draws
    if isinstance(draws, (int, np.integer)):
        return str(int(draws))
    if isinstance(draws, range) and draws.step == 1 and len(draws) > 0:
        return f"{draws.start}-{draws.stop - 1}"
    return ",".join(str(int(draw)) for draw in draws)


def address_text(address: Address) -> str:
    """Returns an address as the engine parses it.

    >>> address_text(0x8812600), address_text("0x44000")
    ('0x8812600', '0x44000')
    """
    return address if isinstance(address, str) else f"{int(address):#x}"


def color(background: Background) -> tuple[int, int, int, int]:
    """Returns a colour as red, green, blue and alpha.

    >>> color("ff8000"), color("#00000000"), color([1, 2, 3])
    ((255, 128, 0, 255), (0, 0, 0, 0), (1, 2, 3, 255))
    """
    if isinstance(background, str):
        digits = background.removeprefix("#")
        try:
            numbers = list(bytes.fromhex(digits))
        except ValueError:
            numbers = []
        if len(digits) != 2 * len(numbers):
            numbers = []
    else:
        numbers = [int(number) for number in background]
    if len(numbers) not in (3, 4) or not all(0 <= number <= 255 for number in numbers):
        problem = f"background={background!r}: expected RRGGBB or RRGGBBAA in hexadecimal, or 3 or 4 numbers"
        raise UsageError("usage", problem)
    red, green, blue, *alpha = numbers
    return red, green, blue, alpha[0] if alpha else 255


def limits_list(limits: Limits | None) -> list[tuple[str, int | None]]:
    """Returns limits as the engine takes them."""
    return list((limits or {}).items())


def picture_bytes(picture: npt.NDArray[np.uint8], name: str) -> tuple[bytes, tuple[int, int]]:
    """Returns a picture of 8-bit colours as bytes of red, green, blue and alpha, with its width and height."""
    array = np.asarray(picture)
    if array.dtype != np.uint8 or array.ndim != 3 or array.shape[2] not in (3, 4):
        raise UsageError("usage", f"{name}: expected an array of uint8 with 3 or 4 channels")
    if array.shape[2] == 3:
        alpha = np.full((*array.shape[:2], 1), 255, np.uint8)
        array = np.concatenate([array, alpha], axis=2)
    return np.ascontiguousarray(array).tobytes(), (array.shape[1], array.shape[0])


def run_options(options: RunOptions) -> dict[str, Any]:
    """Returns options of a run as the engine takes them: all of them, in their simplest form."""
    unknown = sorted(set(options) - RUN_OPTIONS)
    if unknown:
        raise TypeError(f"unexpected option {unknown[0]!r}; the options of a run are {', '.join(sorted(RUN_OPTIONS))}")
    settings = options.get("set", ())
    wireframe = options.get("wireframe")
    if isinstance(wireframe, bool):
        wireframe = "0-" if wireframe else None
    anim = options.get("anim")
    replacements = []
    for address, value in (options.get("replace_texture") or {}).items():
        picture, draws = value if isinstance(value, tuple) else (value, None)
        data, size = picture_bytes(picture, "replace_texture")
        replacements.append((address_text(address), data, size, draws_text(draws)))
    return {
        "arithmetic": options.get("arithmetic"),
        "threads": options.get("threads", 1),
        "view": options.get("view"),
        "yaw": options.get("yaw"),
        "pitch": options.get("pitch"),
        "zoom": options.get("zoom"),
        "anim": None if anim is None else str(anim),
        "frame": options.get("frame"),
        "set": [settings] if isinstance(settings, str) else list(settings),
        "skip": draws_text(options.get("skip")),
        "solo": draws_text(options.get("solo")),
        "wireframe": draws_text(wireframe),
        "cache": options.get("cache"),
        "replace_texture": replacements,
    }
