from __future__ import annotations

from pathlib import Path

import pytest

from check.stock import STOCK, write
from cli.mods_on_disk import write_mod
from rulesdsl.check.frontend import check_pack, check_sources
from rulesdsl.syntax.declarations import VerdictDecl

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


def ends(game: Path, *mods: Path) -> tuple[list[str], list[str]]:
    """Return what the checker finds, and the verdicts in the order in which they are asked."""
    _, checked, report = check_pack(game, mods)
    assert checked is not None
    verdicts = [
        f"{each.word.text} {each.text}" for each in checked.program.world.endings(VerdictDecl)
    ]
    return [each.code for each in report.diagnostics], verdicts


def test_a_verdict_of_a_mod_takes_the_place_of_one_with_its_title(game: Path) -> None:
    (game / "more.rules").write_text(
        'verdict won "Rich" when my score > 9\nverdict lost "Poor"\n', encoding="utf-8"
    )
    rules = 'verdict drawn "Poor" when my score > 1\nverdict lost "Bare"\n'
    mod = write_mod(game.parent / "hats", files={"hats.rules": rules})

    assert ends(game) == ([], ["won Rich", "lost Poor"])
    assert ends(game, mod) == ([], ["won Rich", "drawn Poor", "lost Bare"])


RIVAL = (
    'rival ghost "Ghost"\n'
    "step haunt:\n    for each seat: toll\n"
    "verb toll: move up to 1 coin from heap into my purse\n"
    "before game: haunt\n"
)
TOLL = "after toll: may toll-back\nverb toll-back: move up to 1 coin from my purse into heap\n"
TOLL_AFTER = f"after toll when round = 9: gain 1 coin\n{TOLL}"


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

    monkeypatch.setattr("rulesdsl.check.frontend.check_sources", counted)
    (error,) = (each for each in check_pack(game, mods)[2].diagnostics if each.severity == "error")

    assert (Path(error.span.file).parent.name, error.span.line) == ("hats-5", 2)
    assert len(checks) <= 14
