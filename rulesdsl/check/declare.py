"""From declarations to the world: who is called what, and what each thing is like."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.constants import constant_number
from rulesdsl.check.mentions import mentions, words_in
from rulesdsl.check.types import BUNDLE, NUMBER, PLAYER, SEAT, UNKNOWN, YES_NO, Type, entry, piece
from rulesdsl.check.world import (
    FieldInfo,
    FlagInfo,
    HookInfo,
    KindInfo,
    OptionInfo,
    ParamInfo,
    PieceInfo,
    PlaceInfo,
    ProcInfo,
    RivalInfo,
    TrackInfo,
    ValueHookInfo,
    ValueInfo,
    World,
)
from rulesdsl.source.diagnostic import Related
from rulesdsl.source.suggest import closest, did_you_mean
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.source.span import Span
    from rulesdsl.syntax.node import Param, Word
    from rulesdsl.syntax.statements import Header

SIMPLE_FIELDS = {"number", "yes-no", "text", "bundle", "effect", "automatic", "formula"}
BUILT_IN = {"seat", "player", "number", "position", "owner", "players", "seats", "score", "done"}
MOST = 2**63 - 1


def plural_of(word: str) -> str:
    """Return the usual English plural."""
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    if word.endswith(("s", "x", "ch", "sh")):
        return word + "es"
    return word + "s"


class Declarer:
    """Fills a world from the declarations of all files, in order."""

    def __init__(self, world: World, findings: Findings) -> None:
        self.world = world
        self.findings = findings
        self._taken: dict[str, Span] = {}

    def declare(self, declarations: Iterable[de.Decl]) -> None:
        """Take in things first, then what is made of them, then hooks."""
        every = list(declarations)
        for each in every:
            self._thing(each)
        for each in every:
            self._procedure_or_value(each)
        for each in every:
            self._hook(each)

    # ---------------------------------------------------------------- names
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

    # ---------------------------------------------------------------- things
    def _thing(self, decl: de.Decl) -> None:  # noqa: C901 - one case for each declaration
        match decl:
            case de.KindDecl():
                self._kind(decl)
            case de.PieceDecl():
                self._piece(decl)
            case de.PlaceDecl():
                self._place(decl)
            case de.TrackDecl():
                self._track(decl)
            case de.FlagDecl():
                if self._take(decl.name.text, decl.name.span):
                    self.world.flags[decl.name.text] = FlagInfo(
                        decl.name.text, decl.name.span, self._dims(decl.per), _word(decl.during)
                    )
            case de.OptionDecl():
                self._option(decl)
            case de.RivalDecl():
                if self._take(decl.name.text, decl.name.span):
                    self.world.rivals[decl.name.text] = RivalInfo(
                        decl.name.text, decl.title, decl.name.span, decl.scores, decl.when
                    )
            case de.PanelDecl():
                self.world.panels.append(decl)
            case _:
                pass

    def _dims(self, words: tuple[Word, ...]) -> tuple[str, ...]:
        return tuple(word.text for word in words)

    def _kind(self, decl: de.KindDecl) -> None:
        name, plural, title = self._names(decl.names)
        span = decl.names.singular.span
        known = self.world.kinds.get(name)
        if known is not None and not decl.members and decl.table is None:
            self._add_fields(known, decl.fields)  # more fields for a kind declared elsewhere
            return
        if not self._take(name, span):
            return
        self._add_plural(name, plural, span)
        kind = KindInfo(name, plural, title, span, "kind")
        self._add_table(kind, decl.table)
        self._add_fields(kind, decl.fields)
        self.world.kinds[name] = kind
        for word in decl.members:
            self._member(kind, word)

    def _member(self, kind: KindInfo, word: Word) -> None:
        from rulesdsl.check.world import EntryInfo  # noqa: PLC0415 - keeps the import list readable

        title = word.text.replace("-", " ").capitalize()
        if word.text in kind.index:
            self.findings.report(
                "E202", word.span, f"`{word.text}` stands twice in this list.", "Leave one out."
            )
            return
        kind.add(EntryInfo(kind.name, word.text, title, word.text, word.span))
        self.world.owners.setdefault(word.text, []).append(kind.name)

    def _add_table(self, kind: KindInfo, table: de.TableRef | None) -> None:
        if table is not None:
            kind.table, kind.table_span = table.path, table.span

    def _add_fields(self, kind: KindInfo, fields: de.Fields) -> None:
        for field in fields:
            if not isinstance(field, de.FieldDecl):
                continue
            name = field.name.text
            if name in kind.fields:
                self.findings.report(
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
                _word(field.per),
                field.default,
                _word(field.seen_by),
                field.name.span,
            )

    def _piece(self, decl: de.PieceDecl) -> None:
        name, plural, title = self._names(decl.names)
        span = decl.names.singular.span
        if not self._take(name, span):
            return
        self._add_plural(name, plural, span)
        printed = decl.table is not None or bool(decl.fields)
        count: int | None = 1
        if decl.count is not None:
            count = self._count(decl.count)
        if count is None:
            self.world.broken.update({name, plural})  # alike, or one of a kind: not known
            count = 2
        style = "printed" if printed else ("single" if count == 1 else "counted")
        self.world.pieces[name] = PieceInfo(
            name, plural, title, span, style, _word(decl.per), count, decl.home
        )
        if printed:
            kind = KindInfo(name, plural, title, span, "piece")
            self._add_table(kind, decl.table)
            self._add_fields(kind, decl.fields)
            self.world.kinds[name] = kind

    def _count(self, expr: ex.Expr) -> int | None:
        number = constant_number(expr, self.world)
        if number is None:
            self._not_fixed(
                expr,
                "The number of pieces in the box is fixed: a number or a named number.",
                "Write a number, or the name of one that stands in a constants file.",
            )
            return None
        if not 0 < number <= 1000:  # noqa: PLR2004
            self.findings.report(
                "E407", expr.span, f"{number} pieces of a kind cannot be.", "From 1 to 1000."
            )
            return None
        return number

    def _not_fixed(self, expr: ex.Expr | ex.Range, message: str, help_text: str) -> None:
        """Report what must be a fixed number, or the name in it that is unknown."""
        names = mentions(expr) - self.world.constants.keys()
        if any(self.world.doubtful(name) for name in names):
            return
        unknown = [word for word in words_in(expr) if word.text in names - BUILT_IN]
        for word in unknown:
            self.findings.report(
                "E201",
                word.span,
                f"There is no number called `{word.text}`.",
                did_you_mean(word.text, self.world.constants) or help_text,
            )
        if not unknown:
            self.findings.report("E301", expr.span, message, help_text)

    def _place(self, decl: de.PlaceDecl) -> None:
        name, plural, title = self._names(decl.names)
        span = decl.names.singular.span
        if not self._take(name, span):
            return
        self._add_plural(name, plural, span)
        table = decl.table is not None or bool(decl.fields)
        dims = ((name,) if table else ()) + self._dims(decl.per)
        holds = tuple(word.text for word in decl.holds)
        self.world.places[name] = PlaceInfo(
            name, plural, title, span, decl.stack, table, dims, _word(decl.seen_by), holds
        )
        if table:
            kind = KindInfo(name, plural, title, span, "place")
            self._add_table(kind, decl.table)
            self._add_fields(kind, decl.fields)
            self.world.kinds[name] = kind

    def _track(self, decl: de.TrackDecl) -> None:
        name, plural, title = self._names(decl.names)
        span = decl.names.singular.span
        if not self._take(name, span):
            return
        self._add_plural(name, plural, span)
        low, high = 0, MOST
        if decl.bounds is not None:
            found_low = constant_number(decl.bounds.low, self.world)
            found_high = constant_number(decl.bounds.high, self.world)
            if found_low is None or found_high is None or found_low > found_high:
                self._not_fixed(
                    decl.bounds,
                    "The bounds of a track are two fixed numbers, the lower one first.",
                    "For example `from 0..20`.",
                )
            else:
                low, high = found_low, found_high
        self.world.tracks[name] = TrackInfo(
            name,
            plural,
            title,
            span,
            self._dims(decl.per),
            _word(decl.seen_by),
            low,
            high,
            _word(decl.during),
        )

    def _option(self, decl: de.OptionDecl) -> None:
        name, span = decl.name.text, decl.name.span
        if not self._take(name, span):
            return
        if decl.switch is not None:
            info = OptionInfo(name, decl.title, span, int(decl.switch), 0, 1, (), switch=True)
        elif decl.number is not None and decl.bounds is not None:
            info = self._number_option(decl, decl.number, decl.bounds)
        else:
            names = tuple(word.text for word in decl.values)
            info = OptionInfo(name, decl.title, span, 0, 0, len(names) - 1, names, switch=False)
            kind = KindInfo(name, name, decl.title, span, "option", used=True)
            self.world.kinds[name] = kind
            for word in decl.values:
                self._member(kind, word)
        self.world.options[name] = info

    def _number_option(self, decl: de.OptionDecl, number: ex.Expr, bounds: ex.Range) -> OptionInfo:
        default = constant_number(number, self.world)
        low = constant_number(bounds.low, self.world)
        high = constant_number(bounds.high, self.world)
        if default is None or low is None or high is None or not low <= default <= high:
            self._not_fixed(
                ex.Range(number, bounds, span=number.span.to(bounds.span)),
                "An option has a fixed number that lies within its bounds.",
                "For example `3 in 2..4`.",
            )
            default = low = high = 0
        return OptionInfo(
            decl.name.text, decl.title, decl.name.span, default, low, high, (), switch=False
        )

    # ---------------------------------------------------------------- procedures and values
    def _procedure_or_value(self, decl: de.Decl) -> None:
        match decl:
            case de.ValueDecl():
                self._value(decl)
            case de.ScoreDecl():
                if self._take(decl.name.text, decl.name.span):
                    seat = ParamInfo("me", SEAT, span=decl.name.span)
                    self.world.values[decl.name.text] = ValueInfo(
                        decl.name.text,
                        decl.name.span,
                        (seat,),
                        decl.formula,
                        score_title=decl.title,
                        used=True,
                    )
            case de.ProcedureDecl():
                self._proc(decl)
            case de.WinDecl():
                self.world.ranking = decl.ranking.steps
            case _:
                pass

    def _value(self, decl: de.ValueDecl) -> None:
        if not self._take(decl.name.text, decl.name.span):
            return
        params = [self.param(each) for each in (decl.param, decl.second) if each is not None]
        self.world.values[decl.name.text] = ValueInfo(
            decl.name.text, decl.name.span, tuple(params), decl.formula
        )

    def _proc(self, decl: de.ProcedureDecl) -> None:
        name = decl.header.name.text
        params = self._header_params(decl.header)
        overloads = self.world.procs.setdefault(name, [])
        for other in overloads:
            if _shape(other.params) == _shape(params):
                self.findings.report(
                    "E202",
                    decl.header.name.span,
                    f"`{name}` is declared twice for the same things.",
                    "Give one of them another name.",
                    [Related(other.span, "declared here first")],
                )
                return
        key = "/".join([name, *_shape(params)])
        overloads.append(ProcInfo(key, name, decl.verb, decl.header.name.span, params, decl.body))

    def _header_params(self, header: Header) -> tuple[ParamInfo, ...]:
        params = [] if header.param is None else [self.param(header.param)]
        for more in header.more:
            found = self.param(more.param)
            found.preposition = more.preposition
            params.append(found)
        return tuple(params)

    def param(self, param: Param) -> ParamInfo:
        """Return a parameter: `card c` names kind and name, `n cards` a number of a noun."""
        first, second = param.first.text, param.second
        kind = self.type_named(first)
        if second is None:
            if kind is None:
                self._unknown_kind(param.first)
                kind = UNKNOWN
            return ParamInfo(first, kind, span=param.first.span)
        if kind is not None:
            return ParamInfo(second.text, kind, span=second.span)
        if self._is_noun(second.text):
            return ParamInfo(
                first, NUMBER, noun=self.world.singular(second.text), span=param.first.span
            )
        if self._is_meant_as_noun(first, second.text):
            self._unknown_noun(second)
            return ParamInfo(first, UNKNOWN, span=param.first.span)
        self._unknown_kind(param.first)
        return ParamInfo(second.text, UNKNOWN, span=second.span)

    def _is_meant_as_noun(self, first: str, second: str) -> bool:
        """Whether two unknown words look like `n coins` rather than `card c`."""
        nouns = [*self.world.pieces, *self.world.tracks, *self.world.plurals]
        if closest(first, self.world.kinds) and len(first) > 1:
            return False
        return len(first) == 1 or bool(closest(second, nouns))

    def _unknown_noun(self, word: Word) -> None:
        if not self.world.doubtful(word.text):
            nouns = [*self.world.plurals, *self.world.pieces, *self.world.tracks]
            self.findings.report(
                "E201",
                word.span,
                f"There are no pieces or tracks called `{word.text}`.",
                did_you_mean(word.text, nouns),
            )

    def _is_noun(self, name: str) -> bool:
        singular = self.world.singular(name)
        return singular in self.world.pieces or singular in self.world.tracks

    def type_named(self, name: str) -> Type | None:
        """Return the type that a kind's name stands for."""
        simple = {
            "number": NUMBER,
            "bundle": BUNDLE,
            "seat": SEAT,
            "player": PLAYER,
            "yes-no": YES_NO,
        }
        if name in simple:
            return simple[name]
        if name in self.world.pieces:
            return piece(name)
        if name in self.world.kinds:
            return entry(name)
        if name in self.world.places:
            return Type("cell", name)
        return None

    def _unknown_kind(self, word: Word) -> None:
        if self.world.doubtful(word.text):
            return
        known = [*self.world.kinds, *self.world.pieces, *self.world.places]
        self.findings.report(
            "E201",
            word.span,
            f"There is no kind of things called `{word.text}`.",
            did_you_mean(word.text, [*known, "number", "seat", "player", "bundle"]),
        )

    # ---------------------------------------------------------------- hooks
    def _hook(self, decl: de.Decl) -> None:
        if isinstance(decl, de.HookDecl):
            self._procedure_hook(decl)
        elif isinstance(decl, de.ValueHookDecl):
            self._value_hook(decl)

    def _procedure_hook(self, decl: de.HookDecl) -> None:
        name = decl.header.name.text
        overloads = self.world.procs.get(name, [])
        params = self._header_params(decl.header)
        shape = _shape(params)
        for proc in overloads:
            if _shape(proc.params) == shape:
                proc.hooks.append(HookInfo(decl.time, params, decl.when, decl.body, decl.span))
                return
        if self.world.doubtful(name):
            return
        if not overloads:
            help_text = did_you_mean(name, self.world.procs)
            message = f"There is no verb or step called `{name}`."
        else:
            known = " and ".join(f"`{header_text(each)}`" for each in overloads)
            help_text = f"It is declared as {known}."
            message = f"`{name}` is not done to such things."
        self.findings.report("E204", decl.header.span, message, help_text)

    def _value_hook(self, decl: de.ValueHookDecl) -> None:
        value = self.world.values.get(decl.name.text)
        if value is None:
            if not self.world.doubtful(decl.name.text):
                self.findings.report(
                    "E201",
                    decl.name.span,
                    f"There is no value called `{decl.name.text}`.",
                    did_you_mean(decl.name.text, self.world.values),
                )
            return
        params = [self.param(each) for each in (decl.param, decl.second) if each is not None]
        if [each.type for each in params] != [each.type for each in value.params]:
            self.findings.report(
                "E205",
                decl.name.span,
                f"`{decl.name.text}` is not a value of such things.",
                "Write the same kinds as in its declaration.",
                [Related(value.span, "declared here")],
            )
            return
        value.hooks.append(ValueHookInfo(tuple(params), decl.when, decl.formula, decl.span))


def _word(word: Word | None) -> str | None:
    return None if word is None else word.text


def _shape(params: tuple[ParamInfo, ...]) -> tuple[str, ...]:
    """Return what tells overloads of a verb apart."""
    return tuple(
        f"{param.preposition or ''}:{param.noun or param.type.of or param.type.family}"
        for param in params
    )


def header_text(proc: ProcInfo) -> str:
    """Return how a verb is called, for messages."""
    words = [proc.name]
    for param in proc.params:
        if param.preposition:
            words.append(param.preposition)
        if param.noun:
            words.append(f"{param.name} {param.noun}")
        else:
            words.append(f"{param.type.of or param.type.family} {param.name}")
    return " ".join(words)
