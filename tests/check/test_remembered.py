"""A lint that remembers finds what one finds that knows nothing, whatever happens to the files."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hostile.test_cache import sealed
from rulesdsl.check import read, remembered
from rulesdsl.check.report import Report
from rulesdsl.source import cache
from rulesdsl.source.rows import to_rows
from rulesdsl.syntax import grammar, parser

STOCK = Path(__file__).parent / "stock_pack"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of the cache, which is empty."""
    found = tmp_path / "cache"
    monkeypatch.setattr(cache, "_folder", lambda: found)
    return found


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """Return a pack that may be changed."""
    return shutil.copytree(STOCK, tmp_path / "pack")


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Return the packs that are checked, and not only read from the cache."""
    found: list[Path] = []
    check = read.check_pack

    def noted(path: Path, *given: object) -> object:
        found.append(path)
        return check(path, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(read, "check_pack", noted)
    return found


def lint(pack: Path) -> Report:
    """Return what a process of its own finds: nothing is kept but on the disk."""
    for each in parser.KEPT:
        each.forget()
    with remembered.remembering(pack) as check:
        return check(pack, [])


def cold(pack: Path) -> Report:
    """Return what is found by a check that knows nothing."""
    return read.check_pack(pack)[2]


def _edit(pack: Path) -> None:
    rules = next(pack.glob("*.rules"))
    rules.write_text(rules.read_text() + "\nverb oops:\n    gain 3 nothings\n")


def _break(pack: Path) -> None:
    rules = next(pack.glob("*.rules"))
    rules.write_text(rules.read_text().replace(":", "", 1))


def _add(pack: Path) -> None:
    (pack / "more.rules").write_text("verb oops:\n    gain 3 nothings\n")


def _remove(pack: Path) -> None:
    next(pack.glob("*.toml")).unlink()


def _page(pack: Path) -> None:
    (pack / "rulebook").mkdir()
    (pack / "rulebook" / "page.md").write_text("{no such thing}\n")


def _lead_out(pack: Path) -> None:
    (pack / "more.rules").symlink_to(STOCK / "play.rules")


@pytest.mark.parametrize("change", [_edit, _break, _add, _remove, _page, _lead_out])
def test_a_change_is_found(
    pack: Path, checked: list[Path], change: Callable[[Path], None]
) -> None:
    before = lint(pack)
    assert lint(pack) == before
    assert checked == [pack]

    change(pack)
    after = lint(pack)
    assert lint(pack) == after
    assert checked == [pack, pack]
    assert after == cold(pack) != before


def test_what_was_parsed_is_not_parsed_again(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lint(pack)
    (pack / "rulebook").mkdir()
    (pack / "rulebook" / "page.md").write_text("Nothing to be read.\n")
    expected = cold(pack)
    monkeypatch.setattr(parser, "_read_repaired", None)

    assert lint(pack) == expected


@pytest.mark.parametrize("body", [[], {}, [[], [], []], [[["a"]], [], []], [{}, (), {"a": {}}], 7])
def test_what_is_kept_and_makes_no_sense_is_as_good_as_nothing(
    pack: Path, folder: Path, body: object
) -> None:
    expected = lint(pack)
    for kept in folder.glob("*.pack"):
        names, rows = to_rows(body, {})
        kept.write_bytes(sealed(json.dumps([kept.stem, names, rows]).encode()))
    grammar._parser.cache_clear()  # noqa: SLF001 - as in a process of its own

    assert lint(pack) == expected


def test_a_parser_from_the_disk_reads_as_one_that_was_made(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (STOCK / "play.rules").read_text()
    every_word = grammar._parser.__wrapped__  # noqa: SLF001 - as in processes of their own
    for wanted in (False, True):
        made, kept = every_word(wanted), every_word(wanted)
        assert made is not kept
        assert len(list(folder.glob("*.pack"))) == wanted + 1
        monkeypatch.setattr(grammar, "grammar", lambda made=made, **_: made)
        tree = grammar.parse(text, "file")
        monkeypatch.setattr(grammar, "grammar", lambda kept=kept, **_: kept)
        assert grammar.parse(text, "file") == tree
        assert made.rules == kept.rules
        assert [*map(str, made.terminals)] == [*map(str, kept.terminals)]
