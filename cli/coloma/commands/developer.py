"""`coloma dump`, `schema` and `lsp`: compiled rules, JSON schemas, the language server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from coloma.commands.parameters import ModNames, OnlyCheck, OptionTexts, PackName, PlayerNumber
from coloma.files import read_text, remove, write_whole
from coloma.output import FINDINGS, USAGE, CommandError, say


class Stage(StrEnum):
    """Intermediate form of a rule; the members are in the order of compilation."""

    TREE = "tree"
    FORM = "form"
    PYTHON = "python"
    WAT = "wat"


def dump(
    name: Annotated[
        str | None,
        typer.Argument(metavar="RULE", help="A verb, step or value; by default, all are listed."),
    ] = None,
    stage: Annotated[Stage, typer.Option("--stage", help="Stage of compilation.")] = Stage.FORM,
    players: PlayerNumber = None,
    option: OptionTexts = None,
    mod: ModNames = None,
    pack: PackName = None,
) -> None:
    """Show a rule at a stage of its compilation.

    The stage `tree` is the checked syntax tree, with all names resolved; `form` is the
    intermediate form, with only integers, arrays and bounded loops; `python` is the code that
    sessions run; `wat` is the code that simulations run.
    """
    from difflib import get_close_matches

    from coloma.loading import load_setting
    from rulesdsl.interpreter import dump as stages

    setting = load_setting(pack, mod, option, players).setting
    known = stages.names(setting)
    if name is None:
        for each in known:
            say(each)
        return
    lines = list(stages.stage(setting, name, stage.value))
    if not lines:
        near = ", ".join(get_close_matches(name, known, 3))
        advice = f"; did you mean {near}?" if near else ""
        raise CommandError(f"there is no verb, step or value {name}{advice}", USAGE)
    for line in lines:
        say(line)


def schema(
    pack: PackName = None,
    mod: ModNames = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="A folder; by default, `schema` in the pack."),
    ] = None,
    *,
    check: OnlyCheck = False,
    figures: Annotated[
        bool,
        typer.Option(
            "--figures", help="Show the schema of `simulate --json` and `compare --json`."
        ),
    ] = False,
) -> None:
    """Write JSON Schemas for the TOML files of a pack.

    They are derived from the declarations in the rules, and written to the pack and the mods in
    its subfolders. If the folder is not a pack, they are written to every pack in it. With --mod,
    only the schemas of the last mod are written; with --out, only the schemas of the pack. An
    editor finds the schema through a comment on the first line of a TOML file; files without it
    are listed, with the line to add. With --check, the exit status is 1 if anything would change.
    """
    from coloma.packs import pack_folder, packs_meant, select
    from coloma.simulation.tables import schema_text
    from rulesdsl.schema import FOLDER, schemas_of

    if figures:
        say(schema_text(), nl=False)
        return
    alone = mod or out
    targets = (
        [pack_folder(mod[-1] if mod else pack)]
        if alone
        else [each.folder for each in packs_meant(pack)]
    )
    any_changed = False
    for target in targets:
        selection = select(pack, mod) if mod else select(str(target), ())
        schemas = schemas_of(selection.game, selection.mods, of=target)
        folder = out or target / FOLDER
        within = out or target
        changed = stale(folder, schemas.texts, within)
        any_changed = any_changed or bool(changed)
        if not check:
            write(folder, schemas.texts, changed, within)
        for name in changed:
            say(f"{folder / name} {'would be changed' if check else 'changed'}")
        for path, line in schemas.unmarked.items():
            say(f"{target / path} names no schema; add this first line: {line}")
    raise typer.Exit(FINDINGS if check and any_changed else 0)


def lsp() -> None:
    """Run the language server over standard input and output.

    Editors start and stop it; `coloma explain editors` describes how to set them up.
    """
    from coloma.fixing import packs_of
    from rulesdsl.editor.server import serve

    serve(packs_of)


def stale(folder: Path, texts: Mapping[str, str], within: Path) -> list[str]:
    """Return the names of missing, outdated and unneeded schemas; other files are ignored."""
    from rulesdsl.schema import MARK

    ours = {
        each.relative_to(folder).as_posix(): text
        for each in folder.rglob("*.json")
        if MARK in (text := _text(each, within))
    }
    return sorted(name for name in ours.keys() | texts.keys() if ours.get(name) != texts.get(name))


def write(folder: Path, texts: Mapping[str, str], names: Sequence[str], within: Path) -> None:
    """Write the named schemas; remove those that have no text."""
    for name in names:
        if name in texts:
            write_whole(folder / name, texts[name], within)
        else:
            remove(folder / name, within)


def _text(path: Path, within: Path) -> str:
    try:
        return read_text(path, within)
    except CommandError:  # not a schema of ours
        return ""
