"""Attribution of errors in a game's files to the mod that causes them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import attrs

from rulesdsl.check.symbols.names import declared_word, mentions, words_in
from rulesdsl.check.symbols.symbol_table import SymbolTable
from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.packs.pack_source import PackSource
from rulesdsl.source.diagnostics import Diagnostic, Findings, Related, Severity
from rulesdsl.source.facts import BlamedOnMod, DivisorMayBeZero, OnlyPlayersHave
from rulesdsl.source.span import Span
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax.parser import parse_file

_Asks = defaultdict[str, set[str]]
_Changes = defaultdict[str, list[Span]]
Check = Callable[[Layered, Findings, Span | None, "StopCondition"], Checked]

MOST_TRIED = 6  # declarations of a mod that are left out in turn
REMEDIES: dict[object, str] = {  # where the advice for the game's line does not apply to the mod
    DivisorMayBeZero: "Set the number in a table, not by a hook: a divisor must never be 0.",
    OnlyPlayersHave: "Use `instead of` to replace the rule that does this, or declare no rival.",
    "E401": "Make this always possible: put `up to`, `if able:` or `may` before it.",
    "E405": "Remove the choice: use `the ... with most ...`, `random ...` or `all ...`.",
}


def _remedy(old: Diagnostic) -> str:
    return REMEDIES.get(type(old.facts)) or REMEDIES.get(old.code) or old.help


def blamed(
    layers: Layered, found: Sequence[Diagnostic], world: SymbolTable, check: Check
) -> list[Diagnostic]:
    """Attribute errors in a pack's files to the later mods that cause them."""
    if not layers.mods:
        return [*found]
    search = _Search(layers, world, check)
    return [search.judged(each) for each in found]


@attrs.define
class StopCondition:
    """Finding that ends a check as soon as it occurs."""

    code: str
    span: Span
    stopped: bool = False  # set when a check ends early

    def found(self, findings: Findings) -> bool:
        """Return whether the finding has occurred, and record that in `stopped`."""
        self.stopped = any(
            each.span == self.span and each.code == self.code for each in findings.since(0)
        )
        return self.stopped


# Attribution by bisection: an error in a game's file that vanishes without the mods is caused by
# the first mod in load order with which it appears; binary search finds it in O(log n) checks.
# Within the mod, the declarations that the line depends on are ranked by breadth-first search over
# the names they mention; each is left out in turn, up to `MOST_TRIED`, until the error vanishes.
# Results of checks are cached by mods and omitted declaration; a check stops when the finding
# occurs. If the error needs two mods together, the later one is named; if each of two declarations
# causes it, omitting one does not help, and the nearest one is named.
@attrs.define(slots=False)
class _Search:
    layers: Layered
    world: SymbolTable
    check: Check
    _found: dict[tuple[object, ...], tuple[set[tuple[str, Span]], bool]] = attrs.field(
        factory=dict, init=False
    )  # findings by mods and omitted declaration, and whether they are complete
    _known: dict[str, tuple[_Asks, _Changes]] = attrs.field(factory=dict, init=False)

    def judged(self, finding: Diagnostic) -> Diagnostic:
        """Return a finding unchanged, or attributed to the mod that causes it."""
        packs, file = self.layers.packs, finding.span.file
        home = next((at for at, each in enumerate(packs) if file in each.sources), len(packs))
        if finding.severity is not Severity.ERROR or home + 1 >= len(packs):
            return finding
        if self._is_there(finding, packs[1 : home + 1]):
            return finding
        without, last = home, len(packs) - 1  # absent with mods up to `without`, present to `last`
        while last - without > 1:
            middle = (without + last) // 2
            if self._is_there(finding, packs[1 : middle + 1]):
                last = middle
            else:
                without = middle
        return self._about(packs[last], finding, packs[home].id)

    def _is_there(
        self, finding: Diagnostic, mods: Sequence[PackSource], without: Span | None = None
    ) -> bool:
        """Return whether a finding occurs with these mods, without the declaration at a span."""
        key = (*(each.id for each in mods), without)
        wanted = StopCondition(finding.code, finding.span)
        found, all_of_them = self._found.get(key, (set(), False))
        if (wanted.code, wanted.span) not in found and not all_of_them:
            findings = Findings()
            layers = attrs.evolve(self.layers, mods=tuple(mods), findings=Findings())
            self.check(layers, findings, without, wanted)
            found = {(each.code, each.span) for each in findings.sorted()}
            self._found[key] = found, not wanted.stopped
        return (wanted.code, wanted.span) in found

    def _about(self, mod: PackSource, old: Diagnostic, home: str) -> Diagnostic:
        near = self._suspects(mod, old.span)
        if not near:
            return old
        span = near[0]
        for each in near if len(near) > 1 else ():
            tried = {at for *_, at in self._found if at is not None}
            if each not in tried and len(tried) >= MOST_TRIED:
                break
            if not self._is_there(old, self.layers.mods, each):
                span = each
                break
        return attrs.evolve(
            old,
            span=span,
            message=f"This causes an error in `{home}`: {old.message}",
            help=_remedy(old),
            related=(Related(old.span, "this line"), *(r for r in old.related if r.span != span)),
            fixes=(),  # they would edit the game
            facts=BlamedOnMod(old.facts),
        )

    def _suspects(self, mod: PackSource, line: Span) -> list[Span]:
        """Return the spans in a mod that may affect a line, most likely first."""
        near = list(self._near(mod, line))
        mine = [each for each in self._declarations if each.span.file in mod.sources]
        # rules do not mention rivals, which may affect any line
        near += [each.span for each in mine if isinstance(each, de.RivalDecl)]
        return near or [each.span for each in mine]

    # ---------------------------------------------------------------- suspects
    @cached_property
    def _declarations(self) -> list[de.Decl]:
        ignored = Findings()
        return [
            each
            for source in self.layers.rules
            for each in parse_file(source.text, source.path, ignored).file.declarations
        ]

    def _near(self, mod: PackSource, line: Span) -> Iterator[Span]:
        """Yield a mod's changes, those nearest to a line in the graph of mentions first."""
        if mod.id not in self._known:
            self._known[mod.id] = self._names(mod)
        asks, changed = self._known[mod.id]
        left = list(dict.fromkeys(self._begun(line)))
        seen = set(left)
        for name in left:  # grows during iteration
            yield from changed[name]
            left += sorted(asks[name] - seen)
            seen |= asks[name]

    def _begun(self, line: Span) -> Iterator[str]:
        """Yield the names in a line, then those in the declaration that contains it."""
        for decl in self._declarations:
            if decl.span.holds(line):
                words = [*words_in(decl)]
                yield from (each.text for each in words if line.holds(each.span))
                yield from (each.text for each in words)

    def _names(self, mod: PackSource) -> tuple[_Asks, _Changes]:
        asks: _Asks = defaultdict(set)
        changed: _Changes = defaultdict(list)
        for decl in self._declarations:
            name = None if hasattr(decl, "names") else declared_word(decl)
            if name is not None:
                asks[name.text] |= mentions(decl)
                if isinstance(decl, de.HookDecl | de.ValueHookDecl | de.TextHookDecl):
                    changed[name.text].append(decl.span)
        for number in self.world.constants.values():
            changed[number.name].append(number.span)
        for kind in self.world.kinds.values():
            asks[kind.plural].add(kind.name)
            for entry in kind.entries:
                for (field, _), body in entry.effects.items():
                    asks[field] |= mentions(body)
                    changed[field].append(body.span)
                changed[kind.name].append(entry.span)
        mine = {
            name: [each for each in spans if each.file in mod.sources]
            for name, spans in changed.items()
        }
        return asks, defaultdict(list, mine)
