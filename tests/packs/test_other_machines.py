from __future__ import annotations

from pathlib import Path

import pytest

from packs.on_disk import GAME
from rulesdsl.check.frontend import lint

RULES = "step game: nothing\n"


def _said(folder: Path, files: dict[str, bytes]) -> list[str]:
    folder.joinpath("pack.toml").write_text(GAME)
    for name, raw in files.items():
        folder.joinpath(name).write_bytes(raw)
    return [f"{each.code} {each.message} {each.help}" for each in lint(folder).diagnostics]


@pytest.mark.parametrize("name", ["game.rules.txt", "Game.RULES", "game.Rules.TXT"])
def test_a_name_that_is_nearly_one_of_rules(name: str, tmp_path: Path) -> None:
    said = _said(tmp_path, {name: RULES.encode()})

    assert said == [
        (
            "E001 This file is not read, because its name has the wrong ending. "
            f"Rename it to `{name.split('.', maxsplit=1)[0]}.rules`."
        )
    ]


def test_notes_beside_the_rules_are_no_rules(tmp_path: Path) -> None:
    assert _said(tmp_path, {"game.rules": RULES.encode(), "game.rules.txt": b"as it was"}) == []


def test_lines_that_end_as_on_old_macs(tmp_path: Path) -> None:
    said = _said(tmp_path, {"game.rules": b"step game:\r    nothing\r"})

    assert said == [
        (
            "E001 This file has the line endings of old Macs. "
            "Save it with other line endings in your editor: LF or CRLF."
        )
    ]


@pytest.mark.parametrize("name", ["game - Copy.rules", "game (1).rules", "Copy of game.rules"])
def test_a_copy_is_reported_once(name: str, tmp_path: Path) -> None:
    said = _said(tmp_path, {"game.rules": RULES.encode(), name: RULES.encode()})

    assert said == [
        (
            "E001 This is a copy of `game.rules`. "
            "Remove one of the two: together they declare everything twice."
        )
    ]


def test_a_special_space_at_the_end_of_a_line(tmp_path: Path) -> None:
    said = _said(tmp_path, {"game.rules": "step game: nothing\u00a0\n".encode()})

    assert said[0].endswith("This is a special space character. Type an ordinary space.")


def test_a_special_space_in_a_table(tmp_path: Path) -> None:
    rules, table = (
        b'constants from "numbers.toml"\nstep game: nothing\n',
        'source = "house"\nrounds\u00a0= 1\n',
    )
    said = _said(tmp_path, {"game.rules": rules, "numbers.toml": table.encode()})

    assert said[0] == (
        "E002 This is not TOML: it contains a special kind of space. "
        "Other programs may have inserted it. Type a plain space instead."
    )
