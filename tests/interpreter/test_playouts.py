"""Tests that both back ends play alike: shipped games, generated packs and all uses of pieces.

The file `every_use.txt` records which uses are refused; `pytest --update-golden` rewrites it.
"""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rulesdsl
from examples import examples
from kept import shipped_pack
from packs_of_uses import THINGS, accepted, pack_of, table, told
from packs_on_the_fly import carried_on, loaded, written
from soak.playouts import compare

ROOT = Path(__file__).parents[2]
PACKS = sorted(path.parent for path in (ROOT / "content").rglob("pack.toml"))
GAMES = [path for path in PACKS if 'kind = "game"' in (path / "pack.toml").read_text("utf-8")]
FOUND = sorted((Path(__file__).parent / "simulator" / "found").iterdir())
FEW = examples(8)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
def test_shipped_games(path: Path) -> None:
    pack = shipped_pack(path)
    least, most = pack.players
    chance = random.Random(most)
    drawn = {each.name: chance.choice(each.values) for each in pack.options}
    for players, options in ((least, {}), (most, drawn)):
        compare(pack, players, options, run=1, count=2)


def test_a_shipped_game_with_all_its_mods() -> None:
    content = ROOT / "content"
    pack = shipped_pack(content, tuple(sorted((content / "mods").iterdir())))
    compare(pack, 4, {"characters": "dealt"}, run=1, count=8)


# Decisions of every kind, one inside the other, and what a value or a search may be asked in.
RULES = """\
flag tired per player
track mood per player from 0..9

value best-stall: the stall with most dudes in it
value grumpy of seat: my mood > 3 and my fame < 5

verb shift n dudes:
    let s = a stall where no my dudes in it
    move up to n dudes from my purse into s
    if any stalls where any my dudes in it and size of it > 1: raise my mood by 1
    otherwise: lower my mood by 1
    let t = the stall where any my dudes in it with most size
    if any t:
        may move 1 dude from t into my purse

verb fuss:
    choose one:
        "shift": shift 2 dudes
        "sulk":
            needs my mood < 9
            raise my mood by 2
    may up to 2 times: shift 1 dude
    menu:
        once: raise my fame by 1
        any time for each stall s in (all stalls where any my dudes in it):
            move 1 dude from s into my purse
        once for each card c in my hand: do use of c shown
"""


@pytest.fixture(scope="module")
def fussy(tmp_path_factory: pytest.TempPathFactory) -> rulesdsl.Pack:
    return loaded(
        tmp_path_factory.mktemp("fussy"),
        "if able: fuss\nif grumpy of me:\n    if able: fuss",
        RULES,
    )


@FEW
@given(st.integers(0, 2**40), st.integers(1, 4))
def test_decisions_inside_decisions(fussy: rulesdsl.Pack, seed: int, players: int) -> None:
    compare(fussy, players, {}, seed, count=1)


# Pieces that go up and down in stacks, copies that are told apart by their marks, the only one.
STACKS = """\
piece soldier "Soldier" from "soldiers.toml" 1 per player in camp
place camp "Camp" per player holds soldier
place hill "Hill" per stall holds soldier
stack line-up "Line" per stall holds soldier
flag tired per soldier per stall

verb march:
    let m = a soldier in my camp
    let s = a stall where no soldiers in line-up of it or size of it > 1
    mark tired of m at s
    choose one:
        move m into hill of s
        move m into bottom of line-up of s

verb shuffle-about:
    let s = a stall where soldiers in line-up of it > 1
    let m = a soldier in line-up of s where owner of it = me
    choose one:
        "up":
            needs position of m in line-up of s < soldiers in line-up of s
            raise m by 1
        "down":
            needs position of m in line-up of s > 1
            lower m by size of s
    let t = top of line-up of s
    if any t:
        if owner of t = me: raise my fame by position of m in line-up of s

verb come-home:
    let m = a soldier in hills where owner of it = me and not tired of it at one
    move m into my camp
    let s = the only stall where any soldiers in hill of it
    if any s: raise my fame by size of s

verb drill:
    menu:
        once: march
        once: come-home
        once: shuffle-about
        once for each stall s in (all stalls where soldiers in line-up of it > 2):
            raise my fame by 1
"""
SOLDIERS = "source = 'house'\n[man]\nname = 'Man'\ncopies = 3\n[chief]\nname = 'Chief'\n"


@pytest.mark.parametrize("players", [1, 2, 4])
def test_stacks_and_copies(players: int, tmp_path: Path) -> None:
    folder = written(tmp_path, "repeat 6 times: drill", STACKS)
    (folder / "soldiers.toml").write_text(SOLDIERS)
    pack = rulesdsl.load(folder, cache=False)
    compare(pack, players, {}, run=1, count=40)


# Lists that are made once, though what happens to their things changes what was asked for them.
LISTS = """\
track mood per player from 0..9

value crowd: all stalls where any dudes in it and dudes in stalls > size of it

verb scatter:
    for each stall s where no my dudes in it and any my dudes in my purse:
        move up to 2 dudes from my purse into s
    for each stall s where any my dudes in it and my mood < 4: raise my mood by size of s
    for each player p where mood of p < 3 or any dudes of p in purse of p:
        for p: raise my mood by 1

verb gather:
    needs any my dudes in stalls
    let s = a stall where any my dudes in it and my mood > 2
    for each stall t where t <> s and any my dudes in it: move up to 3 dudes from t into my purse
    raise my mood by 1

verb wander:
    if able: scatter
    if able: gather
    if crowd > 1: lower my mood by 2
"""


def test_what_is_asked_of_a_candidate_can_be_about_things_of_its_own(tmp_path: Path) -> None:
    act = "for each stall where any ant in deck: move up to 1 coin from heap into it shown"
    pack = loaded(tmp_path, act)
    compare(pack, 2, {}, run=1, count=4)


@pytest.mark.parametrize("players", [1, 3])
def test_lists_are_made_before_anything_is_done(players: int, tmp_path: Path) -> None:
    pack = loaded(tmp_path, "repeat 6 times: wander", LISTS)
    compare(pack, players, {}, run=1, count=40)


@pytest.mark.parametrize("folder", FOUND, ids=lambda folder: folder.name)
def test_packs_that_once_were_played_otherwise(folder: Path) -> None:
    pack = rulesdsl.load(folder, cache=False)
    compare(pack, pack.players[1], {}, run=1, count=2)


def test_a_number_beside_a_count_of_one_is_that_number(tmp_path: Path) -> None:
    best = "    let c = the card in deck with most worth\n    note if not any c\n"
    more = f"kind moon: luna\nvalue odd:\n{best}    otherwise all moons where note > 1\n"
    pack = loaded(tmp_path, "raise note by 5\nraise my fame by odd shown", more)
    compare(pack, 1, {}, run=1, count=1)
    assert carried_on(pack.new_game(1), ()).fame() == 5


@pytest.mark.parametrize("name", ["status", "options", "held", "row", "frames", "choices"])
def test_a_name_of_the_rules_may_be_one_of_ours(name: str, tmp_path: Path) -> None:
    act = (
        f"let {name} = a card in deck\nraise my fame by worth of {name} shown\n"
        f"may raise my fame by worth of {name} shown\nlet other = a card in deck\n"
        f"raise my fame by worth of other + worth of {name} shown"
    )
    pack = loaded(tmp_path, "if able: ask", "verb ask:\n    " + act.replace("\n", "\n    ") + "\n")
    compare(pack, 2, {}, run=1, count=4)


GOLDEN = Path(__file__).parent / "every_use.txt"
PLAYED = 2
MAX_CHOICES = 40


@pytest.mark.nightly
def test_every_use_has_its_error_or_none(tmp_path: Path, update_golden: bool) -> None:
    text = table({things: told(tmp_path / things, things) for things in sorted(THINGS)})
    if update_golden:
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.nightly
@pytest.mark.parametrize("things", sorted(THINGS))
def test_every_use_without_an_error_plays(things: str, tmp_path: Path) -> None:
    _play(tmp_path, things, accepted(GOLDEN.read_text(encoding="utf-8"), things))


def _play(folder: Path, things: str, uses: tuple[str, ...]) -> None:
    """Play a pack with these uses of pieces; if that fails, find one that fails on its own."""
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
        compare(pack, players, {}, run=1, count=PLAYED)
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
    wordless = {"act", "told", "hold", "mark"}  # ends of acts and what only knowledge reads
    assert all(line.text or line.kind in wordless for line in game.log)
