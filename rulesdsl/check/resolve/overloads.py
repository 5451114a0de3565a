"""Which verb of a name is meant, told by what it is done to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.declare.procedures import header_text
from rulesdsl.check.resolve.amounts import amount_of
from rulesdsl.check.types import BUNDLE, NUMBER, PLAYER, SEAT, UNKNOWN, Type, entry, fits, piece
from rulesdsl.source.facts import NothingToSay, WrongArgument
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st

if TYPE_CHECKING:
    from rulesdsl.check.resolve.resolver import Resolver
    from rulesdsl.check.world import ParamInfo, ProcInfo


def overload(r: Resolver, stmt: st.Call, overloads: list[ProcInfo]) -> ProcInfo | None:
    """Return the verb that these arguments mean."""
    shape = [argument.preposition for argument in stmt.arguments]
    fitting = [
        proc
        for proc in overloads
        if [param.preposition for param in proc.params] == shape
        and all(
            _may_be(r, param, argument)
            for param, argument in zip(proc.params, stmt.arguments, strict=True)
        )
    ]
    named = [
        proc
        for proc in fitting
        if all(
            (param.noun is None) == (_noun_of(r, argument.value) is None)
            for param, argument in zip(proc.params, stmt.arguments, strict=True)
        )
    ]
    if len(fitting) > 1 and named:
        fitting = named
    unclear = any(param.type == UNKNOWN for each in overloads for param in each.params)
    if len(fitting) == 1:
        r.scope.failed |= unclear
        return fitting[0]
    same = [p for p in overloads if [param.preposition for param in p.params] == shape]
    if not fitting and len(same) == 1 and len(overloads) == 1:
        return same[0]
    r.scope.failed |= unclear
    if unclear or _unknown_noun(r, stmt):
        return None  # what the verb is done to was reported where it is declared
    known = " or ".join(f"`{header_text(proc, r.world)}`" for proc in overloads)
    message = f"`{stmt.verb.text}` is not done {_told(r, stmt)}."
    if not stmt.arguments:
        message = f"`{stmt.verb.text}` does not say what it is done to."
    bare = all(not proc.params for proc in overloads)
    help_text = f"Write {known} by itself." if bare else f"It is declared as {known}."
    facts = NothingToSay(stmt.verb.text) if bare and len(overloads) == 1 else WrongArgument()
    r.report("E205", stmt.span, message, help_text, facts=facts)
    return None


def _unknown_noun(r: Resolver, stmt: st.Call) -> bool:
    """Report an amount of something that is not there."""
    nouns = r.world.pieces.keys() | r.world.tracks.keys()
    for argument in stmt.arguments:
        noun = _noun_of(r, argument.value)
        if noun is not None and noun not in nouns:
            amount_of(r, argument.value)
            return True
    return False


def _told(r: Resolver, stmt: st.Call) -> str:
    """Return what a call is about, for a message."""
    if len(stmt.arguments) != 1 or stmt.arguments[0].preposition:
        return "to such things"
    first = stmt.arguments[0]
    noun, kind = _noun_of(r, first.value), _kind_of(r, first.value)
    if noun is not None:
        return f"to an amount of `{noun}`"
    return f"to {kind}" if kind is not None else "to such a thing"


def _may_be(r: Resolver, param: ParamInfo, argument: st.Argument) -> bool:
    """Whether an argument can be meant for a parameter, judged by its words."""
    value = argument.value
    noun = _noun_of(r, value)
    if param.noun is not None or noun is not None:
        if param.type == BUNDLE:
            return True
        return param.noun is not None and noun == param.noun
    kind = _kind_of(r, value)
    return kind is None or fits(kind, param.type)


def _noun_of(r: Resolver, value: ex.Expr) -> str | None:
    """Return the noun of an amount."""
    if isinstance(value, ex.Amount):
        return r.world.singular(value.noun.text)
    if isinstance(value, ex.Per) and isinstance(value.rate, ex.Amount):
        return r.world.singular(value.rate.noun.text)
    return None


def _kind_of(r: Resolver, value: ex.Expr) -> Type | None:
    """Return the type of an argument where its words alone tell it."""
    if isinstance(value, ex.Choice | ex.The | ex.RandomPick | ex.First):
        name = r.world.singular(value.kind.text)
        if name in r.world.owners:
            name = r.world.owners[name][0]
        if name == "number":
            return NUMBER
        if name in {"player", "seat"}:
            return PLAYER if name == "player" else SEAT
        return piece(name) if name in r.world.pieces else entry(name)
    if isinstance(value, ex.Name) and value.name in r.scope.locals:
        return r.scope.locals[value.name].type
    if isinstance(value, ex.Name):
        owners = r.world.owners.get(value.name, [])
        return entry(owners[0]) if len(owners) == 1 else None
    if isinstance(value, ex.Number | ex.Arithmetic | ex.Cap):
        return NUMBER
    if isinstance(value, ex.It) and r.scope.candidates:
        return r.scope.candidates[-1].type
    return None
