"""What options are counted as: as themselves, by what is done, or by the entry that they name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.source.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulesdsl.interpreter.setting import Setting
    from rulesdsl.interpreter.simulator.offers import OptionName

OPTION, VERB = "option", "verb"


@attrs.frozen
class Groups:
    """For each option, by its number, the items that it counts as: pairs of group and item."""

    names: tuple[str, ...]
    items: tuple[tuple[tuple[str, str], ...], ...] = attrs.field(repr=False)
    asked: tuple[str, ...] = attrs.field(repr=False)
    """What asks for each option."""
    titles: dict[tuple[str, str], str] = attrs.field(repr=False)
    """What the items are called."""


def group_names(setting: Setting) -> tuple[str, ...]:
    """Return the groups that a game has: options, verbs, and the kinds of entries options name."""
    kinds = {each.about.partition(":")[0] for each in setting.option_names if each.about}
    return (OPTION, VERB, *sorted(kinds))


def questions(setting: Setting) -> tuple[str, ...]:
    """Return the names of all that asks in a game."""
    return tuple(sorted({each.asked for each in setting.option_names if each.id}))


def groups_of(setting: Setting, names: Sequence[str], asked: str | None = None) -> Groups:
    """Return groups by their names; only of the options of one question, if that is named.

    ValueError for a group or a question that the game has not.
    """
    _check(names, group_names(setting), "there is nothing to count by")
    if asked is not None:
        _check([asked], questions(setting), "nothing asks by the name of")
    titles: dict[tuple[str, str], str] = {}
    entries = {each.id: each.title for each in setting.printed}
    items: list[tuple[tuple[str, str], ...]] = []
    for option in setting.option_names:
        found: list[tuple[str, str]] = []
        if option.id and asked in (None, option.asked):
            for group, item, title in _items(option):
                if group in names:
                    found.append((group, item))
                    titles.setdefault((group, item), entries.get(item, title))
        items.append(tuple(found))
    return Groups(
        tuple(names), tuple(items), tuple(each.asked for each in setting.option_names), titles
    )


def _items(option: OptionName) -> Iterator[tuple[str, str, str]]:
    """Yield what an option counts as: group, item, title."""
    yield OPTION, f"{option.asked}: {option.id}", f"{option.asked}: {option.label}"
    verb = _verb(option)
    yield VERB, verb, verb
    if option.about:
        yield option.about.partition(":")[0], option.about, option.label


def _verb(option: OptionName) -> str:
    """Return what is done: what asks, and of a menu the line that is taken, whatever it names."""
    thing = option.id == option.about or option.id.isdigit() or option.id.startswith("player:")
    return option.asked if thing else f"{option.asked}: {option.id.partition(':')[0]}"


def _check(names: Sequence[str], known: Sequence[str], wrong: str) -> None:
    for name in names:
        if name not in known:
            advice = did_you_mean(name, known) or f"there are: {', '.join(known)}"
            raise ValueError(f"{wrong} `{name}` ({advice})")
