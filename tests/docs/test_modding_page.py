from __future__ import annotations

import re
from pathlib import Path

import rulesdsl
from rulesdsl.scenarios import load_suite

CONTENT = Path(__file__).parents[2] / "content"
PAGE = (CONTENT / "modding.md").read_text(encoding="utf-8")
HOOKS = re.findall(r"`((?:before|after|instead of) [^`]*):`", PAGE)
VALUES = re.findall(r"`instead of value ([^`]*)`", PAGE)
MANIFEST = 'id = "my-mod"\nname = "Page"\nversion = "1"\nkind = "mod"\nfor_game = "coloma"\n'
RULES = """\
source "house"
track my-mod.note
option my-mod.on "On": off
score my-mod.score "Noted": my-mod.note
"""
CARD = 'source = "house"\n[my-mod.mary]\nname = "Mary"\n'
SCENARIO = """\
[[scenario]]
name = "The card is put before a player"
players = 3
given = ["{given}"]
expect = ["any my-mod.mary in persona of p1", "not my-mod.unlucky of p1"]
"""


def own_name(words: str) -> str:
    name, _, things = words.partition(" of ")
    if not things:
        return name
    parts = [part.split()[-1] for part in things.split(" at ")]
    return f"{name} of {' at '.join('me' if part == 'seat' else part for part in parts)}"


def test_every_hook_of_the_page_is_one(tmp_path: Path) -> None:
    hooks = []
    for hook in HOOKS:
        head, when, condition = hook.partition(" when ")
        extra = f" and {condition}" if when else ""
        again = head.removeprefix("instead of ") if head.startswith("instead") else ""
        call = re.sub(r"\b(card|barrel|site|land|space|row|tool|number) (?=[a-z]\b)", "", again)
        body = f"\n    {call}" if again else ""
        hooks.append(f"{head} when my-mod.on{extra}:\n    raise my-mod.note by 1{body}\n")
    values = [f"instead of value {words} when my-mod.on: {own_name(words)}\n" for words in VALUES]
    blocks = re.findall(r"(?ms)^```rules\n(.*?)^```$", PAGE)
    (tmp_path / "scenarios").mkdir()
    given = re.findall(r"`(for p1: move 1 my-mod[^`]*)`", PAGE)[0]
    checks = re.findall(r"(?ms)^<!-- check\n(.*?)^-->$", PAGE)
    scenarios = [SCENARIO.format(given=given)] + [
        f'[[scenario]]\nname = "check {number}"\n{check}' for number, check in enumerate(checks)
    ]
    for name, text in {
        "pack.toml": MANIFEST,
        "page.rules": RULES + "".join([*hooks, *values, *blocks]),
        "characters.toml": CARD,
        "scenarios/page.toml": "\n".join(scenarios),
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")

    found = rulesdsl.lint(CONTENT, [tmp_path]).diagnostics

    report = load_suite(CONTENT, [tmp_path], of=tmp_path).report()

    assert [str(each) for each in found if each.code != "W601"] == []
    assert len(report.results) > 4
    assert report.ok, str(report)
    assert len(HOOKS) > 30
    assert len(VALUES) > 8
