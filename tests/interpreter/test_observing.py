import json
import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

import rulesdsl
from kept import shipped_pack
from packs_on_the_fly import MANIFEST
from rulesdsl.interpreter.decisions import shown_now
from rulesdsl.interpreter.knowledge.observing import observe
from rulesdsl.interpreter.knowledge.sampling import Sampler
from rulesdsl.interpreter.state import cells_of
from soak.peeking import positions
from soak.worlds import replayed

CONTENT = Path(__file__).parents[2] / "content"
SHIPPED = ("", "sutters_mill", "classics/gin_rummy", "classics/goofspiel")
CARDS = 'source = "house"\n' + "".join(f"[card-{at}]\nworth = {at}\n" for at in (1, 2, 3, 4))
BOX = """\
piece card "Card" from "cards.toml" in deck:
    worth: number
stack deck "Deck" seen by nobody holds card
kind bid: low, middle, high
place hand "Hand" per player seen by owner holds card
place pit "Pit" seen by nobody holds card
stack row "Row" holds card
track wealth per player seen by owner
track omen seen by nobody
track fame per player
flag marked per card
panel "All": deck, pit, row, fame
panel "Own" per player: hand, wealth
score fame-score "Fame": my fame
win with most score
verb go: raise my fame by 1
verb draw-one:
    let c = top of deck
    if any c: move c into my hand
verb drop-one:
    if able:
        let c = a card in my hand "Drop which card?"
        move c into pit
verb wait: may go
step game:
    shuffle deck
"""
SECRETS = {
    "the order of a deck": """
    for each player: draw-one
    for each player: wait""",
    "a track that a hidden face decides": """
    for each player: draw-and-count
    for each player: wait
verb draw-and-count:
    let c = top of deck
    if any c:
        move c into my hand
        if worth of c > 2: raise my wealth by 2""",
    "a track counted from hidden faces": """
    for each player: draw-and-add
    for each player: wait
    for each player: lower my wealth by 1
    for each player: drop-one
    for each player: wait
verb draw-and-add:
    for each card c in top 2 of deck:
        move c into my hand
        raise my wealth by worth of c""",
    "a hand added up": """
    for each player: move top 2 of deck into my hand
    for each player: raise my wealth by worth per cards in my hand
    for each player: drop-one
    for each player: wait""",
    "a card chosen by what it is": """
    for each player: move top 2 of deck into my hand
    for each player: drop-low
    for each player: wait
verb drop-low:
    if able:
        let c = a card in my hand where worth of it < 3 "Drop which card?"
        move c into bottom of deck""",
    "a mark on a hidden card": """
    for each player: move top 2 of deck into my hand
    for each player: mark-one
    for each player: wait
verb mark-one:
    if able:
        let c = a card in my hand "Mark which card?"
        mark marked of c""",
    "a number from a hidden face in what is half done": """
    for each player: draw-one
    for each player: ask-others
verb ask-others:
    let actor = me
    let c = the only card in my hand
    if any c:
        let n = worth of c
        for each player where it <> actor: wait
        raise my wealth by n""",
    "a hidden number that is passed on": """
    for each player: draw-one
    for each player: pass-it
verb pass-it:
    let c = the only card in my hand
    if any c: keep-asking (worth of c) shown
verb keep-asking number n:
    let actor = me
    for each player where it <> actor: wait
    raise my fame by n""",
    "a card that is dealt with one by one": """
    for each player: move top 2 of deck into my hand
    for each player: go-through
verb go-through:
    let actor = me
    for each card c in my hand:
        for each player where it <> actor: wait
        raise my wealth by worth of c""",
    "how often something is still done": """
    for each player: draw-one
    for each player: ask-often
verb ask-often:
    let actor = me
    let c = the only card in my hand
    if any c:
        repeat worth of c times:
            for each player where it <> actor: wait""",
    "a hidden condition on those who are asked": """
    for each player: draw-one
    for each player:
        for each card c in my hand: raise my wealth by worth of c
    for each player: ask-some
verb ask-some:
    for each player where wealth of it > 2: wait""",
    "secret answers": """
    all choose secretly a bid b "Which bid?": act b
verb act bid b:
    wait
    raise my fame by position of b""",
    "secret answers about hidden cards": """
    for each player: move top 2 of deck into my hand
    if able: all choose secretly a card c in hands where any it in my hand "Which card?": lay c
verb lay card c:
    wait
    move c into pit""",
    "a deck that somebody looked at": """
    for each player: look-and-take
verb look-and-take:
    look at top 3 of deck
    if able:
        let c = a card in top 3 of deck "Which card?"
        wait
        move c into my hand""",
    "the best card of a deck": """
    for each player: bury-the-best
verb bury-the-best:
    let c = the card in deck with most worth
    if any c: wait
    if any c: move c into pit shown""",
    "a deck that somebody searched": """
    for each player: search
    for each player: wait
verb search:
    if able:
        let c = a card in deck where worth of it > 2 "Which card?"
        move c into my hand""",
    "a track that nobody sees": """
    for each card c in top 1 of deck: raise omen by worth of c
    for each player: wait""",
    "a card drawn from a hand by chance": """
    for each player: move top 2 of deck into my hand
    for each player: lose-one
    shuffle deck
    for each player: wait
verb lose-one:
    let c = random card in my hand
    if any c: move c into pit""",
    "a heap that somebody searched": """
    move top 3 of deck into pit
    for each player: search
    for each player: wait
verb search:
    if able:
        let c = a card in pit "Which card?"
        move c into my hand""",
    "a card from a menu about which more is asked": """
    for each player: move top 2 of deck into my hand
    for each player: play
verb play:
    menu "Play?":
        once for each card c in my hand:
            wait
            move c into pit""",
}


@pytest.mark.parametrize("name", SECRETS)
def test_positions_that_look_the_same_are_observed_the_same(tmp_path: Path, name: str) -> None:
    """Compare observations if the player has been shown the same in both games so far."""
    _compare(_written(tmp_path, SECRETS[name]))


def test_hidden_dice_are_observed_the_same() -> None:
    _compare(shipped_pack(CONTENT / "classics/liars_dice"))


def _compare(pack: rulesdsl.Pack) -> None:
    alike: defaultdict[str, dict[str, set[str]]] = defaultdict(dict)
    for seed in range(150):
        for shown, game in _shown(pack, seed):
            for player, all_shown in shown.items():
                hidden = json.dumps(game.position_data()["state"])
                seen = alike[f"{player} {all_shown}"].setdefault(hidden, set())
                seen.add(json.dumps(observe(game, player).data))

    several = [each for each in alike.values() if len(each) > 1]
    assert len(several) >= 2  # positions that differ in what is hidden alone
    for each in several:
        assert len(set.union(*each.values())) == 1


@pytest.mark.parametrize("name", SECRETS)
def test_samples_look_like_the_real_position(tmp_path: Path, name: str) -> None:
    pack = _written(tmp_path, SECRETS[name])
    for seed in range(6):
        for _, game in _shown(pack, seed):
            for player in (1, 2):
                here = game.view(player)
                for again in range(4):
                    there = game.redraw(player, again).view(player)
                    assert {**there, "open": here["open"]} == here


def test_of_cards_that_are_alike_the_same_are_offered_in_every_world(tmp_path: Path) -> None:
    pack = _written(tmp_path, SECRETS["a heap that somebody searched"], copies=2)
    for seed in range(20):
        game = pack.new_game(2, seed, log=True)
        game.choose(0)
        player = game.decisions[0].player
        for again in range(4):
            there = game.redraw(player, again).decisions[0]
            here = game.decisions[0].options
            assert [e.label for e in there.options] == [e.label for e in here]


@pytest.mark.parametrize("game", SHIPPED)
def test_shipped_games_are_observed_the_same_in_worlds_that_look_the_same(game: str) -> None:
    pack, chance, compared = shipped_pack(CONTENT / game), random.Random(3), 0
    for real, choices, player in positions(pack, pack.players[1], chance, 12):
        made = replayed(pack, real, choices, player, chance)
        if made is not None:
            compared += 1
            one, other = (json.dumps(observe(each, player).data) for each in (real, made[0]))
            assert one == other
    assert compared > 6


def test_an_observation_is_plain_data_and_has_neither_seed_nor_generator(tmp_path: Path) -> None:
    pack = _written(tmp_path, SECRETS["the order of a deck"])
    seen = observe(pack.new_game(2, 7, log=True), 1)
    assert json.loads(json.dumps(seen.data)) == seen.data
    parts = "player over piles classes cells tracks frames held marks shown options answer"
    assert " ".join(seen.data) == f"{parts} answered excluded"
    assert Sampler(seen).draw(3) == Sampler(seen).draw(3)


def _written(folder: Path, steps: str, copies: int = 1) -> rulesdsl.Pack:
    box = BOX.replace(" in deck:", f" {copies} in deck:")
    (folder / "pack.toml").write_text(MANIFEST)
    (folder / "cards.toml").write_text(CARDS)
    (folder / "game.rules").write_text(box + steps.removeprefix("\n") + "\n")
    return rulesdsl.load(folder)


def _shown(pack: rulesdsl.Pack, seed: int) -> Iterator[tuple[dict[int, str], rulesdsl.Game]]:
    """Play a game; yield its positions with everything that each player has been shown so far."""
    game, chance, at = pack.new_game(2, seed, log=True), random.Random(seed), 0
    shown = {player: list[object]() for player in (1, 2)}
    while True:
        for player, known in shown.items():
            lines = [each.seen_text(player) for each in game.log_since(at)]
            known += [*filter(None, lines), game.view(player), _places(game, player)]
        yield {player: json.dumps(known) for player, known in shown.items()}, game
        if game.over:
            return
        at = game.log_length
        decision = chance.choice(game.decisions)
        option = chance.randrange(decision.count)
        shown[decision.player].append(option)
        game.choose(option, decision.player)


def _places(game: rulesdsl.Game, player: int) -> list[object]:
    """Return the places of the pieces that a question shows: a search reveals their order."""
    return [
        [piece, [e.index(piece) for e in cells_of(game.state, f"l:{kind}") if piece in e]]
        for kind, piece in shown_now(game.setting.views, game.state, player - 1)
    ]


# -------------------------------------------------------------------- secret answers
def _answered(pack: rulesdsl.Pack) -> tuple[rulesdsl.Game, list[str]]:
    """Return a game in which both players have answered, and the ids of their answers."""
    game, ids = pack.new_game(2, 3, log=True), list[str]()
    for player in (1, 2):
        decision = next(each for each in game.decisions if each.player == player)
        ids.append(decision.options[-1].id)
        game.choose(decision.count - 1, player)
    return game, ids


def test_all_are_told_secret_answers_once_all_have_answered(tmp_path: Path) -> None:
    game, ids = _answered(_written(tmp_path, SECRETS["secret answers"]))

    for viewer in (1, 2):
        told = [each.text for each in game.story(viewer)]
        logged = [each.seen_text(viewer) for each in game.log if each.kind == "answer"]
        assert told[-2:] == logged == ["Player 1 chooses High", "Player 2 chooses High"]
        assert game.view(viewer)["answers"] == {1: ids[0], 2: ids[1]}
        assert game.redraw(viewer, 1).view(viewer)["answers"] == {1: ids[0], 2: ids[1]}
    game.choose(0)
    assert game.view(1)["answers"] == {2: ids[1]}
    assert "Player 1 chooses High" in [
        each.text for each in game.story(1)
    ]  # its outcome has no name
    game.choose(0)
    assert game.view(1)["answers"] == {}
    assert [each.text for each in game.story(1)][-1] == "Player 2 gains 4 fames"


def test_nobody_is_told_which_hidden_card_another_chose(tmp_path: Path) -> None:
    game, _ = _answered(_written(tmp_path, SECRETS["secret answers about hidden cards"]))
    titles = ["Card 1", "Card 2", "Card 3", "Card 4"]

    own = [each for each in game.log if each.kind == "answer"]
    assert own[0].seen_text(1).removeprefix("Player 1 chooses ") in titles
    assert own[0].seen_text(2) == own[0].seen_text(0) == "Player 1 chooses in secret"
    assert not [each.text for each in game.story(2) if each.text.startswith("Player 1 chooses")]
    assert game.view(2)["answers"] == {}
    assert (
        len(
            {
                json.dumps(game.redraw(2, seed).position_data()["state"]["frames"])
                for seed in range(20)
            }
        )
        == 2
    )


@pytest.mark.parametrize("game", ["", "sutters_mill"])
def test_slots_that_count_as_idle_are_never_read(game: str) -> None:
    _play_without_idle(shipped_pack(CONTENT / game).new_game(3, 2))


@pytest.mark.parametrize("name", SECRETS)
def test_slots_of_small_packs_that_count_as_idle_are_never_read(tmp_path: Path, name: str) -> None:
    pack = _written(tmp_path, SECRETS[name])
    for seed in range(6):
        _play_without_idle(pack.new_game(2, seed))


def _play_without_idle(real: rulesdsl.Game) -> None:
    """Play a game and a copy whose idle slots are cleared before each choice; compare the ends."""
    chance, other = random.Random(1), real.clone()
    while (decision := real.decision) is not None:
        frames = other.state.frames
        for at, frame in enumerate(frames):
            frames[at] = other.setting.slots[frame[0]].replaced(frame, lambda _, piece: piece)
        same = next(each for each in other.decisions if each.player == decision.player)
        assert [each.id for each in same.options] == [each.id for each in decision.options]
        option = chance.randrange(decision.count)
        for each in (real, other):
            each.choose(option, decision.player)
    assert other.to_data() == real.to_data()
