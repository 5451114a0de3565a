"""`coloma play`: a game at the keyboard, through a pipe, or for a program."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from coloma.commands.parameters import (
    Iterations,
    ModNames,
    OptionTexts,
    PackName,
    PlayerNumber,
    WithCurrent,
    number,
)
from coloma.errors import USAGE, CommandError
from rulesdsl.source.ranges import SEED

_RESUMING = "resume a game: coloma play --resume"
_OF_NEW_GAMES = (
    "--players, --name, --solo, --bots, --think, --iterations, --seed, --option, --mod, --pack and"
    " --journal"
)


def play(
    context: typer.Context,
    file: Annotated[
        Path | None,
        typer.Argument(
            help="The journal for --resume, or its name in `coloma games`; else the last game."
        ),
    ] = None,
    players: PlayerNumber = None,
    name: Annotated[
        list[str] | None,
        typer.Option("--name", metavar="NAME", help="A player's name; again for the next seat."),
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            "--bots",
            metavar="N or BOT,...",
            help="Bots in the last seats: how many, or which (`coloma bots`): quick,random.",
        ),
    ] = None,
    think: Annotated[
        str,
        typer.Option("--think", metavar="TIME", help="How long bots think about a choice: 1s."),
    ] = "",
    iterations: Iterations = None,
    seed: Annotated[
        int | None,
        number("--seed", SEED, "The same seed gives the same game."),
    ] = None,
    option: OptionTexts = None,
    mod: ModNames = None,
    pack: PackName = None,
    journal: Annotated[
        Path | None,
        typer.Option("--journal", metavar="FILE", help="Save the game in this file."),
    ] = None,
    script: Annotated[
        Path | None,
        typer.Option("--script", metavar="FILE", help="Read the answers from a file."),
    ] = None,
    *,
    resume: Annotated[bool, typer.Option("--resume", help="Resume a game.")] = False,
    solo: Annotated[bool, typer.Option("--solo", help="Play alone, as --players 1 does.")] = False,
    teach: Annotated[
        bool, typer.Option("--teach", help="Say with each question what is not offered, and why.")
    ] = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="Plain lines: for screen readers and pipes.")
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help="One JSON object a line: for programs.")
    ] = False,
    replay_with_current: WithCurrent = False,
) -> None:
    """Play a game: people and bots, at one keyboard or through a pipe.

    In a terminal, without an option, it asks what to play.
    """
    from coloma.bots import parse_bots, parse_thought
    from coloma.journal.shelf import last_played, named
    from coloma.session.answers import Script, StandardInput
    from coloma.session.asking import Asking
    from coloma.session.beginning import Wish, begin
    from coloma.session.beginning import resume as go_on
    from coloma.session.screen import screen_for
    from coloma.session.sitting import sit_for_people, sit_for_program

    if solo and players not in {None, 1}:
        raise CommandError(f"--solo is a game of one, and --players asks for {players}", USAGE)
    answers = Script(script) if script else StandardInput()
    screen = screen_for(plain=plain or json)
    if resume:
        given = (players, name, bots, iterations, seed, option, mod, pack, journal)
        if solo or think or any(each is not None for each in given):
            raise CommandError(
                f"--resume already knows the game: leave out {_OF_NEW_GAMES}", USAGE
            )
        path = named(file) if file else last_played()
        beginning = go_on(path, with_current=replay_with_current)
    elif file:
        way = "play a game: coloma play --pack" if file.is_dir() else _RESUMING
        raise CommandError(f"to {way} {file}", USAGE)
    elif replay_with_current:
        raise CommandError("--replay-with-current goes with --resume", USAGE)
    elif answers.is_terminal and screen.is_terminal and _is_bare(context):
        beginning = begin(Asking(screen, answers).wish())
    else:
        wish = Wish(
            pack=pack,
            mods=mod or (),
            players=1 if solo else players,
            bots=parse_bots(bots or "0"),
            thought=parse_thought(iterations, think),
            seed=seed,
            options=option or (),
            names=name or (),
            journal=journal,
        )
        beginning = begin(wish)
    if json:
        raise typer.Exit(sit_for_program(beginning, screen, answers))
    raise typer.Exit(sit_for_people(beginning, screen, answers, teach=teach))


def _is_bare(context: typer.Context) -> bool:
    """Whether the command was called without anything."""
    sources = map(context.get_parameter_source, context.params)
    return all(each is not None and each.name == "DEFAULT" for each in sources)
