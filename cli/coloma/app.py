"""Entry point of the command `coloma`: reports errors and sets the exit status."""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from coloma.commands import COMMANDS
from coloma.output import FINDINGS, INTERRUPTED, CommandError, say
from rulesdsl.source.diagnostics import LintError
from rulesdsl.source.files import reason

FEW_COLLECTIONS = 50_000  # house: 10 MB; a collection traverses all objects

_NO_FOLDER = "the working folder no longer exists; change to another one (`cd`)"

app = typer.Typer(
    name="coloma",
    epilog="To change a game or write one: `coloma explain tutorial`, `coloma new`,"
    " `coloma explain mods`, `coloma explain language`, `coloma vocabulary`.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for name, command in COMMANDS.items():
    app.command(name)(command)


def _say_version(wanted: bool) -> None:  # noqa: FBT001 - typer calls it with the option
    if wanted:
        from importlib.metadata import version  # a slow import

        say(f"coloma {version('coloma')}")
        raise typer.Exit


@app.callback()
def coloma(
    *,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_say_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Play board games whose rules are content, and check the rules."""


def main(argv: Sequence[str] | None = None) -> None:
    """Run a command; exits with `SystemExit`, and reports errors on stderr."""
    gc.set_threshold(FEW_COLLECTIONS)
    _open_what_is_closed()
    _forgive_encodings()
    try:
        app(args=argv, prog_name="coloma")
    except LintError as error:
        say(str(error), err=True, nl=False)
        raise SystemExit(FINDINGS) from None
    except CommandError as error:
        say(f"coloma: {error}", err=True)
        raise SystemExit(error.status) from None
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
    except BrokenPipeError:  # the reader of our output has closed the pipe
        _let_go_of_output()
        raise SystemExit(FINDINGS) from None
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        said = f"{where}{reason(error)}" if _has_folder() else _NO_FOLDER
        say(f"coloma: {said}", err=True)
        try:
            sys.stdout.flush()
        except OSError:  # our output refuses the data, and would do so again at exit
            _let_go_of_output()
        raise SystemExit(FINDINGS) from None


def _has_folder() -> bool:
    try:
        os.getcwd()  # noqa: PTH109 - it is asked for, not used
    except OSError:
        return False
    return True


def _let_go_of_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _open_what_is_closed() -> None:
    """Open the null device in place of each closed standard stream.

    Otherwise Python has no such stream, and the next file opened gets its descriptor.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - for good


def _forgive_encodings() -> None:
    """Replace characters that the terminal cannot encode instead of failing."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
