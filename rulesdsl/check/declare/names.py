"""Who is called what: every name once, with its plural."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.world import World
from rulesdsl.source.diagnostic import Related
from rulesdsl.syntax import declarations as de

if TYPE_CHECKING:
    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.source.span import Span
    from rulesdsl.syntax.node import Word


BUILT_IN = {"seat", "player", "number", "position", "owner", "players", "seats", "score", "done"}


def plural_of(word: str) -> str:
    """Return the usual English plural."""
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    if word.endswith(("s", "x", "ch", "sh")):
        return word + "es"
    return word + "s"


class NameDeclarer:
    """Takes in names."""

    def __init__(self, world: World, findings: Findings) -> None:
        self.world = world
        self.findings = findings
        self._taken: dict[str, Span] = {}

    def _take(self, name: str, span: Span) -> bool:
        if name in BUILT_IN:
            self.findings.report(
                "E202", span, f"`{name}` is a word of the language itself.", "Take another name."
            )
            self.world.broken.add(name)
            return False
        first = self._taken.get(name)
        if first is not None and first != span:
            self.findings.report(
                "E202",
                span,
                f"`{name}` is declared twice.",
                "Give one of them another name.",
                [Related(first, self._declared_as(name))],
            )
            self.world.broken.add(name)  # which of them is meant is not known
            return False
        self._taken[name] = span
        return True

    def _declared_as(self, name: str) -> str:
        if name in self.world.plurals:
            return (
                f"`{name}` is the plural of this; `{self.world.plurals[name]}/...` gives another"
            )
        return "declared here first"

    def _names(self, names: de.Names) -> tuple[str, str, str]:
        singular = names.singular.text
        plural = names.plural.text if names.plural else plural_of(singular)
        title = names.title or singular.replace("-", " ").capitalize()
        return singular, plural, title

    def _add_plural(self, singular: str, plural: str, span: Span) -> None:
        if plural != singular and self._take(plural, span):
            self.world.plurals[plural] = singular


def word_text(word: Word | None) -> str | None:
    """Return the text of a word that may be left out."""
    return None if word is None else word.text
