"""`python -m soak story`: test that the story tells every change of the state.

Random games are played, and at each decision the view of every player, and of a spectator, is
recorded. Afterwards the views before and after a stretch of the game are compared with the lines
of the viewer's story about that stretch: each piece that came, went or changed places, each
number and each mark must be told by a line that names it, and sums of gains and losses must be
right. Excused is what content declares `quiet`, what ends with the procedure `during` which it
lasts, and counted pieces and tracks that the words of a verb mention.

Changes that cancel each other within a stretch are not seen: views are taken at questions only.

What every player reads at the own questions, one after another, must also be the same as the
log of the whole game, in full and in brief.
"""

from __future__ import annotations

import random
import re
from bisect import bisect_left
from collections import Counter
from itertools import product, zip_longest
from operator import attrgetter
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import attrs

import rulesdsl
from rulesdsl.lower.layout import SEATS
from rulesdsl.source.english import spoken
from rulesdsl.table.news import News
from soak.games import settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rulesdsl.lower.layout import Layout
    from rulesdsl.lower.schema import FlagInfo, TrackInfo

GAMES_A_SETTING = 5
_SHOWN = 12  # of the changes that are missing
_LONGEST = 4000  # decisions; longer games are compared up to here

View = dict[str, Any]


@attrs.define
class Tally:
    """Counts of games, views and changes, and of changes that no line tells."""

    games: int = 0
    stretches: int = 0
    changes: Counter[str] = attrs.Factory(Counter)
    missing: Counter[str] = attrs.Factory(Counter)
    examples: list[str] = attrs.Factory(list)
    logs: int = 0
    unequal: int = 0

    def summary(self) -> str:
        """Return the counts in a few lines."""
        kinds = ", ".join(f"{kind} {count}" for kind, count in sorted(self.changes.items()))
        head = f"{self.games} games, {self.stretches} stretches of a viewer's story: {kinds}"
        told = f"{self.missing.total()} changes are not told"
        live = f"{self.unequal} of {self.logs} logs are not what was told in the game"
        return "\n".join([head, *self.examples, told, live])

    @property
    def is_wrong(self) -> bool:
        """True if a change is not told, or a log differs from what was told."""
        return bool(self.missing or self.unequal)


@attrs.frozen
class Moment:
    """A point of a game: the length of the log, and what each viewer sees."""

    length: int
    views: tuple[View, ...]


class Reader:
    """Reader of the news at a player's own questions; 0 is a spectator, who reads at the end."""

    def __init__(self, game: rulesdsl.Game, viewer: int, brief: bool) -> None:  # noqa: FBT001
        self.viewer, self._brief = viewer, brief
        self._news = News(game, resumed=False, brief=brief)
        self._lines: list[str] = []

    def read(self, game: rulesdsl.Game) -> None:
        """Read the news, if the player is the first one to answer."""
        if game.decision is not None and game.decision.player == self.viewer:
            self._lines += self._fresh(game)

    def difference(self, game: rulesdsl.Game) -> str:
        """Return the first line that differs between the news and the log; else nothing."""
        log = [line.text for line in game.story(self.viewer, brief=self._brief)]
        lines = self._lines + (self._fresh(game) if game.decision is None else [])
        if game.decision is not None:  # a game too long to be finished
            log = log[: len(lines)]
        pairs = zip_longest(lines, log)
        return next(
            (f"{live!r} is {later!r} in the log" for live, later in pairs if live != later), ""
        )

    def _fresh(self, game: rulesdsl.Game) -> list[str]:
        return [line.text for line in self._news.fresh_lines(game, self.viewer)]


def run(pack: str, mods: Sequence[str], count: int, seed: int) -> int:
    """Play games and compare; print the changes that are missing, and return the exit status."""
    loaded, tally = rulesdsl.load(pack, mods), Tally()
    chosen = settings(loaded, -(-count // GAMES_A_SETTING), seed)
    for number in range(count):
        setting = chosen[number // GAMES_A_SETTING]
        game = loaded.new_game(setting.players, seed=seed + number, options=setting.options)
        compare(game, random.Random(seed + number), tally, f"{setting} --seed {seed + number}")
    print(tally.summary())
    return 1 if tally.is_wrong else 0


def compare(game: rulesdsl.Game, chance: random.Random, tally: Tally, name: str) -> None:
    """Play a game at random, and compare each viewer's story with the changes of the view."""
    views = game.setting.views
    views.copies_of = {piece: [] for piece in views.printed}  # equal copies keep the log's numbers
    moments = [_moment(game)]
    readers = [Reader(game, *kind) for kind in product(range(game.players + 1), (False, True))]
    while game.decision is not None and len(moments) < _LONGEST:
        for reader in readers:
            reader.read(game)
        decision = chance.choice(game.decisions)
        game.choose(chance.randrange(decision.count), decision.player)
        moments.append(_moment(game))
    tally.games += 1
    lines = game.setting.logs.lines(game._state.log)  # noqa: SLF001 - the raw state
    with patch.object(game.setting.logs, "line", lambda _, at: lines[at]):  # read once for all
        quiet = _quiet(game)
        for viewer in range(game.players + 1):
            for part in _stretches(game, viewer, moments):
                _compare_stretch(game, viewer, part, quiet, tally, name)
        for reader in readers:
            tally.logs += 1
            if difference := reader.difference(game):
                tally.unequal += 1
                tally.examples.append(f"{name}, viewer {reader.viewer}: {difference}")


def _compare_stretch(
    game: rulesdsl.Game,
    viewer: int,
    part: tuple[Moment, Moment, list[str]],
    quiet: Sequence[Quiet | None],
    tally: Tally,
    name: str,
) -> None:
    first, last, texts = part
    tally.stretches += 1
    excuses = Excuses()
    for event in filter(None, quiet[first.length : last.length]):
        excuses.add(game.setting.layout, event)
    stretch = Stretch(game, texts, excuses)
    for kind, change in stretch.changes(first.views[viewer], last.views[viewer]):
        tally.changes[kind] += 1
        if change:
            tally.missing[kind] += 1
            if len(tally.examples) < _SHOWN:
                story = "".join(f"\n    {text}" for text in texts)
                tally.examples.append(f"{name}, viewer {viewer}: {change}{story}")


def _moment(game: rulesdsl.Game) -> Moment:
    views, state = game.setting.views, game._state  # noqa: SLF001 - the raw state
    viewers = (None, *range(1, game.players + 1))
    return Moment(game.log_length, tuple(views.of(state, viewer).data() for viewer in viewers))


def _stretches(
    game: rulesdsl.Game, viewer: int, moments: Sequence[Moment]
) -> Iterator[tuple[Moment, Moment, list[str]]]:
    """Yield parts of the game whose story is not interwoven with the next one's.

    A line covers several decisions if it sums up what was gained in between.
    """
    lines = [line for line in game.story(viewer) if line.level == "line"]
    lines.sort(key=attrgetter("first"))
    is_within = bytearray(game.log_length + 1)  # by length of the log: is a line unfinished?
    for line in lines:
        is_within[line.first + 1 : line.last + 1] = b"\1" * (line.last - line.first)
    begin = moments[0]
    at = bisect_left(lines, begin.length, key=attrgetter("first"))
    for moment in moments[1:]:
        if is_within[moment.length]:
            continue
        end = bisect_left(lines, moment.length, lo=at, key=attrgetter("first"))
        inside = [line.text for line in lines[at:end]]
        at = end
        yield begin, moment, inside
        begin = moment


def _quiet(game: rulesdsl.Game) -> list[Quiet | None]:
    """Return for each log entry the event, if it changed something that content keeps quiet."""
    reader, entries = game.setting.logs, game._state.log  # noqa: SLF001 - the raw state
    events, layout = reader.engine.events, game.setting.layout
    quiet: list[Quiet | None] = []
    acts: list[bool] = []  # the open acts: are they quiet?
    for line, (number, _, _, *values) in zip(reader.lines(entries), entries, strict=True):
        event = None if number < 0 else events[number]
        subject = event.subject if event else ""
        within = any(acts) or bool(event and event.quiet)
        if line.kind in {"act", "part"}:
            acts.append(line.quiet)
        elif line.kind == "told" and acts:
            acts.pop()
        elif within or _is_declared_quiet(layout, line.kind, subject, values):
            quiet.append(Quiet(line, subject, values))
            continue
        quiet.append(None)
    return quiet


def _is_declared_quiet(layout: Layout, kind: str, subject: str, values: Sequence[Any]) -> bool:
    world = layout.world
    match kind:
        case "track":
            return world.tracks[subject].quiet
        case "flag":
            return world.flags[subject].quiet
        case "move" | "place" | "piece":
            cells = (layout.place_of(subject, code)[0].quiet for code in values[-2:])
            return world.pieces[subject].quiet or all(cells)
        case "shift" | "peek":
            return world.pieces[subject].quiet
        case "shuffle":
            return layout.place_of(subject, values[0])[0].quiet
        case _:
            return False


@attrs.frozen
class Quiet:
    """A log entry that is not told: its line, what it changed, and its values."""

    line: rulesdsl.LogLine
    subject: str
    values: Sequence[Any]


@attrs.define
class Excuses:
    """Changes by quiet events: pieces, cells, indexes of tracks and flags, gains and losses."""

    cells: set[tuple[str, int]] = attrs.Factory(set)
    things: set[tuple[str, int]] = attrs.Factory(set)
    sums: Counter[tuple[int, str]] = attrs.Factory(Counter)

    def add(self, layout: Layout, event: Quiet) -> None:
        """Add what an event changed."""
        line, subject, values = attrs.astuple(event, recurse=False)
        match line.kind:
            case "move":
                count, *codes = values
                self.cells |= {(subject, code) for code in codes}
                owners = layout.owners_of_cells(subject)
                for code, by in zip(codes, (-count, count), strict=True):
                    place, _ = layout.place_of(subject, code)
                    if place.owner_dim is not None and not place.quiet:
                        self.sums[owners[code], subject] += by
            case "place" | "piece":
                self.things.add((subject, values[0]))
                self.cells |= {(subject, code) for code in values[1:]}
            case "track" | "flag" | "shift" | "shuffle":
                self.things.add((subject, values[0]))
                for amount in line.amounts:
                    self.sums[amount.seat, amount.noun] += amount.by
            case _:
                pass


_GENERATED = r"(?:gains|pays|loses|takes|gives|puts|moves|adds|removes)"


class Stretch:
    """A stretch of a viewer's story, compared with the views before and after it."""

    def __init__(self, game: rulesdsl.Game, texts: Sequence[str], excuses: Excuses) -> None:
        self.labels, self.layout = game.setting.labels, game.setting.layout
        self.world, self.texts, self.excuses = self.layout.world, texts, excuses

    def changes(self, before: View, after: View) -> Iterator[tuple[str, str]]:
        """Yield the kind of each change, and its description if no line tells it."""
        for name, piece in self.world.pieces.items():
            if piece.quiet or before[name] == after[name]:
                continue
            texts = self._compared(piece.style)(name, before[name], after[name])
            yield from ((piece.style, text) for text in texts)
        for track in self.world.tracks.values():
            if not track.quiet:
                changed = self._track(track, *_cells(before[track.name], after[track.name]))
                yield from (("track", text) for text in changed)
        for flag in self.world.flags.values():
            if not flag.quiet:
                name = f"{flag.name}?"
                changed = self._flag(flag, *_cells(before[name], after[name]))
                yield from (("flag", text) for text in changed)

    def _compared(self, style: str) -> Callable[[str, Any, Any], Iterator[str]]:
        match style:
            case "counted":
                return self._counted
            case "single":
                return self._single
            case _:
                return self._printed

    # ---------------------------------------------------------------- texts
    def _has(self, *phrases: Iterable[str]) -> bool:
        """Return whether a line contains one of each group of phrases."""
        return any(all(any(map(_in(text), group)) for group in phrases) for text in self.texts)

    def _forms(self, noun: str) -> set[str]:
        info = self.world.pieces.get(noun) or self.world.tracks[noun]
        counted = {self.labels.counted(noun, count).partition(" ")[2] for count in (1, 2)}
        return {spoken(info.name), spoken(info.plural), info.title, *counted}

    def _place(self, piece: str, code: int) -> list[str]:
        """Return phrases that name a cell: its title, and its owner."""
        owner = self.layout.owners_of_cells(piece)[code]
        names = [self.labels.cell(piece, code, whose=False)]
        return names if owner < 0 else [*names, self.labels.seats[owner]]

    def _is_summed_up(self, seat: int, noun: str, by: int) -> bool:
        """Return whether the gains and losses in the story add up to a change.

        Words of an act or of a `say` may stand for an amount that they state, and, if no generated
        line counts them, for moves of a seat's own pieces that they mention.
        """
        name, forms = self.labels.seats[seat], sorted(self._forms(noun), key=len, reverse=True)
        names = "|".join(map(re.escape, forms))
        item = rf"(\d+) (?i:{names})(?![\w-])"
        stated = re.compile(rf"(?<![\w-])(\d+|an?) (?:{names})(?![\w-])", re.IGNORECASE)
        is_owned = noun in self.world.pieces and self.world.pieces[noun].owned
        totals = {0}
        for text in self.texts:
            if not text.startswith(name):
                if transfer := re.search(
                    rf"^.* (takes|gives) .*?{item}.* (?:from|to) {name}$", text
                ):
                    by_other = int(transfer[2]) * (1 if transfer[1] == "gives" else -1)
                    totals = {total + by_other for total in totals}
                continue
            words = text[len(name) :]
            if re.match(rf" {_GENERATED} \d", words):
                loss, _, gain = (
                    words.rpartition(" gains ") if " gains " in words else (words, "", "")
                )
                lost, gained = (sum(map(int, re.findall(item, part))) for part in (loss, gain))
                # a move is a loss or a gain of its seat, or neither
                signs = {" moves": (-1, 0, 1), " takes": (1,)}.get(words[:6], (-1,))
                totals = {total + gained + sign * lost for total in totals for sign in signs}
                continue
            balance = re.search(r"(?: \(([^()]*)\))?(?:: (\+.*|from .*))?$", words)
            assert balance is not None
            paid = sum(map(int, re.findall(item, balance[1] or "")))
            gained = sum(map(int, re.findall(rf"\+{item}", balance[2] or "")))
            totals = {total - paid + gained for total in totals}
            own_words = words[: balance.start()]
            if is_owned and any(map(_in(own_words), forms)):
                return True
            for amount in stated.findall(own_words):
                count = int(amount) if amount.isdigit() else 1
                totals |= {total + sign * count for total in totals for sign in (-1, 1)}
        return by - self.excuses.sums[seat, noun] in totals

    # ---------------------------------------------------------------- pieces
    def _counted(self, piece: str, before: list[int], after: list[int]) -> Iterator[str]:
        owners, held = self.layout.owners_of_cells(piece), Counter[int]()
        for code, (old, new) in enumerate(zip(before, after, strict=True)):
            place, _ = self.layout.place_of(piece, code)
            if place.owner_dim is not None and not place.quiet:
                held[owners[code]] += new - old
            elif old != new and not place.quiet:
                is_told = (piece, code) in self.excuses.cells or self._has(self._forms(piece))
                yield "" if is_told else f"{piece} in {self._place(piece, code)}: {old} to {new}"
        for seat, by in held.items():
            if by:
                is_told = self._is_summed_up(seat, piece, by)
                yield "" if is_told else f"{piece} of {self.labels.seats[seat]}: by {by}"

    def _single(self, piece: str, before: Any, after: Any) -> Iterator[str]:  # noqa: ANN401
        for owner, (old, new) in enumerate(zip(*_cells(before, after), strict=True)):
            if old != new and (piece, owner) not in self.excuses.things:
                titles = [self.world.pieces[piece].title]
                is_gone = self.layout.place_of(piece, new)[0].quiet
                where = self._place(piece, old if is_gone else new)
                yield "" if self._has(titles, where) else f"{piece} {owner} to {where}"

    def _printed(self, piece: str, before: list[Any], after: list[Any]) -> Iterator[str]:
        moved = self._moved(piece, before, after)
        for code, (old, new) in enumerate(zip(before, after, strict=True)):
            place, _ = self.layout.place_of(piece, code)
            if old == new or place.quiet or (piece, code) in self.excuses.cells:
                continue
            where = self._place(piece, code)
            if isinstance(old, int) or isinstance(new, int):
                is_fewer = _count(new) < _count(old)  # where pieces go is told, not where from
                yield (
                    ""
                    if self._has(moved, *([] if is_fewer else [where]))
                    else f"{piece} in {where}: {old} to {new}"
                )
                continue
            for name in {*new} - {*old}:
                thing = int(name.rpartition("#")[2]) if "#" in name else -1
                is_told = (piece, thing) in self.excuses.things
                is_told = is_told or self._has(self._names(piece, name), where)
                yield "" if is_told else f"{name} comes to {where}"
            if sorted(old) == sorted(new):
                is_told = self._has(moved, ["up", "down", *where]) or self._has(["shuffled"])
                yield "" if is_told else f"{piece} in {where}: {old} to {new}"

    def _moved(self, piece: str, before: list[Any], after: list[Any]) -> set[str]:
        """Return the names that a line may give to pieces of a kind: all, if some are hidden."""
        lists = (names for names in (*before, *after) if isinstance(names, list))
        named = (self._names(piece, name) for names in lists for name in names)
        return {*self._forms(piece), *(form for forms in named for form in forms)}

    def _names(self, piece: str, name: str) -> list[str]:
        if "#" not in name:
            return [name, *self._forms(piece)]
        return [self.labels.printed(piece, int(name.rpartition("#")[2])).title]

    # ---------------------------------------------------------------- tracks and flags
    def _track(self, track: TrackInfo, before: list[Any], after: list[Any]) -> Iterator[str]:
        for at, (old, new) in enumerate(zip(before, after, strict=True)):
            if old is None or new is None or old == new:
                continue
            where = self.layout.indexes(track.dims, at)
            is_told = (track.name, at) in self.excuses.things
            is_told = is_told or (track.during is not None and new == track.low)
            if [dim in SEATS for dim, _ in where] == [True]:
                is_told = is_told or self._is_summed_up(where[0][1], track.name, new - old)
            else:
                is_told = is_told or self._has(self._forms(track.name))
            yield "" if is_told else f"{track.name} {where}: {old} to {new}"

    def _flag(self, flag: FlagInfo, before: list[Any], after: list[Any]) -> Iterator[str]:
        for at, (old, new) in enumerate(zip(before, after, strict=True)):
            if old is None or new is None or old == new:
                continue
            is_told = (flag.name, at) in self.excuses.things or (flag.during and not new)
            names = [[self.labels.named(*each)] for each in self.layout.indexes(flag.dims, at)]
            is_told = is_told or self._has([flag.title, spoken(flag.name)], *names)
            yield "" if is_told else f"{flag.name} {names}: {old} to {new}"


def _count(pile: Any) -> int:  # noqa: ANN401 - a number, or a list of names or backs
    return pile if isinstance(pile, int) else len(pile)


def _cells(before: Any, after: Any) -> tuple[list[Any], list[Any]]:  # noqa: ANN401
    return before if isinstance(before, list) else [before], (
        after if isinstance(after, list) else [after]
    )


def _in(text: str) -> Callable[[str], bool]:
    """Return the test whether a phrase stands in a text."""

    def is_in(phrase: str) -> bool:
        return bool(re.search(rf"(?<![\w-]){re.escape(phrase)}(?![\w-])", text, re.IGNORECASE))

    return is_in
