import pytest

from coloma.session.line_session import LineSession
from soak import answers

GAME = "content/classics/goofspiel"


def test_a_typed_line_chooses_what_it_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert answers.run(GAME, 600, 1) == 0
    assert " 0 choices" not in capsys.readouterr().out


def test_a_missing_confirmation_is_noticed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LineSession, "_doubt", lambda *_: "")
    assert answers.run(GAME, 600, 1) == 1
    assert "for good" in capsys.readouterr().out
