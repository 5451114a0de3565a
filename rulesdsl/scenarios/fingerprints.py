"""Fingerprints of all parts of a checked and lowered program, to tell which of them have changed.

A part is what flattening and running ask for at once: a procedure as it was lowered, a guard, a
value, a column of the tables. Where it is in its file is no part of it, and neither are the
numbers that the checker gives to the names that it makes up: they are counted again in each part.
What everything depends on, such as the kinds and places that there are, is one part, `REST`.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.world import FlagInfo, KindInfo, PlaceInfo
from rulesdsl.lower.parts import (
    REST,
    cell_part,
    column_part,
    formula_part,
    guard_part,
    guarded_part,
    name_part,
    proc_part,
    takes_part,
    value_part,
    written_part,
)
from rulesdsl.scenarios.scenario import RuleText, Scenario
from rulesdsl.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rulesdsl.check.program import Program
    from rulesdsl.lower.form import Form

_SIZE = 8
"""Bytes of a fingerprint: that two parts of one pack have the same by chance will not happen."""
_COUNTED = re.compile(r"([~%!])(\d+)")
_LEFT_OUT: dict[type, set[str]] = {
    Scenario: {"lines", "option_spans"},
    RuleText: {"positions"},
    PlaceInfo: {"unsure"},
    FlagInfo: {"marked"},
}
"""Fields that say where something is, or what was found out about it."""


def fingerprints(program: Program, form: Form) -> dict[str, str]:
    """Return the fingerprint of each part."""
    found = {REST: fingerprint(_rest(program))}
    for key, proc in program.procs.items():
        lowered = form.functions.get(key) or form.machines.get(key)
        about = (proc.title, proc.verb, proc.params, proc.automatic, lowered)
        found[proc_part(key)] = fingerprint(about)
        guard = program.guards.get(key, ty.YES)
        found[guard_part(key)] = fingerprint(guard)
        found[guarded_part(key)] = str(guard != ty.YES)
    for (name, layer), value in program.values.items():
        found[value_part((name, layer))] = fingerprint(value)
        found[takes_part((name, layer))] = fingerprint(
            (value.me is None, value.body.type, value.params)
        )
    for key_of_effect, formula in program.formulas.items():
        found[formula_part(key_of_effect)] = fingerprint(formula)
    for kind in program.world.kinds.values():
        said = (key[0] for each in kind.entries for key in (*each.values, *each.effects))
        for field in {*kind.fields, *said}:
            found[column_part(kind.name, field)] = fingerprint(_column(program, kind, field))
            for entry in kind.entries:
                where = kind.name, field, entry.name
                found[cell_part(*where)] = fingerprint(_said(field, entry.values))
                bodies = _said(field, entry.effects), _said(field, entry.formulas)
                found[written_part(*where)] = fingerprint(bodies)
    return found | {name_part(word): fingerprint(meant) for word, meant in _meanings(program)}


def _column(program: Program, kind: KindInfo, field: str) -> Iterator[object]:
    """Yield which entries of a kind have effects and formulas in a field."""
    where = kind.name, field
    yield [(str(key), proc) for key, proc in program.effects.items() if key[:2] == where]
    yield [str(key) for key in program.formulas if key[:2] == where]


def _said(field: str, table: Mapping[tuple[str, str | None], object]) -> list[object]:
    """Return what an entry says in a field, in each column of it."""
    return [(str(key), each) for key, each in table.items() if key[0] == field]


def _meanings(program: Program) -> Iterator[tuple[str, object]]:
    """Yield what the words mean that a scenario may use and that are not in `REST`."""
    world = program.world
    for word in {*world.procs, *world.values, *world.constants}:
        procs = [(each.key, each.verb, each.params) for each in world.procs.get(word, ())]
        value = world.values.get(word)
        yield word, (procs, value and value.params, world.constants.get(word))


def _rest(program: Program) -> Iterator[object]:
    world = program.world
    kinds = [attrs.evolve(kind, fields={}, entries=[]) for kind in world.kinds.values()]
    entries = [
        (kind.name, [(each.name, each.title, each.id, each.copies) for each in kind.entries])
        for kind in world.kinds.values()
    ]
    fields = [[*kind.fields.values()] for kind in world.kinds.values()]
    yield (kinds, entries, fields, world.pieces, world.places, world.tracks, world.flags)
    yield (world.options, world.rivals, world.plurals, world.bundle_nouns, world.most_players)
    yield [(each.name, each.score_title, len(each.hooks)) for each in world.scores]
    yield (program.homes, program.rival_conditions, program.ranking, program.verdicts)


def fingerprint(value: object) -> str:
    """Return the fingerprint of anything that is made of attrs values, lists and plain data."""
    words: list[str] = []
    _write(value, words)
    numbers: dict[str, str] = {}

    def counted(found: re.Match[str]) -> str:
        return found[1] + numbers.setdefault(found[0], str(len(numbers)))

    text = _COUNTED.sub(counted, "\0".join(words))
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[: 2 * _SIZE]


def _write(value: object, words: list[str]) -> None:
    cls = value.__class__
    if cls is Span:
        return
    names = _NAMES.get(cls)
    if names is None:
        names = _NAMES[cls] = _names(cls)
    if names:
        words.append(cls.__name__)
        for name in names:
            _write(getattr(value, name), words)
        words.append(")")
    elif isinstance(value, dict):
        words.append("{")
        for key, each in value.items():
            _write(key, words)
            _write(each, words)
        words.append("}")
    elif hasattr(value, "__iter__") and not isinstance(value, str):
        words.append("(")
        for each in sorted(value, key=str) if isinstance(value, (set, frozenset)) else value:
            _write(each, words)
        words.append(")")
    else:
        words.append(repr(value))


_NAMES: dict[type, tuple[str, ...]] = {}


def _names(cls: type) -> tuple[str, ...]:
    if not attrs.has(cls):
        return ()
    left_out = _LEFT_OUT.get(cls, set())
    # what is not compared was found out about a node by looking at everything; words are aside
    kept = (each for each in attrs.fields(cls) if each.eq or each.metadata)
    return tuple(each.name for each in kept if each.name not in left_out)
