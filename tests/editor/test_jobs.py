from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lanterns import write_lanterns
from rulesdsl.editor import jobs

if TYPE_CHECKING:
    import pytest


def test_the_form_of_a_verb_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(write_lanterns(tmp_path))
    jobs.main([jobs.FORM, "dust", "tree", folder])
    assert capsys.readouterr().out.startswith("dust()\n")
    jobs.main([jobs.FORM, "rust", "tree", folder])
    assert capsys.readouterr().out == "There is no verb, step or value rust.\n"


def test_what_is_wrong_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_lanterns(tmp_path)
    folder.joinpath("game.rules").write_text("verb verb verb\n", encoding="utf-8")
    jobs.main([jobs.TEST, str(folder), "", str(folder)])
    assert "error[E101" in capsys.readouterr().out
