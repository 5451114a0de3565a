import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from editors.__main__ import generated, main, stale
from editors.scopes import words_read
from editors.textmate import NAME, rules_grammar, toml_grammar
from editors.vim import syntax_file
from editors.words import words
from rulesdsl.syntax.lexer import spelled

ROOT = Path(__file__).parents[2]
EXTENSION = ROOT / "editors" / "vscode"
Json = dict[str, Any]


def read(name: str) -> Json:
    found: Json = json.loads((EXTENSION / name).read_text(encoding="utf-8"))
    return found


def patterns(node: object) -> Iterator[str]:
    """Yield every regular expression in a grammar or a configuration."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key in {"match", "begin", "end", "regexp"} or key.endswith("Pattern"):
                yield value
            else:
                yield from patterns(value)
    elif isinstance(node, list):
        for each in node:
            yield from patterns(each)


def test_no_generated_file_is_stale() -> None:
    assert stale() == [], "python -m editors"


def test_what_is_stale_is_named_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("editors.__main__.HERE", tmp_path / "editors")
    before = main(["--check"])
    written = main([])
    assert (before, written, main(["--check"])) == (1, 0, 0)
    assert capsys.readouterr().out.count("is stale") == len(generated())


def test_every_word_of_the_language_is_coloured() -> None:
    known = words()
    grouped = {*known.functions, *known.things, *known.other_heads, *known.inside}
    every = {word for word in spelled().values() if re.fullmatch("[a-z]+( [a-z]+)*", word)}
    assert grouped == every
    assert set(re.findall("[a-z]+", syntax_file())) >= {
        part for each in every for part in each.split()
    }


@pytest.mark.parametrize(
    "part",
    [rules_grammar(), toml_grammar(), read("language-configuration.json"), read("package.json")],
)
def test_every_pattern_can_be_read(part: Json) -> None:
    found = [*patterns(part)]
    assert found
    for each in found:
        re.compile(each)


def test_a_longer_word_is_taken_before_a_shorter_one() -> None:
    phrase: Any = rules_grammar()["repository"]
    tried = [re.compile(each["match"]) for each in phrase["phrase"]["patterns"] if "match" in each]
    first = next(found for each in tried if (found := each.match("if able: gain 1 coin")))
    assert first[0] == "if able"


@pytest.mark.parametrize("name", ["coin", "red-coin", "hats.bonnet", "pa's"])
def test_names_are_those_of_the_language(name: str) -> None:
    assert re.fullmatch(NAME, name)


@pytest.mark.parametrize(
    ("line", "deeper"),
    [
        ("verb gain n coins:", True),
        ("    if any coin in my purse:  # a comment", True),
        ('    may "Buy: it?":', True),
        ("    gain 1 coin", False),
        ('    say "so:"', False),
        ("    gain 1 coin  # so:", False),
        ("    if rich: gain 1 coin", False),
    ],
)
def test_what_stands_behind_a_colon_is_indented(line: str, deeper: bool) -> None:
    rules = read("language-configuration.json")["indentationRules"]
    assert bool(re.match(rules["increaseIndentPattern"], line)) == deeper


def test_the_parser_and_the_colours_are_compared_word_by_word() -> None:
    found = [*words_read('piece coin "Coin" 9 in heap  # all\n')]

    assert [(each.sort, each.word) for each in found] == [
        ("keyword", "piece"),
        ("name", "coin"),
        ("text", '"Coin"'),
        ("number", "9"),
        ("keyword", "in"),
        ("name", "heap"),
        ("comment", "#"),
    ]


# -------------------------------------------------------------------- the extension
def test_the_extension_has_all_files_that_it_names() -> None:
    package = read("package.json")
    contributed = package["contributes"]
    named = [each["configuration"] for each in contributed["languages"]]
    named += [each["path"] for each in contributed["grammars"]]
    named += [each for each in package["files"] if "*" not in each and "dist" not in each]
    assert [each for each in named if not (EXTENSION / each).is_file()] == []
    assert (EXTENSION / "src" / "extension.js").is_file()


def test_the_extension_is_of_this_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert read("package.json")["version"] == project["version"]
    assert read("package-lock.json")["version"] == project["version"]


def test_the_grammars_have_the_scopes_that_the_extension_says() -> None:
    for each in read("package.json")["contributes"]["grammars"]:
        assert read(each["path"])["scopeName"] == each["scopeName"]
