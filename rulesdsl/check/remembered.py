"""Lints of the disk that remember: where all that a report was made from is as it was, it is read.

A report is kept with every question that the check asked of the disk, and the digest of each
answer. So nobody has to know what a check reads. Where an answer is another one, the packs are
checked, and of their texts only what is new is parsed: what was parsed is kept as well.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rulesdsl.check.report import Report
from rulesdsl.source import cache, diagnostic, fix, span
from rulesdsl.source.diagnostic import Diagnostic, Severity
from rulesdsl.source.files import DISK
from rulesdsl.source.rows import kinds_of
from rulesdsl.source.span import SourceFile

_REPORT = kinds_of(diagnostic, fix, span, also=(Severity,))

_Question = tuple[str, str, str, int]
"""What is asked of the disk: the name of a method of `Files`, and what it is given."""


class Snapshot:
    """The disk as it was when something of it was first asked for; `asked` is what since when."""

    def __init__(self) -> None:
        self._answers: dict[_Question, tuple[object, str]] = {}
        self.asked: dict[_Question, str] = {}

    def read(self, folder: Path, path: Path, most: int) -> bytes:
        """Return the bytes of a file, as `Files`."""
        found: bytes = self._ask("read", folder, path, most)
        return found

    def names(self, folder: Path) -> list[str]:
        """Return the names in a folder, as `Files`."""
        return [*self._ask("names", folder)]

    def exists(self, path: Path) -> bool:
        """Tell whether something is at a path, as `Files`."""
        found: bool = self._ask("exists", path)
        return found

    def is_folder(self, path: Path) -> bool:
        """Tell whether a folder is at a path, as `Files`."""
        found: bool = self._ask("is_folder", path)
        return found

    def digest(self, question: _Question) -> str:
        """Return a hash of the answer to a question."""
        return self._answer(question)[1]

    def _ask(self, what: str, path: Path, file: Path | str = "", most: int = 0) -> Any:  # noqa: ANN401
        question = (what, str(path), str(file), most)
        found, self.asked[question] = self._answer(question)
        if isinstance(found, OSError):
            raise found
        return found

    def _answer(self, question: _Question) -> tuple[object, str]:
        if question not in self._answers:
            found = _asked(*question)
            raw = found if isinstance(found, bytes) else repr(found).encode(errors="replace")
            self._answers[question] = found, hashlib.sha256(raw).hexdigest()
        return self._answers[question]


def _asked(what: str, path: str, file: str, most: int) -> object:
    try:
        match what:
            case "read":
                return DISK.read(Path(path), Path(file), most)
            case "names":
                return DISK.names(Path(path))
            case "exists":
                return DISK.exists(Path(path))
            case "is_folder":
                return DISK.is_folder(Path(path))
            case _:
                raise ValueError(what)
    except OSError as error:
        return error


@contextmanager
def remembering(*asked: object) -> Iterator[Callable[[Path, Sequence[Path]], Report]]:
    """Yield a lint of packs as they are on the disk; what is parsed is kept for who asks the same.

    All its lints are of the same moment, and share what they do.
    """
    files = Snapshot()
    key = "\0".join(map(str, (Path.cwd(), *asked)))
    check: Callable[..., Report] | None = None

    def lint(game: Path, mods: Sequence[Path]) -> Report:
        nonlocal check
        of_these = "\0".join(map(str, ("lint", Path.cwd(), game, *mods)))
        report = _read(of_these, files)
        if report is None:
            check = check or _check_of(key)
            files.asked = {}
            report = check(game, mods, files)
            texts = {path: each.text for path, each in report.sources.items()}
            cache.write_kept(of_these, (files.asked, report.diagnostics, texts), _REPORT)
        return report

    yield lint
    if check is not None:
        from rulesdsl.syntax.parsed import write_parsed  # noqa: PLC0415 - heavy

        write_parsed(key)


def _read(key: str, files: Snapshot) -> Report | None:
    """Return the report that is kept, where the disk still answers as it did."""
    match cache.read_kept(key, _REPORT):
        case [dict(asked), tuple(found), dict(texts)] if (
            asked
            and all(isinstance(each, Diagnostic) for each in found)
            and all(isinstance(each, str) for each in texts.values())
        ):
            try:
                if all(files.digest(each) == answer for each, answer in asked.items()):
                    return Report(found, {path: SourceFile(path, texts[path]) for path in texts})
            except cache.UNSOUND:  # these are no questions
                return None
    return None


def _check_of(key: str) -> Callable[..., Report]:
    """Return what checks packs, with memories of its own; what was parsed before is read."""
    from rulesdsl.check.followed import Memories  # noqa: PLC0415 - heavy, as is all that follows
    from rulesdsl.check.read import check_pack  # noqa: PLC0415
    from rulesdsl.syntax.parsed import read_parsed  # noqa: PLC0415

    read_parsed(key)
    memories = Memories()
    return lambda game, mods, files: check_pack(game, mods, files, memories)[2]
