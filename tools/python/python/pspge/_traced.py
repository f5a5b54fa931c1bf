"""The commands, draws, geometry and textures of an opened file."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from . import _native
from ._drawable import Drawable
from ._errors import UsageError
from ._notes import warn
from ._opening import Opening
from ._options import Draws, RunOptions, draws_text, run_options
from ._results import DrawList, Geometry, GeometryDraw, Table, Tables, Texture, Textures, Trace

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Traced(Drawable):
    """The commands, draws, geometry and textures of an opened file: the third part of `Asset`."""

    def __init__(self, native: _native.Asset, opening: Opening) -> None:
        super().__init__(native, opening)
        self._draws_lock = threading.Lock()
        self._draws: DrawList | None = None

    def trace(self, *, only: Draws | None = None, first: int | None = None, **options: Unpack[RunOptions]) -> Trace:
        """Runs the list and returns every executed command, or those that lead to the draws `only`; at most `first`.

        >>> import pspge
        >>> trace = pspge.open("lampwing.pac").trace(only=1)
        >>> trace[-1]["name"], trace[-1]["fields"]["primitive"]
        ('PRIM', 'TRIANGLE_STRIP')
        """
        trace = Trace(self._native.trace(run_options(options), draws_text(only), first))
        warn(self.name, trace.notes, self.notes)
        return trace

    @property
    def commands(self) -> Trace:
        """Every executed command of a run with default options.

        >>> import pspge
        >>> len(pspge.open(b"NOP | FINISH | END").commands)
        3
        """
        return self.trace()

    @property
    def draws(self) -> DrawList:
        """The draws of a run with default options: documents `pspge.draw/1`. They are kept after the first use.

        >>> import pspge
        >>> pspge.open("lampwing.pac").draws[1]["text"].split(" | ")[0]
        'draw 1 at 0x088101f4: TRIANGLE_STRIP 18'
        """
        with self._draws_lock:
            if self._draws is None:
                self._draws = self.trace_draws()
            return self._draws

    def trace_draws(
        self, *, only: Draws | None = None, registers: bool = False, **options: Unpack[RunOptions]
    ) -> DrawList:
        """Runs the list and returns its draws; with `registers` also the whole state at each one.

        >>> import pspge
        >>> draws = pspge.open("lampwing.pac").trace_draws(only="1-2", registers=True)
        >>> [draw["state"]["texture"]["enabled"] for draw in draws]
        [True, True]
        """
        draws, notes, end = self._native.draws(run_options(options), draws_text(only), registers)
        warn(self.name, notes, self.notes)
        return DrawList(draws, notes, end)

    def geometry(self, *, only: Draws | None = None, **options: Unpack[RunOptions]) -> Geometry:
        """Runs the list and returns the decoded primitives of each draw, in world space, as arrays.

        Draws have the numbers of `draws`. Draw 0 of a model, the clear of its picture, is left out unless `only`
        names it.

        >>> import pspge
        >>> draw = pspge.open("lampwing.pac").geometry(only=1)[0]
        >>> draw.positions.shape, draw.triangles.shape, draw.uvs.shape
        ((18, 3), (16, 3), (18, 2))
        """
        draws, notes = self._native.geometry(run_options(options), draws_text(only))
        warn(self.name, notes, self.notes)
        return Geometry([GeometryDraw(**draw) for draw in draws], notes)

    def textures(self, *, draws: Draws | None = None, **options: Unpack[RunOptions]) -> Textures:
        """Returns the textures that the file holds, or those that the draws of a frame dump or list sample.

        `draws` leaves out textures that these draws do not use. Of the options, a frame takes `arithmetic` and
        `threads`.

        >>> import pspge
        >>> [(texture.name, len(texture.draws)) for texture in pspge.open("lampwing.pac").textures()]
        [('lampwing_00', 106), ('lampwing_01', 24), ('lampwing_02', 5), ('lampwing_03', 4)]
        """
        others = sorted(set(options) - {"arithmetic", "threads"})
        if others:
            raise UsageError(
                "option-inapplicable", f"{others[0]} cannot apply: textures are as the file has them", self.name
            )
        native = self._native
        if not native.drawable or native.is_model:
            # Containers that tell them apart have more textures than their model uses.
            native = self._opening.open(self.name, self.data, all_textures=True)
        found, notes = native.textures(run_options(options), draws_text(draws), self._stem())
        warn(self.name, notes, self.notes)
        return Textures([Texture(name, facts, levels) for facts, name, levels in found], notes)

    def tables(self, *names: str, **options: Unpack[RunOptions]) -> Tables:
        """Runs the list and returns tables: those of `pspge table`. Without `names`, all but `pixels`.

        The columns are described in the guide on tables, in `Table.columns`, and in the metadata of the Arrow schema.
        Rows are in memory; `limits` of `open` bounds them. The command writes many files as Parquet in bounded memory.
        Changes to try cannot be applied.

        >>> import pspge
        >>> tables = pspge.open("lampwing.pac").tables()
        >>> {name: len(table) for name, table in tables.items()}
        {'frames': 1, 'draws': 140, 'commands': 942, 'textures': 4, 'vertices': 1872}
        """
        wanted = list(names) or ["frames", "draws", "commands", "textures", "vertices"]
        member = self._opening.options["member"]
        found, notes = self._native.tables(run_options(options), wanted, member)
        warn(self.name, notes, self.notes)
        return Tables({name: Table(name, found[name]) for name in wanted}, notes)
