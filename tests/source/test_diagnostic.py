import ast
import pickle
import re
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesdsl.check.frontend import check_pack
from rulesdsl.source.codes import CODES, FAILING, FIXED, MEANING, Code, find_code
from rulesdsl.source.diagnostics import (
    TABLE,
    Edit,
    Findings,
    LintError,
    Related,
    Severity,
    closest,
    did_you_mean,
    distance,
    edited,
    similar,
)
from rulesdsl.source.span import NOWHERE, SourceFile, Span
from some import reported

HERE = Span("a.rules", 2, 3, 2, 7)
BELOW = Span("a.rules", 10, 1, 10, 2)
ELSEWHERE = Span("b.rules", 1, 1, 1, 2)


def test_name_and_severity_come_from_the_table() -> None:
    finding = reported("E201", HERE, "no `coim`", related=[Related(BELOW, "a coin")])
    assert (finding.name, finding.severity) == ("unknown-name", Severity.ERROR)
    assert finding.related == (Related(BELOW, "a coin"),)


def test_a_code_that_nobody_declared_is_our_own_mistake() -> None:
    with pytest.raises(KeyError):
        reported("E000", HERE, "what")


def test_findings_come_in_the_order_of_the_files() -> None:
    findings = Findings()
    for span in (ELSEWHERE, BELOW, HERE, NOWHERE):
        findings.report("E201", span, "no such name")
    assert [each.span for each in findings.sorted()] == [NOWHERE, HERE, BELOW, ELSEWHERE]


def test_one_code_is_reported_once_at_a_place() -> None:
    findings = Findings()
    findings.report("E201", HERE, "first")
    findings.report("E201", HERE, "first")
    findings.report("E201", HERE, "second")
    findings.report("E002", HERE, "another code")
    assert [each.message for each in findings.sorted()] == ["another code", "first"]


def test_only_errors_keep_a_pack_from_being_played(monkeypatch: pytest.MonkeyPatch) -> None:
    warning = ("dusty", "warning", "A dusty card")
    monkeypatch.setitem(TABLE, "W999", warning)
    findings = Findings()
    findings.report("W999", HERE, "dusty")
    assert not findings.has_errors
    findings.report("E201", HERE, "no such name")
    assert findings.has_errors


def test_a_lint_error_shows_what_it_carries() -> None:
    source = SourceFile("a.rules", "\n  coim\n")
    error = LintError([reported("E201", HERE, "no `coim`")], {"a.rules": source})
    assert "a.rules:2:3" in str(error)
    assert "2 |   coim" in str(error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


EARLY = Span("a.rules", 1, 5, 1, 9)
LATE = Span("a.rules", 3, 2, 4, 1)


@pytest.mark.parametrize("pair", [(EARLY, LATE), (LATE, EARLY)])
def test_joining_covers_both_whatever_their_order(pair: tuple[Span, Span]) -> None:
    assert pair[0].to(pair[1]) == Span("a.rules", 1, 5, 4, 1)


def test_joining_a_span_inside_changes_nothing() -> None:
    assert LATE.to(Span("a.rules", 3, 4, 3, 9)) == LATE


def test_nowhere_adds_nothing() -> None:
    assert EARLY.to(NOWHERE) == EARLY
    assert NOWHERE.to(EARLY) == EARLY


def test_only_lf_and_crlf_end_a_line() -> None:
    source = SourceFile("a.rules", "one\r\ntwo\x0c\u2028still two\n")
    assert source.lines == ("one", "two\x0c\u2028still two", "")


@pytest.mark.parametrize(("n", "line"), [(0, ""), (1, "one"), (2, "two"), (3, ""), (-1, "")])
def test_a_line_that_is_not_there_is_empty(n: int, line: str) -> None:
    assert SourceFile("a.rules", "one\ntwo").line(n) == line


@pytest.mark.parametrize(
    ("one", "other", "slips"),
    [
        ("coin", "coin", 0),
        ("coin", "coins", 1),
        ("coin", "con", 1),
        ("coin", "corn", 1),
        ("coin", "cion", 1),
        ("ca", "abc", 3),  # true Damerau would say 2: it fixes inside what it has swapped
        ("", "card", 4),
        ("card", "", 4),
    ],
)
def test_slips_are_counted(one: str, other: str, slips: int) -> None:
    assert distance(one, other) == slips


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_slips_count_the_same_both_ways(one: str, other: str) -> None:
    assert distance(one, other) == distance(other, one)
    assert (distance(one, other) == 0) == (one == other)


def test_the_nearest_comes_first_then_the_alphabet() -> None:
    names = ["tokems", "tokens", "takens", "deck"]
    assert closest("tokenz", names) == ["tokens", "takens", "tokems"]


@pytest.mark.parametrize(
    ("name", "found"), [("de", []), ("dek", ["deck"]), ("dk", []), ("hand", [])]
)
def test_a_third_of_the_name_may_be_wrong(name: str, found: list[str]) -> None:
    assert closest(name, ["deck"]) == found


def test_a_limit_can_be_given() -> None:
    assert closest("dk", ["deck"], 2) == ["deck"]


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("decc", "a similar name exists: `deck`"),
        ("car", "similar names exist: `card`, `cart`"),
        ("elephant", ""),
    ],
)
def test_the_advice_names_what_is_near(name: str, advice: str) -> None:
    assert did_you_mean(name, ["deck", "card", "cart"]) == advice


@pytest.mark.parametrize(
    ("name", "known", "safe"),
    [
        ("decc", ["deck"], [True]),
        ("dec", ["deck"], [False]),  # three letters may have been many words
        ("decc", ["deck", "decs"], [False, False]),
        ("tekanz", ["tokens"], []),
    ],
)
def test_safe_fixes_of_words(name: str, known: list[str], safe: list[bool]) -> None:
    fixes = similar(name, known).fixes(Span("a.rules", 1, 1, 1, 1 + len(name)))
    assert [each.safe for each in fixes] == safe


FOLDER = files("rulesdsl.source") / "pages"
PAGES = sorted(each.name for each in FOLDER.iterdir() if each.name.endswith(".md"))


@pytest.mark.parametrize("code", TABLE)
def test_a_code_is_well_formed(code: str) -> None:
    name, severity, title = TABLE[code]
    assert re.fullmatch(r"[EW]\d{3}", code)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", name)
    assert severity == ("error" if code[0] == "E" else "warning")
    assert title[0].isupper()
    assert not title.endswith(".")


def test_no_two_codes_have_one_name() -> None:
    names = [name for name, _, _ in TABLE.values()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_belongs_to_a_code(page: str) -> None:
    assert page in {f"{code.code}-{code.name}.md" for code in CODES.values()}


@pytest.mark.parametrize("code", [code for code in CODES.values() if code.has_page], ids=str)
def test_a_page_is_complete(code: Code) -> None:
    prose = re.sub(r"(?ms)^```.*?^```", "", code.page)
    headings = re.findall(r"(?m)^##? (.*)$", prose)
    assert headings == [f"{code.code} {code.name}", MEANING, FAILING, FIXED]
    assert code.failing != code.fixed
    assert f"{code.severity}: {code.title}" in code.page


def test_an_example_is_laid_over_the_stock_pack() -> None:
    code = CODES["E002"]
    assert 'name = "Square\n' in code.failing["shapes.toml"]
    assert 'name = "Square"\n' in code.fixed["shapes.toml"]
    assert tomllib.loads(code.failing["pack.toml"])["kind"] == "game"
    assert code.failing.keys() == code.fixed.keys()


@pytest.mark.parametrize("word", ["E002", "e002", "bad-toml", "Bad-TOML"])
def test_a_code_is_found_by_number_and_by_name(word: str) -> None:
    assert find_code(word) is CODES["E002"]


def test_no_code_is_found_by_another_word() -> None:
    assert find_code("bad") is None


MODS = "mods"


def findings_of(files: dict[str, str], folder: Path) -> set[str]:
    """Return the codes of the findings in a pack and its mods."""
    for name, text in files.items():
        path = folder / ("" if name.startswith(f"{MODS}/") else "game") / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    mods = sorted((folder / MODS).iterdir()) if (folder / MODS).exists() else []
    return {each.code for each in check_pack(folder / "game", mods)[2].diagnostics}


@pytest.mark.parametrize("code", CODES.values(), ids=list(CODES))
def test_pages_have_correct_examples(code: Code, tmp_path: Path) -> None:
    assert code.has_page, f"{code.code} {code.name} has no page"
    assert findings_of(code.failing, tmp_path / "failing") == {code.code}
    assert findings_of(code.fixed, tmp_path / "fixed") == set()


def test_the_little_game_of_the_pages_lints_clean(tmp_path: Path) -> None:
    stock = {path: CODES["E201"].fixed[path] for path in ("pack.toml", "stock.rules")}
    assert findings_of(stock, tmp_path) == set()


ROOT = Path(__file__).parents[2]
SHOW = {
    "rulesdsl/editor/server/lsp_convert.py",
    "rulesdsl/editor/upgrade.py",
    "rulesdsl/source/render.py",
}
ADD_WORDS = {
    "rulesdsl/check/attribution.py",
    "rulesdsl/check/frontend.py",
    "rulesdsl/check/fixes.py",
}
TELL_APART = {  # whether two findings are the same one
    "cli/coloma/fixing.py",
    "cli/coloma/linting.py",
    "cli/coloma/scaffold/drafts.py",
    "rulesdsl/editor/fixing.py",
    "rulesdsl/editor/project.py",
}
WORDS = {"message", "help"}


def test_nobody_reads_a_message_but_what_shows_it() -> None:
    reading = {
        path.relative_to(ROOT).as_posix()
        for folder in ("rulesdsl", "cli")
        for path in (ROOT / folder).rglob("*.py")
        if _reads(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert reading == SHOW | ADD_WORDS | TELL_APART


def test_nobody_takes_a_message_apart() -> None:
    for name in ADD_WORDS | TELL_APART:
        tree = ast.parse((ROOT / name).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute | ast.Compare):
                assert not _reads_within(node), (name, ast.unparse(node))


def _reads(tree: ast.AST) -> bool:
    return any(
        isinstance(node, ast.Attribute)
        and node.attr in WORDS
        and not (isinstance(node.value, ast.Name) and node.value.id == "self")
        for node in ast.walk(tree)
    )


def _reads_within(node: ast.Attribute | ast.Compare) -> bool:
    """Return whether code calls a method on a message or searches its text."""
    parts = [node.value] if isinstance(node, ast.Attribute) else [node.left, *node.comparators]
    return any(isinstance(each, ast.Attribute) and each.attr in WORDS for each in parts)


TEXT = "verb pay:\n    gain é coin\r\nend"


def at(line: int, column: int, end_line: int, end_column: int, text: str) -> Edit:
    return Edit(Span("a.rules", line, column, end_line, end_column), text)


def test_edits_are_made_wherever_they_are_listed() -> None:
    edits = [at(3, 1, 3, 4, "stop"), at(1, 6, 1, 9, "buy"), at(2, 5, 2, 5, "may: ")]
    assert edited(TEXT, edits) == "verb buy:\n    may: gain é coin\r\nstop"


def test_an_edit_can_join_lines() -> None:
    assert edited(TEXT, [at(1, 10, 2, 5, " ")]) == "verb pay: gain é coin\r\nend"


@pytest.mark.parametrize(
    "edits",
    [
        [at(1, 1, 1, 5, ""), at(1, 4, 1, 9, "")],
        [at(4, 1, 4, 1, "")],
        [at(0, 1, 0, 1, "")],
        [at(1, 0, 1, 1, "")],
        [at(1, 11, 1, 11, "")],
        [at(1, 5, 1, 4, "")],
    ],
)
def test_what_cannot_be_made_is_an_error(edits: list[Edit]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - it is about any of them
        edited(TEXT, edits)
