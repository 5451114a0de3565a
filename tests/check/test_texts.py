"""What the checker keeps quiet about in texts: that it speaks is shown by the broken contents."""

from __future__ import annotations

from pathlib import Path

import pytest

from check.stock import check_more

KNOWN = {
    "how many lie in a hidden place": "after take-turn: say '{cards in deck} are left'",
    "what lies in a hand": "after take-turn: say 'Red: {reds of me}'",
    "the track of a player": (
        "track luck 'Luck' per player seen by owner\n"
        "after take-turn:\n    raise my luck by 1\n    say 'Lucky: {my luck}'"
    ),
    "what may lie open by then": (
        "after take-turn:\n    let c = top of deck\n    if any c:\n        move c into pile\n"
        "        say '{c}, worth {worth of c}'"
    ),
    "what somebody has looked at": (
        "after take-turn:\n    look at top 1 of deck\n"
        "    may 'Leave {top of deck} there?': gain 1 coin"
    ),
}


@pytest.mark.parametrize("name", KNOWN)
def test_a_text_may_say_what_somebody_may_know(name: str, tmp_path: Path) -> None:
    assert check_more(tmp_path, KNOWN[name].replace("'", '"')) == []


SAID = {
    "an amount, which the log tells": (
        "verb earn n fame 'shines': raise my fame by n\n"
        "after take-turn:\n    earn 1 fame\n    earn 2 fame"
    ),
    "what is the same each time": (
        "verb shine with number n 'shines': raise my fame by n\nafter take-turn: shine with 2"
    ),
    "whoever acts": (
        "verb praise seat p 'is content': raise fame of p by 1\nafter take-turn: praise me"
    ),
    "what an expression is about": (
        "verb shine with number n 'shines {n + 1} times': raise my fame by n\n"
        "after take-turn:\n    shine with 2\n    if my fame > 3: shine with 1"
    ),
    "what is said on the way": (
        "verb shine with number n 'shines':\n    say '{n} times'\n    raise my fame by n\n"
        "after take-turn:\n    shine with 2\n    if my fame > 3: shine with 1"
    ),
    "what another sentence names": (
        "verb go stall s 'walks':\n    enter s\nverb enter stall s 'comes to the {s}':\n"
        "    move my pawn into s\nafter take-turn: go a stall"
    ),
    "options that differ": (
        "after take-turn:\n    let s = a stall 'Where?' each 'the {it}'\n    move my pawn into s"
    ),
}


@pytest.mark.parametrize("name", SAID)
def test_a_sentence_need_not_name(name: str, tmp_path: Path) -> None:
    assert check_more(tmp_path, SAID[name].replace("'", '"')) == []
