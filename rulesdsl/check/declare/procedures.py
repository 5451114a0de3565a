"""Declared verbs, steps and values, with what they are done to, and the hooks on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.declare.names import another_name, check_prefix
from rulesdsl.check.declare.things import ThingDeclarer
from rulesdsl.check.types import BUNDLE, NUMBER, PLAYER, SEAT, UNKNOWN, YES_NO, Type, entry, piece
from rulesdsl.check.world import ParamInfo, ProcInfo, ValueInfo
from rulesdsl.source.diagnostic import Related
from rulesdsl.source.suggest import closest, did_you_mean
from rulesdsl.syntax import declarations as de

if TYPE_CHECKING:
    from rulesdsl.check.world import World
    from rulesdsl.syntax.node import Param, Word
    from rulesdsl.syntax.statements import Header


class ProcedureDeclarer(ThingDeclarer):
    """Takes in verbs, steps and values."""

    def _procedure_or_value(self, decl: de.Decl) -> None:
        if isinstance(decl, de.ValueDecl):
            self._value(decl)
        elif isinstance(decl, de.ScoreDecl):
            self._score(decl)
        elif isinstance(decl, de.ProcedureDecl):
            self._proc(decl)
        elif isinstance(decl, de.WinDecl):
            self.world.wins.append(decl)

    def _score(self, decl: de.ScoreDecl) -> None:
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
        check_prefix(name, decl.header.name.span, self.world, self.findings)
        overloads = self.world.procs.setdefault(name, [])
        for other in overloads:
            if shape_of(other.params) == shape_of(params):
                self.findings.report(
                    "E202",
                    decl.header.name.span,
                    f"`{name}` is declared twice for the same things.",
                    another_name(name, decl.header.name.span, other.span, self.world),
                    [Related(other.span, "declared here first")],
                )
                return
        key = "/".join([name, *shape_of(params)])
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
