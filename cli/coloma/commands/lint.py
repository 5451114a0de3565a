"""`coloma lint` and `coloma fmt`: findings in packs, and the canonical layout of rules."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from coloma.commands.parameters import ModNames, OnlyCheck
from coloma.output import FINDINGS, USAGE, CommandError, say
from rulesdsl.packs.folder import MANIFEST

if TYPE_CHECKING:
    from collections.abc import Mapping

    from coloma.linting import Checks
    from rulesdsl.source.diagnostics import Diagnostic
    from rulesdsl.source.language import Language
    from rulesdsl.source.span import SourceFile


class Format(StrEnum):
    """Output format of findings."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"


def lint(
    path: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Packs, or folders with packs. By default, this folder or the bundled packs."
        ),
    ] = None,
    mod: ModNames = None,
    form: Annotated[Format, typer.Option("--format", help="The output format.")] = Format.TEXT,
    output: Annotated[
        Path | None,
        typer.Option("--output", metavar="FILE", help="Write the findings to this file."),
    ] = None,
    *,
    fix: Annotated[
        bool, typer.Option("--fix", help="Apply the safe fixes; show the remaining findings.")
    ] = False,
    unsafe: Annotated[
        bool, typer.Option("--unsafe", help="With --fix: apply all fixes, including unsafe ones.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="With --fix: change nothing; show what would change.")
    ] = False,
) -> None:
    """Check packs and their mods.

    Nothing is printed if there are no findings. For a folder that is not a pack, every pack in it
    is checked. A mod is checked with its game, and all mods for one game are also checked
    together; findings in the game itself are reported only when the game is checked. The exit
    status is 0 if there are no findings, 1 if there are, and 2 for a usage error.

    --fix changes only files of the named packs, including scenarios and lessons. It applies the
    safe fixes; --unsafe applies all fixes, and you should review the result. A fix that would
    cause new findings is skipped. Layout is never reported: `coloma fmt` takes care of it. With
    --diff, the exit status is 1 if there is anything to fix.
    """
    from coloma.files import write_whole
    from coloma.linting import check_all, promise
    from coloma.packs import note_of, usual_folder
    from rulesdsl.source.render import INKS

    if (unsafe or diff) and not fix:
        raise CommandError(f"{'--unsafe' if unsafe else '--diff'} requires --fix", USAGE)
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
    from coloma.fixing import difference_of, fix_packs, write_texts
    from coloma.packs import note_of, usual_folder

    if not path and note_of(usual_folder()) is None:
        raise CommandError("name the folder to fix: installed packs are never changed", USAGE)
    fixes = fix_packs(path, mod, unsafe=unsafe)
    if diff:
        say(difference_of(fixes.texts), nl=False)
        raise typer.Exit(FINDINGS if fixes.texts else 0)
    write_texts(fixes.texts)
    for each in fixes.texts:
        say(f"{each} changed", err=True)
    skipped = sum(
        any(fix.safe or unsafe for fix in finding.fixes) for finding in fixes.left.findings
    )
    if skipped:
        remedies = "1 fix is" if skipped == 1 else f"{skipped} fixes are"
        say(f"coloma: {remedies} skipped, as other findings would appear", err=True)
    return fixes.left


def _rendered(
    form: Format,
    found: Sequence[Diagnostic],
    sources: Mapping[str, SourceFile],
    *,
    for_file: bool,
) -> str:
    from rulesdsl.source.render import render_github, render_json, render_sarif, render_text

    if not found and form in {Format.TEXT, Format.GITHUB}:
        return ""
    match form:
        case Format.TEXT:
            from coloma.session.screen import screen_for  # a slow import

            colour = not for_file and screen_for(plain=False).colour
            return render_text(found, sources, colour=colour)
        case Format.JSON:
            return render_json(found, sources)
        case Format.SARIF:
            return render_sarif(found, sources, tool="coloma")
        case Format.GITHUB:
            return render_github(found, sources)


_MARK = "\ufeff"  # byte order mark, which some editors write
_CRLF = "\r\n"


def fmt(
    path: Annotated[
        list[Path], typer.Argument(help="Rules files, packs, or folders that contain packs.")
    ],
    *,
    check: OnlyCheck = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Change nothing; show what would change.")
    ] = False,
    upgrade: Annotated[
        bool, typer.Option("--upgrade", help="Rewrite packs in the newest language instead.")
    ] = False,
) -> None:
    """Format rules in the canonical layout.

    Comments and line endings stay as they are. A pack is formatted together with the mods in its
    subfolders; in a folder that is not a pack, all rules files are formatted.

    --upgrade rewrites packs of an older language, with their scenarios, lessons and weights, and
    says what it did: their pack.toml states the language, names that are words of the language now
    get a number, statements that tell something hidden end with `shown`, options that begin alike
    get verbs, and options have the ids of now. Where only the author can name an option, the pack
    stays as it is, and the exit status is 1.

    The exit status is 1 if a file cannot be parsed, or, with --check or --diff, if anything would
    change.
    """
    from coloma.files import difference, read_text, write_whole
    from coloma.packs import pack_of
    from rulesdsl.packs.pack_source import language_of
    from rulesdsl.source.diagnostics import LintError

    if upgrade:
        raise typer.Exit(_upgrade(path, check=check, diff=diff))
    changed = broken = False
    for file in dict.fromkeys(each for one in path for each in _rules_in(one)):
        within = pack_of(file) or file.absolute().parent
        try:
            before = read_text(file, within)
            after = _formatted(before, file, language_of(within))
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


def _upgrade(paths: Sequence[Path], *, check: bool, diff: bool) -> int:
    """Rewrite packs in the newest language; return the exit status."""
    from coloma.fixing import difference_of, write_texts
    from coloma.packs import packs_at, select
    from rulesdsl.editor.upgrade import upgraded
    from rulesdsl.source.diagnostics import LintError

    changed = broken = False
    for pack in chain.from_iterable(map(packs_at, paths)):
        home = select(str(pack.folder), ())
        try:
            upgrade = upgraded(home.game, home.mods, pack.folder)
        except LintError as error:
            say(
                f"{pack.folder}: not rewritten before this is corrected:\n{error}",
                err=True,
                nl=False,
            )
            broken = True
            continue
        changed |= bool(upgrade.texts)
        if diff:
            say(difference_of(upgrade.texts), nl=False)
            continue
        for note in upgrade.notes or ["written in the newest language already"]:
            say(f"{pack.folder}: {note}")
        if not check:
            write_texts(upgrade.texts)
    return FINDINGS if broken or (changed and (check or diff)) else 0


def _formatted(text: str, file: Path, language: Language) -> str:
    """Return rules in canonical layout; the byte order mark and line endings stay."""
    from rulesdsl.syntax.format import format_rules

    plain = text.removeprefix(_MARK).replace(_CRLF, "\n")
    after = format_rules(plain, file.as_posix(), language)
    if text.count(_CRLF) * 2 > text.count("\n"):
        after = after.replace("\n", _CRLF)
    return f"{_MARK}{after}" if text.startswith(_MARK) else after


def _rules_in(path: Path) -> list[Path]:
    from coloma.packs import pack_of, packs_at

    if path.is_dir():
        found = sorted(
            each
            for each in path.rglob("*.rules")
            if each.is_file()
            and not any(part.startswith(".") for part in each.relative_to(path).parts)
        )
        if not (path / MANIFEST).is_file():
            return found
        meant = {each.folder.absolute() for each in packs_at(path)}
        return [each for each in found if pack_of(each) in meant]
    if not path.exists():
        raise CommandError(f"there is no {path}", USAGE)
    return [path]
