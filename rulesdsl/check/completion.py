"""Names that the checker expects at the hole of an unfinished text, by the last check of its game.

A declaration is resolved alone, as if it were new, over the world of that check; nothing in the
world changes. What is wrong in the text is of no interest: nobody sees the findings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.declare.hooks import hooked
from rulesdsl.check.declare.names import Names
from rulesdsl.check.declare.procedures import header_params, value_params
from rulesdsl.check.naming import HOLE, Expected, Noted
from rulesdsl.check.references import check_references
from rulesdsl.check.resolve.bodies import Bodies
from rulesdsl.check.resolve.cells import cells_of
from rulesdsl.check.resolve.formulas import resolve_value
from rulesdsl.check.resolve.procedures import resolve_proc
from rulesdsl.check.types import PLAYER, SEAT, entry
from rulesdsl.check.world import HookInfo, ParamInfo, ProcInfo, ValueHookInfo, ValueInfo
from rulesdsl.packs.manifest_fields import MAX_PLAYERS
from rulesdsl.source.diagnostic import Findings
from rulesdsl.source.tree import walk
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.accepts import tree_with_hole
from rulesdsl.syntax.build import Builder
from rulesdsl.syntax.places import Places

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulesdsl.check.world import World

PLAYERS = {f"p{number + 1}": ty.Const(number, type=PLAYER) for number in range(MAX_PLAYERS)}


def expected_after(text: str, start: str, world: World) -> Expected:
    """Return the names that would do after a text: none where the text gives something a name.

    `start` is the entrance of the grammar: a file, or the effect or formula of a table or of a
    scenario, which can speak of the players by their numbers.
    """
    tree = tree_with_hole(text, start, HOLE)
    if tree is None:
        return Expected(frozenset())
    hole = _Hole(world)
    build = Builder(Places(""))
    match start:
        case "file":
            for each in build.nodes(tree.children):
                hole.declaration(each)
        case "effect":
            hole.effect(build.effect(tree), PLAYERS)
        case _:
            hole.formula(build.optional(tree.children[0]), PLAYERS)
    every = hole.noted.expected
    names = frozenset[str]().union(*(each.names for each in every))
    return Expected(names, every[0].locals if every else {})


class _Hole:
    """Resolves parts of a text with a hole in it over a world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.findings = Findings()
        self.noted = Noted()
        self.bodies = Bodies(world, self.findings, self.noted)
        self.names = Names(world, self.findings, self.noted)

    def effect(self, body: st.Body, known: Mapping[str, ty.Value] | None = None) -> None:
        r = self.bodies.of_seat(may_choose=True)
        r.scope.locals.update(known or {})
        r.block(body)

    def formula(self, expr: ex.Expr, known: Mapping[str, ty.Value] | None = None) -> None:
        r = self.bodies.of_seat(may_choose=True)
        r.scope.locals.update(known or {})
        r.value(expr)

    def declaration(self, decl: de.Decl) -> None:  # noqa: C901 - one case for each
        match decl:
            case de.ProcedureDecl():
                params = header_params(self.names, decl.header)
                self._procedure(decl, params)
            case de.HookDecl() | de.TextHookDecl():
                found = hooked(self.names, decl.header)
                if found is not None:
                    self._hook(decl, *found)
            case de.ValueDecl() | de.ScoreDecl():
                self._value(decl)
            case de.ValueHookDecl():
                self._value_hook(decl)
            case de.EntryDecl():
                self._entry(decl)
            case de.WinDecl():
                for step in decl.ranking:
                    self.formula(step.value)
            case de.VerdictDecl() | de.RivalDecl() if decl.when is not None:
                self.formula(decl.when)
            case de.PieceDecl() if decl.home is not None:
                cells_of(self.bodies.of_seat(), decl.home)
        self._fixed(decl)
        check_references(self.world, [decl], self.findings, self.noted)

    def _procedure(self, decl: de.ProcedureDecl, params: tuple[ParamInfo, ...]) -> None:
        word = decl.header.name
        self.noted.expect(word.text, ())
        proc = ProcInfo(HOLE, word.text, decl.verb, decl.span, params, decl.body, decl.text)
        resolve_proc(self.bodies, proc)

    def _hook(
        self, decl: de.HookDecl | de.TextHookDecl, proc: ProcInfo, params: tuple[ParamInfo, ...]
    ) -> None:
        if isinstance(decl, de.HookDecl):
            hook = HookInfo(decl.time, params, decl.when, decl.body, decl.span)
            resolve_proc(self.bodies, attrs.evolve(proc, hooks=[hook]))
        else:
            text = attrs.evolve(proc, params=params, text=decl.text, body=st.Body(()), hooks=[])
            resolve_proc(self.bodies, text)

    def _value(self, decl: de.ValueDecl | de.ScoreDecl) -> None:
        params: tuple[ParamInfo, ...] = (ParamInfo("me", SEAT),)
        if isinstance(decl, de.ValueDecl):
            params = value_params(self.names, decl)
        self.noted.expect(decl.name.text, ())
        resolve_value(self.bodies, ValueInfo(HOLE, decl.span, params, decl.formula))

    def _value_hook(self, decl: de.ValueHookDecl) -> None:
        known = self.world.values.keys() | self.world.constants.keys()
        self.noted.expect(decl.name.text, known)
        params = value_params(self.names, decl)
        hook = ValueHookInfo(params, decl.when, decl.formula, decl.span)
        value = self.world.values.get(decl.name.text)
        if value is None or len(value.params) != len(params):
            value = ValueInfo(HOLE, decl.span, params, decl.formula)
        resolve_value(self.bodies, attrs.evolve(value, hooks=[hook]))

    def _entry(self, decl: de.EntryDecl) -> None:
        kind = self.world.kinds.get(decl.kind.text)
        self.noted.expect(decl.kind.text, self.world.kinds)
        self.noted.expect(decl.name.text, kind.index if kind else ())
        for part in decl.fields:
            if not isinstance(part, de.PlainField | de.EffectField):
                continue
            self.noted.expect(part.name.text, kind.fields if kind else ())
            if isinstance(part, de.EffectField):
                self.effect(part.body)
            else:
                field = kind.fields.get(part.name.text) if kind else None
                self.bodies.of_seat().value(part.value, entry(field.type) if field else None)

    def _fixed(self, decl: de.Decl) -> None:
        """Record what the fixed values of a declaration can be: named numbers, and entries."""
        fixed = (getattr(decl, each, None) for each in ("count", "bounds", "number"))
        for each in walk((*fixed,)):
            if isinstance(each, ex.Name):
                self.noted.expect(each.name, self.world.constants)
        if isinstance(decl, de.KindDecl | de.PieceDecl | de.PlaceDecl):
            for field in decl.fields:
                if isinstance(field, de.FieldDecl) and isinstance(field.default, ex.Name):
                    kind = self.world.kinds.get(field.type.text)
                    names = kind.index if kind else self.world.constants
                    self.noted.expect(field.default.name, names)
