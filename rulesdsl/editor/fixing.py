"""Making the fixes that findings carry, round after round, until there is nothing left to fix.

The files are not touched: what they would say lies over them, and is checked again after each
round. A round after which there is more to complain about than before is taken back; from then on
fixes are made one by one, and those that do no good are left alone. A warning that shows only
after a fix is left: what was just repaired is not to be removed because nothing uses it yet.
"""

from __future__ import annotations

from collections import Counter
from operator import gt
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from rulesdsl.editor.overlay import Overlay
from rulesdsl.source.diagnostic import Severity
from rulesdsl.source.editing import edited

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from rulesdsl.source.diagnostic import Diagnostic
    from rulesdsl.source.files import Files
    from rulesdsl.source.fix import Fix
    from rulesdsl.source.span import SourceFile, Span

MOST_CHECKS = 200  # house: a pack with more to fix than that is fixed by several calls

_Key = tuple[str, str, str]


@attrs.frozen
class Found:
    """What a check found, and the texts that it was found in."""

    findings: Sequence[Diagnostic]
    sources: Mapping[str, SourceFile]


@attrs.frozen
class Fixed:
    """What fixing came to: the fixes made, what is found now, and the changed texts by path."""

    made: tuple[tuple[Diagnostic, Fix], ...]
    left: Found
    changed: dict[str, str]


def fix_all(
    check: Callable[[Files], Found],
    may_edit: Callable[[str], bool],
    files: Overlay | None = None,
    *,
    unsafe: bool = False,
) -> Fixed:
    """Make the safe fixes of findings, or all of them, in the files that may be edited.

    `check` checks files as they are under an overlay: one of its own, or `files`, which then has
    the fixed texts as well. Nothing is written.
    """
    files = Overlay() if files is None else files
    found = check(files)
    known = {_key(each) for each in found.findings}
    made: list[tuple[Diagnostic, Fix]] = []
    changed: dict[str, str] = {}
    useless: set[tuple[_Key, str]] = set()
    most: int | None = None
    for _ in range(MOST_CHECKS):
        wanted = (
            each
            for each in _wanted(found, may_edit, unsafe=unsafe)
            if (_key(each[0]), each[1].title) not in useless
            and (_key(each[0]) in known or each[0].severity is Severity.ERROR)
        )
        fixes = [*_apart(wanted)][:most]
        if not fixes:
            break
        texts = _texts_after(found, [fix for _, fix in fixes])
        _put(files, texts)
        after = check(files)
        if is_worse(found, after, fixes):
            _put(files, {path: changed.get(path) for path in texts})
            if most == 1:
                useless.update((_key(about), fix.title) for about, fix in fixes)
            most = 1
        else:
            made += fixes
            changed |= texts
            found = after
    return Fixed(tuple(made), found, changed)


def is_worse(before: Found, after: Found, fixes: Iterable[tuple[Diagnostic, Fix]]) -> bool:
    """Whether fixes did more harm than good: none is gone, or something as bad is new.

    What can be read, or has a meaning, only now may show another slip, in place of the one that
    hid it: such a finding has a later code, for the codes are in the order of the checks.
    """
    old, new = (Counter(map(_key, each.findings)) for each in (before, after))
    fixed = [about for about, _ in fixes]
    warnings_only = all(each.severity is Severity.WARNING for each in fixed)
    severity = {_key(each): each.severity for each in after.findings}
    bad = [key for key in (new - old) if warnings_only or severity[key] is Severity.ERROR]
    shown = sorted(code for code, *_ in bad)
    hid = sorted(each.code for each in fixed if (old - new)[_key(each)])
    return not hid or len(shown) > len(hid) or not all(map(gt, shown, hid))


def _wanted(
    found: Found, may_edit: Callable[[str], bool], *, unsafe: bool
) -> Iterator[tuple[Diagnostic, Fix]]:
    """Yield the fix to make for each finding that has one."""
    for each in found.findings:
        for fix in each.fixes:
            in_reach = all(may_edit(edit.span.file) for edit in fix.edits)
            if in_reach and (fix.safe or unsafe):
                yield each, fix
                break


def _apart(fixes: Iterable[tuple[Diagnostic, Fix]]) -> Iterator[tuple[Diagnostic, Fix]]:
    """Yield the fixes that no earlier one gets in the way of."""
    taken: list[Span] = []
    for about, fix in fixes:
        spans = [edit.span for edit in fix.edits]
        if not any(_meet(one, other) for one in spans for other in taken):
            taken += spans
            yield about, fix


def _meet(one: Span, other: Span) -> bool:
    """Whether two stretches share something; where they only touch, too."""
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


def _put(files: Overlay, texts: Mapping[str, str | None]) -> None:
    for path, text in texts.items():
        files.put(Path(path), text)


def _key(finding: Diagnostic) -> _Key:
    """Return what a finding is known by while lines move."""
    return finding.code, finding.span.file, finding.message
