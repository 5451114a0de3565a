from __future__ import annotations

from pathlib import Path

import pytest

from cli.conftest import Run
from cli.mods_on_disk import write_mod
from coloma.packs import bundled_content

MODS = sorted(each.parent for each in bundled_content().glob("mods/*/pack.toml"))
RULES = """\
source "house"
instead of value start-dudes: 3
"""


def _options(*mods: Path) -> list[str]:
    return [part for each in mods for part in ("--mod", str(each))]


@pytest.mark.nightly
@pytest.mark.parametrize("mods", [*([each] for each in MODS), MODS], ids=len)
def test_shipped_mods_are_clean_alone_and_together(run: Run, mods: list[Path]) -> None:
    linted = run("lint", *map(str, mods))
    ordered = run("packs", *_options(*mods))
    played = run("simulate", "--games", "3", *_options(*mods))

    assert (linted.status, linted.out) == (0, "")
    assert [line.split()[1] for line in ordered.lines[1:]] == [each.name for each in mods]
    assert played.status == 0
    assert all(each.name in played.lines[0] for each in mods)


def test_a_mod_that_changes_what_a_shipped_one_changes_is_reported_with_both_places(
    run: Run, tmp_path: Path
) -> None:
    variants = bundled_content() / "mods" / "variants"
    game = ['kind = "mod"', 'for_game = "coloma"']
    mod = write_mod(tmp_path / "ranch", *game, files={"ranch.rules": RULES})
    ran = run("lint", str(mod), "--mod", str(variants))
    played = run("play", "--bots", "2xrandom", "--plain", *_options(mod, variants))

    assert run("lint", str(mod)).status == 0
    assert (ran.status, played.status) == (1, 1)
    for said in (ran.out, played.err):
        assert "error[E506 mod-conflict]" in said
        assert "These mods each replace `start-dudes`: `ranch`, `variants`." in said
        assert f"{variants.relative_to(Path.cwd())}/variants.rules:6:1" in said
        assert f"{mod}/ranch.rules:2:1" in said
        assert said.endswith("\n1 error\n")


def test_a_mod_that_says_that_it_comes_after_is_taken_at_its_word(
    run: Run, tmp_path: Path
) -> None:
    variants = bundled_content() / "mods" / "variants"
    lines = ['kind = "mod"', 'for_game = "coloma"', 'after = ["variants"]']
    mod = write_mod(tmp_path / "ranch", *lines, files={"ranch.rules": RULES})

    assert run("lint", str(mod), "--mod", str(variants)).out == ""
    assert run("packs", *_options(mod, variants)).lines[2].endswith("after variants")
