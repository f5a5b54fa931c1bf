"""The Graphics Engine of the PSP, bit for bit, for Python.

`pspge.open` opens a model, a frame dump, a texture file, a list, or assembly text; see `Asset` for everything that
can be done with it. Pictures and geometry are NumPy arrays that own the engine's memory. Everything else is a
document: the JSON of the command `pspge`, as dictionaries and lists, which `pspge.schema` describes.

>>> import pspge
>>> asset = pspge.open("lampwing.pac")
>>> picture = asset.render(view="front")
>>> picture.shape
(272, 480, 4)
>>> asset.pixel(240, 136)["entries"][-1]["draw"]
78
"""

from ._asset import Asset, open
from ._errors import (
    AssemblyError,
    ContentError,
    Error,
    FormatError,
    LimitError,
    PspgeWarning,
    UsageError,
)
from ._functions import Assembly, assemble, compare, diff, formats, read_picture, schema, schemas
from ._importing import WrittenFile
from ._native import version as _version
from ._options import MemoryPictureOptions, Moment, RunOptions
from ._results import (
    DrawList,
    FrameDump,
    Geometry,
    GeometryDraw,
    Rendering,
    Table,
    Tables,
    Texture,
    Textures,
    Trace,
)
from ._run import Run

__version__: str = _version()

__all__ = [
    "Assembly",
    "AssemblyError",
    "Asset",
    "ContentError",
    "DrawList",
    "Error",
    "FormatError",
    "FrameDump",
    "Geometry",
    "GeometryDraw",
    "LimitError",
    "MemoryPictureOptions",
    "Moment",
    "PspgeWarning",
    "Rendering",
    "Run",
    "RunOptions",
    "Table",
    "Tables",
    "Texture",
    "Textures",
    "Trace",
    "UsageError",
    "WrittenFile",
    "assemble",
    "compare",
    "diff",
    "formats",
    "open",
    "read_picture",
    "schema",
    "schemas",
]
