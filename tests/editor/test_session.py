import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import rulesdsl
from coloma.fixing import packs_of
from game_texts import write_lanterns
from packs_on_the_fly import MANIFEST
from rulesdsl.check.frontend import check_pack
from rulesdsl.check.symbols.symbol_table import ReferenceRole, Symbol, SymbolKind
from rulesdsl.editor import Session, jobs
from rulesdsl.editor.completion import complete
from rulesdsl.editor.references import TextPosition, View
from rulesdsl.editor.rename import Refused, renaming
from rulesdsl.editor.server.text_sync import Workspace
from rulesdsl.scenarios import run_scenarios
from rulesdsl.source.diagnostics import edited
from rulesdsl.source.span import SourceFile
from some import some

RULES = """\
track fame per seat from 0..3
step game: for each player: raise my fame by 1
score final "Fame": my fame
win with most score
"""


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    tmp_path.joinpath("pack.toml").write_text(MANIFEST, encoding="utf-8")
    tmp_path.joinpath("main.rules").write_text(RULES, encoding="utf-8")
    return tmp_path


def _codes(session: Session) -> list[str]:
    return [each.code for each in session.check().report.diagnostics]


def test_an_open_text_counts_until_it_is_closed(pack: Path) -> None:
    session = Session(pack)
    before = session.check()
    assert before.report.errors == ()
    session.edit(pack / "main.rules", RULES.replace("most score", "most glory"))
    assert before.report != session.check().report
    assert "E201" in _codes(session)
    session.edit(pack / "main.rules", None)
    assert session.check().report == before.report == rulesdsl.lint(pack)


def test_a_file_that_is_not_on_the_disk_counts(pack: Path) -> None:
    session = Session(pack)
    session.edit(pack / "deeper" / "more.rules", "verb cheer: raise glory by 1\n")
    assert [each.span.file for each in session.check().report.errors] == [
        f"{pack}/deeper/more.rules"
    ]
    session.edit(pack / "deeper" / "more.rules", None)
    assert session.check().report == rulesdsl.lint(pack)


def test_files_that_change_on_the_disk_are_read_again(pack: Path) -> None:
    session = Session(pack)
    session.check()
    pack.joinpath("main.rules").write_text(
        RULES + "verb cheer: raise glory by 1\n", encoding="utf-8"
    )
    assert "E201" in _codes(session)
    pack.joinpath("main.rules").rename(pack / "other.rules")
    assert session.check().report == rulesdsl.lint(pack)
    pack.joinpath("other.rules").unlink()
    assert _codes(session) == ["E408"]


def test_unchanged_files_are_not_read(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(pack)
    session.check()
    monkeypatch.setattr("rulesdsl.source.files.read_inside", None)
    session.edit(pack / "more.rules", "verb cheer: raise glory by 1\n")
    assert "E201" in _codes(session)


def test_a_pack_that_is_only_open_is_a_pack(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    session = Session(folder)
    assert _codes(session) == ["E001"]
    session.edit(folder / "pack.toml", MANIFEST)
    session.edit(folder / "main.rules", RULES)
    assert session.check().report.errors == ()


def test_a_link_to_a_file(pack: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    link = tmp_path_factory.mktemp("links") / "link"
    link.symlink_to(pack)
    session = Session(pack)
    session.edit(link / "main.rules", RULES + "verb cheer: raise glory by 1\n")
    assert "E201" in _codes(session)


def test_a_pack_that_is_deleted_is_gone(pack: Path) -> None:
    session = Session(pack)
    session.check()
    shutil.rmtree(pack)
    assert session.check().report == rulesdsl.lint(pack)


def test_a_text_that_is_no_utf_8_is_a_finding(pack: Path) -> None:
    session = Session(pack)
    session.edit(pack / "more.rules", "# \udc80\n")
    assert _codes(session) == ["E001"]


def _view(folder: Path) -> View:
    layers, checked, report = check_pack(folder, [folder / "mods/rich"])
    assert report.diagnostics == ()
    assert layers is not None
    assert checked is not None
    return View(layers, checked)


def _declared(view: View) -> Iterator[Symbol]:
    for thing in view.things:
        names = view.of_rules(thing)
        if thing != Symbol(SymbolKind.VERB, "game") and any(
            each.role is ReferenceRole.DECLARES for each in names
        ):
            yield thing


def _renamed(view: View, thing: Symbol, number: int, folder: Path) -> View:
    own = thing.name.rpartition(".")
    edits = renaming(view, thing, f"{own[0]}{own[1]}fresh{number}")
    for file in {each.span.file for each in edits}:
        source = some(view.source(file))
        text = edited(source.text, [each for each in edits if each.span.file == file])
        (folder / file).write_text(text, encoding="utf-8", newline="")
    return _view(folder)


def _passing(folder: Path) -> int:
    mod = folder / "mods/rich"
    reports = [run_scenarios(folder), run_scenarios(folder, [mod], of=mod)]
    assert all(each.ok for each in reports)
    return sum(len(each.results) for each in reports)


def _games(folder: Path, count: int = 3) -> list[object]:
    pack, found = rulesdsl.load(folder), list[object]()
    for seed in range(count):
        chance, game = random.Random(seed), pack.new_game(2 + seed, seed)
        while (decision := game.decision) is not None:
            index = chance.randrange(decision.count)
            found.append((decision.player, decision.count, index))
            game.choose(index)
        assert game.result is not None
        found.append((game.result.scores, game.result.places))
    return found


def test_every_word_can_be_renamed(tmp_path: Path) -> None:
    view = _view(write_lanterns(tmp_path))
    many, before = len(list(_declared(view))), _games(tmp_path)
    number = 0
    while left := [each for each in _declared(view) if "fresh" not in each.name]:
        view, number = _renamed(view, left[0], number, tmp_path), number + 1

    assert number == many > 20
    _view(tmp_path)
    assert _passing(tmp_path) == 2
    assert _games(tmp_path) == before


POLISH = """\
        once: polish
verb polish:
    choose one:
        "dust":
            dust
            win 1 fame
        "rest": rest
        "stay": win 1 fame
verb rest:
    let s = a suit where lit of it "Which suit?"
    mark lit of s
flag lit per suit
"""
POLISHED = """
[[scenario]]
name = "A moon is dusted"
play = "for p1: polish"
do = ["p1 dust-win-1-fame"]
expect = ["fame of p1 = 1"]

[[scenario]]
name = "Nothing is lit, so nobody rests"
play = "for p1: polish"
do = []
why-not = ["p1 rest because It needs: a Suit that is lit"]
"""


@pytest.mark.parametrize(
    "thing",
    [Symbol(SymbolKind.NOUN, "suit"), Symbol(SymbolKind.VERB, "dust")],
    ids=lambda each: each.name,
)
def test_scenarios_that_name_it_pass_afterwards(tmp_path: Path, thing: Symbol) -> None:
    write_lanterns(tmp_path)
    for file, more in (("game.rules", POLISH), ("scenarios/coins.toml", POLISHED)):
        before, line, after = (tmp_path / file).read_text().partition("card in my hand\n")
        (tmp_path / file).write_text(before + line + more + after)
    _renamed(_view(tmp_path), thing, 1, tmp_path)
    _view(tmp_path)
    assert _passing(tmp_path) == 4


@pytest.mark.parametrize(
    ("thing", "plain", "escaped"),
    [
        (Symbol(SymbolKind.VERB, "dust"), '"dust"', '"du\\u0073t"'),
        (Symbol(SymbolKind.ENTRY, "moon", "suit"), '"moon"', '"\\u006doon"'),
        (Symbol(SymbolKind.FIELD, "worth", "card"), "worth = 3", '"wo\\u0072th" = 3'),
        (Symbol(SymbolKind.ENTRY, "kite", "card"), "[kite]", '["k\\U00000069te"]'),
        (Symbol(SymbolKind.NOUN, "coin"), "cost = { coins = 2 }", 'cost = { "coin\\u0073" = 2 }'),
    ],
    ids=lambda each: str(getattr(each, "name", "")),
)
def test_names_with_escapes_are_renamed(
    tmp_path: Path, thing: Symbol, plain: str, escaped: str
) -> None:
    cards = write_lanterns(tmp_path) / "cards.toml"
    text = cards.read_text()
    assert plain in text
    cards.write_text(text.replace(plain, escaped))

    _renamed(_view(tmp_path), thing, 1, tmp_path)

    assert "\\" not in cards.read_text()
    _view(tmp_path)


def test_a_game_that_goes_another_way_would_be_noticed(tmp_path: Path) -> None:
    before = _games(write_lanterns(tmp_path))
    numbers = tmp_path / "numbers.toml"
    numbers.write_text('source = "house"\nfirst-coins = 1\n', encoding="utf-8")
    assert _games(tmp_path) != before


@pytest.mark.parametrize(
    ("thing", "name"),
    [
        (Symbol(SymbolKind.NOUN, "coin"), "fame"),
        (Symbol(SymbolKind.NOUN, "purse"), "coins"),
        (Symbol(SymbolKind.ENTRY, "kite", "card"), "moon"),
        (Symbol(SymbolKind.VERB, "dust"), "menu"),
        (Symbol(SymbolKind.VERB, "game"), "all-of-it"),
    ],
)
def test_names_that_are_taken_are_refused(tmp_path: Path, thing: Symbol, name: str) -> None:
    with pytest.raises(Refused):
        renaming(_view(write_lanterns(tmp_path)), thing, name)


WRONG = 'source "house"\nafter take-turn: gain 1 coyn\n'


def _let_mod_be(workspace: Workspace, folder: Path, *, there: bool) -> None:
    manifest = folder / "mods/rich/pack.toml"
    text = manifest.read_text(encoding="utf-8").replace("lantirns", "lanterns")
    if not there:
        text = text.replace("lanterns", "lantirns")
    manifest.write_text(text, encoding="utf-8")
    workspace.find_again()


def _is_wrong(workspace: Workspace, folder: Path) -> bool:
    project = some(workspace.project(str(folder / "game.rules")))
    return any(project.findings().values())


def test_a_mod_that_comes_back_has_the_texts_that_are_open(tmp_path: Path) -> None:
    folder, workspace = write_lanterns(tmp_path), Workspace(packs_of)
    rules = folder / "mods/rich/rich.rules"
    workspace.put(str(folder / "game.rules"), (folder / "game.rules").read_text(encoding="utf-8"))
    workspace.put(str(rules), WRONG)
    assert _is_wrong(workspace, folder)

    _let_mod_be(workspace, folder, there=False)
    assert not _is_wrong(workspace, folder)
    workspace.put(str(rules), None)  # it is closed while it belongs to no game
    _let_mod_be(workspace, folder, there=True)
    assert not _is_wrong(workspace, folder)
    workspace.put(str(rules), WRONG)
    assert _is_wrong(workspace, folder)


def test_findings_of_one_file_do_not_wait_for_all_mods(tmp_path: Path) -> None:
    folder, workspace = write_lanterns(tmp_path), Workspace(packs_of)
    file = str(folder / "game.rules")
    text = (folder / "game.rules").read_text(encoding="utf-8")
    workspace.put(file, f"{text}verb lose: gain 1 coyn\n")
    project = some(workspace.project(file))

    assert "E201" in [each.code for each in project.findings_in(file)]
    assert project.is_stale
    assert any(project.findings().values())
    assert not project.is_stale


FIRST, SHARE = 5, 0.9
_WORD = re.compile(r"any time|up to|[a-z][\w-]*")
_ASIDE = re.compile(r'#.*|"[^"]*"')  # comments, and what players read


def test_every_word_is_offered_after_its_first_letter(tmp_path: Path) -> None:
    view = _view(write_lanterns(tmp_path))
    source = view.sources[(tmp_path / "game.rules").as_posix()]
    declared = {
        (each.span.line, each.span.column)
        for each in view.in_file(source.path)
        if each.role is ReferenceRole.DECLARES
    }
    places = [
        (number, found)
        for number, line in enumerate(source.lines, 1)
        for found in _WORD.finditer(_ASIDE.sub(lambda text: " " * len(text[0]), line))
        if (number, found.start() + 1) not in declared
    ]
    first = 0
    for number, found in places:
        lines = list(source.lines)
        line = lines[number - 1]
        lines[number - 1] = line[: found.start() + 1] + line[found.end() :]
        spot = TextPosition(source.path, number, found.start() + 2)
        items = complete(view, SourceFile(source.path, "\n".join(lines)), spot)
        words = [each.word for each in items]
        assert found[0] in words, line
        first += words.index(found[0]) < FIRST

    assert first >= SHARE * len(places) > 100


def test_the_form_of_a_verb_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(write_lanterns(tmp_path))
    jobs.main([jobs.FORM, "dust", "tree", folder])
    assert capsys.readouterr().out.startswith("dust()\n")
    jobs.main([jobs.FORM, "rust", "tree", folder])
    assert capsys.readouterr().out == "There is no verb, step or value rust.\n"


def test_what_is_wrong_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_lanterns(tmp_path)
    folder.joinpath("game.rules").write_text("verb verb verb\n", encoding="utf-8")
    jobs.main([jobs.TEST, str(folder), "", str(folder)])
    assert "error[E101" in capsys.readouterr().out
