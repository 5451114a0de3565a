"""From the files of a pack to scenarios; a mistake is a finding at its exact place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulesdsl.packs.manifest import Players
from rulesdsl.packs.place import Place
from rulesdsl.scenarios.fields import VERDICT_WORDS, players_field, scenario_fields
from rulesdsl.scenarios.scenario import Scenario
from rulesdsl.source.diagnostic import Findings, Related

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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
        for each in _scenarios(file, players, findings):
            if each.name in names:
                message, advice = (
                    "Another scenario has this name already.",
                    "Give one of them another name.",
                )
                related = [Related(names[each.name], "named here first")]
                findings.report("E202", each.span, message, advice, related)
            else:
                names[each.name] = each.span
                found.append(each)
    return tuple(found)


def count_scenarios(file: TomlFile) -> int:
    """Return how many scenarios a file has, those with mistakes included."""
    tables = file.data.get(LIST)
    return len(tables) if isinstance(tables, list) else 0


def _scenarios(file: TomlFile, players: Players, findings: Findings) -> Iterator[Scenario]:
    """Yield the scenarios of a file that could be read."""
    place = Place(file.index, (), findings, _wording)
    for key in file.data:
        if key != LIST:
            advice = "Each scenario begins with `[[scenario]]`."
            place.below(key).unknown(f"A file of scenarios has no `{key}`.", [LIST], advice)
    tables = file.data.get(LIST, [])
    if not isinstance(tables, list) or not all(isinstance(each, dict) for each in tables):
        message = "This has to be a list of tables; each begins with `[[scenario]]`."
        place.below(LIST).report("E005", message)
        return
    starts = [file.index.key_span((LIST, at)).line for at in range(len(tables))]
    ends = [*(start - 1 for start in starts[1:]), len(file.source.lines)]
    for at, (table, *lines) in enumerate(zip(tables, starts, ends, strict=False)):
        own = Findings()
        found = _scenario(table, players, Place(file.index, (LIST, at), own, _wording))
        for each in own.sorted():
            findings.add(each)
        if not own.has_errors:
            yield Scenario(lines=(lines[0], lines[1]), **found)


def _scenario(table: TomlTable, players: Players, place: Place) -> dict[str, Any]:
    """Return what a scenario says, by the names of attributes; mistakes are reported."""
    for key in table:
        if key not in KEYS:
            advice = f"It has {', '.join(KEYS)}."
            place.below(key).unknown(f"A scenario has no `{key}`.", KEYS, advice)
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
        advice = f"Say what has to follow: {', '.join(CHECKS)}. "
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
