"""The log as a story: sentences that combine raw entries, with their costs and gains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import Any, Literal

import attrs

from rulesdsl.interpreter.labels import Labels
from rulesdsl.interpreter.log.sentences import (
    ACCEPTS,
    ChangeSentences,
    Clause,
    Kind,
    LogLine,
    VisibleChange,
)
from rulesdsl.lower.flat import Event
from rulesdsl.lower.schema import DECLINE, DONE, Decide, OptionLine
from rulesdsl.source.english import ARTICLE, and_list, spoken
from rulesdsl.source.span import NOWHERE

CHOICE = -1
Entry = tuple[Any, ...]


class LogReader:
    """Converter of generated code's raw log entries to lines."""

    def __init__(self, labels: Labels) -> None:
        self.labels = labels
        self.engine = labels.engine
        self._changes = ChangeSentences(labels)

    def lines(self, entries: Sequence[Entry], start: int = 0) -> tuple[LogLine, ...]:
        """Return the log lines from entry `start` on; earlier entries identify their pieces."""
        return tuple(self._line(entries, at) for at in range(start, len(entries)))

    def _line(self, entries: Sequence[Entry], at: int) -> LogLine:
        number, learned, actor, *values = entries[at]
        if number == CHOICE:
            return self._choice(learned, actor, values)
        event = self.engine.events[number]
        spans = (event.span, self.labels.program.procs[event.proc].span)
        rules = tuple(each for each in spans if each != NOWHERE)
        match event.kind:
            case "say" | "act" | "part" | "told":
                made = self._words(entries, at, event)
            case kind:
                made = self._changes.wording(kind, event.subject, actor, values)
        seen = made.clause, made.hidden, made.seen_by, made.amounts, made.quiet
        return LogLine(actor + 1, event.kind, *seen, rules, learned)

    # ---------------------------------------------------------------- choices
    def _choice(self, learned: int, actor: int, values: list[Any]) -> LogLine:
        ask_number, option, detail, numbers, asked, _ = values
        ask = self.engine.asks[ask_number]
        end, who = ask.end, self._changes.who(actor)
        line = partial(LogLine, actor + 1, rules=(end.span,), learned=learned)
        if isinstance(end, Decide) and end.stop is not None and ask.line(option) is None:
            if end.stop == DONE:
                return line("done", Clause(who, "is done"))
            return line("refusal", Clause(who, "declines:", (self._offer(end.lines[0], asked),)))
        _, label = self.labels.option(ask, option, detail, numbers)
        clause = Clause(who, "chooses", (label,))
        if isinstance(end, Decide) and end.stop == DECLINE:
            clause = Clause(who, ACCEPTS, (self._offer(end.lines[0], asked),))
        kind: Kind = "answer" if ask.sealed else "choice"
        if ask.secret(option):
            return line(kind, clause, Clause(who, "chooses in secret"), frozenset({actor + 1}))
        return line(kind, clause, about="" if ask.plain else self.labels.about(ask, option)[0])

    def _offer(self, line: OptionLine, numbers: list[int]) -> str:
        """Return the label of an offer; text declared for it also serves as its question."""
        if line.label is None:
            return spoken(line.text)
        return self.labels.say(line.label, numbers).partition("?")[0].rstrip(".")

    # ---------------------------------------------------------------- author's texts
    def _words(self, entries: Sequence[Entry], at: int, event: Event) -> VisibleChange:
        _, _, actor, *numbers = entries[at]
        who = self._changes.who(actor) if event.kind == "act" else ""
        words = event.words
        if words is None:
            return VisibleChange(Clause(who, ""), quiet=event.quiet)
        eyes = self._eyes(entries, at, event, numbers)
        veiled = [place for place, each in enumerate(eyes) if each != self._everybody]
        clause = Clause(who, self.labels.say(words, numbers))
        if not veiled:
            return VisibleChange(clause, quiet=event.quiet)
        hidden = Clause(who, self.labels.say(words, numbers, veiled))
        return VisibleChange(clause, hidden, frozenset.intersection(*eyes), quiet=event.quiet)

    @cached_property
    def _everybody(self) -> frozenset[int]:
        return frozenset(range(self.labels.layout.players + 1))  # 0 is the spectator

    def _eyes(
        self, entries: Sequence[Entry], at: int, event: Event, numbers: list[int]
    ) -> list[frozenset[int]]:
        """Return the readers of each value; for hidden pieces, those who have seen them."""
        words, actor = event.words, entries[at][2]
        assert words is not None
        wide = len(self.labels.world.bundle_nouns)
        first = sum(wide if each.type.family == "bundle" else 1 for each in words.values)
        lying = iter(numbers[first:])
        found: list[frozenset[int]] = []
        for seen, faces in zip(words.seen, words.faces, strict=True):
            eyes = self._everybody
            if seen != "all" and not faces:
                eyes = frozenset({actor + 1}) if seen == "actor" else frozenset()
            for piece in faces:
                eyes &= self._watched(entries, at, piece.type.of, next(lying), next(lying))
            found.append(eyes)
        return found

    def _watched(
        self, entries: Sequence[Entry], at: int, piece: str, thing: int, cell: int
    ) -> frozenset[int]:
        """Return the viewers who could see a piece where it lay, or as it moved during the act."""
        if thing < 0:
            return self._everybody
        found = self._watch(piece, cell)
        depth = 0
        for number, *rest in entries[at + 1 :]:
            event = None if number == CHOICE else self.engine.events[number]
            if event is None:
                continue
            depth += {"act": 1, "part": 1, "told": -1}.get(event.kind, 0)
            if depth < 0:
                break
            if event.kind == "piece" and event.subject == piece and rest[2] == thing:
                found |= self._watch(piece, rest[4])
        return found

    def _watch(self, piece: str, cell: int) -> frozenset[int]:
        seen = self._changes.eyes[piece][cell]
        return self._everybody if seen is None else frozenset({seen} - {0})


@attrs.frozen
class StoryLine:
    """A line in the story; `level` distinguishes headings of parts of the game from sentences.

    `depth` is the number of enclosing parts, and `actor` is a player's number, or 0 for the game.
    `first` and `last` delimit the log lines that it covers, relative to the first one given. If it
    `goes_on`, later log lines may add to it.
    """

    level: Literal["part", "line"]
    depth: int
    actor: int
    text: str
    first: int = attrs.field(eq=False, repr=False)  # depends on the lines that a viewer sees
    last: int = attrs.field(eq=False, repr=False)
    goes_on: bool = False


@attrs.define
class _Act:
    """An act, part or change under construction: its clause, changes and nested acts."""

    line: LogLine
    clause: Clause | None
    depth: int
    first: int
    last: int
    is_done: bool = False
    sums: dict[tuple[int, str], int] = attrs.Factory(dict)
    inside: list[_Act] = attrs.Factory(list)
    clauses: list[Clause] = attrs.Factory(list)

    @property
    def is_empty(self) -> bool:
        """True as long as nothing is inside."""
        return not (self.inside or self.clauses or self.sums)


def story(lines: Sequence[LogLine], viewer: int | None, labels: Labels) -> tuple[StoryLine, ...]:
    """Return the lines of a log as the story that a viewer reads.

    Viewer 0 is a spectator; None reads everything. The lines become a tree in one pass: parts
    contain acts, and acts contain acts and changes; a choice that is followed by no act is treated
    as one until the next choice or act. Each act is one sentence, with its player's gains and
    losses summed up; a change gets a sentence only if no author's text covers it. A log that lacks
    its beginning may close acts that it never opened; this is ignored.
    """
    root = _Act(LogLine(0, "part", Clause("", "")), None, -1, 0, 0)
    _Builder(viewer, [root]).build(lines)
    return tuple(_Renderer(labels).lines(root))


@attrs.define
class _Builder:
    """Builder of the tree of acts; `open` is the stack of unfinished acts."""

    viewer: int | None
    open: list[_Act]
    _answers: list[tuple[_Act, _Act]] = attrs.Factory(list)
    """Secret answers without consequences so far, each preceded by the act around it."""

    def build(self, lines: Sequence[LogLine]) -> None:
        """Add lines in order; a log that lacks its beginning may close acts opened before it."""
        hushed = 0  # number of open acts that are quiet, or inside a quiet act
        for at, line in enumerate(lines):
            if line.kind == "told":
                if hushed:
                    hushed -= 1
                else:
                    self._close()
            elif line.quiet or hushed:
                hushed += line.kind in {"act", "part"}
            else:
                self._take(line, at)

    def _close(self) -> None:
        while len(self.open) > 1:
            act = self.open.pop()
            act.is_done = True
            if act.line.kind != "choice":
                if not self.open[-1].line.about:  # the next lines may not belong to the choice
                    self._end_choice()
                return

    def _take(self, line: LogLine, at: int) -> None:
        clause = line.clause if self.viewer is None else line.seen(self.viewer)
        for each in self.open:
            each.last = at
        if line.kind != "answer":
            self._end_answers(line.actor)
        match line.kind:
            case "act":
                self._open(line, clause, at)
            case "part":
                self._end_choice()
                self._open(line, clause, at)
            case "answer":
                self._end_choice(line.actor)
                self._answered(line, clause, at)
            case "choice" | "refusal" | "done":
                self._chosen(line, clause, at)
            case _:
                if clause is not None:
                    self._changed(line, clause, at)

    def _chosen(self, line: LogLine, clause: Clause | None, at: int) -> None:
        if self.open[-1].line.kind == "act":
            return
        self._end_choice(line.actor)
        if line.kind == "choice":
            self._open(line, clause, at)

    def _answered(self, line: LogLine, clause: Clause | None, at: int) -> None:
        """Add a secret answer, which is public from now on."""
        if clause is not None and clause.objects:
            act = _Act(line, clause, self.open[-1].depth, at, at, is_done=True, clauses=[clause])
            self.open[-1].inside.append(act)
            self._answers.append((self.open[-1], act))

    def _end_answers(self, actor: int) -> None:
        """Drop the answers of a player and of earlier players: their consequences imply them."""
        for around, act in self._answers:
            if actor in {0, act.line.actor} or actor > act.line.actor:
                around.inside.remove(act)
        self._answers = [each for each in self._answers if 0 < actor < each[1].line.actor]

    def _end_choice(self, by: int = 0) -> None:
        """End a choice; drop it if it only led to another choice by the same player."""
        if self.open[-1].line.kind == "choice":
            act = self.open.pop()
            act.is_done = True
            if act.line.actor == by and act.is_empty:
                self.open[-1].inside.remove(act)

    def _open(self, line: LogLine, clause: Clause | None, at: int) -> None:
        above = self.open[-1]
        act = _Act(line, clause, above.depth + (line.kind == "part"), at, at)
        above.inside.append(act)
        self.open.append(act)

    def _changed(self, line: LogLine, clause: Clause, at: int) -> None:
        if line.actor != self.open[-1].line.actor:
            self._end_choice()
        here = self.open[-1]
        if here.line.kind == "part" or line.kind == "say":  # reported where it happens
            act = _Act(line, clause, here.depth, at, at)
            here.inside.append(act)
            here = act
        for amount in line.amounts:
            key = amount.seat, amount.noun
            here.sums[key] = here.sums.get(key, 0) + amount.by
        if not line.amounts:
            here.clauses.append(clause)


@attrs.frozen
class _Renderer:
    labels: Labels

    def lines(self, act: _Act) -> Iterator[StoryLine]:
        """Yield the lines inside an act in order; adjacent similar changes are merged."""
        left = list(act.inside)
        while left:
            each = left.pop(0)
            if each.line.kind == "part":
                inside = list(self.lines(each))
                if inside and each.clause is not None:
                    yield self._line(each, each.clause.text, "part")
                yield from inside
            elif each.line.kind in {"act", "choice"}:
                yield from self._act(each)
            else:
                while left and self._joins(each, left[0]):
                    _join(each, left.pop(0))
                yield from self._changes(each)

    @staticmethod
    def _joins(one: _Act, other: _Act) -> bool:
        """Return true if one sentence covers both acts: same verb, or gains of the same seats."""
        kinds = {one.line.kind, other.line.kind}
        if kinds & {"act", "choice", "part", "say"}:
            return False
        if one.sums and other.sums:
            return {seat for seat, _ in one.sums} == {seat for seat, _ in other.sums}
        return bool(one.clauses and other.clauses) and _alike(one.clauses[-1], other.clauses[0])

    def _act(self, act: _Act) -> Iterator[StoryLine]:
        """Yield an act and its contents; a choice is omitted if its contents name it."""
        declared = act.line.kind == "act"
        actor = act.line.actor - 1
        rest = [seat for seat, _ in act.sums if seat != actor]
        own, others = self._balance(act), self._sums(act, rest)
        clauses = [] if declared else self._clauses(act)
        followed = bool(clauses or others or act.inside)
        if act.clause is not None and act.clause.objects == () and not declared:
            others, own = self._sums(act, [actor, *rest]), ""  # the choice is secret
            followed = followed or bool(others)
        if own and act.clause is not None and act.clause.verb == ACCEPTS:
            yield self._line(act, self._sum(act, actor), "line")
        elif act.clause is not None and (
            declared or (act.line.about and not _is_named_inside(act)) or own or not followed
        ):
            yield self._line(act, f"{act.clause.text}{own}", "line")
        for text in (*others, *clauses):
            yield self._line(act, text, "line")
        yield from self.lines(act)

    def _balance(self, act: _Act) -> str:
        costs, gains = self._costs_and_gains(act, act.line.actor - 1)
        paid = f" ({', '.join(costs)})" if costs else ""
        return paid + (f": {', '.join(f'+{each}' for each in gains)}" if gains else "")

    def _sums(self, act: _Act, seats: Iterable[int]) -> list[str]:
        return [text for seat in dict.fromkeys(seats) if (text := self._sum(act, seat))]

    def _sum(self, act: _Act, seat: int) -> str:
        costs, gains = self._costs_and_gains(act, seat)
        verb = "pays" if act.line.actor == seat + 1 else "loses"
        said = [f"{verb} {and_list(costs)}"] if costs else []
        said += [f"gains {and_list(gains)}"] if gains else []
        return f"{self.labels.seats[seat]} {' and '.join(said)}" if said else ""

    def _costs_and_gains(self, act: _Act, seat: int) -> tuple[list[str], list[str]]:
        mine = [(noun, by) for (of, noun), by in act.sums.items() if of == seat]
        costs = [self.labels.counted(noun, -by) for noun, by in mine if by < 0]
        return costs, [self.labels.counted(noun, by) for noun, by in mine if by > 0]

    def _changes(self, act: _Act) -> Iterator[StoryLine]:
        for text in (*self._sums(act, [seat for seat, _ in act.sums]), *self._clauses(act)):
            yield self._line(act, text, "line")

    def _clauses(self, act: _Act) -> list[str]:
        joined: list[list[Clause]] = []
        for clause in act.clauses:
            if joined and _alike(joined[-1][-1], clause):
                joined[-1].append(clause)
            else:
                joined.append([clause])
        return [self._together(each) for each in joined]

    def _together(self, clauses: list[Clause]) -> str:
        if len(clauses) == 1:
            return clauses[0].text
        unnamed: Counter[str] = Counter()
        for each in clauses:
            unnamed[each.noun] += each.count if each.noun else 0
        things = Counter(thing for each in clauses if not each.noun for thing in each.objects)
        named = [_so_many(count, thing) for thing, count in things.items()]
        said = tuple(self.labels.counted(noun, count) for noun, count in unnamed.items() if count)
        return attrs.evolve(clauses[0], objects=(*named, *said)).text

    def _line(self, act: _Act, text: str, level: Literal["part", "line"]) -> StoryLine:
        open_choice = act.line.kind == "choice" and act.is_empty
        goes_on = not act.is_done and (act.line.kind == "act" or open_choice)
        depth = max(act.depth, 0)
        return StoryLine(level, depth, act.line.actor, text, act.first, act.last, goes_on)


def _is_named_inside(choice: _Act) -> bool:
    """Return true if the player's first act after a choice names the chosen entity."""
    first = next(iter(choice.inside), None)
    if first is None or first.line.kind != "act" or first.line.actor != choice.line.actor:
        return False
    if first.clause is None or choice.clause is None:
        return False
    named = choice.clause.objects[0].split(": ") if choice.clause.objects else ()
    return any(each in first.clause.text for each in named)


def _alike(one: Clause, other: Clause) -> bool:
    """Return true if two clauses differ only in their objects."""
    same = (one.who, one.verb, one.rest) == (other.who, other.verb, other.rest)
    return same and bool(one.objects and other.objects)


def _join(one: _Act, other: _Act) -> None:
    for key, by in other.sums.items():
        one.sums[key] = one.sums.get(key, 0) + by
    one.clauses += other.clauses
    one.last = other.last


def _so_many(count: int, thing: str) -> str:
    return thing if count == 1 else f"{count} {ARTICLE.sub('', thing)}"
