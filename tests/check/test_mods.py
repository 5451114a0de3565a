"""What mods say in rules over what their game, and other mods, say of the same entry or value."""

from __future__ import annotations

from pathlib import Path

import pytest

from check.stock import STOCK, write
from cli.mods_on_disk import write_mod
from rulesdsl.check.pack_check import check_sources
from rulesdsl.check.read import check_pack

DRAW = "card juggler:\n    use:\n        may draw 1 card\n"
EARN = "card juggler:\n    use: gain 5 coins\n"
TABLE = 'source = "house"\n[juggler]\nuse = "gain 6 coins"\ntext = ""\n'
TEXT = 'source = "house"\n[juggler]\ntext = ""\n'


@pytest.fixture
def game(tmp_path: Path) -> Path:
    write(tmp_path / "coins", STOCK)
    return tmp_path / "coins"


def said(game: Path, *mods: Path, field: str = "use", of: str = "card juggler") -> str:
    """Return where the field of an entry comes from that counts, or the code of an error."""
    _, checked, report = check_pack(game, mods)
    errors = [each.code for each in report.diagnostics if each.severity == "error"]
    if errors or checked is None:
        return " ".join(errors)
    kind, name = of.split()
    info = checked.program.world.kinds[kind]
    found = info.entries[info.index[name]]
    body = found.effects[field, None]
    return Path(body.span.file).relative_to(game.parent).as_posix()


def test_rules_of_a_mod_change_a_field_in_a_table_of_the_game(game: Path) -> None:
    mod = write_mod(game.parent / "hats", files={"hats.rules": DRAW, "cards.toml": TEXT})

    assert said(game) == "coins/cards.toml"
    assert said(game, mod) == "hats/hats.rules"


def test_rules_of_a_mod_change_a_field_in_rules_of_the_game(game: Path) -> None:
    rules = {"hats.rules": "stall bank:\n    reward: gain 1 fame\n"}
    mod = write_mod(game.parent / "hats", files=rules)

    assert said(game, field="reward", of="stall bank") == "coins/stock.rules"
    assert said(game, mod, field="reward", of="stall bank") == "hats/hats.rules"


def test_two_mods_change_a_field_and_one_says_that_it_comes_after(game: Path) -> None:
    box = game.parent
    hats = write_mod(box / "hats", files={"hats.rules": EARN, "cards.toml": TEXT})
    bags = write_mod(box / "bags", 'after = ["hats"]', files={"bags.rules": DRAW})
    shoes = write_mod(box / "shoes", files={"cards.toml": TABLE})
    boots = write_mod(box / "boots", 'after = ["hats"]', files={"cards.toml": TABLE})

    assert said(game, hats, bags) == "bags/bags.rules"
    assert said(game, hats, boots) == "boots/cards.toml"
    assert said(game, hats, shoes) == "E506"
    assert said(game, bags, shoes) == "E506"


@pytest.mark.parametrize(
    ("one", "other", "after", "code"),
    [
        ("instead of value length: 3", "instead of value length: 4", False, "E506"),
        ("instead of value length when short: 3", "instead of value length: 4", False, "E506"),
        ("instead of value length: 4", "instead of value length when short: 3", False, "E506"),
        ("instead of value length: 3", "instead of value length: 4", True, ""),
        ("instead of value length: 3", "instead of value length: length + 1", False, ""),
        (
            "instead of value length when short: 1",
            "instead of value length when not short: 4",
            False,
            "",
        ),
        (
            "instead of draw n cards: gain n coins",
            "instead of draw n cards: nothing",
            False,
            "E506",
        ),
        ("instead of draw n cards: gain n coins", "instead of draw n cards: nothing", True, ""),
        (
            "instead of draw n cards: gain n coins",
            "instead of draw n cards: draw (n + 1) cards",
            False,
            "",
        ),
    ],
)
def test_hooks_of_two_mods_on_one_thing(
    game: Path, one: str, other: str, after: bool, code: str
) -> None:
    hats = write_mod(game.parent / "hats", files={"hats.rules": f"{one}\n"})
    lines = ['after = ["hats"]'] if after else []
    shoes = write_mod(game.parent / "shoes", *lines, files={"shoes.rules": f"{other}\n"})
    found = check_pack(game, [hats, shoes])[2].diagnostics

    assert {each.code for each in found if each.severity == "error"} == ({code} - {""})
    if code:
        (conflict,) = (each for each in found if each.code == code)
        places = [conflict.span, *(each.span for each in conflict.related)]
        assert [Path(each.file).parent.name for each in places] == ["shoes", "hats"]


@pytest.mark.parametrize(
    ("hook", "hats", "shoes", "code"),
    [
        ("instead of value fee: 4", "", "", "E506"),
        ("instead of value fee: 4", 'after = ["shoes"]', "", "E506"),
        ("instead of value fee: 4", "", 'after = ["hats"]', ""),
        ("instead of value fee: fee + 1", "", "", ""),
        ("instead of value fee when my fame > 3: 4", "", "", ""),
    ],
)
def test_a_number_that_one_mod_sets_and_another_replaces(
    game: Path, hook: str, hats: str, shoes: str, code: str
) -> None:
    (game / "more.toml").write_text('source = "house"\nfee = 2\n')
    (game / "more.rules").write_text(
        'constants from "more.toml"\nscore more "More": fee + my fame\n'
    )
    numbers = {"more.toml": 'source = "house"\nfee = 3\n'}
    one = write_mod(game.parent / "hats", hats, files=numbers)
    other = write_mod(game.parent / "shoes", shoes, files={"shoes.rules": f"{hook}\n"})
    found = check_pack(game, [one, other])[2].diagnostics

    assert {each.code for each in found if each.severity == "error"} == ({code} - {""})
    for each in (each for each in found if each.code == code):
        assert "`hats` sets `fee`, and `shoes` replaces it." in each.message
        places = [each.span, *(one.span for one in each.related)]
        assert {Path(one.file).parent.name for one in places} == {"shoes", "hats"}


def test_a_number_of_the_game_may_be_replaced(game: Path) -> None:
    (game / "more.toml").write_text('source = "house"\nfee = 2\n')
    (game / "more.rules").write_text('constants from "more.toml"\nscore more "More": fee\n')
    mod = write_mod(game.parent / "hats", files={"hats.rules": "instead of value fee: 4\n"})

    assert not check_pack(game, [mod])[2].diagnostics


def test_a_mod_may_replace_what_its_game_has_replaced(game: Path) -> None:
    (game / "more.rules").write_text("instead of value length: 3\n")
    mod = write_mod(game.parent / "hats", files={"hats.rules": "instead of value length: 4\n"})

    assert not check_pack(game, [mod])[2].diagnostics


def test_within_a_pack_two_hooks_that_replace_a_value_are_a_mistake(game: Path) -> None:
    (game / "more.rules").write_text("instead of value length: 3\ninstead of value length: 4\n")

    assert [each.code for each in check_pack(game)[2].diagnostics] == ["E409"]


def ends(game: Path, *mods: Path) -> tuple[list[str], list[str]]:
    """Return what the checker finds, and the verdicts in the order in which they are asked."""
    _, checked, report = check_pack(game, mods)
    assert checked is not None
    verdicts = [f"{each.word} {each.text}" for each in checked.program.verdicts]
    return [each.code for each in report.diagnostics], verdicts


def test_a_verdict_of_a_mod_takes_the_place_of_one_with_its_title(game: Path) -> None:
    (game / "more.rules").write_text(
        'verdict won "Rich" when my score > 9\nverdict lost "Poor"\n', encoding="utf-8"
    )
    rules = 'verdict drawn "Poor" when my score > 1\nverdict lost "Bare"\n'
    mod = write_mod(game.parent / "hats", files={"hats.rules": rules})

    assert ends(game) == ([], ["won Rich", "lost Poor"])
    assert ends(game, mod) == ([], ["won Rich", "drawn Poor", "lost Bare"])


@pytest.mark.parametrize(
    ("one", "other", "after", "codes"),
    [
        ("win with most my fame", "win with least my fame", False, ["E506"]),
        ("win with most my fame", "win with least my fame", True, []),
        ("win with most my fame", "win with most my fame", False, []),
        ('verdict won "A" when my fame > 1', 'verdict won "A" when my fame > 2', False, ["E506"]),
        ('verdict won "A" when my fame > 1', 'verdict lost "A" when my fame > 1', False, ["E506"]),
        ('verdict won "A" when my fame > 1', 'verdict won "A" when my fame > 2', True, []),
        ('verdict won "A" when my fame > 1', 'verdict won "A" when my fame > 1', False, []),
        ('verdict won "A" when my fame > 1', 'verdict won "B" when my fame > 2', False, []),
        ('verdict won "A" when my fame > 1', 'verdict won "B" when my fame > 1', False, ["W610"]),
    ],
)
def test_what_two_mods_say_of_the_end(
    game: Path, one: str, other: str, after: bool, codes: list[str]
) -> None:
    hats = write_mod(game.parent / "hats", files={"hats.rules": f"{one}\n"})
    lines = ['after = ["hats"]'] if after else []
    shoes = write_mod(game.parent / "shoes", *lines, files={"shoes.rules": f"{other}\n"})

    assert ends(game, hats, shoes)[0] == codes


def test_two_mods_are_not_at_odds_where_a_third_comes_after_both(game: Path) -> None:
    said = 'win with most {0} * my fame\nverdict won "A" when my fame > {0}\n'
    names = ("hats", "shoes", "socks")
    mods = [
        write_mod(
            game.parent / name,
            *(['after = ["hats", "shoes"]'] if name == "socks" else []),
            files={f"{name}.rules": said.format(at)},
        )
        for at, name in enumerate(names)
    ]

    assert ends(game, *mods) == ([], ["won A"])


RIVAL = (
    'rival ghost "Ghost"\n'
    "step haunt:\n    for each seat: toll\n"
    "verb toll: move up to 1 coin from heap into my purse\n"
    "before game: haunt\n"
)
TOLL = "after toll: may toll-back\nverb toll-back: move up to 1 coin from my purse into heap\n"
SHARE = 'value share: 12 / last-round\nscore share-score "Share": share\n'
RITES = (
    'kind rite from "rites.toml":\n    deed: effect\n'
    "after take-turn:\n    let r = random rite\n    do deed of r\n"
)
TOLL_AFTER = f"after toll when round = 9: gain 1 coin\n{TOLL}"
ROUNDS = (
    "step go-round:\n    repeat 300 times:\n        repeat 300 times: wave\n"
    "step wave: nothing\nbefore game: go-round\n"
)
OTHER = "after gain n fame: nothing\nafter toll: gain 1 coin\n"


@pytest.mark.parametrize(
    ("rules", "file", "text", "found"),
    [
        (RIVAL, "hats.rules", TOLL, "E405 hats.rules:1 more.rules:3"),
        (RIVAL, "hats.rules", OTHER + TOLL, "E405 hats.rules:3 more.rules:3"),
        (
            SHARE,
            "hats.rules",
            "instead of value last-round when short: last-round + 1\n",
            "E301 hats.rules:1 more.rules:1",
        ),
        (SHARE, "numbers.toml", "# none\nlast-round = 0\n", "E301 numbers.toml:2 more.rules:1"),
        (
            RITES,
            "rites.toml",
            'source = "house"\n[hats.moon]\ndeed = "pay 3 coins"\n',
            "E401 rites.toml:3 more.rules:5",
        ),
        (
            RITES,
            "rites.toml",
            'source = "house"\n[hats.moon]\nname = "Moon"\n',
            "E401 rites.toml:2 more.rules:5",
        ),
        ("", "hats.rules", "after gain n coins: visit bank\n", "E403 hats.rules:1 stock.rules:26"),
        (
            "",
            "hats.rules",
            "instead of discard card c: nothing\n",
            "E402 hats.rules:1 play.rules:17",
        ),
        (
            ROUNDS,
            "hats.rules",
            "after wave:\n    repeat 90 times: shuffle deck\n",
            "E407 hats.rules:1 more.rules:2",
        ),
    ],
)
def test_what_a_mod_causes_in_its_game_is_reported_in_the_mod(
    game: Path, rules: str, file: str, text: str, found: str
) -> None:
    (game / "more.rules").write_text(rules, encoding="utf-8")
    (game / "rites.toml").write_text(
        'source = "house"\n[sun]\ndeed = "gain 1 coin"\n', encoding="utf-8"
    )
    mod = write_mod(game.parent / "hats", files={file: text})

    assert not [each for each in check_pack(game)[2].diagnostics if each.severity == "error"]
    (error,) = (
        each for each in check_pack(game, [mod])[2].diagnostics if each.severity == "error"
    )
    first, second = (
        f"{Path(span.file).name}:{span.line}" for span in (error.span, error.related[0].span)
    )
    assert f"{error.code} {first} {second}" == found
    assert error.message.startswith("This breaks a line of `coins`: ")


def test_what_is_wrong_without_a_mod_is_not_its_fault(game: Path) -> None:
    (game / "more.rules").write_text(RIVAL.replace("toll: move", "toll: may move"), "utf-8")
    mod = write_mod(game.parent / "hats", files={"hats.rules": TOLL})

    alone, both = (
        [str(each) for each in check_pack(game, mods)[2].diagnostics if each.code == "E405"]
        for mods in ([], [mod])
    )
    assert alone
    assert both == alone


def test_of_two_mods_the_one_is_told_that_causes_it(game: Path) -> None:
    (game / "more.rules").write_text(RIVAL, encoding="utf-8")
    hats = write_mod(game.parent / "hats", files={"hats.rules": "after toll: gain 1 coin\n"})
    shoes = write_mod(game.parent / "shoes", files={"shoes.rules": TOLL})

    (error,) = (
        each for each in check_pack(game, [hats, shoes])[2].diagnostics if each.severity == "error"
    )
    assert Path(error.span.file).name == "shoes.rules"


def test_of_many_mods_that_change_much_few_things_are_left_out_to_find_the_one(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calm = "".join(f"after toll when my fame = {at}: gain 1 coin\n" for at in range(9))
    (game / "more.rules").write_text(RIVAL, encoding="utf-8")
    mods = [
        write_mod(
            game.parent / f"hats-{at}", files={"hats.rules": TOLL_AFTER if at == 5 else calm}
        )
        for at in range(9)
    ]
    checks: list[int] = []

    def counted(*given: object) -> object:
        checks.append(1)
        return check_sources(*given)  # type: ignore[arg-type]

    monkeypatch.setattr("rulesdsl.check.read.check_sources", counted)
    (error,) = (each for each in check_pack(game, mods)[2].diagnostics if each.severity == "error")

    assert (Path(error.span.file).parent.name, error.span.line) == ("hats-5", 2)
    assert len(checks) <= 14
