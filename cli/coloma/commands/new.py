"""`coloma new`: a starting point for a game, mod or entry, which passes `coloma lint`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from coloma.commands.parameters import PackName
from coloma.output import USAGE, CommandError, say
from rulesdsl.packs.folder import MANIFEST

_USAGE = """\
what do you want to make?
  coloma new game NAME              a small but complete game, in a new folder
  coloma new mod NAME [--pack GAME] a mod for a game, in a new folder
  coloma new KIND NAME --mod FOLDER an entry in a table, such as a card
The NAME of a game or mod may be a path. Inside a mod, --mod can be left out."""


def new(
    what: Annotated[
        str | None,
        typer.Argument(metavar="mod|game|KIND", help="A mod, a game, or a kind of entry."),
    ] = None,
    name: Annotated[
        str | None,
        typer.Argument(help="The name, in lower-case letters and hyphens, or a path."),
    ] = None,
    mod: Annotated[
        Path | None,
        typer.Option(
            "--mod",
            metavar="FOLDER",
            help="The mod, or your own game, to extend; by default, this folder.",
        ),
    ] = None,
    pack: PackName = None,
    bare: Annotated[  # noqa: FBT002 - a switch of the command line
        bool, typer.Option("--bare", help="Leave out the demo and the sample effects.")
    ] = False,
) -> None:
    """Create a new game, a new mod, or a new entry in a mod.

    The new files include a scenario and pass `coloma lint`. Existing files are never overwritten,
    and nothing is written if there is an error.
    """
    if what is None or name is None:
        raise CommandError(_USAGE, USAGE)
    if what in ("mod", "game"):
        if mod is not None:
            raise CommandError(f"--mod is only for new entries, not for a new {what}", USAGE)
        _new_folder(what, Path(name), pack, bare=bare)
        return
    if pack is not None:
        raise CommandError("--pack is only for `new mod`; a mod names its game itself", USAGE)
    if mod is None and not Path(MANIFEST).is_file():
        raise CommandError(
            f"name the mod to extend: coloma new {what} {name} --mod FOLDER"
            " (a new one: coloma new mod NAME)",
            USAGE,
        )
    _new_entry(what, name, mod or Path(), bare=bare)


def _new_folder(what: str, target: Path, pack: str | None, *, bare: bool) -> None:
    from coloma.scaffold.new_pack import new_game, new_mod

    if what == "mod":
        option = "" if bare else f" --option {target.name}.on=on"
        _tell(new_mod(target, pack, bare=bare), target.as_posix(), option)
    elif pack is None:
        _tell(new_game(target, bare=bare), target.as_posix())
    else:
        raise CommandError("--pack is only for `new mod`, and names its game", USAGE)


def _new_entry(what: str, name: str, mod: Path, *, bare: bool) -> None:
    from coloma.scaffold.new_entry import new_entry

    written, settings = new_entry(what, name, mod, bare=bare)
    _tell(written, str(mod))
    if settings:
        say("Some rules for it depend on an option that is off by default:")
        for each in settings:
            say(f"  --option {each}")


def _tell(written: Sequence[Path], folder: str, options: str = "") -> None:
    for path in written:
        say(f"{path} written")
    say("Next:")
    for command in ("lint", "test", "play --pack"):
        say(f"  coloma {command} {folder}{options if command.startswith('play') else ''}")
