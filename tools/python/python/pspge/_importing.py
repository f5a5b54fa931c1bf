"""The way back: changed pictures and geometry in the files that hold them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Union

import numpy as np
import numpy.typing as npt

from . import _native
from ._errors import ContentError
from ._notes import warn
from ._opened import OpenedFile
from ._opening import companion
from ._options import Document, Note, Source, StrPath, picture_bytes, read_file

NewPictures = Union[Mapping[str, Union[npt.NDArray[np.uint8], StrPath]], StrPath, Iterable[StrPath]]
"""Pictures by the names of textures: arrays or files. Or files that are named after textures, or folders of them."""


@dataclass(frozen=True)
class WrittenFile:
    """A file with changed textures or geometry: `Asset.import_textures`, `Asset.import_model`.

    >>> import pspge
    >>> asset = pspge.open("lampwing.pac")
    >>> same = asset.import_model(asset.to_glb())
    >>> same.data == asset.data, same.report["changed_bytes"]
    (True, 0)
    """

    data: bytes
    """The bytes of the file."""
    name: str
    """A name for the file: that of the input."""
    report: Document
    """What became of pictures or groups: the document `pspge.texture-import/1` or `pspge.model-import/1`."""
    mesh_data: bytes | None = None
    """The second file, with lists and vertices, of a model in two files."""

    @property
    def notes(self) -> list[Note]:
        """The notes on the input."""
        return list(self.report["notes"])

    def write(self, path: StrPath) -> Path:
        """Writes the file, and returns its path. A second file goes next to it, with the extension `.mesh`."""
        path = Path(path)
        if self.mesh_data is not None:
            path.with_suffix(".mesh").write_bytes(self.mesh_data)
        path.write_bytes(self.data)
        return path


class Importing(OpenedFile):
    """The way back of an opened file: a part of `Asset`."""

    def import_textures(self, pictures: NewPictures, *, dither: bool = False) -> WrittenFile:
        """Returns the file with pictures in place of its textures, as `pspge import-textures` writes it.

        `pictures` has arrays or picture files by the names of textures (`Texture.name`), or is a folder, a file or
        several, named after textures as `pspge textures` does. Sizes stay. What was not changed keeps its bytes.
        `dither` mixes stored colours by dots where a picture has others.

        >>> import pspge
        >>> asset = pspge.open("lampwing.pac")
        >>> picture = asset.textures()[2].pixels.copy()
        >>> picture[:4, :4] = (255, 255, 255, 255)
        >>> changed = asset.import_textures({"lampwing_02": picture})
        >>> [(picture["name"], picture["result"]) for picture in changed.report["pictures"]]
        [('lampwing_02', 'exact')]
        >>> changed.write("changed.pac").name
        'changed.pac'
        """
        native = self._opening.open(self.name, self.data, all_textures=True)
        stem = self._stem()
        given = []
        for name, picture in _by_name(pictures, set(native.texture_names(stem)), self.name).items():
            if isinstance(picture, np.ndarray):
                given.append((name, name, *picture_bytes(picture, name)))
            else:
                given.append((name, str(picture), *_decoded(Path(picture))))
        data = native.import_textures(self._opening.file_name, stem, given, dither)
        # What cannot be read again is an error.
        after = self._opening.open(self.name, data, all_textures=True)
        output = Path(self._opening.file_name).name
        report = native.imported_textures(after, stem, given, output)
        warn(self.name, report["notes"], self.notes)
        return WrittenFile(data, output, report)

    def import_model(
        self, geometry: Source, *, up: Literal["y", "z"] = "y", scale: float = 1.0
    ) -> WrittenFile:
        """Returns the file with the geometry of a binary glTF file (`.glb`), as `pspge import-model` writes it.

        `geometry` is a path or bytes, such as those of `to_glb` after changes in another program. `up` and `scale` are
        those of the export. Models of Monster Hunter (PMO) can be written, also in containers, in ZIP archives, and in
        two files. What the geometry has unchanged keeps its bytes.

        >>> import pspge
        >>> asset = pspge.open("lampwing.pac")
        >>> large = asset.import_model(asset.to_glb(scale=2))
        >>> {group["result"] for group in large.report["groups"]}
        {'vertices'}
        """
        glb = companion(geometry)
        assert glb is not None
        output = Path(self._opening.file_name).name
        data, mesh_data, report = self._native.import_model(
            self._opening.file_name, self._opening.mesh_data(self.info()), glb, up, scale, output
        )
        # What cannot be read again is an error.
        options = self._opening.options
        if mesh_data is not None:
            options = {**options, "mesh_data": ("mesh data", mesh_data)}
        self._opening.open(self.name, data, options)
        return WrittenFile(data, output, report, mesh_data)


def _by_name(
    pictures: NewPictures, names: set[str], input: str
) -> Mapping[str, npt.NDArray[np.uint8] | StrPath]:
    """Returns pictures by the names of textures."""
    if isinstance(pictures, Mapping):
        return pictures
    paths = [pictures] if isinstance(pictures, (str, os.PathLike)) else list(pictures)
    found: dict[str, npt.NDArray[np.uint8] | StrPath] = {}
    for path in map(Path, paths):
        files = [path]
        if path.is_dir():
            entries = sorted(entry for entry in path.iterdir() if entry.suffix.lower() == ".png")
            files = [entry for entry in entries if entry.stem in names]
            if not files:
                raise ContentError("no-texture", f"no picture in it is named after a texture of {input}", str(path))
        for file in files:
            if file.stem in found:
                raise ContentError("same-texture", f"another picture is for the same texture of {input}", str(file))
            found[file.stem] = file
    return found


def _decoded(path: Path) -> tuple[bytes, tuple[int, int]]:
    """Reads a picture file as bytes of red, green, blue and alpha."""
    array = _native.read_picture(str(path), read_file(path))
    if array.dtype == np.uint16:
        array = ((array.astype(np.uint32) + 128) // 257).astype(np.uint8)
    if array.ndim == 2:
        array = array[..., np.newaxis]
    if array.shape[2] < 3:
        # Grey, and alpha if there is one.
        array = np.concatenate([np.repeat(array[..., :1], 3, axis=2), array[..., 1:]], axis=2)
    return picture_bytes(array, str(path))
