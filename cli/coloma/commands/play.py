"""`coloma play` and `coloma learn`: a game or lesson, in the terminal or for a program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from coloma.commands import parameters
from coloma.output import INTERRUPTED, USAGE, CommandError
from rulesdsl.source.english import and_list
from rulesdsl.source.ranges import LESSON

if TYPE_CHECKING:
    from coloma.session.answers import Answers
    from coloma.session.help import Teacher
    from coloma.session.screen import Screen
    from coloma.session.start import Beginning

_RESUMING = "resume a game: coloma play --resume"
_OF_NEW_GAMES = (
    *("players", "name", "solo", "think", "iterations", "seed", "option", "mod", "pack"),
    "journal",
)


def play(
    context: typer.Context,
    file: Annotated[
        Path | None,
        typer.Argument(
            help="The journal for --resume, or its name in `coloma games`; by default, the latest."
        ),
    ] = None,
    players: parameters.PlayerNumber = None,
    name: Annotated[
        list[str] | None,
        typer.Option(
            "--name", metavar="NAME", help="A player's name; repeat the option for more players."
        ),
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            "--bots",
            metavar="N or BOT,...",
            help="Bots in the last seats: a number, or kinds such as `quick,random`;"
            " `person` leaves a seat to a person.",
        ),
    ] = None,
    think: Annotated[
        str,
        typer.Option(
            "--think", metavar="TIME", help="Time per choice for bots that search, such as `1s`."
        ),
    ] = "",
    iterations: parameters.Iterations = None,
    seed: Annotated[int | None, parameters.SEED_OPTION] = None,
    option: parameters.OptionTexts = None,
    mod: parameters.ModNames = None,
    pack: parameters.PackName = None,
    journal: Annotated[
        Path | None,
        typer.Option("--journal", metavar="FILE", help="Save the game to this file."),
    ] = None,
    script: parameters.ScriptFile = None,
    log: parameters.Log = parameters.LogLength.BRIEF,
    *,
    resume: Annotated[bool, typer.Option("--resume", help="Resume a game.")] = False,
    solo: Annotated[bool, typer.Option("--solo", help="Play alone; same as --players 1.")] = False,
    teach: Annotated[
        bool,
        typer.Option("--teach", help="Also show unavailable choices, with the reasons."),
    ] = False,
    plain: parameters.Plain = False,
    json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per line, for programs.")
    ] = False,
    replay_with_current: parameters.WithCurrent = False,
) -> None:
    """Play a game with people and bots.

    All players share one keyboard; answers can also be piped in. In a terminal, without options,
    the command first asks what to do: learn the game, play it, choose players and options, take
    another game, or go on with a saved one.
    """
    from coloma.bots import parse_seats, parse_thought
    from coloma.saved_games import last_played, named
    from coloma.session.answers import face_for
    from coloma.session.ending.next_game import sit
    from coloma.session.start import Wish, begin, sit_for_program
    from coloma.session.start import resume as go_on

    if solo and players not in {None, 1}:
        raise CommandError(f"--solo is a game for one player, but --players is {players}", USAGE)
    screen, answers = face_for(script, plain=plain or json)
    teacher: Teacher | None = None
    if resume:
        if _given(context) & {*_OF_NEW_GAMES}:
            options = and_list([f"--{name}" for name in _OF_NEW_GAMES])
            raise CommandError(
                f"--resume takes its settings from the saved game: leave out {options}",
                USAGE,
            )
        path = named(file) if file else last_played()
        kinds = None if bots is None else parse_seats(bots)
        beginning = go_on(path, kinds, with_current=replay_with_current)
    elif file:
        way = "play a game: coloma play --pack" if file.is_dir() else _RESUMING
        raise CommandError(f"to {way} {file}", USAGE)
    elif replay_with_current:
        raise CommandError("--replay-with-current requires --resume", USAGE)
    elif answers.is_terminal and screen.is_terminal and not _given(context):
        beginning, teacher = _asked(screen, answers)
    else:
        wish = Wish(
            pack=pack,
            mods=mod or (),
            players=1 if solo else players,
            bots=parse_seats(bots or "0"),
            thought=parse_thought(iterations, think),
            seed=seed,
            options=option or (),
            names=name or (),
            journal=journal,
        )
        beginning = begin(wish)
    brief = log is parameters.LogLength.BRIEF
    if json:
        raise typer.Exit(sit_for_program(beginning, screen, answers))
    raise typer.Exit(sit(beginning, screen, answers, teacher, teach=teach, brief=brief))


def _asked(screen: Screen, answers: Answers) -> tuple[Beginning, Teacher | None]:
    """Ask what to play, and begin it."""
    from coloma.packs import select
    from coloma.session.answers import SessionStopped
    from coloma.session.before.asking import Asking
    from coloma.session.before.first_screen import Learning
    from coloma.session.before.lessons import begin_lesson
    from coloma.session.start import begin, resume

    try:
        wish = Asking(screen, answers).wish()
    except SessionStopped as stop:
        screen.line(f"\n{stop} No game has begun.")
        raise typer.Exit from None
    except KeyboardInterrupt:
        screen.line("\nInterrupted. No game has begun.")
        raise typer.Exit(INTERRUPTED) from None
    match wish:
        case Path():
            return resume(wish), None
        case Learning(pack, number):
            return begin_lesson(select(pack, ()), number)
        case _:
            return begin(wish), None


def _given(context: typer.Context) -> set[str]:
    source = context.get_parameter_source
    return {each for each in context.params if (found := source(each)) and found.name != "DEFAULT"}


def learn(
    path: parameters.PackPath = None,
    lesson: Annotated[int, parameters.number("--lesson", LESSON, "Number of the lesson.")] = 1,
    script: parameters.ScriptFile = None,
    mod: parameters.ModNames = None,
    *,
    plain: parameters.Plain = False,
) -> None:
    """Learn a game step by step, against bots; afterwards the game goes on.

    Each step explains what to do, and why. The lessons of mods follow those of their game; if
    there are several, they are listed.
    """
    from coloma.packs import select
    from coloma.session.answers import face_for
    from coloma.session.before.lessons import begin_lesson, list_of
    from coloma.session.ending.next_game import sit

    beginning, teacher = begin_lesson(select(path, mod or ()), lesson)
    screen, answers = face_for(script, plain=plain)
    if several := list_of(beginning.pack):
        screen.line(several)
    raise typer.Exit(sit(beginning, screen, answers, teacher))
