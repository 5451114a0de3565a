"""Viewers are shown nothing that they cannot know: by the log, by questions, by limits."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import BOX, CARDS, written
from soak.views import compare

DEALT = """
step game:
    shuffle deck
    for each player:
        move top of deck into my hand
        raise my guess by 3
        raise my secret by 2
        gain 4 coins
    repeat 2 times:
        for each player: act
"""
MORE = """
track secret per player seen by nobody
track wounds per card
place vault seen by nobody holds card
track liking per player per card seen by owner
verb flip card c: move c into my shelf
verb pass-on card c: move c into top of deck
value worthy of player: any cards in my hand where worth > 1
score hand-score "Hand": worth per cards in my hand
score guess-score "Guess": my guess
score secret-score "Secret": my secret
score number-score "Number": cards in my hand
score beside-score "Beside": guess of (1 player after me)
score deck-score "Deck": worth per cards in deck
"""
RULES = """
# a question about the top card
let c = top of deck
if any c:
    if worth of c > 1: may raise my fame by 1
# may where the hand allows
may:
    needs any cards in my hand where worth > 1
    raise my fame by 1
# each says no alike
for each player: may:
    needs any cards in my hand where worth > 2
    raise my fame by 1
# a card that fits
may:
    let c = a card in my hand where worth > 1
    flip c
# passing on
if any cards in my hand:
    let c = a card in my hand
    pass-on c
may raise my fame by 1
# a way that is hidden
choose one:
    gain 1 coin
    "show":
        let c = a card in my hand where worth > 2
        flip c
# a menu of cards
menu:
    once for each card c in my hand where worth > 1: flip c
    any time: pay 2 coins
# a menu of marks
menu:
    once for each card c in my hand where not spent: mark spent of c
    once "Wound" for each card c in my hand: raise wounds of c by 1
# a price nobody sees
may pay (my guess) coins
may pay 1 coin
# a dial
menu:
    any time:
        needs my guess > 0
        lower my guess by 1
# a dial by what lies hidden
raise my guess by worth per cards in my hand
may raise my fame by 1
# a dial that may stay
if any cards in my hand where worth > 2: raise my guess by 1
may raise my fame by 1
# a number of times
repeat (my guess) times: gain 1 coin
may raise my fame by 1
# up to a hidden number
may up to (my secret) times: raise my fame by 1
# what the hand is worth
raise my fame by worth per cards in my hand
may raise my fame by 1
# a number below
let n = a number in 0..(my guess)
raise my fame by n
# a place by the top card
let c = top of deck
if any c:
    let n = worth of c
    if n = 2: move my pawn into one
    otherwise: move my pawn into two
may raise my fame by 1
# the best in hand
let c = the card in my hand with most worth
if any c: flip c
may raise my fame by 1
# the top of hands
let p = the player with most (worth per cards in my hand)
if any p: for p: gain 1 coin
may raise my fame by 1
# the hidden moves
for each card c in deck where worth > 1: move c into my hand
may raise my fame by 1
# turning up
let c = top of deck
if any c:
    if worth of c > 1: move top of deck into pile
may raise my fame by 1
# a dial of the next seat
raise guess of (1 player after me) by my secret
may raise my fame by 1
# a card for the next seat
move top of deck into hand of (1 player after me)
may raise my fame by 1
# a card out of the deck, with its marks
may:
    let c = a card in deck
    move c into my hand
may raise my fame by 1
# copies whose marks one alone sees
for each card c in deck: move c into pile
may:
    let c = a card in pile
    move c into my shelf
# a menu of copies whose marks one alone sees
for each card c in deck: move c into pile
menu:
    once for each card c in pile: move c into my shelf
# copies in the hand of the next seat, with its marks
for each card c in deck: move c into hand of (1 player after me)
may:
    let c = a card in hand of (1 player after me)
    move c into my shelf
may raise my fame by 1
# a question to the next seat
for (1 player after me): may pay (my guess) coins
# looking
look at top 2 of deck
may raise my fame by 1
# an effect in the hand
may:
    let c = a card in my hand
    do use of c
# an effect of the top card
let c = top of deck
if any c: may do use of c
# what nobody has
if no players where any ant in my hand: may gain 1 coin
# a mark on the top card
let c = top of deck
if any c:
    if not spent of c: may raise my fame by 1
"""


def rules() -> dict[str, str]:
    """Return what players do in each pack, by its name."""
    blocks = (block.partition("\n") for block in RULES.split("# ")[1:])
    return {name: act for name, _, act in blocks}


def game_of(folder: Path, act: str, dealt: str = DEALT) -> tuple[rulesdsl.Pack, rulesdsl.Game]:
    box = BOX.replace("step game: for each player: act\n", dealt)
    written(folder, act, MORE, box=box)
    (folder / "cards.toml").write_text(CARDS + "copies = 3\n")
    pack = rulesdsl.load(folder, cache=False)
    return pack, pack.new_game(3, 5)


@pytest.mark.parametrize("rule", rules())
def test_nobody_is_shown_what_they_cannot_know(rule: str, tmp_path: Path) -> None:
    leaks_nothing(game_of(tmp_path, rules()[rule])[0])


@pytest.mark.parametrize("place", ["pile", "vault"])
def test_a_secret_choice_does_not_show_marks(place: str, tmp_path: Path) -> None:
    dealt = DEALT.replace(
        "    repeat 2 times:\n",
        f"    for each card c in deck: move c into {place}\n    repeat 1 times:\n",
    )
    asked = f"    if able: all choose secretly a card in {place}: raise my fame by 1\n"

    leaks_nothing(game_of(tmp_path, "may gain 1 coin", dealt + asked)[0])


def leaks_nothing(pack: rulesdsl.Pack) -> None:
    for seed in range(12):
        game, chance = pack.new_game(3, seed), random.Random(seed)
        while game.decision:
            assert compare(pack, game, chance) == 4
            game.choose(chance.randrange(game.decision.count))


def test_a_view_that_leaks_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = rulesdsl.Game.view
    monkeypatch.setattr(
        rulesdsl.Game,
        "view",
        lambda game, one: honest(game, one) | {"all": game.to_data()["state"]},
    )
    pack, game = game_of(tmp_path, rules()["a dial"])

    with pytest.raises(AssertionError, match="leaks"):
        compare(pack, game, random.Random(1))


def test_scores_that_leak_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = rulesdsl.Game.scores
    monkeypatch.setattr(
        rulesdsl.Game,
        "scores",
        lambda game, viewer: (honest(game, viewer), *map(game.score, range(1, game.players + 1))),
    )
    pack, game = game_of(tmp_path, rules()["a dial"])

    with pytest.raises(AssertionError, match=r"the score of player .* leaks"):
        compare(pack, game, random.Random(1))
