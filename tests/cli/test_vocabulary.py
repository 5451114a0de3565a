from __future__ import annotations

from pathlib import Path

from coloma.guides import SORTS

SESSION = Path(__file__).parent / "sessions" / "vocabulary.txt"


def test_every_sort_of_declaration_is_listed() -> None:
    listed = {line.split(":")[0] for line in SESSION.read_text("utf-8").splitlines()}

    assert {plural for plural, _ in SORTS.values()} - {each[2:] for each in listed} == {"rivals"}
