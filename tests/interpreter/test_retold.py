from __future__ import annotations

import random
from pathlib import Path

import pytest

import rulesdsl
from cli.mods_on_disk import write_game, write_mod
from rulesdsl.check.frontend import check_pack

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
    """Return all that is read in a random game: questions, options, the log."""
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


@pytest.mark.parametrize(("more", "codes"), [((), ["E506"]), (('after = ["hats"]',), [])])
def test_two_mods_that_replace_one_text_need_an_order(
    more: tuple[str, ...], codes: list[str], tmp_path: Path
) -> None:
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
    if not codes:
        assert "shoes on" in read(rulesdsl.load(game, [hats, shoes], cache=False), 1)
