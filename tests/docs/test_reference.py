import random
import re
from pathlib import Path

import pytest

import rulesdsl
from coloma.guides import topic_lines
from docs.grammar_use import used, words
from docs.quotes import Quote, quotes
from docs.reference import REFERENCE, STOCK, Section, sections
from rulesdsl.scenarios import run_scenarios
from rulesdsl.scenarios.lessons import load_lessons
from rulesdsl.syntax.format import format_rules
from soak.language import alternatives

GUIDE = Path(__file__).parents[2] / "cli" / "coloma" / "guide" / "mods.md"
SECTIONS = sections()
EXAMPLES = [*SECTIONS, *sections(GUIDE)]
WRONG = [(section, number) for section in SECTIONS for number in range(len(section.wrong))]
UNUSED = {"W601", "W602"}  # an example may declare what it does not need


def anchor(title: str) -> str:
    return re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-")


def by_title(section: Section) -> str:
    return section.title


@pytest.mark.parametrize("section", EXAMPLES, ids=by_title)
def test_an_example_lints_clean(section: Section, tmp_path: Path) -> None:
    found = rulesdsl.lint(*section.write(tmp_path)).diagnostics
    allowed = set() if section.of_mod else UNUSED
    assert [str(each) for each in found if each.code not in allowed] == []


@pytest.mark.parametrize("section", EXAMPLES, ids=by_title)
def test_an_example_is_formatted(section: Section) -> None:
    for path, text in section.files.items():
        if path.endswith(".rules"):
            assert format_rules(text, path) == text, path


@pytest.mark.parametrize("section", EXAMPLES, ids=by_title)
def test_an_example_can_be_played(section: Section, tmp_path: Path) -> None:
    pack = rulesdsl.load(*section.write(tmp_path), cache=False)
    least, most = pack.players
    for seed in range(4):
        game = pack.new_game(players=least + seed % (most - least + 1), seed=seed)
        chance = random.Random(seed)
        while decision := game.decision:
            game.choose(chance.randrange(decision.count))
        assert game.result is not None


@pytest.mark.parametrize(
    "section",
    [each for each in EXAMPLES if each.checks or "scenarios" in "".join(each.files)],
    ids=by_title,
)
def test_an_example_does_what_it_says(section: Section, tmp_path: Path) -> None:
    folder, mods = section.write(tmp_path)
    report = run_scenarios(folder, mods, of=next(iter(mods), None))
    assert report.results
    assert [str(each) for each in report.results if not each.passed] == []


def test_the_example_of_a_rulebook_is_shown_as_it_says(tmp_path: Path) -> None:
    section = next(each for each in SECTIONS if each.title == "A rulebook")
    pack = rulesdsl.load(section.write(tmp_path)[0], cache=False)
    (topic,) = pack.rulebook(players=2).topics
    shown = "\n".join(topic_lines(topic))
    assert f"```text\n{shown}\n```" in REFERENCE.read_text(encoding="utf-8")


def test_the_example_of_a_lesson_can_be_played(tmp_path: Path) -> None:
    section = next(each for each in SECTIONS if each.title == "Lessons")
    report = load_lessons(section.write(tmp_path)[0]).report()
    assert (str(report), report.ok) == ("1 passed, 0 failed", True)


@pytest.mark.parametrize(("section", "number"), WRONG, ids=[section.title for section, _ in WRONG])
def test_a_wrong_example_has_its_code(section: Section, number: int, tmp_path: Path) -> None:
    report = rulesdsl.lint(section.write_wrong(tmp_path, number))
    errors = [each.code for each in report.errors]
    assert errors == [section.wrong[number][1]]


def test_the_first_example_is_the_stock() -> None:
    assert SECTIONS[0].title == STOCK
    assert "pack.toml" in SECTIONS[0].files


def test_every_section_is_found_by_its_link() -> None:
    text = REFERENCE.read_text(encoding="utf-8")
    titles = re.findall(r"(?m)^##+ (.*)$", text)
    anchors = {anchor(title) for title in titles}
    assert set(re.findall(r"\]\(#([^)]*)\)", text)) <= anchors


@pytest.mark.parametrize("quote", quotes(REFERENCE), ids=lambda quote: quote.path)
def test_what_is_quoted_from_the_games_stands_there(quote: Quote) -> None:
    assert quote.missing() == [], f"fix the quotation in {REFERENCE.name} of {quote.path}"


def test_both_games_are_quoted() -> None:
    folders = {str(Path(quote.path).parent) for quote in quotes(REFERENCE)}
    assert {"content", "content/sutters_mill"} <= folders


def test_all_that_the_grammar_knows_is_in_an_example() -> None:
    files = [file for section in SECTIONS for file in section.files.items()]
    rules = [text for path, text in files if path.endswith(".rules")]
    rules += [section.hooks for section in SECTIONS]
    tables = [text for path, text in files if path.endswith(".toml")]
    assert alternatives() - used(rules, tables) == set()


def test_every_section_with_an_example_is_in_the_contents() -> None:
    text = REFERENCE.read_text(encoding="utf-8")
    contents = text.split("\n## ")[0]
    assert [each.title for each in SECTIONS if f"(#{anchor(each.title)})" not in contents] == []


def test_every_word_of_the_language_is_in_the_index() -> None:
    text = REFERENCE.read_text(encoding="utf-8")
    listed = re.findall(r"(?m)^- `([^`]+)`", text.split("## Every word\n")[1])
    assert words() - set(listed) == set()
    assert listed == sorted(listed)
