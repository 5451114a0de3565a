"""Tests of findings in scenarios, lessons and pages of the small pack.

`pytest -n 0 --update-golden tests/scenarios/test_chunks.py` rewrites the findings.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

import rulesdsl
from check.broken_packs import Chunk, chunks, compare, expectation
from check.stock import write
from rulesdsl.scenarios import run_scenarios
from rulesdsl.scenarios.lessons import load_lessons
from rulesdsl.source.span import Span
from scenarios.small_pack import TEXTS

FILES = sorted((Path(__file__).parent / "chunks").iterdir())


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_scenarios_and_lessons(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, update_golden: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    written = chunks(file, TEXTS, "scenarios/all.toml")
    now = [each.with_findings(_found(each)) for each in written]
    compare(file, [each.text for each in written], now, update_golden=update_golden)


def _found(chunk: Chunk) -> Iterator[tuple[Span, str]]:
    folder = Path(chunk.name)
    write(folder, chunk.texts)
    yield from map(expectation, rulesdsl.lint(folder).errors)
    for report in (run_scenarios(folder), load_lessons(folder).report()):
        yield from map(expectation, report.findings)
        for result in report.results:
            for failure in result.failures:
                details = (f"{what} {found}" for what, found in failure.details)
                yield failure.span, "; ".join([failure.said, *details])
