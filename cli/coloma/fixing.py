"""`coloma lint --fix`: what is found is fixed in the files, as far as it can be, and no further.

Files of packs that were not named are never touched: what is wrong with a game is not fixed where
one of its mods is. A file is written only if it can be read again and still says what was checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import attrs

from coloma.difference import difference
from coloma.errors import CommandError
from coloma.files import read_text, write_whole
from coloma.linting import Checks, check_all, folders_of
from rulesdsl.check.read import check_pack
from rulesdsl.check.report import Report
from rulesdsl.editor.fixing import Found, fix_all
from rulesdsl.packs.folder import MANIFEST
from rulesdsl.source.files import Files

_MARK = "\ufeff"  # some editors begin a file with it; it is no part of what was checked


@attrs.frozen
class Fixes:
    """What was fixed: how many findings, the texts by path before and after, and what is left."""

    count: int
    texts: dict[Path, tuple[str, str]]
    left: Checks

    def write(self) -> None:
        """Write the files; CommandError where one cannot be read again, and says what it said."""
        marks: dict[Path, str] = {}
        for path, (before, _) in self.texts.items():
            now = read_text(path, _pack_of(path))
            if now.removeprefix(_MARK) != before:
                raise CommandError(f"{path} has changed since it was checked; nothing is written")
            marks[path] = now[: len(now) - len(before)]
        for path, (_, after) in self.texts.items():
            write_whole(path, marks[path] + after, _pack_of(path))

    def difference(self) -> str:
        """Return what would be changed, as a unified diff."""
        return "".join(difference(*texts, path) for path, texts in self.texts.items())


def fix_packs(paths: Sequence[Path], mods: Sequence[str], *, unsafe: bool) -> Fixes:
    """Fix what is wrong with packs, in memory: the safe fixes only, or all of them.

    CommandError as `check_all`.
    """
    named = {folder.resolve() for folder in folders_of(paths)}
    checks: list[Checks] = []

    def check(files: Files) -> Found:
        def lint(game: Path, over: Sequence[Path]) -> Report:
            return check_pack(game, over, files)[2]

        checks.append(check_all(paths, mods, lint))
        return Found(checks[-1].findings, checks[-1].sources)

    def may_edit(path: str) -> bool:
        pack = _pack_of(Path(path))
        return pack is not None and pack.resolve() in named

    done = fix_all(check, may_edit, unsafe=unsafe)
    texts = {
        Path(path): (checks[0].sources[path].text, after) for path, after in done.changed.items()
    }
    left = next(each for each in checks if each.findings is done.left.findings)
    return Fixes(len(done.made), texts, left)


def _pack_of(file: Path) -> Path | None:
    """Return the folder of the pack that a file is in."""
    return next((each for each in file.absolute().parents if (each / MANIFEST).is_file()), None)
