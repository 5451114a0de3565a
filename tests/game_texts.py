"""The small games in `games/`, as text and as folders."""

import shutil
from pathlib import Path

from check.stock import write

GAMES = Path(__file__).parent / "games"


def texts(game: str) -> dict[str, str]:
    folder = GAMES / game
    files = sorted(each for each in folder.rglob("*") if each.is_file())
    return {each.relative_to(folder).as_posix(): each.read_text("utf-8") for each in files}


MARKET = texts("market")
RULES = MARKET["market.rules"]


def write_market(folder: Path, ruby: int = 1, rules: str = RULES) -> Path:
    cards = MARKET["cards.toml"].replace("worth = 1\n", f"worth = {ruby}\n")
    write(folder, MARKET | {"cards.toml": cards, "market.rules": rules})
    return folder


def write_lanterns(folder: Path) -> Path:
    return shutil.copytree(GAMES / "lanterns", folder, dirs_exist_ok=True)
