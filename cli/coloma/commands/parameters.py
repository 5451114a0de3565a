"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from rulesdsl.source.ranges import GAMES, ITERATIONS, JOBS, PLAYERS, SEED, Limits


def number(word: str, within: Limits, about: str) -> Any:  # noqa: ANN401 - as `typer.Option` does
    """Return an option that takes a whole number within limits."""
    return typer.Option(word, metavar="N", min=within.least, max=within.most, help=about)


PackName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--pack",
        metavar="PACK",
        help="A folder or a name from `packs`; by default this folder or the bundled game.",
    ),
]
PackPath: TypeAlias = Annotated[
    str | None,
    typer.Argument(
        help="A pack: a folder or a name. By default, this folder or the bundled game."
    ),
]
ModNames: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--mod", metavar="MOD", help="A mod: a folder, or a name from `packs`."),
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
Seed: TypeAlias = Annotated[int, number("--seed", SEED, "The same seed gives the same figures.")]
Jobs: TypeAlias = Annotated[
    int, number("--jobs", JOBS, "Number of processes that share the work.")
]
Asked: TypeAlias = Annotated[
    str | None,
    typer.Option("--in", metavar="QUESTION", help="Count only choices in this question."),
]
Cluster: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help="A Dask scheduler to share the work, instead of processes.",
    ),
]
Iterations: TypeAlias = Annotated[
    int | None, number("--iterations", ITERATIONS, "Playouts per choice for searching bots.")
]
WithCurrent: TypeAlias = Annotated[
    bool,
    typer.Option("--replay-with-current", help="Continue even if the content has changed since."),
]
OnlyCheck: TypeAlias = Annotated[
    bool, typer.Option("--check", help="Change nothing; list what would change.")
]
ScriptFile: TypeAlias = Annotated[
    Path | None, typer.Option("--script", metavar="FILE", help="Read answers from a file.")
]
Plain: TypeAlias = Annotated[
    bool, typer.Option("--plain", help="Print plain lines, for screen readers and pipes.")
]
AsJson: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print one JSON object; see `coloma explain figures`.")
]
FirstOnly: TypeAlias = Annotated[bool, typer.Option("--first", help="Stop at the first failure.")]
