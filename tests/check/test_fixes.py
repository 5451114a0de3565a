from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from check.broken_packs import FOLDER, chunks
from check.stock import STOCK, mods_in, write
from rulesdsl.check.frontend import check_pack
from rulesdsl.editor.fixing import Found, fix_all
from rulesdsl.editor.session import Overlay
from rulesdsl.source.diagnostics import Diagnostic, Fix, Severity, edited
from rulesdsl.source.files import Files

BROKEN = {each.name: each.texts for file in FOLDER.iterdir() for each in chunks(file)}
# Where a fix leads to something as bad, in one line each: why it is offered all the same.
UNCOVERED = {
    # a layout that is known has to say what its rows are
    ("panel-layouts", "Change `gird` to `grid`"): "E201",
    # `my fame` is right where a number is wanted; here a place is
    ("place-is-none", "Change `fame` to `my fame`"): "E301",
    # the finding has the same name in the next place, which was counted only, and is shown now
    ("place-misspelt-often", "Change `purse` to `puree`"): "E201",
    # nothing else used it
    ("unused-things", "Remove it"): "W601",
    ("only-the-outermost-of-unused-verbs", "Remove it"): "W601",
}


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path("pack")


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_no_fix_makes_anything_worse(name: str, pack: Path) -> None:
    write(pack, BROKEN[name])
    found = _check(pack, Overlay())
    for finding in found.findings:
        for fix in finding.fixes:
            files = Overlay()
            for path, text in _texts_after(found, fix).items():
                files.put(Path(path), text)
            after = _check(pack, files)
            codes = _new(finding, found, after)
            known = codes == [UNCOVERED.get((name, fix.title))]

            assert known or not _is_worse(found, after, finding), (fix.title, codes)


def test_nothing_is_excused_that_does_not_happen() -> None:
    assert {name for name, _ in UNCOVERED} <= BROKEN.keys()


@pytest.mark.parametrize("unsafe", [False, True])
@pytest.mark.parametrize("name", ["slips-in-one-string", "ten-mistakes"])
def test_fixing_comes_to_an_end_and_leaves_less(name: str, pack: Path, unsafe: bool) -> None:
    write(pack, BROKEN[name])
    before = len(_errors(_check(pack, Overlay())))

    fixed = fix_all(partial(_check, pack), lambda _: True, unsafe=unsafe)
    write(Path(), fixed.changed)
    again = fix_all(partial(_check, pack), lambda _: True, unsafe=unsafe)

    assert len(_errors(fixed.left)) < before
    assert len(_errors(again.left)) == len(_errors(fixed.left))


@pytest.mark.parametrize(
    ("slip", "right"),
    [
        ("after gain coins: raise my fame by 1", "after gain n coins: raise my fame by 1"),
        ("verb cheer: move 1 coin heap into my purse", "move 1 coin from heap into my purse"),
        ("verb cheer:\n    menu:\n        once gain 2 coins", "        once: gain 2 coins"),
        ("verb cheer:\n    menu:\n        any tme: pay 1 coin", "        any time: pay 1 coin"),
        ("verb cheer: if any any coins in heap: gain 1 coin", "    if any coins in heap: gain"),
        ("kind size: small large", "kind size: small, large"),
        ("kind sky:\n    wet: number seen by all = 1", "    wet: number = 1"),
        ("place yard per per seat holds coin", "place yard per seat holds coin"),
        ("verb cheer: gain my fame + 1 coins", "gain (my fame + 1) coins"),
        ("verb cheer: pay my fame at most 3 coins", "pay (my fame at most 3) coins"),
        ("verb cheer: move my fame + 1 coins from heap into my purse", "move (my fame + 1) coins"),
        (
            "verb cheer:\n    if round = 1 and any cards in my hand where worth > 1: gain 1 coin",
            "and (any cards",
        ),
    ],
)
def test_what_leaves_no_doubt_is_fixed(slip: str, right: str, pack: Path) -> None:
    write(pack, STOCK | {"extra.rules": f"{slip}\n"})

    fixed = fix_all(partial(_check, pack), lambda _: True)

    assert right in fixed.changed["pack/extra.rules"]


@pytest.mark.parametrize(
    "line",
    [
        'once "Name {c}" for each card c: discard c',
        'once "Name {c}" each card c in my hand: discard c',
        'once "Name {c}" for each c in my hand: discard c',
    ],
)
def test_a_line_of_a_menu_never_becomes_another_rule(line: str, pack: Path) -> None:
    rules = f"verb cheer:\n    menu:\n        {line}\n"
    write(pack, STOCK | {"extra.rules": rules})

    fixed = fix_all(partial(_check, pack), lambda _: True)

    assert fixed.changed == {}


def test_a_number_in_words_is_written_in_digits(pack: Path) -> None:
    write(pack, BROKEN["number-a-text"])

    fixed = fix_all(partial(_check, pack), lambda _: True)

    assert "last-round = 5" in fixed.changed["pack/numbers.toml"]


def test_a_mod_is_offered_no_change_of_its_game(pack: Path) -> None:
    write(pack, BROKEN["mod-hooks-what-divides"])

    (finding,) = _check(pack, Overlay()).findings

    assert finding.span.file.startswith("pack/mods/")
    assert finding.fixes == ()


def test_a_file_that_may_not_be_edited_is_not(pack: Path) -> None:
    write(pack, BROKEN["verb-unknown"])

    fixed = fix_all(partial(_check, pack), lambda _: False, unsafe=True)

    assert (fixed.made, fixed.changed) == ((), {})


def _check(pack: Path, files: Files) -> Found:
    report = check_pack(pack, mods_in(pack), files)[2]
    return Found(report.diagnostics, report.sources)


def _texts_after(found: Found, fix: Fix) -> dict[str, str]:
    paths = {edit.span.file for edit in fix.edits}
    return {
        path: edited(found.sources[path].text, [e for e in fix.edits if e.span.file == path])
        for path in paths
    }


def _new(fixed: Diagnostic, before: Found, after: Found) -> list[str]:
    """Return the codes of what is new and as bad, and of what was to be fixed and is not."""
    old, new = (Counter(map(_key, each.findings)) for each in (before, after))
    severity = {_key(each): each.severity for each in after.findings}
    bad = [
        key[0]
        for key in new - old
        if fixed.severity == Severity.WARNING or severity[key] == Severity.ERROR
    ]
    return bad if (old - new)[_key(fixed)] else [*bad, f"{fixed.code} is still there"]


def _key(finding: Diagnostic) -> tuple[str, str, str]:
    return finding.code, finding.span.file, finding.message


def _is_worse(before: Found, after: Found, fixed: Diagnostic) -> bool:
    """Tell if a fix did harm: it removed nothing, or it added a finding that it had not hidden.

    What can be read, or has a meaning, only now may show another slip, in place of the one that
    hid it: such a finding has a later code, for the codes are in the order of the checks.
    """
    bad = _new(fixed, before, after)
    return len(bad) > 1 or any(code <= fixed.code for code in bad)


def _errors(found: Found) -> list[Diagnostic]:
    return [each for each in found.findings if each.severity is Severity.ERROR]
