"""All options that a game may ever offer: what each is called, and where the rules ask for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.intervals import Intervals
from rulesdsl.interpreter.reasons.reason import Action
from rulesdsl.interpreter.simulator.offers import is_offered, offers_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.interpreter.asks import Ask
    from rulesdsl.interpreter.setting import Setting

_SENTENCES = re.compile(r"(?<=[.:?!]) ")
_AMOUNT = re.compile(r"\bsome\b")  # what labels say of a value that is not known


def actions_of(setting: Setting) -> tuple[Action, ...]:
    """Return all actions, question by question."""
    found: list[Action] = []
    intervals = Intervals(setting.labels.program)
    asks = setting.engine.asks.items()
    for (block, ask), offer in zip(asks, offers_of(setting), strict=True):
        same: dict[tuple[int | None, str], list[int]] = {}
        for option in _known(intervals, ask, offer.options()):
            name, _ = setting.labels.option(ask, option, ask.effect(option))
            same.setdefault((ask.number(option), name), []).append(option)
        for (_, name), raw in same.items():
            found.append(_action(setting, len(found), block, name, tuple(raw)))
    return tuple(found)


def _action(setting: Setting, number: int, block: int, name: str, raw: tuple[int, ...]) -> Action:
    ask, labels = setting.engine.asks[block], setting.labels
    _, label = labels.option(ask, raw[0], ask.effect(raw[0]))
    domain = ask.domain(raw[0])
    if ask.plain and domain is not None:  # words may have values, which no position gives here
        label = labels.thing(domain.element, raw[0])
    question = "" if ask.end.prompt is None else _without_amounts(labels.say(ask.end.prompt, None))
    line = ask.line(raw[0])
    if line is not None and line.label is not None and line.domain is None:
        label = labels.heading(line.label)
    rule = ask.end.span if line is None or not line.span.line else line.span
    about = labels.about(ask, raw[0])[0]
    decision = setting.question_ids[block]
    return Action(number, name, label, question, rule, about, decision, block, raw)


def _without_amounts(prompt: str) -> str:
    """Leave out the sentences of a question that say amounts: no position gives them here."""
    sentences = _SENTENCES.split(prompt)
    return " ".join(each for each in sentences if not _AMOUNT.search(each))


def _known(intervals: Intervals, ask: Ask, options: Iterator[int]) -> Iterator[int]:
    """Yield the options that are ones; of numbers, those up to the most that there may be."""
    for option in options:
        if not is_offered(ask, option):
            continue
        domain = ask.domain(option)
        base = None if domain is None else domain.unfiltered
        if isinstance(base, ty.Numbers) and ask.thing(option) > intervals.of(base.high)[1]:
            continue
        yield option
