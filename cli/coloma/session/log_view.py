"""The log for one viewer, the rules that caused its lines, and a pager for long text."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING

from coloma.guides import book_pages
from coloma.session.answers import Answers, Prompt, numbered, or_list
from coloma.session.screen import Ink, Screen, shown, wrapped
from rulesdsl import Action, Decision, Game, LogLine, Rulebook, StoryLine
from rulesdsl.source.english import contains_phrase, sentence, so_many
from rulesdsl.source.span import SourceFile, Span
from rulesdsl.table.routes import Route, routes

if TYPE_CHECKING:
    from rich.text import Text


def told(lines: Iterable[StoryLine]) -> list[str]:
    """Return lines of the story as strings; headings end with a colon."""
    texts: list[str] = []
    for (level, _, text), alike in groupby(
        lines, lambda line: (line.level, line.actor, line.text)
    ):
        if level == "part":
            texts += [f"{shown(text)}:" for _ in alike]
        else:
            texts.append(_repeated(sentence(shown(text)), alike))
    return texts


def readable(lines: Sequence[LogLine], viewer: int) -> list[str]:
    """Return the texts of the log lines visible to the viewer."""
    visible = [(line.actor, text) for line in lines if (text := shown(line.seen_text(viewer)))]
    return [_repeated(sentence(text), alike) for (_, text), alike in groupby(visible)]


def _repeated(text: str, alike: Iterable[object]) -> str:
    """Return a sentence that stands for like ones of the same player, with their number."""
    count = sum(1 for _ in alike)
    return text if count == 1 else f"{text.removesuffix('.')} ({count} times)."


_NOT = "not"
_SOURCE = "--source"
_MOST_RULES = 8  # shown for one line of the log
_MOST_LISTED = 8
_MOST_WAYS = 2  # house: to a choice that another question offers
_MOST_QUESTIONS = 3  # explained for an option that several questions may offer
_MOST_ABOVE = 8  # house: lines above a rule in which its comment may be
_MOST_PAGES = 3  # of the rulebook
_RULE_ID = re.compile(r"\b[A-Z][A-Z0-9]*-[0-9]+[a-z]?\b")  # in comments, as on pages


class RuleLines:
    """Reporter of the rules behind questions, log lines and missing options.

    It names pages of the rulebook, by the rule IDs in the comments of the sources; with
    `--source`, it quotes the rules. Sources are read when needed.
    """

    def __init__(
        self,
        read_sources: Callable[[], Mapping[str, SourceFile]],
        book: Callable[[], Rulebook] = lambda: Rulebook(()),
    ) -> None:
        self._read_sources, self._book = read_sources, book

    def reasons(
        self, game: Game, decision: Decision, viewer: int, request: str, *, brief: bool = True
    ) -> Iterator[str]:
        """Yield the answer to `why`: the rules behind the question or a log line (`why 2`).

        `why not WORDS` is answered with the reason why an option is not offered.
        """
        quotes = _SOURCE in request.split()
        argument = " ".join(part for part in request.split() if part != _SOURCE)
        word, _, words = argument.partition(" ")
        if word.casefold() == _NOT:
            yield from self._why_not(game, decision, viewer, words, quotes=quotes)
        elif argument.isdecimal() and len(argument) <= 6 and int(argument):  # noqa: PLR2004 - of a log
            yield from self._behind(game, viewer, int(argument), brief=brief, quotes=quotes)
        elif argument:
            yield "Type why, why 2 (for the second-to-last line in the log), or why not WORDS."
        else:
            yield decision.prompt
            yield from self._explained(decision.rules, quotes=quotes)

    def _behind(
        self, game: Game, viewer: int, back: int, *, brief: bool, quotes: bool
    ) -> Iterator[str]:
        lines = game.story(viewer, brief=brief)
        if back > len(lines):
            count = so_many(len(lines), "line", "lines")
            yield f"The log has only {count}." if lines else "The log is empty."
            return
        line = lines[-back]
        yield from told([line])
        last = line.first if line.level == "part" else line.last
        changes = game.log[line.first : last + 1]
        rules = dict.fromkeys(rule for change in changes for rule in change.seen_rules(viewer))
        if rules:
            yield from self._explained([*rules], quotes=quotes)
        elif any(change.rules for change in changes):
            yield "  Which rule caused this is not known to you."
        else:
            yield "  No rule caused this: it was a choice."

    def _explained(self, rules: Sequence[Span], *, quotes: bool) -> Iterator[str]:
        """Yield the pages about rules, or the rules themselves."""
        if quotes:
            quoted = [*dict.fromkeys(map(self._quoted, rules))]
            yield from quoted[:_MOST_RULES]
            if len(quoted) > _MOST_RULES:
                yield f"  and {len(quoted) - _MOST_RULES} more"
            return
        names = {name for rule in rules for name in self._ids(rule)}
        pages = [page for page in self._book().topics if names & {*page.tells}]
        for page in pages[:_MOST_PAGES]:
            yield f"  {shown(page.title)}: type `rules {shown(page.name)}`."
        if not pages:
            yield f"  No page of the rulebook is about this; `why {_SOURCE}` quotes the rules."

    def _ids(self, rule: Span) -> Iterator[str]:
        """Yield the IDs in the comments of a rule, or else in the closest comment above it."""
        source = self._sources.get(rule.file)
        if source is None:
            return
        comments = [line.partition("#")[2] for line in source.lines]
        own = " ".join(comments[rule.line - 1 : max(rule.line, rule.end_line)])
        above = range(rule.line - 2, max(rule.line - 2 - _MOST_ABOVE, -1), -1)
        for text in (own, *(comments[at] for at in above)):
            if ids := _RULE_ID.findall(text):
                yield from ids
                return

    def _why_not(
        self, game: Game, decision: Decision, viewer: int, words: str, *, quotes: bool
    ) -> Iterator[str]:
        """Yield the reason why an option is not offered; if several options match, list them."""
        actions = named(game.actions, decision, words)
        is_exact = any(_is_called(action, words) for action in actions)
        is_open = any(action.asked_in == decision.number for action in actions)
        offered = [
            line
            for line in numbered(decision.options)
            if words == str(line.number)
            or (not (is_exact and is_open) and words and contains_phrase(line.label, words))
        ]
        if offered:
            yield from (f"{line.label} is offered: type {line.number}." for line in offered)
            return
        if not words or not actions:
            usage = "Type why not and a word from the choice."
            yield f"This game has no choice called `{words}`." if words else usage
            return
        several = list(dict.fromkeys(shown(action.label) for action in actions))
        if len(several) > 1:
            yield f"`{words}` could be:"
            yield from (f"  {label}" for label in several[:_MOST_LISTED])
            if len(several) > _MOST_LISTED:
                yield f"  and {len(several) - _MOST_LISTED} more"
            return
        for text, rule in self._reasons_of(game, decision, viewer, actions).items():
            yield f"{several[0]}: {text}"
            if quotes:
                yield self._quoted(rule)

    def _reasons_of(
        self, game: Game, decision: Decision, viewer: int, actions: Sequence[Action]
    ) -> dict[str, Span]:
        """Return the first few different reasons why actions are not offered, with their rules.

        Actions that the viewer can reach take precedence over all others.
        """
        is_asked = decision.player == viewer
        elsewhere = any(action.asked_in != decision.number for action in actions)
        ways = [*routes(game, viewer)] if is_asked and elsewhere else []
        refused: dict[str, Span] = {}
        reached: list[tuple[tuple[bool, int], str, Span]] = []
        for action in actions:
            reason, way = game.why_not(action, viewer), _on_the_way(ways, action, decision, viewer)
            if way is None:
                refused.setdefault(shown(reason.text), reason.rule)
            else:
                reached.append((*way, reason.rule))
        best = min((rank for rank, _, _ in reached), default=(False, 0))
        nearest = {text: rule for rank, text, rule in reached if rank == best}
        return dict(islice((nearest or refused).items(), _MOST_QUESTIONS))

    def _quoted(self, place: Span) -> str:
        source = self._sources.get(place.file)
        text = shown(source.line(place.line)) if source else ""
        return f"  {self._below_the_game(place.file)}:{place.line}: {text}".rstrip(": ")

    def _below_the_game(self, file: str) -> str:
        whole, folders = Path(file).absolute(), (Path(each).parent for each in self._sources)
        try:
            around = os.path.commonpath([each.absolute() for each in folders])
        except ValueError:  # there are no sources, or the mod and its game are on different drives
            return file
        return whole.relative_to(around).as_posix() if whole.is_relative_to(around) else file

    @cached_property
    def _sources(self) -> Mapping[str, SourceFile]:
        return self._read_sources()


def _on_the_way(
    ways: Sequence[Route], action: Action, decision: Decision, viewer: int
) -> tuple[tuple[bool, int], str] | None:
    """Return what leads to an action the fastest, and if it is refused there, also why.

    It comes with how good that is: whether it is refused, and the number of steps.
    """
    lines = numbered(decision.options)
    reached = [way for way in ways if way.decision.number == action.asked_in]
    offering = [way for way in reached if not set(way.decision.raw).isdisjoint(action.raw)]
    ends = offering or ([] if action.label.isdecimal() else reached)
    if not ends:
        return None
    steps = len(ends[0].options)
    firsts: dict[tuple[str, str], list[str]] = {}  # by the reason, and the steps that follow
    for way in (way for way in ends if len(way.options) == steps):
        reason = "" if offering else shown(way.game.why_not(action, viewer).text)
        more = "".join(f", then `{shown(option.label)}`" for option in way.options[1:])
        line = lines[way.first]
        number = "" if line.label[:1].isdecimal() else f"{line.number} "
        firsts.setdefault((reason, more), []).append(f"`{number}{line.label}`")
    ways_by_reason: dict[str, list[str]] = {}
    for (reason, more), options in islice(firsts.items(), _MOST_WAYS):
        ways_by_reason.setdefault(reason, []).append(f"{or_list([*dict.fromkeys(options)])}{more}")
    if offering:
        return (False, steps), f"It is offered after {or_list(ways_by_reason[''])}."
    texts = (f"After {or_list(texts)}: {reason}" for reason, texts in ways_by_reason.items())
    return (True, steps), " ".join(texts)


def _is_called(action: Action, words: str) -> bool:
    return words.casefold() in (action.id.casefold(), action.label.casefold())


def named(actions: Sequence[Action], decision: Decision, words: str) -> list[Action]:
    """Return the options that match words, preferably those of the open question.

    Exact matches take precedence over options that contain the words.
    """
    wanted = words.casefold()
    open_now = [action for action in actions if action.asked_in == decision.number]
    for where in (open_now, actions):
        exact = [action for action in where if _is_called(action, words)]
        if exact:  # two labels may differ in case alone
            return [action for action in exact if words in (action.id, action.label)] or exact
    ways = (
        [each for each in where if wanted and wanted in f"{each.id} {each.label}".casefold()]
        for where in (open_now, actions)
    )
    return next(filter(None, ways), [])


_LINES = 22  # per page: a screen has 24, one is for the prompt and one is spare
_BACK = "q"
_MORE = "Enter: next page; q: stop reading; anything else answers the question. "
_NEAR = 9  # house: lines that may stay empty so that a page ends at a gap


def leaf(lines: Iterable[str | Text], screen: Screen, answers: Answers) -> str:
    """Show lines page by page on a terminal, otherwise all at once.

    Return the input typed instead of Enter, if any: it answers the open question.
    """
    left = iter(lines)
    shown = list(islice(left, _LINES))
    while shown:
        shown, more = _at_a_gap(shown)
        for line in shown:
            screen.line(line) if isinstance(line, str) else screen.show([line])
        more += islice(left, _LINES - len(more))
        if more and answers.is_terminal and screen.is_terminal:
            typed = answers.next_line(Prompt(_MORE)).strip()
            if typed:
                return "" if typed == _BACK else typed
        shown = more
    return ""


def _at_a_gap(lines: list[str | Text]) -> tuple[list[str | Text], list[str | Text]]:
    """Split a full page at its last empty line, if that is near its end."""
    gaps = [at for at, line in enumerate(lines) if not line and at >= _LINES - _NEAR]
    if len(lines) < _LINES or not gaps:
        return lines, []
    return lines[: gaps[-1]], lines[gaps[-1] + 1 :]


def book_lines(book: Rulebook, topic: str, screen: Screen, answers: Answers) -> list[str]:
    """Return the lines of a topic; for an unknown one, print an error and return no lines."""
    lines = book_pages(book, topic, "rules")
    if isinstance(lines, str):
        refused = answers.refuse(lines)
        for line in [refused] if screen.plain else wrapped(refused, screen.width):
            screen.line(line, Ink.WRONG)
        return []
    return lines
