from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import loaded
from rulesdsl.bots.learned import Learned
from rulesdsl.bots.training import train
from rulesdsl.bots.weights import WeightsError, check_fit, holdings_in, read, written

SHOP = """\
verb shop:
    choose one:
        "copper": raise my fame by 1
        "silver": raise my fame by 2
        "gold": raise my fame by 3
        "{last}": nothing
"""


SAVE = """\
verb save:
    choose one:
        "earn": gain 1 coins
        "spend": raise my fame by coins in my purse
"""


def shop(folder: Path, last: str = "nothing") -> rulesdsl.Pack:
    return loaded(folder, "shop\nshop\nshop", SHOP.replace("{last}", last))


def learned(pack: rulesdsl.Pack, games: int, known: Learned | None = None) -> Learned:
    every = train([pack.simulator(3)], known or Learned(), games, seed=2)
    return list(every)[-1]


def test_what_pays_more_weighs_more(tmp_path: Path) -> None:
    weights = learned(shop(tmp_path), 3000).weights

    own = (each for each in weights if each.startswith("shop: "))
    order = sorted(own, key=lambda each: weights[each])
    assert [each.rpartition(" ")[2] for each in order] == ["nothing", "copper", "silver", "gold"]


def test_who_has_learned_wins(tmp_path: Path) -> None:
    pack = shop(tmp_path)
    found = pack.simulator(3).playouts(300, weights=(learned(pack, 6000).taste, {}, {}))

    best, *others = found.totals.scores
    assert best > 1.4 * max(others)


def test_what_is_good_depends_on_what_one_has(tmp_path: Path) -> None:
    pack = loaded(tmp_path, "save\nsave\nsave", SAVE)
    plain, looking = (
        learned(pack, 6000, Learned(held={each: {} for each in held}))
        for held in ((), ("coins in purse",))
    )

    spend = looking.held["coins in purse"]["save: spend"]
    assert spend[0] < 0 < spend[2], "with no coins it is nothing, with two of three it is best"
    points = [
        sum(pack.simulator(3).playouts(300, weights=each.taste).totals.scores)
        for each in (plain, looking)
    ]
    assert points[1] > 1.2 * points[0]


def test_training_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    pack = shop(tmp_path)

    assert learned(pack, 1000) == learned(pack, 500, learned(pack, 500))


def test_weights_are_written_and_read(tmp_path: Path) -> None:
    pack = shop(tmp_path)
    known = learned(pack, 500, Learned(held={"coins in purse": {}, "fames": {}}))
    (tmp_path / "trained.toml").write_text(written(known, pack, 2))

    again = read(tmp_path / "trained.toml", pack)

    assert again.games == 500
    assert again.weights == pytest.approx(known.weights, abs=0.01)
    assert [*again.held] == holdings_in(tmp_path / "trained.toml") == ["coins in purse", "fames"]
    learnt, kept = (each.held["fames"].get("shop: gold", [0.0] * 9) for each in (known, again))
    assert kept == pytest.approx(learnt, abs=0.06)
    check_fit(again, pack.simulator(3).setting.option_names)


def test_weights_of_other_content_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    known = learned(shop(tmp_path), 500)
    known.weights = dict.fromkeys(list(known.weights)[:2], 0.0) | {"shop: ruby": 1.0}

    with pytest.raises(
        WeightsError, match=r"[0-9] of [0-9] options are new; run `coloma train` again"
    ):
        check_fit(known, shop(folder).simulator(3).setting.option_names)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("game = ", "is not TOML"),
        ('game = "chess"', "has the weights of a game other than "),
        ('game = "{id}"', "`games` must be the number of games"),
        ('game = "{id}"\ngames = true', "`games` must be the number of games"),
        ('game = "{id}"\ngames = 1', "has no table `weights`"),
        ('game = "{id}"\ngames = 1\nweights = {a = "b"}', "the weight of `a` is not a number"),
        ('game = "{id}"\ngames = 1\nweights = {a = nan}', "not a number from -7 to 7"),
        ('game = "{id}"\ngames = 1\nweights = {a = 99}', "not a number from -7 to 7"),
        ('game = "{id}"\ngames = 1\nheld = 1\n[weights]', "one table for each holding"),
        ('game = "{id}"\ngames = 1\n[weights]\n[held.fames]\na = [1]', "not a list of 9 weights"),
        (
            'game = "{id}"\ngames = 1\n[weights]\n[held."gold in attic"]',
            "no holding `gold in attic`",
        ),
        (
            'game = "{id}"\ngames = 1\nweights = {"a\\n\\u001b" = 8}',
            "weight of `a\ufffd\ufffd` is",
        ),
        (f'game = "{{id}}"\ngames = 1\nweights = {{{"a" * 9999} = 8}}', "`a{300}…` is not"),
    ],
)
def test_wrong_files_are_refused(tmp_path: Path, text: str, message: str) -> None:
    pack = shop(tmp_path)
    (tmp_path / "trained.toml").write_text(text.replace("{id}", pack.id))

    with pytest.raises(WeightsError, match=message):
        read(tmp_path / "trained.toml", pack)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="cannot be read: "):
        read(tmp_path / "none.toml", shop(tmp_path))
