"""Functions that need no asset: assembly, comparison, schemas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Union

import numpy as np
import numpy.typing as npt

from . import _native
from ._asset import Asset, open
from ._errors import UsageError
from ._opening import Opening
from ._options import Document, Includes, Limits, Source, StrPath, limits_list, read_file

Picture = Union[npt.NDArray[Any], Asset, Source]
"""A picture: an array, the path or the bytes of a picture file, or an asset, which is drawn."""


class Assembly:
    """An assembled text: `pspge.assemble` returns it.

    >>> import pspge
    >>> assembly = pspge.assemble("start: NOP | FINISH | END")
    >>> assembly.info()["labels"]
    [{'name': 'start', 'address': 142606336}]
    """

    def __init__(self, native: _native.Assembly, name: str) -> None:
        self._native = native
        self._name = name

    def info(self) -> Document:
        """Returns segments, labels, constants and included files: the document `pspge.assembly/1`."""
        return self._native.info()

    @property
    def image(self) -> bytes:
        """The bytes from the lowest address to the highest, with zeros in the gaps."""
        return self._native.image()

    @property
    def listing(self) -> str:
        """Source lines with their addresses and bytes."""
        return self._native.listing()

    def open(self, *, limits: Limits | None = None) -> Asset:
        """Returns the program as an asset.

        >>> import pspge
        >>> pspge.assemble("FRAMEBUFWIDTH width=512 | FINISH | END").open().render().shape
        (272, 480, 4)
        """
        options: dict[str, Any] = {
            "member": None,
            "format": "ge",
            "textures": None,
            "skeleton": None,
            "mesh_data": None,
            "animations": None,
            "lod": None,
            "group": None,
            "hidden": False,
            "parse_option": [],
            "limits": limits_list(limits),
        }
        return Asset(self._native.asset(options), Opening(self._name, options, None, None, None))


def assemble(
    text: str,
    *,
    name: str = "list.ge",
    define: Mapping[str, int] | None = None,
    include: Sequence[StrPath] = (),
) -> Assembly:
    """Assembles a display list.

    `name` is that of the text in errors; files that it includes are read from its folder, and then from those of
    `include`. `define` has constants by name.

    Raises `AssemblyError` with all mistakes of the text.

    >>> import pspge
    >>> pspge.assemble("FOGENABLE ON | FINISH | END", define={"ON": 1}).image.hex(" ", 4)
    '0100001f 0000000f 0000000c'
    """
    constants = list((define or {}).items())
    return Assembly(_native.assemble(text, name, constants, Includes(include)), name)


def read_picture(source: Source) -> npt.NDArray[Any]:
    """Reads a picture file: PNG, BMP, JPEG, PNM, QOI, TGA, WebP. Returns rows, columns and channels of 8 or 16 bits.

    >>> import pspge
    >>> pspge.read_picture("lampwing-in-blender.png").shape
    (272, 480, 4)
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        return _native.read_picture("bytes", bytes(source))
    return _native.read_picture(str(source), read_file(Path(source)))


def compare(
    a: Picture,
    b: Picture,
    *,
    tolerance: int | str | None = None,
    max_mse: float | None = None,
    min_psnr: float | None = None,
    min_ssim: float | None = None,
    max_pixels: int | str | None = None,
    ignore_alpha: bool = False,
    region: str | Sequence[str] = (),
    mask: npt.NDArray[Any] | None = None,
    offset: tuple[int, int] | None = None,
) -> Document:
    """Compares two pictures: the document `pspge.difference/1`.

    A picture is an array of `uint8` or `uint16` with 1 to 4 channels, a picture file, or an asset, which is drawn.
    `tolerance` is the largest difference of a channel that counts as equal, `N` or `"R,G,B"`; `region` is
    `"X,Y,WxH"`.

    >>> import pspge
    >>> asset = pspge.open("lampwing.pac")
    >>> difference = pspge.compare(asset, asset.render(skip=78))
    >>> difference["differing_pixels"] > 0, difference["equal"]
    (True, False)
    """
    names = (_picture_name(a, "a"), _picture_name(b, "b"))
    options = {
        "tolerance": None if tolerance is None else str(tolerance),
        "max_mse": max_mse,
        "min_psnr": min_psnr,
        "min_ssim": min_ssim,
        "max_pixels": None if max_pixels is None else str(max_pixels),
        "ignore_alpha": ignore_alpha,
        "region": [region] if isinstance(region, str) else list(region),
        "mask": None if mask is None else _samples(mask),
        "offset": offset,
    }
    return _native.compare(names, (_samples(_array(a)), _samples(_array(b))), options)


def _picture_name(picture: Picture, default: str) -> str:
    if isinstance(picture, Asset):
        return picture.name
    if isinstance(picture, (np.ndarray, bytes, bytearray, memoryview)):
        return default
    return str(picture)


def _array(picture: Picture) -> npt.NDArray[Any]:
    if isinstance(picture, Asset):
        return picture.render()
    return picture if isinstance(picture, np.ndarray) else read_picture(picture)


def _samples(array: npt.NDArray[Any]) -> tuple[bytes, int, int, int, int]:
    """Returns samples as 16-bit numbers in little-endian order, width, height, channels and bits of a picture."""
    if array.dtype not in (np.uint8, np.uint16) or array.ndim not in (2, 3):
        raise UsageError("usage", f"expected a picture of uint8 or uint16, not {array.dtype} of shape {array.shape}")
    height, width = array.shape[:2]
    channels = array.shape[2] if array.ndim == 3 else 1
    return array.astype("<u2").tobytes(), width, height, channels, array.dtype.itemsize * 8


def diff(a: Asset | Source, b: Asset | Source) -> Document:
    """Finds the first event at which two runs differ: the document `pspge.diff/1`. `Asset.diff` takes options.

    >>> import pspge
    >>> pspge.diff("lampwing.pac", "lampwing.pac")["text"]
    'the runs do not differ: each event leaves the same bytes'
    """
    first, second = (side if isinstance(side, Asset) else open(side) for side in (a, b))
    return first.diff(second)


def formats() -> list[str]:
    """Returns the names that the option `format` takes.

    >>> import pspge
    >>> "ppdmp" in pspge.formats()
    True
    """
    return _native.formats()


def schemas() -> list[str]:
    """Returns the names of all kinds of documents.

    >>> import pspge
    >>> "info" in pspge.schemas()
    True
    """
    return [name for name, _, _ in _native.schemas()]


def schema(name: str) -> Document:
    """Returns the JSON Schema of a kind of document, such as `info` or `pspge.info/1`.

    >>> import pspge
    >>> pspge.schema("pspge.draw/1")["title"]
    'A draw of a run'
    """
    found = _native.schema(name)
    if found is None:
        raise UsageError("usage", f"no document is called {name!r}; the kinds are {', '.join(schemas())}")
    return found
