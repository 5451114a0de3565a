"""Decision points of a compiled game, and the numbers of their options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from rulesdsl.interpreter.python.expressions import function_name
from rulesdsl.interpreter.python.machines import slots_of
from rulesdsl.lower.flat import LINE_BITS, DecisionTargets, Flat
from rulesdsl.lower.layout import Layout
from rulesdsl.lower.schema import (
    MAX_REPEATS,
    Asking,
    Const,
    Decide,
    Domain,
    Local,
    MessageText,
    OptionLine,
    Secretly,
    Type,
)

LINE_MASK = (1 << LINE_BITS) - 1
STOP = -1
"""The option that stops instead of taking a line."""


@attrs.frozen
class DecisionPoint:
    """A decision point, with the continuation of each option.

    If `plain`, an option is the chosen entity, stored in `slot`. Otherwise it is a line number
    with its entity plus one in the low bits, or `STOP`; then `slot` holds the once-only options
    already taken, and `variables` are the slots bound by the lines. `targets` are the blocks of
    the lines and of `STOP`; `keys` are functions that compute the field effect that a line would
    carry out (empty for other lines); `words` are functions that compute the values interpolated
    into the question and into each line, then, text by text, the pieces in their `faces`. `who` is
    the frame slot of the choosing seat, 0 if `seat` always chooses, -1 for all players.
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
        """Return the line number of an option, or None."""
        if self.plain or option == STOP:
            return None
        return option >> LINE_BITS

    def line(self, option: int) -> OptionLine | None:
        """Return the line that an option takes, or None."""
        if isinstance(self.end, Secretly):
            return None
        number = 0 if self.plain else self.number(option)
        return None if number is None else self.end.lines[number]

    def label(self, option: int) -> MessageText | None:
        """Return the label of an option as written in the content, or None."""
        if isinstance(self.end, Secretly):
            return self.end.label
        line = self.line(option)
        return None if line is None else line.label

    @property
    def chooser(self) -> str:
        """The name of the local that holds the player being asked."""
        if isinstance(self.end, Secretly):
            return self.end.me
        return self.end.me.name if isinstance(self.end.me, Local) else "me"

    def variable(self, option: int) -> str | None:
        """Return the name of the local that an option binds, or None."""
        if isinstance(self.end, Secretly):
            return self.end.variable
        line = self.line(option)
        return None if line is None else line.variable

    def filled(self, frame: Sequence[Any], player: int, option: int | None = None) -> list[Any]:
        """Return a frame that holds the player being asked (from 0) and an option's entity."""
        found = list(frame)
        if self.sealed:
            found[self.slots[self.chooser]] = player
        slot = 0 if option is None else self._slot(option)
        if slot and option is not None:
            found[slot] = self.thing(option)
        return found

    def _slot(self, option: int) -> int:
        """Return the slot that an option binds, or 0."""
        if isinstance(self.end, Secretly):
            return self.slots[self.end.variable]
        if self.plain:
            return self.slot
        line = self.number(option)
        return 0 if line is None else self.variables[line]

    def preview(self, option: int) -> str:
        """Return the key of the verb or step that previews an option, or an empty string."""
        if isinstance(self.end, Secretly):
            return self.end.preview
        line = self.line(option)
        return "" if line is None else line.preview

    @property
    def stop(self) -> str | None:
        """The label of the option to stop; None if a line must be taken."""
        return self.end.stop if isinstance(self.end, Decide) else None

    def effect(self, option: int) -> tuple[int, int] | None:
        """Return an option's field effect as (entity, -1); None if it depends on the position."""
        line = None if self.plain else self.line(option)
        only = None if line is None else line.effect
        if line is None or only is None or only.key is not None:
            return None
        if isinstance(only.subject, Local) and only.subject.name == line.variable:
            return self.thing(option), -1
        return (only.subject.value, -1) if isinstance(only.subject, Const) else None

    def thing(self, option: int) -> int:
        """Return the entity of an option, or -1."""
        return option if self.plain else (option & LINE_MASK) - 1

    def domain(self, option: int) -> Domain | None:
        """Return the domain of the entity that an option concerns, or None."""
        if isinstance(self.end, Secretly):
            return self.end.domain
        line = self.line(option)
        return None if line is None else line.domain

    def secret(self, option: int) -> bool:
        """Return whether only the chooser learns which option was chosen."""
        if isinstance(self.end, Secretly):
            return self.end.secret
        line = self.line(option)
        return line is not None and line.secret


def ask_of(
    decision: DecisionTargets, end: Asking, flat: Flat, numbers: dict[tuple[str, int], int]
) -> DecisionPoint:
    """Return the decision point for a decision; `numbers` has the block numbers by machine."""
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


@attrs.frozen
class Offer:
    """The range of option numbers for one decision.

    An option is an entity, or a line with or without an entity, or `STOP`. Its number is the sum
    of `first` and an offset: the entity; or, for a line, the start of the line plus its low bits
    (the entity plus one, or 0); or, for `STOP`, 0. `asking.wat` computes the same numbers.
    """

    first: int
    lines: tuple[int, ...]  # empty if the options are entities
    many: int

    def number(self, option: int) -> int:
        """Return the number of an option; entities beyond the range share its last number."""
        if not self.lines:
            return self.first + (option if 0 <= option < self.many else self.many - 1)
        if option < 0:
            return self.first
        return self.first + self.lines[option >> LINE_BITS] + (option & LINE_MASK)

    def options(self) -> Iterator[int]:
        """Yield all options in the order of their numbers."""
        if not self.lines:
            yield from range(self.many)
            return
        yield STOP
        for line, (begin, end) in enumerate(
            zip(self.lines, [*self.lines[1:], self.many], strict=True)
        ):
            yield from ((line << LINE_BITS) + thing for thing in range(end - begin))


def offers_of(asks: Mapping[int, DecisionPoint], layout: Layout) -> dict[int, Offer]:
    """Return each decision's number range, by block; the ranges are consecutive.

    They follow the numbers of the blocks, since programs that are compiled on demand list their
    decisions as they are met, and bots look for an option by the number that a simulator gave it.
    """
    offers: dict[int, Offer] = {}
    first = 0
    for block, ask in sorted(asks.items()):
        offers[block] = offer = _offer(layout, ask, first)
        first += offer.many
    return offers


def _offer(layout: Layout, ask: DecisionPoint, first: int) -> Offer:
    if ask.plain:
        domain = ask.domain(0)
        assert domain is not None
        return Offer(first, (), max(entities(layout, domain.element), 1))
    begin = 1  # after the stop option
    lines: list[int] = []
    for line in range(len(ask.variables)):
        lines.append(begin)
        domain = ask.domain(line << LINE_BITS)
        begin += 1 if domain is None else 1 + entities(layout, domain.element)
    return Offer(first, tuple(lines), begin)


def entities(layout: Layout, kind: Type) -> int:
    """Return the number of entities of a type; for numbers, the upper bound of a choice."""
    match kind.family:
        case "entry" | "piece":
            return layout.size(kind.of)
        case "seat" | "player":
            return layout.seats
        case "yes-no":
            return 2
        case _:
            return MAX_REPEATS + 1


def is_offered(ask: DecisionPoint, option: int) -> bool:
    """Return whether an option is valid: `STOP` needs a label, and a domain needs an entity."""
    if ask.plain:
        return True
    if option == STOP:
        return ask.stop is not None
    return ask.domain(option) is None or bool(option & LINE_MASK)
