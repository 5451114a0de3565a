"""Attribution of errors in a game's files to the mod that causes them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import attrs

from rulesdsl.check.symbols.declare_procedures import header_text
from rulesdsl.check.symbols.names import declared_word, mentions, words_in
from rulesdsl.check.symbols.symbol_table import ProcInfo, SymbolTable
from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.packs.pack_source import PackSource
from rulesdsl.source.diagnostics import Diagnostic, Findings, Related, Severity
from rulesdsl.source.english import or_list
from rulesdsl.source.facts import BlamedOnMod, DivisorMayBeZero, OnlyPlayersHave
from rulesdsl.source.span import SourceFile, Span
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax.parser import parse_file

_HOOK = re.compile(r"(?:before|after) +.*?(?=:| when )")
Check = Callable[[Layered, Findings], Checked]

REMEDIES: dict[object, str] = {  # where the advice for the game's line does not apply to the mod
    DivisorMayBeZero: "Set the number in a table, not by a hook: a divisor must never be 0.",
    OnlyPlayersHave: "Use `instead of` to replace the rule that does this, or declare no rival.",
    "E401": "Make this always possible, with `may` or `up to`; add what is missing.",
    "E405": "Remove the choice: use `the ... with most ...`, `random ...` or `all ...`.",
}


MOST_CALLERS = 3  # house: of more verbs, it is unclear which is meant
MOST_TRIALS = 3  # house: declarations changed to find causes; each costs a check of the mods
MOST_ERRORS = 5  # house: among more errors, as in a half-written line, no declarations are changed


def blamed(
    layers: Layered, findings: Sequence[Diagnostic], world: SymbolTable, check: Check
) -> list[Diagnostic]:
    """Attribute errors in a pack's files to the later mods that cause them."""
    if not layers.mods:
        return [*findings]
    errors = sum(finding.severity is Severity.ERROR for finding in findings)
    search = _Search(layers, world, check, MOST_TRIALS if errors <= MOST_ERRORS else 0)
    return [search.judged(finding) for finding in findings]


# An error in a game's file that vanishes without the mods is caused by the first mod in load order
# with which it appears: one check for each mod. Within the mod, the declaration is named that is
# nearest to the line, by breadth-first search over the names that declarations mention, and
# without which the error does not occur: one check for each of several, at most `MOST_TRIALS`.
# If the error needs two mods together, the later one is named.
@attrs.define(slots=False)
class _Search:
    layers: Layered
    world: SymbolTable
    check: Check
    trials: int  # that are left
    _errors: dict[tuple[object, ...], set[tuple[str, Span]]] = attrs.field(
        factory=dict, init=False
    )

    def judged(self, finding: Diagnostic) -> Diagnostic:
        """Return a finding unchanged, or attributed to the mod that causes it."""
        packs, file = self.layers.packs, finding.span.file
        home = next((at for at, pack in enumerate(packs) if file in pack.sources), len(packs))
        last = len(packs) - 1
        if finding.severity is not Severity.ERROR or home >= last or self._occurs(finding, home):
            return finding
        cause = next((at for at in range(home + 1, last) if self._occurs(finding, at)), last)
        return self._about(packs[cause], finding, packs[home].id)

    def _occurs(self, finding: Diagnostic, last: int) -> bool:
        """Return whether a finding occurs with the packs up to the index `last`."""
        return self._is_found(finding, self.layers.packs[1 : last + 1], (last,))

    def _is_found(
        self, finding: Diagnostic, mods: tuple[PackSource, ...], key: tuple[object, ...]
    ) -> bool:
        if key not in self._errors:
            findings = Findings()
            self.check(attrs.evolve(self.layers, mods=mods, findings=Findings()), findings)
            self._errors[key] = {(error.code, error.span) for error in findings.sorted()}
        return (finding.code, finding.span) in self._errors[key]

    def _occurs_with(self, finding: Diagnostic, mod: PackSource, span: Span, text: str) -> bool:
        """Return whether a finding occurs if a text replaces the first line of a declaration.

        Its other lines are kept with a text, and otherwise removed. Without a trial left, the
        answer is that it does.
        """
        key = (mod.id, span, text)
        if key not in self._errors:
            if not self.trials:
                return True
            self.trials -= 1
        files = list[SourceFile]()
        for file in mod.rules:
            lines = [*file.lines]
            if file.path == span.file:
                lines[span.line - 1] = text
                if not text:
                    lines[span.line - 1 : span.end_line] = [""] * (span.end_line - span.line + 1)
            files.append(SourceFile(file.path, "\n".join(lines)))
        changed = attrs.evolve(mod, rules=tuple(files))
        mods = tuple(changed if pack is mod else pack for pack in self.layers.mods)
        return self._is_found(finding, mods, key)

    def _about(self, mod: PackSource, old: Diagnostic, home: str) -> Diagnostic:
        rules = (decl for decl in self._declarations if not isinstance(decl, de.SourceDecl))
        mine = [decl.span for decl in rules if decl.span.file in mod.sources]
        suspects = list(dict.fromkeys(self._suspects(mod, old))) or mine
        if not suspects:
            return old
        if suspects[1:]:
            declared = (span for span in suspects if span in mine)
            guilty = next((s for s in declared if not self._occurs_with(old, mod, s, "")), None)
            suspects = suspects if guilty is None else [guilty]
        span, what = suspects[0], "This mod" if suspects[1:] else "This"
        return attrs.evolve(
            old,
            span=span,
            message=f"{what} causes an error in `{home}`: {old.message}",
            help=self._remedy(old, mod, span),
            related=(Related(old.span, "this line"), *(r for r in old.related if r.span != span)),
            fixes=(),  # they would edit the game
            facts=BlamedOnMod(old.facts),
        )

    # ---------------------------------------------------------------- remedies
    def _remedy(self, old: Diagnostic, mod: PackSource, span: Span) -> str:
        hooks = (decl for decl in self._declarations if isinstance(decl, de.HookDecl))
        hook = next((decl for decl in hooks if decl.span == span), None)
        remedy = REMEDIES.get(type(old.facts)) or REMEDIES.get(old.code) or old.help
        if hook is None or any(other.span.file in mod.sources for other in old.related):
            return remedy
        line = next(file.line(span.line) for file in mod.rules if file.path == span.file)
        headers = [f"after {header_text(proc, self.world)}" for proc in self._instead(old, hook)]
        lines = {header: _HOOK.sub(header, line, count=1) for header in headers}
        able = [
            f"`{header}`"
            for header, text in lines.items()
            if text != line and not self._occurs_with(old, mod, span, text)
        ]
        return f"Use {or_list(able)} instead, and ask there for what matters." if able else remedy

    def _instead(self, old: Diagnostic, hook: de.HookDecl) -> list[ProcInfo]:
        """Return the few verbs with the line, or that run the verb, which a hook may follow."""
        procs = [proc for overloads in self.world.procs.values() for proc in overloads]
        if old.code == "E401":
            heads = [decl.span for decl in self._declarations if decl.span.holds(old.span)]
            return [proc for proc in procs if any(head.holds(proc.span) for head in heads)]
        name = hook.header.name.text
        callers = [proc for proc in procs if proc.verb and name in mentions(proc.body)]
        return callers if old.code == "E405" and len(callers) <= MOST_CALLERS else []

    # ---------------------------------------------------------------- suspects
    def _suspects(self, mod: PackSource, finding: Diagnostic) -> Iterator[Span]:
        """Yield the spans in a mod that may affect a line, most likely first."""
        mine = [decl for decl in self._declarations if decl.span.file in mod.sources]
        rivals = [decl.span for decl in mine if isinstance(decl, de.RivalDecl)]
        if isinstance(finding.facts, OnlyPlayersHave):
            yield from rivals
        mentioned, changes = self._graph
        names = list(dict.fromkeys(self._words_at(finding.span)))
        seen = set(names)
        for name in names:  # grows during iteration
            yield from (span for span in changes[name] if span.file in mod.sources)
            names += sorted(mentioned[name] - seen)
            seen |= mentioned[name]
        yield from rivals  # rules do not mention them, but they may affect any line

    @cached_property
    def _declarations(self) -> list[de.Decl]:
        ignored = Findings()
        parsed = (
            parse_file(source.text, source.path, ignored, source.language)
            for source in self.layers.rules
        )
        return [decl for each in parsed for decl in each.file.declarations]

    def _words_at(self, line: Span) -> Iterator[str]:
        """Yield the names in a line, then those in the declaration or effect that contains it."""
        entries = (entry for kind in self.world.kinds.values() for entry in kind.entries)
        effects = (body for entry in entries for body in entry.effects.values())
        for around in (*self._declarations, *effects):
            if around.span.holds(line):
                words = [*words_in(around)]
                yield from (word.text for word in words if line.holds(word.span))
                yield from (word.text for word in words)

    @cached_property
    def _graph(self) -> tuple[dict[str, set[str]], dict[str, list[Span]]]:
        """The names that each name's declaration mentions, and the places that change it."""
        mentioned: dict[str, set[str]] = defaultdict(set)
        changes: dict[str, list[Span]] = defaultdict(list)
        for decl in self._declarations:
            name = None if hasattr(decl, "names") else declared_word(decl)
            if name is not None:
                mentioned[name.text] |= mentions(decl)
                if isinstance(decl, de.HookDecl | de.ValueHookDecl | de.TextHookDecl):
                    changes[name.text].append(decl.span)
        for number in self.world.constants.values():
            changes[number.name].append(number.span)
        for kind in self.world.kinds.values():
            mentioned[kind.plural].add(kind.name)
            for entry in kind.entries:
                for (field, _), body in entry.effects.items():
                    mentioned[field] |= mentions(body)
                    changes[field].append(body.span)
                changes[kind.name].append(entry.span)
        return mentioned, changes
