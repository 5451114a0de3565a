"""Names that fit a hole in unfinished source text.

A declaration is resolved on its own, as if it were new, against the symbol table of the last
check, which is not modified. Findings are discarded.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve.attributes import cells_of
from rulesdsl.check.resolve.program import new_context, resolve_proc
from rulesdsl.check.resolve.resolver import Resolver
from rulesdsl.check.resolve.statements import resolve_value
from rulesdsl.check.symbols.consistency import check_references
from rulesdsl.check.symbols.declare import Declarations
from rulesdsl.check.symbols.declare_procedures import header_params, hooked, value_params
from rulesdsl.check.symbols.symbol_table import (
    HOLE,
    HoleExpectation,
    HookInfo,
    ParamInfo,
    ProcInfo,
    ReferenceRecorder,
    SymbolTable,
    ValueHookInfo,
    ValueInfo,
)
from rulesdsl.check.symbols.types import PLAYER, SEAT, entry
from rulesdsl.packs.manifest import MAX_PLAYERS
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.tree import walk
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.build import Builder
from rulesdsl.syntax.node import Places
from rulesdsl.syntax.parser import tree_with_hole

PLAYERS = {f"p{number + 1}": ty.Const(number, type=PLAYER) for number in range(MAX_PLAYERS)}


def expected_after(text: str, start: str, world: SymbolTable) -> HoleExpectation:
    """Return the names that fit at the end of source text, or none where a new name is declared.

    `start` is the start symbol of the grammar: a file, or the effect or formula of a table or
    scenario, in which `p1` is the first player.
    """
    tree = tree_with_hole(text, start, HOLE)
    if tree is None:
        return HoleExpectation(frozenset())
    hole = _Hole(world)
    build = Builder(Places(""))
    match start:
        case "file":
            for each in build.nodes(tree.children):
                hole.declaration(each)
        case "effect":
            hole.resolver(PLAYERS).block(build.effect(tree))
        case _:
            hole.resolver(PLAYERS).value(build.optional(tree.children[0]))
    every = hole.noted.expected
    names = frozenset[str]().union(*(each.names for each in every))
    return HoleExpectation(names, every[0].locals if every else {})


class _Hole:
    """Resolver of syntax that contains a hole; it uses the symbol table of the last check."""

    def __init__(self, world: SymbolTable) -> None:
        self.world = world
        self.findings = Findings()
        self.noted = ReferenceRecorder()
        self.bodies = new_context(world, self.findings, self.noted)
        self.names = Declarations(world, self.findings, self.noted)

    def resolver(self, known: Mapping[str, ty.Value] | None = None) -> Resolver:
        r = self.bodies.of_seat(may_choose=True)
        r.scope.locals.update(known or {})
        return r

    def declaration(self, decl: de.Decl) -> None:  # noqa: C901 - one case per declaration
        match decl:
            case de.ProcedureDecl():
                name, params = decl.header.name.text, header_params(self.names, decl.header)
                self.noted.expect(name, ())
                proc = ProcInfo(HOLE, name, decl.verb, decl.span, params, decl.body, decl.text)
                resolve_proc(self.bodies, proc)
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
                    self.resolver().value(step.value)
            case de.PieceDecl() if decl.home is not None:
                cells_of(self.bodies.of_seat(), decl.home)
        if isinstance(decl, de.Conditional) and decl.when is not None:
            self.resolver().value(decl.when)
        self._fixed(decl)
        check_references(self.names, [decl])

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
                self.resolver().block(part.body)
            else:
                field = kind.fields.get(part.name.text) if kind else None
                self.resolver().value(part.value, entry(field.type) if field else None)

    def _fixed(self, decl: de.Decl) -> None:
        """Record the names that fit where a declaration needs a constant: numbers and entries."""
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
