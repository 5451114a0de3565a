import random
from pathlib import Path

import pytest

import rulesdsl
from cli.mods_on_disk import write_game, write_mod
from packs_on_the_fly import carried_on, written
from rulesdsl import LintError
from rulesdsl.check.frontend import check_pack
from some import some

RULES = """\
constants from "numbers.toml"
track {name}.pride per seat
verb {name}.boast: raise my {name}.pride by {name}.step
add to menu of stroll:
    once "{name}": {name}.boast
after act:
    if any {name}.bee in pile: raise my fame by {name}.pride of me * worth of {name}.bee
"""
CARDS = """\
source = "house"
[{name}.bee]
name = "The other bee"
worth = {number}
"""
NUMBERS = """\
source = "house"
[{name}]
step = {number}
"""
GAME = """\
verb stroll:
    menu:
        once "Rest": nothing
"""
SHOW = """\
verb show:
    let c = a card in pile
    move c into my shelf
after act: stroll
"""


def mod(folder: Path, name: str, number: int) -> Path:
    texts = {"more.rules": RULES, "cards.toml": CARDS, "numbers.toml": NUMBERS}
    files = {file: text.format(name=name, number=number) for file, text in texts.items()}
    return write_mod(folder / "mods" / name, 'kind = "mod"', 'for_game = "fly"', files=files)


def test_two_mods_and_the_game_have_things_of_one_name(tmp_path: Path) -> None:
    game = written(tmp_path / "fly", "move all cards in deck into pile\nstroll", more=GAME)
    mods = [mod(tmp_path, "hats", 5), mod(tmp_path, "old-shoes", 3)]

    pack = rulesdsl.load(game, mods=mods, cache=False)
    found = carried_on(pack.new_game(1, 1), ["hats", "old-shoes", "done"])

    assert found.asked[0] == ["nothing", "hats-boast", "old-shoes-boast", "done"]
    # the prides are 5 and 3; the bees are worth 5 and 3
    assert found.state["t_fame"] == [20]
    assert found.state["t_hatsX2eXpride"] == [5]


def test_an_entry_of_a_mod_has_an_id_of_its_own(tmp_path: Path) -> None:
    act = "move all cards in deck into pile\nmay show"
    game = written(tmp_path / "fly", act, more=GAME + SHOW)
    pack = rulesdsl.load(game, mods=[mod(tmp_path, "hats", 5)], cache=False)

    started = pack.new_game(1, 1)
    started.choose("yes")

    labels = {each.id: each.label for each in some(started.decision).options}
    assert labels["card:bee"] == "Bee"
    assert labels["card:hats.bee"] == "The other bee"


def test_a_mod_changes_what_another_brings_by_its_full_name(tmp_path: Path) -> None:
    game = written(tmp_path / "fly", "move all cards in deck into pile\nstroll", more=GAME)
    first, second = mod(tmp_path, "hats", 5), mod(tmp_path, "shoes", 3)
    with (second / "cards.toml").open("a") as cards:
        cards.write("[hats.bee]\nworth = 1\n")
    with (second / "pack.toml").open("a") as manifest:
        manifest.write('after = ["hats"]\n')

    pack = rulesdsl.load(game, mods=[first, second], cache=False)

    assert carried_on(pack.new_game(1, 1), ["hats", "done"]).fame() == 5


def test_without_a_prefix_two_mods_are_told_to_take_one(tmp_path: Path) -> None:
    game = written(tmp_path / "fly", "stroll", more=GAME + "after act: stroll\n")
    mods = [mod(tmp_path, "hats", 5), mod(tmp_path, "shoes", 3)]
    for each in mods:
        (each / "more.rules").write_text("track pride per seat\nafter act: raise my pride by 1\n")

    with pytest.raises(LintError) as caught:
        rulesdsl.load(game, mods=mods, cache=False)

    assert "`pride` is declared twice" in str(caught.value)
    assert "`shoes.pride`" in str(caught.value)


CONTENT = Path(__file__).parents[2] / "content"
MOVES = 120

WALK = """
verb walk on stall s "walks to the {s}":
    choose one "Which way to the {s}?":
        "by day": move my pawn into s
        "by night, for {1 coin}":
            pay 1 coin
            move my pawn into s
after take-turn: walk on bank
"""

OTHER = """
instead of text "by day" of walk on stall t: "in the sun"
instead of text "Which way" of walk on stall t: "How to the {t}?"
instead of text of walk on stall t: "strolls to the {t}"
instead of text of play card c: "shows the {c}"
"""

# the game, what a mod says, what is read then, and what is read no more
RETOLD = {
    "a sentence": (
        CONTENT,
        'instead of text of build card c with tool x: "puts up the {c} by {x}"',
        (" puts up the ",),
        " builds the ",
    ),
    "a question of another game": (
        CONTENT / "sutters_mill",
        'instead of text "Your turn" of take-turn: "{me}, where do you go?"',
        ("Player 1, where do you go?",),
        "Your turn: dig for gold",
    ),
    "an option, a question and a sentence": (
        None,
        OTHER,
        ("in the sun", "How to the Bank?", "Player 1 strolls to the Bank", "Player 2 shows "),
        "day",
    ),
}


def read(pack: rulesdsl.Pack, seed: int) -> str:
    """Return all text from a random game: questions, options and the log."""
    chance, lines = random.Random(seed), list[str]()
    game = pack.new_game(2, seed)
    for _ in range(MOVES):
        if game.decision is None:
            break
        lines += [game.decision.prompt, *(each.label for each in game.decision.options)]
        game.choose(chance.choice(game.decision.options).id)
    return "\n".join([*lines, *(each.text for each in game.log)])


@pytest.mark.parametrize("name", RETOLD)
def test_a_text_is_said_in_other_words(name: str, tmp_path: Path) -> None:
    folder, rules, new, old = RETOLD[name]
    game = folder or write_game(tmp_path / "coins", {"walk.rules": WALK})
    base = rulesdsl.load(game, cache=False)
    lines = ['kind = "mod"', f'for_game = "{base.id}"']
    mod = write_mod(tmp_path / "hats", *lines, files={"hats.rules": rules + "\n"})

    before = "\n".join(read(base, seed) for seed in range(3))
    after = "\n".join(read(rulesdsl.load(game, [mod], cache=False), seed) for seed in range(3))

    assert old in before
    assert old not in after
    assert [each for each in new if each not in after] == []


def test_the_ids_of_options_stay(tmp_path: Path) -> None:
    game = write_game(tmp_path / "coins", {"walk.rules": WALK})
    rules = 'instead of text "by night" of walk on stall s: "in the dark for {2 coins}"\n'
    mod = write_mod(tmp_path / "hats", files={"hats.rules": rules})

    ids = [
        {each.id for each in rulesdsl.load(game, mods, cache=False).new_game(2, 1).actions}
        for mods in ([], [mod])
    ]

    assert ids[0] == ids[1]


@pytest.mark.parametrize(("more", "codes"), [((), ["W634"]), (('after = ["hats"]',), [])])
def test_conflicting_texts(more: tuple[str, ...], codes: list[str], tmp_path: Path) -> None:
    game = write_game(tmp_path / "coins", {"walk.rules": WALK})
    hats, shoes = (
        write_mod(
            tmp_path / name,
            *lines,
            files={"a.rules": f'instead of text "by day" of walk on stall s: "{name} on"\n'},
        )
        for name, lines in {"hats": (), "shoes": more}.items()
    )

    found = check_pack(game, [hats, shoes])[2].diagnostics

    assert [each.code for each in found] == codes
    assert "shoes on" in read(rulesdsl.load(game, [hats, shoes], cache=False), 1)


WORTH = {"cards.toml": 'source = "house"\n[juggler]\nworth = 7\n'}


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """Return a folder with a game and two mods."""
    write_game(tmp_path / "coins")
    write_mod(tmp_path / "hats", files=WORTH)
    write_mod(tmp_path / "shoes")
    return tmp_path


def test_a_saved_game_goes_on_with_the_same_mods_in_any_order(box: Path) -> None:
    mods = [box / "shoes", box / "hats"]
    saved = rulesdsl.load(box / "coins", mods, cache=False).new_game(2, 5).to_data()
    pack = rulesdsl.load(box / "coins", mods[::-1], cache=False)
    assert saved["mods"] == ["hats", "shoes"]
    assert pack.game_from_data(saved).to_data() == saved


@pytest.mark.parametrize(
    ("saved_with", "loaded_with", "message"),
    [
        (("hats", "shoes"), ("shoes",), "saved with mods that are not loaded: hats"),
        (("hats", "shoes"), (), "saved with mods that are not loaded: hats, shoes"),
        ((), ("shoes",), "saved without mods that are loaded: shoes"),
        (("hats",), ("shoes",), "saved with mods that are not loaded: hats"),
    ],
)
def test_a_saved_game_is_refused_without_its_mods(
    box: Path, saved_with: tuple[str, ...], loaded_with: tuple[str, ...], message: str
) -> None:
    saved = rulesdsl.load(box / "coins", [box / each for each in saved_with], cache=False)
    loaded = rulesdsl.load(box / "coins", [box / each for each in loaded_with], cache=False)
    with pytest.raises(ValueError, match=rf"^this game was {message}$"):
        loaded.game_from_data(saved.new_game(2, 5).to_data())


def test_a_saved_game_is_refused_by_another_game_and_by_other_content(box: Path) -> None:
    pack = rulesdsl.load(box / "coins", cache=False)
    saved = pack.new_game(2, 5).to_data()

    with pytest.raises(ValueError, match=r"^this is a saved game of stones, not of coins$"):
        pack.game_from_data(saved | {"pack": "stones"})
    with pytest.raises(ValueError, match=r"^this game was saved with different content$"):
        pack.game_from_data(saved | {"digest": "0"})
    with pytest.raises(ValueError, match=r"^this is not a saved game"):
        pack.game_from_data({"digest": pack.digest})


def test_a_mod_alone_cannot_be_loaded(box: Path) -> None:
    with pytest.raises(rulesdsl.LintError) as refused:
        rulesdsl.load(box / "hats", cache=False)
    assert [each.code for each in refused.value.diagnostics] == ["E501"]
    assert "`hats` is a mod for the game `coins`, which is not loaded." in str(refused.value)


SINGS = 'verb sing "sings": raise my fame by 1\nafter act: sing\n'
VERSES = """\
kind card:
    verse: text
instead of text of sing: "sings like {name}"
after sing when any {name}.bee in pile: say "{{verse of {name}.bee}}"
"""


def verses(folder: Path, name: str, after: str = "") -> Path:
    texts = {"more.rules": VERSES, "cards.toml": CARDS + 'verse = "{name}, {name}"\n'}
    files = {file: text.format(name=name, number=1) for file, text in texts.items()}
    return write_mod(
        folder / "mods" / name, 'kind = "mod"', 'for_game = "fly"', after, files=files
    )


def test_texts_and_fields_of_several_mods_do_not_clash(tmp_path: Path) -> None:
    game = written(tmp_path / "fly", "move all cards in deck into pile", more=SINGS)
    larks = [verses(tmp_path, name) for name in ("lark", "wren")]
    last = verses(tmp_path, "owl", 'after = ["lark", "wren"]')

    def replaced(*mods: Path) -> list[str]:
        return [
            each.message for each in check_pack(game, mods)[2].diagnostics if each.code == "W634"
        ]

    both = "These mods each replace the text of `sing`: `lark`, `wren`."
    assert replaced(*larks) == [f"{both} Players read the last one's words."]
    assert len(replaced(*larks, last)) == 1  # the owl says that it comes last

    pack = rulesdsl.load(game, mods=[last, *larks], cache=False)
    story = [str(line.text) for line in pack.new_game(1, 1).story(1)]
    assert "Player 1 sings like owl: +1 fame" in story
    assert [line for line in story if line.partition(",")[0] in {"Lark", "Wren", "Owl"}] == [
        "Lark, lark",
        "Wren, wren",
        "Owl, owl",
    ]
