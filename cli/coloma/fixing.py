"""`coloma lint --fix`: what is found is fixed in the files, as far as it can be, and no further.

What `coloma test` finds before it runs anything, slips in scenarios and lessons, is fixed as well.

Files of packs that were not named are never touched: what is wrong with a game is not fixed where
one of its mods is. A file is written only if it can be read again and still says what was checked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import attrs

from coloma.difference import difference
from coloma.errors import CommandError
from coloma.files import read_text, write_whole
from coloma.linting import Checks, check_all, folders_of
from coloma.selection import select
from rulesdsl.check.read import check_pack
from rulesdsl.check.report import Report
from rulesdsl.editor.fixing import Found, fix_all
from rulesdsl.editor.overlay import Overlay
from rulesdsl.packs.folder import LESSONS, MANIFEST, SCENARIOS
from rulesdsl.scenarios.linting import lint_scenarios
from rulesdsl.source.diagnostic import Diagnostic, LintError
from rulesdsl.source.files import Files
from rulesdsl.source.span import SourceFile

_MARK = "\ufeff"  # some editors begin a file with it; it is no part of what was checked


@attrs.frozen
class Fixes:
    """What was fixed: how many findings are gone, the texts before and after, and what is left."""

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
    files = Overlay()

    def check(files: Files) -> Found:
        def lint(game: Path, over: Sequence[Path]) -> Report:
            return check_pack(game, over, files)[2]

        checks.append(check_all(paths, mods, lint))
        return Found(checks[-1].findings, checks[-1].sources)

    def may_edit(path: str) -> bool:
        pack = _pack_of(Path(path))
        return pack is not None and pack.resolve() in named

    done = fix_all(check, may_edit, files, unsafe=unsafe)
    texts = {
        Path(path): (checks[0].sources[path].text, after) for path, after in done.changed.items()
    }
    left = next(each for each in checks if each.findings is done.left.findings)
    tests, gone = _fix_scenarios(paths, mods, files, unsafe=unsafe)
    texts |= {path: both for path, both in tests.items() if may_edit(str(path))}
    return Fixes(_gone(checks[0].findings, left.findings) + gone, texts, left)


def _gone(before: Iterable[Diagnostic], after: Iterable[Diagnostic]) -> int:
    """Return how many findings are not there any more."""
    old, new = (
        Counter((e.code, e.span.file, e.message) for e in each) for each in (before, after)
    )
    return (old - new).total()


def _fix_scenarios(
    paths: Sequence[Path], mods: Sequence[str], files: Overlay, *, unsafe: bool
) -> tuple[dict[Path, tuple[str, str]], int]:
    """Fix the scenarios and lessons of packs without errors.

    Returns the texts, before and after, and how many findings are gone.
    """
    before: dict[str, str] = {}
    first: list[Diagnostic] = []

    def check(files: Files) -> Found:
        found: list[Diagnostic] = []
        sources: dict[str, SourceFile] = {}
        for folder in folders_of(paths):
            try:
                selection = select(str(folder), mods)
                report = lint_scenarios(selection.game, selection.mods, of=folder, files=files)
            except (CommandError, LintError):
                continue  # what is wrong with the pack itself was found before
            found += report.diagnostics
            sources |= report.sources
        for path, source in sources.items():
            before.setdefault(path, source.text)
        first[:] = first or found
        return Found(found, sources)

    def may_edit(path: str) -> bool:
        return Path(path).parent.name in {SCENARIOS, LESSONS}

    done = fix_all(check, may_edit, files, unsafe=unsafe)
    texts = {Path(path): (before[path], after) for path, after in done.changed.items()}
    return texts, _gone(first, done.left.findings)


def _pack_of(file: Path) -> Path | None:
    """Return the folder of the pack that a file is in."""
    return next((each for each in file.absolute().parents if (each / MANIFEST).is_file()), None)
