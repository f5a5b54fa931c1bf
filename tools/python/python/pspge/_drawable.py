"""Pictures of an opened file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
import numpy.typing as npt

from ._notes import warn
from ._opened import OpenedFile
from ._options import Background, Buffer, RunOptions, color, run_options
from ._results import Rendering

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Drawable(OpenedFile):
    """Pictures of an opened file: the second part of `Asset`."""

    def rasterize(
        self,
        *buffers: Buffer,
        size: tuple[int, int] | None = None,
        background: Background | None = None,
        until: str | None = None,
        **options: Unpack[RunOptions],
    ) -> Rendering:
        """Draws the content once and returns several buffers: `display` and `depth` unless others are named.

        Arguments are those of `render`. A frame has no depth buffer of every size; then name only `display`.

        >>> import pspge
        >>> drawn = pspge.open("lampwing.pac").rasterize("display", "depth", size=(64, 64))
        >>> drawn.color.shape, int(drawn.depth.max())
        ((64, 64, 4), 50878)
        """
        return self._rasterize(buffers or ("display", "depth"), size, background, until, None, False, options)

    def _rasterize(
        self,
        buffers: Sequence[str],
        size: tuple[int, int] | None,
        background: Background | None,
        until: str | None,
        highlight: int | None,
        overdraw: bool,
        options: RunOptions,
    ) -> Rendering:
        picture_options = {
            "size": size,
            "background": None if background is None else color(background),
            "until": until,
            "highlight": highlight,
            "overdraw": overdraw,
        }
        arrays, notes, is_unset = self._native.render(run_options(options), picture_options, list(buffers))
        warn(self.name, notes, self.notes)
        return Rendering(dict(zip(buffers, arrays)), notes, is_unset)

    @overload
    def render(
        self,
        *,
        size: tuple[int, int] | None = None,
        background: Background | None = None,
        until: str | None = None,
        buffer: Literal["depth"],
        highlight: int | None = None,
        overdraw: bool = False,
        **options: Unpack[RunOptions],
    ) -> npt.NDArray[np.uint16]: ...

    @overload
    def render(
        self,
        *,
        size: tuple[int, int] | None = None,
        background: Background | None = None,
        until: str | None = None,
        buffer: Literal["display", "color", "stencil"] = "display",
        highlight: int | None = None,
        overdraw: bool = False,
        **options: Unpack[RunOptions],
    ) -> npt.NDArray[np.uint8]: ...

    def render(
        self,
        *,
        size: tuple[int, int] | None = None,
        background: Background | None = None,
        until: str | None = None,
        buffer: Buffer = "display",
        highlight: int | None = None,
        overdraw: bool = False,
        **options: Unpack[RunOptions],
    ) -> npt.NDArray[Any]:
        """Draws the content and returns a buffer as an array, which owns the engine's memory.

        Colours have the shape (height, width, 4), depth is `uint16` and stencil `uint8` of shape (height, width).
        `size` is width and height, 480 and 272 unless given: of a model any size up to 4096, of a frame or list the
        screen at two, four or eight times its size, or the upper left part of the buffer. `background` is the colour
        behind a model, `303840` unless given. `until` stops a list after `"draw:N"` or `"command:N"`. `highlight`
        shows the pixels of one draw in the frame, coloured by their fate, and `overdraw` how many fragments each
        pixel got.

        The bytes are those of `pspge render`. Notes on the run are warnings; `rasterize` returns them, too.

        Raises `UsageError` if an option cannot apply, and `ContentError` if the content cannot be drawn.

        >>> import pspge
        >>> asset = pspge.open("lampwing.pac")
        >>> picture = asset.render(view="front", size=(128, 128), background="000000")
        >>> picture.shape, picture.dtype, int(picture[..., 3].min())
        ((128, 128, 4), dtype('uint8'), 255)
        >>> without_blending = asset.render(set="BLENDENABLE=0")
        >>> until_draw_10 = pspge.open(asset.to_frame_dump()).render(until="draw:10")
        """
        drawn = self._rasterize((buffer,), size, background, until, highlight, overdraw, options)
        return drawn.buffers[buffer]

    def depth(
        self,
        *,
        size: tuple[int, int] | None = None,
        until: str | None = None,
        **options: Unpack[RunOptions],
    ) -> npt.NDArray[np.uint16]:
        """Draws the content and returns the depth buffer.

        >>> import pspge
        >>> depth = pspge.open("lampwing.pac").depth()
        >>> depth.shape, depth.dtype
        ((272, 480), dtype('uint16'))
        """
        return self.render(size=size, until=until, buffer="depth", **options)

    def stencil(
        self,
        *,
        size: tuple[int, int] | None = None,
        until: str | None = None,
        **options: Unpack[RunOptions],
    ) -> npt.NDArray[np.uint8]:
        """Draws the content and returns the stencil, which is the alpha channel of the draw buffer.

        >>> import pspge
        >>> pspge.open("lampwing.pac").stencil().shape
        (272, 480)
        """
        return self.render(size=size, until=until, buffer="stencil", **options)
