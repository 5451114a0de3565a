"""Session commands that change who sits where: `bot`, `take` and `name`."""

from __future__ import annotations

from coloma.bots import USUAL
from coloma.output import CommandError
from coloma.session.answers import Request, SessionCommand
from coloma.session.screen import shown
from rulesdsl.bots.kinds import KINDS, check_kinds
from rulesdsl.source.english import and_list, sentence
from rulesdsl.table.table import GameTable


def change_seat(table: GameTable, request: Request, typist: int) -> str:
    """Carry out a command about a seat, and return what happened; raise `ValueError` if it fails.

    The forms are `bot SEAT [KIND]`, `take SEAT [NAME]` and `name [SEAT] NAME`; a seat is a number
    or a name, and `name` without one means the typist's.
    """
    word, argument = request.word, request.argument
    seat, rest = _split(table, argument)
    if word is SessionCommand.NAME:
        return _rename(table, seat or typist, rest if seat else argument)
    if seat is None:
        raise ValueError(f"There is no player `{shown(argument)}`; the players are {_all(table)}.")
    name = shown(table.game.seats[seat - 1])
    if word is SessionCommand.TAKE:
        if not table.seating.is_bot(seat):
            raise ValueError(f"{name} is not a bot.")
        table.hand_over(seat, "")
        if rest:
            _rename(table, seat, rest)
        return f"A person plays for {shown(table.game.seats[seat - 1])} now."
    kind = rest or USUAL
    try:
        check_kinds((kind,), 1, f"the kinds are {and_list([*KINDS])}")
        table.hand_over(seat, kind)
    except (ValueError, CommandError) as error:
        raise ValueError(sentence(str(error))) from None
    return f"A bot ({kind}) plays for {name} now; `take {seat}` gives the seat to a person again."


def _rename(table: GameTable, seat: int, name: str) -> str:
    old = shown(table.game.seats[seat - 1])
    if not name:
        raise ValueError(f"Type the new name after it: `name {seat} NAME`.")
    try:
        table.rename(seat, name)
    except ValueError as error:
        raise ValueError(f"Not renamed: {error}.") from None
    return f"{old} is called {shown(table.game.seats[seat - 1])} now."


def _split(table: GameTable, argument: str) -> tuple[int | None, str]:
    """Split an argument into the seat that it begins with, and the rest."""
    words = argument.split()
    for count in range(len(words), 0, -1):
        seat = table.seat_of(" ".join(words[:count]))
        if seat is not None:
            return seat, " ".join(words[count:])
    return None, argument


def _all(table: GameTable) -> str:
    names = table.game.seats[: table.seating.players]
    return and_list([f"{seat} {shown(name)}" for seat, name in enumerate(names, start=1)])
