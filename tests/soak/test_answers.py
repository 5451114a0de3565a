from collections.abc import Sequence

import pytest

from coloma.session.answers import PickedOption, Unclear, understand
from coloma.session.before import asking
from coloma.session.line_session import LineSession
from rulesdsl import Option
from soak import answers

GAME = "content/classics/goofspiel"


def test_a_typed_line_chooses_what_it_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert answers.run(GAME, 600, 1) == 0
    out = capsys.readouterr().out
    assert " 0 choices" not in out
    assert " 0 games set up" not in out


def test_a_missing_confirmation_is_noticed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LineSession, "_doubt", lambda *_: "")
    assert answers.run(GAME, 600, 1) == 1
    assert "for good" in capsys.readouterr().out


def test_a_setting_that_no_line_names_is_noticed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def guessed(line: str, options: Sequence[Option], _: object) -> object:
        answer = understand(line, options)
        return PickedOption(0) if isinstance(answer, Unclear) else answer

    monkeypatch.setattr(asking, "_understood", guessed)
    assert answers.run(GAME, 600, 1) == 1
    assert " gave Wish(" in capsys.readouterr().out
