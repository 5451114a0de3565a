from __future__ import annotations

from pathlib import Path

import pytest

from cli.conftest import Run

UNTIDY = "verb take:   gain 1 coin   # one\n"
TIDY = "verb take: gain 1 coin   # one\n"


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    file = tmp_path / "deck" / "game.rules"
    file.parent.mkdir()
    file.write_text(UNTIDY)
    return file


def test_a_file_that_is_not_utf8_does_not_keep_the_others_from_being_written(
    run: Run, rules: Path
) -> None:
    latin = rules.with_name("a.rules")
    latin.write_bytes(b"# caf\xe9\n")
    ran = run("fmt", str(rules.parent))

    assert (ran.status, ran.err) == (1, f"coloma: cannot read {latin}: it is not UTF-8\n")
    assert rules.read_text() != UNTIDY


def test_line_ends_and_a_byte_order_mark_stay(run: Run, rules: Path) -> None:
    run("fmt", str(rules))
    tidy = rules.read_bytes()
    rules.write_bytes(b"\xef\xbb\xbf" + UNTIDY.replace("\n", "\r\n").encode())
    run("fmt", str(rules))

    assert rules.read_bytes() == b"\xef\xbb\xbf" + tidy.replace(b"\n", b"\r\n")
    assert run("fmt", "--check", str(rules)).status == 0
