"""Games one after the other at a terminal, with a question in between."""

from __future__ import annotations

from coloma.output import INTERRUPTED
from coloma.session.answers import (
    Answers,
    PickedOption,
    Prompt,
    Request,
    SessionCommand,
    SessionStopped,
    Unclear,
    numbered,
    understand,
)
from coloma.session.help import Teacher
from coloma.session.log_view import leaf, told
from coloma.session.screen import Ink, Screen, hanging
from coloma.session.start import Beginning, Wish, begin, sit_for_people
from rulesdsl import Option
from rulesdsl.source.english import option_word

_AGAIN, _NEW, _REPLAY, _QUIT = "again", "new", "replay", "quit"
_OPTIONS = (
    Option(_AGAIN, "Again, with the same seed", _AGAIN),
    Option(_NEW, "Same seats, new seed", _NEW),
    Option(_REPLAY, "Replay: read the story of this game", _REPLAY),
    Option(_QUIT, "Quit", _QUIT),
)
_PROMPT = Prompt("What next? Enter quits. ")


def sit(
    beginning: Beginning,
    screen: Screen,
    answers: Answers,
    teacher: Teacher | None = None,
    *,
    teach: bool = False,
    brief: bool = True,
) -> int:
    """Run a game, or a lesson if there is a teacher, and the games that people ask for after it.

    Return the exit status.
    """
    while True:
        status = sit_for_people(beginning, screen, answers, teacher, teach=teach, brief=brief)
        table, at_terminal = beginning.table, answers.is_terminal and screen.is_terminal
        is_over = status == 0 and table.game.result is not None
        if not (is_over and at_terminal and table.seating.people):
            return status
        try:
            choice = _asked(beginning, screen, answers, brief=brief)
        except SessionStopped:
            screen.line()
            return status
        except KeyboardInterrupt:
            screen.line()
            return INTERRUPTED
        if choice == _QUIT:
            return status
        seed = beginning.table.game.seed if choice == _AGAIN else None
        teacher, beginning = None, begin(_same_seats(beginning, seed))


def _asked(beginning: Beginning, screen: Screen, answers: Answers, *, brief: bool) -> str:
    """Ask what comes next, until it is another game or none."""
    screen.line()
    for line in numbered(_OPTIONS):
        screen.line(f"  {line.number}. {line.label}")
    while True:
        match understand(answers.next_line(_PROMPT).strip() or _QUIT, _OPTIONS, ids=False):
            case PickedOption(index) if _OPTIONS[index].id == _REPLAY:
                _replay(beginning, screen, answers, brief=brief)
            case PickedOption(index):
                return _OPTIONS[index].id
            case Request(SessionCommand.QUIT):
                return _QUIT
            case Unclear(advice):
                screen.line(answers.refuse(advice), Ink.WRONG)
            case Request():
                screen.line("The game is over. Type a number, or a word of a choice.", Ink.WRONG)


def _replay(beginning: Beginning, screen: Screen, answers: Answers, *, brief: bool) -> None:
    """Show the whole story page by page: nothing is secret any more."""
    for_all = told(beginning.table.game.story(None, brief=brief))
    plain = screen.plain
    leaf(
        (line for text in for_all for line in ([text] if plain else hanging(text, screen.width))),
        screen,
        answers,
    )


def _same_seats(beginning: Beginning, seed: int | None) -> Wish:
    table, chosen = beginning.table, beginning.selection
    return Wish(
        pack=str(chosen.game),
        mods=[*map(str, chosen.mods)],
        players=table.seating.players,
        bots=table.seating.kinds,
        thought=beginning.thought,
        seed=seed,
        options=[f"{name}={option_word(value)}" for name, value in table.game.options.items()],
        names=[table.game.seats[player - 1] for player in table.seating.people],
    )
