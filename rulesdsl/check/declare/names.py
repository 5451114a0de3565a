"""Who is called what: every name once, with its plural."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.declare.reserved import report_word
from rulesdsl.check.world import World
from rulesdsl.source.diagnostic import Related
from rulesdsl.syntax import declarations as de

if TYPE_CHECKING:
    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.source.span import Span
    from rulesdsl.syntax.node import Word


BUILT_IN = {
    "seat",
    "player",
    "number",
    "position",
    "owner",
    "players",
    "seats",
    "score",
    "standing",
    "done",
}


def plural_of(word: str) -> str:
    """Return the usual English plural."""
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    if word.endswith(("s", "x", "ch", "sh")):
        return word + "es"
    return word + "s"


def title_of(name: str) -> str:
    """Return what a person calls a thing that has no title: its name without the mod's id."""
    return name.rpartition(".")[2].replace("-", " ").capitalize()


def check_prefix(name: str, span: Span, world: World, findings: Findings) -> None:
    """Report a name that is declared under the id of a pack that it is not in."""
    prefix, dot, bare = name.rpartition(".")
    pack = world.pack_of(span)
    if dot and prefix != pack:
        own = f"`{pack}.{bare}`" if pack in world.mods else f"`{bare}`"
        findings.report(
            "E206",
            span,
            f"`{name}` begins with `{prefix}`, and `{prefix}` is not the mod that declares it.",
            f"Before the dot stands the id of the mod that a name is declared in: {own}.",
        )


def another_name(name: str, span: Span, first: Span, world: World) -> str:
    """Return what to do about a name that stands for two things."""
    pack = world.pack_of(span)
    if pack in world.mods and pack != world.pack_of(first) and "." not in name:
        return f"Put the id of the mod before one of them: `{pack}.{name}`."
    return "Give one of them another name."


class NameDeclarer:
    """Takes in names."""

    def __init__(self, world: World, findings: Findings) -> None:
        self.world = world
        self.findings = findings
        self._taken: dict[str, Span] = {}

    def _take(self, name: str, span: Span) -> bool:
        if name in BUILT_IN:
            report_word(name, span, self.world, self.findings)
            return False
        check_prefix(name, span, self.world, self.findings)
        first = self._taken.get(name)
        if first is not None and first != span:
            self.findings.report(
                "E202",
                span,
                f"`{name}` is declared twice.",
                another_name(name, span, first, self.world),
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
        title = names.title or title_of(singular)
        return singular, plural, title

    def _add_plural(self, singular: str, plural: str, span: Span) -> None:
        if plural != singular and self._take(plural, span):
            self.world.plurals[plural] = singular


def word_text(word: Word | None) -> str | None:
    """Return the text of a word that may be left out."""
    return None if word is None else word.text
