"""Texts with values, read from a state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.check.book.filling import Fill, Filled

if TYPE_CHECKING:
    from rulesdsl.check.world import World
    from rulesdsl.interpreter.setting import Setting


@attrs.frozen
class Reader:
    """Reads the values of a text from one state of a setting that was compiled with them."""

    setting: Setting
    state: Any

    def text(self, filled: Filled) -> str:
        """Return a text with its values filled in."""
        return "".join(each if isinstance(each, str) else self._said(each) for each in filled)

    def holds(self, condition: Fill) -> bool:
        """Whether a condition holds."""
        return bool(self._value(condition))

    def _said(self, fill: Fill) -> str:
        value, labels = self._value(fill), self.setting.labels
        if fill.noun:
            return amount(value, fill.noun, labels.world)
        if fill.type.family == "bundle":
            priced = zip(labels.world.bundle_nouns, value, strict=True)
            return amounts({noun: count for noun, count in priced if count}, labels.world)
        return labels.shown(fill.type, value)

    def _value(self, fill: Fill) -> Any:  # noqa: ANN401 - of any type
        return self.setting.engine.value(fill.value, 0, self.state)


def amount(count: int, noun: str, world: World) -> str:
    """Return so many of something in words: `1 Coin`, `2 Coins`."""
    info = world.pieces.get(noun) or world.tracks[noun]
    if count == 1 or info.plural == info.title.casefold():
        return f"{count} {info.title}"
    plural = info.plural.replace("-", " ")
    return f"{count} {plural.capitalize() if info.title[:1].isupper() else plural}"


def amounts(price: dict[str, int], world: World) -> str:
    """Return a price in words: `1 Coin and 2 Gems`."""
    said = [amount(count, noun, world) for noun, count in price.items()]
    return " and ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said) or "nothing"
