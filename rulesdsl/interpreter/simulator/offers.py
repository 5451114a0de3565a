"""Every option that the decisions of a game may ever offer, numbered: for counts and for weights.

An option of a decision is a thing, or a line and perhaps the thing that it names, or the word that
ends it.  Its number is that of the decision's first option and, of a thing, the thing; of a line,
where the line begins and one more than the thing; 0 for the word.  `asking.wat` computes the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.interpreter.asks import LINE_MASK, STOP
from rulesdsl.lower.flat import LINE_BITS
from rulesdsl.lower.schema import MAX_REPEATS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.interpreter.asks import Ask
    from rulesdsl.interpreter.setting import Setting
    from rulesdsl.lower.layout import Layout
    from rulesdsl.lower.schema import Type


@attrs.frozen
class Offer:
    """The numbers of one decision's options: the first, where its lines begin, how many."""

    first: int
    lines: tuple[int, ...]  # none where it is among things
    many: int

    def number(self, option: int) -> int:
        """Return the number of an option; numbers beyond what is counted have the last one."""
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


@attrs.frozen
class OptionName:
    """The name of an option, as far as it does not depend on the position.

    `about` is the id in `Pack.new_game(...).printed` of the entry that it names, if any, `asked`
    the name of what asks.
    """

    id: str
    label: str
    about: str = ""
    asked: str = ""


NOBODY = OptionName("", "")


def offers_of(setting: Setting) -> list[Offer]:
    """Return the numbers of the options of each decision."""
    found: list[Offer] = []
    first = 0
    for ask in setting.engine.asks.values():
        found.append(_offer(setting.layout, ask, first))
        first += found[-1].many
    return found


def _offer(layout: Layout, ask: Ask, first: int) -> Offer:
    if ask.plain:
        domain = ask.domain(0)
        assert domain is not None
        return Offer(first, (), max(_things(layout, domain.element), 1))
    begin = 1  # after the word that takes no line
    lines: list[int] = []
    for line in range(len(ask.variables)):
        lines.append(begin)
        domain = ask.domain(line << LINE_BITS)
        begin += 1 if domain is None else 1 + _things(layout, domain.element)
    return Offer(first, tuple(lines), begin)


def _things(layout: Layout, kind: Type) -> int:
    """Return how many things of a type are told apart."""
    match kind.family:
        case "entry" | "piece":
            return layout.size(kind.of)
        case "seat" | "player":
            return layout.seats
        case "yes-no":
            return 2
        case _:
            return MAX_REPEATS + 1


def names_of(setting: Setting) -> list[OptionName]:
    """Return the names of all options, by their numbers."""
    labels = setting.labels
    found: list[OptionName] = []
    asks = setting.engine.asks.values()
    for ask, offer in zip(asks, offers_of(setting), strict=True):
        for option in offer.options():
            if not is_offered(ask, option):
                found.append(NOBODY)
                continue
            name, label = labels.option(ask, option, ask.effect(option))
            asked = setting.layout.schema.procs[ask.proc].title
            found.append(OptionName(name, label, labels.about(ask, option)[0], asked))
    return found


def is_offered(ask: Ask, option: int) -> bool:
    """Return whether an option is one: there may be no word; a line that names things is none."""
    if ask.plain:
        return True
    if option == STOP:
        return ask.stop is not None
    return ask.domain(option) is None or bool(option & LINE_MASK)
