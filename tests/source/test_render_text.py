import json
import re
from pathlib import Path

import jsonschema
import pytest

from rulesdsl.source import render
from rulesdsl.source.diagnostics import Diagnostic, Edit, Fix, Related, Severity
from rulesdsl.source.render import render_text, summary
from rulesdsl.source.span import NOWHERE, SourceFile, Span


def finding(
    span: Span,
    message: str = "no `coim` here",
    help: str = "",
    related: tuple[Related, ...] = (),
    severity: Severity = Severity.ERROR,
) -> Diagnostic:
    return Diagnostic("E201", "unknown-name", severity, span, message, help, related)


def shown(text: str, span: Span) -> str:
    page = render_text([finding(span)], {span.file: SourceFile(span.file, text)})
    return "\n".join(page.splitlines()[2:-2])


def at(line: int, column: int, end_line: int, end_column: int) -> Span:
    return Span("a.rules", line, column, end_line, end_column)


def test_a_whole_finding() -> None:
    sources = {
        "a.rules": SourceFile("a.rules", "verb pay:\n" * 9 + "    move 1 coim into bank\n"),
        "b.rules": SourceFile("b.rules", "\n\npiece coin 5 in bank\n"),
    }
    diagnostic = finding(
        at(10, 12, 10, 16),
        help="a similar name exists: `coin`\nor declare it",
        related=(
            Related(Span("b.rules", 3, 7, 3, 11), "`coin` is declared here"),
            Related(Span("lost.rules", 3, 7, 3, 11), "and used here"),
            Related(NOWHERE, "the engine has no `coim`"),
        ),
    )

    assert (
        render_text([diagnostic], sources)
        == """\
error[E201 unknown-name]: no `coim` here
  --> a.rules:10:12
   |
10 |     move 1 coim into bank
   |            ^^^^
  ::: b.rules:3:7
   |
 3 | piece coin 5 in bank
   |       ---- `coin` is declared here
  ::: lost.rules:3:7
   = note: and used here
   = note: the engine has no `coim`
   = help: a similar name exists: `coin`
           or declare it

1 error
"""
    )


@pytest.mark.parametrize(
    ("text", "span", "excerpt"),
    [
        ("ab", at(1, 1, 1, 3), "  |\n1 | ab\n  | ^^"),
        ("ab", at(1, 2, 1, 2), "  |\n1 | ab\n  |  ^"),
        ("ab", at(1, 3, 1, 9), "  |\n1 | ab\n  |   ^"),
        ("ab", at(1, 9, 1, 12), "  |\n1 | ab\n  |   ^"),
        ("ab\r\ncd", at(1, 2, 2, 2), "  |\n1 | ab\n  |  ^\n  | ... to line 2"),
        ("", at(1, 1, 1, 1), "  |\n1 |\n  | ^"),
        ("", at(4, 1, 4, 1), ""),
        ("\ta\tb", at(1, 2, 1, 3), "  |\n1 |     a   b\n  |     ^"),
        ("a\tb", at(1, 2, 1, 3), "  |\n1 | a   b\n  |  ^^^"),
        ("日本 x", at(1, 2, 1, 3), "  |\n1 | 日本 x\n  |   ^^"),
        ("e\u0301x", at(1, 3, 1, 4), "  |\n1 | e\u0301x\n  |  ^"),
        ("日\tx", at(1, 3, 1, 4), "  |\n1 | 日  x\n  |     ^"),
        ("a\u202ebc", at(1, 3, 1, 4), "  |\n1 | a\ufffdbc\n  |   ^"),
        ("a\x1b[31mb", at(1, 7, 1, 8), "  |\n1 | a\ufffd[31mb\n  |       ^"),
    ],
)
def test_the_mark_stands_below_its_place(text: str, span: Span, excerpt: str) -> None:
    assert shown(text, span) == excerpt


def test_a_file_that_is_not_at_hand_is_named() -> None:
    lines = render_text([finding(at(1, 1, 1, 2))], {}).splitlines()
    assert lines == ["error[E201 unknown-name]: no `coim` here", " --> a.rules:1:1", "", "1 error"]


def test_what_stands_nowhere_has_no_place() -> None:
    assert render_text([finding(NOWHERE)], {}).splitlines()[1:] == ["", "1 error"]


def test_colour_adds_nothing_but_colour() -> None:
    sources = {"a.rules": SourceFile("a.rules", "a coim\nb")}
    diagnostic = finding(at(1, 3, 2, 1), "one", "two", (Related(at(2, 1, 2, 2), "three"),))
    plain = render_text([diagnostic], sources)
    coloured = render_text([diagnostic], sources, colour=True)
    assert "\x1b" not in plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain
    assert coloured.startswith("\x1b[1;31merror")


def test_no_text_of_a_finding_steers_the_terminal() -> None:
    span = Span("a\x1b[2J.rules", 1, 1, 1, 2)
    page = render_text([finding(span, "m\x1b", "h\x07", (Related(NOWHERE, "r\x9b"),))], {})
    assert not set("\x1b\x07\x9b") & set(page)


@pytest.mark.parametrize(
    ("errors", "warnings", "text"),
    [
        (0, 0, "no findings"),
        (1, 0, "1 error"),
        (2, 1, "2 errors, 1 warning"),
        (0, 3, "3 warnings"),
    ],
)
def test_the_last_line_counts(errors: int, warnings: int, text: str) -> None:
    found = [finding(NOWHERE)] * errors
    found += [finding(NOWHERE, severity=Severity.WARNING)] * warnings
    assert summary(found) == text
    assert render_text(found, {}).splitlines()[-1] == text


@pytest.mark.parametrize("column", [1, 50_000, 99_990])
def test_of_a_very_long_line_what_is_around_the_place_is_shown(column: int) -> None:
    line = "".join(f"{number:<10}" for number in range(10_000))
    text, mark = shown(line, at(1, column, 1, column + 5)).splitlines()[1:3]
    assert len(text) < 320
    assert mark.strip(" |") == "^" * 5
    start = mark.index("^")
    assert text[start : start + 5] == line[column - 1 : column + 4]


def test_a_finding_without_end_is_cut() -> None:
    name = "x" * 100_000
    page = render_text(
        [finding(at(1, 1, 1, 100_001), f"no `{name}`", f"not even `{name}`")],
        {"a.rules": SourceFile("a.rules", name)},
    )

    assert len(page) < 1_500
    assert page.splitlines()[3] == f"1 | {'x' * 300}…"
    assert page.splitlines()[4].count("^") <= 301


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
