"""The command `coloma`: the one boundary between the commands and the shell."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

import typer

from coloma.commands import COMMANDS
from coloma.errors import FINDINGS, INTERRUPTED, CommandError
from rulesdsl.source.diagnostic import LintError

app = typer.Typer(
    name="coloma",
    help="Play board games whose rules are content, and check the rules.",
    epilog="To change a game or write one: `coloma explain tutorial`, `coloma new`,"
    " `coloma explain mods`, `coloma explain language`, `coloma vocabulary`.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for name, command in COMMANDS.items():
    app.command(name)(command)


def main(argv: Sequence[str] | None = None) -> None:
    """Run a command: ends with `SystemExit`, and what went wrong is said on stderr."""
    _forgive_encodings()
    try:
        app(args=argv, prog_name="coloma")
    except LintError as error:
        typer.echo(str(error), err=True, nl=False)
        raise SystemExit(FINDINGS) from None
    except CommandError as error:
        typer.echo(f"coloma: {error}", err=True)
        raise SystemExit(error.status) from None
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
    except BrokenPipeError:  # whoever read our output has gone, and wants no more of it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(FINDINGS) from None


def _forgive_encodings() -> None:
    """Show a sign that the terminal lacks as another one instead of failing."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
