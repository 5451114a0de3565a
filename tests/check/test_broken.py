"""Tests of the findings in broken packs, and of their rendering.

`pytest -n 0 --update-golden tests/check/test_broken.py` rewrites the findings in the chunks, and
in `rendered.txt` those of the packs named there.
"""

import re
from pathlib import Path

import pytest

from check.broken_packs import FOLDER, Chunk, chunks, compare, expectation
from check.stock import STOCK, check_texts
from rulesdsl.check.lints import LINTS
from rulesdsl.source.diagnostics import TABLE, Report
from rulesdsl.source.render import render_text

RENDERED = Path(__file__).parent / "rendered.txt"
FILES = sorted(FOLDER.iterdir())
ALL = [chunk for file in FILES for chunk in chunks(file)]


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_findings_stand_at_their_lines(file: Path, update_golden: bool) -> None:
    written = chunks(file)
    now = [each.with_findings(map(expectation, _report(each).diagnostics)) for each in written]
    compare(file, [each.text for each in written], now, update_golden=update_golden)


def test_findings_are_printed(update_golden: bool) -> None:
    written = re.split(r"\n(?==== )", RENDERED.read_text("utf-8"))
    by_name = {each.name: each for each in ALL}
    now = [_printed(by_name[each.split()[1]]) for each in written]
    compare(RENDERED, written, now, update_golden=update_golden)


def test_there_is_a_case_for_every_code() -> None:
    texts = [each.text for file in FILES for each in chunks(file)]
    found = {code for text in texts for code in re.findall(r"### .*?\b([EW]\d{3}) ", text)}
    assert TABLE.keys() - found == set()


def test_the_stock_is_clean() -> None:
    assert check_texts(Path("coins"), STOCK).diagnostics == ()


def test_each_lint_is_listed_once() -> None:
    assert len(set(LINTS)) == len(LINTS)


def test_no_two_chunks_have_one_name() -> None:
    assert len({each.name for each in ALL}) == len(ALL)


def _report(chunk: Chunk) -> Report:
    return check_texts(Path(chunk.name), chunk.texts)


def _printed(chunk: Chunk) -> str:
    report = _report(chunk)
    return f"=== {chunk.name}\n{render_text(report.diagnostics, report.sources)}"
