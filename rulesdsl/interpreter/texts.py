"""Texts with values, read from a state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.check.book.filling import Fill, Filled
from rulesdsl.source.english import and_list, opening

if TYPE_CHECKING:
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
            return self._amount(fill.noun, value)
        if fill.type.family != "bundle":
            return labels.shown(fill.type, value)
        priced = zip(labels.world.bundle_nouns, value, strict=True)
        said = [self._amount(noun, count) for noun, count in priced if count]
        return and_list(said) or "nothing"

    def _amount(self, noun: str, count: int) -> str:
        """Return so many of a noun, with a capital where its title has one: `2 Coins`."""
        world = self.setting.labels.world
        info = world.pieces.get(noun) or world.tracks[noun]
        number, _, word = self.setting.labels.counted(noun, count).partition(" ")
        return f"{number} {opening(word) if info.title[:1].isupper() else word}"

    def _value(self, fill: Fill) -> Any:  # noqa: ANN401 - of any type
        return self.setting.engine.value(fill.value, 0, self.state)
