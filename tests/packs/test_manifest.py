from __future__ import annotations

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from packs.on_disk import GAME, manifest_of_mod, marked, told
from rulesdsl.packs.manifest import (
    DEFAULT_PLAYERS,
    Manifest,
    PackKind,
    PackRef,
    Players,
)
from rulesdsl.packs.manifest_fields import read_manifest
from rulesdsl.packs.toml_file import parse_toml
from rulesdsl.packs.versions import ANY_VERSION, Version, parse_range
from rulesdsl.source.diagnostic import Diagnostic, Findings
from rulesdsl.source.span import SourceFile

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


def test_a_mod_says_what_it_needs() -> None:
    lists = 'requires = ["dice >=1.1", "hats"]\nexcludes = ["no-coins"]\nafter = ["cats"]\n'
    manifest, findings = read(MOD + lists)

    assert findings == ()
    assert manifest
    assert manifest.is_mod
    assert manifest.for_game == "coins"
    assert manifest.players is None
    assert manifest.requires == (
        PackRef("dice", parse_range(">=1.1") or ANY_VERSION),
        PackRef("hats"),
    )
    assert [str(each) for each in manifest.requires] == ["dice >=1.1.0", "hats"]
    assert manifest.excludes == (PackRef("no-coins"),)
    assert manifest.loads_after == {"dice", "hats", "cats"}


def test_a_game_without_a_number_of_players_is_for_the_usual_number() -> None:
    manifest, findings = read('id = "a"\nname = "A"\nversion = "1"\nkind = "game"\n')

    assert findings == ()
    assert manifest
    assert manifest.players == DEFAULT_PLAYERS


@pytest.mark.parametrize(
    ("line", "code", "where", "message", "advice"),
    [
        ("abuot = 'x'", "E004", "abuot", "no `abuot`", "`about`"),
        ("zzz = 1", "E004", "zzz", "no `zzz`", ""),
        ("after = ['x']", "E004", "after", "Only a mod", 'kind = "mod"'),
        ("about = 3", "E005", "3", "must be a text", ""),
        ("about = 1979-05-27", "E005", "1979-05-27", "a date", ""),
        ("about = 'a\\u0007b'".replace("'", '"'), "E003", '"a\\u0007b"', "printed", ""),
        ("engine = '0.1'", "E003", "'0.1'", "not a range", ">=1.2"),
        ("engine = '>=99'", "E003", "'>=99'", "engine >=99.0.0", "another version"),
        ("excludes = 'x'", "E005", "'x'", "a list of texts", ""),
        ("excludes = ['a', 2]", "E005", "2", "a text in each place", ""),
        ("excludes = ['a', 'B c']", "E003", "'B c'", "`B` cannot be an id", "small letters"),
        ("excludes = ['a <1', 'b >1']", "E003", "'b >1'", "`>1` is not a range", ">=1.2"),
        ("excludes = ['coins']", "E003", "'coins'", "cannot name itself", ""),
    ],
)
def test_a_mistake_is_reported_at_its_place(
    line: str, code: str, where: str, message: str, advice: str
) -> None:
    text = f"{GAME}{line}\n"

    _, findings = read(text)

    (found,) = findings
    assert found.code == code
    assert marked(text, found.span) == where
    assert message in found.message
    assert advice in found.help


@pytest.mark.parametrize(
    ("old", "new", "code", "message"),
    [
        ('id = "coins"', "", "E006", "`pack.toml` lacks `id`."),
        ('name = "Coins"', "", "E006", "`pack.toml` lacks `name`."),
        ('version = "1.2.0"', "", "E006", "`pack.toml` lacks `version`."),
        ('id = "coins"', 'id = "Coins!"', "E003", "`Coins!` cannot be an id."),
        ('id = "coins"', 'id = "nul"', "E003", "`nul` cannot be an id."),
        ('id = "coins"', 'id = "lpt1"', "E003", "`lpt1` cannot be an id."),
        ('id = "coins"', f'id = "{"c" * 99}"', "E003", f"`{'c' * 99}` cannot be an id."),
        ('"Coins"', '" "', "E003", "`name` must be one line of text."),
        ('"1.2.0"', '"one"', "E003", "`one` is not a version."),
        (
            '"1.2.0"',
            "1.2",
            "E005",
            "`version` must be a text, but this is a number with a fraction.",
        ),
        ("least = 2, ", "", "E006", "`players` lacks `least`."),
        ("least = 2", "least = 0", "E003", "0 players cannot play."),
        ("least = 2", "least = 5", "E003", "The largest number of players cannot be 4."),
        ("most = 4", "most = 400", "E003", "The largest number of players cannot be 400."),
        ("least = 2", "least = true", "E005", "`players.least` must be a whole number"),
        ("most = 4", "most = 4, mots = 5", "E004", "`players` has no `mots`."),
        ("{ least = 2, most = 4 }", "4", "E005", "`players` must be a table with `least` and"),
    ],
)
def test_a_wrong_field_is_reported_and_the_rest_is_read(
    old: str, new: str, code: str, message: str
) -> None:
    assert old in GAME

    manifest, findings = read(GAME.replace(old, new))

    (found,) = findings
    assert found.code == code
    assert found.message.startswith(message)
    assert manifest
    assert manifest.kind is PackKind.GAME


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (GAME.replace('kind = "game"', ""), "E006"),
        (GAME.replace('"game"', '"gama"'), "E005"),
        (GAME.replace('"game"', "7"), "E005"),
        (GAME + 'engine = "<0.1"\n', "E003"),
    ],
)
def test_nothing_more_can_be_said_of_a_pack_of_no_kind_or_of_another_engine(
    text: str, code: str
) -> None:
    manifest, findings = read(text)

    assert manifest is None
    assert [each.code for each in findings] == [code]


def test_a_mod_must_say_for_which_game_it_is() -> None:
    manifest, findings = read(MOD.replace('for_game = "coins"', 'for_gane = "coins"'))

    assert manifest
    assert [(each.code, each.help) for each in findings] == [
        ("E006", "Add `for_game = ...`."),
        ("E004", "a similar name exists: `for_game`"),
    ]


def test_all_mistakes_are_reported_at_once() -> None:
    _, findings = read('id = 1\nkind = "mod"\nafter = [{}]\nplayers = {}\nnmae = "x"\n')

    assert [each.message for each in findings] == [
        "`pack.toml` lacks `name` and `version` and `for_game`.",
        "`id` must be a text, but this is a number.",
        "`after` must be a text in each place, but this is a table.",
        "`players` lacks `least` and `most`.",
        "`pack.toml` has no `nmae`.",
    ]


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
