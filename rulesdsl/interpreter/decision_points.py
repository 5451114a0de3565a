"""Decision points of the compiled game, and ids of their questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.interpreter.labels import slug
from rulesdsl.interpreter.python.expressions import function_name
from rulesdsl.interpreter.python.machines import slots_of
from rulesdsl.lower.flat import LINE_BITS
from rulesdsl.lower.schema import Const, Decide, Local, Secretly

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.interpreter.labels import Labels
    from rulesdsl.lower.flat import DecisionTargets, Flat
    from rulesdsl.lower.schema import Asking, Domain, MessageText, OptionLine


LINE_MASK = (1 << LINE_BITS) - 1
STOP = -1
"""The option that stops instead of taking a line."""


@attrs.frozen
class DecisionPoint:
    """A decision point, with the continuation of each option.

    If `plain`, an option is the chosen thing, stored in `slot`. Else it is a line number with the
    index of its thing plus one in the low bits, or `STOP`; then `slot` holds the lines already
    taken once, and `variables` are the slots bound by the lines. `targets` are the blocks of the
    lines and of `STOP`; `keys` the functions that compute the field effect a line would carry out
    (empty for other lines); `words` those that compute the values interpolated into the question
    and into each line. `who` is the frame slot of the choosing seat, 0 if `seat` always chooses,
    -1 for all players.
    """

    proc: str
    block: int  # its number among the blocks of all machines
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
    hidden: bool = False  # the offered options depend on hidden information
    sealed: bool = False  # all players choose simultaneously

    def number(self, option: int) -> int | None:
        """Return the line of an option, None if it has none."""
        if self.plain or option == STOP:
            return None
        return option >> LINE_BITS

    def line(self, option: int) -> OptionLine | None:
        """Return the line that an option takes, or the thing is of; None where there is none."""
        if isinstance(self.end, Secretly):
            return None
        number = 0 if self.plain else self.number(option)
        return None if number is None else self.end.lines[number]

    def label(self, option: int) -> MessageText | None:
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
        """Return a frame with the asked player (from 0) and the thing of an option filled in."""
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
        """Return the thing of an option, -1 for none."""
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
    decision: DecisionTargets, end: Asking, flat: Flat, numbers: dict[tuple[str, int], int]
) -> DecisionPoint:
    """Return the decision point of a decision; `numbers` are the block numbers of all machines."""
    slots = slots_of(flat.machines[decision.machine])
    who = slots[decision.who] if isinstance(decision.who, str) else 0
    return DecisionPoint(
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


def question_ids(labels: Labels) -> dict[int, str]:
    """Return the id of each question by its block number: the procedure, and the fixed words.

    `juggle:which-ball` is asked by `juggle`. Duplicates are numbered: `juggle:which-ball-2`.
    """
    found: dict[int, str] = {}
    times: dict[str, int] = {}
    for number, ask in labels.engine.asks.items():
        words = "" if ask.end.prompt is None else slug(" ".join(ask.end.prompt.said))
        name = f"{ask.proc.partition('/')[0]}:{words}"
        times[name] = times.get(name, 0) + 1
        found[number] = name if times[name] == 1 else f"{name}-{times[name]}"
    return found
