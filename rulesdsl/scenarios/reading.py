"""From the files of a pack to scenarios; a mistake is a finding at its exact place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulesdsl.packs.manifest import Players
from rulesdsl.packs.place import Place
from rulesdsl.scenarios.fields import VERDICT_WORDS, players_field, scenario_fields
from rulesdsl.scenarios.scenario import Scenario
from rulesdsl.source.diagnostic import Findings, Related

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulesdsl.packs.toml_file import TomlFile, TomlTable
    from rulesdsl.packs.toml_spans import Path
    from rulesdsl.source.span import Span

LIST = "scenario"
KEYS = tuple(each.key for each in scenario_fields(Players(1, 1), 1))
CHECKS = KEYS[KEYS.index("offered") :]


def read_scenarios(
    files: Iterable[TomlFile], players: Players, findings: Findings
) -> tuple[Scenario, ...]:
    """Read all scenarios; those that say something impossible are reported and left out."""
    found: list[Scenario] = []
    names: dict[str, Span] = {}
    for file in files:
        for table, place, lines in tables_in(file, LIST, findings):
            said = _scenario(table, players, place)
            findings.extend(place.findings.sorted())
            if place.findings.has_errors:
                continue
            scenario = Scenario(lines=lines, **said)
            if scenario.name in names:
                message = "Another scenario has this name already."
                advice = "Give one of them another name."
                related = [Related(names[scenario.name], "named here first")]
                findings.report("E202", scenario.span, message, advice, related)
            else:
                names[scenario.name] = scenario.span
                found.append(scenario)
    return tuple(found)


def count_scenarios(file: TomlFile) -> int:
    """Return how many scenarios a file has, those with mistakes included."""
    tables = file.data.get(LIST)
    return len(tables) if isinstance(tables, list) else 0


def tables_in(
    file: TomlFile, name: str, findings: Findings
) -> Iterator[tuple[TomlTable, Place, tuple[int, int]]]:
    """Yield the tables of the one list of a file: each with its lines, and findings of its own."""
    place = Place(file.index, (), findings, _wording)
    for key in file.data:
        if key != name:
            advice = f"Each {name} begins with `[[{name}]]`."
            place.below(key).unknown(f"A file of {name}s has no `{key}`.", [name], advice)
    tables = file.data.get(name, [])
    if not isinstance(tables, list) or not all(isinstance(each, dict) for each in tables):
        message = f"This has to be a list of tables; each begins with `[[{name}]]`."
        place.below(name).report("E005", message)
        return
    starts = [file.index.key_span((name, at)).line for at in range(len(tables))]
    ends = [*(start - 1 for start in starts[1:]), len(file.source.lines)]
    for at, (table, *lines) in enumerate(zip(tables, starts, ends, strict=False)):
        yield table, Place(file.index, (name, at), Findings(), _wording), (lines[0], lines[1])


def report_unknown(table: TomlTable, keys: Sequence[str], place: Place, what: str) -> None:
    """Report the keys of a table that mean nothing there."""
    for key in table:
        if key not in keys:
            advice = f"It has {', '.join(keys)}."
            place.below(key).unknown(f"A {what} has no `{key}`.", keys, advice)


def _scenario(table: TomlTable, players: Players, place: Place) -> dict[str, Any]:
    """Return what a scenario says, by the names of attributes; mistakes are reported."""
    report_unknown(table, KEYS, place, LIST)
    at_table: int = players_field(players).read(table, place) or players.most
    found: dict[str, Any] = {
        each.key.replace("-", "_"): value
        for each in scenario_fields(players, at_table)
        if (value := each.read(table, place)) is not None
    }
    if "name" not in table:
        message = "This scenario has no name."
        place.findings.report("E006", place.key_span, message, 'Say what it shows: name = "..."')
    if "verdicts" in table and len(found.get("verdicts", ())) != at_table:
        listed = ", ".join(VERDICT_WORDS)
        wanted = f"a list of {at_table}: one of {listed} for each player"
        place.below("verdicts").wrong(wanted, table["verdicts"])
    if not any(key in table for key in CHECKS):
        advice = f"Say what to check: {', '.join(CHECKS)}. "
        advice += 'To see what is asked: offered = ["p1 ?"]'
        message = "This scenario checks nothing."
        place.findings.report("E006", place.key_span, message, advice)
    options = found.get("options", {})
    return found | {
        "span": place.below("name").span,
        "option_spans": {name: place.below("options", name).span for name in options},
        "whole_game": not any(key in table for key in ("play", "given", "after")),
    }


def _wording(path: Path, wanted: str, _value: object) -> str:
    key = path[-1]
    return f"`{key}` has to be {wanted}." if isinstance(key, str) else f"This has to be {wanted}."
