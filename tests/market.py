"""A little game with cards in a row, to compare contents with: a hundred games take a moment."""

from __future__ import annotations

from pathlib import Path

from check.stock import write
from game_texts import texts

MARKET = texts("market")
RULES = MARKET["market.rules"]


def write_market(folder: Path, ruby: int = 1, rules: str = RULES) -> Path:
    cards = MARKET["cards.toml"].replace("worth = 1\n", f"worth = {ruby}\n")
    write(folder, MARKET | {"cards.toml": cards, "market.rules": rules})
    return folder
