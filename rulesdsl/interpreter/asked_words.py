"""The values in the words of a question and of its options, as who is asked may know them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.interpreter.unseen import unseen
from rulesdsl.lower.flatten.asks import COLUMNS

if TYPE_CHECKING:
    from rulesdsl.interpreter.asks import Ask
    from rulesdsl.interpreter.setting import Setting


@attrs.frozen
class AskedWords:
    """The words of what a player (from 0) is asked in a state."""

    setting: Setting
    st: Any  # the state class is made at run time
    ask: Ask
    player: int

    def values(self, line: int = 0, option: int | None = None) -> list[int | None]:
        """Return the values in the words of the question (0) or of a line (from 1).

        They are for what an option binds.  None stands for what a question says of a piece that
        the player does not see, and has not looked at.
        """
        found: list[int | None] = [self._told(each, option) for each in self.ask.words[line]]
        for hidden in () if line else unseen(self.setting, self.st, self.ask, self.player):
            found[hidden] = None
        return found

    def values_of(self, option: int) -> list[int | None]:
        """Return the values in the words of an option."""
        line = 0 if self.ask.plain else self.ask.number(option)
        return [] if line is None else self.values(line + 1, option)

    def effect(self, option: int) -> tuple[int, int] | None:
        """Return the entry and the column of the effect that an option is, if only that."""
        line = self.ask.number(option)
        if line is None or not self.ask.keys[line]:
            return None
        subject, column = divmod(self._told(self.ask.keys[line], option), COLUMNS)
        return subject, column - 1

    def _told(self, function: str, option: int | None) -> int:
        """Return what a function of the frame comes to that labels ask."""
        frame = self.ask.filled(self.st.frames[-1], self.player, option)
        return int(self.setting.engine.names[function](self.st, *frame[1:]))
