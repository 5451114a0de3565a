import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packs.on_disk import GAME, PACK, Files, manifest_of_mod, marked, must_read, told, write
from rulesdsl.check.frontend import lint
from rulesdsl.packs import ENGINE_VERSION, pack_source
from rulesdsl.packs import folder as limits
from rulesdsl.packs.find import loaded_before, order_mods, packs_below
from rulesdsl.packs.manifest import Version, parse_range, parse_version
from rulesdsl.packs.pack_source import PackSource, read_pack
from rulesdsl.source.diagnostics import Diagnostic, Findings
from some import some


def read_all(
    folder: Path, mods: Mapping[str, str], game: str = GAME
) -> tuple[PackSource, list[PackSource]]:
    write(folder, {"pack.toml": game} | {f"{mod}/pack.toml": text for mod, text in mods.items()})
    findings = Findings()
    packs = [read_pack(folder / mod, findings, folder) for mod in ("", *mods)]
    found = [pack for pack in packs if pack]
    assert len(found) == len(packs), told(findings)
    return found[0], found[1:]


def order(
    folder: Path, mods: Mapping[str, tuple[str, ...]]
) -> tuple[list[str], tuple[Diagnostic, ...]]:
    """Order mods, given further lines of their manifests; return their ids and the findings."""
    texts = {mod: manifest_of_mod(mod, *lines) for mod, lines in mods.items()}
    game, read = read_all(folder, texts)
    findings = Findings()
    ordered = order_mods(game, read, findings)
    return [mod.id for mod in ordered], findings.sorted()


def test_packs_are_found_the_folder_itself_first(tmp_path: Path) -> None:
    files = ("b/pack.toml", "pack.toml", "a/c/pack.toml", ".d/pack.toml", "e/game.rules")
    write(tmp_path, dict.fromkeys(files, ""))
    assert packs_below(tmp_path) == [tmp_path, tmp_path / "a/c", tmp_path / "b"]
    assert packs_below(tmp_path / "e") == []
    assert packs_below(tmp_path / "nowhere") == []


def test_mods_come_by_id_whatever_order_they_were_given_in(tmp_path: Path) -> None:
    assert order(tmp_path, {"c": (), "a": (), "b": ()}) == (["a", "b", "c"], ())


def test_what_a_mod_requires_or_comes_after_is_loaded_before_it(tmp_path: Path) -> None:
    ordered, findings = order(
        tmp_path,
        {
            "a": ('requires = ["d"]', 'after = ["not-there"]'),
            "b": ('after = ["c"]',),
            "c": (),
            "d": ('requires = ["coins >=1.2, <2"]',),
        },
    )

    assert ordered == ["c", "b", "d", "a"]
    assert findings == ()


@pytest.mark.parametrize(
    ("line", "where", "message", "advice"),
    [
        ('requires = ["hats", "b"]', '"b"', "`a` requires `b`, which is not loaded.", "Load `b`"),
        ('requires = ["hast"]', '"hast"', "`a` requires `hast`, which is not loaded.", "`hats`"),
        (
            'requires = ["hats >=2"]',
            '"hats >=2"',
            "`a` requires `hats >=2.0.0`, but version 1.0.0 is loaded.",
            "version",
        ),
        (
            'requires = ["coins <1"]',
            '"coins <1"',
            "`a` requires `coins <1.0.0`, but version 1.2.0 is loaded.",
            "version",
        ),
    ],
)
def test_missing_packs(tmp_path: Path, line: str, where: str, message: str, advice: str) -> None:
    ordered, findings = order(tmp_path, {"a": (line,), "hats": ()})

    (found,) = findings
    assert sorted(ordered) == ["a", "hats"]
    assert (found.code, found.message) == ("E501", message)
    assert advice in found.help
    assert found.span.file == "a/pack.toml"
    assert marked(manifest_of_mod("a", line), found.span) == where
    assert all(each.span.line == 3 for each in found.related)


def test_a_game_can_rule_out_a_mod(tmp_path: Path) -> None:
    game, mods = read_all(
        tmp_path, {"a": manifest_of_mod("a")}, GAME + 'excludes = ["a <0.9", "a >=1"]\n'
    )
    findings = Findings()
    order_mods(game, mods, findings)
    assert told(findings) == ["E503 pack.toml:6:23"]


def test_a_mod_for_another_game_is_left_out(tmp_path: Path) -> None:
    game, mods = read_all(
        tmp_path,
        {"a": manifest_of_mod("a").replace('"coins"', '"coin"'), "b": GAME.replace("coins", "b")},
    )
    findings = Findings()

    assert order_mods(game, mods, findings) == ()
    assert [(each.code, each.message) for each in findings.sorted()] == [
        ("E502", "This mod is for the game `coin`, not for `coins`."),
        ("E502", "`b` is a game, not a mod."),
    ]


def test_two_packs_of_one_id_are_reported(tmp_path: Path) -> None:
    texts = {"a": manifest_of_mod("a"), "b": manifest_of_mod("a"), "c": manifest_of_mod("coins")}
    game, mods = read_all(tmp_path, texts)
    findings = Findings()
    assert order_mods(game, mods, findings) == (mods[0],)
    assert told(findings) == ["E505 b/pack.toml:1:6", "E505 c/pack.toml:1:6"]
    others = [each.related[0].span.file for each in findings.sorted()]
    assert others == ["a/pack.toml", "pack.toml"]


def test_mods_in_a_circle_are_reported_and_loaded_all_the_same(tmp_path: Path) -> None:
    ordered, findings = order(
        tmp_path,
        {
            "a": ('after = ["c"]',),
            "b": ('requires = ["a"]',),
            "c": ('after = ["b"]',),
            "d": ('after = ["e"]',),
            "e": ('after = ["d"]', 'requires = ["a"]'),
        },
    )

    assert sorted(ordered) == ["a", "b", "c", "d", "e"]
    assert ordered.index("a") < ordered.index("e")
    assert [each.code for each in findings] == ["E504", "E504"]
    for found, size in zip(findings, (3, 2), strict=True):
        places = {found.span.file, *(each.span.file for each in found.related)}
        assert len(places) == size


GRAPHS = st.dictionaries(st.sampled_from("abcdef"), st.sets(st.sampled_from("abcdef")), max_size=6)


@given(GRAPHS, st.randoms())
def test_any_wishes_give_one_order_that_keeps_them_or_a_finding(
    tmp_path_factory: pytest.TempPathFactory, wishes: dict[str, set[str]], random: Random
) -> None:
    folder = tmp_path_factory.mktemp("box")
    texts = {
        mod: manifest_of_mod(mod, f"after = {sorted(others - {mod})}")
        for mod, others in wishes.items()
    }
    game, mods = read_all(folder, texts)
    shuffled = random.sample(mods, len(mods))
    findings = Findings()

    ordered = order_mods(game, mods, findings)

    assert order_mods(game, shuffled, Findings()) == ordered
    assert sorted(mod.id for mod in ordered) == sorted(wishes)
    place = {mod.id: number for number, mod in enumerate(ordered)}
    kept = all(
        place[other] < place[mod]
        for mod, others in wishes.items()
        for other in others & place.keys() - {mod}
    )
    assert kept != findings.has_errors
    before = loaded_before(ordered)
    assert all(place[other] < place[mod] for mod in before for other in before[mod])


def test_what_comes_before_may_do_so_through_others(tmp_path: Path) -> None:
    write(tmp_path / "a", {"pack.toml": manifest_of_mod("a")})
    write(tmp_path / "b", {"pack.toml": manifest_of_mod("b", 'after = ["a"]')})
    write(tmp_path / "c", {"pack.toml": manifest_of_mod("c", 'requires = ["b"]')})
    mods = [must_read(tmp_path / mod) for mod in "abc"]
    assert loaded_before(mods) == {"a": frozenset(), "b": {"a"}, "c": {"a", "b"}}


def test_a_byte_order_mark_and_other_line_ends_do_no_harm(tmp_path: Path) -> None:
    windows = {
        "pack.toml": b"\xef\xbb\xbf" + GAME.replace("\n", "\r\n").encode(),
        "game.rules": b"\xef\xbb\xbfplace heap\r\n",
    }
    pack = must_read(write(tmp_path, windows))
    assert pack.rules[0].line(1) == "place heap"


@pytest.mark.parametrize(
    ("raw", "place", "line"),
    [
        ("# é è\nplace café\n".encode()[:-3] + b"\xe9\n", "2:10", "place caf\ufffd"),
        ("é".encode() + b"\xff", "1:2", ""),
        (b"\xef\xbb\xbf" + "é".encode() + b"\xff", "1:2", ""),  # after a byte order mark
        (b"\x80\0\1", "1:1", None),  # not a text at all
    ],
)
def test_wrong_bytes_are_located(tmp_path: Path, raw: bytes, place: str, line: str | None) -> None:
    findings = Findings()
    pack = must_read(write(tmp_path, PACK | {"game.rules": raw}), findings)
    assert told(findings) == [f"E001 game.rules:{place}"]
    assert [each.line(2) for each in pack.rules[1:]] == ([] if line is None else [line])


def test_a_file_that_is_too_large_is_reported(tmp_path: Path) -> None:
    findings = Findings()
    fits, too_large = b"#" * limits.MAX_BYTES, b"#" * (limits.MAX_BYTES + 1)
    files: Files = {"pack.toml": GAME, "a.rules": fits, "b.rules": too_large}
    pack = must_read(write(tmp_path, files), findings)
    assert told(findings) == ["E001 b.rules:1:1"]
    assert [source.path for source in pack.rules] == ["a.rules"]


def test_a_large_pack_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pack_source, "MAX_BYTES_TOGETHER", len(GAME) + 10)
    findings = Findings()
    read_pack(write(tmp_path, PACK), findings, tmp_path)
    assert told(findings)[0] == "E001 pack.toml:1:1"


@pytest.mark.parametrize("name", ["{}.rules", "{}/note.txt"])
def test_a_pack_with_too_many_files_or_folders_is_reported(tmp_path: Path, name: str) -> None:
    findings = Findings()
    many = {name.format(number): "" for number in range(limits.MAX_FILES + 1)}
    read_pack(write(tmp_path, {"a.rules": "", "pack.toml": GAME} | many), findings, tmp_path)
    assert "E001 pack.toml:1:1" in told(findings)


def test_a_link_out_of_the_pack_is_not_followed(tmp_path: Path) -> None:
    secret = write(tmp_path / "secret", {"key.toml": "key = 1\n", "key.rules": "# key\n"})
    folder = write(tmp_path / "coins", PACK)
    (folder / "key.toml").symlink_to(secret / "key.toml")
    (folder / "inside.toml").symlink_to(folder / "cards.toml")
    (folder / "more").symlink_to(secret)
    (folder / "circle").symlink_to(folder / "circle")
    (folder / "circle.toml").symlink_to(folder / "circle.toml")
    (folder / "nothing.rules").symlink_to(folder / "nowhere")
    findings = Findings()

    pack = must_read(folder, findings)

    assert told(findings) == [
        "E001 circle.toml:1:1",
        "E001 key.toml:1:1",
        "E001 more:1:1",
        "E001 nothing.rules:1:1",
    ]
    assert "key.toml" not in pack.files
    assert "inside.toml" in pack.files


def test_a_link_to_another_pack_belongs_to_that_pack(tmp_path: Path) -> None:
    mod = write(tmp_path / "hats", {"pack.toml": manifest_of_mod("hats"), "hats.rules": "#"})
    folder = write(tmp_path / "coins", {"pack.toml": GAME})
    (folder / "hats").symlink_to(mod)
    assert must_read(folder).rules == ()


def test_what_only_looks_like_a_file_is_not_opened(tmp_path: Path) -> None:
    folder = write(tmp_path, {"pack.toml": GAME})
    os.mkfifo(folder / "pipe.rules")
    (folder / "folder.rules").mkdir()
    findings = Findings()
    assert must_read(folder, findings).rules == ()
    assert told(findings) == ["E001 pipe.rules:1:1"]


def test_a_file_name_that_is_no_text_is_reported(tmp_path: Path) -> None:
    folder = write(tmp_path, {"pack.toml": GAME})
    (folder / os.fsdecode(b"caf\xe9.rules")).write_text("#")
    findings = Findings()
    assert must_read(folder, findings).rules == ()
    assert told(findings) == ["E001 caf\\udce9.rules:1:1"]


NAMES = st.sampled_from(["pack.toml", "game.rules", "cards.toml", "a/map.toml", "a/b.rules"])


@given(st.dictionaries(NAMES, st.binary(max_size=60)), st.booleans())
def test_any_bytes_give_a_pack_or_findings(files: dict[str, bytes], whole: bool) -> None:
    findings = Findings()
    with tempfile.TemporaryDirectory() as folder:
        if whole:
            files = files | {"pack.toml": GAME.encode()}
        pack = read_pack(write(Path(folder), files), findings, Path(folder))
        if pack is None:
            assert findings.has_errors
            return
        for path in pack.toml_paths():
            assert pack.toml(path) or findings.has_errors

    known = {"pack.toml", *pack.sources}
    assert {each.span.file for each in findings.sorted()} <= known | set(files)
    assert set(pack.files) == set(files)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("hats:more.rules", "a colon"),
        ("sub:folder/more.rules", "a colon"),
        ("a\\b.toml", "a backslash"),
        ("a\nb.toml", "a character that cannot be printed"),
        ("\x1b[31m.rules", "a character that cannot be printed"),
        ("\N{RIGHT-TO-LEFT OVERRIDE}.rules", "a character that cannot be printed"),
    ],
)
def test_unportable_names_are_reported(tmp_path: Path, name: str, why: str) -> None:
    findings = Findings()
    pack = read_pack(write(tmp_path, PACK | {name: ""}), findings, tmp_path)
    assert [each.message for each in findings.sorted()] == [
        f"The name of this file contains {why}."
    ]
    assert pack is not None
    assert not pack.complete


RULES = b"step game: nothing\n"


def _said(folder: Path, files: dict[str, bytes]) -> list[str]:
    folder.joinpath("pack.toml").write_text(GAME)
    for name, raw in files.items():
        folder.joinpath(name).write_bytes(raw)
    return [f"{each.code} {each.message} {each.help}" for each in lint(folder).diagnostics]


SPACE = "This is a special space character. Type an ordinary space."
ENDING = (
    "E001 This file is not read, because its name has the wrong ending. Rename it to `{}.rules`."
)
COPY = (
    "E001 This is a copy of `game.rules`."
    " Remove one of the two: together they declare everything twice."
)
MACS = (
    "E001 This file has the line endings of old Macs."
    " Save it with other line endings in your editor: LF or CRLF."
)
TABLE_SPACE = (
    "E002 This is not valid TOML: it contains a special space character."
    " Other programs may have inserted it. Type a plain space instead."
)
CONSTANTS = b'constants from "numbers.toml"\nstep game: nothing\n'


@pytest.mark.parametrize(
    ("files", "said"),
    [
        *(({name: RULES}, ENDING.format("game")) for name in ("game.rules.txt", "game.Rules.TXT")),
        ({"Game.RULES": RULES}, ENDING.format("Game")),
        *(
            ({"game.rules": RULES, name: RULES}, COPY)
            for name in ("game - Copy.rules", "game (1).rules", "Copy of game.rules")
        ),
        ({"game.rules": b"step game:\r    nothing\r"}, MACS),
        ({"game.rules": "step game: nothing\u00a0\n".encode()}, SPACE),
        (
            {"game.rules": CONSTANTS, "numbers.toml": 'source = "house"\na\u00a0= 1\n'.encode()},
            TABLE_SPACE,
        ),
    ],
)
def test_files_of_other_machines(files: dict[str, bytes], said: str, tmp_path: Path) -> None:
    assert _said(tmp_path, files)[0].endswith(said)


def test_notes_beside_the_rules_are_no_rules(tmp_path: Path) -> None:
    assert _said(tmp_path, {"game.rules": RULES, "game.rules.txt": b"as it was"}) == []


NUMBERS = st.integers(0, 30)
VERSIONS = st.builds(Version, NUMBERS, NUMBERS, NUMBERS)


def test_the_engine_has_a_version() -> None:
    assert parse_version(ENGINE_VERSION)


@pytest.mark.parametrize(
    ("text", "version"),
    [("1", Version(1, 0, 0)), ("0.2", Version(0, 2, 0)), ("10.0.3", Version(10, 0, 3))],
)
def test_numbers_that_are_left_out_are_zero(text: str, version: Version) -> None:
    assert parse_version(text) == version


@pytest.mark.parametrize("text", ["", "1.", "1.2.3.4", "v1", "1.0-beta", "-1", "٣", "9" * 5000])
def test_what_is_no_version(text: str) -> None:
    assert parse_version(text) is None


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        (">=0.2", "0.2", "0.1.9"),
        ("<2", "1.99.99", "2.0"),
        (">=1.2, <2", "1.10", "1.1.9"),
        (">= 1.2,<2", "1.2", "2"),
    ],
)
def test_a_range_has_its_bounds(text: str, inside: str, outside: str) -> None:
    allowed = parse_range(text)
    good, bad = parse_version(inside), parse_version(outside)
    assert some(good) in some(allowed)
    assert some(bad) not in some(allowed)


@pytest.mark.parametrize("text", ["", "1.2", "=1", ">1", ">=1 <2", ">=1,", ">=1, >=2", "<", ">=x"])
def test_what_says_no_range(text: str) -> None:
    assert parse_range(text) is None


@given(VERSIONS, VERSIONS, VERSIONS)
def test_ranges_survive_printing(least: Version, below: Version, other: Version) -> None:
    allowed = parse_range(f">={least}, <{below}")
    assert allowed
    assert parse_range(str(allowed)) == allowed
    assert (other in allowed) == (least <= other < below)
    assert parse_version(str(other)) == other
