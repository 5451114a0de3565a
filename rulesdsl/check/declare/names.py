"""Who is called what: every name once, with its plural."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.declare.reserved import report_word
from rulesdsl.check.naming import Noted, Role, Sort
from rulesdsl.source.diagnostic import Related
from rulesdsl.source.english import spoken
from rulesdsl.source.facts import DeclaredTwice, WrongPrefix

if TYPE_CHECKING:
    from rulesdsl.check.world import World
    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.source.span import Span
    from rulesdsl.syntax import declarations as de
    from rulesdsl.syntax.node import Word

Named = tuple[str, str, str, "Span"]
"""What a thing is called: its name, its plural, its title, and where that is."""

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
    return spoken(name.rpartition(".")[2]).capitalize()


def check_prefix(name: str, span: Span, world: World, findings: Findings) -> None:
    """Report a name that is declared under the id of a pack that it is not in."""
    prefix, dot, bare = name.rpartition(".")
    pack = world.pack_of(span)
    if dot and prefix != pack:
        own = f"`{pack}.{bare}`" if pack in world.mods else f"`{bare}`"
        findings.report(
            "E206",
            span,
            f"`{name}` begins with `{prefix}`, but `{prefix}` is not the mod that declares it.",
            f"Put the id of the declaring mod before the dot: {own}.",
            facts=WrongPrefix(name, own.strip("`")),
        )


def another_name(name: str, span: Span, first: Span, world: World) -> str:
    """Return what to do about a name that stands for two things."""
    pack = world.pack_of(span)
    if pack in world.mods and pack != world.pack_of(first) and "." not in name:
        return f"Put the id of the mod before one of them: `{pack}.{name}`."
    return "Give one of them another name."


@attrs.define
class Names:
    """What the declarations share: the world that they fill, and what is called how by now."""

    world: World
    findings: Findings
    noted: Noted = attrs.Factory(Noted)
    _taken: dict[str, Span] = attrs.Factory(dict)

    def take(self, word: Word) -> bool:
        """Take a name for what it declares; reported where it cannot have it."""
        taken = self._take(word.text, word.span)
        first = self._taken.get(word.text, word.span) == word.span
        role = Role.DECLARES if first else Role.USES
        self.noted.word(word, Sort.NOUN, word.text, role=role)
        return taken

    def _take(self, name: str, span: Span) -> bool:
        if name in BUILT_IN:
            report_word(name, span, self.world, self.findings)
            return False
        check_prefix(name, span, self.world, self.findings)
        first = self._taken.setdefault(name, span)
        if first == span:
            return True
        singular = self.world.plurals.get(name)
        how = f"`{name}` is the plural of this; `{singular}/...` gives another"
        self.findings.report(
            "E202",
            span,
            f"`{name}` is declared twice.",
            another_name(name, span, first, self.world),
            [Related(first, how if singular else "declared here first")],
            facts=DeclaredTwice(),
        )
        self.world.broken.add(name)  # which of them is meant is not known
        return False

    def take_all(self, names: de.Names) -> Named | None:
        """Take singular and plural; return them with the title, None where that is refused."""
        singular, span = names.singular.text, names.singular.span
        if names.plural is not None:
            self.noted.word(names.plural, Sort.NOUN, singular)
        if not self.take(names.singular):
            return None
        plural = names.plural.text if names.plural else plural_of(singular)
        if plural != singular and self._take(plural, span):
            self.world.plurals[plural] = singular
        return singular, plural, names.title or title_of(singular), span


def word_text(word: Word | None) -> str | None:
    """Return the text of a word that may be left out."""
    return None if word is None else word.text
