"""`coloma dump`: what becomes of a rule, stage by stage."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from coloma.commands.parameters import ModNames, OptionTexts, PackName, PlayerNumber
from coloma.errors import USAGE, CommandError
from coloma.output import say


class Stage(StrEnum):
    """The stages that a rule goes through."""

    TREE = "tree"
    FORM = "form"
    PYTHON = "python"
    WAT = "wat"


def dump(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="RULE", help="A verb, a step or a value; without it, all are listed."
        ),
    ] = None,
    stage: Annotated[Stage, typer.Option("--stage", help="How far to take it.")] = Stage.FORM,
    players: PlayerNumber = None,
    option: OptionTexts = None,
    mod: ModNames = None,
    pack: PackName = None,
) -> None:
    """Show what the checker and the compiler make of a rule.

    tree: checked, with all names resolved. form: integers, arrays, bounded loops. python, wat:
    what sessions and simulations run.
    """
    from difflib import get_close_matches

    from coloma.loading import load_setting
    from rulesdsl.interpreter import stages

    setting = load_setting(pack, mod, option, players).setting
    known = stages.names(setting)
    if name is None:
        for each in known:
            say(each)
        return
    lines = list(stages.stage(setting, name, stage.value))
    if not lines:
        near = get_close_matches(name, known, 3)
        advice = f"; did you mean {', '.join(near)}?" if near else ""
        raise CommandError(f"there is no verb, step or value {name}{advice}", USAGE)
    for line in lines:
        say(line)
