"""What is printed on cards and places, for those who ask; never where a piece lies."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import attrs

from coloma.session.screen import shown
from coloma.session.words import or_list
from rulesdsl import Option, Printed
from rulesdsl.source.suggest import closest

_LIST = "What can be read"
_TITLE_ONLY = "Nothing but its title."


@attrs.frozen
class Page:
    """A title, and lines of a label and a text below it."""

    title: str
    rows: tuple[tuple[str, str], ...]


def pages(name: str, entries: Sequence[Printed], options: Sequence[Option]) -> list[Page] | str:
    """Return what is to be read under a name, or what could have been meant.

    A number is that of a choice; no name, or the name of a kind, lists what there is.
    """
    if not entries:
        return "This game has nothing that could be read."
    if not name:
        return [_listed(entries)]
    if re.fullmatch(r"[0-9]{1,9}", name):
        return _of_option(int(name), entries, options)
    wanted = name.casefold()
    of_kind = [each for each in entries if wanted in _kind_names(each)]
    exact = [each for each in entries if wanted in _names(each)]
    if of_kind and not exact:
        return [_listed(of_kind)]
    return [_page(each) for each in exact] or _by_part(name, entries)


def _by_part(name: str, entries: Sequence[Printed]) -> list[Page] | str:
    wanted = name.casefold()
    ways: tuple[Callable[[str], bool], ...] = (
        lambda name: name.startswith(wanted),
        lambda name: wanted in name,
    )
    for fits in ways:
        found = [each for each in entries if any(map(fits, _names(each)))]
        if len(found) == 1:
            return [_page(found[0])]
        if found:
            return f"`{name}` could be {or_list([_called(each) for each in found])}."
    words = {word for each in entries for word in (*_names(each), *_kind_names(each))}
    near = closest(wanted, words)[:3]
    advice = f"Did you mean {or_list(near)}?" if near else "`read` lists all that can be."
    return f"Nothing that can be read is called `{name}`. {advice}"


def _of_option(
    number: int, entries: Sequence[Printed], options: Sequence[Option]
) -> list[Page] | str:
    about = options[number - 1].about if 1 <= number <= len(options) else ""
    found = [_page(each) for each in entries if each.id == about]
    return found or f"Choice {number} names nothing that could be read; `read` lists what can be."


def _listed(entries: Sequence[Printed]) -> Page:
    by_kind: dict[str, dict[str, None]] = {}
    for each in entries:
        by_kind.setdefault(shown(each.kind), {})[shown(each.title)] = None
    return Page(_LIST, tuple((kind, ", ".join(titles)) for kind, titles in by_kind.items()))


def _page(entry: Printed) -> Page:
    rows = tuple((shown(label), shown(text)) for label, text in entry.rows)
    return Page(_called(entry), rows or (("", _TITLE_ONLY),))


def _called(entry: Printed) -> str:
    return f"{shown(entry.title)} ({shown(entry.kind)})"


def _names(entry: Printed) -> tuple[str, ...]:
    """Return what an entry can be called: its id, whole and by parts, and its title."""
    own = entry.id.partition(":")[2]
    names = (entry.id, own, own.rpartition(".")[2], shown(entry.title))
    return tuple(each.casefold() for each in names)


def _kind_names(entry: Printed) -> tuple[str, ...]:
    """Return what all entries of one kind can be called."""
    names = (entry.id.partition(":")[0], shown(entry.kind))
    return tuple(each.casefold() for each in names)
