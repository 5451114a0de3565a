from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from rulesdsl.source import render
from rulesdsl.source.diagnostics import Diagnostic, Edit, Fix, Related, Severity
from rulesdsl.source.span import NOWHERE, SourceFile, Span

SCHEMA = json.loads(Path(__file__).with_name("sarif-2.1.0.json").read_text(encoding="utf-8"))
HERE = Span("my pack/a:b.rules", 2, 3, 2, 7)
LONG = Span("b.rules", 1, 1, 3, 2)
SOURCES = {HERE.file: SourceFile(HERE.file, "verb pay:\n  coim é\n")}
ERROR = Diagnostic(
    "E201",
    "unknown-name",
    Severity.ERROR,
    HERE,
    "no `coim`, 100%\nof it: é",
    "take `coin`",
    (Related(LONG, "declared here"), Related(NOWHERE, "by the engine")),
    (Fix("Write `coin`.", (Edit(HERE, "coin"), Edit(LONG, "")), safe=True),),
)
WARNING = Diagnostic("E002", "bad-toml", Severity.WARNING, LONG, "hm")
PLACELESS = Diagnostic("E201", "unknown-name", Severity.ERROR, NOWHERE, "no pack")
ALL = [WARNING, ERROR, PLACELESS]


def test_json_carries_everything() -> None:
    report = json.loads(render.render_json(ALL, SOURCES))

    assert (report["errors"], report["warnings"]) == (2, 1)
    assert [each["code"] for each in report["findings"]] == ["E002", "E201", "E201"]
    finding = report["findings"][1]
    assert finding["message"] == ERROR.message
    assert finding["help"] == "take `coin`"
    assert finding["place"] == {
        "file": HERE.file,
        "line": 2,
        "column": 3,
        "end_line": 2,
        "end_column": 7,
        "text": "  coim é",
    }
    assert [each["place"] is None for each in finding["related"]] == [False, True]
    assert report["findings"][2]["place"] is None
    (fix,) = finding["fixes"]
    assert (fix["title"], fix["safe"]) == ("Write `coin`.", True)
    assert [(each["place"]["file"], each["new"]) for each in fix["edits"]] == [
        (HERE.file, "coin"),
        (LONG.file, ""),
    ]


@pytest.mark.parametrize("diagnostics", [[], ALL])
def test_sarif_keeps_to_its_schema(diagnostics: list[Diagnostic]) -> None:
    log = json.loads(render.render_sarif(diagnostics, SOURCES, tool="deck", version="1.0"))

    jsonschema.validate(log, SCHEMA)


def test_the_schema_would_notice() -> None:
    log = json.loads(render.render_sarif(ALL, SOURCES))
    log["runs"][0]["results"][0]["level"] = "dreadful"

    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(log, SCHEMA)


def test_sarif_tells_place_and_rule() -> None:
    run = json.loads(render.render_sarif(ALL, SOURCES))["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    result = run["results"][1]

    assert run["columnKind"] == "unicodeCodePoints"
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == "E201"
    assert "What it means" in rules[0]["help"]["markdown"]
    assert result["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "my%20pack/a%3Ab.rules"},
                "region": {
                    "startLine": 2,
                    "startColumn": 3,
                    "endLine": 2,
                    "endColumn": 7,
                    "snippet": {"text": "  coim é"},
                },
            }
        }
    ]
    assert [each["message"]["text"] for each in result["relatedLocations"]] == ["declared here"]
    assert "locations" not in run["results"][2]


def test_sarif_tells_fixes_by_file() -> None:
    run = json.loads(render.render_sarif(ALL, SOURCES))["runs"][0]
    (fix,) = run["results"][1]["fixes"]

    assert (fix["description"]["text"], fix["properties"]["safe"]) == ("Write `coin`.", True)
    assert fix["artifactChanges"][0] == {
        "artifactLocation": {"uri": "my%20pack/a%3Ab.rules"},
        "replacements": [
            {
                "deletedRegion": {"startLine": 2, "startColumn": 3, "endLine": 2, "endColumn": 7},
                "insertedContent": {"text": "coin"},
            }
        ],
    }
    assert [each["artifactLocation"]["uri"] for each in fix["artifactChanges"]][1:] == ["b.rules"]
    assert "fixes" not in run["results"][0]


def test_sarif_gives_an_absolute_path_its_scheme() -> None:
    span = Span("/packs/my deck/a.rules", 1, 1, 1, 1)
    diagnostic = Diagnostic("E201", "unknown-name", Severity.ERROR, span, "no")

    assert '"file:///packs/my%20deck/a.rules"' in render.render_sarif([diagnostic], {})


def test_github_gets_errors_first_and_escaped() -> None:
    place = "file=my pack/a%3Ab.rules,line=2,endLine=2,col=3,endColumn=7"
    text = "no `coim`, 100%25%0Aof it: é%0Atake `coin`"

    assert render.render_github(ALL, SOURCES).splitlines() == [
        f"::error {place},title=E201 unknown-name::{text}",
        "::error title=E201 unknown-name::no pack",
        "::warning file=b.rules,line=1,endLine=3,title=E002 bad-toml::hm",
    ]


def test_github_gets_nothing_for_nothing() -> None:
    assert render.render_github([], SOURCES) == ""
