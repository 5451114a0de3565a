"""Wording of the findings about scenarios, lessons, and the checklist of rules."""

from __future__ import annotations

from rulesdsl.packs.toml_document import KeyPath
from rulesdsl.source.diagnostics import Wording

BAD_VERDICT = Wording("E005", "`{found}` is not a verdict.", "Expected {listed}.")
SAME_NAME = Wording("E202", "Another scenario already has this name.", "Rename one of them.")
NO_NAME = Wording("E006", "This scenario has no name.", 'Say what it tests: name = "..."')
NO_CHECKS = Wording(
    "E006",
    "This scenario checks nothing.",
    'Say what to check: {checks}. To see what is asked: offered = ["p1 ?"]',
)
UNKNOWN_OPTION = Wording("E201", "There is no option `{name}`.")
BAD_OPTION = Wording("E005", "The option `{name}` cannot have this value.", "Expected {values}.")
UNKNOWN_PLAYER = Wording("E004", "There is no player `{key}` here.", "The players are {listed}.")
NO_SIGHT = Wording(
    "E301",
    "This is nothing that a player sees or does not see.",
    "Write what lies in one place, `drum in hand of p1`, or a track or flag, `fame of p1`.",
)
UNKNOWN_STEP = Wording("E204", "There is no step `{name}` that can be run by itself.")
UNKNOWN_RULE = Wording("E201", "The checklist has no rule `{name}`.")


def phrase(path: KeyPath, wanted: str, _value: object) -> str:
    """Compose the message about a value of the wrong kind."""
    name = f"`{path[-1]}`" if isinstance(path[-1], str) else "This"
    return f"{name} must be {wanted}."
