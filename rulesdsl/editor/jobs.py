"""Slow jobs of the language server, each in a process of its own: `python -m ... JOB ARGS`.

A job works on the files as they are saved, and what it prints is its answer.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from rulesdsl.source.diagnostic import LintError

TEST, FORM = "test", "form"
_PATIENCE = 120  # house: seconds; the slowest pack that we ship takes 10


async def run(job: str, *arguments: str) -> str:
    """Run a job, and return what it prints."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        __name__,
        job,
        *arguments,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        said, _ = await asyncio.wait_for(process.communicate(), _PATIENCE)
    except TimeoutError:
        process.kill()
        return f"It took more than {_PATIENCE} seconds, and was stopped."
    return said.decode("utf-8", errors="replace").strip()


def _test(of: str, only: str, game: str, *mods: str) -> str:
    """Run the scenarios of a pack that have some words in their name, file or rules."""
    from rulesdsl.scenarios import run_scenarios  # noqa: PLC0415 - a process of its own

    return str(run_scenarios(game, mods, of=of, only=only or None))


def _form(name: str, stage: str, game: str, *mods: str) -> str:
    """Return what becomes of a verb, step or value at a stage."""
    import rulesdsl  # noqa: PLC0415 - a process of its own
    from rulesdsl.interpreter.stages import stage as lines_of  # noqa: PLC0415

    pack = rulesdsl.load(game, [Path(each) for each in mods])
    setting = pack.setting(pack.players[0], {}, log=False)
    lines = list(lines_of(setting, name, stage))
    return "\n".join(lines) or f"There is no verb, step or value {name}."


def main(arguments: Sequence[str]) -> None:
    """Run the job that is asked for."""
    job, *rest = arguments
    try:
        sys.stdout.write({TEST: _test, FORM: _form}[job](*rest) + "\n")
    except LintError as error:
        sys.stdout.write(f"{error}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
