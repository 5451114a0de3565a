from __future__ import annotations

from pathlib import Path

import pytest

from rulesdsl.check.frontend import check_pack
from rulesdsl.source.codes import CODES, Code

MODS = "mods"


def findings_of(files: dict[str, str], folder: Path) -> set[str]:
    """Return the codes that a pack, and the mods that stand below `mods/`, are reported for."""
    for name, text in files.items():
        path = folder / ("" if name.startswith(f"{MODS}/") else "game") / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    mods = sorted((folder / MODS).iterdir()) if (folder / MODS).exists() else []
    return {each.code for each in check_pack(folder / "game", mods)[2].diagnostics}


@pytest.mark.parametrize("code", CODES.values(), ids=list(CODES))
def test_a_page_shows_what_triggers_its_code_and_how_it_is_mended(
    code: Code, tmp_path: Path
) -> None:
    assert code.has_page, f"{code.code} {code.name} has no page"

    assert findings_of(code.failing, tmp_path / "failing") == {code.code}
    assert findings_of(code.fixed, tmp_path / "fixed") == set()


def test_the_little_game_of_the_pages_lints_clean(tmp_path: Path) -> None:
    stock = {path: CODES["E201"].fixed[path] for path in ("pack.toml", "stock.rules")}

    assert findings_of(stock, tmp_path) == set()
