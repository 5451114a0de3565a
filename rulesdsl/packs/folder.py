"""Pack folders: their files, and locations of values in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Protocol

import attrs

from rulesdsl.packs import wording
from rulesdsl.source.diagnostics import Findings, similar
from rulesdsl.source.english import and_list
from rulesdsl.source.facts import Lacking, NotWhole, UnknownName
from rulesdsl.source.files import DISK, Files, reason
from rulesdsl.source.span import SourceFile, Span

if TYPE_CHECKING:
    from rulesdsl.packs.toml_document import KeyPath
    from rulesdsl.source.diagnostics import Advice


class SpannedTable(Protocol):
    """Table that knows the position of its values: a file, or a merged table."""

    def has(self, path: KeyPath) -> bool:
        """Return true if there is a value at a path."""

    def span(self, path: KeyPath) -> Span:
        """Return the span of a value."""

    def key_span(self, path: KeyPath) -> Span:
        """Return the span of a key."""

    def string_map(self, path: KeyPath) -> tuple[tuple[int, int], ...]:
        """Return the position of every character of a string."""


@attrs.frozen
class TablePlace:
    """The path of one value while it is read, in one file or in a merged table.

    `wording` formats the error message from path, expectation and value: each kind of file has its
    own wording.
    """

    file: SpannedTable
    path: KeyPath
    findings: Findings
    wording: Callable[[KeyPath, str, object], str]

    @property
    def span(self) -> Span:
        """The span of the value."""
        return self.file.span(self.path)

    @property
    def key_span(self) -> Span:
        """The span of its key."""
        return self.file.key_span(self.path)

    @property
    def string_map(self) -> tuple[tuple[int, int], ...]:
        """The position of every character of the text."""
        return self.file.string_map(self.path)

    def below(self, *steps: str | int) -> TablePlace:
        """Return the place of a nested value."""
        return TablePlace(self.file, (*self.path, *steps), self.findings, self.wording)

    def wrong(self, wanted: str, value: object, *, whole: bool = False) -> None:
        """Report a value of the wrong kind; a `whole` number may be wanted."""
        facts = NotWhole() if whole else None
        self.report("E005", self.wording(self.path, wanted, value), facts=facts)

    def report(
        self, code: str, message: str, advice: str | Advice = "", *, facts: object = None
    ) -> None:
        """Report what is wrong with the value."""
        self.findings.report(code, self.span, message, advice, facts=facts)

    def unknown(self, message: str, known: Iterable[str], advice: str = "") -> None:
        """Report an unknown key; `advice` is the help if no known key is similar."""
        known = list(known)
        there = [each for each in known if self.file.has((*self.path[:-1], each))]
        name = str(self.path[-1])
        help_text = similar(name, known, there)
        if help_text:
            self.findings.report("E004", self.key_span, message, help_text)
        else:
            facts = UnknownName(name)
            self.findings.report("E004", self.key_span, message, advice, facts=facts)

    def lacks(self, name: str, keys: Iterable[str]) -> None:
        """Report missing keys of this table, if any."""
        lacking = list(keys)
        if lacking:
            message = f"{name} lacks {' and '.join(f'`{key}`' for key in lacking)}."
            help_text = f"Add {and_list([f'`{key} = ...`' for key in lacking])}."
            facts = Lacking(tuple((key, "") for key in lacking))
            self.findings.report("E006", self.key_span, message, help_text, facts=facts)


MANIFEST = "pack.toml"
SCENARIOS = "scenarios"
LESSONS = "lessons"
RULEBOOK = "rulebook"
BOTS = "bots"
CONTENT_ENDINGS = (".rules", ".toml")

_SIGNS = {":": "a colon", "\\": "a backslash"}

MAX_FILES = 500
MAX_FOLDERS = 500
MAX_BYTES = 2**20
MAX_BYTES_TOGETHER = 16 * 2**20


@attrs.frozen
class PackFolder:
    """A folder on disk, with the path shown to users.

    Nothing outside the folder is ever opened, whatever links or paths in the content say. An
    unreadable file is a finding, and the rest is still read.
    """

    path: Path
    shown: str
    findings: Findings = attrs.field(repr=False)
    files: Files = attrs.field(default=DISK, repr=False)

    def shown_path(self, relative: str) -> str:
        """Return the display path of a file in this folder."""
        return printable((PurePosixPath(self.shown) / relative).as_posix())

    def place(self, relative: str) -> Span:
        """Return the start of a file, for findings about the whole of it."""
        return Span(self.shown_path(relative), 1, 1, 1, 1)

    def content_files(
        self, below: str = "", endings: tuple[str, ...] = CONTENT_ENDINGS
    ) -> tuple[str, ...]:
        """Return the relative paths of the content files, sorted.

        Hidden files and folders are left out, nested packs too, and scenarios, lessons and bot
        weights unless `below` names their folder.
        """
        files: list[str] = []
        folders = [below]
        seen = 0
        while folders:
            seen += 1
            inside, deeper = self._entries(folders.pop(), endings)
            files += inside
            folders += reversed(deeper)
            if len(files) > MAX_FILES or seen + len(folders) > MAX_FOLDERS:
                said = wording.too_many_files(MAX_FILES, MAX_FOLDERS)
                self.findings.report("E001", self.place(MANIFEST), *said)
                del files[MAX_FILES:]
                break
        return tuple(sorted(files))

    def read(self, relative: str) -> bytes | None:
        """Return the bytes of a file; `None`, reported, if it cannot or must not be read."""
        try:
            return self.files.read(self.path, self.path / relative, MAX_BYTES)
        except OSError as error:
            trouble = reason(error)
        self.findings.report("E001", self.place(relative), *wording.unreadable_file(trouble))
        return None

    def text(self, relative: str, raw: bytes) -> SourceFile | None:
        """Return the file's text; invalid UTF-8 is reported and replaced.

        `None`, also reported, for binary files.
        """
        shown = self.shown_path(relative)
        if b"\r" in raw and b"\n" not in raw:
            self.findings.report("E001", self.place(relative), *wording.old_line_ends())
            return None
        try:
            return SourceFile(shown, raw.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            before = error.object[: error.start].decode("utf-8")  # without a byte order mark
            line = before.count("\n") + 1
            column = len(before) - before.rfind("\n")
        place = Span(shown, line, column, line, column + 1)
        self.findings.report("E001", place, *wording.other_encoding())
        if b"\0" in raw:
            return None
        return SourceFile(shown, raw.decode("utf-8-sig", errors="replace"))

    def _entries(self, folder: str, endings: tuple[str, ...]) -> tuple[list[str], list[str]]:
        files: list[str] = []
        folders: list[str] = []
        names = self._names(folder)
        for name in names:
            relative = f"{folder}/{name}" if folder else name
            if name.startswith(".") or relative in {SCENARIOS, LESSONS, BOTS}:
                continue
            if self.files.is_folder(self.path / relative):
                if self._is_part(relative):
                    folders.append(relative)
            elif name.endswith(endings):
                unfit = _unfit(relative)
                if unfit is None:
                    files.append(relative)
                else:
                    said = wording.unfit_name(unfit)
                    self.findings.report("E001", self.place(relative), *said)
            elif (meant := _meant(name, endings)) is not None and meant not in names:
                self.findings.report("E001", self.place(relative), *wording.unread_name(meant))
        return files, folders

    def _names(self, folder: str) -> list[str]:
        try:
            return self.files.names(self.path / folder)
        except OSError as error:
            said = wording.unreadable_folder(reason(error))
            self.findings.report("E001", self.place(folder), *said)
            return []

    def _is_part(self, relative: str) -> bool:
        folder = self.path / relative
        if self.files.exists(folder / MANIFEST):
            return False
        if folder.is_symlink():
            self.findings.report("E001", self.place(relative), *wording.linked_folder())
            return False
        return True


def is_nearly(name: str, meant: str) -> bool:
    """Tell whether a file has a name but for capitals, or for `.txt`, which some editors add."""
    return name != meant and name.lower().removesuffix(".txt") == meant


def _meant(name: str, endings: tuple[str, ...]) -> str | None:
    """Return the name that a file should have that is nearly one of content; else None."""
    stem = name.lower().removesuffix(".txt")
    ending = next((each for each in endings if stem.endswith(each)), None)
    return None if ending is None else f"{name[: len(stem) - len(ending)]}{ending}"


def printable(text: str) -> str:
    """Return a path or name without lone surrogates, so that every output accepts it."""
    return text.encode("utf-8", errors="backslashreplace").decode("utf-8")


def _unfit(relative: str) -> str | None:
    """Return the reason why a file's path is not allowed, None if it is.

    Colons separate the id of a mod from its files in listings of several packs.
    """
    if printable(relative) != relative:
        return "is not UTF-8"
    found = next((each for each in relative if each in ":\\" or not each.isprintable()), None)
    what = _SIGNS.get(found or "", "a character that cannot be printed")
    return None if found is None else f"contains {what}"
