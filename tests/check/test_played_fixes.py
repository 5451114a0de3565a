"""Fixes of lints: each is applied to a small card or step, linted clean, and played."""

import re
from pathlib import Path

import pytest

from check.stock import STOCK, check_texts
from rulesdsl.scenarios import run_scenarios
from rulesdsl.source.diagnostics import edited

CHUNK = re.compile(r"^=== (\S+) (.*)\n((?:.*\n)*?)--- scenario\n((?:.+\n)+)", re.MULTILINE)
CASES = CHUNK.findall((Path(__file__).parent / "played_fixes.txt").read_text("utf-8"))


@pytest.mark.parametrize(("code", "title", "rules", "scenario"), CASES)
def test_a_fix_does_what_it_promises(
    code: str, title: str, rules: str, scenario: str, tmp_path: Path
) -> None:
    report = check_texts(tmp_path, STOCK | {"extra.rules": rules})
    (finding,) = report.diagnostics
    (fix,) = (fix for fix in finding.fixes if fix.title == title)
    assert finding.code == code

    fixed = edited(report.sources[finding.span.file].text, fix.edits)
    played = f'[[scenario]]\nname = "{title}"\n{scenario}'
    report = check_texts(
        tmp_path, {Path(finding.span.file).name: fixed, "scenarios/played.toml": played}
    )
    assert report.diagnostics == ()
    assert run_scenarios(tmp_path).failures == ""


def test_every_case_is_read() -> None:
    text = (Path(__file__).parent / "played_fixes.txt").read_text("utf-8")
    assert len(CASES) == text.count("=== ")
