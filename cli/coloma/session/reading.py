"""What the things on the screen are, for those who ask; never where a piece lies."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

import attrs

from coloma.session.screen import shown
from coloma.session.words import menu, or_list
from rulesdsl import Decision, Game, Option, Printed, Rulebook
from rulesdsl.interpreter.named import CHOICE
from rulesdsl.interpreter.rulebook import unmarked
from rulesdsl.source.suggest import closest

_LIST = "What can be read"
_TITLE_ONLY = "Nothing but its title."
_RULES = "In the rules"


@attrs.frozen
class Page:
    """A title, and lines of a label and a text below it."""

    title: str
    rows: tuple[tuple[str, str], ...]


@attrs.frozen
class Shelf:
    """All that can be read: what is printed, what the screen names, and the rulebook.

    `decision` is the question that is open.
    """

    printed: Sequence[Printed]
    named: Sequence[Printed]
    decision: Decision
    book: Rulebook

    @classmethod
    def of(cls, game: Game, decision: Decision, book: Rulebook) -> Shelf:
        """Return what can be read in a game."""
        return cls(game.printed, game.named, decision, book)

    def pages(self, name: str) -> list[Page] | str:
        """Return what to read under a name, or what could have been meant.

        A number is that of a choice; no name, or the name of a kind, lists what there is.
        """
        if not name:
            return [_listed([*self.printed, *self.named])]
        if re.fullmatch(r"[0-9]{1,9}", name):
            return self._of_option(int(name))
        return self._under(name) or self._by_part(name)

    def _under(self, name: str) -> list[Page]:
        """Return what bears exactly this name, or the kind of that name as a list."""
        wanted = name.casefold()
        exact = [each for each in self.printed if wanted in _names(each)]
        of_kind = [each for each in self.printed if wanted in _kind_names(each)]
        if of_kind and not exact:
            return [_listed(of_kind), *self._told(name)]
        exact += [each for each in self.named if wanted in _names(each)]
        return _once(self._page(each) for each in exact) or self._told(name)

    def _by_part(self, name: str) -> list[Page] | str:
        wanted = name.casefold()
        ways: tuple[Callable[[str], bool], ...] = (
            lambda name: name.startswith(wanted),
            lambda name: wanted in name,
        )
        for fits in ways:
            found = [each for each in self._all if any(map(fits, _names(each)))]
            if len(found) == 1:
                return [self._page(found[0])]
            if found:
                return f"`{name}` could be {or_list([_called(each) for each in found])}."
        of_several = [
            each for each in self._all if any(wanted.startswith(f"{one} ") for one in _names(each))
        ]
        if of_several:  # a place of which there is one for each of something
            return [self._page(each) for each in of_several]
        words = {word for each in self._all for word in (*_names(each), *_kind_names(each))}
        words |= {word.casefold() for topic in self.book.topics for word in topic.words}
        near = closest(wanted, words)[:3]
        advice = f"Did you mean {or_list(near)}?" if near else "`read` lists all that can be."
        return f"Nothing that can be read is called `{name}`. {advice}"

    def _of_option(self, number: int) -> list[Page] | str:
        options = self.decision.options
        numbers = [each.number for each in menu(options)]
        if number not in numbers:
            return f"There is no choice {number}; `read` lists what can be read."
        option = options[numbers.index(number)]
        about = [each for each in self.printed if each.id == option.about]
        if about:
            return [self._page(each) for each in about]
        found = next((page for name in _called_by(option) if (page := self._under(name))), None)
        question = shown(self.decision.prompt)
        return found or [Page(shown(option.label), (("", f"An answer to: {question}"),))]

    @property
    def _all(self) -> list[Printed]:
        return [*self.printed, *self.named]

    def _page(self, entry: Printed) -> Page:
        """Return the page of a thing: what is printed on it, and what the rulebook says of it."""
        told = tuple(self._of_book(_names(entry)))
        better = told and entry.id.startswith(f"{CHOICE}:")
        own = () if better else entry.rows
        rows = tuple((shown(label), shown(text)) for label, text in own)
        return Page(_called(entry), (*rows, *told) or (("", _TITLE_ONLY),))

    def _told(self, name: str) -> list[Page]:
        """Return what the rulebook says of a word that nothing bears as its name."""
        rows = tuple(self._of_book([name]))
        return [Page(shown(name), rows)] if rows else []

    def _of_book(self, names: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Yield the paragraph that explains one of the names, and where more is said."""
        for name in (
            form for each in names for form in (each, f"{each}s", each.removesuffix("s"))
        ):
            topics = self.book.explaining(name)
            if not topics:
                continue
            told = next((text for each in topics if (text := each.about(name))), "")
            if told:
                first, *points = (shown(each) for each in unmarked(told).splitlines())
                if not points and first.endswith(":"):  # of a table or a picture
                    first = f"{first[:-1]}."
                yield "", first.removeprefix("- ")
                yield from (("", f"  {each}") for each in points)
            yield _RULES, " ".join(f"`rules {shown(each.name)}`" for each in topics)
            return


def _once(pages: Iterable[Page]) -> list[Page]:
    """Return pages without the rows that an earlier one has: what the rulebook says of a name."""
    seen: set[tuple[str, str]] = set()
    found = []
    for page in pages:
        left = tuple(each for each in page.rows if each not in seen)
        seen.update(page.rows)
        if left:
            found.append(Page(page.title, left))
    return found


def _listed(entries: Sequence[Printed]) -> Page:
    by_kind: dict[str, dict[str, None]] = {}
    for each in entries:
        by_kind.setdefault(shown(each.kind), {})[shown(each.title)] = None
    return Page(_LIST, tuple((kind, ", ".join(titles)) for kind, titles in by_kind.items()))


def _called(entry: Printed) -> str:
    return f"{shown(entry.title)} ({shown(entry.kind)})"


def _called_by(option: Option) -> tuple[str, ...]:
    """Return by which names an option may be found: its label, what it is about, its id."""
    label = shown(option.label)
    return (label, label.partition(":")[0], label.rpartition(": ")[2], option.id)


def _names(entry: Printed) -> tuple[str, ...]:
    """Return what an entry can be called: its id, whole and by parts, and its title."""
    own = entry.id.partition(":")[2]
    names = (entry.id, own, own.rpartition(".")[2], shown(entry.title))
    return tuple(each.casefold() for each in names)


def _kind_names(entry: Printed) -> tuple[str, ...]:
    """Return what all entries of one kind can be called."""
    names = (entry.id.partition(":")[0], shown(entry.kind))
    return tuple(each.casefold() for each in names)
