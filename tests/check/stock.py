"""The stock game that tests modify and break."""

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
    """Write files, given as texts keyed by path, under a folder."""
    for path, text in texts.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())


def check_texts(folder: Path, texts: Mapping[str, str]) -> Report:
    """Check a pack, given as texts keyed by path, with all mods in its folder `mods/`."""
    write(folder, texts)
    return check_pack(folder, mods_in(folder))[2]


def mods_in(folder: Path) -> Sequence[Path]:
    return sorted(each.parent for each in folder.glob("mods/*/pack.toml"))
