"""`coloma watch`: after each save, what is wrong, and whether scenarios still pass."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from coloma.commands.parameters import ModNames, PackPath
from coloma.output import say

if TYPE_CHECKING:
    from coloma.following import Changes
    from rulesdsl.editor.watching import Look


def watch(path: PackPath = None, mod: ModNames = None) -> None:
    """Check a pack each time that one of its files is saved, and run what the change touches.

    A scenario is run again where it depends on what has changed, or did not pass; what passed in
    earlier runs of `test` and `watch` is known. Ctrl-C ends it.
    """
    from coloma.catalogue import pack_folder
    from coloma.following import Changes
    from coloma.selection import select
    from rulesdsl.editor.watching import Watching

    selection = select(path, mod or ())
    changes = Changes([selection.game, *selection.mods])
    watching = Watching(selection.game, selection.mods, pack_folder(path))
    try:
        _follow(watching.look, changes)
    except KeyboardInterrupt:
        say()


def _follow(look: Callable[[], Look], changes: Changes) -> None:
    """Look, wait for a change, and look again, until somebody interrupts."""
    say(f"watching {', '.join(map(str, changes.folders))}: Ctrl-C ends it")
    while True:
        _tell(look)
        changed = changes.wait()
        say(f"\nchanged: {', '.join(changed)}")


def _tell(look: Callable[[], Look]) -> None:
    """Say what a look found: findings, scenarios that fail, and one line."""
    from rulesdsl.source.diagnostic import LintError
    from rulesdsl.source.render_text import render

    began = time.perf_counter()
    try:
        found = look()
    except (LintError, OSError) as error:  # such as a file that is gone between two looks
        say(str(error))
        say("1 finding; no scenario run")
        return
    report, ran = found.report, found.ran
    if report.diagnostics:
        say(render(report.diagnostics, report.sources))
    if ran is not None and not ran.ok:
        say(f"{ran.failures}\n")
    took = time.perf_counter() - began
    say(f"{_findings(found)}; {_scenarios(found)} ({took:.1f} s)")


def _findings(found: Look) -> str:
    own = found.ran.findings if found.ran is not None else ()
    number = len(found.report.diagnostics) + len(own)
    return "no findings" if not number else f"{number} finding{'s' if number > 1 else ''}"


def _scenarios(found: Look) -> str:
    if found.ran is None:
        return "no scenario run"
    run = len(found.ran.results)
    if not run and not found.ran.unreadable:
        return f"none of {found.every} scenarios touched"
    return f"{run} of {found.every} scenarios run: {found.ran.summary}"
