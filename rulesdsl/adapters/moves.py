"""The closed list of all that anybody may ever choose, numbered: what learners call actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.interpreter.game import IllegalChoice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.interpreter.decision import Decision
    from rulesdsl.interpreter.setting import Setting


@attrs.frozen
class Move:
    """One option of one question.

    `decision` is the id of the question, `option` that of the option; where several things are
    called the same, the second one is `...-2`.  `label` is for people, as far as it depends on no
    position.
    """

    number: int
    decision: str
    option: str
    label: str = attrs.field(repr=False)

    @property
    def name(self) -> str:
        """Question and option as one text."""
        return f"{self.decision}/{self.option}"


class Moves:
    """All moves of a setting, in the order of `Pack.actions`; equal pieces are moves of their own.

    Pieces that are called the same may lie in different places, which the rules tell apart.
    """

    def __init__(self, setting: Setting) -> None:
        self._numbers: dict[tuple[int, int], int] = {}
        self.all = tuple(self._number(setting))

    def _number(self, setting: Setting) -> Iterator[Move]:
        for action in setting.actions:
            for at, raw in enumerate(action.raw):
                name = f"{action.id}-{at + 1}" if at else action.id
                number = len(self._numbers)
                self._numbers[action.asked_in, raw] = number
                yield Move(number, action.decision, name, action.label)

    def offered(self, decision: Decision) -> dict[int, int]:
        """Return the moves of an open decision in their order, with the index of the option."""
        block = decision.number
        found = ((self._numbers[block, raw], at) for at, raw in enumerate(decision.raw))
        return dict(sorted(found))

    def index(self, decision: Decision, number: int) -> int:
        """Return the index of the option that a move is; IllegalChoice where it is not offered."""
        offered = self.offered(decision)
        if number not in offered:
            known = 0 <= number < len(self.all)
            said = f"`{self.all[number].name}`" if known else f"move {number}"
            raise IllegalChoice(f"{said} is not offered at `{decision.id}`")
        return offered[number]
