import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import rulesdsl
from coloma.packs import bundled_packs
from kept import shipped_pack
from packs_on_the_fly import MANIFEST
from rulesdsl import Game
from rulesdsl.scenarios import Suite, load_suite, run_scenarios
from rulesdsl.scenarios.coverage import CHECKLIST, covered_rules
from rulesdsl.source.render import render_text
from rulesdsl.syntax.format import format_rules
from some import some

CONTENT = Path(__file__).parents[2] / "content"
MODS = sorted(each.parent for each in (CONTENT / "mods").glob("*/pack.toml"))


@pytest.mark.parametrize("mod", MODS, ids=lambda mod: mod.name)
def test_the_scenarios_of_a_mod_pass_alone_and_with_the_others(mod: Path) -> None:
    for mods in ([mod], MODS):
        report = run_scenarios(CONTENT, mods, of=mod)

        assert report.results
        assert [str(each) for each in report.results if not each.passed] == []


@pytest.mark.nightly
def test_the_scenarios_of_the_game_pass_with_all_mods() -> None:
    report = run_scenarios(CONTENT, MODS, of=CONTENT)
    failed = [each.scenario for each in report.results if not each.passed]
    # those about how the characters are handed out count them: a mod brings more
    handing_out = {"CHAR-01", "RUL-104"}
    others = [each for each in failed if not {note.text for note in each.covers} <= handing_out]
    assert others == []


@pytest.mark.parametrize(("short", "rounds"), [(False, 3), (True, 2)])
def test_a_short_game_ends_after_two_rounds(short: bool, rounds: int) -> None:
    pack = shipped_pack(CONTENT, (CONTENT / "mods" / "variants",))
    game = pack.new_game(players=3, seed=5, options={"short-game": short})
    while decision := game.decision:
        game.choose(decision.count - 1)
    assert game.position_data()["state"]["t_round"] == rounds


BIDS = [
    (".", "coloma", "choose-sites", "bucks"),
    ("sutters_mill", "sutters_mill", "play-round on player p", "nuggets"),
]


@pytest.mark.parametrize(("folder", "game", "step", "noun"), BIDS)
def test_all_can_bid_in_secret_what_they_have(
    tmp_path: Path, folder: str, game: str, step: str, noun: str
) -> None:
    manifest = MANIFEST.replace('kind = "game"', f'kind = "mod"\nfor_game = "{game}"')
    (tmp_path / "pack.toml").write_text(manifest.partition("players")[0] + 'language = "0.2"\n')
    bid = f'all choose secretly a number n in 0..my {noun} "Bid?": pay n {noun}'
    (tmp_path / "bids.rules").write_text(f"before {step}:\n    {bid}\n")
    assert rulesdsl.lint(CONTENT / folder, mods=[tmp_path]).diagnostics == ()

    played = rulesdsl.load(CONTENT / folder, mods=[tmp_path], cache=False).new_game(3, seed=1)
    chance, track = random.Random(1), f"t_{noun[:-1]}"
    bids = 0
    while played.decision:
        asked = played.decisions
        if len(asked) == 3 and asked[0].prompt == "Bid?":
            have = played.position_data()["state"][track]
            assert [each.count for each in asked] == [amount + 1 for amount in have[:3]]
            bids += sum(have) > 0
        decision = chance.choice(asked)
        played.choose(chance.randrange(decision.count), decision.player)
    assert bids > 1


PAGE = CONTENT / "characters.md"
_BLOCK = re.compile(r"^```\w+ +(\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def files() -> dict[str, str]:
    found: dict[str, str] = {}
    for path, text in _BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        found[path] = f"{found[path]}\n{text}" if path in found else text
    return found


@pytest.fixture
def mod(tmp_path: Path) -> Path:
    for path, text in files().items():
        place = tmp_path / path
        place.parent.mkdir(exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return tmp_path


def test_it_lints_clean_alone_and_with_the_shipped_mods(mod: Path) -> None:
    for mods in ([mod], [mod, *MODS]):
        assert rulesdsl.lint(CONTENT, mods=mods).diagnostics == ()


def test_its_rules_are_formatted() -> None:
    text = files()["powers.rules"]
    assert format_rules(text, "powers.rules") == text


def test_its_scenarios_pass_and_there_is_one_for_every_character(mod: Path) -> None:
    report = run_scenarios(CONTENT, [mod], of=mod)
    characters = re.findall(r"(?m)^\[(folk\..*)\]$", files()["characters.toml"])
    assert [str(each) for each in report.results if not each.passed] == []
    assert len(report.results) == len(characters)
    for each in characters:
        assert each in files()["scenarios/powers.toml"]


def test_its_characters_are_played(mod: Path) -> None:
    pack = rulesdsl.load(CONTENT, mods=[mod], cache=False)
    least, most = pack.players
    for players in range(least, most + 1):
        game = pack.new_game(players, players, {"characters": "dealt"})
        chance = random.Random(players)
        while decision := game.decision:
            game.choose(chance.randrange(decision.count))
        assert game.result is not None


POSITIONS = 300

SAID = {
    "a busted Site": (
        ".",
        "use-boom-on-boom-site-of-the-site",
        r".+ is Bust: its Boom section is closed\.",
    ),
    "what an action costs": (
        "sutters_mill",
        "pay-up-place-prospector",
        r"An action costs \d+ Nuggets? now, and you have \d+\.",
    ),
    "tearing down": (
        "sutters_mill",
        "pay-up-take-card-off",
        r"This is only for those who tear down\.",
    ),
}


def reasons(game: Game, wanted: str, chance: random.Random) -> Iterator[str]:
    for _ in range(POSITIONS):
        if game.decision is None:
            return
        asked = game.decision.ask
        for each in game.actions:
            if each.id == wanted and game.setting.engine.asks[each.asked_in] is asked:
                yield game.why_not(each, game.decision.player).text
        game.choose(chance.choice(game.decision.options).id)


@pytest.mark.parametrize("name", SAID)
def test_the_games_say_why_in_words_of_their_own(name: str) -> None:
    folder, wanted, text = SAID[name]
    pack = rulesdsl.load(CONTENT / folder)

    found = (
        each
        for seed in range(20)
        for each in reasons(pack.new_game(3, seed), wanted, random.Random(seed))
    )

    assert any(re.fullmatch(text, each) for each in found)


GAMES = [each.folder for each in bundled_packs() if not each.is_mod]
SUTTERS_MILL = next(each for each in GAMES if each.name == "sutters_mill")

each_game = pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)


@cache
def suite(folder: Path) -> Suite:
    return load_suite(folder)


@pytest.mark.parametrize(
    "folder", [each for each in GAMES if (each / CHECKLIST).exists()], ids=lambda each: each.name
)
def test_scenarios_name_rules_of_the_checklist(folder: Path) -> None:
    found = suite(folder)
    rules = some(covered_rules(found.pack, [each.scenario for each in found.scenarios]))
    assert not rules.findings, render_text(rules.findings, found.layers.sources)
    assert not rules.missing


def test_a_vein_is_dug_out_however_slowly() -> None:
    """Cover END-01 and RUL-34, in a game too long for a scenario: only a counter ends it."""
    game = rulesdsl.load(SUTTERS_MILL).new_game(2, seed=1, log=False)
    digger = game.decisions[0].player
    walks = ["hook", "mill"] * 8 + ["hook"]
    camps = ("river", "hillside", "mine")
    goals = [goal for at in range(72) for goal in (*walks, camps[at // 24], "dig")]
    turns, moved = 0, False
    while (decision := game.decision) is not None:
        ids, mine = [each.id for each in decision.options], decision.player == digger
        goal = goals[max(turns - 1, 0)]
        if "no" in ids:
            game.choose("no")
            turns, moved = turns + mine, False
        elif "gold-turn" in ids:
            game.choose("gold-turn" if mine and goal == "dig" else "operate")
        elif "done" in ids:
            game.choose("pay-up-move-prospector" if mine and not moved else "done")
            moved = True
        else:
            game.choose(f"spot:{'mill' if goal == 'dig' else goal}")
    assert turns == len(goals)
