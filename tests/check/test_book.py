import time
from pathlib import Path

import pytest

import rulesdsl
from check.stock import STOCK, write
from cli.mods_on_disk import write_mod
from game_texts import write_lanterns
from rulesdsl import LintError, Topic
from rulesdsl.check.completion import expected_after
from rulesdsl.check.frontend import check_pack, check_sources
from rulesdsl.check.rulebook import read_page
from rulesdsl.check.symbols.symbol_table import SymbolTable
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.span import SourceFile
from rulesdsl.syntax.declarations import VerdictDecl
from scenarios.small_pack import write_pack
from some import some


def _write(folder: Path, **pages: str) -> Path:
    """Write the small game with rulebook pages."""
    names = {f"rulebook/{name.replace('_', '-')}.md": text for name, text in pages.items()}
    write(write_pack(folder), names)
    return folder


def _topic(folder: Path, text: str, players: int = 2, **options: bool) -> Topic:
    pack = rulesdsl.load(_write(folder, page=f"# Title\n{text}"), cache=False)
    return pack.rulebook(players, options).topics[0]


@pytest.mark.parametrize(
    ("phrase", "filled"),
    [
        ("{start-coins}", "1"),
        ("{start-coins coins}", "1 Coin"),
        ("{(start-coins + 1) coins}", "2 Coins"),
        ("{price of baker}", "1"),
        ("{baker}", "Baker"),
        ("{rich}", "no"),
        ("{all stalls}", "2"),
        (r"\{{all stalls}\}", "{2}"),
        (r"\\{all stalls} \if \"", r"\2 \if" + ' "'),
        ("{players}", "2"),
        ("{wares of beggar}", "move up to 1 Coin from Heap into your Purse"),
    ],
)
def test_what_stands_in_braces_is_filled_in(tmp_path: Path, phrase: str, filled: str) -> None:
    assert _topic(tmp_path, f"so: {phrase}.").lines[-1] == f"so: {filled}."


def test_a_line_can_be_there_for_each_entry(tmp_path: Path) -> None:
    topic = _topic(tmp_path, "{each stall s} - {s}: {price of s}")
    assert topic.lines[1:] == ("- Baker: 1", "- Beggar: 0")


def test_a_line_can_be_there_for_some_entries(tmp_path: Path) -> None:
    topic = _topic(tmp_path, "{each stall s where price of s > 0} - {s}")
    assert topic.lines[1:] == ("- Baker",)


@pytest.mark.parametrize(("rich", "said"), [(True, "rich"), (False, "poor")])
def test_a_part_depends_on_an_option(tmp_path: Path, rich: bool, said: str) -> None:
    text = "{if rich}\nrich\n{end}\n{if not rich}\npoor\n{end}"
    assert _topic(tmp_path, text, rich=rich).lines[1:] == (said,)


def test_a_part_depends_on_the_players(tmp_path: Path) -> None:
    assert _topic(tmp_path, "{if players = 3}\nthree\n{end}", 3).lines[1:] == ("three",)


def test_a_comment_says_which_rules_are_told(tmp_path: Path) -> None:
    pack = rulesdsl.load(_write(tmp_path, page="<!-- tells: A-1,\nA-2 -->\n# Title"), cache=False)
    assert pack.rulebook().topics[0].tells == ("A-1", "A-2")


def test_a_topic_is_found_by_its_name_and_by_the_words_that_it_explains(tmp_path: Path) -> None:
    pages = {"1_start": "# Start\n\nA **stall** sells.\nIt does.\n\nMore.", "2_end": "# The end"}
    book = rulesdsl.load(_write(tmp_path, **pages), cache=False).rulebook()
    assert [each.name for each in book.topics] == ["start", "end"]
    found = [book.find(word) for word in ("End", "the end", "Stall")]
    assert [[each.name for each in topics] for topics in found] == [["end"], ["end"], ["start"]]
    assert book.find("zebra") == ()
    assert book.topics[0].about("stall") == "A **stall** sells. It does."


@pytest.mark.parametrize(
    ("word", "begins"),
    [
        ("keeper", {"start": "One two.", "end": "The keeper goes."}),  # in the text of both
        ("keep", {"start": "One two.", "end": "The keeper goes."}),
        ("eeper", {}),
        ("coins", {"start": "## Coins"}),  # a heading excludes the mention of the other page
        ("stall", {"end": "A **stall** sells."}),
        ("prize", {"start": "- A prize."}),
        ("shown", {"start": "```"}),
        ("Start", {"start": "One two."}),
    ],
)
def test_a_page_opens_at_a_word(tmp_path: Path, word: str, begins: dict[str, str]) -> None:
    start = (
        "# Start\n\nOne two.\nA keeper.\n\n## Coins\n\n- No.\n- A prize.\n\n```\na\n\nshown\n```"
    )
    end = "# The end\n\nNo coins, no start.\n\nThe keeper goes.\n\nA **stall** sells."
    pages = {"1_start": start, "2_end": end}
    book = rulesdsl.load(_write(tmp_path, **pages), cache=False).rulebook()
    found = {topic.name: topic.lines[2] for topic in book.find(word)}
    assert found == begins
    assert all(topic.lines[0].startswith("# ") for topic in book.find(word))


def test_a_game_without_pages_has_an_empty_rulebook(tmp_path: Path) -> None:
    assert rulesdsl.load(_write(tmp_path), cache=False).rulebook().topics == ()


def test_a_game_with_a_mistake_in_its_rulebook_can_be_played(tmp_path: Path) -> None:
    pack = rulesdsl.load(_write(tmp_path, page="# T\n{nonsense}"), cache=False)
    pack.new_game()
    with pytest.raises(LintError):
        pack.rulebook()


def test_a_mod_changes_pages_and_adds_some(tmp_path: Path) -> None:
    game = _write(
        tmp_path / "game", **{"1_start": "# Start\nold", "3_end": "# End\nCosts {price of baker}."}
    )
    files = {
        "stalls.toml": 'source = "house"\n[baker]\nprice = 7\n',
        "rulebook/9-start.md": "# Start\nnew",
        "rulebook/2-middle.md": "# Middle",
    }
    mod = write_mod(tmp_path / "dear", files=files)
    book = rulesdsl.load(game, [mod], cache=False).rulebook()
    assert [(each.name, each.lines[-1]) for each in book.topics] == [
        ("start", "new"),
        ("middle", "# Middle"),
        ("end", "Costs 7."),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "<!--\n",
        "<!-- tells: A-1\n",
        f"{{if {' ' * 50_000}x{{\n",
        f"{{each a b where{' ' * 50_000}x{{\n",
    ],
)
def test_what_is_never_closed_takes_no_longer_than_what_is(line: str) -> None:
    text = "# The end\n" + line * (600_000 // len(line))
    before = time.process_time()
    page = read_page("end.md", SourceFile("end.md", text), Findings())
    assert page.title == "The end"
    assert page.tells == ()
    assert time.process_time() - before < 5


DRAW = "card juggler:\n    use:\n        may draw 1 card\n"
EARN = "card juggler:\n    use: gain 5 coins\n"
TABLE = 'source = "house"\n[juggler]\nuse = "gain 6 coins"\ntext = ""\n'
TEXT = 'source = "house"\n[juggler]\ntext = ""\n'


@pytest.fixture
def game(tmp_path: Path) -> Path:
    write(tmp_path / "coins", STOCK)
    return tmp_path / "coins"


def said(game: Path, *mods: Path, field: str = "use", of: str = "card juggler") -> str:
    """Return the file that sets an entry's field, or the codes of the errors."""
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
    """Return the codes of the findings, and the verdicts in the order in which they are tested."""
    _, checked, report = check_pack(game, mods)
    assert checked is not None
    verdicts = [
        f"{each.word.text} {each.text.words[0]}"
        for each in checked.program.world.endings(VerdictDecl)
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


def test_the_guilty_mod_is_found_quickly(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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

    assert Path(error.span.file).parent.name == "hats-5"
    assert len(checks) <= 1 + len(mods)


VERBS = {"take-turn", "draw-one", "buy", "gain", "pay", "win", "dust", "game"}
PLACES = {"bank", "purse", "deck", "hand", "shelf"}
SUITS = {"sun", "moon"}
NOUNS = {"coin", "coins", "fame", "card", "cards"}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> SymbolTable:
    folder: Path = write_lanterns(tmp_path_factory.mktemp("lanterns"))
    checked = some(check_pack(folder)[1])
    return checked.program.world


@pytest.mark.parametrize(
    ("text", "names", "others"),
    [
        ("verb x:\n    ", VERBS, PLACES),
        ("verb x: for each player p: ", VERBS, {"p"}),
        ("verb x card c: move c into ", PLACES, VERBS | {"c", "worth"}),
        ("verb x: move 2 coins from my ", {"purse", "hand"}, {"bank", "fame"}),
        ("verb x: move 1 ", {"coin", "coins", "kite"}, PLACES),
        ("verb x: move top of ", {"deck"}, {"hand", "coin"}),
        ("verb x: shuffle my ", {"deck"}, {"fame"}),
        ("verb x: raise ", {"fame"}, {"dusty", "coin"}),
        ("verb x card c: mark ", {"dusty"}, {"fame", "c"}),
        ("verb x card c: do ", {"power"}, {"worth", "dusty"}),
        ("verb x card c: do power of ", {"c", "kite"}, {"fame"}),
        ("verb x card c: buy ", {"c", "kite", "card"}, {"fame", "purse"}),
        ("verb x: gain 2 ", {"coin", "coins"}, {"fame", "cards"}),
        ("verb x: if suit-of of kite = ", SUITS, {"kite", "fame"}),
        ("verb x: if any cards in my hand where suit-of = ", SUITS, {"kite", "fame"}),
        ("verb x: if any cards in ", PLACES, VERBS),
        ("verb x: for each ", {"card", "suit", "player", "seat"}, PLACES),
        ("verb x:\n    let c = a card in my hand\n    buy ", {"c"}, {"fame"}),
        ("verb x:\n    gain 1 coyn\n    buy this into that\n    win 1 ", {"fame"}, {"coin"}),
        ('verb x: say "You have {my ', {"fame", "purse"}, {"bank"}),
        ("value x of card c: worth of ", {"c", "kite"}, {"fame"}),
        ("before ", VERBS, PLACES),
        ("after buy card c: move ", {"c"}, VERBS),
        ("verb x n ", NOUNS, SUITS),
        ("verb ", set(), VERBS),
        ("verb x card ", set(), NOUNS),
        ("track x per ", {"player", "seat", "card", "suit"}, {"fame"}),
        ("place x holds ", {"card", "coin"}, {"suit", "fame"}),
        ("flag x during ", VERBS, PLACES),
        ("kind x:\n    best: ", {"number", "effect", "suit"}, {"fame"}),
        ("piece x in ", PLACES, {"coin"}),
        ('panel "x" as ', {"grid", "table", "map"}, PLACES),
        ('panel "x": ', {"hand", "fame"}, VERBS),
        ("card kite:\n    ", {"worth", "power", "suit-of"}, VERBS),
        ("card kite:\n    suit-of = ", SUITS, {"worth"}),
        ("win with most ", {"fame", "riches", "score"}, VERBS),
        ("instead of value ", {"riches", "first-coins"}, {"fame"}),
    ],
)  # fmt: skip
def test_names_in_rules(world: SymbolTable, text: str, names: set[str], others: set[str]) -> None:
    found = expected_after(text, "file", world).names
    assert names <= found, names - found
    assert not others & found


@pytest.mark.parametrize(
    ("text", "start", "names"),
    [
        ("gain 1 ", "effect", {"coin", "coins"}),
        ("for ", "effect", {"p1", "p2", "player"}),
        ("fame of ", "formula_text", {"p1", "p2"}),
    ],
)
def test_names_in_strings(world: SymbolTable, text: str, start: str, names: set[str]) -> None:
    assert names <= expected_after(text, start, world).names


def test_names_in_scope_have_their_types(world: SymbolTable) -> None:
    found = expected_after("verb x card c: for each player p: buy ", "file", world)
    assert {name: str(kind) for name, kind in found.locals.items()} == {
        "c": "a card", "p": "a player",
    }  # fmt: skip


def test_a_text_that_cannot_be_read_expects_nothing(world: SymbolTable) -> None:
    assert expected_after("verb x: move move ) ", "file", world).names == frozenset()
