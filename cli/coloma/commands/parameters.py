"""Options shared by several commands."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from rulesdsl.source.ranges import GAMES, ITERATIONS, JOBS, PLAYERS, SEED, Limits


def number(word: str, within: Limits, about: str) -> Any:  # noqa: ANN401 - as `typer.Option` does
    """Return an option that takes a whole number within limits."""
    return typer.Option(word, metavar="N", min=within.least, max=within.most, help=about)


SEED_OPTION = number("--seed", SEED, "Random seed; the same seed gives the same result.")
ALL_CORES = number("--jobs", JOBS, "Number of processes; by default, one for each core.")
PackName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--pack",
        metavar="PACK",
        help="A folder, or a name from `coloma packs`; by default, the current folder if it is a"
        " pack, else Coloma.",
    ),
]
PackPath: TypeAlias = Annotated[
    str | None,
    typer.Argument(
        help="A pack: a folder, or a name from `coloma packs`. By default, the current folder if"
        " it is a pack, else Coloma."
    ),
]
ModNames: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--mod", metavar="MOD", help="A mod: a folder, or a name from `coloma packs`."),
]
OptionTexts: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="A value for an option of the game."),
]
PlayerNumber: TypeAlias = Annotated[
    int | None,
    number("--players", PLAYERS, "Number of players; by default two, if the game allows it."),
]
Games: TypeAlias = Annotated[int, number("--games", GAMES, "Number of games.")]
Seed: TypeAlias = Annotated[int, SEED_OPTION]
Jobs: TypeAlias = Annotated[int, number("--jobs", JOBS, "Number of processes.")]
Bots: TypeAlias = Annotated[
    str,
    typer.Option(
        "--bots",
        metavar="BOT,...",
        help="A bot for each player, such as `3xtrained,random`; see `coloma bots`.",
    ),
]
Groups: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--by",
        metavar="GROUP",
        help="Count choices and their results by `option`, `verb` or a kind of entry.",
    ),
]
Asked: TypeAlias = Annotated[
    str | None,
    typer.Option("--in", metavar="QUESTION", help="Count only answers to this question."),
]
Cluster: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="Share the work through this Dask scheduler instead of local processes.",
    ),
]
Iterations: TypeAlias = Annotated[
    int | None, number("--iterations", ITERATIONS, "Playouts per choice for bots that search.")
]
WithCurrent: TypeAlias = Annotated[
    bool,
    typer.Option("--replay-with-current", help="Continue even if the game's files have changed."),
]
OnlyCheck: TypeAlias = Annotated[
    bool, typer.Option("--check", help="Change nothing; list the files that would change.")
]
ScriptFile: TypeAlias = Annotated[
    Path | None, typer.Option("--script", metavar="FILE", help="Read answers from a file.")
]


class LogLength(StrEnum):
    """Values of `--log`: one line for each turn, or every sentence of the story."""

    BRIEF = "brief"
    ALL = "all"


Log: TypeAlias = Annotated[
    LogLength,
    typer.Option(
        "--log", help="How to tell what happens: a line for each turn, or every event in a line."
    ),
]
Plain: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--plain",
        help="Print plain lines, for screen readers and pipes; COLOMA_PLAIN=1 in the environment"
        " does so always.",
    ),
]
AsJson: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print a JSON object; see `coloma explain figures`.")
]
FirstOnly: TypeAlias = Annotated[bool, typer.Option("--first", help="Stop at the first failure.")]
