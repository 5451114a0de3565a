from __future__ import annotations

import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from packs.on_disk import GAME, manifest_of_mod, told
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
from rulesdsl.packs.toml_document import parse_toml
from rulesdsl.source.diagnostics import Diagnostic, Findings
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
