"""The log as a story: sentences that combine raw entries, with their costs and gains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

import attrs

from rulesdsl.interpreter.decision_points import DecisionPoint
from rulesdsl.interpreter.labels import Labels
from rulesdsl.interpreter.log.lines import ACCEPTS, DRAWS, Amount, Clause, LogLine
from rulesdsl.interpreter.log.reader import ChosenThing, LogReader
from rulesdsl.interpreter.state import Entry
from rulesdsl.lower.schema import DONE
from rulesdsl.source.english import ARTICLE, a_or_an, and_list, contains_phrase, noun_forms, spoken


@attrs.frozen
class StoryLine:
    """A line in the story; `level` distinguishes headings of parts of the game from sentences.

    `depth` is the number of enclosing parts, and `actor` is a player's number, or 0 for the game.
    `first` and `last` delimit the log lines that it covers, relative to the first one given. If it
    `goes_on`, later log lines may add to it. It tells an act of the rules, a choice, or what
    follows (`nature`); its `balance` is what it says of costs, gains and moves of pieces; `gains`
    are set if it tells only those of its actor.
    """

    level: Literal["part", "line"]
    depth: int
    actor: int
    text: str
    first: int = attrs.field(eq=False, repr=False)  # depends on the lines that a viewer sees
    last: int = attrs.field(eq=False, repr=False)
    goes_on: bool = False
    nature: Literal["act", "choice", "effect"] = attrs.field(
        default="effect", eq=False, repr=False
    )
    balance: str = attrs.field(default="", eq=False, repr=False)
    gains: tuple[Amount, ...] = attrs.field(default=(), eq=False, repr=False)


@attrs.define(eq=False)
class _Change:
    """A change, a line of the rules' own, or a secret answer, as a viewer reads it.

    An answer is dropped if a later line tells what was `chosen`.
    """

    line: LogLine
    clause: Clause
    depth: int
    at: int
    chosen: ChosenThing | None = None


@attrs.define(eq=False)
class _Act:
    """An act, a part or a choice under construction, with its contents in order.

    `words` is the author's text around it, which may mention what changes. A choice knows its
    question, the thing or number chosen, if any, whether its effect may ask another question, and
    whether it is worth telling even if its outcome is told: a line of a menu, or an option with
    words of its own. A part knows whether its viewer was asked in it, and so read its heading.
    """

    line: LogLine
    clause: Clause | None
    depth: int
    at: int
    words: str = ""
    ask: DecisionPoint | None = None
    chosen: ChosenThing | None = None
    leads_on: bool = False
    is_worded: bool = False
    is_done: bool = False
    was_asked: bool = False
    items: list[_Act | _Change] = attrs.Factory(list)

    @property
    def is_choice(self) -> bool:
        """True for a choice, including one that only others do not see."""
        return self.line.kind == "choice"

    @property
    def is_pending(self) -> bool:
        """True for a choice that has led at most to others, whose outcome may tell it."""
        inside = (isinstance(item, _Act) and item.is_pending for item in self.items)
        return self.is_choice and not self.is_done and all(inside)

    @property
    def is_untold(self) -> bool:
        """True for a choice of a thing or number that no other line tells."""
        return self.chosen is not None and not self.chosen.is_told

    @property
    def is_hook(self) -> bool:
        """True for what a hook does, which has no words of its own."""
        return self.line.kind == "act" and not self.line.text

    @property
    def costs(self) -> bool:
        """True for more than gains of the one who acts."""
        amounts = (
            each for item in self.items if isinstance(item, _Change) for each in item.line.amounts
        )
        return any(
            amount.by < 0 or amount.seat != self.line.actor - 1 for amount in amounts
        ) or any(item.costs for item in self.items if isinstance(item, _Act))

    @property
    def is_aside(self) -> bool:
        """True for a hook, or an accepted offer, whose costs are not those of the act around."""
        is_offer = self.is_choice and self.clause is not None and self.clause.verb == ACCEPTS
        return (self.is_hook or is_offer) and self.costs


def story(
    reader: LogReader, entries: Sequence[Entry], viewer: int | None, start: int = 0
) -> tuple[StoryLine, ...]:
    """Return the log from entry `start` on as the story that a viewer reads.

    Viewer 0 is a spectator; None reads everything. The entries become a tree in one pass: parts
    contain acts, and acts contain acts and changes; a choice contains what follows up to the next
    choice or part. Then the tree is read in order: an act or a choice is one sentence, with the
    gains and losses that come first in it; everything else is a sentence where it happens, except
    quiet changes and those that the words of the act mention (`_Renderer.is_covered`).
    """
    builder = _Builder(reader, entries, viewer)
    for at in reader.enclosing(entries, start):
        builder.take(at)
    for at in range(start, len(entries)):
        builder.take(at)
    return tuple(_Renderer(reader.labels, start).read(builder.root))


class _Builder:
    """Builder of the tree of acts; `open` is the stack of unfinished acts."""

    def __init__(self, reader: LogReader, entries: Sequence[Entry], viewer: int | None) -> None:
        self._reader, self._entries, self._viewer = reader, entries, viewer
        self.root = _Act(LogLine(0, "part", Clause("", "")), None, -1, -1)
        self._open = [self.root]
        self._quiet = 0  # number of open acts that are quiet, or inside a quiet act
        self._chosen: list[_Act | _Change] = []
        """Recent choices and answers, which the next lines may tell."""

    def take(self, at: int) -> None:
        """Add an entry; a log that lacks its beginning may close acts opened before it."""
        for look in self._reader.looks(self._entries, at):
            self._add(look, self._seen(look), at)
        line = self._reader.line(self._entries, at)
        clause = self._seen(line)
        if line.kind == "told":
            if self._quiet:
                self._quiet -= 1
            else:
                self._close()
        elif (line.quiet or self._quiet) and not self._is_shown(line):
            self._quiet += line.kind in {"act", "part"}
        else:
            self._add(line, clause, at)

    def _seen(self, line: LogLine) -> Clause | None:
        return line.clause if self._viewer is None else line.seen(self._viewer)

    def _is_shown(self, line: LogLine) -> bool:
        """Return true for a text and what the viewer is shown: promises even in a quiet act."""
        is_own = self._viewer is None or line.is_open_to(self._viewer)
        return line.kind == "say" or (line.kind in {"peek", "show"} and is_own)

    def _close(self) -> None:
        while len(self._open) > 1:
            act = self._open.pop()
            act.is_done = True
            if not act.is_choice:
                if not (act.is_hook or self._open[-1].line.about):
                    self._end_choice()  # the next lines may not belong to it
                return

    def _add(self, line: LogLine, clause: Clause | None, at: int) -> None:
        self._tell(line, clause)
        self._note_asked(line)
        match line.kind:
            case "act":
                self._begin(line, clause, at)
            case "part":
                self._chosen.clear()
                self._end_choice()
                self._begin(line, clause, at)
            case "answer":
                self._end_choice()
                if clause is not None and clause.objects:  # it is public from now on
                    self._choose(self._changed(line, clause, at), at)
            case "choice" | "refusal" | "done":
                ask = self._reader.question(self._entries[at])
                self._end_choice(ask, line.actor)
                if not self._open[-1].is_choice:
                    self._chosen.clear()
                if line.kind == "choice":
                    self._begin(line, clause, at, ask)
            case _:
                if clause is not None:
                    if line.actor != self._open[-1].line.actor:
                        self._end_choice()
                    self._changed(line, clause, at)

    def _note_asked(self, line: LogLine) -> None:
        if line.kind in {"answer", "choice", "refusal", "done"} and line.actor == self._viewer:
            for act in self._open:
                act.was_asked = True

    def _begin(
        self, line: LogLine, clause: Clause | None, at: int, ask: DecisionPoint | None = None
    ) -> None:
        around = self._open[-1]
        words = clause.text if line.kind == "act" and clause else around.words
        depth = around.depth + (line.kind == "part")
        act = _Act(line, clause, depth, at, "" if line.kind == "part" else words, ask)
        if ask is not None:
            act.leads_on = self._reader.leads_on(self._entries[at])
            act.is_worded = ask.stop == DONE or self._reader.has_words(self._entries[at])
            self._choose(act, at)
        around.items.append(act)
        self._open.append(act)

    def _changed(self, line: LogLine, clause: Clause, at: int) -> _Change:
        around = self._open[-1]
        change = _Change(line, clause, around.depth, at)
        around.items.append(change)
        return change

    def _choose(self, item: _Act | _Change, at: int) -> None:
        """Note a choice, which the act around it may tell already."""
        if isinstance(item, _Change):  # an earlier choice was the answer to another question
            self._chosen = [other for other in self._chosen if other.line.actor != item.line.actor]
        item.chosen = self._reader.chosen(self._entries[at])
        if item.chosen is not None:
            around = next(act for act in reversed(self._open) if not act.is_choice)
            item.chosen.read(around.line, around.clause)
        self._chosen.append(item)

    def _tell(self, line: LogLine, clause: Clause | None) -> None:
        """Mark the recent choices that a line of their player tells."""
        for item in self._chosen:
            if item.chosen is not None and item.line.actor == line.actor:
                item.chosen.read(line, clause)

    def _end_choice(self, ask: DecisionPoint | None = None, by: int = 0) -> None:
        """End the open choices, but for one that only led to the next question, to its player."""
        while (choice := self._open[-1]).is_choice:
            led_on = choice.leads_on and choice.ask is not ask and choice.line.actor == by
            if led_on and not choice.items:
                return
            self._open.pop()
            choice.is_done = True


@attrs.frozen
class _Renderer:
    """Reader of the tree of acts: it decides what is told, and what goes into one sentence."""

    labels: Labels
    start: int

    def read(self, part: _Act) -> Iterator[StoryLine]:
        """Yield the lines inside a part in order."""
        yield from self._lines([*self._told(part.items, "")])

    # ---------------------------------------------------------------- what is told
    def _told(self, items: Sequence[_Act | _Change], words: str) -> Iterator[_Act | _Change]:
        """Yield acts and changes in order, without the choices that their outcome implies."""
        for item in items:
            if isinstance(item, _Change):
                is_told = item.chosen is not None and item.chosen.is_told
                if not (is_told or self._is_covered(item.line, words)):
                    yield item
            elif (
                item.is_hook or (item.is_choice and not self._is_told(item))
            ) and not item.is_aside:
                yield from self._told(item.items, words)
            else:
                yield item

    def _is_covered(self, line: LogLine, words: str) -> bool:
        """Return true for a change of counted pieces or of a track that an act's words mention.

        Gains and losses of seats are not covered: these are part of the sentence.
        """
        return bool(line.counted and words) and not line.amounts and self._names(words, line)

    def _names(self, words: str, line: LogLine) -> bool:
        info = self.labels.world.pieces.get(line.counted) or self.labels.world.tracks[line.counted]
        names = info.title, spoken(info.name), spoken(info.plural)
        return any(contains_phrase(words, name) for name in names)

    def _is_told(self, choice: _Act) -> bool:
        """Return false if what follows a choice says what was chosen."""
        first = next(self._told(choice.items, choice.words), None)
        if first is None:
            return choice.clause is not None
        if choice.clause is None or choice.clause.verb == ACCEPTS:
            return False
        if not choice.clause.objects:  # in secret: a public gain that follows does not tell it
            return isinstance(first, _Change) and bool(first.line.amounts)
        if isinstance(first, _Change) and _is_of(first, choice.line.actor - 1):
            return True
        is_own = first.line.kind in {"act", "say"} and first.line.actor == choice.line.actor
        if choice.is_untold:
            return True
        if choice.ask is None or choice.ask.plain or not (choice.line.about or choice.is_worded):
            return False
        text = "" if first.clause is None else first.clause.text
        is_named = any(name in text for name in choice.clause.objects[0].split(": "))
        return not (is_named or (is_own and not choice.line.about))

    # ---------------------------------------------------------------- sentences
    def _lines(self, items: list[_Act | _Change]) -> Iterator[StoryLine]:
        while items:
            item = items.pop(0)
            if isinstance(item, _Change):
                changes = [item]
                while items and isinstance(other := items[0], _Change) and _joins(changes, other):
                    changes.append(other)
                    del items[0]
                yield from self._sentences(changes)
            elif item.line.kind == "part":
                inside = [*self.read(item)]
                is_told = inside or item.was_asked or not item.is_done
                begins_here = item.at >= self.start and is_told
                if begins_here and item.clause is not None:
                    yield self._line("part", item, item.clause.text, item.at)
                yield from inside
            elif item.is_aside:
                yield from self._lines([*self._told(item.items, item.words)])
            else:
                yield from self._act(item)

    def _act(self, act: _Act) -> Iterator[StoryLine]:
        """Yield the sentence of an act, with gains and losses that come first, then the rest."""
        items, batch = [*self._told(act.items, act.words)], list[_Change]()
        own = act.line.actor - 1
        while items and act.at >= self.start:
            item = items[0]
            if isinstance(item, _Change) and self._is_in_sentence(item, act, batch):
                batch.append(item)
                del items[0]
            elif isinstance(item, _Act) and self._is_part_of_act(item, act):
                items[:1] = self._told(item.items, item.words)
            else:
                break
        sums = _sums(batch)
        others = {amount.seat: change for change in batch for amount in change.line.amounts}
        others.pop(own, None)
        is_open = act.is_pending if act.is_choice else not act.is_done and not items
        if act.clause is not None and act.at >= self.start:
            words = act.clause.text if act.line.about else act.words
            balance = self._balance(batch, own, words)
            last = batch[-1].at if batch else act.at
            text = f"{act.clause.text}{balance}"
            line = self._line("line", act, text, last, goes_on=is_open)
            yield attrs.evolve(line, balance=balance)
        for seat, change in others.items():
            yield self._line("line", batch[0], self._sum(sums, seat, change), batch[-1].at)
        yield from self._lines(items)

    def _is_in_sentence(self, change: _Change, act: _Act, batch: Sequence[_Change]) -> bool:
        if change.line.amounts:
            seat = act.line.actor - 1
            is_own = _is_of(change, seat) and not _is_forced(change, seat)
            return is_own and not _loses_later(batch, change)
        return self._is_named(change, act)

    def _is_named(self, change: _Change, act: _Act) -> bool:
        """Return true if an act's words name the piece that its player moves."""
        clause = change.clause
        if act.line.kind != "act" or not clause.route or clause.verb == DRAWS:
            return False
        if act.clause is None or clause.who != act.clause.who:
            return False
        if clause.noun:
            return self._states(act.words, clause.noun, clause.count)
        return all(contains_phrase(act.words, ARTICLE.sub("", name)) for name in clause.objects)

    def _is_part_of_act(self, choice: _Act, act: _Act) -> bool:
        """Return true for a choice in an act, not from a menu, that its gains and losses tell."""
        if act.line.kind != "act" or not choice.is_choice or choice.line.actor != act.line.actor:
            return False
        if choice.is_aside or choice.is_untold:
            return False
        first = next(self._told(choice.items, choice.words), None)
        from_menu = choice.ask is not None and choice.ask.stop == DONE
        return not from_menu and isinstance(first, _Change) and _is_of(first, act.line.actor - 1)

    def _sentences(self, changes: list[_Change]) -> Iterator[StoryLine]:
        """Yield the lines for changes that are told together."""
        first, last = changes[0], changes[-1]
        if first.line.amounts:
            sums = _sums(changes)
            for seat in dict.fromkeys(amount.seat for amount in sums):
                if text := self._sum(sums, seat, first):
                    line = self._line("line", first, text, last.at)
                    yield attrs.evolve(line, balance=text, gains=_gains(sums, seat, line.actor))
        elif text := self._together(changes):
            yield self._line("line", first, text, last.at)

    def _balance(self, batch: Sequence[_Change], seat: int, words: str) -> str:
        """Return a seat's costs, the ways of the pieces named, and the seat's gains.

        Amounts that the words of an act state are left out.
        """
        costs, gains = self._costs_and_gains(_sums(batch), seat, words)
        moves = (item.clause for item in batch if not item.line.amounts)
        routes = dict.fromkeys(move.route for move in moves if not _says_it_all(words, move))
        results = [*routes, *(f"+{gain}" for gain in gains)]
        paid = f" ({', '.join(costs)})" if costs else ""
        return paid + (f": {', '.join(results)}" if results else "")

    def _sum(self, sums: Sequence[Amount], seat: int, change: _Change) -> str:
        costs, gains = self._costs_and_gains(sums, seat)
        is_own = change.line.actor == seat + 1 and not change.line.imposed
        verb = "pays" if is_own else "loses"
        parts = [f"{verb} {and_list(costs)}"] if costs else []
        parts += [f"gains {and_list(gains)}"] if gains else []
        return f"{self.labels.seats[seat]} {' and '.join(parts)}" if parts else ""

    def _costs_and_gains(
        self, sums: Sequence[Amount], seat: int, words: str = ""
    ) -> tuple[list[str], list[str]]:
        own = [(amount.noun, amount.by) for amount in sums if amount.seat == seat]
        untold = [each for each in own if not self._states(words, *each)]
        costs = [self.labels.counted(noun, -by) for noun, by in untold if by < 0]
        return costs, [self.labels.counted(noun, by) for noun, by in untold if by > 0]

    def _states(self, words: str, noun: str, by: int) -> bool:
        """Return true if words state an amount: `2 coins`, or `a Coin` for one."""
        info = self.labels.world.pieces.get(noun) or self.labels.world.tracks[noun]
        singular = [a_or_an(spoken(info.name)), a_or_an(info.title)] if abs(by) == 1 else []
        return any(
            contains_phrase(words, text)
            for text in (self.labels.counted(noun, abs(by)), *singular)
        )

    def _together(self, changes: list[_Change]) -> str:
        clauses = [change.clause for change in changes]
        if len(clauses) == 1 or not clauses[-1].objects:
            return clauses[-1].text
        nouns: Counter[str] = Counter()
        for clause in clauses:
            nouns[clause.noun] += clause.count if clause.noun else 0
        titles = Counter(
            title for clause in clauses if not clause.noun for title in clause.objects
        )
        if changes[0].line.kind == "track":  # the title of a memory, of which there is only one
            titles = Counter(dict.fromkeys(titles, 1))
        pieces = [_so_many(count, title) for title, count in titles.items()]
        amounts = (self.labels.counted(noun, count) for noun, count in nouns.items() if count)
        return attrs.evolve(clauses[0], objects=(*pieces, *amounts)).text

    def _line(
        self,
        level: Literal["part", "line"],
        item: _Act | _Change,
        text: str,
        last: int,
        *,
        goes_on: bool = False,
    ) -> StoryLine:
        depth, first = max(item.depth, 0), item.at - self.start
        actor = item.line.actor_in(item.clause)
        line = StoryLine(level, depth, actor, text, first, last - self.start, goes_on)
        if isinstance(item, _Change):
            return line
        return attrs.evolve(line, nature="choice" if item.is_choice else "act")


def _sums(changes: Sequence[_Change]) -> list[Amount]:
    """Return the sums of the losses and of the gains by seat and noun."""
    sums: dict[tuple[int, str, bool], Amount] = {}
    for amount in (amount for change in changes for amount in change.line.amounts):
        key = amount.seat, amount.noun, amount.by > 0
        so_far = sums.get(key)
        sums[key] = attrs.evolve(amount, by=amount.by + (so_far.by if so_far else 0))
    return [*sums.values()]


def _gains(sums: Sequence[Amount], seat: int, actor: int) -> tuple[Amount, ...]:
    """Return the sums of a seat, if it is the actor's and loses nothing."""
    own = tuple(amount for amount in sums if amount.seat == seat)
    return own if seat == actor - 1 and all(amount.by > 0 for amount in own) else ()


def _is_of(change: _Change, seat: int) -> bool:
    """Return true for a gain or loss of a seat."""
    return any(amount.seat == seat for amount in change.line.amounts)


def _is_forced(change: _Change, seat: int) -> bool:
    """Return true for a loss of a seat that is not a cost, as in `for each player: pay 1 coin`."""
    amounts = change.line.amounts
    return change.line.imposed and any(each.seat == seat and each.by < 0 for each in amounts)


def _loses_later(changes: Sequence[_Change], later: _Change) -> bool:
    """Return true if a seat loses something after a gain: a sentence tells its losses first."""
    losers = {amount.seat for amount in later.line.amounts if amount.by < 0}
    gains = (amount for change in changes for amount in change.line.amounts if amount.by > 0)
    return any(amount.seat in losers for amount in gains)


def _joins(changes: Sequence[_Change], second: _Change) -> bool:
    """Return true if the sentence about some changes covers another one.

    These are gains and losses of the same seats, moves that differ only in their pieces, and
    values of one cell of a track, of which the last is told.
    """
    first = changes[0]
    if first.line.actor != second.line.actor or _loses_later(changes, second):
        return False
    if first.line.amounts or second.line.amounts:
        sides = (
            (change.line.imposed, {amount.seat for amount in change.line.amounts})
            for change in (first, second)
        )
        return next(sides) == next(sides)
    if first.line.kind == "track" and not (first.clause.objects or second.clause.objects):
        return (first.line.counted, first.clause.who) == (second.line.counted, second.clause.who)
    looks = (change.clause.objects for change in changes if change.line.kind == "peek")
    if any({*objects} & {*second.clause.objects} for objects in looks):
        return False  # perhaps at the same piece again
    if first.line.kind == "shift" or not (first.clause.objects and second.clause.objects):
        return False
    beginning = first.clause.who, first.clause.verb, first.clause.rest
    return beginning == (second.clause.who, second.clause.verb, second.clause.rest)


def _says_it_all(words: str, move: Clause) -> bool:
    """Return true if words that name a piece also tell what the sentence about its move tells."""
    return contains_phrase(words, move.verb) and (
        not move.rest or contains_phrase(words, move.rest)
    )


def _so_many(count: int, thing: str) -> str:
    if count == 1:
        return thing
    name = ARTICLE.sub("", thing)
    is_word = name.endswith(")") or name[-1:].islower()
    return f"{count} {noun_forms(name, '', None)[1] if is_word else f'copies of {name}'}"
