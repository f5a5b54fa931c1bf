"""The facts about an opened file."""

from __future__ import annotations

from . import _native
from ._opening import Opening
from ._options import Document, Note


class OpenedFile:
    """The facts about an opened file: the first part of `Asset`."""

    def __init__(self, native: _native.Asset, opening: Opening) -> None:
        self._native = native
        self._opening = opening

    def __repr__(self) -> str:
        return f"<pspge.Asset {self.name!r}: {self.format}>"

    @property
    def name(self) -> str:
        """The name in documents and errors: `FILE` or `FILE#MEMBER`."""
        return self._native.name

    @property
    def format(self) -> str:
        """The name of the format, such as `pac`; `ge` for assembly text, `list` for the words of a list."""
        return self._native.format

    @property
    def data(self) -> bytes:
        """The bytes of the file."""
        return self._native.data

    @property
    def is_drawable(self) -> bool:
        """Whether the content can be drawn: a model, a frame dump or a list."""
        return self._native.drawable

    @property
    def is_model(self) -> bool:
        """Whether the content is a model."""
        return self._native.is_model

    @property
    def notes(self) -> list[Note]:
        """The notes on the file: guesses, damage that was skipped, missing companions."""
        return self._native.notes

    def info(self) -> Document:
        """Returns the contents of the file: the document `pspge.info/1`.

        >>> import pspge
        >>> info = pspge.open("lampwing.pac").info()
        >>> info["draws"], info["triangles"], [texture["width"] for texture in info["texture_list"]]
        (139, 1484, [256, 128, 32, 32])
        """
        return self._native.info()

    @property
    def members(self) -> list[Document]:
        """The members of a container, as in the document `pspge.info/1`; empty for other files.

        >>> import pspge
        >>> [member["format"] for member in pspge.open("lampwing.pac").members]
        ['pmo', 'ahi', 'tmh', 'mh-anim']
        """
        return list(self.info()["members"])

    @property
    def drawable_members(self) -> list[str]:
        """The paths of the members that can be drawn, also in containers in the file. `member` takes them.

        >>> import pspge
        >>> pspge.open("reedling.arc").drawable_members
        ['0']
        """
        return self._native.drawable_members(self._opening.file_name, self._opening.options["member"])

    def _stem(self) -> str:
        """Returns the name of the file without folders and extension."""
        return self._opening.stem()
