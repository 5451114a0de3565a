from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "rulesdsl" / "adapters" / "README.md").read_text(encoding="utf-8")
TRAINING, SEARCH = re.findall(r"(?ms)^```python\n(.*?)^```$", PAGE)
LINES = 60  # what a reader takes in


def printed(code: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(ROOT)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(code, "README.md", "exec"), {})
    return said.getvalue()


def test_the_learner_learns_for_200_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("gymnasium", reason="Gymnasium is not installed: the extra `adapters`")

    assert len(TRAINING.splitlines()) <= LINES
    assert "STEPS = 200\n" in TRAINING
    assert re.fullmatch(
        r"\d+ games, the last 500 worth -?[\d.]+ on average\n", printed(TRAINING, monkeypatch)
    )


def test_openspiel_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: the extra `adapters`")

    assert re.fullmatch(r"[\w-]+:[\w-]+/[\w:-]+\n", printed(SEARCH, monkeypatch))
