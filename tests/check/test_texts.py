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
        "after take-turn:\n    look at top 1 of deck\n    may 'Leave {top of deck} there?': gain 1 coin"
    ),
}


@pytest.mark.parametrize("name", KNOWN)
def test_a_text_may_say_what_somebody_may_know(name: str, tmp_path: Path) -> None:
    assert check_more(tmp_path, KNOWN[name].replace("'", '"')) == []
