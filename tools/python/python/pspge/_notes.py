"""Notes as texts and as warnings."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from pathlib import Path

from ._errors import PspgeWarning
from ._options import Note


def note_text(note: Note) -> str:
    """Returns a note as the command prints it.

    >>> note_text({"message": "guessed", "part": "textures", "offset": 16, "address": None, "count": 2})
    'textures: at 0x10: guessed (2 times)'
    """
    text = f"{note['part']}: " if note["part"] else ""
    if note["offset"] is not None:
        text += f"at {note['offset']:#x}: "
    if note["address"] is not None:
        text += f"at address {note['address']:#010x}: "
    text += " ".join(note["message"].split())
    return text if note["count"] == 1 else f"{text} ({note['count']} times)"


def warn(input: str, notes: Sequence[Note], known: Sequence[Note] = ()) -> None:
    """Warns of the problems among notes, but not of those that are known."""
    package = str(Path(__file__).parent)
    # The place of the warning is the first caller outside this package.
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(package):
        level, frame = level + 1, frame.f_back
    for note in notes:
        if note["severity"] == "problem" and note not in known:
            text = f"{note['file'] or input}: {note_text(note)}"
            warnings.warn(PspgeWarning(text), stacklevel=level)
