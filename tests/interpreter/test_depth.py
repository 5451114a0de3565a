from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import loaded, played, written
from soak.playouts import compare


def _values(levels: int) -> str:
    chain = "".join(f"value v{at}: v{at + 1} + 1\n" for at in range(levels))
    return f"{chain}value v{levels}: 1\nverb start: raise note by v0\n"


def _verbs(levels: int) -> str:
    chain = "".join(f"verb s{at}:\n    if note < 9: s{at + 1}\n" for at in range(levels))
    return f"{chain}verb s{levels}: raise note by 1\nverb start: s0\n"


def _asking_verbs(levels: int) -> str:
    verb = (
        "verb s{}:\n    needs any coins in my purse or note < {}\n    s{}\n    raise note by 1\n"
    )
    chain = "".join(verb.format(at, at + 5, at + 1) for at in range(levels))
    return f"{chain}verb s{levels}: raise note by 1\nverb start:\n    if able: s0\n"


def _deciding_verbs(levels: int) -> str:
    chain = "".join(f"verb s{at}:\n    if note < 900: s{at + 1}\n" for at in range(levels))
    return f"{chain}verb s{levels}:\n    may raise note by 1\nverb start: s0\n"


def _locals(levels: int) -> str:
    lets = "".join(f"    let a{at + 1} = a{at} + note\n" for at in range(levels))
    last = f"    needs a{levels} >= 0\n    raise note by 1\n"
    return f"verb start:\n    if able: much\nverb much:\n    let a0 = note\n{lets}{last}"


def _blocks(head: str, *, each: int = 14) -> Callable[[int], str]:
    """Make verbs that stand in one another, each of them in so many blocks of the one before."""

    def made(levels: int) -> str:
        heads = [f"{'    ' * (at + 1)}{head}\n" for at in range(each)]
        verb = "verb s{}:\n" + "".join(heads) + "    " * 15 + "s{}\n"
        chain = "".join(verb.format(at, at + 1) for at in range(levels))
        return f"{chain}verb s{levels}: raise note by 1\nverb start: s0\n"

    return made


ANY = "if any card in deck where any cards in deck where worth of it > 1:"
IN_BLOCKS: dict[str, tuple[Callable[[int], str], int]] = {
    "loops": (_blocks("repeat 1 times:"), 12),
    "loops, one for each verb": (_blocks("repeat 1 times:", each=1), 90),
    "tests": (_blocks("if note < 99:"), 12),
    "searches": (_blocks(ANY), 12),
    "offers": (_blocks("may up to 1 times:"), 3),
    "menus": (_blocks("menu:\n        once:\n            repeat 1 times:", each=1), 24),
}


WIDE = {
    "tests": "if note = 99: nothing\n"
    + "".join(f"otherwise if note = {at}: raise my fame by {at % 9}\n" for at in range(200)),
    "tests, and decisions": "if note = 99: nothing\n"
    + "".join(f"otherwise if note = {at}:\n    may raise note by 7\n" for at in range(400)),
    "ways": "choose one:\n"
    + "".join(f'    "{at}": raise my fame by {at % 9}\n' for at in range(290)),
    "a menu": "menu:\n"
    + "".join(f'    once "{at}": raise my fame by {at % 9}\n' for at in range(290)),
}


@pytest.mark.parametrize("name", sorted(WIDE))
def test_a_step_may_have_any_number_of_branches(name: str, tmp_path: Path) -> None:
    pack = loaded(tmp_path, f"raise note by 1\n{WIDE[name]}")
    compare(pack, 3, {}, run=1, count=1)


LEVELS = 94
CHAINS: dict[str, Callable[[int], str]] = {
    "values": _values,
    "verbs": _verbs,
    "verbs that ask": _asking_verbs,
    "verbs that decide": _deciding_verbs,
}


@pytest.mark.parametrize("name", sorted(CHAINS))
@pytest.mark.parametrize("levels", [250])
def test_a_chain_too_deep_is_refused(name: str, levels: int, tmp_path: Path) -> None:
    report = rulesdsl.lint(written(tmp_path, "start", CHAINS[name](levels)))
    errors = [each for each in report.diagnostics if each.code[0] == "E"]

    assert [each.code for each in errors] == ["E407"]
    assert " -> ..." in errors[0].message


@pytest.mark.parametrize("name", sorted(CHAINS))
def test_a_chain_that_is_not_refused_is_played(name: str, tmp_path: Path) -> None:
    choices = ["yes"] if "decide" in name else []

    assert int(str(played(tmp_path, "start", *choices, more=CHAINS[name](LEVELS)).note)) > 0


@pytest.mark.parametrize("name", sorted(IN_BLOCKS))
def test_verbs_in_blocks_of_one_another_are_played(name: str, tmp_path: Path) -> None:
    more, levels = IN_BLOCKS[name]
    compare(loaded(tmp_path, "start", more(levels)), 2, {}, run=1, count=1)


def test_a_long_verb_is_not_deep(tmp_path: Path) -> None:
    more = "verb start:\n" + "    raise note by 1\n" * 1200

    assert played(tmp_path, "start", more=more).note == 1200


def test_locals_behind_one_another_are_played_or_refused(tmp_path: Path) -> None:
    assert played(tmp_path / "few", "start", more=_locals(60)).note == 1
    report = rulesdsl.lint(written(tmp_path / "many", "start", _locals(400)))

    assert [each.code for each in report.diagnostics if each.code[0] == "E"] == ["E407"]


def test_a_value_hooked_too_often_is_refused(tmp_path: Path) -> None:
    hooks = "".join(f"instead of value w when note < {at}: w + 1\n" for at in range(199))
    report = rulesdsl.lint(written(tmp_path, "raise note by w", f"value w: 1\n{hooks}"))

    assert [each.code for each in report.diagnostics if each.code[0] == "E"] == ["E407"]
