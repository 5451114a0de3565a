from __future__ import annotations

from pathlib import Path

from coloma.fixing import packs_of
from lanterns import write_lanterns
from rulesdsl.editor.server.text_sync import Workspace

WRONG = 'source "house"\nafter take-turn: gain 1 coyn\n'


def _let_mod_be(workspace: Workspace, folder: Path, *, there: bool) -> None:
    manifest = folder / "mods/rich/pack.toml"
    text = manifest.read_text(encoding="utf-8").replace("lantirns", "lanterns")
    if not there:
        text = text.replace("lanterns", "lantirns")
    manifest.write_text(text, encoding="utf-8")
    workspace.find_again()


def _is_wrong(workspace: Workspace, folder: Path) -> bool:
    project = workspace.project(str(folder / "game.rules"))
    assert project is not None
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
    project = workspace.project(file)
    assert project is not None

    assert "E201" in [each.code for each in project.findings_in(file)]
    assert project.is_stale
    assert any(project.findings().values())
    assert not project.is_stale
