"""The log as a story: a sentence for each act, with its costs and gains folded in.

What is done is a tree: parts of the game hold acts, acts hold acts and changes. A choice that no
words are declared for counts as an act up to the next one. Each act is told in one line; what
it changed is told by itself only where no words speak of it.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal

import attrs

from rulesdsl.interpreter.log.lines import ACCEPTS, Clause, LogLine
from rulesdsl.source.english import and_list

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulesdsl.interpreter.labels import Labels


@attrs.frozen
class StoryLine:
    """A line of the story. `level`: a heading of a part of the game, or what somebody did.

    `depth`: in how many parts of the game it is. `actor`: player number from 1, 0 for the game.
    `first` and `last` are the lines of the log that it tells of, counted from the first one given;
    `goes_on`: there is more to come of it.
    """

    level: Literal["part", "line"]
    depth: int
    actor: int
    text: str
    first: int = attrs.field(eq=False, repr=False)  # counts lines that others alone can read
    last: int = attrs.field(eq=False, repr=False)
    goes_on: bool = False


@attrs.define
class _Act:
    """Something that is done, as it is being told: its words, and what it changed."""

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
        """Whether it has changed nothing yet."""
        return not (self.inside or self.clauses or self.sums)


def story(lines: Sequence[LogLine], viewer: int | None, labels: Labels) -> tuple[StoryLine, ...]:
    """Return lines of a log as the story that a viewer reads.

    0 is somebody who only watches; for None nothing stays secret.
    """
    root = _Act(LogLine(0, "part", Clause("", "")), None, -1, 0, 0)
    _Builder(viewer, [root]).build(lines)
    return tuple(_Teller(labels).told(root))


@attrs.define
class _Builder:
    """Builds the tree of what is done; `open` are the acts that go on, the innermost last."""

    viewer: int | None
    open: list[_Act]
    _answers: list[tuple[_Act, _Act]] = attrs.Factory(list)
    """Answers given in secret that have led to nothing yet, each after what it is told in."""

    def build(self, lines: Sequence[LogLine]) -> None:
        """Take in lines in order; those of a log that is cut may end what began before it."""
        hushed = 0  # how many open acts are quiet, or lie within one that is
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
                if not self.open[-1].line.about:  # what follows may be no part of the choice
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
        """Take in a choice; where an act goes on, what is done says it."""
        if self.open[-1].line.kind == "act":
            return
        self._end_choice(line.actor)
        if line.kind == "choice":
            self._open(line, clause, at)

    def _answered(self, line: LogLine, clause: Clause | None, at: int) -> None:
        """Take in an answer given in secret: from now on all know it."""
        if clause is not None and clause.objects:
            act = _Act(line, clause, self.open[-1].depth, at, at, is_done=True, clauses=[clause])
            self.open[-1].inside.append(act)
            self._answers.append((self.open[-1], act))

    def _end_answers(self, actor: int) -> None:
        """End the answers of a player and of those before them: what they led to says them."""
        for around, act in self._answers:
            if actor in {0, act.line.actor} or actor > act.line.actor:
                around.inside.remove(act)
        self._answers = [each for each in self._answers if 0 < actor < each[1].line.actor]

    def _end_choice(self, by: int = 0) -> None:
        """End a choice; one that only led to another one of its player is not told."""
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
        if here.line.kind == "part" or line.kind == "say":  # told where it happens
            act = _Act(line, clause, here.depth, at, at)
            here.inside.append(act)
            here = act
        for amount in line.amounts:
            key = amount.seat, amount.noun
            here.sums[key] = here.sums.get(key, 0) + amount.by
        if not line.amounts:
            here.clauses.append(clause)


@attrs.frozen
class _Teller:
    """Tells the tree of what is done."""

    labels: Labels

    def told(self, act: _Act) -> Iterator[StoryLine]:
        """Yield the lines of what is inside an act, in order; changes alike are told together."""
        left = list(act.inside)
        while left:
            each = left.pop(0)
            if each.line.kind == "part":
                inside = list(self.told(each))
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
        """Whether two changes are told in one sentence: the same goes on, for the same people."""
        kinds = {one.line.kind, other.line.kind}
        if kinds & {"act", "choice", "part", "say"}:
            return False
        if one.sums and other.sums:
            return {seat for seat, _ in one.sums} == {seat for seat, _ in other.sums}
        return bool(one.clauses and other.clauses) and _alike(one.clauses[-1], other.clauses[0])

    def _act(self, act: _Act) -> Iterator[StoryLine]:
        """Yield an act and what is inside it; a choice that its outcome tells is not told."""
        declared = act.line.kind == "act"
        actor = act.line.actor - 1
        rest = [seat for seat, _ in act.sums if seat != actor]
        own, others = self._balance(act), self._sums(act, rest)
        clauses = [] if declared else self._clauses(act)
        told = bool(clauses or others or act.inside)
        if act.clause is not None and act.clause.objects == () and not declared:
            others, own = self._sums(act, [actor, *rest]), ""  # what was chosen is a secret
            told = told or bool(others)
        if own and act.clause is not None and act.clause.verb == ACCEPTS:
            yield self._line(act, self._sum(act, actor), "line")
        elif act.clause is not None and (
            declared or (act.line.about and not _is_named_inside(act)) or own or not told
        ):
            yield self._line(act, f"{act.clause.text}{own}", "line")
        for text in (*others, *clauses):
            yield self._line(act, text, "line")
        yield from self.told(act)

    def _balance(self, act: _Act) -> str:
        """Return the costs and gains of who acts, after what is done."""
        costs, gains = self._costs_and_gains(act, act.line.actor - 1)
        paid = f" ({', '.join(costs)})" if costs else ""
        return paid + (f": {', '.join(f'+{each}' for each in gains)}" if gains else "")

    def _sums(self, act: _Act, seats: Iterable[int]) -> list[str]:
        """Return what each seat pays or loses, and gains."""
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
        """Yield what changes where no words speak of it."""
        for text in (*self._sums(act, [seat for seat, _ in act.sums]), *self._clauses(act)):
            yield self._line(act, text, "line")

    def _clauses(self, act: _Act) -> list[str]:
        """Return what moves or changes: what is alike in one sentence."""
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
    """Whether what was chosen is named by what its player does first."""
    first = next(iter(choice.inside), None)
    if first is None or first.line.kind != "act" or first.line.actor != choice.line.actor:
        return False
    if first.clause is None or choice.clause is None:
        return False
    named = choice.clause.objects[0].split(": ") if choice.clause.objects else ()
    return any(each in first.clause.text for each in named)


def _alike(one: Clause, other: Clause) -> bool:
    """Whether two clauses say the same of other things."""
    same = (one.who, one.verb, one.rest) == (other.who, other.verb, other.rest)
    return same and bool(one.objects and other.objects)


def _join(one: _Act, other: _Act) -> None:
    """Take one change into another."""
    for key, by in other.sums.items():
        one.sums[key] = one.sums.get(key, 0) + by
    one.clauses += other.clauses
    one.last = other.last


def _so_many(count: int, thing: str) -> str:
    return thing if count == 1 else f"{count} {thing.removeprefix('a ')}"
