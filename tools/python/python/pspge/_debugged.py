"""The debugger's answers about an opened file."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from . import _native
from ._notes import warn
from ._opening import Opening
from ._options import (
    Address,
    Document,
    Draws,
    MemoryPictureOptions,
    Moment,
    RunOptions,
    address_text,
    draws_text,
    run_options,
)
from ._run import Run
from ._traced import Traced

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Debugged(Traced):
    """The debugger's answers about an opened file: the fourth part of `Asset`."""

    def __init__(self, native: _native.Asset, opening: Opening) -> None:
        super().__init__(native, opening)
        self._run_lock = threading.Lock()
        self._run: Run | None = None

    def run(self, **options: Unpack[RunOptions]) -> Run:
        """Runs the list once and returns the run, which answers questions about any of its events.

        >>> import pspge
        >>> run = pspge.open("lampwing.pac").run()
        >>> run.state(draw=78)["state"]["texture"]["enabled"]
        True
        """
        run = Run(self._native.run(run_options(options)), self)
        warn(self.name, run.notes, self.notes)
        return run

    def _default_run(self) -> Run:
        """Returns the run with default options, which is kept."""
        with self._run_lock:
            if self._run is None:
                self._run = self.run()
            return self._run

    def events(self) -> list[Document]:
        """Returns the events of a run: draws, block transfers, actions of the CPU.

        >>> import pspge
        >>> [event["kind"] for event in pspge.open("lampwing.pac").events()][:2]
        ['draw', 'draw']
        """
        return list(self._default_run().events()["events"])

    def state(self, draw: int | None = None, *, event: int | None = None, after: bool = False) -> Document:
        """Returns the state before a draw or another event, or at the end of the run: the document `pspge.state/1`.

        `after` is the state after the event. `run` takes options of the run, too.

        >>> import pspge
        >>> state = pspge.open("lampwing.pac").state(78)
        >>> state["state"]["depth_test"]["function"], len(state["changes"])
        ('GREATER_EQUAL', 1)
        """
        return self._default_run().state(draw, event=event, after=after)

    def draw(self, draw: int | None = None, *, event: int | None = None) -> Document:
        """Explains one draw: its vertices at each stage, the fate of each primitive, and the counts of its pixels.

        It is the document `pspge.draw-report/1`.

        >>> import pspge
        >>> report = pspge.open("lampwing.pac").draw(78)
        >>> len(report["vertices"]), report["primitives"][0]["fate"]
        (12, 'culled')
        """
        return self._default_run().draw(draw, event=event)

    def memory(self, address: Address, length: int = 256, **moment: Unpack[Moment]) -> bytes:
        """Returns bytes of memory at one moment; see `Moment`.

        Bytes without memory are 0, with a warning.

        >>> import pspge
        >>> pspge.open(b"NOP | FINISH | END").memory(0x08800000, 12).hex(" ", 4)
        '00000000 0000000f 0000000c'
        """
        return self._default_run().memory(address, length, **moment)

    def memory_picture(
        self,
        address: Address,
        size: tuple[int, int] = (480, 272),
        **options: Unpack[MemoryPictureOptions],
    ) -> npt.NDArray[Any]:
        """Returns memory as a picture, in any format; pixels without memory are magenta. Depth, `DEPTH16`, is an array
        of `uint16`.

        See `MemoryPictureOptions`.

        >>> import pspge
        >>> pspge.open("lampwing.pac").memory_picture(0, (64, 32)).shape
        (32, 64, 4)
        """
        return self._default_run().memory_picture(address, size, **options)

    def pixel(
        self,
        x: int,
        y: int,
        *,
        target: str | int | None = None,
        draws: Draws | None = None,
        **options: Unpack[RunOptions],
    ) -> Document:
        """Explains the colour of a pixel: everything that touched it, in order, and why. It is the document
        `pspge.pixel/1`.

        `target` is the buffer, `ADDRESS` or `ADDRESS,STRIDE,FORMAT`, the framebuffer shown at the end unless given.
        `draws` shows only these draws.

        >>> import pspge
        >>> history = pspge.open("lampwing.pac").pixel(240, 136)
        >>> history["entries"][-1]["draw"], history["entries"][-1]["after"]["color"]
        (78, [62, 106, 106, 255])
        """
        target_text = None if target is None else address_text(target)
        document, notes = self._native.pixel((x, y), run_options(options), target_text, draws_text(draws))
        warn(self.name, notes, self.notes)
        return document

    def passes(self, **options: Unpack[RunOptions]) -> Document:
        """Returns the render passes of a frame and their dependencies: the document `pspge.passes/1`.

        >>> import pspge
        >>> [(found["first_draw"], found["last_draw"]) for found in pspge.open("lampwing.pac").passes()["passes"]]
        [(0, 139)]
        """
        document = self._native.passes(run_options(options))
        warn(self.name, document["notes"], self.notes)
        return document

    def check(self, **options: Unpack[RunOptions]) -> list[Document]:
        """Finds mistakes in lists, frame dumps and models: documents `pspge.finding/1`, the worst first.

        >>> import pspge
        >>> [finding["code"] for finding in pspge.open(b"RET | FINISH | END").check()]
        ['no-draws', 'return-without-call']
        """
        return self._native.check(run_options(options))
