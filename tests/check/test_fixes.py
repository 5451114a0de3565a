"""Tests of fixes: for broken packs, typing mistakes and habits from other languages.

`habits/NAME.rules` is added to the stock game; `habits/NAME.txt` has the first finding, its fix
and the changed lines. `pytest --update-golden tests/check` rewrites these `.txt` files.
"""

import difflib
import random
import tomllib
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from check.broken_packs import FOLDER, chunks
from check.stock import STOCK, check_texts, mods_in, write
from rulesdsl.check.frontend import check_pack
from rulesdsl.editor.fixing import Found, fix_all
from rulesdsl.source.diagnostics import Diagnostic, Fix, Report, Severity, edited
from rulesdsl.source.files import Files, Overlay
from rulesdsl.source.render import render_text
from rulesdsl.syntax.unreadable_lines import TABLE
from soak.slips import (
    RULES,
    Slip,
    changed_line,
    little_game,
    misspelt_names,
    one_word_slips,
    outcome,
)

BROKEN = {each.name: each.texts for file in FOLDER.iterdir() for each in chunks(file)}
# Where a fix leads to something as bad, in one line each: why it is offered all the same.
UNCOVERED = {
    # a layout that is known has to say what its rows are
    ("panel-layouts", "Change `gird` to `grid`"): "E201",
    # `my fame` is right where a number is wanted; here a place is
    ("place-is-none", "Change `fame` to `my fame`"): "E301",
    # the finding has the same name in the next place, which was counted only, and is shown now
    ("place-misspelt-often", "Change `purse` to `puree`"): "E201",
    # a line with a wrong indentation is not read any further
    ("slips-in-one-string", "Indent it like the lines above"): "E204 E201",
    # the place was hidden, so no panel was expected to show it
    ("shown-nowhere-1", "Remove `seen by nobody`"): "W620",
    # nothing else used it
    ("unused-things", "Remove it"): "W601",
    ("telling-question", "Remove it"): "W601",
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
            known = " ".join(codes) == UNCOVERED.get((name, fix.title))

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
            "verb go:\n    if round = 1 and any cards in my hand where worth > 1: nothing",
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
    """Return the codes of new findings no less severe than `fixed`, and `fixed` if it remains."""
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
    """Return whether a fix did harm: it added several findings, or one whose code is not later.

    A later code is allowed, as a later check may now run; if `fixed` remains, it counts as one.
    """
    bad = _new(fixed, before, after)
    return len(bad) > 1 or any(code <= fixed.code for code in bad)


def _errors(found: Found) -> list[Diagnostic]:
    return [each for each in found.findings if each.severity is Severity.ERROR]


LEAST_RESTORED = 21  # of 30 names; at 03f27c4, when fixes were not proved, there were 13


def test_a_slip_is_left_alone_or_restored(tmp_path: Path) -> None:
    for slip in one_word_slips(40, random.Random(7)):
        came_to, after = outcome(tmp_path, slip)

        assert came_to != "wrong", (slip.what, changed_line(slip.text, after))


def test_misspelt_names_are_repaired(tmp_path: Path) -> None:
    count = Counter(outcome(tmp_path, slip)[0] for slip in misspelt_names(30, random.Random(7)))
    assert count["restored"] >= LEAST_RESTORED


def test_a_slip_has_few_findings(tmp_path: Path) -> None:
    chance = random.Random(7)
    texts = [each.text for each in (*one_word_slips(150, chance), *misspelt_names(80, chance))]
    reports = (check_texts(tmp_path, little_game() | {RULES: text}) for text in texts)
    counts = sorted(len(each.diagnostics) for each in reports)
    assert counts[len(counts) * 9 // 10] <= 3
    assert counts[-1] <= 6


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("gain 3 coins", "Gain 3 coins."),
        ("        once: visit a stall", "        onec visit a stall"),
        ('place hand "Hand" per player', 'place hand "Hand" per per player'),
        ("repeat 3 times:", "repeat 3 :"),
        ("holds coin, lantern\nplace purse", "holds coin lantern\nplace purse"),
    ],
)
def test_it_is_restored(old: str, new: str, tmp_path: Path) -> None:
    text = little_game()[RULES]
    assert text.count(old) == 1
    assert outcome(tmp_path, Slip("", text.replace(old, new)))[0] == "restored"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("coins from bank into my purse", "coins of bank into my purse"),
        ("coins from bank into my purse", "coins on bank into my purse"),
        ("coins from bank into my purse", "coins from bank or my purse"),
        ("raise my fame by n", "raise my fame by one"),
        ("    cost: bundle", "    most: bundle"),
        ("top of my deck", "of my deck"),
    ],
)
def test_a_word_of_the_language_is_no_slip_of_another(old: str, new: str, tmp_path: Path) -> None:
    text = little_game()[RULES]
    assert text.count(old) == 1
    assert outcome(tmp_path, Slip("", text.replace(old, new)))[0] == "alone"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "verb draw-one",
            "verb verb draw-one",
            "E201 There is no kind of thing called `draw-one`.",
        ),
        ("step game:", "step game game:", "E201 There is no kind of thing called `game`."),
        ("step game", "step game stall s", "E408 `game` starts the game and takes no arguments."),
        ("verb take-turn", "take-turn verb", "E101 No declaration begins with `take-turn`."),
        ("verb win n fame", "win n fame", "E101 `n` does not fit here."),
        ("1 per player in", "1 player in", "E101 `player` does not fit here."),
        ('piece coin "Coin" 40', 'coin piece "Coin" 40', "E101 `40` does not fit here."),
        ("    rent: number = 0", "    : number = 0", "E101 `:` does not fit here."),
        (
            'stack deck "Deck" per player',
            'stack deck "Deck" per source',
            "E201 There are no kinds of things called `source`.",
        ),
        (
            "worth per cards in",
            "worth wroth per cards in",
            "E201 There are no pieces or tracks called `wroth`.",
        ),
        (
            "# ---- who wins",
            "value fee of seat:\n    0 if coins in bank > 3\n    otherwise coins in bank whre 3\n",
            "E101 `whre` does not fit here.",
        ),
    ],
)
def test_one_slip_is_one_finding(old: str, new: str, expected: str, tmp_path: Path) -> None:
    texts = little_game()
    assert texts[RULES].count(old) == 1
    report = check_texts(tmp_path, texts | {RULES: texts[RULES].replace(old, new)})
    assert [f"{each.code} {each.message}" for each in report.diagnostics] == [expected]


def test_a_file_that_cannot_be_read_may_have_the_first_step(tmp_path: Path) -> None:
    report = check_texts(tmp_path, little_game())
    assert report.diagnostics == ()
    (tmp_path / RULES).write_text(little_game()[RULES], encoding="utf-16")
    report = check_texts(tmp_path, {})
    assert [each.code for each in report.diagnostics] == ["E001"]


HABITS = Path(__file__).parent / "habits"
GROUPS = tomllib.loads(TABLE.read_text(encoding="utf-8"))
ROWS = {name: row for rows in GROUPS.values() for name, row in rows.items()}
NAMES = sorted(each.stem for each in HABITS.glob("*.rules"))  # and slips that are in no table


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_a_habit_is_understood_and_put_right(name: str, update_golden: bool) -> None:
    text = (HABITS / f"{name}.rules").read_text(encoding="utf-8")

    report = _check_habit(text)
    finding = report.diagnostics[0]
    told = render_text([finding], report.sources) + "\n"
    if finding.fixes:
        fix = finding.fixes[0]
        after = edited(text, fix.edits)
        told += f"{'sure' if fix.safe else 'perhaps'}: {fix.title}\n{_difference(text, after)}"
        assert _check_habit(after).errors == ()

    expected = HABITS / f"{name}.txt"
    if update_golden:
        expected.write_text(told, encoding="utf-8")
    assert told == expected.read_text(encoding="utf-8")
    row = ROWS.get(name, {"says": finding.help, "change": []})
    assert finding.help == row["says"]
    assert bool(finding.fixes) == bool(row.keys() & {"write", "change", "lower"})


def test_there_is_an_example_of_every_habit() -> None:
    assert ROWS.keys() <= set(NAMES)
    assert sorted(each.stem for each in HABITS.glob("*.txt")) == NAMES


def _check_habit(rules: str) -> Report:
    return check_texts(Path("pack"), STOCK | {"extra.rules": rules})


def _difference(before: str, after: str) -> str:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    return "".join(f"{line}\n" for line in [*lines][2:])
