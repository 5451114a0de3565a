from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import rulesdsl
from rulesdsl.editor import Session

RULES = """\
track fame per seat from 0..3
step game: for each player: raise my fame by 1
score final "Fame": my fame
win with most score
"""
MANIFEST = """\
id = "small"
name = "Small"
version = "1.0.0"
kind = "game"
players = { least = 1, most = 4 }
"""


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    tmp_path.joinpath("pack.toml").write_text(MANIFEST, encoding="utf-8")
    tmp_path.joinpath("main.rules").write_text(RULES, encoding="utf-8")
    return tmp_path


def _codes(session: Session) -> list[str]:
    return [each.code for each in session.check().report.diagnostics]


def test_an_open_text_counts_until_it_is_closed(pack: Path) -> None:
    session = Session(pack)
    before = session.check()
    assert before.report.errors == ()
    session.edit(pack / "main.rules", RULES.replace("most score", "most glory"))
    assert before.report != session.check().report
    assert "E201" in _codes(session)
    session.edit(pack / "main.rules", None)
    assert session.check().report == before.report == rulesdsl.lint(pack)


def test_a_file_that_is_not_on_the_disk_counts(pack: Path) -> None:
    session = Session(pack)
    session.edit(pack / "deeper" / "more.rules", "verb cheer: raise glory by 1\n")
    assert [each.span.file for each in session.check().report.errors] == [
        f"{pack}/deeper/more.rules"
    ]
    session.edit(pack / "deeper" / "more.rules", None)
    assert session.check().report == rulesdsl.lint(pack)


def test_files_that_change_on_the_disk_are_read_again(pack: Path) -> None:
    session = Session(pack)
    session.check()
    pack.joinpath("main.rules").write_text(
        RULES + "verb cheer: raise glory by 1\n", encoding="utf-8"
    )
    assert "E201" in _codes(session)
    pack.joinpath("main.rules").rename(pack / "other.rules")
    assert session.check().report == rulesdsl.lint(pack)
    pack.joinpath("other.rules").unlink()
    assert _codes(session) == ["E408"]


def test_files_that_have_not_changed_are_not_read_again(
    pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Session(pack)
    session.check()
    monkeypatch.setattr("rulesdsl.source.files.read_inside", None)
    session.edit(pack / "more.rules", "verb cheer: raise glory by 1\n")
    assert "E201" in _codes(session)


def test_a_pack_that_is_only_open_is_a_pack(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    session = Session(folder)
    assert _codes(session) == ["E001"]
    session.edit(folder / "pack.toml", MANIFEST)
    session.edit(folder / "main.rules", RULES)
    assert session.check().report.errors == ()


def test_a_file_may_be_opened_by_another_way(
    pack: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    link = tmp_path_factory.mktemp("links") / "link"
    link.symlink_to(pack)
    session = Session(pack)
    session.edit(link / "main.rules", RULES + "verb cheer: raise glory by 1\n")
    assert "E201" in _codes(session)


def test_a_pack_that_is_deleted_is_gone(pack: Path) -> None:
    session = Session(pack)
    session.check()
    shutil.rmtree(pack)
    assert session.check().report == rulesdsl.lint(pack)


def test_a_text_that_is_no_utf_8_is_a_finding(pack: Path) -> None:
    session = Session(pack)
    session.edit(pack / "more.rules", "# \udc80\n")
    assert _codes(session) == ["E001"]
