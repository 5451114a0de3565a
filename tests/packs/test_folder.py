from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packs.on_disk import GAME, PACK, Files, manifest_of_mod, must_read, told, write
from rulesdsl.packs import folder as limits
from rulesdsl.packs import pack_source
from rulesdsl.packs.pack_source import read_pack
from rulesdsl.source.diagnostics import Findings


def test_a_byte_order_mark_and_other_line_ends_do_no_harm(tmp_path: Path) -> None:
    windows = {
        "pack.toml": b"\xef\xbb\xbf" + GAME.replace("\n", "\r\n").encode(),
        "game.rules": b"\xef\xbb\xbfplace heap\r\n",
    }
    pack = must_read(write(tmp_path, windows))

    assert pack.rules[0].line(1) == "place heap"


def test_a_text_in_another_encoding_is_reported_where_it_begins_and_read(tmp_path: Path) -> None:
    findings = Findings()
    latin = {"game.rules": "# é è\nplace café\n".encode()[:-3] + b"\xe9\n"}
    pack = must_read(write(tmp_path, PACK | latin), findings)

    assert told(findings) == ["E001 game.rules:2:10"]
    assert pack.rules[1].line(2) == "place caf\N{REPLACEMENT CHARACTER}"


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_wrong_byte_is_found_behind_a_byte_order_mark(tmp_path: Path, mark: bytes) -> None:
    findings = Findings()

    must_read(write(tmp_path, PACK | {"game.rules": mark + "é".encode() + b"\xff"}), findings)

    assert told(findings) == ["E001 game.rules:1:2"]


def test_a_file_that_is_no_text_is_left_out(tmp_path: Path) -> None:
    findings = Findings()
    pack = must_read(write(tmp_path, PACK | {"game.rules": b"\x80\0\1"}), findings)

    assert told(findings) == ["E001 game.rules:1:1"]
    assert [source.path for source in pack.rules] == ["a/end.rules"]


def test_a_file_that_is_too_large_is_reported(tmp_path: Path) -> None:
    findings = Findings()
    fits, too_large = b"#" * limits.MAX_BYTES, b"#" * (limits.MAX_BYTES + 1)
    files: Files = {"pack.toml": GAME, "a.rules": fits, "b.rules": too_large}
    pack = must_read(write(tmp_path, files), findings)

    assert told(findings) == ["E001 b.rules:1:1"]
    assert [source.path for source in pack.rules] == ["a.rules"]


def test_a_pack_that_is_too_large_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pack_source, "MAX_BYTES_TOGETHER", len(GAME) + 10)
    findings = Findings()

    read_pack(write(tmp_path, PACK), findings, tmp_path)

    assert told(findings)[0] == "E001 pack.toml:1:1"


@pytest.mark.parametrize("name", ["{}.rules", "{}/note.txt"])
def test_a_pack_with_too_many_files_or_folders_is_reported(tmp_path: Path, name: str) -> None:
    findings = Findings()
    many = {name.format(number): "" for number in range(limits.MAX_FILES + 1)}

    read_pack(write(tmp_path, {"a.rules": "", "pack.toml": GAME} | many), findings, tmp_path)

    assert "E001 pack.toml:1:1" in told(findings)


def test_a_link_out_of_the_pack_is_not_followed(tmp_path: Path) -> None:
    secret = write(tmp_path / "secret", {"key.toml": "key = 1\n", "key.rules": "# key\n"})
    folder = write(tmp_path / "coins", PACK)
    (folder / "key.toml").symlink_to(secret / "key.toml")
    (folder / "inside.toml").symlink_to(folder / "cards.toml")
    (folder / "more").symlink_to(secret)
    (folder / "circle").symlink_to(folder / "circle")
    (folder / "circle.toml").symlink_to(folder / "circle.toml")
    (folder / "nothing.rules").symlink_to(folder / "nowhere")
    findings = Findings()

    pack = must_read(folder, findings)

    assert told(findings) == [
        "E001 circle.toml:1:1",
        "E001 key.toml:1:1",
        "E001 more:1:1",
        "E001 nothing.rules:1:1",
    ]
    assert "key.toml" not in pack.files
    assert "inside.toml" in pack.files


def test_a_link_to_another_pack_belongs_to_that_pack(tmp_path: Path) -> None:
    mod = write(tmp_path / "hats", {"pack.toml": manifest_of_mod("hats"), "hats.rules": "#"})
    folder = write(tmp_path / "coins", {"pack.toml": GAME})
    (folder / "hats").symlink_to(mod)

    assert must_read(folder).rules == ()


def test_what_only_looks_like_a_file_is_not_opened(tmp_path: Path) -> None:
    folder = write(tmp_path, {"pack.toml": GAME})
    os.mkfifo(folder / "pipe.rules")
    (folder / "folder.rules").mkdir()
    findings = Findings()

    assert must_read(folder, findings).rules == ()
    assert told(findings) == ["E001 pipe.rules:1:1"]


def test_a_file_name_that_is_no_text_is_reported(tmp_path: Path) -> None:
    folder = write(tmp_path, {"pack.toml": GAME})
    (folder / os.fsdecode(b"caf\xe9.rules")).write_text("#")
    findings = Findings()

    assert must_read(folder, findings).rules == ()
    assert told(findings) == ["E001 caf\\udce9.rules:1:1"]


NAMES = st.sampled_from(["pack.toml", "game.rules", "cards.toml", "a/map.toml", "a/b.rules"])


@given(st.dictionaries(NAMES, st.binary(max_size=60)), st.booleans())
def test_any_bytes_give_a_pack_or_findings(files: dict[str, bytes], whole: bool) -> None:
    findings = Findings()
    with tempfile.TemporaryDirectory() as folder:
        if whole:
            files = files | {"pack.toml": GAME.encode()}
        pack = read_pack(write(Path(folder), files), findings, Path(folder))
        if pack is None:
            assert findings.has_errors
            return
        for path in pack.toml_paths():
            assert pack.toml(path) or findings.has_errors

    known = {"pack.toml", *pack.sources}
    assert {each.span.file for each in findings.sorted()} <= known | set(files)
    assert set(pack.files) == set(files)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("hats:more.rules", "a colon"),
        ("sub:folder/more.rules", "a colon"),
        ("a\\b.toml", "a backslash"),
        ("a\nb.toml", "a character that cannot be printed"),
        ("\x1b[31m.rules", "a character that cannot be printed"),
        ("\N{RIGHT-TO-LEFT OVERRIDE}.rules", "a character that cannot be printed"),
    ],
)
def test_names_that_mean_something_else_elsewhere_are_reported(
    tmp_path: Path, name: str, why: str
) -> None:
    findings = Findings()

    pack = read_pack(write(tmp_path, PACK | {name: ""}), findings, tmp_path)

    assert [each.message for each in findings.sorted()] == [
        f"The name of this file contains {why}."
    ]
    assert pack is not None
    assert not pack.complete
