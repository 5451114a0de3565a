"""`coloma dump`, `schema` and `lsp`: compiled rules, JSON schemas, the language server."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from coloma.commands.parameters import ModNames, OptionTexts, PackName, PlayerNumber
from coloma.files import write_whole
from coloma.output import USAGE, CommandError, say


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
    figures: Annotated[
        bool,
        typer.Option(
            "--figures", help="Show the schema of `simulate --json` and `compare --json`."
        ),
    ] = False,
) -> None:
    """Write JSON Schemas for the TOML files of a pack, or with --mod for those of the last mod.

    They are derived from the declarations in the rules, for TOML tools that do not use the
    language server; `coloma explain editors` shows how to set these up.
    """
    from coloma.packs import pack_folder, select
    from coloma.simulation.tables import schema_text
    from rulesdsl.schema import schemas_of

    if figures:
        say(schema_text(), nl=False)
        return
    target = pack_folder(mod[-1] if mod else pack)
    selection = select(pack, mod) if mod else select(str(target), ())
    folder = out or target / "schema"
    for name, text in schemas_of(selection.game, selection.mods, of=target).items():
        write_whole(folder / name, text, out or target)
        say(f"{folder / name} written")


def lsp() -> None:
    """Run the language server over standard input and output.

    Editors start and stop it; `coloma explain editors` describes how to set them up.
    """
    from coloma.fixing import packs_of
    from rulesdsl.editor.server import serve

    serve(packs_of)
