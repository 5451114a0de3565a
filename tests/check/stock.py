"""A little game as something to break."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rulesdsl.check.frontend import check_pack
from rulesdsl.source.diagnostics import Report

STOCK = {
    each.name: each.read_text(encoding="utf-8")
    for each in (Path(__file__).parent / "stock_pack").iterdir()
    if each.name.endswith((".toml", ".rules"))
}


def write(folder: Path, texts: Mapping[str, str]) -> None:
    """Write texts by their paths below a folder."""
    for path, text in texts.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())


def check_texts(folder: Path, texts: Mapping[str, str]) -> Report:
    """Check a pack that is given as texts; what lies in `mods/` is put over it."""
    write(folder, texts)
    return check_pack(folder, mods_in(folder))[2]


def mods_in(folder: Path) -> Sequence[Path]:
    """Return the folders of the mods of a pack."""
    return sorted(each.parent for each in folder.glob("mods/*/pack.toml"))


def check_more(folder: Path, rules: str, **tables: str) -> list[str]:
    """Return the findings in rules (and tables) that are added to the stock, briefly."""
    texts = {f"{name}.toml": text for name, text in tables.items()}
    report = check_texts(folder, STOCK | texts | {"extra.rules": rules})
    return [f"{each.code} {each.span.line}:{each.span.column}" for each in report.diagnostics]
