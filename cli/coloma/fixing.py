"""Fixes for packs, scenarios and lessons, as `lint --fix` applies them.

Fixes are made in memory, and only to the named packs: an error in a game is not fixed through one
of its mods. A file is written only if it still contains the text that was checked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import attrs

from coloma.files import difference, read_text, write_whole
from coloma.linting import Checks, check_all, folders_of
from coloma.output import CommandError
from coloma.packs import (
    Selection,
    compatible,
    home_of,
    introduce,
    pack_of,
    packs_around,
    packs_at,
    select,
)
from rulesdsl.check.frontend import check_pack
from rulesdsl.editor.fixing import Found, fix_all
from rulesdsl.editor.project import Packs
from rulesdsl.packs.folder import LESSONS, SCENARIOS
from rulesdsl.scenarios.lessons import lint_scenarios
from rulesdsl.source.diagnostics import Diagnostic, LintError, Report
from rulesdsl.source.files import Files, Overlay
from rulesdsl.source.span import SourceFile

_MARK = "\ufeff"  # byte order mark, which is not part of the checked text


@attrs.frozen
class Fixes:
    """Applied fixes: their number, the files before and after, and the remaining findings."""

    count: int
    texts: dict[Path, tuple[str, str]]
    left: Checks


def write_texts(texts: Mapping[Path, tuple[str, str]]) -> None:
    """Write files, each given before and after; raise `CommandError` if one has changed since."""
    marks: dict[Path, str] = {}
    for path, (before, _) in texts.items():
        now = read_text(path, pack_of(path))
        if now.removeprefix(_MARK) != before:
            raise CommandError(f"{path} has changed since it was checked; nothing was written")
        marks[path] = now[: len(now) - len(before)]
    for path, (_, after) in texts.items():
        write_whole(path, marks[path] + after, pack_of(path))


def difference_of(texts: Mapping[Path, tuple[str, str]]) -> str:
    """Return changes of files, each given before and after, as a unified diff."""
    return "".join(difference(*both, path) for path, both in texts.items())


def fix_packs(paths: Sequence[Path], mods: Sequence[str], *, unsafe: bool) -> Fixes:
    """Fix the findings of packs in memory; unless `unsafe`, apply only safe fixes."""
    named = {folder.resolve() for folder in folders_of(paths)}
    checks: list[Checks] = []
    files = Overlay()

    def check(files: Files) -> Found:
        def lint(game: Path, over: Sequence[Path]) -> Report:
            return check_pack(game, over, files)[2]

        checks.append(check_all(paths, mods, lint))
        return Found(checks[-1].findings, checks[-1].sources)

    def may_edit(path: str) -> bool:
        pack = pack_of(Path(path))
        return pack is not None and pack.resolve() in named

    done = fix_all(check, may_edit, files, unsafe=unsafe)
    # pages are read only once the rules have no errors
    first = {path: file.text for found in reversed(checks) for path, file in found.sources.items()}
    texts = {Path(path): (first[path], after) for path, after in done.changed.items()}
    left = next(each for each in checks if each.findings is done.left.findings)
    tests, gone = _fix_scenarios(paths, mods, files, unsafe=unsafe)
    texts |= {path: both for path, both in tests.items() if may_edit(str(path))}
    return Fixes(_gone(checks[0].findings, left.findings) + gone, texts, left)


def _gone(before: Iterable[Diagnostic], after: Iterable[Diagnostic]) -> int:
    old, new = (
        Counter((e.code, e.span.file, e.message) for e in each) for each in (before, after)
    )
    return (old - new).total()


def _fix_scenarios(
    paths: Sequence[Path], mods: Sequence[str], files: Overlay, *, unsafe: bool
) -> tuple[dict[Path, tuple[str, str]], int]:
    """Fix the scenarios and lessons of packs that have no errors.

    Return the files before and after, and the number of findings removed.
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
                continue  # findings in the pack itself are reported separately
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


def packs_of(folder: Path) -> Packs:
    """Return the game that the pack in a folder belongs to, with the mods found near the pack.

    All mods are loaded together, except those that an earlier one excludes.
    """
    pack, known = introduce(folder), packs_around(folder)
    home = home_of(pack, known) if pack.is_mod else Selection(folder)
    if home is None:
        return Packs(folder)
    game = home.game.absolute()
    every = {each.folder.absolute(): each for each in (*packs_at(game), pack)}
    mods = {
        path: (*found.mods, path)
        for path, each in every.items()
        if each.is_mod and (found := home_of(each, [*known, introduce(game)])) is not None
        if found.game.absolute() == game
    }
    together = compatible(every[path] for path in mods)
    return Packs(game, mods, tuple(each.folder.absolute() for each in together))
