"""Decision points, for the driver and for the labels of options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.interpreter.emit_blocks import slots_of
from rulesdsl.interpreter.emit_values import function_name
from rulesdsl.lower.flat import LINE_BITS
from rulesdsl.lower.schema import Const, Decide, Local, Secretly

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.lower.flat import Decision, Flat
    from rulesdsl.lower.schema import Asking, Domain, Line, Words

LINE_MASK = (1 << LINE_BITS) - 1
STOP = -1
"""The option that takes no line."""


@attrs.frozen
class Ask:
    """A decision point, and what an option of it leads to.

    Where a thing is chosen (`plain`), an option is that thing: it goes to `slot`.  Else it is a
    line, with one more than the number of the thing that it is about below it, or `STOP`; `slot`
    is where the lines are kept that were taken once, `variables` the slots that lines bind.
    `targets` are the blocks that lines lead to, and `STOP`; `keys` the functions that tell which
    effect of a field a line would carry out (empty for other lines); `words` those that tell the
    values in the words of the question, then of each line.  `who` is where the frame
    holds the seat that chooses, 0 where `seat` always does, -1 where all players do.
    """

    proc: str
    block: int  # by its number among those of all machines
    end: Asking
    slots: dict[str, int]
    plain: bool
    targets: tuple[int, ...]
    slot: int = 0
    variables: tuple[int, ...] = ()
    once: tuple[bool, ...] = ()
    keys: tuple[str, ...] = ()
    words: tuple[tuple[str, ...], ...] = ()
    who: int = -1
    seat: int = 0
    hidden: bool = False  # not everybody can tell what is offered
    sealed: bool = False  # all players choose at once

    def number(self, option: int) -> int | None:
        """Return which line an option takes, None where it takes none."""
        if self.plain or option == STOP:
            return None
        return option >> LINE_BITS

    def line(self, option: int) -> Line | None:
        """Return the line that an option takes, or the thing is of; None where there is none."""
        if isinstance(self.end, Secretly):
            return None
        number = 0 if self.plain else self.number(option)
        return None if number is None else self.end.lines[number]

    def label(self, option: int) -> Words | None:
        """Return the words that the content has for an option."""
        if isinstance(self.end, Secretly):
            return self.end.label
        line = self.line(option)
        return None if line is None else line.label

    @property
    def chooser(self) -> str:
        """The local that holds the one who is asked."""
        if isinstance(self.end, Secretly):
            return self.end.me
        return self.end.me.name if isinstance(self.end.me, Local) else "me"

    def variable(self, option: int) -> str | None:
        """Return the local that an option binds, None where it binds none."""
        if isinstance(self.end, Secretly):
            return self.end.variable
        line = self.line(option)
        return None if line is None else line.variable

    def filled(self, frame: Sequence[Any], player: int, option: int | None = None) -> list[Any]:
        """Return a frame with who is asked in it (from 0), and what an option binds."""
        found = list(frame)
        if self.sealed:
            found[self.slots[self.chooser]] = player
        slot = 0 if option is None else self._slot(option)
        if slot and option is not None:
            found[slot] = self.thing(option)
        return found

    def _slot(self, option: int) -> int:
        """Return the slot that an option binds, 0 where it binds none."""
        if isinstance(self.end, Secretly):
            return self.slots[self.end.variable]
        if self.plain:
            return self.slot
        line = self.number(option)
        return 0 if line is None else self.variables[line]

    @property
    def stop(self) -> str | None:
        """The word under which nothing is taken, None where something has to be."""
        return self.end.stop if isinstance(self.end, Decide) else None

    def effect(self, option: int) -> tuple[int, int] | None:
        """Return which effect of a field an option carries out, where no position decides it."""
        line = None if self.plain else self.line(option)
        only = None if line is None else line.effect
        if line is None or only is None or only.key is not None:
            return None
        if isinstance(only.subject, Local) and only.subject.name == line.variable:
            return self.thing(option), -1
        return (only.subject.value, -1) if isinstance(only.subject, Const) else None

    def thing(self, option: int) -> int:
        """Return what an option is about: -1 for nothing."""
        return option if self.plain else (option & LINE_MASK) - 1

    def domain(self, option: int) -> Domain | None:
        """Return what the thing that an option is about was chosen from."""
        if isinstance(self.end, Secretly):
            return self.end.domain
        line = self.line(option)
        return None if line is None else line.domain

    def secret(self, option: int) -> bool:
        """Return whether only who chooses is told which option it was."""
        if isinstance(self.end, Secretly):
            return self.end.secret
        line = self.line(option)
        return line is not None and line.secret


def ask_of(
    decision: Decision, end: Asking, flat: Flat, numbers: dict[tuple[str, int], int]
) -> Ask:
    """Return what is asked at a decision; the numbers are those of the blocks of all machines."""
    slots = slots_of(flat.machines[decision.machine])
    who = slots[decision.who] if isinstance(decision.who, str) else 0
    return Ask(
        decision.machine,
        numbers[decision.machine, decision.block],
        end,
        slots,
        plain=decision.plain,
        targets=tuple(numbers[decision.machine, each] for each in decision.targets),
        slot=slots.get(decision.slot or "", 0),
        variables=tuple(slots.get(each or "", 0) for each in decision.variables),
        once=decision.once,
        keys=tuple("" if each is None else function_name(each) for each in decision.keys),
        words=tuple(tuple(map(function_name, each)) for each in decision.words),
        who=-1 if decision.who is None else who,
        seat=decision.who if isinstance(decision.who, int) else 0,
        hidden=decision.hidden,
        sealed=decision.sealed,
    )
