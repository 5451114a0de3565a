import random
from pathlib import Path

import pytest

import rulesdsl
from interpreter.honest_worlds import HONEST, judged, packs, redrawn, written
from rulesdsl.bots.quick import Quick, Worlds
from rulesdsl.bots.strong import Strong
from rulesdsl.bots.thought import Thought
from rulesdsl.interpreter.knowledge import sampling

ALWAYS = {  # one of each kind; the others are tested at night
    "a card drawn from several face-down places",
    "the best of all hands",
    "a card of my own between the others",
    "a card that my neighbour chooses",
    "all choose one of their own and put it aside",
    "my hand card by card, put aside",
    "a number of one's own, set in secret",
    "a flag set in secret",
    "a thing of one's own that is remembered, shown and forgotten",
    "a partner drawn in secret, shown to one, and changed",
    "some choose a card of their own",
    "the effect of a card in hand; W630",
    "a draw handed on to a verb in a verb",
    "a mark on a card that is put aside",
    "a card of my own that is shown to my neighbour",
    "luck that counts in what is asked; W630",
    "a card of my own that the others see",
    "a card that goes out of sight, and perhaps to another nook",
    "a draw from hands after a swap, with marks and a memory",
    "sealed answers among neighbours' cards, which then move about",
}
CASES = [
    pytest.param(name, marks=() if name in ALWAYS else pytest.mark.nightly) for name in packs()
]


@pytest.mark.parametrize("name", CASES)
def test_positions_that_look_the_same_are_observed_the_same(tmp_path: Path, name: str) -> None:
    """Also redraw positions and play on; the lint says where a question tells something hidden."""
    folder = written(tmp_path, packs()[name])
    pack = rulesdsl.load(folder)
    if name in HONEST:
        verdict = judged(pack, 2, 12)
        assert not verdict.different, verdict.example
    assert {*redrawn(pack, 2, 2)} == {"redraws"}
    codes = {finding.code for finding in rulesdsl.lint(folder).diagnostics}
    assert ("W630" in codes) is (name not in HONEST)


@pytest.mark.nightly
@pytest.mark.parametrize("name", HONEST)
@pytest.mark.parametrize("copies", [1, 2])
def test_nothing_leaks_in_many_games(tmp_path: Path, name: str, copies: int) -> None:
    pack = rulesdsl.load(written(tmp_path, packs()[name], copies))
    verdict = judged(pack, 2, 300)
    assert not verdict.different, verdict.example
    assert {*redrawn(pack, 2, 30)} == {"redraws"}


@pytest.mark.nightly
@pytest.mark.parametrize("name", packs())
def test_bots_and_hints_never_fail(tmp_path: Path, name: str) -> None:
    pack, chance = rulesdsl.load(written(tmp_path, packs()[name])), random.Random(4)
    bot = Quick(Worlds(pack.simulator(2)), Thought(20))
    for _ in range(8):
        game = pack.new_game(2, chance.getrandbits(48))
        while decision := game.decision:
            assert bot.estimates(game, decision.player, chance.getrandbits(64))
            game.choose(chance.randrange(decision.count), decision.player)


def _sealed(folder: Path) -> rulesdsl.Game:
    steps = packs()["all choose one of their own and put it aside"]
    game = rulesdsl.load(written(folder, steps)).new_game(3, 5)
    assert [decision.player for decision in game.decisions] == [1, 2, 3]
    return game


def test_a_redraw_keeps_who_has_answered_and_a_spectator_knows_no_hand(tmp_path: Path) -> None:
    game = _sealed(tmp_path)
    game.choose(1, player=2)
    for player in range(4):
        worlds = [game.redraw(player, seed) for seed in range(20)]
        assert {tuple(each.player for each in world.decisions) for world in worlds} == {(1, 3)}
        hands = [{str(world.view(at)["board"]) for world in worlds} for at in (1, 2, 3)]
        assert [at for at in (1, 2, 3) if len(hands[at - 1]) == 1] == ([player] if player else [])
    with pytest.raises(ValueError, match="player"):
        game.redraw(4, 0)


def test_only_those_to_whom_a_card_was_shown_know_where_it_lies(tmp_path: Path) -> None:
    steps = packs()["a card of my own that is shown to my neighbour"]
    game = rulesdsl.load(written(tmp_path, steps)).new_game(3, 5)
    game.choose(0)  # which card is shown, after all have bet
    for _ in range(3):
        game.choose(0)
    (card,) = {"".join(line.clause.objects) for line in game.log if line.kind == "peek"}
    name = card.lower().replace(" ", "-")
    assert [name in str(game.view(player)["board"]) for player in (1, 2, 3)] == [True, True, False]
    for player in (1, 2, 3):
        worlds = [game.redraw(player, seed) for seed in range(20)]
        shown = sum(name in str(world.view(1)["board"]) for world in worlds)
        assert (shown == 20) is (player in {1, 2})


def test_where_no_world_is_found_bots_choose_by_weight(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = _sealed(tmp_path)
    monkeypatch.setattr(sampling, "REPEATS", 0)
    with pytest.raises(rulesdsl.NoWorld):
        game.redraw(1, 0)
    worlds = Worlds(rulesdsl.load(tmp_path).simulator(3))
    for bot in (Quick(worlds, Thought(20)), Strong(worlds, Thought(20))):
        assert not bot.estimates(game, 1, 7)
        assert bot.choose(game, 1, 7) == worlds.by_weight.choose(game, 1, 7)
