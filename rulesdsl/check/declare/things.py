"""Declared things: kinds, pieces, places, tracks, flags, options, rivals, panels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.constants import constant_number
from rulesdsl.check.declare.names import BUILT_IN, NameDeclarer, title_of, word_text
from rulesdsl.check.mentions import mentions, words_in
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
from rulesdsl.source.suggest import did_you_mean
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.size import MAX_NUMBER

if TYPE_CHECKING:
    from rulesdsl.syntax.node import Word


SIMPLE_FIELDS = {"number", "yes-no", "text", "bundle", "effect", "automatic", "formula"}

MOST = 2**63 - 1
MAX_VALUES = 1000  # of an option


class ThingDeclarer(NameDeclarer):
    """Takes in things, with their fields."""

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
                        decl.name.text,
                        decl.name.span,
                        self._dims(decl.per),
                        word_text(decl.during),
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
            case de.VerdictDecl():
                self.world.verdicts.append(decl)
            case (
                de.ConstantsDecl()
                | de.EntryDecl()
                | de.SourceDecl()
                | de.ValueDecl()
                | de.ProcedureDecl()
                | de.HookDecl()
                | de.ValueHookDecl()
                | de.ScoreDecl()
                | de.WinDecl()
            ):
                pass  # no things

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
        self._add_kind(kind, decl)
        for word in decl.members:
            self._member(kind, word)

    def _member(self, kind: KindInfo, word: Word) -> None:
        title = title_of(word.text)
        if word.text in kind.index:
            self.findings.report(
                "E202", word.span, f"`{word.text}` stands twice in this list.", "Leave one out."
            )
            return
        kind.add(EntryInfo(kind.name, word.text, title, word.text, word.span))
        self.world.owners.setdefault(word.text, []).append(kind.name)

    def _add_kind(self, kind: KindInfo, decl: de.KindDecl | de.PieceDecl | de.PlaceDecl) -> None:
        if decl.table is not None:
            kind.table, kind.table_span = decl.table.path, decl.table.span
        self._add_fields(kind, decl.fields)
        self.world.kinds[kind.name] = kind

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
                word_text(field.per),
                field.default,
                field.seen_by is not None,
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
            name, plural, title, span, style, word_text(decl.per), count, decl.home
        )
        if printed:
            self._add_kind(KindInfo(name, plural, title, span, "piece"), decl)

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
            name, plural, title, span, decl.stack, table, dims, word_text(decl.seen_by), holds
        )
        if table:
            self._add_kind(KindInfo(name, plural, title, span, "place"), decl)

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
            word_text(decl.seen_by),
            low,
            high,
            word_text(decl.during),
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
        elif MAX_VALUES <= high - low <= MAX_NUMBER:
            self.findings.report(
                "E407",
                bounds.span,
                f"An option with {high - low + 1} values cannot be.",
                f"From 1 to {MAX_VALUES} values.",
            )
            high = default = low
        return OptionInfo(
            decl.name.text, decl.title, decl.name.span, default, low, high, (), switch=False
        )
