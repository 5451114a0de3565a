"""Repeated application of the fixes for findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import attrs

from rulesdsl.source.diagnostics import Diagnostic, Fix, Severity, edited
from rulesdsl.source.files import Files, Overlay
from rulesdsl.source.span import SourceFile, Span

MOST_CHECKS = 200  # in one call; a pack that needs more takes several calls
MOST_SLIPS = 4  # successive mistakes in one place that are fixed together

_Key = tuple[str, str, str]
_Repair = tuple["Diagnostic", "Fix"]


@attrs.frozen
class Found:
    """Result of a check, and the files checked."""

    findings: Sequence[Diagnostic]
    sources: Mapping[str, SourceFile]


@attrs.frozen
class Fixed:
    """Result of fixing: applied fixes, remaining findings, and changed files by path."""

    made: tuple[_Repair, ...]
    left: Found
    changed: dict[str, str]


def fix_all(
    check: Callable[[Files], Found],
    may_edit: Callable[[str], bool],
    files: Overlay | None = None,
    *,
    unsafe: bool = False,
) -> Fixed:
    """Apply fixes for findings in files that may be edited: only safe ones unless `unsafe`.

    `check` checks files through an overlay: a new one, or `files`, which then also contains the
    fixed files. Nothing is written to disk.
    """
    files = Overlay() if files is None else files
    return _Fixing(check, may_edit, files, unsafe=unsafe).run()


def is_better(before: Found, after: Found) -> bool:
    """Return whether changes are an improvement: fewer errors, none new, none near a change.

    If there were no errors, there must be fewer warnings, none of them new. Warnings that appear
    when errors disappear do not count: a repaired declaration may still be unused.
    """
    old, new = _errors(before), _errors(after)
    if not old:
        old, new = _counted(before.findings), _counted(after.findings)
    if new - old or new.total() >= old.total():
        return False
    return not any(
        each.severity is Severity.ERROR and _is_beside_new_line(each, before, after)
        for each in after.findings
    )


@attrs.define
class _Fixing:
    """Application of fixes to one pack; `found` has the findings in its current state.

    Fixes that do not overlap are tried together, or one by one if that is no improvement. Only
    the first mistake in a line is found, so fixes for findings that appear after a fix are applied
    as well, and all are kept or reverted together. The criterion is strict (`is_better`): an error
    in a changed declaration would mean that the fix misinterpreted the mistake. Fixes that replace
    words of the language are never safe, so a fixed line keeps its author's meaning.
    """

    check: Callable[[Files], Found]
    may_edit: Callable[[str], bool]
    files: Overlay
    unsafe: bool = attrs.field(kw_only=True)
    found: Found = attrs.field(init=False)
    checks: int = 0
    made: list[_Repair] = attrs.Factory(list)
    changed: dict[str, str] = attrs.Factory(dict)

    def run(self) -> Fixed:
        """Apply fixes until none is an improvement."""
        self.found = self._checked()
        known = {_key(each) for each in self.found.findings}
        useless: set[tuple[_Key, str]] = set()
        together = True
        while self.checks < MOST_CHECKS:
            wanted = [
                (about, fix)
                for about, fix in self._wanted(self.found, useless)
                if _key(about) in known or about.severity is Severity.ERROR
            ]
            if not wanted:
                break
            repairs = [*_apart(wanted)] if together else wanted[:1]
            if not self._try(repairs):
                if len(repairs) == 1:
                    useless.add((_key(repairs[0][0]), repairs[0][1].title))
                together = False
        return Fixed(tuple(self.made), self.found, self.changed)

    def _try(self, repairs: Sequence[_Repair]) -> bool:
        """Apply fixes, then those for new findings; revert all if that is no improvement."""
        before, texts = self.found, dict[str, str]()
        done: list[_Repair] = []
        after = before
        for _ in range(MOST_SLIPS):
            new = _texts_after(after, [fix for _, fix in repairs])
            self._put(new)
            texts |= new
            done += repairs
            after = self._checked()
            if is_better(before, after):
                self.found = after
                self.made += done
                self.changed |= texts
                return True
            known = _counted(before.findings)
            repairs = [
                *_apart(
                    (about, fix) for about, fix in self._wanted(after) if _key(about) not in known
                )
            ]
            if not repairs or self.checks >= MOST_CHECKS:
                break
        self._put({path: self.changed.get(path) for path in texts})
        return False

    def _checked(self) -> Found:
        self.checks += 1
        return self.check(self.files)

    def _put(self, texts: Mapping[str, str | None]) -> None:
        for path, text in texts.items():
            self.files.put(Path(path), text)

    def _wanted(
        self, found: Found, useless: Container[tuple[_Key, str]] = ()
    ) -> Iterator[_Repair]:
        """Yield the fix to apply for each finding that has one."""
        for each in found.findings:
            for fix in each.fixes:
                in_reach = all(self.may_edit(edit.span.file) for edit in fix.edits)
                good = fix.safe or self.unsafe
                if in_reach and good and (_key(each), fix.title) not in useless:
                    yield each, fix
                    break


def _apart(fixes: Iterable[_Repair]) -> Iterator[_Repair]:
    """Yield the fixes that do not overlap with an earlier one."""
    taken: list[Span] = []
    for about, fix in fixes:
        spans = [edit.span for edit in fix.edits]
        if not any(_meet(one, other) for one in spans for other in taken):
            taken += spans
            yield about, fix


def _meet(one: Span, other: Span) -> bool:
    """Return whether two spans overlap or touch."""
    return (
        one.file == other.file
        and (one.line, one.column) <= (other.end_line, other.end_column)
        and (other.line, other.column) <= (one.end_line, one.end_column)
    )


def _texts_after(found: Found, fixes: Sequence[Fix]) -> dict[str, str]:
    edits = [edit for fix in fixes for edit in fix.edits]
    return {
        path: edited(found.sources[path].text, [edit for edit in edits if edit.span.file == path])
        for path in dict.fromkeys(edit.span.file for edit in edits)
    }


def _errors(found: Found) -> Counter[_Key]:
    return _counted(each for each in found.findings if each.severity is Severity.ERROR)


def _counted(findings: Iterable[Diagnostic]) -> Counter[_Key]:
    counted: Counter[_Key] = Counter()
    for each in findings:
        counted[_key(each)] += 1 + each.more
    return counted


def _is_beside_new_line(finding: Diagnostic, before: Found, after: Found) -> bool:
    """Return whether a finding is in a declaration with a changed line."""
    old, new = (found.sources.get(finding.span.file) for found in (before, after))
    if old is None or new is None or not 1 <= finding.span.line <= len(new.lines):
        return False
    first = last = finding.span.line
    if finding.span.file.endswith(".rules"):
        while first > 1 and not _is_head(new.line(first)):
            first -= 1
        while last < len(new.lines) and not _is_head(new.line(last + 1)):
            last += 1
    return not set(new.lines[first - 1 : last]).issubset(old.lines)


def _is_head(line: str) -> bool:
    return line[:1] not in {"", " ", "#"}


def _key(finding: Diagnostic) -> _Key:
    return finding.code, finding.span.file, finding.message
