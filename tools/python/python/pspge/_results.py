"""Results with arrays: pictures, geometry, textures, traces, files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from . import _native
from ._options import Document, Note, StrPath


@dataclass(frozen=True)
class Rendering:
    """The pictures of one run: `Asset.rasterize` returns it.

    >>> import pspge
    >>> drawn = pspge.open("lampwing.pac").rasterize("display", "depth")
    >>> drawn.color.shape, drawn.depth.dtype, drawn.notes
    ((272, 480, 4), dtype('uint16'), [])
    """

    buffers: dict[str, npt.NDArray[Any]]
    """The pictures by the names of their buffers. The first index is the row, from the top."""
    notes: list[Note]
    """Everything that was missing, left out or guessed."""
    is_unset: bool
    """Whether the list sets up no such buffer. Its picture is then empty."""

    def _buffer(self, *names: str) -> npt.NDArray[Any]:
        for name in names:
            if name in self.buffers:
                return self.buffers[name]
        raise AttributeError(f"the buffer {names[0]!r} was not asked for")

    @property
    def color(self) -> npt.NDArray[np.uint8]:
        """Red, green, blue and alpha of `display` or `color`: rows, columns, channels."""
        return self._buffer("display", "color")

    @property
    def depth(self) -> npt.NDArray[np.uint16]:
        """Depth as in the depth buffer: rows, columns."""
        return self._buffer("depth")

    @property
    def stencil(self) -> npt.NDArray[np.uint8]:
        """Stencil, which is the alpha channel of the draw buffer: rows, columns."""
        return self._buffer("stencil")


@dataclass(frozen=True)
class GeometryDraw:
    """The decoded primitives of one draw, in world space. Attributes that the vertices lack have no rows.

    >>> import pspge
    >>> draw = pspge.open("lampwing.pac").geometry(only=1)[0]
    >>> draw.primitive, draw.weights.shape, draw.positions[draw.triangles].shape
    ('TRIANGLE_STRIP', (18, 4), (16, 3, 3))
    """

    draw: int
    """Number of the draw in the run, from 0."""
    address: int
    """Address of the PRIM, BEZIER, SPLINE or VAP command."""
    file_offset: int | None
    """Offset of the command in its file, if it came from one."""
    primitive: str
    """The primitive type, such as `TRIANGLE_STRIP`."""
    vertex_type: int
    """The argument of VTYPE."""
    through: bool
    """Whether positions are pixels instead of world coordinates."""
    mesh: int | None
    """Number of the mesh in a model."""
    group: int | None
    """Number of the group in a model."""
    material: int | None
    """Number of the material in a model."""
    texture: int | None
    """Number of the texture in a model."""
    bones: list[int | None]
    """The skeleton's bone of each bone matrix, by id."""
    vertex_indices: npt.NDArray[np.int64]
    """Numbers of the vertices in memory, counted from the draw's vertex pointer; -1 for those of no number."""
    positions: npt.NDArray[np.float32]
    """Positions in world space, or pixels: n×3."""
    normals: npt.NDArray[np.float32]
    """Normals in world space: n×3."""
    uvs: npt.NDArray[np.float32]
    """Texture coordinates after scale and offset, or texels: n×2."""
    colors: npt.NDArray[np.uint8]
    """Red, green, blue, alpha: n×4."""
    weights: npt.NDArray[np.float32]
    """One weight for each bone matrix: n×weights."""
    triangles: npt.NDArray[np.uint32]
    """Triangles as indices into the vertices: n×3."""
    pairs: npt.NDArray[np.uint32]
    """Lines, or opposite corners of rectangles, as indices into the vertices: n×2."""
    points: npt.NDArray[np.uint32]
    """Points, as indices into the vertices."""


@dataclass(frozen=True)
class Geometry(Sequence[GeometryDraw]):
    """The decoded primitives of all draws, in the order of the run.

    >>> import pspge
    >>> geometry = pspge.open("lampwing.pac").geometry()
    >>> sum(len(draw.triangles) for draw in geometry)
    1484
    >>> geometry[0].positions.dtype, geometry[0].primitive
    (dtype('float32'), 'TRIANGLE_STRIP')
    """

    draws: list[GeometryDraw]
    """The draws."""
    notes: list[Note]
    """Everything that was missing, left out or guessed."""

    @overload
    def __getitem__(self, index: int) -> GeometryDraw: ...

    @overload
    def __getitem__(self, index: slice) -> list[GeometryDraw]: ...

    def __getitem__(self, index: int | slice) -> GeometryDraw | list[GeometryDraw]:
        return self.draws[index]

    def __len__(self) -> int:
        return len(self.draws)


@dataclass(frozen=True)
class Texture:
    """A texture with one of its palettes.

    >>> import pspge
    >>> texture = pspge.open("lampwing.pac").textures()[0]
    >>> texture.name, texture.pixels.shape, texture.facts["format"]
    ('lampwing_00', (128, 256, 4), 'CLUT8')
    """

    name: str
    """Name of its picture, as the command would write it, without an extension."""
    facts: Document
    """Hashes, size, format, addresses, palette and draws, as in the document `pspge.texture-index/1`."""
    levels: list[npt.NDArray[np.uint8]]
    """Its levels, the largest first: rows, columns, and red, green, blue and alpha."""

    @property
    def pixels(self) -> npt.NDArray[np.uint8]:
        """The largest level."""
        return self.levels[0]

    @property
    def draws(self) -> list[int]:
        """Numbers of the draws that use it."""
        return list(self.facts["draws"])


@dataclass(frozen=True)
class Textures(Sequence[Texture]):
    """The textures of an asset.

    >>> import pspge
    >>> [texture.name for texture in pspge.open("lampwing.tmh").textures()]
    ['lampwing_00', 'lampwing_01', 'lampwing_02', 'lampwing_03']
    """

    textures: list[Texture]
    """The textures."""
    notes: list[Note]
    """Everything that was missing, left out or guessed."""

    @overload
    def __getitem__(self, index: int) -> Texture: ...

    @overload
    def __getitem__(self, index: slice) -> list[Texture]: ...

    def __getitem__(self, index: int | slice) -> Texture | list[Texture]:
        return self.textures[index]

    def __len__(self) -> int:
        return len(self.textures)


class Table:
    """A table. Programs that take Arrow data take it as it is, without a copy: `pyarrow.table`, `polars.DataFrame`,
    `duckdb` after `pyarrow.table`, and every other user of the Arrow PyCapsule interface.

    >>> import pspge
    >>> table = pspge.open("lampwing.pac").tables("commands")["commands"]
    >>> len(table), [name for name, type, description in table.columns][:3]
    (942, ['frame', 'file_hash', 'member'])
    """

    def __init__(self, name: str, native: _native.Table) -> None:
        self._native = native
        self._name = name

    @property
    def name(self) -> str:
        """The name of the table."""
        return self._name

    @property
    def columns(self) -> list[tuple[str, str, str]]:
        """The columns: name, Arrow type, description."""
        return self._native.columns

    def __len__(self) -> int:
        """Returns the number of rows."""
        return len(self._native)

    def __repr__(self) -> str:
        return f"<pspge.Table {self.name!r}: {len(self)} rows, {len(self.columns)} columns>"

    def __arrow_c_schema__(self) -> object:
        """Returns the schema as a capsule of the Arrow C data interface."""
        return self._native.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Returns the rows as a capsule of the Arrow C stream interface. The requested schema is not used."""
        return self._native.__arrow_c_stream__(requested_schema)


@dataclass(frozen=True)
class Tables(Mapping[str, Table]):
    """Tables by name: `Asset.tables` returns them.

    >>> import pspge
    >>> pspge.open("lampwing.pac").tables("frames", "draws")["draws"]
    <pspge.Table 'draws': 140 rows, 156 columns>
    """

    tables: dict[str, Table]
    """The tables."""
    notes: list[Note]
    """Everything that was missing, left out or guessed."""

    def __getitem__(self, name: str) -> Table:
        return self.tables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.tables)

    def __len__(self) -> int:
        return len(self.tables)


class Trace(Sequence[Document]):
    """The executed commands of a run, and the actions of the CPU between them, in order.

    An item is a document `pspge.command/1` or `pspge.event/1`. It is made when it is asked for.

    >>> import pspge
    >>> trace = pspge.open(b"NOP | FINISH | END").trace()
    >>> [command["name"] for command in trace], trace.end["ending"]
    (['NOP', 'FINISH', 'END'], 'finished')
    >>> print(trace.line(0))
    08800000 +0x000000  00000000  NOP
    """

    def __init__(self, native: _native.Trace) -> None:
        self._native = native

    @overload
    def __getitem__(self, index: int) -> Document: ...

    @overload
    def __getitem__(self, index: slice) -> list[Document]: ...

    def __getitem__(self, index: int | slice) -> Document | list[Document]:
        if isinstance(index, slice):
            return [self._native.item(item) for item in range(*index.indices(len(self)))]
        return self._native.item(self._position(index))

    def __len__(self) -> int:
        return len(self._native)

    def __repr__(self) -> str:
        return f"<pspge.Trace of {len(self)} items>"

    def _position(self, index: int) -> int:
        position = index + len(self) if index < 0 else index
        if not 0 <= position < len(self):
            raise IndexError(f"item {index} of a trace of {len(self)} items")
        return position

    def line(self, index: int) -> str:
        """Returns an item as a line of `pspge trace`."""
        return self._native.line(self._position(index))

    @property
    def end(self) -> Document:
        """The end of the run and its counts: the document `pspge.end/1`."""
        return self._native.end

    @property
    def notes(self) -> list[Note]:
        """Everything that was missing, left out or guessed."""
        return self._native.notes


@dataclass(frozen=True)
class DrawList(Sequence[Document]):
    """The draws of a run: documents `pspge.draw/1`.

    >>> import pspge
    >>> draws = pspge.open("lampwing.pac").draws
    >>> len(draws), draws[78]["pixels"], draws.end["draws"]
    (140, 200, 140)
    """

    draws: list[Document]
    """The documents. `draws[i]["draw"]` is the number of the draw in the run."""
    notes: list[Note]
    """Everything that was missing, left out or guessed."""
    end: Document
    """The end of the run and its counts: the document `pspge.end/1`."""

    @overload
    def __getitem__(self, index: int) -> Document: ...

    @overload
    def __getitem__(self, index: slice) -> list[Document]: ...

    def __getitem__(self, index: int | slice) -> Document | list[Document]:
        return self.draws[index]

    def __len__(self) -> int:
        return len(self.draws)


@dataclass(frozen=True)
class FrameDump:
    """A frame dump that was made: `Asset.to_frame_dump`, `Asset.trim`. `pspge.open` takes it, too.

    >>> import pspge
    >>> dump = pspge.open("lampwing.pac").trim("70-79")
    >>> dump.report["draws"], pspge.open(dump).format
    (10, 'ppdmp')
    """

    data: bytes
    """The bytes of the file."""
    notes: list[Note]
    """Everything that was missing, left out or guessed."""
    name: str = "frame.ppdmp"
    """A name for the file."""
    report: Document = field(default_factory=dict)
    """The document about it, such as `pspge.trim/1`; empty if there is none."""

    def write(self, path: StrPath) -> Path:
        """Writes the file, and returns its path."""
        path = Path(path)
        path.write_bytes(self.data)
        return path
