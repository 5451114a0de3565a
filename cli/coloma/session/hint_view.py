"""Hints of a bot as lines of text."""

from __future__ import annotations

from coloma.session.answers import numbered
from rulesdsl import Decision
from rulesdsl.source.english import and_list, ended
from rulesdsl.table.table import Estimates

_MOST_LISTED = 4
_FAR, _CLEARLY, _LITTLE = 0.25, 0.1, 0.03  # house: leads that deserve these words
_RATED = "Estimates, from 0 (lost) to 100 (a clear win)"
_MIXED = "How often a bot would choose each, in 100 times"
_UNFORESEEN = "Others choose at the same time: who never varies is foreseen."


def hint_lines(decision: Decision, estimates: Estimates | None, *, mixed: bool) -> list[str]:
    """Describe a hint: the best option, and why.

    If `mixed`, others choose at the same time, and the figures are shares of a mixed strategy.
    """
    if not estimates:
        return ["No hints are available here."]
    if decision.count == 1:
        return ["Hint: there is only one choice."]
    lines = numbered(decision.options)
    listed = [
        f"{lines[at].number}: {round(100 * figure)}" for at, figure in estimates[:_MOST_LISTED]
    ]
    at, figure = estimates[0]
    advice = f"{lines[at].number}, {lines[at].label}"
    if mixed:
        often = f"{round(100 * figure)} times in 100" if len(estimates) > 1 else "in every trial"
        advice += f", {often}. {_UNFORESEEN}"
    else:
        advice = f"{ended(advice)} {_compared(decision, estimates)}"
    return [f"Hint: {advice.strip()}", f"{_MIXED if mixed else _RATED}: {', '.join(listed)}"]


def _compared(decision: Decision, estimates: Estimates) -> str:
    """Return a sentence about the lead of the best option; empty if it is the only one rated."""
    lines, (_, best) = numbered(decision.options), estimates[0]
    others = [(lines[at], best - figure) for at, figure in estimates[1:]]
    if not others:
        return ""
    second, lead = others[0]
    near = [str(line.number) for line, behind in others if behind < _LITTLE]
    if lead >= _FAR:
        return "It is by far the best choice."
    if len(near) > 1:
        return f"It is about as good as {and_list(near)}."
    words = "clearly better than" if lead >= _CLEARLY else "a little better than"
    if near:
        words = "about as good as"
    return f"It is {words} {second.number}, {ended(second.label)}"
