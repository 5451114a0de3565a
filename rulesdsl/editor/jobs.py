"""Slow jobs of the language server, each in a subprocess: `python -m ... JOB ARGS`.

A job works on the saved files and prints its answer.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from rulesdsl.source.diagnostics import LintError

TEST, FORM = "test", "form"
_PATIENCE = 120  # seconds; the slowest shipped pack takes 10


async def run(job: str, *arguments: str) -> str:
    """Run a job in a subprocess; return its output."""
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
    from rulesdsl.scenarios import run_scenarios  # noqa: PLC0415 - subprocess

    return str(run_scenarios(game, mods, of=of, only=only or None))


def _form(name: str, stage: str, game: str, *mods: str) -> str:
    import rulesdsl  # noqa: PLC0415 - subprocess
    from rulesdsl.interpreter.dump import stage as lines_of  # noqa: PLC0415

    pack = rulesdsl.load(game, [Path(each) for each in mods])
    setting = pack.setting(pack.players[0], {}, log=False)
    lines = list(lines_of(setting, name, stage))
    return "\n".join(lines) or f"There is no verb, step or value {name}."


def main(arguments: Sequence[str]) -> None:
    """Run the job named by the arguments."""
    job, *rest = arguments
    try:
        sys.stdout.write({TEST: _test, FORM: _form}[job](*rest) + "\n")
    except LintError as error:
        sys.stdout.write(f"{error}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
