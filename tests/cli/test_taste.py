from __future__ import annotations

from collections import Counter

import pytest

from coloma.output import CommandError
from coloma.simulation.games import LIKED, Taste, parse_taste
from properties.shipped import preferred
from rulesdsl import Option

OPTIONS = (
    Option("dig", "Dig for gold", None),
    Option("yes", "Yes: Tear down", None),
    Option("spot:river", "River camp", None),
    Option("done", "Done", None),
)


def taken(taste: Taste) -> dict[str, int]:
    found = Counter(OPTIONS[preferred(taste, OPTIONS, at / 400)].id for at in range(400))
    return {option.id: found[option.id] for option in OPTIONS}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("dig=5", {"dig": 250, "yes": 50, "spot:river": 50, "done": 50}),
        ("d*=0", {"dig": 0, "yes": 200, "spot:river": 200, "done": 0}),
        ("*tear down*=0, dig=2", {"dig": 200, "yes": 0, "spot:river": 100, "done": 100}),
        ("spot:*=1, *river*=9", {"dig": 100, "yes": 100, "spot:river": 100, "done": 100}),
        ("*=0", {"dig": 100, "yes": 100, "spot:river": 100, "done": 100}),
        ("DIG=0,Yes*=0,done=0", {"dig": 0, "yes": 0, "spot:river": 400, "done": 0}),
    ],
)
def test_options_come_as_often_as_their_weights_say(text: str, wanted: dict[str, int]) -> None:
    assert taken(parse_taste(text)) == wanted


def test_a_pattern_without_weight_is_liked() -> None:
    assert parse_taste("dig").weights == (("dig", LIKED),)


@pytest.mark.parametrize("text", ["dig=", "dig=often", "=3", "dig=5,,done=1", "dig=-1"])
def test_what_is_no_taste_is_refused(text: str) -> None:
    with pytest.raises(CommandError, match="PATTERN=WEIGHT"):
        parse_taste(text)
