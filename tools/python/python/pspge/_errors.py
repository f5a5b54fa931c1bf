"""The exceptions of this package, and its warning."""

from __future__ import annotations

from typing import Any


class PspgeWarning(UserWarning):
    """A problem that did not stop the work: something is missing, guessed or contradictory.

    The same notes are in the attribute `notes` of the result. `warnings.simplefilter("error", PspgeWarning)` turns
    them into exceptions."""


class Error(Exception):
    """The base of all exceptions of this package.

    >>> import pspge
    >>> try:
    ...     pspge.open(b"TIM2", name="broken.tm2")
    ... except pspge.Error as error:
    ...     print(type(error).__name__, error.code, error.file, error.offset)
    FormatError truncated broken.tm2 0
    """

    code: str
    """A word for the kind of error, such as `truncated`."""
    message: str
    """The error as a sentence, without its place."""
    file: str | None
    """The file at fault."""
    offset: int | None
    """Offset of the fault in that file, in bytes."""
    line: int | None
    """Line of the fault in a text, from 1."""
    column: int | None
    """Column of the fault in that line, in characters, from 1."""
    others: list[dict[str, Any]]
    """Further errors in the same input, as the document `pspge.error/1` has them."""

    def __init__(
        self,
        code: str = "",
        message: str = "",
        file: str | None = None,
        offset: int | None = None,
        line: int | None = None,
        column: int | None = None,
        length: int | None = None,
        included_from: list[str] | None = None,
        others: list[dict[str, Any]] | None = None,
        omitted: int = 0,
    ) -> None:
        super().__init__(code, message, file, offset, line, column, length, included_from, others, omitted)
        self.code = code
        self.message = message
        self.file = file
        self.offset = offset
        self.line = line
        self.column = column
        self.length = length
        self.included_from = included_from or []
        self.others = others or []
        self.omitted = omitted

    def __str__(self) -> str:
        text = ""
        if self.file is not None:
            text += f"{self.file}:"
            if self.line is not None and self.column is not None:
                text += f"{self.line}:{self.column}:"
            text += " "
        if self.offset is not None:
            text += f"at {self.offset:#x}: "
        return text + self.message


class FormatError(Error):
    """A file is damaged, not recognised, or cannot be read while another one is opened.

    >>> import pspge
    >>> try:
    ...     pspge.open(b"dear diary", name="notes.txt")
    ... except pspge.FormatError as error:
    ...     print(error)
    notes.txt: not a file of a known format: it is a text
    """


class AssemblyError(Error):
    """Assembly text has mistakes. The first one is the exception; the others are in `others`.

    >>> import pspge
    >>> try:
    ...     pspge.assemble("NOP | PRIN | END", name="list.ge")
    ... except pspge.AssemblyError as error:
    ...     print(error.file, error.line, error.column)
    list.ge 1 7
    """


class UsageError(Error, ValueError):
    """An argument is wrong, or cannot apply to the input.

    >>> import pspge
    >>> try:
    ...     pspge.open(b"FINISH | END", name="list.ge").render(view="front")
    ... except pspge.UsageError as error:
    ...     print(error)
    list.ge: view cannot apply: a display list is not a model
    """


class ContentError(Error):
    """The input holds nothing of the kind that is asked for, or its result does not fit.

    >>> import pspge
    >>> try:
    ...     pspge.open("lampwing.tmh").render()
    ... except pspge.ContentError as error:
    ...     print(error.code)
    no-display-list
    """


class LimitError(Error):
    """A file needs more work or memory than a limit allows. A run that hits a limit is no error: it has a note.

    >>> import pspge
    >>> try:
    ...     pspge.open("robot.bin", limits={"decoded-bytes": 10})
    ... except pspge.LimitError as error:
    ...     print(error)
    robot.bin: at 0x4: the limit of 10 decoded bytes was reached (limit `decoded-bytes`)
    """
