"""The values in the words of a question and of its options, as who is asked may know them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulesdsl.interpreter.unseen import unseen
from rulesdsl.lower.flatten.asks import COLUMNS

if TYPE_CHECKING:
    from rulesdsl.interpreter.asks import Ask
    from rulesdsl.interpreter.setting import Setting


def words(
    setting: Setting,
    st: Any,  # noqa: ANN401 - the state class is made at run time
    ask: Ask,
    at: int,
    player: int,
    option: int | None = None,
) -> list[int | None]:
    """Return the values in the words of a question (0) or of a line (from 1).

    They are as `player` (from 0) is asked, and for what an option binds.  None stands for what
    a question says of a piece that they do not see, and have not looked at.
    """
    found: list[int | None] = [_told(setting, st, e, ask, player, option) for e in ask.words[at]]
    for hidden in () if at else unseen(setting, st, ask, player):
        found[hidden] = None
    return found


def label_words(
    setting: Setting,
    st: Any,  # noqa: ANN401 - the state class is made at run time
    ask: Ask,
    option: int,
    player: int,
) -> list[int | None]:
    """Return the values in the words of an option."""
    line = 0 if ask.plain else ask.number(option)
    return [] if line is None else words(setting, st, ask, line + 1, player, option)


def effect_named(
    setting: Setting,
    st: Any,  # noqa: ANN401 - the state class is made at run time
    ask: Ask,
    option: int,
    player: int,
) -> tuple[int, int] | None:
    """Return the entry and the column of the effect that an option carries out, if only that."""
    line = ask.number(option)
    if line is None or not ask.keys[line]:
        return None
    both = _told(setting, st, ask.keys[line], ask, player, option)
    subject, column = divmod(both, COLUMNS)
    return subject, column - 1


def _told(
    setting: Setting,
    st: Any,  # noqa: ANN401 - the state class is made at run time
    function: str,
    ask: Ask,
    player: int,
    option: int | None,
) -> int:
    """Return what a function of the frame comes to that labels ask."""
    frame = ask.filled(st.frames[-1], player, option)
    return int(setting.engine.names[function](st, *frame[1:]))
