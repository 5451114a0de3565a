"""`coloma watch`: after each save, what is wrong, and whether scenarios still pass."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from coloma.commands.parameters import FirstOnly, ModNames, PackPath
from coloma.output import say

if TYPE_CHECKING:
    from coloma.following import Changes
    from rulesdsl.scenarios.sharing import Processes, Task


def watch(
    path: PackPath = None,
    mod: ModNames = None,
    first: FirstOnly = False,  # noqa: FBT002 - a flag of the command line
) -> None:
    """Check a pack each time that one of its files is saved, and run its scenarios.

    What failed last comes first. Ctrl-C ends it.
    """
    from coloma.catalogue import pack_folder
    from coloma.following import Changes
    from coloma.selection import select
    from rulesdsl.scenarios.sharing import Processes, Task

    selection = select(path, mod or ())
    changes = Changes([selection.game, *selection.mods])
    task = Task(selection.game, selection.mods, pack_folder(path), first=first)
    with Processes() as processes:
        try:
            _follow(task, processes, changes)
        except KeyboardInterrupt:
            say()


def _follow(task: Task, processes: Processes, changes: Changes) -> None:
    """Look, wait for a change, and look again, until somebody interrupts."""
    say(f"watching {', '.join(map(str, changes.folders))}: Ctrl-C ends it")
    while True:
        _look(task, processes)
        changed = changes.wait()
        say(f"\nchanged: {', '.join(changed)}")


def _look(task: Task, processes: Processes) -> None:
    """Say what is wrong now: findings, scenarios that fail, and one line."""
    from rulesdsl.check.read import check_pack
    from rulesdsl.source.diagnostic import LintError
    from rulesdsl.source.render_text import render

    began = time.perf_counter()
    try:
        _, _, report = check_pack(task.path, task.mods)
        ran = None if report.errors else processes.run(task).scenarios
    except (LintError, OSError) as error:  # such as a file that is gone between two looks
        say(str(error))
        say("1 finding; no scenario run")
        return
    if report.diagnostics:
        say(render(report.diagnostics, report.sources))
    if ran is not None and not ran.ok:
        say(f"{ran.failures}\n")
    number = len(report.diagnostics) + (len(ran.findings) if ran is not None else 0)
    findings = "no findings" if not number else f"{number} finding{'s' if number > 1 else ''}"
    scenarios = "no scenario run" if ran is None else ran.summary
    say(f"{findings}; {scenarios} ({time.perf_counter() - began:.1f} s)")
