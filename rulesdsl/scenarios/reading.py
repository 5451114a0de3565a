"""From the files of a pack to scenarios; a mistake is a finding at its exact place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.references import VERDICTS
from rulesdsl.scenarios.scenario import Note, Numbers, OptionValue, Pick, RuleText, Scenario
from rulesdsl.source.diagnostic import Related
from rulesdsl.source.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rulesdsl.packs.manifest import Players
    from rulesdsl.packs.toml_file import TomlFile
    from rulesdsl.packs.toml_spans import Path
    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.source.span import Span

LIST = "scenario"
KEYS = (
    "name",
    "covers",
    "players",
    "seed",
    "options",
    "after",
    "given",
    "play",
    "do",
    "offered",
    "not-offered",
    "open",
    "expect",
    "log",
    "over",
    "scores",
    "places",
    "verdicts",
)
CHECKS = KEYS[KEYS.index("offered") :]
ANYTHING = "*"
NO_VERDICT = "none"


def read_scenarios(
    files: Iterable[TomlFile], players: Players, findings: Findings
) -> tuple[Scenario, ...]:
    """Read all scenarios; those that say something impossible are reported and left out."""
    found: list[Scenario] = []
    names: dict[str, Span] = {}
    for file in files:
        for each in _FileReader(file, players, findings).scenarios():
            if each.name in names:
                findings.report(
                    "E202",
                    each.span,
                    "Another scenario has this name already.",
                    "Give one of them another name.",
                    [Related(names[each.name], "named here first")],
                )
                continue
            names[each.name] = each.span
            found.append(each)
    return tuple(found)


def count_scenarios(file: TomlFile) -> int:
    """Return how many scenarios a file has, those with mistakes included."""
    tables = file.data.get(LIST)
    return len(tables) if isinstance(tables, list) else 0


class _FileReader:
    """Reads one file."""

    def __init__(self, file: TomlFile, players: Players, findings: Findings) -> None:
        self.file = file
        self.players = players
        self.findings = findings

    def scenarios(self) -> list[Scenario]:
        """Return the scenarios that could be read."""
        for key in self.file.data:
            if key != LIST:
                self._unknown((key,), key, [LIST])
        tables = self.file.data.get(LIST, [])
        if not isinstance(tables, list) or not all(isinstance(each, dict) for each in tables):
            self._wrong((LIST,), "a list of tables; each begins with `[[scenario]]`")
            return []
        starts = [self.file.index.key_span((LIST, at)).line for at in range(len(tables))]
        ends = [*(start - 1 for start in starts[1:]), len(self.file.source.lines)]
        found = (
            _TableReader(self, table, (LIST, at), lines).scenario()
            for at, (table, *lines) in enumerate(zip(tables, starts, ends, strict=False))
        )
        return [each for each in found if each is not None]

    def _unknown(self, path: Path, key: str, known: Sequence[str]) -> None:
        self.findings.report(
            "E004",
            self.file.index.key_span(path),
            f"A file of scenarios has no `{key}`.",
            did_you_mean(key, known) or "Each scenario begins with `[[scenario]]`.",
        )

    def _wrong(self, path: Path, wanted: str) -> None:
        self.findings.report("E005", self.file.index.value_span(path), f"This has to be {wanted}.")


class _TableReader:
    """Reads one scenario."""

    def __init__(
        self, around: _FileReader, table: object, path: Path, lines: Sequence[int]
    ) -> None:
        assert isinstance(table, dict)
        self.index = around.file.index
        self.players = around.players
        self.findings = around.findings
        self.table = table
        self.path = path
        self.lines = (lines[0], lines[1])
        self.sound = True

    def scenario(self) -> Scenario | None:
        """Return the scenario; None, reported, where it says something impossible."""
        for key in self.table:
            if key not in KEYS:
                self._report(
                    "E004",
                    self.index.key_span((*self.path, key)),
                    f"A scenario has no `{key}`.",
                    did_you_mean(key, KEYS) or f"It has {', '.join(KEYS)}.",
                )
        players = self._players()
        play = self._play()
        built = Scenario(
            self._name(),
            self.index.value_span((*self.path, "name")),
            self.lines,
            self._notes("covers"),
            players,
            self._seed(),
            self._options(),
            {name: self._span("options", name) for name in self._options()},
            self._after(),
            self._rules("given"),
            play,
            whole_game=not any(key in self.table for key in ("play", "given", "after")),
            do=self._picks("do", players),
            offered=self._picks("offered", players),
            not_offered=self._picks("not-offered", players),
            open=self._picks("open", players),
            expect=self._rules("expect"),
            log=self._notes("log"),
            over=self._over(),
            scores=self._numbers("scores"),
            places=self._numbers("places"),
            verdicts=self._verdicts(players),
        )
        if not any(key in self.table for key in CHECKS):
            self._report(
                "E006",
                self.index.key_span(self.path),
                "This scenario checks nothing.",
                f"Say what has to follow: {', '.join(CHECKS)}. "
                'To see what is asked: offered = ["p1 ?"]',
            )
        return built if self.sound else None

    # ---------------------------------------------------------------- single values
    def _name(self) -> str:
        name = self.table.get("name")
        if isinstance(name, str) and name.strip():
            return name
        if name is None:
            self._report(
                "E006",
                self.index.key_span(self.path),
                "This scenario has no name.",
                'Say what it shows: name = "..."',
            )
        else:
            self._wrong("name", "a text that says what the scenario shows")
        return ""

    def _players(self) -> int:
        least, most = self.players.least, self.players.most
        players = self.table.get("players", min(max(2, least), most))
        if _is_number(players) and least <= players <= most:
            return int(players)
        self._wrong("players", f"a number of players from {least} to {most}")
        return most

    def _seed(self) -> int:
        seed = self.table.get("seed", 1)
        if _is_number(seed) and seed >= 0:
            return int(seed)
        self._wrong("seed", "a whole number from 0 on")
        return 1

    def _options(self) -> dict[str, OptionValue]:
        options = self.table.get("options", {})
        if isinstance(options, dict):
            return options
        self._wrong("options", "a table, such as { name = true }")
        return {}

    def _after(self) -> Note | None:
        if "after" not in self.table:
            return None
        after = self.table["after"]
        if isinstance(after, str) and after:
            return Note(after, self._span("after"))
        self._wrong("after", "the name of a step")
        return None

    def _play(self) -> RuleText | None:
        play = self.table.get("play", "")
        if isinstance(play, str):
            return self._rule_text(("play",), play) if play.strip() else None
        self._wrong("play", "a text: what is carried out, in the language of the rules")
        return None

    def _over(self) -> bool | None:
        over = self.table.get("over")
        if over is None or isinstance(over, bool):
            return over
        self._wrong("over", "true or false")
        return None

    # ---------------------------------------------------------------- lists
    def _numbers(self, key: str) -> Numbers | None:
        if key not in self.table:
            return None
        values = self.table[key]
        if isinstance(values, list) and all(_is_number(each) for each in values):
            return Numbers(tuple(values), self._span(key))
        self._wrong(key, "a list of numbers, one for each seat that scores")
        return None

    def _verdicts(self, players: int) -> tuple[Note, ...]:
        found = self._notes("verdicts")
        words = (*VERDICTS, NO_VERDICT)
        if "verdicts" in self.table and len(found) != players:
            self._wrong(
                "verdicts", f"a list of {players}: one of {', '.join(words)} for each player"
            )
        for note in found:
            if note.text not in words:
                advice = did_you_mean(note.text, words) or f"It is {', '.join(words)}."
                self._report("E005", note.span, f"`{note.text}` is no verdict.", advice)
        return found

    def _texts(self, key: str) -> list[tuple[Path, str]]:
        values = self.table.get(key, [])
        if not isinstance(values, list):
            self._wrong(key, f'a list of texts: {key} = ["..."]')
            return []
        found: list[tuple[Path, str]] = []
        for at, each in enumerate(values):
            if isinstance(each, str) and each.strip():
                found.append(((key, at), each))
            else:
                self._report("E005", self._span(key, at), "This has to be a text.")
        return found

    def _notes(self, key: str) -> tuple[Note, ...]:
        return tuple(Note(text, self._span(*path)) for path, text in self._texts(key))

    def _rules(self, key: str) -> tuple[RuleText, ...]:
        return tuple(self._rule_text(path, text) for path, text in self._texts(key))

    def _rule_text(self, path: Path, text: str) -> RuleText:
        whole = (*self.path, *path)
        return RuleText(text, self.index.value_span(whole), self.index.string_map(whole))

    def _picks(self, key: str, players: int) -> tuple[Pick, ...]:
        found: list[Pick] = []
        known = {f"p{number}": number for number in range(1, players + 1)}
        wanted, such = "a player and the id of an option", "p1 done"
        if key == "open":
            wanted, such = "a player who is still asked something", "p1"
        for path, text in self._texts(key):
            who, _, option = text.strip().partition(" ")
            option = option.strip()
            anything = key != "do" and option == ANYTHING
            if who not in known or bool(option) != (key != "open") or anything:
                self._report(
                    "E005",
                    self._span(*path),
                    f"This has to be {wanted}.",
                    f'Such as "{such}"; the players here are {", ".join(known)}.',
                )
                continue
            found.append(Pick(known[who], option, self._span(*path)))
        return tuple(found)

    # ---------------------------------------------------------------- findings
    def _span(self, *path: str | int) -> Span:
        return self.index.value_span((*self.path, *path))

    def _wrong(self, key: str, wanted: str) -> None:
        self._report("E005", self._span(key), f"`{key}` has to be {wanted}.")

    def _report(self, code: str, span: Span, message: str, advice: str = "") -> None:
        self.sound = False
        self.findings.report(code, span, message, advice)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
