"""Reader of the raw log: entries as lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from typing import Any

import attrs

from rulesdsl.interpreter.decision_points import DecisionPoint
from rulesdsl.interpreter.knowledge.tracking import Traceable
from rulesdsl.interpreter.labels import Labels
from rulesdsl.interpreter.log.facts import LogFacts
from rulesdsl.interpreter.log.lines import ACCEPTS, Clause, Kind, LogLine, VisibleChange
from rulesdsl.interpreter.log.sentences import ChangeSentences
from rulesdsl.interpreter.state import CHOICE, Entry
from rulesdsl.lower.flat import Event
from rulesdsl.lower.schema import (
    DECLINE,
    DONE,
    YES,
    Decide,
    EndPieces,
    FlagCell,
    OptionLine,
    TrackCell,
    Type,
)
from rulesdsl.source.english import contains_phrase, of_another, plural_of
from rulesdsl.source.span import NOWHERE

# not after an abbreviation, as in `St. Louis`
_SENTENCE_END = re.compile(r"(?:(?<=\w{3})|(?<=\)))[.!;] ")


@attrs.define(eq=False)
class ChosenThing:
    """The thing or number that an option names, and what lines have told of it so far.

    `untold` are the ways to tell it, each in phrases; `seats` are the names of all seats.
    """

    kind: Type
    number: int
    untold: list[set[str]]
    seats: tuple[str, ...]
    is_told: bool = False

    def read(self, line: LogLine, clause: Clause | None) -> None:
        """Note what a line tells to those who read this clause of it.

        The name of the one who acts tells nothing. Numbers occur in lines by chance: one is
        told by an amount, a value, or the words of the author.
        """
        if clause is None or line.kind in {"answer", "choice", "refusal", "done"}:
            return
        if self.kind.family == "number" and self.kind.of:  # a position, until the piece leaves it
            self.is_told = self.is_told or line.kind == "piece"
            return
        who = self.seats[line.actor - 1] if line.actor else ""
        text = attrs.evolve(clause, who="").text if clause.who == who else clause.text
        for phrases in self.untold:
            phrases.difference_update(
                phrase
                for phrase in [*phrases]
                if phrase != who
                and (contains_phrase(text, phrase) or contains_phrase(text, plural_of(phrase)))
            )
        is_number = self.kind.family == "number" and self._is_number_told(line, clause, text)
        self.is_told = self.is_told or is_number or not all(self.untold)

    def _is_number_told(self, line: LogLine, clause: Clause, text: str) -> bool:
        if line.kind in {"say", "act", "track"}:
            text = re.sub("|".join(map(re.escape, self.seats)), "", text)
            if contains_phrase(text, str(self.number)):
                return True
        counted = [abs(amount.by) for amount in line.amounts]
        counted += [clause.count] if clause.noun and line.kind != "peek" else []
        return self.number in counted


class LogReader:
    """Converter of generated code's raw log entries to lines."""

    def __init__(self, labels: Labels, traceable: Traceable, *, whole: bool = True) -> None:
        self.labels, self.engine = labels, labels.engine
        self.facts = LogFacts(traceable, labels.layout.players if whole else 0)
        self._changes = ChangeSentences(labels)

    def lines(self, entries: Sequence[Entry], start: int = 0) -> tuple[LogLine, ...]:
        """Return the log lines from entry `start` on; earlier entries identify their pieces."""
        return tuple(self.line(entries, at) for at in range(start, len(entries)))

    def line(self, entries: Sequence[Entry], at: int) -> LogLine:
        """Return an entry of the log as a line."""
        number, learned, actor, *values = entries[at]
        if number == CHOICE:
            return self._choice(learned, actor, values)
        event = self.engine.events[number]
        spans = (event.span, self.labels.program.procs[event.proc].span)
        rules = tuple(span for span in spans if span != NOWHERE)
        match event.kind:
            case "say" | "act" | "part" | "told" | "hold" | "mark":
                change = self._words(entries, at, event)
            case kind:
                facts = self.facts.of(entries, at)
                if kind == "peek":
                    before = (facts.cells[event.subject, piece] for piece in values[0])
                    values.append([values[1] if cell < 0 else cell for cell in before])
                change = self._changes.wording(event, kind, actor, values)
                if kind == "piece":
                    change = self._passing(change, entries, at, event)
                if kind in {"piece", "shift"} and change.hidden is not None and not change.away:
                    seats = facts.knowers[event.subject, values[0]]
                    seen_by = (change.seen_by or frozenset()) | {seat + 1 for seat in seats}
                    change = attrs.evolve(change, seen_by=seen_by)
        quiet = change.quiet or event.quiet
        fields = change.clause, change.hidden, change.seen_by, change.amounts, quiet
        counted = event.subject if event.kind in {"move", "track"} else ""
        line = partial(LogLine, counted=counted, imposed=event.imposed)
        private = event.span in self.labels.program.openly
        return line(actor + 1, event.kind, *fields, rules, private, learned)

    def _passing(
        self, change: VisibleChange, entries: Sequence[Entry], at: int, event: Event
    ) -> VisibleChange:
        """Return the wording of a move, which is one with another to or from a quiet place."""
        facts = self.facts.of(entries, at)
        if facts.goes_on:
            return attrs.evolve(change, quiet=True)
        if facts.origin is None:
            return change
        _, _, actor, *values = entries[at]
        return self._changes.wording(event, "piece", actor, [*values, facts.origin])

    def enclosing(self, entries: Sequence[Entry], start: int) -> list[int]:
        """Return the entries before `start` that begin the acts and parts open there."""
        opened: list[int] = []
        for at in range(start):
            kind = "" if entries[at][0] == CHOICE else self.engine.events[entries[at][0]].kind
            if kind in {"act", "part"}:
                opened.append(at)
            elif kind == "told" and opened:
                opened.pop()
        return opened

    # ---------------------------------------------------------------- choices
    def question(self, entry: Entry) -> DecisionPoint:
        """Return the question that an entry answers."""
        return self.engine.asks[entry[3]]

    def chosen(self, entry: Entry) -> ChosenThing | None:
        """Return the thing or number that a choice names, if any."""
        ask, (option, detail, numbers) = self.question(entry), entry[4:7]
        domain, number = ask.domain(option), ask.thing(option)
        if domain is None or number < 0:
            return None
        title = self.labels.thing(domain.element, number)
        ways = [] if domain.element.family == "number" else [re.split(r", |/", title)]
        if ask.plain and self.has_words(entry):
            label = self.labels.option(ask, option, detail, numbers)[1]
            ways += [part.partition(" (")[0].split(", ") for part in label.split(": ")]
            parts = (re.sub("^[a-z]+ ", "", part) for part in re.split(", |: ", label))
            ways += [[part] for part in parts if part[:1].isupper()]  # a name, as in `next Ferry`
        untold = [{phrase for phrase in phrases if phrase[:2] != "0 "} for phrases in ways]
        return ChosenThing(domain.element, number, untold, self.labels.seats)

    def leads_on(self, entry: Entry) -> bool:
        """Return true if the next question may be part of the effect of a choice."""
        ask, option = self.question(entry), entry[4]
        line = ask.line(option)
        return ask.plain or line is None or self.labels.may_ask(line)

    def has_words(self, entry: Entry) -> bool:
        """Return true if content declares the words of the chosen option."""
        label = self.question(entry).label(entry[4])
        return label is not None and not label.derived

    def looks(self, entries: Sequence[Entry], at: int) -> Iterator[LogLine]:
        """Yield what the question that an entry answers has shown to its player, by place.

        Others read how many pieces these are only if no condition on them has chosen them.
        """
        number, learned, actor, *values = entries[at]
        if number != CHOICE:
            return
        ask, option = self.engine.asks[values[0]], values[1]
        by_cell: dict[tuple[str, int], list[int]] = {}
        facts = self.facts.of(entries, at)
        for (kind, piece), cell in facts.cells.items():
            if actor not in facts.knowers[kind, piece]:
                by_cell.setdefault((kind, cell), []).append(piece)
        line = ask.line(option)
        for (kind, cell), pieces in by_cell.items():
            change = self._changes.peek(kind, actor, pieces, cell, actor, [cell])
            if line is None or not isinstance(line.domain, EndPieces) or line.guard != YES:
                plural = self.labels.world.nouns_in_words[kind][1]
                hidden = attrs.evolve(change.clause, objects=(plural,))
                change = attrs.evolve(change, hidden=hidden)
            fields = change.clause, change.hidden, change.seen_by
            yield LogLine(actor + 1, "peek", *fields, rules=(ask.end.span,), learned=learned)

    def _choice(self, learned: int, actor: int, values: list[Any]) -> LogLine:
        ask_number, option, detail, numbers, prompted, _ = values
        ask = self.engine.asks[ask_number]
        end, who = ask.end, self._changes.who(actor)
        line = partial(LogLine, actor + 1, rules=(end.span,), learned=learned)
        if isinstance(end, Decide) and end.stop is not None and ask.line(option) is None:
            if end.stop == DONE:
                return line("done", Clause(who, "is done"))
            clause, hidden = (
                Clause(who, "declines:", (self._offer(end.lines[0], prompted, is_veiled=veiled),))
                for veiled in (False, True)
            )
            return line("refusal", clause, hidden, frozenset({actor + 1}))
        _, label = self.labels.option(ask, option, detail, numbers)
        clause = Clause(who, "chooses", (of_another(label),))
        if isinstance(end, Decide) and end.stop == DECLINE:
            clause = Clause(who, ACCEPTS, (self._offer(end.lines[0], prompted),))
        kind: Kind = "answer" if ask.sealed else "choice"
        if ask.secret(option):
            return line(kind, clause, Clause(who, "chooses in secret"), frozenset({actor + 1}))
        return line(kind, clause, about="" if ask.plain else self.labels.about(ask, option)[0])

    def _offer(self, line: OptionLine, numbers: list[int], *, is_veiled: bool = False) -> str:
        """Return the label of an offer for others; its text also serves as its question."""
        if line.label is None:
            return of_another(line.words)
        seen = enumerate(line.label.seen)
        veiled = [at for at, reader in seen if is_veiled and reader != "all"]
        text = self.labels.say(line.label, numbers, veiled)
        return of_another(_SENTENCE_END.split(text.partition("?")[0].rstrip("."))[-1])

    # ---------------------------------------------------------------- author's texts
    def _words(self, entries: Sequence[Entry], at: int, event: Event) -> VisibleChange:
        _, _, actor, *numbers = entries[at]
        words = event.words
        if words is None:
            return VisibleChange(Clause("", ""))
        who = self._changes.who(actor) if event.kind == "act" else ""
        eyes = self._eyes(entries, at, event, numbers)
        veiled = [place for place, readers in enumerate(eyes) if readers != self._everybody]
        clause = Clause(who, self.labels.say(words, numbers))
        if not veiled:
            return VisibleChange(clause)
        hidden = Clause(who, self.labels.say(words, numbers, veiled))
        return VisibleChange(clause, hidden, frozenset.intersection(*eyes))

    @cached_property
    def _everybody(self) -> frozenset[int]:
        return frozenset(range(self.labels.layout.players + 1))  # 0 is the spectator

    def _eyes(
        self, entries: Sequence[Entry], at: int, event: Event, numbers: list[int]
    ) -> list[frozenset[int]]:
        """Return the readers of each value: of what is hidden, those who have seen it."""
        words, actor = event.words, entries[at][2]
        assert words is not None
        lying = iter(numbers[len(numbers) - 2 * sum(map(len, words.faces)) :])
        readers: list[frozenset[int]] = []
        for reader, faces, piles in zip(words.seen, words.faces, words.piles, strict=True):
            eyes = self._everybody
            if reader != "all" and not faces:
                is_actor = reader == "actor" and actor >= 0  # nobody acts in a step
                eyes = frozenset({actor + 1}) if is_actor else frozenset()
            if piles:
                eyes |= self._overlooking(entries, at, piles)
            for face in faces:
                piece, cell = next(lying), next(lying)
                if isinstance(face, TrackCell | FlagCell):
                    eyes &= self._shown(entries, at, face.counter, cell)
                else:
                    eyes &= self._watched(entries, at, face.type.of, piece, cell)
            readers.append(eyes)
        return readers

    def _overlooking(
        self, entries: Sequence[Entry], at: int, piles: Sequence[str]
    ) -> frozenset[int]:
        """Return the viewers who see all pieces in some places before entry `at`."""
        viewers = self._everybody
        for kind in self._changes.eyes:
            instances = self.labels.layout.instances(kind)
            cells = [self.engine.states.home(kind, owner) for _, owner in instances]
            for number, _, _, *values in entries[:at]:
                event = None if number == CHOICE else self.engine.events[number]
                if event is not None and (event.kind, event.subject) == ("piece", kind):
                    cells[values[0]] = values[2]
            for cell in {*cells}:
                if self.labels.layout.place_of(kind, cell)[0].name in piles:
                    viewers &= self._watch(kind, cell)
        return viewers

    def _shown(self, entries: Sequence[Entry], at: int, name: str, index: int) -> frozenset[int]:
        """Return the viewers who see a track or flag, or were shown its value at entry `at`."""
        viewers = self._changes.counter_eyes(name, index)
        if viewers is None:
            return self._everybody
        for number, _, _, *values in reversed(entries[:at]):
            event = None if number == CHOICE else self.engine.events[number]
            if event is None or event.subject != name or values[0] != index:
                continue
            if event.kind != "show":
                break
            viewers |= self._everybody if values[2] < 0 else {values[2] + 1}
        return viewers

    def _watched(
        self, entries: Sequence[Entry], at: int, piece: str, thing: int, cell: int
    ) -> frozenset[int]:
        """Return the viewers who knew a piece where it lay, or see it during the act."""
        if thing < 0:
            return self._everybody
        viewers = self._watch(piece, cell)
        if viewers == self._everybody:
            return viewers
        counters = self.labels.layout.counters(piece)[cell]
        knowers = {seat + 1 for seat in self.facts.of(entries, at).knowers[piece, thing]}
        viewers |= knowers if counters is None else knowers & counters
        depth, is_act = 0, self.engine.events[entries[at][0]].kind == "act"
        for number, *rest in entries[at + 1 :]:
            event = None if number == CHOICE else self.engine.events[number]
            if event is None:
                continue
            depth += {"act": 1, "part": 1, "told": -1}.get(event.kind, 0)
            if depth < 0:
                break
            if event.subject != piece:
                continue
            if event.kind == "piece" and rest[2] == thing:
                viewers |= self._watch(piece, rest[4])
            elif is_act and event.kind == "peek" and thing in rest[2]:
                viewers |= self._everybody if rest[-1] < 0 else {rest[-1] + 1}
        return viewers

    def _watch(self, piece: str, cell: int) -> frozenset[int]:
        viewers = self._changes.eyes[piece][cell]
        return self._everybody if viewers is None else viewers
