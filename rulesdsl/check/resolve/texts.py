"""From texts with values in braces to words for people, and the questions of those without."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.proofs import atoms, both
from rulesdsl.check.resolve.amounts import amount_of
from rulesdsl.check.types import Type
from rulesdsl.source.english import opening, spoken
from rulesdsl.source.tree import walk
from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from rulesdsl.check.resolve.resolver import Resolver
    from rulesdsl.check.world import ProcInfo


def words_of(r: Resolver, text: ex.Text) -> ty.Words:
    """Return what a text says, its values resolved."""
    found = [_value(r, each) for each in text.values]
    values, nouns = tuple(each for each, _ in found), tuple(noun for _, noun in found)
    named = r.world.renamed.get(text.span, "")
    return ty.Words(text.words, values, nouns, named=named, span=text.span)


def optional(r: Resolver, text: ex.Text | None) -> ty.Words | None:
    """Return what a text says, where there is one."""
    return None if text is None else words_of(r, text)


def asked(r: Resolver, text: ex.Text | None, otherwise: str) -> ty.Words:
    """Return a question: that of the text, else what goes on and this."""
    return question(r, otherwise) if text is None else words_of(r, text)


def about(
    r: Resolver, choice: ex.Choice, local: ty.Local, name: str | None = None
) -> ty.Words | None:
    """Return what an option says of the thing that it is, which is called `it` or by its name."""
    if choice.label is None:
        return None
    with r.scope.block():
        own = None if choice.variable is None else choice.variable.text
        r.scope.locals |= {each: local for each in (name, own) if each is not None}
        r.scope.candidates.append(local)
        return words_of(r, choice.label)


def failing_with(why: ty.Words | None, condition: ty.Value) -> ty.Value:
    """Return a condition of which each part says why it fails, where a text says it."""
    if why is None:
        return condition
    return both(*(attrs.evolve(each, why=why) for each in atoms(condition)))


def plain(text: str) -> ty.Words:
    """Return words without values."""
    return ty.Words((text,))


# -------------------------------------------------------------------- where no text is declared
def title_of_kind(r: Resolver, kind: Type) -> str:
    """Return what a person calls a kind of things."""
    known = r.world.pieces.get(kind.of) or r.world.kinds.get(kind.of)
    return kind.family if known is None else known.title


def heading(proc: ProcInfo, params: tuple[ty.Local, ...]) -> ty.Words:
    """Return what a verb or step is called, with what it is given: `Build {b} with {t}`."""
    words = _joined(opening(spoken(proc.name)))
    for param, local in zip(proc.params, params, strict=True):
        if local.type.family != "list":
            words = _joined(words, f" {param.preposition} " if param.preposition else " ")
            value = ty.Words(("", ""), (local,), (param.noun or "",))
            words = _joined(words, value)
    return words


def question(r: Resolver, asks: str) -> ty.Words:
    """Return a question that no text is declared for: what goes on, and what is asked."""
    return _joined(
        r.scope.heading, f": {asks}" if r.scope.heading != plain("") else opening(spoken(asks))
    )


def _joined(first: ty.Words | str, then: ty.Words | str = "") -> ty.Words:
    """Return words and others right after them."""
    one = plain(first) if isinstance(first, str) else first
    two = plain(then) if isinstance(then, str) else then
    said = (*one.said[:-1], one.said[-1] + two.said[0], *two.said[1:])
    return ty.Words(said, one.values + two.values, one.nouns + two.nouns)


def _value(r: Resolver, expr: ex.Expr) -> tuple[ty.Value, str]:
    """Return a value of a text, and what it is an amount of; an effect is told in its words."""
    drawn = next((each for each in walk(expr) if isinstance(each, ex.RandomPick)), None)
    if drawn is not None:
        message = "A text cannot draw: it only says what is known."
        help_text = "Draw before it, under a name given by `let`, and put the name in braces."
        return r.report("E301", drawn.span, message, help_text), ""
    amount = amount_of(r, expr)
    if amount is not None:
        return amount[0], amount[1]
    found = r.value(expr)
    if isinstance(found, ty.HasEffect):
        return attrs.evolve(found, type=Type("text")), ""
    if found.type.family == "list":
        message = f"This is {found.type}: a text names one thing or number at a time."
        help_text = "Count them with an amount, or name one of them."
        return r.report("E301", expr.span, message, help_text), ""
    return r.scope.narrowed(found), ""
