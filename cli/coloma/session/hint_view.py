"""Hints of a bot as lines of text."""

from __future__ import annotations

from coloma.session.answers import numbered
from rulesdsl import Decision
from rulesdsl.source.english import ended
from rulesdsl.table.table import Estimates

_MOST_LISTED = 4
_BETTER = ((0.1, "clearly better than"), (0.03, "a little better than"))  # house
_AS_GOOD = "about as good as"


def hint_lines(decision: Decision, estimates: Estimates) -> list[str]:
    """Describe a hint: the best option, and its lead over the second best."""
    options = decision.options
    if len(options) == 1:
        return ["Hint: there is only one choice."]
    lines = numbered(options)

    def named(index: int) -> str:
        return f"{lines[index].number}, {lines[index].label}"

    best, *others = estimates
    advice = f"Hint: {ended(named(best[0]))}"
    if others:
        lead = best[1] - others[0][1]
        compared = next((words for least, words in _BETTER if lead >= least), _AS_GOOD)
        advice += f" It is {compared} {ended(named(others[0][0]))}"
    best_few = estimates[:_MOST_LISTED]
    listed = ", ".join(f"{lines[at].number}: {round(100 * value)}" for at, value in best_few)
    return [advice, f"Estimates, from 0 (lost) to 100 (a clear win): {listed}"]
