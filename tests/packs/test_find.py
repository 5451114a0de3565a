from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packs.on_disk import GAME, manifest_of_mod, marked, must_read, told, write
from rulesdsl.packs.find import loaded_before, order_mods, packs_below
from rulesdsl.packs.pack_source import PackSource, read_pack
from rulesdsl.source.diagnostics import Diagnostic, Findings


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
    """Return the order of mods, given by id and more lines of their manifests."""
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
            "`a` requires `hats >=2.0.0`, but this is 1.0.0.",
            "version",
        ),
        (
            'requires = ["coins <1"]',
            '"coins <1"',
            "`a` requires `coins <1.0.0`, but this is 1.2.0.",
            "version",
        ),
    ],
)
def test_a_pack_that_is_missing_is_reported(
    tmp_path: Path, line: str, where: str, message: str, advice: str
) -> None:
    ordered, findings = order(tmp_path, {"a": (line,), "hats": ()})

    (found,) = findings
    assert sorted(ordered) == ["a", "hats"]
    assert (found.code, found.message) == ("E501", message)
    assert advice in found.help
    assert found.span.file == "a/pack.toml"
    assert marked(manifest_of_mod("a", line), found.span) == where
    assert all(each.span.line == 3 for each in found.related)


def test_packs_that_rule_each_other_out_are_reported(tmp_path: Path) -> None:
    _, findings = order(tmp_path, {"a": ('excludes = ["b", "c <1", "x"]',), "b": (), "c": ()})

    (found,) = findings
    assert (found.code, found.message) == ("E503", "`a` cannot be played together with `b`.")
    assert [each.span.file for each in found.related] == ["b/pack.toml"]


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
