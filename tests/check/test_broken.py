"""Broken content and what is said about it.

Each folder of `broken/` lies over the stock game of the codes' pages: a file of the same name
takes its place, any other is added, and a file that is called `NAME.gone` takes the file NAME
away. `expected.txt` is what lint prints. `pytest --update-golden tests/check` writes it again.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from check.stock import STOCK, check_texts
from rulesdsl.source.code_table import TABLE
from rulesdsl.source.render_text import render

BROKEN = Path(__file__).parent / "broken"
CASES = sorted(each.name for each in BROKEN.iterdir() if each.is_dir())


@pytest.mark.parametrize("name", CASES)
def test_broken_content_is_explained(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, update_golden: bool
) -> None:
    monkeypatch.chdir(tmp_path)

    report = check_texts(Path("pack"), texts_of(BROKEN / name))
    told = render(report.diagnostics, report.sources)

    expected = BROKEN / name / "expected.txt"
    if update_golden:
        expected.write_text(told, encoding="utf-8")
    assert told == expected.read_text(encoding="utf-8")


def test_ten_mistakes_are_ten_findings() -> None:
    told = (BROKEN / "ten-mistakes" / "expected.txt").read_text(encoding="utf-8")

    assert told.endswith("\n10 errors\n")


def test_there_is_a_case_for_every_code() -> None:
    told = "".join((BROKEN / name / "expected.txt").read_text(encoding="utf-8") for name in CASES)

    assert [code for code in TABLE if f"[{code} " not in told] == []


def texts_of(folder: Path) -> dict[str, str]:
    """Return the texts of a broken pack by their paths."""
    texts = dict(STOCK)
    for file in sorted(folder.rglob("*")):
        name = file.relative_to(folder).as_posix()
        if file.suffix == ".gone":
            del texts[name.removesuffix(".gone")]
        elif file.is_file() and name != "expected.txt":
            texts[name] = file.read_bytes().decode()
    return texts
