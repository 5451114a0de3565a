"""Declared verbs, steps and values, with what they are done to, and the hooks on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.declare.names import another_name, check_prefix
from rulesdsl.check.naming import Role, Sort
from rulesdsl.check.types import BUNDLE, NUMBER, PLAYER, SEAT, UNKNOWN, YES_NO, Type, entry, piece
from rulesdsl.check.world import ParamInfo, ProcInfo, ValueInfo
from rulesdsl.source.diagnostic import Related
from rulesdsl.source.facts import DeclaredTwice
from rulesdsl.source.suggest import closest, similar
from rulesdsl.syntax import declarations as de

if TYPE_CHECKING:
    from rulesdsl.check.declare.names import Names
    from rulesdsl.check.world import World
    from rulesdsl.syntax.node import Param, Word
    from rulesdsl.syntax.statements import Header


def declare_procedure(names: Names, decl: de.Decl) -> None:
    """Take in a verb, a step, a value, or who wins."""
    if isinstance(decl, de.ValueDecl):
        _value(names, decl)
    elif isinstance(decl, de.ScoreDecl):
        _score(names, decl)
    elif isinstance(decl, de.ProcedureDecl):
        _proc(names, decl)
    elif isinstance(decl, de.WinDecl):
        names.world.wins.append(decl)


def _score(names: Names, decl: de.ScoreDecl) -> None:
    name, span = decl.name.text, decl.name.span
    if names.take(decl.name):
        seat = ParamInfo("me", SEAT, span=span)
        names.world.values[name] = ValueInfo(
            name, span, (seat,), decl.formula, score_title=decl.title
        )


def _value(names: Names, decl: de.ValueDecl) -> None:
    name, span = decl.name.text, decl.name.span
    if names.take(decl.name):
        params = value_params(names, decl)
        names.world.values[name] = ValueInfo(name, span, params, decl.formula)


def value_params(names: Names, decl: de.ValueDecl | de.ValueHookDecl) -> tuple[ParamInfo, ...]:
    """Return the parameters of a value."""
    return tuple(param(names, each) for each in (decl.param, decl.second) if each is not None)


def _proc(names: Names, decl: de.ProcedureDecl) -> None:
    name, span = decl.header.name.text, decl.header.name.span
    names.noted.word(decl.header.name, Sort.VERB, name, role=Role.DECLARES)
    params = header_params(names, decl.header)
    check_prefix(name, span, names.world, names.findings)
    overloads = names.world.procs.setdefault(name, [])
    for other in overloads:
        if shape_of(other.params) == shape_of(params):
            names.findings.report(
                "E202",
                span,
                f"`{name}` is declared twice for the same things.",
                another_name(name, span, other.span, names.world),
                [Related(other.span, "declared here first")],
                facts=DeclaredTwice(),
            )
            return
    key = "/".join([name, *shape_of(params)])
    overloads.append(
        ProcInfo(key, name, decl.verb, span, params, decl.body, decl.text, decl.quiet)
    )


def header_params(names: Names, header: Header) -> tuple[ParamInfo, ...]:
    """Return the parameters of a verb or step."""
    params = [] if header.param is None else [param(names, header.param)]
    for more in header.more:
        found = param(names, more.param)
        found.preposition = more.preposition
        params.append(found)
    return tuple(params)


def param(names: Names, param: Param) -> ParamInfo:
    """Return a parameter: `card c` names kind and name, `n cards` a number of a noun."""
    first, second = param.first.text, param.second
    for word in (param.first, second):
        names.noted.noun(word, names.world)
    kind = type_named(names, first)
    if second is None:
        if kind is None:
            _unknown_kind(names, param.first)
            kind = UNKNOWN
        return ParamInfo(first, kind, span=param.first.span)
    if kind is not None:
        return ParamInfo(second.text, kind, span=second.span)
    if _is_noun(names, second.text):
        return ParamInfo(
            first, NUMBER, noun=names.world.singular(second.text), span=param.first.span
        )
    if _is_meant_as_noun(names, first, second.text):
        _unknown_noun(names, second)
        return ParamInfo(first, UNKNOWN, span=param.first.span)
    _unknown_kind(names, param.first)
    return ParamInfo(second.text, UNKNOWN, span=second.span)


def _is_meant_as_noun(names: Names, first: str, second: str) -> bool:
    """Whether two unknown words look like `n coins` rather than `card c`."""
    nouns = [*names.world.pieces, *names.world.tracks, *names.world.plurals]
    if closest(first, names.world.kinds) and len(first) > 1:
        return False
    return len(first) == 1 or bool(closest(second, nouns))


def _unknown_noun(names: Names, word: Word) -> None:
    names.noted.expect(word.text, _nouns(names))
    if not names.world.doubtful(word.text):
        message = f"There are no pieces or tracks called `{word.text}`."
        names.findings.report("E201", word.span, message, similar(word.text, _nouns(names)))


def _nouns(names: Names) -> list[str]:
    known = [*names.world.plurals, *names.world.pieces, *names.world.tracks]
    return [each for each in known if _is_noun(names, each)]


def _is_noun(names: Names, name: str) -> bool:
    singular = names.world.singular(name)
    return singular in names.world.pieces or singular in names.world.tracks


def type_named(names: Names, name: str) -> Type | None:
    """Return the type that a kind's name stands for."""
    simple = {"number": NUMBER, "bundle": BUNDLE, "seat": SEAT, "player": PLAYER, "yes-no": YES_NO}
    if name in simple:
        return simple[name]
    if name in names.world.pieces:
        return piece(name)
    if name in names.world.kinds:
        return entry(name)
    if name in names.world.places:
        return Type("cell", name)
    return None


def _unknown_kind(names: Names, word: Word) -> None:
    known = [*names.world.kinds, *names.world.pieces, *names.world.places]
    simple = ["number", "seat", "player", "bundle"]
    names.noted.expect(word.text, [*known, *simple, "yes-no", *_nouns(names)])
    if names.world.doubtful(word.text):
        return
    message = f"There is no kind of things called `{word.text}`."
    help_text = similar(word.text, [*known, *simple])
    names.findings.report("E201", word.span, message, help_text)
    names.world.broken.add(word.text)  # it may be the name of what is declared here


def shape_of(params: tuple[ParamInfo, ...]) -> tuple[str, ...]:
    """Return what tells overloads of a verb apart."""
    return tuple(
        f"{param.preposition or ''}:{param.noun or param.type.of or param.type.family}"
        for param in params
    )


def header_text(proc: ProcInfo, world: World) -> str:
    """Return how a verb is called, for messages."""
    words = [proc.name]
    for param in proc.params:
        if param.preposition:
            words.append(param.preposition)
        if param.noun:
            words.append(f"{param.name} {world.plural(param.noun)}")
        else:
            words.append(f"{param.type.of or param.type.family} {param.name}")
    return " ".join(words)
