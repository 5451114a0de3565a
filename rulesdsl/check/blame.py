"""Whose doing a finding is: what a mod causes in a file of its game is reported in the mod.

Proved by leaving out: a finding that is not there without a mod is that mod's. Its place is the
nearest thing of the mod, by names, on the way from the line of the game.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.mentions import mentions, words_in
from rulesdsl.source.diagnostic import Findings, Related, Severity
from rulesdsl.source.facts import BlamedOnMod, DivisorMayBeZero, OnlyPlayersHave
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax.node import Word
from rulesdsl.syntax.parser import parse_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rulesdsl.check.pack_check import Checked
    from rulesdsl.check.world import World
    from rulesdsl.packs.layers import Layered
    from rulesdsl.packs.pack_source import PackSource
    from rulesdsl.source.diagnostic import Diagnostic
    from rulesdsl.source.span import Span

    _Asks = defaultdict[str, set[str]]
    _Changes = defaultdict[str, list[Span]]
    Check = Callable[[Layered, Findings, Span | None, "Wanted"], Checked]

MOST_TRIED = 6  # things of mods that are left out one by one, to find the one that matters
REMEDIES: dict[object, str] = {  # where what helps the line of the game does not help the mod
    DivisorMayBeZero: "Set the number in a table, not by a hook: a divisor must never be 0.",
    OnlyPlayersHave: "Replace what does this with `instead of`, or have no rival.",
    "E401": "Make this always possible: `up to`, `if able:` or `may` before it.",
    "E405": "Remove the choice: use `the ... with most ...`, `random ...` or `all ...`.",
}


def _remedy(old: Diagnostic) -> str:
    """Return what a mod can do about a finding in its game."""
    return REMEDIES.get(type(old.facts)) or REMEDIES.get(old.code) or old.help


def blamed(
    layers: Layered, found: Sequence[Diagnostic], world: World, check: Check
) -> list[Diagnostic]:
    """Return findings; those in the files of a pack that a later mod causes lie in the mod."""
    if not layers.mods:
        return [*found]
    search = _Search(layers, world, check)
    return [search.judged(each) for each in found]


@attrs.define
class Wanted:
    """A finding that is looked for: a check need not go on when it is there."""

    code: str
    span: Span
    stopped: bool = False  # whether a check has stopped, and may not have found the rest

    def found(self, findings: Findings) -> bool:
        """Tell whether it is among findings; if so, the check that asks stops there."""
        self.stopped = any(
            each.span == self.span and each.code == self.code for each in findings.since(0)
        )
        return self.stopped


@attrs.define(slots=False)
class _Search:
    """The search for what causes findings."""

    layers: Layered
    world: World
    check: Check
    _found: dict[tuple[object, ...], tuple[set[tuple[str, Span]], bool]] = attrs.field(
        factory=dict, init=False
    )  # with some mods only: what is found, and whether that is all
    _known: dict[str, tuple[_Asks, _Changes]] = attrs.field(factory=dict, init=False)

    def judged(self, finding: Diagnostic) -> Diagnostic:
        """Return a finding as it is, or as one about the mod that causes it."""
        packs, file = self.layers.packs, finding.span.file
        home = next((at for at, each in enumerate(packs) if file in each.sources), len(packs))
        if finding.severity is not Severity.ERROR or home + 1 >= len(packs):
            return finding
        if self._is_there(finding, packs[1 : home + 1]):
            return finding
        without, last = home, len(packs) - 1  # it is there with the mods up to the last one
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
        """Whether it is found with these mods only, and without the declaration at a place."""
        key = (*(each.id for each in mods), without)
        wanted = Wanted(finding.code, finding.span)
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
            message=f"This breaks a line of `{home}`: {old.message}",
            help=_remedy(old),
            related=(Related(old.span, "this line"), *(r for r in old.related if r.span != span)),
            fixes=(),  # they change the game
            facts=BlamedOnMod(old.facts),
        )

    def _suspects(self, mod: PackSource, line: Span) -> list[Span]:
        """Return the places of what may matter to a line, those first that most likely do."""
        near = list(self._near(mod, line))
        mine = [each for each in self._declarations if each.span.file in mod.sources]
        near += [each.span for each in mine if isinstance(each, de.RivalDecl)]  # nobody names it
        return near or [each.span for each in mine]

    # ---------------------------------------------------------------- the nearest thing
    @cached_property
    def _declarations(self) -> list[de.Decl]:
        ignored = Findings()
        return [
            each
            for source in self.layers.rules
            for each in parse_file(source.text, source.path, ignored).file.declarations
        ]

    def _near(self, mod: PackSource, line: Span) -> Iterator[Span]:
        """Yield the places of what a mod changes, those first that the line asks for soonest."""
        if mod.id not in self._known:
            self._known[mod.id] = self._names(mod)
        asks, changed = self._known[mod.id]
        left = list(dict.fromkeys(self._begun(line)))
        seen = set(left)
        for name in left:  # it grows meanwhile
            yield from changed[name]
            left += sorted(asks[name] - seen)
            seen |= asks[name]

    def _begun(self, line: Span) -> Iterator[str]:
        """Yield the names in a line, and then those in the declaration around it."""
        for decl in self._declarations:
            if decl.span.holds(line):
                words = [*words_in(decl)]
                yield from (each.text for each in words if line.holds(each.span))
                yield from (each.text for each in words)

    def _names(self, mod: PackSource) -> tuple[_Asks, _Changes]:
        """Return what each name asks for, and what the mod changes about it."""
        asks: _Asks = defaultdict(set)
        changed: _Changes = defaultdict(list)
        for decl in self._declarations:
            name = getattr(getattr(decl, "header", decl), "name", None)
            if isinstance(name, Word):
                asks[name.text] |= mentions(decl)
            hooks = de.HookDecl | de.ValueHookDecl | de.TextHookDecl
            if isinstance(name, Word) and isinstance(decl, hooks):
                changed[name.text].append(decl.span)
        for name, span in self.world.constant_spans.items():
            changed[name].append(span)
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
