import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from check.stock import STOCK, write
from cli.conftest import Run
from cli.mods_on_disk import everything_in, write_game, write_mod
from coloma import files, linting, packs
from coloma.commands.test import FileWatcher, _follow, _tasks
from coloma.fixing import packs_of
from coloma.packs import packs_at
from rulesdsl.scenarios.parallel import Processes
from rulesdsl.source.diagnostics import Report
from rulesdsl.source.span import SourceFile, Span
from some import reported


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, tuple[str, ...]]]:
    checked: list[tuple[str, tuple[str, ...]]] = []

    def lint_pack(path: Path, mods: Sequence[Path] = (), _: object = None) -> Report:
        checked.append((path.name, tuple(each.name for each in mods)))
        shown = f"{path.name}/game.rules"
        finding = reported("E201", Span(shown, 1, 1, 1, 4), "There is no `con`.")
        found = (finding,) if "bad" in path.name else ()
        return Report(found, {shown: SourceFile(shown, "con")})

    monkeypatch.setattr(linting, "lint_if_changed", lint_pack)
    monkeypatch.setattr(packs, "bundled_content", lambda: Path("nowhere"))
    return checked


def _write_pack(folder: Path, more: str = 'kind = "game"') -> Path:
    folder.mkdir(parents=True)
    (folder / "pack.toml").write_text(f'id = "{folder.name}"\n{more}\n')
    return folder


def test_clean_packs_print_nothing(run: Run, runs: list[object], tmp_path: Path) -> None:
    ran = run("lint", str(_write_pack(tmp_path / "coins").parent))
    assert (ran.status, ran.out, ran.err) == (0, "", "")
    assert runs == [("coins", ())]


def test_mods_that_are_named_are_checked_together(
    run: Run, runs: list[tuple[str, tuple[str, ...]]], tmp_path: Path
) -> None:
    mod = 'kind = "mod"\nfor_game = "coins"'
    game = _write_pack(tmp_path / "coins")
    red, blue = (_write_pack(tmp_path / "more" / name, mod) for name in ("red", "blue"))
    run("lint", str(game), str(red), f"{red}/pack.toml", str(blue))

    assert runs == [("coins", mods) for mods in [(), ("red",), ("blue",), ("red", "blue")]]


def test_required_mods(run: Run, runs: list[tuple[str, tuple[str, ...]]], tmp_path: Path) -> None:
    mod = 'kind = "mod"\nfor_game = "coins"'
    game = _write_pack(tmp_path / "coins")
    _write_pack(game / "mods" / "red", mod)
    blue = _write_pack(game / "mods" / "blue", f'{mod}\nrequires = ["red >=1.0"]')
    run("lint", str(game / "mods"))

    assert set(runs) == {("coins", ("red", "blue")), ("coins", ("red",)), ("coins", ())}
    assert len(runs) == 3
    runs.clear()
    run("lint", str(blue))

    assert runs == [("coins", ("red",)), ("coins", ("red", "blue"))]


def test_mod_of_a_game(run: Run, runs: list[tuple[str, tuple[str, ...]]], tmp_path: Path) -> None:
    _write_pack(tmp_path / "games" / "coins")
    _write_pack(tmp_path / "games" / "tokens")
    mod = _write_pack(tmp_path / "red", 'kind = "mod"\nfor_game = "coins"')
    run("lint", str(tmp_path / "games"), "--mod", str(mod))
    assert sorted(runs) == [("coins", ("red",)), ("tokens", ())]


def test_misspelt_game(run: Run, runs: list[tuple[str, tuple[str, ...]]], tmp_path: Path) -> None:
    _write_pack(tmp_path / "games" / "coins")
    mod = _write_pack(tmp_path / "red", 'kind = "mod"\nfor_game = "cones"')
    run("lint", str(tmp_path / "games"), "--mod", str(mod))
    assert runs == [("coins", ("red",))]


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize("clean", [True, False])
def test_tools_always_get_a_document(run: Run, tmp_path: Path, clean: bool) -> None:
    pack = str(_write_pack(tmp_path / ("good" if clean else "bad")))
    found = json.loads(run("lint", pack, "--format", "json").out)
    sarif = json.loads(run("lint", pack, "--format", "sarif").out)
    assert found["errors"] == (0 if clean else 1)
    assert len(sarif["runs"][0]["results"]) == (0 if clean else 1)


@pytest.mark.usefixtures("runs")
def test_output_goes_to_a_file(run: Run, tmp_path: Path) -> None:
    pack, file = _write_pack(tmp_path / "bad"), tmp_path / "out" / "found.txt"
    ran = run("lint", str(pack), "--format", "github", "--output", str(file))
    assert (ran.status, ran.out) == (1, "")
    assert file.read_text().startswith("::error file=bad/game.rules,line=1")


SLIP = "after take-turn: gain 1 coim\n"


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(Path("pack"), STOCK | {"extra.rules": SLIP})
    return Path("pack")


def test_ends_of_lines_and_a_byte_order_mark_stay(run: Run, pack: Path) -> None:
    (pack / "extra.rules").write_bytes(f"\ufeff# a\r\n{SLIP}".encode())
    run("lint", str(pack), "--fix")
    assert (pack / "extra.rules").read_bytes() == (
        f"\ufeff# a\r\n{SLIP.replace('coim', 'coin')}".encode()
    )


def test_the_game_is_not_touched_where_a_mod_is_fixed(run: Run, pack: Path) -> None:
    mod = pack / "mods" / "red"
    write_mod(mod, files={"red.rules": "after take-turn: gain 1 coim\n"})
    game = everything_in(pack) | {"mods/red/red.rules": b"after take-turn: gain 1 coin\n"}
    run("lint", str(mod), "--fix")
    assert everything_in(pack) == game
    assert (pack / "extra.rules").read_text() == SLIP


def test_a_file_that_cannot_be_read_again_is_not_written(run: Run, pack: Path) -> None:
    (pack / "extra.rules").write_bytes(SLIP.encode() + b"# \xff\n")
    before = everything_in(pack)
    ran = run("lint", str(pack), "--fix")
    assert ran.status != 0
    assert "it is not UTF-8" in ran.err
    assert everything_in(pack) == before


def test_a_changed_file_is_kept(run: Run, pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = files.read_text
    monkeypatch.setattr("coloma.fixing.read_text", lambda *a: read(*a) + "# more\n")
    ran = run("lint", str(pack), "--fix")
    assert "has changed since it was checked" in ran.err
    assert (pack / "extra.rules").read_text() == SLIP


def test_a_link_out_of_the_pack_is_not_followed(run: Run, pack: Path) -> None:
    outside = Path("outside.rules")
    outside.write_text(SLIP)
    (pack / "extra.rules").unlink()
    (pack / "extra.rules").symlink_to(outside.absolute())
    run("lint", str(pack), "--fix", "--unsafe")
    assert outside.read_text() == SLIP


UNTIDY = "verb take:   gain 1 coin   # one\n"


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    file = tmp_path / "deck" / "game.rules"
    file.parent.mkdir()
    file.write_text(UNTIDY)
    return file


def test_other_files_are_formatted_despite_wrong_bytes(run: Run, rules: Path) -> None:
    latin = rules.with_name("a.rules")
    latin.write_bytes(b"# caf\xe9\n")
    ran = run("fmt", str(rules.parent))
    assert (ran.status, ran.err) == (1, f"coloma: cannot read {latin}: it is not UTF-8\n")
    assert rules.read_text() != UNTIDY


def test_line_ends_and_a_byte_order_mark_stay(run: Run, rules: Path) -> None:
    run("fmt", str(rules))
    tidy = rules.read_bytes()
    rules.write_bytes(b"\xef\xbb\xbf" + UNTIDY.replace("\n", "\r\n").encode())
    run("fmt", str(rules))
    assert rules.read_bytes() == b"\xef\xbb\xbf" + tidy.replace(b"\n", b"\r\n")
    assert run("fmt", "--check", str(rules)).status == 0


COMMANDS = (
    *("play --bots 2xrandom --players 2 --plain", "play --players 2", "simulate --games 1"),
    *("test", "lint", "sources", "schema"),
)


@pytest.fixture
def box(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Path:
    monkeypatch.setattr(packs, "bundled_content", lambda: tmp_path / "bundled")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    write_game(tmp_path / "bundled")
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
def test_a_bad_mod_is_one_clear_error(run: Run, box: Path, command: str) -> None:
    (box / "secret.rules").write_text("after take-turn: gain 1 coin\n")
    mod = write_mod(box / "hats")
    (mod / "hats.rules").symlink_to(box / "secret.rules")
    before = everything_in(box)
    path = [str(box / "bundled")] if command == "lint" else []
    ran = run(*command.split(), *path, "--mod", str(mod))
    said = ran.out if command == "lint" else ran.err

    assert ran.status == 1
    assert "error[E001 " in said
    assert "a link to a place outside its pack" in said
    assert "hats.rules:1" in said
    assert said.count("error[") == 1
    assert said.endswith("\n1 error\n")
    assert "Traceback" not in said
    assert everything_in(box) == before


def test_a_file_that_the_system_refuses(run: Run, box: Path) -> None:
    mod = write_mod(box / "hats", files={"hats.rules": "after take-turn: gain 1 coin\n"})
    (mod / "hats.rules").chmod(0)
    if os.access(mod / "hats.rules", os.R_OK):
        pytest.skip("this user may read everything")
    ran = run("lint", str(mod))

    assert ran.status == 1
    assert "This file cannot be read: permission denied." in ran.out
    assert ran.out.endswith("\n1 error\n")


FITS = "verb jump:   gain 1 fame   # wide\n"
HOP = """
[[scenario]]
name = "A hop"
given = []
play = "for p1: gain 1 fame"
expect = ["fame of p1 = 1"]
"""


@pytest.fixture
def games(tmp_path: Path) -> Path:
    game = write_game(tmp_path / "games" / "coins", {"scenarios/hop.toml": HOP})
    write_mod(game / "mods" / "hats", files={"scenarios/hop.toml": HOP, "hats.rules": FITS})
    write_mod(game / "mods" / "lost", 'kind = "mod"', 'for_game = "cions"')
    write_mod(game / "mods" / "odd", 'kind = "mod"', 'for_game = "shells"')
    inner = write_game(game / "shells", {"wide.rules": FITS, "scenarios/hop.toml": HOP})
    manifest = inner / "pack.toml"
    manifest.write_text(manifest.read_text("utf-8").replace('"coins"', '"shells"'), "utf-8")
    write_mod(inner / "mods" / "pearls", 'kind = "mod"', 'for_game = "coins"')
    return game.parent


def below(folder: Path) -> list[str]:
    return [each.folder.relative_to(folder).as_posix() for each in packs_at(folder)]


def test_what_a_folder_stands_for(games: Path) -> None:
    game = games / "coins"

    assert below(game) == [".", "mods/hats", "mods/lost"]
    assert below(game / "shells") == [".", "mods/pearls"]
    assert below(game / "mods" / "odd") == ["."]
    assert below(game / "mods") == ["hats", "lost", "odd"]
    assert below(games) == [
        "coins",
        *(f"coins/mods/{each}" for each in ("hats", "lost", "odd")),
        *("coins/shells", "coins/shells/mods/pearls"),
    ]


def test_the_scenarios_of_the_mods_for_a_game_are_run_with_its_own(run: Run, games: Path) -> None:
    (games / "coins" / "mods" / "lost" / "pack.toml").unlink()
    game, hats, inner = (games / "coins" / each for each in ("", "mods/hats", "shells"))
    passed = "1 passed, 0 failed"

    assert run("test", str(game)).lines == [f"{game}:", passed, f"{hats}:", passed]
    assert run("test", str(hats)).lines == [passed]
    assert run("test", str(game), "--mod", str(hats)).lines == [passed]
    assert run("test", str(game), "--mutants", "1").lines[0] == passed
    assert run("test", str(games)).lines.count(passed) == 3
    assert f"{inner}:" in run("test", str(games)).lines


def test_one_pack_that_fails_is_enough(run: Run, games: Path) -> None:
    (games / "coins" / "mods" / "lost" / "pack.toml").unlink()
    scenarios = games / "coins" / "mods" / "hats" / "scenarios" / "hop.toml"
    scenarios.write_text(HOP.replace("p1 = 1", "p1 = 2"), "utf-8")
    ran = run("test", str(games / "coins"))
    assert ran.status == 1
    assert ran.lines[-1] == "0 passed, 1 failed"


def test_only_in_one_pack_of_several(run: Run, games: Path) -> None:
    (games / "coins" / "mods" / "lost" / "pack.toml").unlink()
    scenarios = games / "coins" / "mods" / "hats" / "scenarios" / "hop.toml"
    scenarios.write_text(HOP.replace("A hop", "A leap"), "utf-8")
    assert run("test", str(games / "coins"), "--only", "leap").status == 0
    assert run("test", str(games / "coins"), "--only", "lope").status == 2


def test_rules_of_other_games_are_not_formatted(run: Run, games: Path) -> None:
    hats, wide = games / "coins/mods/hats/hats.rules", games / "coins/shells/wide.rules"
    assert f"{hats} would be changed" in run("fmt", "--check", str(games / "coins")).lines
    assert f"{wide} would be changed" not in run("fmt", "--check", str(games / "coins")).lines
    assert f"{wide} would be changed" in run("fmt", "--check", str(games)).lines


def test_the_editor_does_not_take_other_games_in(games: Path) -> None:
    game = games / "coins"
    assert set(packs_of(game).folders) == {game, game / "mods" / "hats"}
    assert packs_of(game / "shells").game == game / "shells"


class Typed(FileWatcher):
    def __init__(self, *texts: tuple[Path, str]) -> None:
        super().__init__([each[0].parent for each in texts])
        self._texts = list(texts)

    def wait(self) -> list[str]:
        if not self._texts:
            raise KeyboardInterrupt
        file, text = self._texts.pop(0)
        file.write_text(text, "utf-8")
        return [str(file)]


def test_mods_are_watched_with_their_game(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, hats = games / "coins", games / "coins" / "mods" / "hats"
    (games / "coins" / "mods" / "lost" / "pack.toml").unlink()
    (hats / "hats.rules").unlink()
    empty, full = ((hats / "hats.rules", text) for text in ("", "# hats\n"))
    wrong = game / "wrong.rules", "verb jump: hop\n"
    with Processes() as processes, pytest.raises(KeyboardInterrupt):
        _follow(_tasks(str(game), (), first=False), processes, Typed(empty, wrong, full))
    said = [line.rpartition(" (")[0] or line for line in capsys.readouterr().out.splitlines()]
    begun, changed, broken, again = "\n".join(said).split("\nchanged: ")

    assert begun.splitlines()[1:] == ["no findings; 2 passed, 0 failed"]
    assert changed.splitlines()[1:] == ["no findings; 1 passed, 0 failed"]
    assert broken.count("unknown-verb") == 1
    assert broken.splitlines()[-1] == "1 finding; no scenarios were run"
    assert again.count("unknown-verb") == 1


def test_pages_that_are_read_after_a_fix_are_fixed_too(run: Run, tmp_path: Path) -> None:
    page = "# A\n\n{plaers} people.\n"
    write(tmp_path, STOCK | {"slip.rules": "after game: shufle deck\n", "rulebook/00-a.md": page})

    assert run("lint", str(tmp_path), "--fix", "--unsafe").status == 0

    assert "shuffle deck" in (tmp_path / "slip.rules").read_text()
    assert "{players}" in (tmp_path / "rulebook/00-a.md").read_text()
