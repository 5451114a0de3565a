"""Pack folders: safe listing and reading of their files."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import attrs

from rulesdsl.packs import wording
from rulesdsl.source.diagnostics import Detail, Findings, Wording
from rulesdsl.source.files import DISK, Files, reason
from rulesdsl.source.language import NEWEST, Language
from rulesdsl.source.span import SourceFile, Span

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
    """A folder on disk, and its path as shown to users.

    No file outside the folder is ever opened, wherever links or paths in the content lead. An
    unreadable file is reported, and the rest is still read.
    """

    path: Path
    shown: str
    findings: Findings = attrs.field(repr=False)
    files: Files = attrs.field(default=DISK, repr=False)
    language: Language = NEWEST

    def shown_path(self, relative: str) -> str:
        """Return the display path of a file in this folder."""
        return printable((PurePosixPath(self.shown) / relative).as_posix())

    def place(self, relative: str) -> Span:
        """Return the start of a file, for findings about the file as a whole."""
        return Span(self.shown_path(relative), 1, 1, 1, 1)

    def content_files(
        self, below: str = "", endings: tuple[str, ...] = CONTENT_ENDINGS
    ) -> tuple[str, ...]:
        """Return the relative paths of the content files, sorted.

        Hidden files and nested packs are left out; so are scenarios, lessons and bot weights,
        unless `below` names their folder.
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
                wording.TOO_MANY_FILES.report(
                    self.findings, self.place(MANIFEST), files=MAX_FILES, folders=MAX_FOLDERS
                )
                del files[MAX_FILES:]
                break
        return tuple(sorted(files))

    def read(self, relative: str) -> bytes | None:
        """Return the bytes of a file; report an unreadable or forbidden one and return `None`."""
        try:
            return self.files.read(self.path, self.path / relative, MAX_BYTES)
        except OSError as error:
            self._report(wording.UNREADABLE_FILE, relative, why=reason(error))
            return None

    def text(self, relative: str, raw: bytes) -> SourceFile | None:
        """Decode a file; report and replace invalid UTF-8.

        Report a binary file, or one with the line endings of old Macs, and return `None` for it.
        """
        shown = self.shown_path(relative)
        if b"\r" in raw and b"\n" not in raw:
            self._report(wording.OLD_LINE_ENDS, relative)
            return None
        try:
            return SourceFile(shown, raw.decode("utf-8-sig"), self.language)
        except UnicodeDecodeError as error:
            before = error.object[: error.start].decode("utf-8")  # without a byte order mark
            line = before.count("\n") + 1
            column = len(before) - before.rfind("\n")
        place = Span(shown, line, column, line, column + 1)
        wording.OTHER_ENCODING.report(self.findings, place)
        if b"\0" in raw:
            return None
        return SourceFile(shown, raw.decode("utf-8-sig", errors="replace"), self.language)

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
                    self._report(wording.UNFIT_NAME, relative, why=unfit)
            elif (meant := _meant(name, endings)) is not None and meant not in names:
                self._report(wording.UNREAD_NAME, relative, meant=meant)
        return files, folders

    def _names(self, folder: str) -> list[str]:
        try:
            return self.files.names(self.path / folder)
        except OSError as error:
            self._report(wording.UNREADABLE_FOLDER, folder, why=reason(error))
            return []

    def _is_part(self, relative: str) -> bool:
        folder = self.path / relative
        if self.files.exists(folder / MANIFEST):
            return False
        if folder.is_symlink():
            self._report(wording.LINKED_FOLDER, relative)
            return False
        return True

    def _report(self, said: Wording, relative: str, **fields: Detail) -> None:
        said.report(self.findings, self.place(relative), (), advice="", **fields)


def is_nearly(name: str, meant: str) -> bool:
    """Return true if a name differs from `meant` only in case or by an appended `.txt`."""
    return name != meant and name.lower().removesuffix(".txt") == meant


def _meant(name: str, endings: tuple[str, ...]) -> str | None:
    """Return a file name such as `a.Rules.txt` with the right ending; None for other names."""
    stem = name.lower().removesuffix(".txt")
    ending = next((each for each in endings if stem.endswith(each)), None)
    return None if ending is None else f"{name[: len(stem) - len(ending)]}{ending}"


def printable(text: str) -> str:
    """Escape lone surrogates in a path or name, so that it can be printed anywhere."""
    return text.encode("utf-8", errors="backslashreplace").decode("utf-8")


def _unfit(relative: str) -> str | None:
    """Return the reason why a file's path is not allowed, or None if it is.

    Colons are not allowed, since listings of several packs use them after the id of a mod.
    """
    if printable(relative) != relative:
        return "is not UTF-8"
    found = next((each for each in relative if each in ":\\" or not each.isprintable()), None)
    what = _SIGNS.get(found or "", "a character that cannot be printed")
    return None if found is None else f"contains {what}"
