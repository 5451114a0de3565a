"""`coloma watch`: what is wrong, said again each time that a file of a pack is saved."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from coloma.commands.parameters import FirstOnly, ModNames, PackPath
from coloma.output import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from coloma.following import Changes
    from rulesdsl.scenarios.report import ScenarioReport
    from rulesdsl.scenarios.sharing import Processes, Task
    from rulesdsl.source.diagnostic import Diagnostic
    from rulesdsl.source.span import SourceFile


def watch(
    path: PackPath = None,
    mod: ModNames = None,
    first: FirstOnly = False,  # noqa: FBT002 - a flag of the command line
) -> None:
    """Check packs each time that one of their files is saved, and run their scenarios.

    A pack is watched with the mods for it that are below, or with those of --mod laid over it; a
    folder that is no pack stands for every pack below it. What failed last comes first. Ctrl-C
    ends it.
    """
    from coloma.following import Changes
    from rulesdsl.scenarios.sharing import Processes

    tasks = _tasks(path, mod or (), first=first)
    changes = Changes(list(dict.fromkeys(one for each in tasks for one in _folders(each))))
    with Processes() as processes:
        try:
            _follow(tasks, processes, changes)
        except KeyboardInterrupt:
            say()


def _tasks(path: str | None, mods: Sequence[str], *, first: bool) -> list[Task]:
    """Return the packs that a path or a name stands for, each with what is loaded for it."""
    from coloma.selection import select_each
    from rulesdsl.scenarios.sharing import Task

    return [
        Task(each.game, each.mods, folder, first=first)
        for folder, each in select_each(path, mods).items()
    ]


def _folders(task: Task) -> tuple[Path, ...]:
    return (task.path, *task.mods)


def _follow(tasks: Sequence[Task], processes: Processes, changes: Changes) -> None:
    """Look, wait for a change, and look again, until somebody interrupts."""
    say(f"watching {', '.join(map(str, changes.folders))}: Ctrl-C ends it")
    affected = tasks
    while True:
        _look(affected, processes)
        changed = changes.wait()
        say(f"\nchanged: {', '.join(changed)}")
        packs = {pack for each in changed if (pack := _pack_of(Path(each), changes.folders))}
        affected = [each for each in tasks if packs & {*_folders(each)}] or tasks


def _pack_of(file: Path, folders: Iterable[Path]) -> Path | None:
    """Return the innermost of the folders that a file lies in."""
    around = [each for each in folders if file.is_relative_to(each)]
    return max(around, key=lambda each: len(each.parts), default=None)


def _look(tasks: Sequence[Task], processes: Processes) -> None:
    """Say what is wrong now: findings, scenarios that fail, and one line for all packs."""
    from rulesdsl.check.read import check_pack
    from rulesdsl.scenarios.report import join_reports
    from rulesdsl.source.diagnostic import LintError
    from rulesdsl.source.render_text import render

    began = time.perf_counter()
    found: dict[Diagnostic, None] = {}
    sources: dict[str, SourceFile] = {}
    lost = 0
    reports: list[ScenarioReport] = []
    for task in tasks:
        try:
            _, _, report = check_pack(task.path, task.mods)
            if not report.errors:
                reports.append(processes.run(task).scenarios)
        except (LintError, OSError) as error:  # such as a file that is gone between two looks
            say(str(error))
            lost += 1
        else:
            found |= dict.fromkeys(report.diagnostics)
            sources |= report.sources
    if found:
        say(render(tuple(found), sources))
    for ran in reports:
        if not ran.ok:
            say(f"{ran.failures}\n")
    number = len(found) + sum(len(each.findings) for each in reports) + lost
    findings = "no findings" if not number else f"{number} finding{'s' if number > 1 else ''}"
    said = join_reports(reports).summary if reports else "no scenario run"
    say(f"{findings}; {said} ({time.perf_counter() - began:.1f} s)")
