"""`coloma watch`: after each save, what is wrong, and whether scenarios still pass."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from coloma.commands.parameters import ModNames, PackPath
from coloma.output import say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from coloma.following import Changes
    from rulesdsl.editor.watching import Look


@attrs.frozen
class _Watched:
    """A pack that is watched: the folders that are loaded for it, and a look at it."""

    folders: tuple[Path, ...]
    look: Callable[[], Look]


def watch(path: PackPath = None, mod: ModNames = None) -> None:
    """Check packs each time that one of their files is saved, and run what the change touches.

    A pack is watched with the mods for it that are below, or with those of --mod laid over it; a
    folder that is no pack stands for every pack below it. A scenario is run again where it depends
    on what has changed, or did not pass; what passed in earlier runs of `test` and `watch` is
    known. Ctrl-C ends it.
    """
    from coloma.following import Changes

    watched = _watched(path, mod or ())
    changes = Changes(list(dict.fromkeys(one for each in watched for one in each.folders)))
    try:
        _follow(watched, changes)
    except KeyboardInterrupt:
        say()


def _watched(path: str | None, mods: Sequence[str]) -> list[_Watched]:
    """Return the packs that a path or a name stands for, with what looks at each."""
    from coloma.selection import select_each
    from rulesdsl.editor.watching import Watching

    return [
        _Watched((each.game, *each.mods), Watching(each.game, each.mods, folder).look)
        for folder, each in select_each(path, mods).items()
    ]


def _follow(watched: list[_Watched], changes: Changes) -> None:
    """Look, wait for a change, and look again, until somebody interrupts."""
    say(f"watching {', '.join(map(str, changes.folders))}: Ctrl-C ends it")
    affected = watched
    while True:
        _tell(each.look for each in affected)
        changed = changes.wait()
        say(f"\nchanged: {', '.join(changed)}")
        packs = {pack for each in changed if (pack := _pack_of(Path(each), changes.folders))}
        affected = [each for each in watched if packs & {*each.folders}] or watched


def _pack_of(file: Path, folders: Iterable[Path]) -> Path | None:
    """Return the innermost of the folders that a file lies in."""
    around = [each for each in folders if file.is_relative_to(each)]
    return max(around, key=lambda each: len(each.parts), default=None)


def _tell(looks: Iterable[Callable[[], Look]]) -> None:
    """Say what looks found: findings, scenarios that fail, and one line for all."""
    from rulesdsl.source.diagnostic import LintError
    from rulesdsl.source.render_text import render

    began = time.perf_counter()
    every: list[Look] = []
    lost = 0
    for look in looks:
        try:
            every.append(look())
        except (LintError, OSError) as error:  # such as a file that is gone between two looks
            say(str(error))
            lost += 1
    found = _together(every)
    report, ran = found.report, found.ran
    if report.diagnostics:
        say(render(report.diagnostics, report.sources))
    if ran is not None and not ran.ok:
        say(f"{ran.failures}\n")
    took = time.perf_counter() - began
    say(f"{_findings(found, lost)}; {_scenarios(found)} ({took:.1f} s)")


def _together(looks: Sequence[Look]) -> Look:
    """Return what several looks found as one; what is wrong with a game is in it once."""
    from rulesdsl.check.report import Report
    from rulesdsl.editor.watching import Look
    from rulesdsl.scenarios.report import ScenarioReport

    found = dict.fromkeys(one for each in looks for one in each.report.diagnostics)
    sources = {name: text for each in looks for name, text in each.report.sources.items()}
    runs = [each.ran for each in looks if each.ran is not None]
    ran = ScenarioReport(
        tuple(one for each in runs for one in each.results),
        tuple(one for each in runs for one in each.findings),
        sum(each.unreadable for each in runs),
        {name: text for each in runs for name, text in each.sources.items()},
    )
    every = sum(each.every for each in looks)
    return Look(Report(tuple(found), sources), ran if runs else None, every)


def _findings(found: Look, lost: int) -> str:
    own = found.ran.findings if found.ran is not None else ()
    number = len(found.report.diagnostics) + len(own) + lost
    return "no findings" if not number else f"{number} finding{'s' if number > 1 else ''}"


def _scenarios(found: Look) -> str:
    if found.ran is None:
        return "no scenario run"
    run = len(found.ran.results)
    if not run and not found.ran.unreadable:
        return f"none of {found.every} scenarios touched"
    return f"{run} of {found.every} scenarios run: {found.ran.summary}"
