"""Comparisons of every classic: four games of each match, half of them steered to rare events.

Long matches of options other than the default have two games.

`.ci/nightly` plays more of them; see `__main__`.
"""

from importlib.util import find_spec

import pytest

import rulesdsl
from classics import games
from classics.lockstep import CLASSICS

pytestmark = pytest.mark.skipif(
    find_spec("pyspiel") is None,
    reason="OpenSpiel is not installed: pip install 'coloma[adapters]'",
)
GAMES = 4
MATCHES = [(module, at) for module in games.MODULES for at in range(len(games.matches(module)))]


@pytest.mark.parametrize(
    ("module", "at"), MATCHES, ids=[games.matches(module)[at].name for module, at in MATCHES]
)
def test_a_classic_is_the_same_game_as_another_implementation(module: str, at: int) -> None:
    match = games.matches(module)[at]
    pack = rulesdsl.load(CLASSICS / match.pack)
    for seed in range(GAMES // 2 if match.long and at else GAMES):
        assert match.play(pack, seed, steered=bool(seed % 2), thorough=False) > 1


@pytest.mark.parametrize("module", games.MODULES)
def test_a_rule_to_break_stands_in_its_file(module: str) -> None:
    for rule in games.breaks(module):
        with games.broken(games.matches(module)[0].pack, rule) as folder:
            assert (folder / rule.file).read_text(encoding="utf-8")
