"""Names that are words of the language: what is called so could never be named."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from rulesdsl.source.tree import walk
from rulesdsl.syntax.declarations import Decl, KindDecl
from rulesdsl.syntax.node import Word
from rulesdsl.syntax.statements import Header
from rulesdsl.syntax.token_words import NO_NAMES, STATEMENTS
from rulesdsl.syntax.wording import of_the_language

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulesdsl.check.world import World
    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.source.span import Span

NAMING = ("name", "variable", "first", "second", "singular", "plural")


def check_words(world: World, declarations: Iterable[Decl], findings: Findings) -> None:
    """Report names that are words of the language where they are declared."""
    for decl in declarations:
        for word in _words_in(decl):
            report_word(word.text, word.span, world, findings)


def has_words(decl: Decl) -> bool:
    """Tell whether names in a declaration are words of the language."""
    return any(True for _ in _words_in(decl))


def _words_in(decl: Decl) -> Iterator[Word]:
    for node in walk(decl):
        reserved = STATEMENTS if isinstance(node, Header) else NO_NAMES
        members = node.members if isinstance(node, KindDecl) else ()
        cls: type = type(node)
        for word in (*(getattr(node, field) for field in _naming(cls)), *members):
            if isinstance(word, Word) and word.text in reserved:
                yield word


@cache
def _naming(cls: type) -> list[str]:
    return [field for field in NAMING if hasattr(cls, field)]


def report_word(name: str, span: Span, world: World, findings: Findings) -> None:
    """Report one of them; what it is meant for is open then."""
    findings.report("E413", span, *of_the_language(name))
    world.broken.add(name)
