from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.conftest import Run
from docs.reference import stock

PAGE = Path(__file__).parents[2] / "rulesdsl" / "ARCHITECTURE.md"
SHOWN = re.findall(r"^\$ coloma (dump .*)\n((?:(?!\$ |```).*\n)*)", PAGE.read_text(), re.MULTILINE)


@pytest.fixture
def lanterns(tmp_path: Path) -> Path:
    for path, text in stock().items():
        (tmp_path / path).write_text(text)
    return tmp_path


def test_every_stage_is_shown() -> None:
    assert {command.split()[-1] for command, _ in SHOWN} == {"tree", "form", "python", "wat"}


@pytest.mark.parametrize(("command", "shown"), SHOWN, ids=[each[0] for each in SHOWN])
def test_what_is_shown_is_printed(run: Run, lanterns: Path, command: str, shown: str) -> None:
    printed = run(*command.split(), "--pack", str(lanterns)).out

    at = 0
    for part in shown.split("...\n"):
        found = printed.find(part, at)
        assert found >= 0, f"{part}\nis not in what follows\n{printed[at:]}"
        at = found + len(part)
    if "..." not in shown:
        assert printed == shown


def test_every_file_that_is_named_is_there() -> None:
    named = re.findall(r"`((?:\w+/)*\w+(?:\.\w+|/))`", PAGE.read_text())

    assert len(named) > 10
    for each in named:
        places = [PAGE.parent / each, *PAGE.parent.rglob(each.rstrip("/"))]
        assert any(place.exists() for place in places), each
