import hashlib
import json
import os
import pickle
import random
from collections.abc import Callable
from pathlib import Path
from types import UnionType
from typing import get_args

import pytest

import rulesdsl
from hostile.bounded import PLANTS
from packs_on_the_fly import written
from rulesdsl.check import typed as ty
from rulesdsl.interpreter.program_classes import PROGRAM
from rulesdsl.lower import flat as fl
from rulesdsl.source import cache
from rulesdsl.source.cache import from_rows, to_rows
from rulesdsl.syntax.lexer import grammar

ACT = "move up to 3 coins from heap into my purse"


def sealed(body: bytes) -> bytes:
    return cache.HEAD + hashlib.sha256(body).digest() + body


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    grammar()  # its tables are kept as well
    found = tmp_path / "cache" / "rulesdsl"
    monkeypatch.setattr(cache, "_folder", lambda: found)
    rulesdsl.load(written(tmp_path / "pack", ACT))
    return found


@pytest.fixture
def kept(folder: Path) -> Path:
    (found,) = folder.glob("*.pack")
    return found


def is_read(folder: Path) -> bool:
    checked = []

    def check(*given: object) -> object:
        checked.append(given)
        return loading_check(*given)  # type: ignore[arg-type]

    from rulesdsl.interpreter import pack as loading  # noqa: PLC0415 - patched below

    loading_check = loading._check  # noqa: SLF001
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading, "_check", check)
        assert rulesdsl.load(folder.parents[1] / "pack").new_game(1).result is not None
    return not checked


def test_a_file_that_is_ours_is_read(folder: Path, kept: Path) -> None:
    assert kept.exists()
    assert is_read(folder)


def test_no_pickle_is_loaded(folder: Path, kept: Path, tmp_path: Path) -> None:
    canary = tmp_path / "canary"

    class Touching:
        def __reduce__(self) -> tuple[object, tuple[Path]]:
            return Path.touch, (canary,)

    raw = pickle.dumps(Touching())
    for body in (raw, sealed(raw)):
        kept.write_bytes(body)
        assert not is_read(folder)
        assert not canary.exists()
    pickle.loads(raw)
    assert canary.exists(), "this pickle is harmless, so the test proves nothing"


HOSTILE_ROWS: dict[str, tuple[object, object]] = {
    "a function": (["os.system"], ["touch x", [0, 0]]),
    "a dotted name of ours": (["rulesdsl.source.cache.os.system"], ["touch x", [0, 0]]),
    "a class that is none of a pack": (["rulesdsl.source.span.SourceFile"], ["a", [0, 0, 0]]),
    "a class of another module": (["rulesdsl.check.typed.program.SymbolTable"], ["a", [0, 0]]),
    "too few fields": (["rulesdsl.source.span.Span"], ["a", [0, 0]]),
    "too many fields": (["rulesdsl.source.span.Span"], ["a", [0, *[0] * 9]]),
    "no such kind": (["list"], ["a", [7, 0]]),
    "a later row": (["list"], [[0, 1], [0, 0]]),
    "a row that is itself": (["list"], [[0, 0]]),
    "a far row": (["list"], ["a", [0, 10**30]]),
    "a name for a number": (["list"], ["a", [0, "0"]]),
    "an empty row": (["list"], ["a", []]),
    "no rows": (["list"], []),
    "rows that are a text": (["list"], "abc"),
    "rows that are a number": (["list"], 5),
    "names that are a table": ({"list": 1}, ["a", [0, 0]]),
    "names that are lists": ([["list"]], ["a", [0, 0]]),
    "a part of a number": (["list"], [1.5, [0, 0]]),
    "a table": (["list"], [{"a": 1}, [0, 0]]),
    "a key that cannot be one": (["list", "dict"], ["a", [0, 0], [1, 1, 0]]),
    "a key without a value": (["dict"], ["a", [0, 0]]),
    "a kind of packs that is none": (["rulesdsl.packs.manifest.PackKind"], ["other", [0, 0]]),
    "a key of 2**60 parts": (["tuple", "set"], ["a", *([0, at, at] for at in range(60)), [1, 60]]),
}


@pytest.mark.parametrize("case", HOSTILE_ROWS)
def test_rows_that_nobody_wrote_are_no_packs(folder: Path, kept: Path, case: str) -> None:
    names, rows = HOSTILE_ROWS[case]
    kept.write_bytes(sealed(json.dumps([kept.stem, names, rows]).encode()))
    assert not is_read(folder)
    assert is_read(folder), "what was wrong is replaced"


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"[]", b"null", b"[1,2,3,4]", b"[NaN,Infinity,1e999]", b'"\\ud800"'),
        *(b"\xff\xfe\x00", b"[" * 500_000, b'{"a":' * 200_000, b"9" * 10_000),
    ],
    ids=lambda each: each[:12].decode("latin-1"),
)
def test_texts_that_are_none_of_ours_are_no_packs(folder: Path, kept: Path, body: bytes) -> None:
    kept.write_bytes(sealed(body))
    assert not is_read(folder)


def test_damage_that_the_hash_does_not_show_never_raises_when_it_is_read(kept: Path) -> None:
    body = kept.read_bytes()[len(cache.HEAD) + cache.HASH_SIZE :]
    chance = random.Random(12)
    refused = 0
    for _ in range(300):
        at = chance.randrange(len(body))
        other = chance.choice(b'[]{},":0123456789-tfn\\\x00\xff')
        raw = sealed(body[:at] + bytes([other]) + body[at + chance.randint(0, 3) :])
        try:
            refused += cache._unpacked(raw, kept.stem, PROGRAM) is None  # noqa: SLF001
        except cache.UNSOUND:
            refused += 1
    assert refused > 100


def test_a_file_of_another_pack(folder: Path, kept: Path, tmp_path: Path) -> None:
    rulesdsl.load(written(tmp_path / "other", ACT.replace("3", "4")))
    (other,) = set(folder.glob("*.pack")) - {kept}
    kept.write_bytes(other.read_bytes())
    assert not is_read(folder)


CHANGES: dict[str, Callable[[Path], object]] = {
    "others may write": lambda path: path.chmod(0o666),
    "the group may write": lambda path: path.chmod(0o660),
    "anybody may write to the folder": lambda path: path.parent.chmod(0o777),
    "a link": lambda path: path.symlink_to(path.rename(path.with_suffix(".real"))),
}


@pytest.mark.parametrize("case", [*CHANGES, *PLANTS])
def test_what_is_not_ours_alone_is_not_read(folder: Path, kept: Path, case: str) -> None:
    if case in PLANTS:
        kept.unlink()
    (CHANGES | PLANTS)[case](kept)
    assert not is_read(folder)
    assert is_read(folder) is (case != "a folder"), "which is not ours to remove"


def test_foreign_owner(folder: Path, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert kept.exists()
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert not is_read(folder)


def test_full_disk(folder: Path, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    kept.unlink()
    monkeypatch.setattr(Path, "replace", full)
    assert not is_read(folder)

    assert list(folder.iterdir()) == []


def test_old_drafts_are_removed(folder: Path, kept: Path) -> None:
    old, new = folder / "old.part", folder / "new.part"
    for each in (old, new):
        each.write_bytes(b"")
    os.utime(old, (1, 1))
    kept.unlink()
    assert not is_read(folder)

    assert not old.exists()
    assert new.exists()


def test_a_folder_as_pack(folder: Path, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MAX_FILES", 1)
    (folder / "old.pack").mkdir()
    (folder / "other.pack").write_bytes(b"")
    for at, name in enumerate(("old.pack", "other.pack"), start=1):
        os.utime(folder / name, (at, at))
    kept.unlink()
    assert not is_read(folder)

    assert (folder / "old.pack").is_dir()
    assert not (folder / "other.pack").exists()


def test_an_unknown_home_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown() -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(cache, "_folder", unknown)

    assert not is_read(folder)


def test_rows_keep_what_is_one_thing_one_thing() -> None:
    shared = [1, True, "1", None]
    names, rows = to_rows(({"a": shared}, shared, frozenset({"b", "a"}), {1}, ()), {})
    found = from_rows(names, json.loads(json.dumps(rows)), {})
    assert found == ({"a": shared}, shared, {"a", "b"}, {1}, ())
    assert isinstance(found, tuple)
    assert found[0]["a"] is found[1]
    assert found[1][1] is True


@pytest.mark.parametrize("value", [1.5, b"x", print, [{1: object()}], Path("x")])
def test_what_no_pack_consists_of_is_not_written(value: object) -> None:
    with pytest.raises(TypeError):
        to_rows(value, PROGRAM)


@pytest.mark.parametrize("union", [ty.Step, ty.Value, ty.Domain, fl.Stmt])
def test_every_kind_of_a_closed_union_can_be_kept(union: UnionType) -> None:
    kinds = {f"{each.__module__}.{each.__qualname__}" for each in get_args(union)}
    assert len(kinds) > 5
    assert kinds <= PROGRAM.keys()
