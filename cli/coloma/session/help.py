"""Help during a session: lessons, and text about pieces and rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import attrs

from coloma.session.answers import numbered, or_list
from coloma.session.question import undone_in_words
from coloma.session.screen import shown
from rulesdsl import Decision, Game, Printed, Rulebook
from rulesdsl.interpreter.display.rulebook import CHOICE, unmarked
from rulesdsl.source.diagnostics import closest
from rulesdsl.table.table import GameTable

if TYPE_CHECKING:
    from rulesdsl.scenarios.lessons import Course


_HELP = """\
Type the number of a choice, or words that begin words of no other choice.
  board      show the table; with a name, one part of it
  me         show your own things
  score      show everybody's score as if the game ended now; score NAME
             lists what brought NAME each point
  log [n]    show what happened last, a line for each turn; log all [n] shows
             every event, log changes [n] every change, one by one
  hint       suggest a move, with the bot's rating of each choice
  read NAME  explain anything on the screen; NAME may be the number of a
             choice; without a name, list everything that can be read
  rules [X]  show a summary of the rules, or those about X
  why        name the rules that ask this question; why 1 names those that
             caused the last line of the log, why 2 the line before it
  why not X  explain why a choice is not offered now; X is a word in it;
             each why can end in --source, which quotes the rules
  undo       take your last choice back, if the remark below its question said
             that it can be undone; undo NAME, what NAME chose in secret
  bot N      let a bot play for player N from now on; bot N KIND, one of a kind
  take N     let a person play for player N from now on; take N NAME
  name N X   call player N X
  save [F]   show where the game is saved; with a name, save a copy there
  quit       stop; you can resume the game later
  ?          show this help
Enter alone shows the question again."""


def help_text(table: GameTable, typist: int) -> str:
    """Return the commands of a session, and what `undo` would take back."""
    undone = table.undoable(typist)
    if undone is None:
        return _HELP
    return f"{_HELP}\nundo now takes back {undone_in_words(undone, table.game.seats)}."


RUNS_ON = "From here on you play: the lesson is over, and the game goes on."
"""Heading for the place where a lesson runs on into its game."""
_OTHER_WAY = (
    "That works too. The step was: {step} Nothing has happened yet; the same answer again plays"
    " it, and the lesson is over."
)

SCRIPTED = "scripted"
"""The kind of a seat whose choices a lesson makes."""


@attrs.frozen
class Teacher:
    """Guide through a lesson; the number of choices made determines the current step."""

    course: Course

    def is_done(self, made: int) -> bool:
        """Return True if the lesson ends after this many choices."""
        return self.course.over(made)

    @property
    def runs_on(self) -> bool:
        """True if the game goes on after the lesson."""
        return self.course.lesson.runs_on

    def title(self, table: GameTable) -> str:
        """Return the heading for the present step."""
        step, steps = self.course.at_step(table.step), len(self.course.lesson.steps)
        return f"Lesson, step {step} of {steps}"

    def says(self, table: GameTable) -> Iterator[str]:
        """Yield the paragraphs to show before the next choice; within a step, this is its hint."""
        for text in [*self.course.said(table.step, table.game)] or [self.course.hint(table.step)]:
            for paragraph in text.strip().split("\n\n"):
                yield shown(paragraph)

    def hint(self, table: GameTable, decision: Decision, index: int) -> str:
        """Return a remark if the lesson expects another choice, otherwise an empty string."""
        wanted = self.course.wanted(table.step)
        if wanted is None or decision.index_of(wanted.option) == index:
            return ""
        hint = shown(self.course.hint(table.step))
        if not self.runs_on:
            return f"{hint} (Nothing has happened: try again.)"
        return _OTHER_WAY.format(step=hint)

    def others(self, game: Game, made: int) -> int | None:
        """Return the index of the lesson's choice if another player is to move, otherwise None."""
        decision, wanted = game.decision, self.course.wanted(made)
        if decision is None or wanted is None or decision.player <= self.course.learner:
            return None
        return decision.index_of(wanted.option) or 0


_LIST = "You can read about"
_TITLE_ONLY = "There is nothing more to read about this."
_RULES = "In the rules"


@attrs.frozen
class InfoPage:
    """Page with a title, and rows of labels and text."""

    title: str
    rows: tuple[tuple[str, str], ...]


@attrs.frozen
class Shelf:
    """Text that players can read: on pieces, about names on the screen, and in the rulebook.

    `decision` is the open question.
    """

    printed: Sequence[Printed]
    named: Sequence[Printed]
    decision: Decision
    book: Rulebook

    def pages(self, name: str) -> list[InfoPage] | str:
        """Return the pages about a name, or an error message with similar names.

        A number means an option; an empty name, or that of a kind, lists the available entries.
        """
        if not name:
            return [_listed([*self.printed, *self.named])]
        if re.fullmatch(r"[0-9]{1,9}", name):
            return self._of_option(int(name))
        return self._under(name) or self._by_part(name)

    def _under(self, name: str) -> list[InfoPage]:
        wanted = name.casefold()
        exact = [each for each in self.printed if wanted in _names(each)]
        of_kind = [each for each in self.printed if wanted in _kind_names(each)]
        if of_kind and not exact:
            return [_listed(of_kind), *self._told(name)]
        exact += [each for each in self.named if wanted in _names(each)]
        return _once(self._page(each) for each in exact) or self._told(name)

    def _by_part(self, name: str) -> list[InfoPage] | str:
        wanted = name.casefold()
        entries = [*self.printed, *self.named]
        for inside in (False, True):
            found = [
                each
                for each in entries
                if any(wanted in one if inside else one.startswith(wanted) for one in _names(each))
            ]
            if len(found) == 1:
                return [self._page(found[0])]
            if found:
                return f"`{name}` could be {or_list([_called(each) for each in found])}."
        of_several = [
            each
            for each in entries
            if any(wanted.startswith((f"{one} ", f"{one}, ")) for one in _names(each))
        ]
        if of_several:  # a place that exists once for each entry of a kind
            return [self._page(each) for each in of_several]
        words = {word for each in entries for word in (*_names(each), *_kind_names(each))}
        words |= {word.casefold() for topic in self.book.topics for word in topic.words}
        near = closest(wanted, words)[:3]
        advice = f"Did you mean {or_list(near)}?" if near else "`read` lists everything."
        return f"There is nothing to read about `{name}`. {advice}"

    def _of_option(self, number: int) -> list[InfoPage] | str:
        options = self.decision.options
        numbers = [each.number for each in numbered(options)]
        if number not in numbers:
            return f"There is no choice {number}; `read` lists everything."
        option = options[numbers.index(number)]
        about = [each for each in self.printed if each.id == option.about]
        if about:
            return [self._page(each) for each in about]
        label = shown(option.label)
        names = (label, label.partition(":")[0], label.rpartition(": ")[2], option.id)
        found = next((page for name in names if (page := self._under(name))), None)
        question = shown(self.decision.prompt)
        return found or [InfoPage(label, (("", f"An answer to: {question}"),))]

    def _page(self, entry: Printed) -> InfoPage:
        told = tuple(self._of_book(_names(entry)))
        better = told and entry.id.startswith(f"{CHOICE}:")
        own = () if better else entry.rows
        rows = tuple((shown(label), shown(text)) for label, text in own)
        return InfoPage(_called(entry), (*rows, *told) or (("", _TITLE_ONLY),))

    def _told(self, name: str) -> list[InfoPage]:
        rows = tuple(self._of_book([name]))
        return [InfoPage(shown(name), rows)] if rows else []

    def _of_book(self, names: Sequence[str]) -> Iterator[tuple[str, str]]:
        for name in (
            form for each in names for form in (each, f"{each}s", each.removesuffix("s"))
        ):
            topics = self.book.explaining(name)
            if not topics:
                continue
            told = next((text for each in topics if (text := each.about(name))), "")
            if told:
                first, *points = (shown(each) for each in unmarked(told).splitlines())
                if not points and first.endswith(":"):  # the table or picture after it is omitted
                    first = f"{first[:-1]}."
                yield "", first.removeprefix("- ")
                yield from (("", f"  {each}") for each in points)
            yield _RULES, " ".join(f"`rules {shown(each.name)}`" for each in topics)
            return


def _once(pages: Iterable[InfoPage]) -> list[InfoPage]:
    seen: set[tuple[str, str]] = set()
    found = []
    for page in pages:
        left = tuple(each for each in page.rows if each not in seen)
        seen.update(page.rows)
        if left:
            found.append(InfoPage(page.title, left))
    return found


def _listed(entries: Sequence[Printed]) -> InfoPage:
    by_kind: dict[str, dict[str, None]] = {}
    for each in entries:
        by_kind.setdefault(shown(each.kind), {})[shown(each.title)] = None
    return InfoPage(_LIST, tuple((kind, ", ".join(titles)) for kind, titles in by_kind.items()))


def _called(entry: Printed) -> str:
    return f"{shown(entry.title)} ({shown(entry.kind)})"


def _names(entry: Printed) -> tuple[str, ...]:
    own = entry.id.partition(":")[2]
    names = (entry.id, own, own.rpartition(".")[2], shown(entry.title))
    return tuple(each.casefold() for each in names)


def _kind_names(entry: Printed) -> tuple[str, ...]:
    names = (entry.id.partition(":")[0], shown(entry.kind))
    return tuple(each.casefold() for each in names)
