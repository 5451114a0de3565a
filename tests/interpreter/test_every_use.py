"""Whatever kind of thing, whatever is done with it: it is refused, or it plays.

What is refused is kept in the folder `every_use`; `pytest --update-golden` writes it again.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import rulesdsl
from packs_of_uses import EVERY_USE, THINGS, pack_of, told
from soak.playouts import compare

GOLDEN = Path(__file__).parent / "every_use"
GAMES = 2
MAX_CHOICES = 40


@pytest.mark.nightly
@pytest.mark.parametrize("things", sorted(THINGS))
def test_every_use_is_refused_or_plays(things: str, tmp_path: Path, update_golden: bool) -> None:
    codes = told(tmp_path / "told", things)
    golden = GOLDEN / f"{things.replace(' ', '-')}.txt"
    text = "".join(f"{use}: {codes.get(use, 'plays')}\n" for use in EVERY_USE)
    if update_golden:
        GOLDEN.mkdir(exist_ok=True)
        golden.write_text(text, encoding="utf-8")
    left = tuple(use for use in EVERY_USE if use not in codes)

    assert text == golden.read_text(encoding="utf-8")
    _play(tmp_path / "plays", things, left)


def _play(folder: Path, things: str, uses: tuple[str, ...]) -> None:
    """Play a pack of these uses; if that fails, say with which of them alone it does."""
    pack_of(folder, things, uses)
    try:
        _both_ways(rulesdsl.load(folder, cache=False))
    except Exception as error:
        if len(uses) > 1:
            for use in uses:
                _play(folder, things, (use,))
        raise AssertionError(f"{things}: {', '.join(uses)}") from error


def _both_ways(pack: rulesdsl.Pack) -> None:
    for players in (2, 3):
        compare(pack, players, {}, run=1, count=GAMES)
    game = pack.new_game(2, seed=3)
    dice = random.Random(3)
    for _ in range(MAX_CHOICES):
        decision = game.decision
        if decision is None:
            break
        assert all(option.id and option.label for option in decision.options)
        assert all(game.view(player) and game.board(player) for player in (1, 2))
        again = pack.game_from_data(game.to_data())
        assert again.to_data() == game.to_data()
        game.choose(dice.randrange(decision.count))
    assert all(line.text for line in game.log)
