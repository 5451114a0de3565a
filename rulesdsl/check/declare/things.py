"""Declared things: kinds, pieces, places, tracks, flags, options, rivals, panels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.constants import constant_number
from rulesdsl.check.declare.names import BUILT_IN, title_of, word_text
from rulesdsl.check.mentions import words_in
from rulesdsl.check.naming import Role, Sort
from rulesdsl.check.world import (
    EntryInfo,
    FieldInfo,
    FlagInfo,
    KindInfo,
    OptionInfo,
    PieceInfo,
    PlaceInfo,
    RivalInfo,
    TrackInfo,
)
from rulesdsl.source.diagnostic import Related
from rulesdsl.source.facts import BadBounds, InListTwice, OutOfRange
from rulesdsl.source.suggest import similar
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.size import MAX_NUMBER

if TYPE_CHECKING:
    from rulesdsl.check.declare.names import Names
    from rulesdsl.syntax.node import Word


SIMPLE_FIELDS = {"number", "yes-no", "text", "bundle", "effect", "automatic", "formula"}

MOST = 2**63 - 1
MAX_VALUES = 1000  # of an option


def declare_thing(names: Names, decl: de.Decl) -> None:  # noqa: C901 - one case a declaration
    """Take in a thing."""
    match decl:
        case de.KindDecl():
            _kind(names, decl)
        case de.PieceDecl():
            _piece(names, decl)
        case de.PlaceDecl():
            _place(names, decl)
        case de.TrackDecl():
            _track(names, decl)
        case de.FlagDecl():
            name, span = decl.name.text, decl.name.span
            if names.take(decl.name):
                during = word_text(decl.during)
                names.world.flags[name] = FlagInfo(
                    name, span, _texts(decl.per), during, decl.quiet
                )
        case de.OptionDecl():
            _option(names, decl)
        case de.RivalDecl():
            name, span = decl.name.text, decl.name.span
            if names.take(decl.name):
                rival = RivalInfo(name, decl.title, span, not decl.without_score, decl.when)
                names.world.rivals[name] = rival
        case de.PanelDecl():
            names.world.panels.append(decl)
        case de.VerdictDecl():
            names.world.verdicts.append(decl)
        case (
            de.ConstantsDecl()
            | de.EntryDecl()
            | de.SourceDecl()
            | de.ValueDecl()
            | de.ProcedureDecl()
            | de.HookDecl()
            | de.ValueHookDecl()
            | de.TextHookDecl()
            | de.ScoreDecl()
            | de.WinDecl()
        ):
            pass  # no things


def _texts(words: tuple[Word, ...]) -> tuple[str, ...]:
    return tuple(word.text for word in words)


def _kind(names: Names, decl: de.KindDecl) -> None:
    known = names.world.kinds.get(decl.names.singular.text)
    if known is not None and not decl.members and decl.table is None:
        names.noted.noun(decl.names.singular, names.world)
        _add_fields(names, known, decl.fields)  # more fields for a kind declared elsewhere
        return
    named = names.take_all(decl.names)
    if named is not None:
        kind = _add_kind(names, KindInfo(*named, "kind"), decl)
        for word in decl.members:
            _member(names, kind, word)


def _member(names: Names, kind: KindInfo, word: Word) -> None:
    names.noted.word(word, Sort.ENTRY, word.text, kind.name, Role.DECLARES)
    if word.text in kind.index:
        names.findings.report(
            "E202",
            word.span,
            f"`{word.text}` is in this list twice.",
            "Leave one out.",
            facts=InListTwice(),
        )
    else:
        title = title_of(word.text)
        names.world.add(kind, EntryInfo(kind.name, word.text, title, word.text, word.span))


def _add_kind(
    names: Names, kind: KindInfo, decl: de.KindDecl | de.PieceDecl | de.PlaceDecl
) -> KindInfo:
    if decl.table is not None:
        kind.table, kind.table_span = decl.table.path, decl.table.span
    _add_fields(names, kind, decl.fields)
    names.world.kinds[kind.name] = kind
    return kind


def _add_fields(names: Names, kind: KindInfo, fields: de.Fields) -> None:
    for field in fields:
        if not isinstance(field, de.FieldDecl):
            continue
        name = field.name.text
        names.noted.word(field.name, Sort.FIELD, name, kind.name, Role.DECLARES)
        if name in kind.fields:
            names.findings.report(
                "E202",
                field.name.span,
                f"`{kind.name}` has a field `{name}` already.",
                "Give one of them another name.",
                [Related(kind.fields[name].span, "declared here first")],
            )
            continue
        kind.fields[name] = FieldInfo(
            name,
            field.type.text,
            word_text(field.per),
            field.default,
            field.seen_by is not None,
            field.quiet,
            field.name.span,
        )


def _piece(names: Names, decl: de.PieceDecl) -> None:
    named = names.take_all(decl.names)
    if named is None:
        return
    name, plural, *_ = named
    printed = decl.table is not None or bool(decl.fields)
    count = 1 if decl.count is None else _count(names, decl.count)
    if count is None:
        names.world.broken.update({name, plural})  # alike, or one of a kind: not known
        count = 2
    style = "printed" if printed else ("single" if count == 1 else "counted")
    per = word_text(decl.per)
    names.world.pieces[name] = PieceInfo(*named, style, per, count, decl.home, decl.quiet)
    if printed:
        _add_kind(names, KindInfo(*named, "piece"), decl)


def _count(names: Names, expr: ex.Expr) -> int | None:
    names.noted.value(expr, "number", names.world)
    number = constant_number(expr, names.world)
    if number is None:
        _not_fixed(
            names,
            expr,
            "The number of pieces in the box is fixed: a number or a named number.",
            "Write a number, or a name from a constants file.",
        )
        return None
    if not 0 < number <= 1000:  # noqa: PLR2004
        names.findings.report(
            "E407",
            expr.span,
            f"A kind cannot have {number} pieces.",
            "It can have 1 to 1000.",
            facts=OutOfRange(1, 1000),
        )
        return None
    return number


def _not_fixed(
    names: Names, expr: ex.Expr | ex.Range, message: str, help_text: str, facts: object = None
) -> None:
    """Report what must be a fixed number, or the name in it that is unknown."""
    world = names.world
    unknown = [each for each in words_in(expr) if each.text not in world.constants]
    if any(world.doubtful(word.text) for word in unknown):
        return
    unknown = [word for word in unknown if word.text not in BUILT_IN]
    for word in unknown:
        names.findings.report(
            "E201",
            word.span,
            f"There is no number called `{word.text}`.",
            similar(word.text, world.constants) or help_text,
        )
    if not unknown:
        names.findings.report("E301", expr.span, message, help_text, facts=facts)


def _place(names: Names, decl: de.PlaceDecl) -> None:
    named = names.take_all(decl.names)
    if named is None:
        return
    name, *_ = named
    table = decl.table is not None or bool(decl.fields)
    dims = ((name,) if table else ()) + _texts(decl.per)
    names.world.places[name] = PlaceInfo(
        *named, decl.stack, table, dims, word_text(decl.seen_by), _texts(decl.holds), decl.quiet
    )
    if table:
        _add_kind(names, KindInfo(*named, "place"), decl)


def _track(names: Names, decl: de.TrackDecl) -> None:
    named = names.take_all(decl.names)
    if named is None:
        return
    low: int | None = 0
    high: int | None = MOST
    if decl.bounds is not None:
        names.noted.value(decl.bounds, "number", names.world)
        low = constant_number(decl.bounds.low, names.world)
        high = constant_number(decl.bounds.high, names.world)
    if low is None or high is None or low > high:
        assert decl.bounds is not None
        _not_fixed(
            names,
            decl.bounds,
            "The bounds of a track are two fixed numbers, the lower one first.",
            "For example `from 0..20`.",
            BadBounds(),
        )
        low, high = 0, MOST
    dims, during = _texts(decl.per), word_text(decl.during)
    track = TrackInfo(*named, dims, word_text(decl.seen_by), low, high, during, decl.quiet)
    names.world.tracks[track.name] = track


def _option(names: Names, decl: de.OptionDecl) -> None:
    name, span = decl.name.text, decl.name.span
    if not names.take(decl.name):
        return
    if decl.switch is not None:
        info = OptionInfo(name, decl.title, span, int(decl.switch), 0, 1, (), switch=True)
    elif decl.number is not None and decl.bounds is not None:
        info = _number_option(names, decl, decl.number, decl.bounds)
    else:
        values = _texts(decl.values)
        info = OptionInfo(name, decl.title, span, 0, 0, len(values) - 1, values, switch=False)
        kind = KindInfo(name, name, decl.title, span, "option")
        names.world.kinds[name] = kind
        for word in decl.values:
            _member(names, kind, word)
    names.world.options[name] = info


def _number_option(
    names: Names, decl: de.OptionDecl, number: ex.Expr, bounds: ex.Range
) -> OptionInfo:
    names.noted.value(number, "number", names.world)
    names.noted.value(bounds, "number", names.world)
    default = constant_number(number, names.world)
    low = constant_number(bounds.low, names.world)
    high = constant_number(bounds.high, names.world)
    if default is None or low is None or high is None or not low <= default <= high:
        _not_fixed(
            names,
            ex.Range(number, bounds, span=number.span.to(bounds.span)),
            "The number of an option is fixed and within its bounds.",
            "For example `3 in 2..4`.",
        )
        default = low = high = 0
    elif MAX_VALUES <= high - low <= MAX_NUMBER:
        message = f"An option cannot have {high - low + 1} values."
        help_text = f"It can have 1 to {MAX_VALUES}."
        names.findings.report("E407", bounds.span, message, help_text)
        high = default = low
    return OptionInfo(
        decl.name.text, decl.title, decl.name.span, default, low, high, (), switch=False
    )
