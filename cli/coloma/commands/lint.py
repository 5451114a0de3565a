"""`coloma lint`: everything that is wrong with packs."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from coloma.commands.parameters import ModNames
from coloma.errors import FINDINGS, USAGE, CommandError
from coloma.output import say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from coloma.linting import Checks
    from rulesdsl.source.diagnostic import Diagnostic
    from rulesdsl.source.span import SourceFile


class Format(StrEnum):
    """How the findings are written."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"


_FOR_PEOPLE = (Format.TEXT, Format.GITHUB)


def lint(
    path: Annotated[
        list[Path] | None,
        typer.Argument(help="Packs, or folders that contain some. By default this one or ours."),
    ] = None,
    mod: ModNames = None,
    form: Annotated[Format, typer.Option("--format", help="How to write it.")] = Format.TEXT,
    output: Annotated[
        Path | None,
        typer.Option("--output", metavar="FILE", help="Write it to a file."),
    ] = None,
    *,
    fix: Annotated[
        bool, typer.Option("--fix", help="Fix what leaves no doubt; show the rest.")
    ] = False,
    unsafe: Annotated[
        bool, typer.Option("--unsafe", help="With --fix: make all fixes, also doubtful ones.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="With --fix: change nothing; show what would change.")
    ] = False,
) -> None:
    """Check the pack in a folder and the mods for it; say nothing if all is well.

    A folder that is no pack stands for every pack below it. A mod is checked on its game, and mods
    for one game together; what is wrong with the game itself is said only where the game is
    checked. The exit status is 0 without findings, 1 with findings, 2 for a wrong call.

    --fix changes the files of the packs that are named, and no others; their scenarios and lessons
    as well. It makes the fixes that leave no doubt; --unsafe makes all there are, and you look at
    the result. A fix after which there would be more to find is not made. How lines are laid out
    is no finding: `coloma fmt` formats them. With --diff the exit status is 1 if there is a fix.
    """
    from coloma.catalogue import note_of, usual_folder
    from coloma.files import write_whole
    from coloma.linting import check_all, promise
    from rulesdsl.source.render_text import INKS

    if (unsafe or diff) and not fix:
        raise CommandError(f"{'--unsafe' if unsafe else '--diff'} goes with --fix", USAGE)
    if not path and (note := note_of(usual_folder())):
        say(note, err=True)
    if fix:
        checks = _fixed(path or [], mod or (), unsafe=unsafe, diff=diff)
    else:
        checks = check_all(path or [], mod or ())
    text = _rendered(form, checks.findings, checks.sources, for_file=bool(output))
    if output:
        write_whole(output, text)
    else:
        say(text, nl=False, inks=INKS if form is Format.TEXT else ())
    for note in checks.notes:
        say(f"coloma: {note}", err=True)
    untouched = not fix and form is Format.TEXT
    if untouched and (note := promise(checks.findings, path or [], mod or ())):
        say(note, err=True)
    raise typer.Exit(FINDINGS if checks.findings or checks.notes else 0)


def _fixed(path: list[Path], mod: Sequence[str], *, unsafe: bool, diff: bool) -> Checks:
    """Fix packs and return what is left, or show what would be changed and end."""
    from coloma.catalogue import note_of, usual_folder
    from coloma.fixing import fix_packs

    if not path and note_of(usual_folder()) is None:
        raise CommandError("say which folder to fix: installed packs stay as they are", USAGE)
    fixes = fix_packs(path, mod, unsafe=unsafe)
    if diff:
        say(fixes.difference(), nl=False)
        raise typer.Exit(FINDINGS if fixes.texts else 0)
    fixes.write()
    for each in fixes.texts:
        say(f"{each} changed", err=True)
    return fixes.left


def _rendered(
    form: Format,
    found: Sequence[Diagnostic],
    sources: Mapping[str, SourceFile],
    *,
    for_file: bool,
) -> str:
    """Return the findings as text; people are told nothing where nothing is wrong."""
    from rulesdsl.source import render_github, render_json, render_sarif, render_text

    if not found and form in _FOR_PEOPLE:
        return ""
    match form:
        case Format.TEXT:
            return render_text.render(found, sources, colour=not for_file and _wants_colour())
        case Format.JSON:
            return render_json.render(found, sources)
        case Format.SARIF:
            return render_sarif.render(found, sources, tool="coloma")
        case Format.GITHUB:
            return render_github.render(found, sources)


def _wants_colour() -> bool:
    from coloma.session.screen import screen_for

    return screen_for(plain=False).colour
