"""The rulebooks of the shipped games: every number comes from the content, every rule is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rulesdsl
from coloma.topics import WIDTH, topic_lines

CONTENT = Path(__file__).parents[2] / "content"
GAMES = [CONTENT, CONTENT / "sutters_mill"]
SCREENS = 3
LINES_OF_SCREEN = 24

BY_HAND = re.compile(r"[0-9]+|\b(?:two|three|four|five|six|seven|eight|nine|ten)\b", re.IGNORECASE)
NUMBERED = re.compile(r"^[0-9]+\. ")  # the steps of a list
IN_BRACES = re.compile(r"\{[^{}]*\}")
LITERAL = re.compile(r"\{[0-9 +*/-]+\}")
NUMBERS = re.compile(r"(?<![\w-])[0-9]+(?![\w-])")
AMOUNT = re.compile(r"\b(gain|score|pay|draw|bury) ([0-9]+) ")

WORDS_NOT_NUMBERS = {
    "91-two-players.md": {"Two": 1, "two": 1},  # what the game for two is called
}
NOT_FROM_A_NUMBER = re.compile(
    r"\{(?:all \w+|position of \w+|all cards in deck of p1|[a-z-]+ of won|[a-z-]+ of lost)\}"
)


def _game(path: Path) -> str:
    return path.name


def _pages(game: Path) -> list[Path]:
    return sorted((game / "rulebook").glob("*.md"))


@pytest.mark.parametrize("game", GAMES, ids=_game)
def test_a_topic_takes_three_screens_at_most(game: Path) -> None:
    pack = rulesdsl.load(game)
    for players in range(pack.players[0], pack.players[1] + 1):
        for topic in pack.rulebook(players).topics:
            lines = list(topic_lines(topic))
            assert len(lines) < SCREENS * LINES_OF_SCREEN - SCREENS, topic.name
            assert max(map(len, lines)) <= WIDTH, topic.name


@pytest.mark.parametrize("game", GAMES, ids=_game)
def test_no_number_is_written_by_hand(game: Path) -> None:
    found: dict[str, dict[str, int]] = {}
    for path in _pages(game):
        text = re.sub(r"<!--.*?-->", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert not LITERAL.search(text), path
        for line in text.splitlines():
            for word in BY_HAND.findall(IN_BRACES.sub("", NUMBERED.sub("", line))):
                counts = found.setdefault(path.name, {})
                counts[word] = counts.get(word, 0) + 1
    allowed = WORDS_NOT_NUMBERS if game == CONTENT else {}
    assert found == allowed
