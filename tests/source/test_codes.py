from __future__ import annotations

import re
import tomllib
from importlib.resources import files

import pytest

from rulesdsl.source.codes import CODES, FAILING, FIXED, MEANING, Code, find_code
from rulesdsl.source.diagnostics import TABLE

PAGES = sorted(
    each.name
    for each in (files("rulesdsl.source") / "pages").iterdir()
    if each.name.endswith(".md")
)


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
