import random
from pathlib import Path
from textwrap import indent

import pytest

import rulesdsl
from packs_on_the_fly import BOX, CARDS, loaded, written
from soak.views import compare
from some import some

DEALT = """
step game:
    shuffle deck
    for each player:
        move top of deck into my hand
        raise my guess by 3
        raise my secret by 2
        gain 4 coins
        move up to 1 coin from my purse into safe
    repeat 2 times:
        for each player: act
"""
MORE = """
track secret per player seen by nobody
track wounds per card
place vault seen by nobody holds card
place safe seen by nobody only holds coin
place cellar seen by nobody only holds coin
track liking per player per card seen by owner
verb flip card c: move c into my shelf
verb pass-on card c: move c into top of deck
verb confide:
    let p = 1 player after me
    let c = a card in my hand
    show c to p
verb tuck-late:
    let p = 1 player after me
    let c = a card in my hand
    show c to p
    let d = a card in my hand
    move d into vault
verb tuck:
    let c = a card in my hand
    move c into vault
verb tuck-other:
    let d = a card in my hand
    let e = a card in my hand where it <> d
    move e into vault
    move d into vault
value worthy of player: any cards in my hand where worth > 1
score hand-score "Hand": worth per cards in my hand
score guess-score "Guess": my guess
score secret-score "Secret": my secret
score number-score "Number": cards in my hand
score beside-score "Beside": guess of (1 player after me)
score deck-score "Deck": worth per cards in deck
"""
RULES = (Path(__file__).parent / "leaks.txt").read_text("utf-8")


def rules() -> dict[str, str]:
    """Return the rules of a turn in each pack, keyed by the pack's name."""
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


@pytest.mark.parametrize(
    ("act", "before"),
    [
        ("confide\ntuck", 1),
        ("confide\nconfide\ntuck", 2),
        ("confide\nif able: tuck-other", 1),
        ("tuck-late", 1),
    ],
)
def test_what_was_shown_does_not_tell_a_later_secret_choice(
    act: str, before: int, tmp_path: Path
) -> None:
    dealt = DEALT.replace("move top of deck", "move top 4 of deck").replace(
        "up to 1 coin", "0 coins"
    )
    _, game = game_of(tmp_path, "if any cards in my hand:\n" + indent(act, "    "), dealt)
    for _ in range(before):
        game.choose(0)
    actor, seen = some(game.decision).player, set[str]()
    viewer = actor % 3 + 1
    for index in range(some(game.decision).count):
        after = game.clone()
        after.choose(index)
        while after.decision and after.decision.player == actor:
            after.choose(0)
        lines = [line.seen_text(viewer) for line in after.log_since(game.log_length)]
        seen.add(repr((lines, after.board(viewer))))
    assert len(seen) == 1


def test_a_hook_with_a_hidden_condition_leaves_no_trace(tmp_path: Path) -> None:
    more = """
flag brave per player seen by owner
track courage per player seen by owner
verb wave: raise my fame by 1
after wave when my brave: raise my courage by 1
score courage-score "Courage": my courage
"""
    act = 'set my brave to (a number in 0..1 "Brave?") = 1\nwave\nmay gain 1 coin'
    lines = set()
    for brave in (0, 1):
        game = loaded(tmp_path / str(brave), act, more).new_game(2, 1)
        game.choose(brave)
        read = [(line.seen_text(2), line.seen_rules(2)) for line in game.log]
        told = [(text, len(rules)) for text, rules in read if text or rules]
        lines.add((*told,))
    assert len(lines) == 1


@pytest.mark.parametrize(("step", "is_kept"), [("show {} to me", True), ("look at {}", False)])
def test_what_is_shown_to_me_stays_before_my_eyes(
    step: str, is_kept: bool, tmp_path: Path
) -> None:
    act = f"{step.format('all cards in hand of (1 player after me)')}\nmay gain 1 coin"
    _, game = game_of(tmp_path, act)
    assert some(game.decision).player == 1
    views = [str(game.view(viewer)["board"]).count("dog#") for viewer in (1, 2, 3)]
    assert views == [int(is_kept), 1, 1]


@pytest.mark.parametrize("place", ["pile", "vault"])
def test_a_secret_choice_does_not_show_marks(place: str, tmp_path: Path) -> None:
    dealt = DEALT.replace(
        "    repeat 2 times:\n",
        f"    for each card c in deck: move c into {place}\n    repeat 1 times:\n",
    )
    asked = f"    if able: all choose secretly a card in {place}: raise my fame by 1\n"
    leaks_nothing(game_of(tmp_path, "may gain 1 coin", dealt + asked)[0])


def leaks_nothing(pack: rulesdsl.Pack) -> None:
    for seed in range(3):
        game, chance = pack.new_game(3, seed), random.Random(seed)
        while game.decision:
            assert compare(pack, game, chance) == 4
            game.choose(chance.randrange(game.decision.count))


def test_a_view_that_leaks_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = rulesdsl.Game.view
    monkeypatch.setattr(
        rulesdsl.Game,
        "view",
        lambda game, one: honest(game, one) | {"all": game.position_data()["state"]},
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


def test_it_grows_when_sealed_answers_are_revealed_and_not_before(tmp_path: Path) -> None:
    flow = "step game:\n    all choose secretly a stall s: move my pawn into s\n"
    flow += "    for each player: act"
    box = BOX.replace("step game: for each player: act", flow)
    game = loaded(tmp_path, "may raise my fame by 1", box=box).new_game(2)
    game.choose(0, player=2)
    between = game.learned
    game.choose(1, player=1)

    assert (between, game.learned) == (0, 1)
