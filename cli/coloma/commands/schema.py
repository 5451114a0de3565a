"""`coloma schema`: what an editor has to know to help with the TOML files of a pack."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from coloma.commands.parameters import ModNames, OnlyCheck, PackName
from coloma.errors import FINDINGS
from coloma.output import say


def schema(
    pack: PackName = None,
    mod: ModNames = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="DIR", help="Where to write; by default into the pack itself."
        ),
    ] = None,
    *,
    check: OnlyCheck = False,
    figures: Annotated[
        bool,
        typer.Option("--figures", help="Show that of `simulate --json` and `compare --json`."),
    ] = False,
) -> None:
    """Write JSON Schema for the TOML files of a pack, from the declarations in its rules.

    It goes into the pack itself and into the mods for it that are below. A folder that is no pack
    stands for every pack below it. With --mod it is that of the last mod, with --out that of the
    pack alone. Editors find it by the first line of a TOML file; files
    that lack this line are listed with it. The exit status is 1 with --check, where something
    would be changed.
    """
    from coloma.catalogue import pack_folder, packs_meant
    from coloma.selection import select
    from coloma.simulation.written import schema_text
    from coloma.writing_schemas import stale, write
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
            say(f"{target / path} names no schema: its first line can be: {line}")
    raise typer.Exit(FINDINGS if check and any_changed else 0)
