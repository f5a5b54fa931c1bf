"""A recorded run."""

from __future__ import annotations

import warnings
from typing import Any

import numpy.typing as npt

from . import _native
from ._errors import PspgeWarning, UsageError
from ._notes import warn
from ._opened import OpenedFile
from ._options import Address, Document, Draws, Note, address_text, draws_text
from ._results import FrameDump


class Run:
    """A recorded run, which answers questions about any of its events: `Asset.run` returns it.

    >>> import pspge
    >>> run = pspge.open("lampwing.pac").run(set="ZTEST=ALWAYS")
    >>> run
    <pspge.Run of 'lampwing.pac': 140 draws, 140 events>
    """

    def __init__(self, native: _native.Run, opened: OpenedFile) -> None:
        self._native = native
        self._opened = opened

    def __repr__(self) -> str:
        draws, events = self._native.draw_count, self._native.event_count
        return f"<pspge.Run of {self._opened.name!r}: {draws} draws, {events} events>"

    def __len__(self) -> int:
        """Returns the number of events."""
        return self._native.event_count

    @property
    def notes(self) -> list[Note]:
        """The notes on the file and the run."""
        return self._native.notes

    def events(self) -> Document:
        """Returns all events: the document `pspge.timeline/1`."""
        return self._native.events()

    def state(self, draw: int | None = None, *, event: int | None = None, after: bool = False) -> Document:
        """Returns the state before a draw or another event, or at the end; see `Asset.state`."""
        return self._native.state(draw, event, after)

    def draw(self, draw: int | None = None, *, event: int | None = None) -> Document:
        """Explains one draw; see `Asset.draw`."""
        if draw is None and event is None:
            raise TypeError("draw() needs the number of a draw or of an event")
        return self._native.draw(draw, event)

    def memory(
        self,
        address: Address,
        length: int = 256,
        *,
        at: int | None = None,
        event: int | None = None,
        after: bool = False,
    ) -> bytes:
        """Returns bytes of memory at one moment; see `Asset.memory`."""
        if not 1 <= length <= 0x1000_0000:
            raise UsageError("usage", f"length={length}: expected a number from 1 to {0x1000_0000}")
        data, missing = self._native.memory(address_text(address), length, at, event, after)
        if missing:
            text = f"{self._opened.name}: {missing} of {length} bytes from {address_text(address)} on have no memory"
            warnings.warn(PspgeWarning(text), stacklevel=2)
        return data

    def memory_picture(
        self,
        address: Address,
        size: tuple[int, int] = (480, 272),
        *,
        stride: int | None = None,
        pixel_format: str | None = None,
        swizzle: bool = False,
        alpha: bool = False,
        at: int | None = None,
        event: int | None = None,
        after: bool = False,
    ) -> npt.NDArray[Any]:
        """Returns memory at one moment as a picture; see `Asset.memory_picture`."""
        if not all(1 <= side <= 4096 for side in size):
            raise UsageError("usage", f"size={size}: each side must be 1 to 4096")
        return self._native.memory_picture(
            address_text(address), size, stride, pixel_format, swizzle, alpha, at, event, after
        )

    def trim(self, draws: Draws, *, whole_vram: bool = False) -> FrameDump:
        """Returns a range of draws as a frame dump that replays alone; see `Asset.trim`."""
        text = draws_text(draws) or ""
        path = self._opened._opening.path
        size = len(self._opened.data) if path is not None else None
        data, report = self._native.trim(text, whole_vram, size)
        warn(self._opened.name, report["notes"], self.notes)
        return FrameDump(data, report["notes"], f"{self._opened._stem()}-{text}.ppdmp", report)
