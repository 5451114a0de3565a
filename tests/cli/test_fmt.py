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


def test_rules_are_rewritten_and_the_second_time_is_quiet(run: Run, rules: Path) -> None:
    first = run("fmt", str(rules.parent))
    second = run("fmt", str(rules.parent))

    assert (first.status, first.out) == (0, f"{rules} changed\n")
    assert rules.read_text().split("#")[0].rstrip() == "verb take: gain 1 coin"
    assert (second.status, second.out) == (0, "")


def test_check_lists_and_changes_nothing(run: Run, rules: Path) -> None:
    ran = run("fmt", "--check", str(rules))

    assert (ran.status, ran.out) == (1, f"{rules} would be changed\n")
    assert rules.read_text() == UNTIDY


def test_diff_shows_and_changes_nothing(run: Run, rules: Path) -> None:
    ran = run("fmt", "--diff", str(rules))

    assert ran.status == 1
    assert "-verb take:   gain 1 coin   # one\n" in ran.out
    assert "+verb take: gain 1 coin" in ran.out
    assert rules.read_text() == UNTIDY


def test_what_cannot_be_read_as_rules_is_reported_and_the_rest_is_done(
    run: Run, rules: Path
) -> None:
    broken = rules.with_name("broken.rules")
    broken.write_text("verb : :\n")
    ran = run("fmt", str(rules.parent))

    assert ran.status == 1
    assert "error[E1" in ran.err
    assert broken.read_text() == "verb : :\n"
    assert rules.read_text() != UNTIDY


@pytest.mark.parametrize(
    ("name", "content", "message", "status"),
    [
        ("missing.rules", None, "there is no", 2),
        ("latin.rules", b"# caf\xe9\n", "is not UTF-8", 1),
    ],
)
def test_what_cannot_be_read_is_said(
    run: Run, tmp_path: Path, name: str, content: bytes | None, message: str, status: int
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    ran = run("fmt", str(tmp_path / name))

    assert message in ran.err
    assert ran.status == status


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
