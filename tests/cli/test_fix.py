from __future__ import annotations

from pathlib import Path

import pytest

from check.stock import STOCK, write
from cli.conftest import Run
from coloma import files

SLIP = "after take-turn: gain 1 coim\n"
MOD = 'id = "red"\nname = "Red"\nversion = "1.0.0"\nkind = "mod"\nfor_game = "coins"\n'


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(Path("pack"), STOCK | {"extra.rules": SLIP})
    return Path("pack")


def _texts(folder: Path) -> dict[str, bytes]:
    files = sorted(each for each in folder.rglob("*") if each.is_file())
    return {each.relative_to(folder).as_posix(): each.read_bytes() for each in files}


def test_ends_of_lines_and_a_byte_order_mark_stay(run: Run, pack: Path) -> None:
    (pack / "extra.rules").write_bytes(f"\ufeff# a\r\n{SLIP}".encode())
    run("lint", str(pack), "--fix")

    assert (pack / "extra.rules").read_bytes() == (
        f"\ufeff# a\r\n{SLIP.replace('coim', 'coin')}".encode()
    )


def test_the_game_is_not_touched_where_a_mod_is_fixed(run: Run, pack: Path) -> None:
    mod = pack / "mods" / "red"
    write(mod, {"pack.toml": MOD, "red.rules": "after take-turn: gain 1 coim\n"})
    game = _texts(pack) | {"mods/red/red.rules": b"after take-turn: gain 1 coin\n"}
    run("lint", str(mod), "--fix")

    assert _texts(pack) == game
    assert (pack / "extra.rules").read_text() == SLIP


def test_a_file_that_cannot_be_read_again_is_not_written(run: Run, pack: Path) -> None:
    (pack / "extra.rules").write_bytes(SLIP.encode() + b"# \xff\n")
    before = _texts(pack)
    ran = run("lint", str(pack), "--fix")

    assert ran.status != 0
    assert "it is not UTF-8" in ran.err
    assert _texts(pack) == before


def test_a_file_that_was_changed_meanwhile_is_not_written(
    run: Run, pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = files.read_text
    monkeypatch.setattr("coloma.fixing.read_text", lambda *a: read(*a) + "# more\n")
    ran = run("lint", str(pack), "--fix")

    assert "has changed since it was checked" in ran.err
    assert (pack / "extra.rules").read_text() == SLIP


def test_a_link_out_of_the_pack_is_not_followed(run: Run, pack: Path) -> None:
    outside = Path("outside.rules")
    outside.write_text(SLIP)
    (pack / "extra.rules").unlink()
    (pack / "extra.rules").symlink_to(outside.absolute())
    run("lint", str(pack), "--fix", "--unsafe")

    assert outside.read_text() == SLIP
