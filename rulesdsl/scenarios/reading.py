"""Reader of scenario files, and parser for the rules in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import attrs

from rulesdsl.packs.manifest import Players
from rulesdsl.packs.shapes import TablePlace
from rulesdsl.packs.wording import OTHER_TABLE, UNKNOWN_KEY
from rulesdsl.scenarios import wording
from rulesdsl.scenarios.scenario import Scenario, players_field, scenario_fields
from rulesdsl.source.diagnostics import Findings, Related
from rulesdsl.syntax.parser import parse_effect, parse_formula

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rulesdsl.packs.shapes import Field
    from rulesdsl.packs.toml_document import TomlFile, TomlTable
    from rulesdsl.scenarios.scenario import RuleText
    from rulesdsl.source.language import Language
    from rulesdsl.source.span import Span
    from rulesdsl.syntax.expressions import Expr
    from rulesdsl.syntax.statements import Body

    T = TypeVar("T")
    Parse = Callable[[str, str, Findings, tuple[tuple[int, int], ...], Language], T | None]


@attrs.frozen
class ParsedSight:
    """Something that a player is expected to see, or not to see if not `wanted`."""

    player: int
    text: RuleText
    expr: Expr
    wanted: bool


@attrs.frozen
class ParsedScenario:
    """A scenario with its statements and expressions as syntax trees."""

    scenario: Scenario
    given: tuple[tuple[RuleText, Body], ...]
    play: tuple[RuleText, Body] | None
    expect: tuple[tuple[RuleText, Expr], ...]
    sights: tuple[ParsedSight, ...]


def parse_scenarios(
    scenarios: Iterable[Scenario], findings: Findings
) -> tuple[ParsedScenario, ...]:
    """Parse the rules in scenarios; report and skip scenarios with syntax errors."""
    found: list[ParsedScenario] = []
    for scenario in scenarios:
        mine = Findings()
        given = _parsed(parse_effect, scenario.given, mine)
        play = _parsed(parse_effect, [scenario.play] if scenario.play else [], mine)
        expect: tuple[tuple[RuleText, Expr], ...]
        expect = _parsed(parse_formula, scenario.expect, mine)
        sights = (*_sights(scenario.sees, mine, wanted=True),)
        sights += (*_sights(scenario.sees_not, mine, wanted=False),)
        findings.extend(mine.sorted())
        if not mine.has_errors:
            act = play[0] if play else None
            found.append(ParsedScenario(scenario, given, act, expect, sights))
    return tuple(found)


def _parsed(
    parse: Parse[T], texts: Iterable[RuleText], findings: Findings
) -> tuple[tuple[RuleText, T], ...]:
    trees = ((e, parse(e.text, e.span.file, findings, e.positions, e.language)) for e in texts)
    return tuple((text, tree) for text, tree in trees if tree is not None)


def _sights(
    texts: Iterable[tuple[int, RuleText]], findings: Findings, *, wanted: bool
) -> Iterator[ParsedSight]:
    for player, text in texts:
        parsed: tuple[tuple[RuleText, Expr], ...] = _parsed(parse_formula, [text], findings)
        for _, expr in parsed:
            yield ParsedSight(player, text, expr, wanted)


LIST = "scenario"
KEYS = tuple(each.key for each in scenario_fields(Players(1, 1), 1))
CHECKS = KEYS[KEYS.index("offered") :]


def read_scenarios(
    files: Iterable[TomlFile], players: Players, findings: Findings
) -> tuple[Scenario, ...]:
    """Read all scenarios; report and skip invalid ones."""
    found: list[Scenario] = []
    names: dict[str, Span] = {}
    for file in files:
        for table, place, lines in tables_in(file, LIST, findings):
            said = _scenario(table, players, place)
            findings.extend(place.findings.sorted())
            if place.findings.has_errors:
                continue
            scenario = Scenario(lines=lines, **said)
            if names.setdefault(scenario.name, scenario.span) is scenario.span:
                found.append(scenario)
            else:
                related = [Related(names[scenario.name], "named here first")]
                wording.SAME_NAME.report(findings, scenario.span, related)
    return tuple(found)


def count_scenarios(file: TomlFile) -> int:
    """Return the number of scenarios in a file, including invalid ones."""
    tables = file.data.get(LIST)
    return len(tables) if isinstance(tables, list) else 0


def contents(file: TomlFile, findings: Findings) -> TablePlace:
    """Return the place of the contents of a file."""
    return TablePlace(lambda _: file.index, (), findings, wording.phrase)


def tables_in(
    file: TomlFile, name: str, findings: Findings
) -> Iterator[tuple[TomlTable, TablePlace, tuple[int, int]]]:
    """Yield (table, place, lines) for each table of a file's only list.

    The findings of each table are separate.
    """
    place = contents(file, findings)
    for key in file.data:
        if key != name:
            place.below(key).unknown(OTHER_TABLE, [name], name=name)
    tables = file.data.get(name, [])
    if not isinstance(tables, list) or not all(isinstance(each, dict) for each in tables):
        place.below(name).wrong(f"a list of tables; each begins with `[[{name}]]`", tables)
        return
    starts = [file.index.key_span((name, at)).line for at in range(len(tables))]
    ends = [*(start - 1 for start in starts[1:]), len(file.source.lines)]
    for at, (table, *lines) in enumerate(zip(tables, starts, ends, strict=False)):
        yield (
            table,
            attrs.evolve(place, path=(name, at), findings=Findings()),
            (lines[0], lines[1]),
        )


def read_fields(
    table: TomlTable, fields: Sequence[Field], place: TablePlace, what: str
) -> dict[str, Any]:
    """Return the valid values of a table by attribute; report invalid ones and unknown keys."""
    keys = [each.key for each in fields]
    for key in table:
        if key not in keys:
            place.below(key).unknown(UNKNOWN_KEY, keys, table=f"A {what}", listed=", ".join(keys))
    read = ((each.key.replace("-", "_"), each.read(table, place)) for each in fields)
    return {name: value for name, value in read if value is not None}


def spans_of(found: dict[str, Any], place: TablePlace) -> dict[str, Any]:
    """Return the spans of the name and the options of a scenario."""
    spans = {name: place.below("options", name).span for name in found.get("options", {})}
    return {"span": place.below("name").span, "option_spans": spans}


def _scenario(table: TomlTable, players: Players, place: TablePlace) -> dict[str, Any]:
    """Return the attributes of a scenario by name; report errors."""
    at_table: int = players_field(players).read(table, place) or players.most
    found = read_fields(table, scenario_fields(players, at_table), place, LIST)
    if "name" not in table:
        wording.NO_NAME.report(place.findings, place.key_span)
    if not any(key in table for key in CHECKS):
        wording.NO_CHECKS.report(place.findings, place.key_span, checks=", ".join(CHECKS))
    whole_game = not any(key in table for key in ("play", "given", "after"))
    return found | spans_of(found, place) | {"whole_game": whole_game}
