"""Latency for a designer: the time from an edit to all findings, and the time of whole checks."""

from __future__ import annotations

import os
import random
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from bench.table import number, render

CONTENT: Final = Path("content")
MODS: Final = (CONTENT / "mods" / "deluxe", CONTENT / "mods" / "variants")
EDITS: Final = 500
REPEATS: Final = 5  # whole checks, and lints in fresh processes
ENDINGS: Final = (".rules", ".toml", ".md")
NOT_READ: Final = {"scenarios", "lessons", "bots"}  # folders that lint does not read
LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
SEED: Final = 1
MILLISECONDS: Final = 1000


def report(_: float) -> str:
    """Return the table: 500 one-letter edits, each undone again, and whole checks."""
    edits, backs, findings = _edits(EDITS, SEED)
    rows = [_row(f"a letter in a {ending} file", edits[ending]) for ending in ENDINGS]
    rows.append(_row("a letter in any file", [each for found in edits.values() for each in found]))
    rows.append(_row("undoing it", backs))
    rows.append(_row("whole check, in a warm process", [_warm() for _ in range(REPEATS)]))
    rows.append(_row("coloma lint content", [_fresh() for _ in range(REPEATS)]))
    title = "From a change to all findings, Coloma with both mods, CPU milliseconds"
    note = f"{findings} of the edits have findings."
    return f"{render(title, ('', 'times', 'median', '95 %', 'most'), rows)}\n{note}"


def _row(what: str, times: list[float]) -> tuple[str, ...]:
    middle, high = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    return (
        what,
        str(len(times)),
        *(number(each * MILLISECONDS) for each in (middle, high, max(times))),
    )


def _edits(count: int, seed: int) -> tuple[dict[str, list[float]], list[float], int]:
    """Return edit times by file extension, undo times, and the number of edits with findings."""
    from rulesdsl.editor import Session

    texts = {path: path.read_text(encoding="utf-8") for path in _files()}
    session = Session(CONTENT, MODS)
    session.check()
    chance = random.Random(seed)
    edits: dict[str, list[float]] = {ending: [] for ending in ENDINGS}
    backs: list[float] = []
    findings = 0
    for _ in range(count):
        (path,) = chance.choices(list(texts), [len(each) for each in texts.values()])
        text = texts[path]
        at = chance.choice([at for at, sign in enumerate(text) if sign.isalpha()])
        letter = chance.choice(LETTERS.replace(text[at].lower(), ""))
        session.edit(path, text[:at] + letter + text[at + 1 :])
        began = time.process_time()
        state = session.check()
        edits[path.suffix].append(time.process_time() - began)
        findings += bool(state.report.diagnostics)
        session.edit(path, None)
        began = time.process_time()
        session.check()
        backs.append(time.process_time() - began)
    return edits, backs, findings


def _files() -> list[Path]:
    """Return the files that a lint of the game and its mods reads."""
    found = []
    for folder in (CONTENT, *MODS):
        inner = {each.parent for each in folder.rglob("pack.toml")} - {folder}
        for path in sorted(folder.rglob("*")):
            inside = path.relative_to(folder).parts[:-1]
            read = path.suffix in ENDINGS and (path.suffix != ".md" or "rulebook" in inside)
            if read and NOT_READ.isdisjoint(inside) and not inner & {*path.parents}:
                found.append(path)
    return found


def _warm() -> float:
    from rulesdsl.check.frontend import check_pack

    began = time.process_time()
    check_pack(CONTENT, MODS)
    return time.process_time() - began


def _fresh() -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([".", "cli"])}
    command = [sys.executable, "-m", "coloma", "lint", str(CONTENT)]
    subprocess.run(command, check=True, env=environment)  # noqa: S603 - ourselves
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
