"""`coloma fmt`: rules in the one way to write them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from coloma.commands.parameters import OnlyCheck
from coloma.errors import FINDINGS, USAGE, CommandError
from coloma.output import say
from rulesdsl.packs.folder import MANIFEST

_MARK = "\ufeff"  # some editors begin a file with it
_CRLF = "\r\n"


def fmt(
    path: Annotated[
        list[Path], typer.Argument(help="Files of rules, packs, or folders that contain some.")
    ],
    *,
    check: OnlyCheck = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Change nothing; show what would be changed.")
    ] = False,
) -> None:
    """Write rules in canonical form; comments stay where they are, line ends as they are.

    A pack is formatted with the mods for it that are below; a folder that is no pack, with
    everything below it.

    The exit status is 1 where a file cannot be read as rules, and, with --check or --diff, where
    something would be changed.
    """
    from coloma.difference import difference
    from coloma.files import read_text, write_whole
    from rulesdsl.source.diagnostic import LintError

    changed = broken = False
    for file in dict.fromkeys(each for one in path for each in _rules_in(one)):
        within = _pack_of(file)
        try:
            before = read_text(file, within)
            after = _formatted(before, file)
        except (LintError, CommandError) as error:
            ours = isinstance(error, CommandError)
            say(f"coloma: {error}" if ours else str(error), err=True, nl=ours)
            broken = True
            continue
        if after == before:
            continue
        changed = True
        if diff:
            say(difference(before, after, file), nl=False)
        elif check:
            say(f"{file} would be changed")
        else:
            write_whole(file, after, within)
            say(f"{file} changed")
    raise typer.Exit(FINDINGS if broken or (changed and (check or diff)) else 0)


def _formatted(text: str, file: Path) -> str:
    """Return a text in canonical form, with the byte order mark and the line ends that it has."""
    from rulesdsl.syntax.format import format_rules

    after = format_rules(text.removeprefix(_MARK).replace(_CRLF, "\n"), file.as_posix())
    if text.count(_CRLF) * 2 > text.count("\n"):
        after = after.replace("\n", _CRLF)
    return f"{_MARK}{after}" if text.startswith(_MARK) else after


def _rules_in(path: Path) -> list[Path]:
    """Return a file, the rules of a pack and of the mods for it, or all in and below a folder."""
    from coloma.catalogue import packs_at

    if path.is_dir():
        found = sorted(
            each
            for each in path.rglob("*.rules")
            if each.is_file() and not _is_hidden(each.relative_to(path))
        )
        if not (path / MANIFEST).is_file():
            return found
        meant = {each.folder.absolute() for each in packs_at(path)}
        return [each for each in found if _pack_of(each) in meant]
    if not path.exists():
        raise CommandError(f"there is no {path}", USAGE)
    return [path]


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _pack_of(file: Path) -> Path:
    """Return the folder of the pack that a file is in; its own folder where it is in none."""
    above = file.absolute().parents
    return next((each for each in above if (each / MANIFEST).is_file()), above[0])
