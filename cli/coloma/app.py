"""Entry point of the command `coloma`; it reports errors and sets the exit status."""

from __future__ import annotations

import ast
import gc
import inspect
import io
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from coloma.commands import COMMANDS
from coloma.output import FINDINGS, INTERRUPTED, CommandError, say
from rulesdsl.source.diagnostics import LintError
from rulesdsl.source.files import reason
from rulesdsl.table.errors import JournalError

FEW_COLLECTIONS = 50_000  # house: about 10 MB; each garbage collection traverses all objects

_NO_FOLDER = "the working folder no longer exists; change to another one (`cd`)"

app = typer.Typer(
    name="coloma",
    epilog="To write or change a game, see `coloma explain tutorial`, `coloma new`,"
    " `coloma explain mods`, `coloma explain language`, `coloma vocabulary`.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _description(command: Callable[..., None]) -> str | None:
    """Return the docstring of a command, from its source if Python drops it (`-OO`)."""
    if command.__doc__ is not None:
        return command.__doc__
    try:
        source = inspect.getsource(command)
    except OSError:  # a frozen program without sources
        return None
    return ast.get_docstring(ast.parse(source).body[0])  # type: ignore[arg-type]


for name, command in COMMANDS.items():
    app.command(name, help=_description(command))(command)


def _say_version(wanted: bool) -> None:  # noqa: FBT001 - typer calls it with the option
    if wanted:
        from rulesdsl.packs import ENGINE_VERSION  # other commands may not need it

        say(f"coloma {ENGINE_VERSION}")
        raise typer.Exit


def coloma(
    *,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_say_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Play board games, and write, check and test their rules."""


app.callback(help=_description(coloma))(coloma)


def main(argv: Sequence[str] | None = None) -> None:
    """Run a command and report its errors on stderr; always raises `SystemExit`."""
    gc.set_threshold(FEW_COLLECTIONS)
    _prepare_streams()
    try:
        app(args=_expanded(sys.argv[1:] if argv is None else argv), prog_name="coloma")
    except LintError as error:
        say(str(error), err=True, nl=False)
        raise SystemExit(FINDINGS) from None
    except CommandError as error:
        say(f"coloma: {error}", err=True)
        raise SystemExit(error.status) from None
    except JournalError as error:
        say(f"coloma: {error}", err=True)
        raise SystemExit(FINDINGS) from None
    except SystemExit as end:
        _say_interrupted(end)
        raise
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
    except BrokenPipeError:  # the reader of our output has closed the pipe
        _discard_output()
        raise SystemExit(FINDINGS) from None
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        try:
            Path.cwd()
            say(f"coloma: {where}{reason(error)}", err=True)
        except OSError:
            say(f"coloma: {_NO_FOLDER}", err=True)
        try:
            sys.stdout.flush()
        except OSError:  # writing would fail again at exit
            _discard_output()
        raise SystemExit(FINDINGS) from None


def _say_interrupted(end: SystemExit) -> None:
    """Report Ctrl-C, which typer turns into a status, unless the command has told of it."""
    if end.__context__ and isinstance(end.__context__.__cause__, KeyboardInterrupt):
        say("\ncoloma: interrupted", err=True)


def _expanded(argv: Sequence[str]) -> list[str]:
    """Return the arguments with `--coverage=broken`, a flag with a value, as two flags.

    `help` before a command stands for `--help` after it.
    """
    if argv[:1] == ["help"]:
        return [*argv[1:2], "--help"]
    both = ["--coverage", "--broken"]
    return [part for each in argv for part in (both if each == "--coverage=broken" else [each])]


def _discard_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _prepare_streams() -> None:
    """Open the null device for closed standard streams, and tolerate encoding errors.

    A closed stream would be None in Python, and the next file opened would get its descriptor.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - for good
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
