"""Scenarios, their fields, and their results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from rulesdsl.check.symbols.consistency import VERDICTS
from rulesdsl.interpreter.display.results import Result
from rulesdsl.interpreter.pack import OptionValue
from rulesdsl.packs.manifest import Players
from rulesdsl.packs.shapes import (
    SOMETHING,
    YES_NO,
    Field,
    Json,
    Shape,
    TablePlace,
    array,
    is_number,
    is_table,
    list_of,
    matches,
    table,
    text,
    whole,
    word,
)
from rulesdsl.scenarios import wording
from rulesdsl.source.diagnostics import Diagnostic, Findings
from rulesdsl.source.english import and_list, or_list, so_many
from rulesdsl.source.language import Language
from rulesdsl.source.ranges import SEED
from rulesdsl.source.render import render_text
from rulesdsl.source.span import SourceFile, Span


@attrs.frozen
class RuleText:
    """Rules quoted in a TOML file, with the position of each character in the file."""

    text: str
    span: Span
    positions: tuple[tuple[int, int], ...] = attrs.field(repr=False)
    language: Language


@attrs.frozen
class ScriptedChoice:
    """A player's number and an option's id; `*` is the first option, empty means any."""

    player: int
    option: str
    span: Span


@attrs.frozen
class Why:
    """An option that is not offered, and a part of the reason."""

    pick: ScriptedChoice
    reason: str


@attrs.frozen
class SpannedText:
    """Text with its span."""

    text: str
    span: Span


@attrs.frozen
class SeatNumbers:
    """A list of numbers, one for each seat that scores."""

    values: tuple[int, ...]
    span: Span


@attrs.frozen
class Scenario:
    """One scenario. `span` is the span of its name; `lines` are its first and last line."""

    name: str
    span: Span
    lines: tuple[int, int]
    covers: tuple[SpannedText, ...] = ()
    players: int = 2
    seed: int = 1
    options: dict[str, OptionValue] = attrs.Factory(dict)
    option_spans: dict[str, Span] = attrs.Factory(dict)
    after: SpannedText | None = None
    given: tuple[RuleText, ...] = ()
    play: RuleText | None = None
    whole_game: bool = False
    lesson: bool = False
    do: tuple[ScriptedChoice, ...] = ()
    offered: tuple[ScriptedChoice, ...] = ()
    not_offered: tuple[ScriptedChoice, ...] = ()
    why_not: tuple[Why, ...] = ()
    open: tuple[ScriptedChoice, ...] = ()
    expect: tuple[RuleText, ...] = ()
    log: tuple[SpannedText, ...] = ()
    log_of: tuple[tuple[int, SpannedText], ...] = ()
    not_in_log_of: tuple[tuple[int, SpannedText], ...] = ()
    sees: tuple[tuple[int, RuleText], ...] = ()
    sees_not: tuple[tuple[int, RuleText], ...] = ()
    over: bool | None = None
    scores: SeatNumbers | None = None
    places: SeatNumbers | None = None
    verdicts: tuple[SpannedText, ...] = ()

    @property
    def group(self) -> tuple[object, ...]:
        """The key of the setting; scenarios with equal keys share compiled code."""
        return (self.players, repr(sorted(self.options.items())))  # an invalid value may be a list

    def covers_line(self, span: Span) -> bool:
        """Return true if a span lies in this scenario."""
        return span.file == self.span.file and self.lines[0] <= span.line <= self.lines[1]

    def failures_of(self, result: Result) -> Iterator[Failure]:
        """Yield the ways in which a result fails the expectations about the end of the game."""
        for player, note in enumerate(self.verdicts):
            verdict = result.verdicts[player]
            word = verdict.word if verdict else NO_VERDICT
            if note.text != word:
                said = f"expected player {player + 1} to have {note.text}"
                scores = ("scores", str(list(result.scores)))
                yield Failure(note.span, said, (("found", word), scores))
        rows = ("scores", self.scores, result.scores), ("places", self.places, result.places)
        for title, wanted, found in rows:
            if wanted is not None and wanted.values != found:
                said = f"expected {title} {list(wanted.values)}"
                details = [(each, str(list(parts))) for each, parts in result.breakdown]
                yield Failure(wanted.span, said, (("found", str(list(found))), *details))

    @property
    def expects_result(self) -> bool:
        """True if the scenario states scores, places or verdicts."""
        return bool(self.scores or self.places or self.verdicts)


ANYTHING = "*"
NO_VERDICT = "none"
VERDICT_WORDS = (*VERDICTS, NO_VERDICT)


def scenario_fields(
    players: Players, at_table: int, *, options: Json | None = None, steps: Json | None = None
) -> tuple[Field, ...]:
    """Return the fields of a scenario for `at_table` players.

    `options` and `steps` are schemas that depend on the declarations of a game.
    """
    answer = _pick(r"^\s*WHO +\S", at_table, *_SUCH)
    option, why = option_of(at_table), _reason(at_table)
    asked = _pick("^WHO$", at_table, "a player who still has a question to answer", "p1")
    settings = Shape(is_table, "a table, such as { name = true }", options or {})

    def several(key: str, each: Shape, about: str) -> Field:
        return Field(key, list_of(each, f'{_TEXTS}: {key} = ["..."]'), about)

    def of_players(key: str, each: Shape, about: str) -> Field:
        return Field(key, _by_player(key, each, at_table), about)

    return (
        Field("name", _NAME, "A name that says what the scenario shows.", needed=True),
        several("covers", _NOTE, "The rules in the checklist that it covers."),
        players_field(players),
        Field("seed", whole(*SEED, wanted=f"a whole number {SEED}"), "The random seed.", 1),
        Field("options", settings, "The options of the game."),
        Field("after", attrs.evolve(_STEP, schema=steps or {}), "A step that runs first."),
        several("given", _RULES, "Statements that set the position up."),
        Field("play", _PLAY, "The statement that is tested."),
        several("do", answer, 'Answers: a player and the id of an option, "p1 done".'),
        several("offered", option, "Options that are offered afterwards."),
        several("not-offered", option, "Options that are not offered afterwards."),
        several("why-not", why, "Options that are not offered afterwards, with the reason."),
        several("open", asked, "Players with an open decision at the end."),
        several("expect", _RULES, "Conditions that must hold at the end."),
        several("log", _NOTE, "Text that some player must read in the log."),
        of_players("log-of", _NOTE, "Text that a player must read in the log."),
        of_players("not-in-log-of", _NOTE, "Text that a player must not read in the log."),
        of_players("sees", _RULES, "What a player sees at the end: drum in hand of p1."),
        of_players("sees-not", _RULES, "What a player does not see at the end."),
        Field("over", YES_NO, "True if the game is over at the end."),
        Field("scores", _NUMBERS, "The scores of the scoring seats."),
        Field("places", _NUMBERS, "The places of the scoring seats."),
        Field("verdicts", _verdicts(at_table), "The verdict for each player."),
    )


def _by_player(key: str, item: Shape, at_table: int) -> Shape:
    """Return the shape of a table of lists by player, read as pairs of player and item."""
    players = [f"p{number + 1}" for number in range(at_table)]
    items = list_of(item, f'{_TEXTS}: {key}.p1 = ["..."]')

    def parse(by_player: dict[str, object], place: TablePlace) -> tuple[tuple[int, object], ...]:
        pairs: list[tuple[int, object]] = []
        for name, texts in by_player.items():
            if name in players:
                read = items.read(texts, place.below(name)) or ()
                pairs += ((players.index(name) + 1, text) for text in read)
            else:
                unknown = wording.UNKNOWN_PLAYER
                place.below(name).unknown(unknown, players, listed=and_list(players))
        return tuple(pairs)

    shape = f'a list for each player: {key}.p1 = ["..."]'
    return Shape(is_table, shape, table(dict.fromkeys(players, items.schema)), parse)


def _verdicts(at_table: int) -> Shape:
    each = word(VERDICT_WORDS, wording.BAD_VERDICT).then(_note)
    every = list_of(each, f'{_TEXTS}: verdicts = ["..."]')

    def parse(values: list[object], place: TablePlace) -> tuple[SpannedText, ...] | None:
        found: tuple[SpannedText, ...] = every.parse(values, place)
        if len(found) != at_table:
            so_long, listed = so_many(at_table, "verdict", "verdicts"), or_list(VERDICT_WORDS)
            place.wrong(f"a list of {so_long}, one per player: {listed}", values)
        return found if len(found) == at_table else None

    return attrs.evolve(every, parse=parse)


def players_field(players: Players) -> Field:
    """Return the field for the number of players."""
    least, most = players.least, players.most
    shape = whole(least, most, f"a number of players from {least} to {most}")
    return Field("players", shape, "The number of players.", min(max(2, least), most))


def _reason(at_table: int) -> Shape:
    """Return the shape of a player, an option's id, and part of a reason."""
    wanted = "a player, the id of an option, `because`, and a part of the reason"
    picked = _pick(r"^\s*WHO +\S.* because \S", at_table, wanted, "p1 done because it is too late")

    def parse(found: ScriptedChoice, _place: TablePlace) -> Why:
        option, because, reason = found.option.partition(" because ")
        assert because
        return Why(attrs.evolve(found, option=option.strip()), reason.strip())

    return picked.then(parse)


def _note(found: str, place: TablePlace) -> SpannedText:
    return SpannedText(found, place.span)


def rule_text(found: str, place: TablePlace) -> RuleText | None:
    """Return text in the language of the rules with its positions, or None if it is blank."""
    if not found.strip():
        return None
    return RuleText(found, place.span, place.string_map, place.language)


def option_of(at_table: int) -> Shape:
    """Return the shape of a player and an option's id, both required."""
    return _pick(_OPTION, at_table, *_SUCH)


def _pick(pattern: str, at_table: int, wanted: str, example: str) -> Shape:
    """Return the shape of a player and, depending on the pattern, the id of an option."""
    numbers = range(1, at_table + 1)
    whole_pattern = pattern.replace("WHO", f"p({'|'.join(map(str, numbers))})")

    def parse(found: str, place: TablePlace) -> ScriptedChoice | None:
        who, _, option = found.strip().partition(" ")
        if matches(whole_pattern, found.strip()):
            return ScriptedChoice(int(who[1:]), option.strip(), place.span)
        known = and_list([f"p{number}" for number in numbers])
        place.wrong(f'{wanted}, for example "{example}"; the players here are {known}', found)
        return None

    return SOME_TEXT.then(parse, text(whole_pattern).schema)


_OPTION = r"^\s*WHO +(?!\*\s*$)\S"
_SUCH = ("a player and the id of an option", "p1 done")
_TEXTS = "a list of quoted items"
SOME_TEXT = text(SOMETHING, "non-empty text in quotation marks")
_NOTE, _RULES = SOME_TEXT.then(_note), SOME_TEXT.then(rule_text)
_NAME = text(SOMETHING, "text that says what the scenario shows, in quotation marks")
_STEP = text(".", "the name of a step in quotation marks").then(_note)
_PLAY = text(wanted="a statement of the rules in quotation marks").then(rule_text)
_NUMBERS = Shape(
    lambda value: isinstance(value, list) and all(is_number(each) for each in value),
    "a list of numbers, one for each seat that scores",
    array(whole().schema),
    lambda found, place: SeatNumbers(tuple(found), place.span),
)


@attrs.frozen
class Failure:
    """A deviation from a scenario: the span of the failing part, a message, and details."""

    span: Span
    said: str
    details: tuple[tuple[str, str], ...] = ()


@attrs.frozen
class ScenarioResult:
    """The result of one scenario."""

    scenario: Scenario
    failures: tuple[Failure, ...]

    @property
    def passed(self) -> bool:
        """True if there is no failure."""
        return not self.failures

    def __str__(self) -> str:
        """Return the failures with their lines, as text."""
        scenario = self.scenario
        covers = ", ".join(note.text for note in scenario.covers)
        title = f"{scenario.name} [{covers}]" if covers else scenario.name
        lines = [f"{scenario.span.file}:{scenario.span.line}: {title}"]
        for failure in self.failures:
            lines.append(f"  line {failure.span.line}: {failure.said}")
            lines += (f"    {label + ':':<9} {detail}" for label, detail in failure.details)
        return "\n".join(lines)


@attrs.frozen
class ScenarioReport:
    """Results of the scenarios in one or more packs.

    `findings` are errors in the scenarios themselves; those scenarios are not run and count as
    failed.
    """

    results: tuple[ScenarioResult, ...]
    findings: tuple[Diagnostic, ...] = ()
    unreadable: int = 0
    sources: dict[str, SourceFile] = attrs.field(factory=dict, repr=False)

    @property
    def failed(self) -> tuple[ScenarioResult, ...]:
        """The scenarios that were run and failed."""
        return tuple(each for each in self.results if not each.passed)

    @property
    def ok(self) -> bool:
        """True if nothing failed and there are no findings."""
        return not self.failed and not self.findings

    @property
    def summary(self) -> str:
        """The numbers of passed and failed scenarios, as a line of text."""
        failed = len(self.failed)
        said = f"{len(self.results) - failed} passed, {failed} failed"
        said += f", {self.unreadable} not run" if self.unreadable else ""
        return said if self.results or self.findings else "no scenarios"

    @property
    def failures(self) -> str:
        """The findings and the failures as text."""
        parts = [render_text(self.findings, self.sources).rstrip()] if self.findings else []
        return "\n\n".join([*parts, *(str(each) for each in self.failed)])

    def __str__(self) -> str:
        """Return the findings, the failures and the summary as text."""
        return "\n\n".join(part for part in (self.failures, self.summary) if part)


def join_reports(parts: Sequence[ScenarioReport]) -> ScenarioReport:
    """Merge reports, in the order of the files, without repeated findings."""
    findings, sources = Findings(), dict[str, SourceFile]()
    for part in parts:
        findings.extend(part.findings)
        sources |= part.sources
    results = sorted((e for part in parts for e in part.results), key=lambda e: e.scenario.span)
    unreadable = sum(part.unreadable for part in parts)
    return ScenarioReport(tuple(results), findings.sorted(), unreadable, sources)
