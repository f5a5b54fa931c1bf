"""How a file is opened: its companions, and the files around it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from . import _native
from ._options import Document, Files, Folder, Includes, Source, read_file


def companion(source: Source | None) -> tuple[str, bytes] | None:
    """Returns name and content of a companion file."""
    if source is None:
        return None
    if isinstance(source, (bytes, bytearray, memoryview)):
        return "bytes", bytes(source)
    return str(source), read_file(Path(source))


class Opening:
    """How a file was opened, to open it again in another way."""

    def __init__(
        self,
        file_name: str,
        options: dict[str, Any],
        folder: Files | None,
        texture_folder: Folder | None,
        path: Path | None,
    ) -> None:
        self.file_name = file_name
        self.options = options
        self.folder = folder
        self.texture_folder = texture_folder
        self.path = path

    def open(
        self, name: str, data: bytes, options: dict[str, Any] | None = None, all_textures: bool = False
    ) -> _native.Asset:
        """Opens the bytes."""
        includes = None if self.path is None else Includes()
        return _native.Asset.open(
            self.file_name,
            name,
            data,
            self.options if options is None else options,
            self.folder,
            self.texture_folder,
            includes,
            all_textures,
        )

    def mesh_data(self, info: Document) -> tuple[str, bytes] | None:
        """Returns the second file of a model in two files, unless it is in an archive. `info` is the model's."""
        given: tuple[str, bytes] | None = self.options["mesh_data"]
        found = [file["file"] for file in info["companions"] if file["role"] == "mesh-data"]
        if given is not None or self.folder is None or not found:
            return given
        for name in self.folder.names():
            if found[0].endswith(name):
                file = self.folder.read(name)
                if file is not None and file[0] == found[0]:
                    return file
        return None

    def stem(self) -> str:
        """Returns the name of the file without folders and extension."""
        return Path(self.file_name).stem or "bytes"
