"""An opened file, and everything that can be done with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from . import _native
from ._debugged import Debugged
from ._errors import UsageError
from ._importing import Importing
from ._notes import warn
from ._opening import Opening, companion
from ._options import (
    Background,
    Document,
    Draws,
    Files,
    Folder,
    Limits,
    MemoryFiles,
    RunOptions,
    Source,
    StrPath,
    color,
    draws_text,
    limits_list,
    read_file,
    run_options,
)
from ._results import FrameDump

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Asset(Debugged, Importing):
    """The content of a file: `pspge.open` returns it.

    Options of a run (`**options`) have the names of the command's options: `arithmetic`, `threads`, the camera of a
    model (`view`, `yaw`, `pitch`, `zoom`), its pose (`anim`, `frame`), and changes to try (`set`, `skip`, `solo`,
    `wireframe`, `cache`, `replace_texture`); see `RunOptions`. Methods that return documents return the JSON of the command as
    dictionaries.

    An asset does not change, and can be used by several threads at once. The interpreter's lock is released while the
    engine works.
    """

    def member(self, member: str | int) -> Asset:
        """Opens a member of the container with the same options.

        >>> import pspge
        >>> pspge.open("lampwing.pac").member(2)
        <pspge.Asset 'lampwing.pac#2': tmh>
        """
        options = {**self._opening.options, "member": str(member)}
        opening = Opening(
            self._opening.file_name, options, self._opening.folder, self._opening.texture_folder, self._opening.path
        )
        asset = Asset(opening.open(f"{self._opening.file_name}#{member}", self.data), opening)
        warn(asset.name, asset.notes)
        return asset

    def diff(
        self,
        other: Asset | None = None,
        *,
        a: RunOptions | None = None,
        b: RunOptions | None = None,
        reference: tuple[bool, bool] = (False, False),
        draws: tuple[int, int] | None = None,
        events: tuple[int, int] | None = None,
        **options: Unpack[RunOptions],
    ) -> Document:
        """Finds the first event at which two runs differ, and says why: the document `pspge.diff/1`.

        Without `other` the asset runs twice. `options` hold for both runs, `a` and `b` for one. `reference` draws a
        run with the slow reference rasterizer. With `draws` or `events`, a draw or an event of each run is compared
        instead.

        >>> import pspge
        >>> asset = pspge.open("lampwing.pac")
        >>> asset.diff(b={"skip": 78})["draw"]
        78
        >>> asset.diff(reference=(False, True))["is_different"]
        False
        >>> asset.diff(draws=(78, 79))["text"]
        'draw 78 and draw 79 differ in 1 register and 930 other values'
        """
        sides = ({**options, **(a or {})}, {**options, **(b or {})})
        second = self if other is None else other
        both = (run_options(sides[0]), run_options(sides[1]))  # type: ignore[arg-type]
        if draws is not None and events is not None:
            raise UsageError("usage", "draws and events: give only one of them")
        moments: list[tuple[int | None, int | None]] = [(draw, None) for draw in draws or ()]
        moments += [(None, event) for event in events or ()]
        document = _native.diff((self._native, second._native), both, reference, moments or None)
        warn(self.name, document["notes"], self.notes)
        return document

    def trim(self, draws: Draws, *, whole_vram: bool = False, **options: Unpack[RunOptions]) -> FrameDump:
        """Returns a range of draws as a frame dump that replays alone to the same pixels.

        `whole_vram` keeps all of VRAM, so that players show the picture around the draws, too. Changes to try cannot
        be kept.

        >>> import pspge
        >>> dump = pspge.open("lampwing.pac").trim("70-79")
        >>> dump.report["schema"], dump.report["draws"], dump.report["run_draws"]
        ('pspge.trim/1', 10, 140)
        """
        run = self.run(**options) if options else self._default_run()
        return run.trim(draws, whole_vram=whole_vram)

    def to_frame_dump(
        self,
        *,
        size: tuple[int, int] | None = None,
        background: Background | None = None,
        **options: Unpack[RunOptions],
    ) -> FrameDump:
        """Returns the content as a PPSSPP frame dump that draws the same picture.

        `size` (up to 512×512) and `background` are for models. A frame dump is converted to the newest version.

        >>> import pspge
        >>> asset = pspge.open("lampwing.pac")
        >>> bool((pspge.open(asset.to_frame_dump()).render() == asset.render()).all())
        True
        """
        rgba = None if background is None else color(background)
        data, notes = self._native.pack(run_options(options), size, rgba)
        warn(self.name, notes, self.notes)
        return FrameDump(data, notes, f"{self._stem()}.ppdmp")

    def _export(
        self,
        format: str,
        stem: str,
        draws: Draws | None,
        through: bool,
        merge: str | None,
        space: str | None,
        up: str,
        scale: float,
        options: RunOptions,
    ) -> dict[str, bytes]:
        settings = {
            "draws": draws_text(draws),
            "through": through,
            "merge": merge,
            "space": space,
            "up": up,
            "scale": scale,
        }
        files, notes = self._native.export(run_options(options), settings, format, self._stem(), stem)
        warn(self.name, notes, self.notes)
        return dict(files)

    def to_glb(
        self,
        *,
        draws: Draws | None = None,
        through: bool = False,
        merge: Literal["none", "material", "object"] | None = None,
        space: Literal["world", "view", "screen"] | None = None,
        up: Literal["y", "z"] = "y",
        scale: float = 1.0,
        **options: Unpack[RunOptions],
    ) -> bytes:
        """Returns the geometry as binary glTF: a model with skeleton and animations, or a frame with its camera.

        `merge` says which meshes become one object: by default all that move together for a model, and those of a
        material for a frame. Of a frame, `draws` selects draws, `through` adds those in through mode, and `space` is
        that of the vertices.

        >>> import pspge
        >>> pspge.open("lampwing.pac").to_glb()[:4]
        b'glTF'
        """
        stem = self._stem()
        return self._export("glb", stem, draws, through, merge, space, up, scale, options)[f"{stem}.glb"]

    def to_obj(
        self,
        *,
        draws: Draws | None = None,
        through: bool = False,
        merge: Literal["none", "material", "object"] | None = None,
        space: Literal["world", "view", "screen"] | None = None,
        up: Literal["y", "z"] = "y",
        scale: float = 1.0,
        **options: Unpack[RunOptions],
    ) -> dict[str, bytes]:
        """Returns the geometry as Wavefront OBJ with materials and pictures: files by name.

        >>> import pspge
        >>> sorted(pspge.open("lampwing.pac").to_obj())[:2]
        ['lampwing.mtl', 'lampwing.obj']
        """
        return self._export("obj", self._stem(), draws, through, merge, space, up, scale, options)

    def export(
        self,
        path: StrPath,
        *,
        draws: Draws | None = None,
        through: bool = False,
        merge: Literal["none", "material", "object"] | None = None,
        space: Literal["world", "view", "screen"] | None = None,
        up: Literal["y", "z"] = "y",
        scale: float = 1.0,
        **options: Unpack[RunOptions],
    ) -> list[Path]:
        """Writes the geometry as `.glb`, `.gltf` or `.obj`, or the content as a frame dump, `.ppdmp`; returns the
        paths.

        >>> import pspge
        >>> [path.name for path in pspge.open("lampwing.pac").export("out.glb")]
        ['out.glb']
        """
        path = Path(path)
        format = path.suffix.lower().removeprefix(".")
        if format == "ppdmp":
            if (draws, through, merge, space, up, scale) != (None, False, None, None, "y", 1.0):
                problem = "draws, through, merge, space, up and scale are for geometry; trim keeps a range of draws"
                raise UsageError("usage", problem)
            return [self.to_frame_dump(**options).write(path)]
        if format not in ("glb", "gltf", "obj"):
            raise UsageError("usage", f"{path}: the extension must be .glb, .gltf, .obj or .ppdmp")
        files = self._export(format, path.stem, draws, through, merge, space, up, scale, options)
        # Files that others name are written first.
        paths = [path.with_name(name) for name in reversed(files)]
        for file, data in zip(paths, reversed(list(files.values()))):
            file.write_bytes(data)
        return paths


def open(
    source: Source | FrameDump,
    *,
    name: str | None = None,
    format: str | None = None,
    member: str | int | None = None,
    textures: Source | None = None,
    skeleton: Source | None = None,
    mesh_data: Source | None = None,
    animations: Source | None = None,
    files: Mapping[str, bytes] | Files | None = None,
    lod: int | None = None,
    group: int | None = None,
    hidden: bool = False,
    parse_option: str | Sequence[str] = (),
    limits: Limits | None = None,
) -> Asset:
    """Opens a file by its content: a model, a frame dump, a texture file, a container, a list, or assembly text.

    `source` is a path, also `FILE#MEMBER` for a member of a container, bytes, or a frame dump that was made. `name`
    replaces the name in documents and errors. `format` names the format instead of recognising it; `"list"` is the
    words of a list. `textures`, `skeleton`, `mesh_data` and `animations` are companion files: paths or bytes, and for
    `textures` also a folder. Companions that are not given are looked for next to the file, or in `files`: bytes by
    name. `lod`, `group` and `hidden` select alternative parts of a model, `parse_option` a reading of a field on
    which a format's documents disagree, and `limits` bounds work and memory.

    Problems of the file are warnings, `PspgeWarning`, and `Asset.notes`.

    Raises `FormatError` if the file is damaged or not recognised, `AssemblyError` for mistakes in assembly text,
    `UsageError` if an option cannot apply, and `OSError` if a file cannot be read.

    >>> import pspge
    >>> pspge.open("lampwing.pac")
    <pspge.Asset 'lampwing.pac': pac>
    >>> pspge.open(b"FOGENABLE 1 | FINISH | END", name="list.ge").format
    'ge'
    >>> pspge.open("lampwing.pac", member="tmh").name
    'lampwing.pac#tmh'
    """
    path: Path | None = None
    if isinstance(source, FrameDump):
        name = name or source.name
        source = source.data
    if isinstance(source, (bytes, bytearray, memoryview)):
        data = bytes(source)
        file_name = name or "bytes"
    else:
        file_name = str(source)
        if "#" in file_name and not Path(file_name).exists():
            file_name, _, in_name = file_name.partition("#")
            if member is not None:
                raise UsageError("usage", f"{source}: a member is named twice")
            member = in_name
        path = Path(file_name)
        data = read_file(path)
        file_name = name or file_name
    member = None if member is None else str(member)
    folder: Files | None
    if isinstance(files, Mapping):
        folder = MemoryFiles(files)
    elif files is None and path is not None:
        folder = Folder(path.parent, path)
    else:
        folder = files
    texture_folder = None
    if textures is not None and not isinstance(textures, (bytes, bytearray, memoryview)):
        if Path(textures).is_dir():
            texture_folder, textures = Folder(Path(textures)), None
    options = {
        "member": member,
        "format": format,
        "textures": companion(textures),
        "skeleton": companion(skeleton),
        "mesh_data": companion(mesh_data),
        "animations": companion(animations),
        "lod": lod,
        "group": group,
        "hidden": hidden,
        "parse_option": [parse_option] if isinstance(parse_option, str) else list(parse_option),
        "limits": limits_list(limits),
    }
    full_name = file_name if member is None else f"{file_name}#{member}"
    opening = Opening(file_name, options, folder, texture_folder, path)
    asset = Asset(opening.open(full_name, data), opening)
    warn(asset.name, asset.notes)
    return asset
