import hashlib
from pathlib import Path

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from packs.on_disk import GAME, PACK, USE, Files, manifest_of_mod, must_read, told, write
from rulesdsl.packs import folder as limits
from rulesdsl.packs import pack_source
from rulesdsl.packs.manifest import (
    ANY_VERSION,
    DEFAULT_PLAYERS,
    Manifest,
    PackKind,
    PackRef,
    Players,
    Version,
    parse_range,
    read_manifest,
)
from rulesdsl.packs.overlay import layer
from rulesdsl.packs.pack_source import digest_of, read_pack
from rulesdsl.packs.toml_document import parse_toml
from rulesdsl.source.diagnostics import Diagnostic, Findings
from rulesdsl.source.language import NEWEST, Language
from rulesdsl.source.span import SourceFile
from rulesdsl.source.tree import walk
from rulesdsl.syntax.parser import parse_file
from rulesdsl.syntax.statements import Call
from some import some


def test_a_pack_has_the_content_files_of_its_folder(tmp_path: Path) -> None:
    pack = must_read(write(tmp_path, PACK))

    assert pack.id == "coins"
    assert [source.path for source in pack.rules] == ["a/end.rules", "game.rules"]
    assert pack.toml_paths() == ("a/map.toml", "cards.toml", "mods/common.toml")
    assert list(pack.files) == sorted(
        ["a/end.rules", "a/map.toml", "cards.toml", "game.rules", "mods/common.toml", "pack.toml"]
    )
    assert set(pack.sources) == set(pack.files)
    assert pack.sources["cards.toml"].line(2) == "worth = 3"


def test_scenarios_are_found_and_read(tmp_path: Path) -> None:
    pack = must_read(write(tmp_path, PACK))

    folder = tmp_path / "scenarios"
    assert pack.scenario_files() == (folder / "b.toml", folder / "deep/a.toml")
    assert [(each.path, each.data) for each in pack.scenarios(Findings())] == [
        ("scenarios/b.toml", {"seed": 1}),
        ("scenarios/deep/a.toml", {"seed": 2}),
    ]


def test_a_broken_scenario_hides_no_other(tmp_path: Path) -> None:
    findings = Findings()
    broken: Files = {"scenarios/a.toml": "seed", "scenarios/aa.toml": b"\xff\0"}
    pack = must_read(write(tmp_path, PACK | broken), findings)
    assert len(pack.scenarios(findings)) == 2
    assert told(findings) == ["E002 scenarios/a.toml:1:5", "E001 scenarios/aa.toml:1:1"]
    assert pack.sources["scenarios/a.toml"].text == "seed"


def test_a_pack_without_scenarios_has_none(tmp_path: Path) -> None:
    assert must_read(write(tmp_path, {"pack.toml": GAME})).scenario_files() == ()


@pytest.mark.parametrize(
    ("display_root", "shown"),
    [("", "box/coins/game.rules"), ("box", "coins/game.rules"), ("box/coins", "game.rules")],
)
def test_files_are_shown_relative_to_a_root(tmp_path: Path, display_root: str, shown: str) -> None:
    folder = write(tmp_path / "box" / "coins", PACK)
    pack = some(read_pack(folder, Findings(), tmp_path / display_root))
    assert pack.rules[1].path == shown


def test_relative_paths_stay_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "coins", PACK)
    monkeypatch.chdir(tmp_path)

    below = read_pack(Path("coins"), Findings())
    monkeypatch.chdir("coins")
    here = read_pack(Path(), Findings())
    elsewhere = read_pack(Path(), Findings(), tmp_path / "other")

    assert below
    assert here
    assert elsewhere
    assert below.rules[1].path == "coins/game.rules"
    assert here.rules[1].path == "game.rules"
    assert elsewhere.rules[1].path == (tmp_path / "coins/game.rules").as_posix()


def test_a_table_is_read_once(tmp_path: Path) -> None:
    pack = must_read(write(tmp_path, PACK))
    table = some(pack.toml("./cards.toml"))
    assert table.data == {"joker": {"worth": 3}}
    assert table is pack.toml("cards.toml")


@pytest.mark.parametrize(
    ("path", "message", "advice"),
    [
        ("card.toml", "There is no table `card.toml`.", "a similar name exists: `cards.toml`"),
        ("Cards.toml", "There is no table `Cards.toml`.", "a similar name exists: `cards.toml`"),
        (
            "xyz.toml",
            "There is no table `xyz.toml`.",
            "Existing tables: `a/map.toml`, `cards.toml`,",
        ),
        ("", "There is no table ``.", "Existing tables: "),
        ("pack.toml", "There is no table `pack.toml`.", "Existing tables: "),
        ("scenarios/b.toml", "There is no table `scenarios/b.toml`.", "Existing tables: "),
        ("../b/cards.toml", "`../b/cards.toml` points outside the pack.", "A path is relative"),
        ("/etc/cards.toml", "`/etc/cards.toml` points outside the pack.", "A path is relative"),
        ("a\\map.toml", "`a\\map.toml` points outside the pack.", "A path is relative"),
        ("car\0ds.toml", "There is no table `car\0ds.toml`.", "a similar name"),
    ],
)
def test_missing_tables(tmp_path: Path, path: str, message: str, advice: str) -> None:
    findings = Findings()
    pack = must_read(write(tmp_path, PACK), findings)
    assert layer(pack, [], findings).get(path, USE) is None
    (found,) = findings.sorted()
    assert (found.code, found.span, found.message) == ("E001", USE, message)
    assert found.help.startswith(advice)


def test_a_broken_table_is_reported_in_itself_and_only_when_used(tmp_path: Path) -> None:
    findings = Findings()
    pack = must_read(write(tmp_path, PACK | {"cards.toml": "[joker]\nworth 3\n"}), findings)
    assert told(findings) == []
    assert pack.toml("cards.toml") is None
    assert pack.toml("cards.toml") is None
    assert told(findings) == ["E002 cards.toml:2:7"]


def test_line_ends_and_a_mark_at_the_beginning_change_no_digest(tmp_path: Path) -> None:
    folder = write(tmp_path / "pack", PACK)
    before = must_read(folder).files
    for each in (each for each in folder.rglob("*") if each.is_file()):
        each.write_bytes(b"\xef\xbb\xbf" + each.read_bytes().replace(b"\n", b"\r\n"))
    assert must_read(folder).files == before


def test_the_digest_changes_with_every_file_and_name_but_no_scenario(tmp_path: Path) -> None:
    def digest(name: str, changes: dict[str, str]) -> str:
        return digest_of(must_read(write(tmp_path / name, PACK | changes)).files)

    first = digest("first", {})

    assert digest("same", {"scenarios/b.toml": "seed = 3\n", "notes.txt": "other"}) == first
    others = [
        digest("comment", {"a/end.rules": "# The end\n"}),
        digest("table", {"cards.toml": "[joker]\nworth = 4\n"}),
        digest("manifest", {"pack.toml": GAME.replace("1.2.0", "1.2.1")}),
        digest("name", {"cards2.toml": ""}),
    ]
    assert len({first, *others}) == 5


def test_digest_of_another_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack = must_read(write(tmp_path, PACK))
    before = digest_of(pack.files)
    monkeypatch.setattr(pack_source, "ENGINE_VERSION", "0.1.1")
    assert digest_of(pack.files) != before
    assert pack.files["game.rules"] == hashlib.sha256(b"place heap holds coin\n").hexdigest()


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "There is no folder `box`."),
        ({"box": "a file"}, "There is no folder `box`."),
        ({"box/game.rules": ""}, "`box` is not a pack."),
    ],
)
def test_what_is_no_pack_is_reported(tmp_path: Path, files: dict[str, str], message: str) -> None:
    findings = Findings()
    assert read_pack(write(tmp_path, files) / "box", findings, tmp_path) is None
    assert [(each.code, each.message) for each in findings.sorted()] == [("E001", message)]


@pytest.mark.parametrize(
    ("manifest", "place"),
    [
        (b"id = ", "E002 pack.toml:1:5"),
        (b"\0\xff", "E001 pack.toml:1:2"),
        (b'id = "a"\nname = "a"\nversion = "1"\n', "E006 pack.toml:1:1"),
        (b"#" * (limits.MAX_BYTES + 1), "E001 pack.toml:1:1"),
    ],
)
def test_unreadable_manifests(tmp_path: Path, manifest: bytes, place: str) -> None:
    findings = Findings()
    sources: dict[str, SourceFile] = {}
    folder = write(tmp_path, PACK | {"pack.toml": manifest})
    assert read_pack(folder, findings, tmp_path, sources) is None
    assert told(findings) == [place]
    assert ("pack.toml" in sources) == (b"\0" not in manifest and len(manifest) < 1000)
    assert "game.rules" in sources


def test_a_path_that_no_system_takes_is_no_pack() -> None:
    findings = Findings()
    assert read_pack(Path("no\0where"), findings) is None
    assert findings.has_errors


MOD = manifest_of_mod("more-coins")


def read(text: str) -> tuple[Manifest | None, tuple[Diagnostic, ...]]:
    findings = Findings()
    file = parse_toml("pack.toml", SourceFile("pack.toml", text), findings)
    assert file, told(findings)
    return read_manifest(file, findings), findings.sorted()


def test_a_game_says_what_it_is() -> None:
    manifest, findings = read(GAME + 'engine = ">=0.1, <9"\nabout = "A game\\nof coins."\n')

    assert manifest == Manifest(
        id="coins",
        name="Coins",
        version=Version(1, 2, 0),
        kind=PackKind.GAME,
        engine=parse_range(">=0.1, <9") or ANY_VERSION,
        about="A game\nof coins.",
        players=Players(2, 4),
    )
    assert findings == ()
    assert not manifest.is_mod


def test_a_pack_without_a_language_is_of_the_first_one() -> None:
    first, findings = read(GAME)
    assert (some(first).language, findings) == ("0.1", ())
    second, findings = read(GAME + 'language = "0.2"\n')
    assert (some(second).language, findings) == ("0.2", ())
    assert read(GAME + 'language = "0.3"\n')[0] is None


def test_words_of_a_later_language_are_names_in_an_older_one(tmp_path: Path) -> None:
    scenario = {"scenarios/a.toml": 'play = "set x to draw"\n', "cards.toml": 'a = "set x"\n'}
    for language, calls in (("", 2), ('language = "0.2"\n', 0)):
        rules = {"pack.toml": GAME + language, "game.rules": "verb act: set x to draw\n"}
        pack = must_read(write(tmp_path, rules | scenario))
        (source,) = pack.rules
        parsed = parse_file(source.text, source.path, Findings(), source.language)
        assert sum(isinstance(each, Call) for each in walk(parsed.file)) == calls
        (test,) = pack.scenarios(Findings())
        table = some(pack.toml("cards.toml"))
        assert {source.language, test.index.language, table.index.language} == {
            Language.V0_2 if language else Language.V0_1
        }


def test_a_text_of_a_later_language_says_so() -> None:
    for language in Language:
        findings = Findings()
        parse_file("verb act: set coins to 3\n", "game.rules", findings, language)
        helps = [each.help for each in findings.sorted()]
        older = "This is written in language 0.2, and the pack in an older one."
        assert [each.startswith(older) for each in helps] == [True] * (language < NEWEST)


def test_a_mod_says_what_it_needs() -> None:
    lists = 'requires = ["dice >=1.1", "hats"]\nexcludes = ["no-coins"]\nafter = ["cats"]\n'
    manifest, findings = read(MOD + lists)

    assert findings == ()
    assert manifest
    assert manifest.is_mod
    assert manifest.for_game == "coins"
    assert manifest.players is None
    dice = PackRef("dice", parse_range(">=1.1") or ANY_VERSION)
    assert manifest.requires == (dice, PackRef("hats"))
    assert [str(each) for each in manifest.requires] == ["dice >=1.1.0", "hats"]
    assert manifest.excludes == (PackRef("no-coins"),)
    assert manifest.loads_after == {"dice", "hats", "cats"}


def test_a_game_without_a_number_of_players_is_for_the_usual_number() -> None:
    manifest, findings = read('id = "a"\nname = "A"\nversion = "1"\nkind = "game"\n')
    assert findings == ()
    assert manifest
    assert manifest.players == DEFAULT_PLAYERS


VALUES = st.recursive(
    st.integers() | st.text(max_size=4) | st.booleans() | st.floats() | st.sampled_from(["mod"]),
    lambda below: st.lists(below, max_size=2) | st.dictionaries(st.text(max_size=2), below),
    max_leaves=4,
)
KEYS = st.sampled_from(list(Manifest.__annotations__)) | st.text(max_size=3)


@given(st.dictionaries(KEYS, VALUES), st.sampled_from(["game", "mod"]))
def test_any_manifest_is_read_or_reported(table: dict[str, object], kind: str) -> None:
    _, findings = read(tomli_w.dumps({"kind": kind} | table))
    assert {each.code for each in findings} <= {"E003", "E004", "E005", "E006"}
