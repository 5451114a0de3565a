"""Execution of one scenario on compiled code."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from rulesdsl.check.symbols.words import in_words
from rulesdsl.interpreter.decisions import Decision
from rulesdsl.interpreter.game import Game, IllegalChoice
from rulesdsl.interpreter.python.runtime import MASK
from rulesdsl.interpreter.reasons.why_not import Reason
from rulesdsl.interpreter.setting import CompiledSetting
from rulesdsl.interpreter.state import CHOICE
from rulesdsl.scenarios.binding import BoundScenario, BoundSight, BoundStatement, Expectation
from rulesdsl.scenarios.impossible import Impossible
from rulesdsl.scenarios.scenario import ANYTHING, Failure, ScenarioResult, ScriptedChoice, Why
from rulesdsl.source.diagnostics import did_you_mean
from rulesdsl.source.span import SourceFile, Span

MAX_CHOICES = 10_000
LAST_LINES = 6
IMPOSSIBLE = "this cannot be carried out here"
UNSPOKEN = "and the scenario does not mention it"
_ARTICLE = re.compile(r"\b(?:the|an?)(?: (?=\S)|$)")
TROUBLE = (ArithmeticError, LookupError, TypeError, ValueError)


@attrs.frozen
class Watched:
    """The outcome of a scenario.

    `asked` are the questions that are open at its end, as player and option ids; `values` are the
    operands of its expectations, keyed by their text.
    """

    failures: tuple[Failure, ...]
    asked: tuple[tuple[int, tuple[str, ...]], ...] = ()
    values: dict[str, int] = attrs.Factory(dict)
    carried_out: bool = attrs.field(default=False, kw_only=True)


class ScenarioRunner:
    """Runner of the scenarios in one setting.

    A sentinel frame at the bottom of the stack stops the driver; this distinguishes the end of a
    step from the end of the game.
    """

    def __init__(self, setting: CompiledSetting, sources: Mapping[str, SourceFile]) -> None:
        self.setting = setting
        self.impossible = Impossible(setting, sources)
        self.engine = setting.engine
        self._floor = len(self.engine.blocks)
        self.engine.blocks.append(_stop)

    def run(self, bound: BoundScenario, *, brief: bool = False) -> ScenarioResult:
        """Run a scenario and check its expectations; if `brief`, do not look for reasons."""
        play = _Play(self, bound, brief=brief)
        return ScenarioResult(bound.scenario, tuple(play.failures()))

    def start(self, bound: BoundScenario) -> Game | Failure:
        """Set up a position and start playing from it; the game ends when the statement does."""
        play = _Play(self, bound)
        return play.start() or Game(self.setting, play.st, bound.scenario.seed)

    def watch(self, bound: BoundScenario) -> Watched:
        """Run a scenario and return its outcome, regardless of its expectations."""
        play = _Play(self, bound)
        failures = tuple(play.failures())
        if not play.carried_out:
            return Watched(failures)
        return Watched(failures, play.open_ids(), play.values(), carried_out=True)

    def reasons(self, bound: BoundScenario) -> list[tuple[Why, str]]:
        """Run a scenario; return the reasons that it expects in vain, with those of the game."""
        play = _Play(self, bound, brief=True)
        return [*play.failing_reasons()] if play.outcome() is None else []

    def at_floor(self, st: Any) -> bool:  # noqa: ANN401 - the state class is generated
        """Return true if the sentinel frame is on top: nothing is left to run."""
        return bool(st.frames) and st.frames[-1][0] == self._floor

    def new_state(self, seed: int) -> Any:  # noqa: ANN401
        """Return the initial state with only the sentinel frame."""
        st = self.engine.states.new(seed & MASK)
        st.frames.append([self._floor])
        return st

    def begin(self, st: Any, key: str) -> None:  # noqa: ANN401
        """Begin a procedure and run to its first decision."""
        self.engine.push(st, key, -1, [])
        self.engine.run(st)

    def possible(self, st: Any, key: str) -> bool:  # noqa: ANN401
        """Return true if a procedure's guard holds."""
        return self.engine.guard(key, st, -1)

    def stopped(self, act: BoundStatement, st: Any) -> Failure | None:  # noqa: ANN401
        """Return a failure if a condition that was checked late has ended the game."""
        if not st.over or len(st.log) < 2:  # noqa: PLR2004 - the failure, and the end
            return None
        number, _, _, *values = st.log[-2]
        words = None if number == CHOICE else self.engine.events[number].words
        name = "" if words is None else words.said[0]
        details = self.impossible.late(act.key, name, values, st)
        return Failure(act.span, IMPOSSIBLE, details) if details else None

    def value(self, st: Any, name: str) -> Any:  # noqa: ANN401
        """Return one of the values that scenarios add to the program."""
        return self.engine.value(name, 0, st)


class _Play:
    """One run of one scenario."""

    def __init__(
        self, runner: ScenarioRunner, bound: BoundScenario, *, brief: bool = False
    ) -> None:
        self.brief = brief
        self.runner, self.bound, self.scenario = runner, bound, bound.scenario
        self.st = runner.new_state(self.scenario.seed)
        self._to_do = deque(bound.play)
        self._now: BoundStatement | None = None
        self._prepared = 0  # entries of the log about `given`, and what is before it
        self.carried_out = False  # every statement has run, and every answer was accepted

    @property
    def game(self) -> Game:
        """The game as it is now."""
        return Game(self.runner.setting, self.st, self.scenario.seed, whole=True)

    def failures(self) -> Iterator[Failure]:
        """Run the scenario; yield its failures."""
        stopped = self.outcome()
        if stopped is not None:
            yield stopped
            return
        yield from self._offers()
        yield from self._reasons()
        yield from self._expectations()
        yield from self._sights()
        yield from self._others()
        yield from self._left_open()

    def outcome(self) -> Failure | None:
        """Carry out the statements and answers; return the failure that stops them."""
        stopped = self._prepare() or self._begin() or self._answer()
        self.carried_out = stopped is None
        return stopped

    def failing_reasons(self) -> Iterator[tuple[Why, str]]:
        """Yield the reasons that are not as expected, with those of the game."""
        for why in () if self.runner.at_floor(self.st) else self.scenario.why_not:
            reason = self._reason(why.pick)
            texts = () if reason is None else (reason.text, reason.quoted)
            if reason is not None and not any(self._says(text, why.reason) for text in texts):
                yield why, reason.text

    def start(self) -> Failure | None:
        """Set up the position and start, without the sentinel frame."""
        stopped = self._prepare()
        if stopped is None:
            self.st.frames.clear()
            self.st.log.clear()  # the preparation is not part of the story
            for act in self.bound.play:  # a lesson's is a single procedure
                stopped = self._carry_out(act.key, act.span)
            stopped = stopped or self._whole_game()
        return stopped

    def open_ids(self) -> tuple[tuple[int, tuple[str, ...]], ...]:
        """Return the players being asked, and the ids of their options."""
        return tuple((each.player, tuple(e.id for e in each.options)) for each in self._open())

    def values(self) -> dict[str, int]:
        """Return the operands of the expectations, keyed by their text."""
        sides = [side for each in self.bound.expect for side in each.sides]
        return {side.words: self.runner.value(self.st, side.value) for side in sides}

    # ---------------------------------------------------------------- statements
    def _prepare(self) -> Failure | None:
        after = self.scenario.after
        if after is not None:
            failure = self._carry_out(after.text, after.span) or self._first_answers(after.span)
            if failure is not None:
                return failure
        for act in self.bound.given:
            failure = self._carry_out(act.key, act.span) or self._done(act)
            if failure is not None:
                return failure
        if self.bound.given:
            self._prepared = len(self.st.log)
        return None

    def _begin(self) -> Failure | None:
        return self._continue() or self._whole_game()

    def _continue(self) -> Failure | None:
        """Carry out the next statements of `play`, up to a question."""
        while self._to_do and self.runner.at_floor(self.st):
            act = self._to_do.popleft()
            failure = self._carry_out(act.key, act.span)
            if failure is not None:
                return failure
        return None

    def _whole_game(self) -> Failure | None:
        if self.scenario.whole_game:
            self.st.frames.clear()
            try:
                self.runner.engine.start(self.st)
            except TROUBLE as error:
                return broken(self.scenario.span, error)
        return None

    def _carry_out(self, key: str, span: Span) -> Failure | None:
        try:
            if not self.runner.possible(self.st, key):
                details = () if self.brief else self.runner.impossible.details(key, self.st)
                return Failure(span, IMPOSSIBLE, details)
            self.runner.begin(self.st, key)
        except TROUBLE as error:
            return broken(span, error)
        self._now = BoundStatement(span, key)
        return self._stopped()

    def _stopped(self) -> Failure | None:
        return None if self._now is None else self.runner.stopped(self._now, self.st)

    def _first_answers(self, span: Span) -> Failure | None:
        for _ in range(MAX_CHOICES):
            if not self._open():
                return None
            self.game.choose(0)
        return Failure(span, f"this has not ended after {MAX_CHOICES} choices")

    def _done(self, act: BoundStatement) -> Failure | None:
        if self.runner.at_floor(self.st):
            return None
        if self.st.over:
            return Failure(act.span, "this ends the game")
        return self._miss(act.span, "this asks a player something, which `given` must not do")

    def _open(self) -> tuple[Decision, ...]:
        return () if self.runner.at_floor(self.st) else self.game.decisions

    def _miss(self, span: Span, said: str, *details: tuple[str, str]) -> Failure:
        """Return a failure whose details include the open questions."""
        return Failure(span, said, (*details, *self._asked()))

    def _asked(self) -> Iterator[tuple[str, str]]:
        opened = self._open()
        if not opened:
            yield "open", "the game is over" if self.st.over else "nobody is asked anything"
        for decision in opened:
            ids = ", ".join(option.id for option in decision.options)
            yield "open", f"player {decision.player}: {decision.prompt} {ids}"

    def _answer(self) -> Failure | None:
        for pick in self.scenario.do:
            who = f"player {pick.player} is not"
            if pick.player not in {each.player for each in self._open()}:
                return self._miss(pick.span, f"{who} asked, and cannot choose `{pick.option}`")
            try:
                self.game.choose(0 if pick.option == ANYTHING else pick.option, player=pick.player)
            except IllegalChoice:
                said = f"{who} offered `{pick.option}`"
                return self._miss(pick.span, said, *self._absence(pick))
            except TROUBLE as error:
                return broken(pick.span, error)
            failure = self._stopped() or self._continue()
            if failure is not None:
                return failure
        return None

    # ---------------------------------------------------------------- expectations
    def _offers(self) -> Iterator[Failure]:
        options = [(each.player, option) for each in self._open() for option in each.options]
        offered = {(player, name) for player, e in options for name in (e.id, e.former_id)}
        for pick in (*self.scenario.offered, *self.scenario.not_offered):
            wanted = pick in self.scenario.offered
            if ((pick.player, pick.option) in offered) != wanted:
                said = f"expected player {pick.player} {'' if wanted else 'not '}to be offered"
                why = self._absence(pick) if wanted else ()
                yield self._miss(pick.span, f"{said} `{pick.option}`", *why)

    def _reasons(self) -> Iterator[Failure]:
        for why in self.scenario.why_not:
            option, span = f"`{why.pick.option}`", why.pick.span
            if self.runner.at_floor(self.st):
                yield self._miss(span, f"nobody is asked, so there is no reason for {option}")
            elif self._reason(why.pick) is None:
                yield self._miss(span, f"no question in this game ever offers {option}")
        for why, reason in self.failing_reasons():
            message = f"expected in the reason: {why.reason}"
            yield self._miss(why.pick.span, message, ("found", reason))

    def _reason(self, pick: ScriptedChoice) -> Reason | None:
        """Return the reason why an option is not offered, for an open question if possible."""
        game = self.game
        opened = {each.number for each in self._open() if each.player == pick.player}
        named = [each for each in game.actions if each.id == pick.option]
        named = named or [each for each in game.actions if each.former_id == pick.option]
        if not named:
            return None
        named.sort(key=lambda action: action.asked_in not in opened)
        is_one = len({action.question for action in named}) == 1
        meant = named[0] if is_one else attrs.evolve(named[0], question="")
        return game.why_not(meant, pick.player)

    def _absence(self, pick: ScriptedChoice) -> Iterator[tuple[str, str]]:
        """Yield the reason why an option is not offered, or the option that may be meant."""
        if self.brief or not self._open():
            return
        reason = self._reason(pick)
        if reason is not None:
            yield "reason", reason.text
        elif re.search(r"\w", pick.option):
            advice = did_you_mean(pick.option, {each.id for each in self.game.actions})
            yield from [("help", advice)] if advice else []

    def _left_open(self) -> Iterator[Failure]:
        """Yield failures for decisions expected but not open, or open but not mentioned."""
        scenario = self.scenario
        asked = {decision.player for decision in self._open()}
        for each in scenario.open:
            if each.player not in asked:
                said = f"expected an open question for player {each.player}"
                yield self._miss(each.span, said)
        reasons = (each.pick for each in scenario.why_not)
        spoken_of = (*scenario.offered, *scenario.not_offered, *scenario.open, *reasons)
        for player in sorted(asked - {each.player for each in spoken_of}):
            if scenario.over is None:
                said = f"player {player} has an open question at the end, {UNSPOKEN}"
                advice = f'answer it in `do`, or state it: `offered`, or open = ["p{player}"]'
                yield Failure(scenario.span, said, (*self._asked(), ("help", advice)))

    def _expectations(self) -> Iterator[Failure]:
        for each in self.bound.expect:
            try:
                if not self.runner.value(self.st, each.value):
                    text = " ".join(each.text.text.split())
                    yield self._miss(each.text.span, f"expected {text}", *self._sides(each))
            except TROUBLE as error:
                yield broken(each.text.span, error)

    def _sights(self) -> Iterator[Failure]:
        for sight in self.bound.sights:
            words = " ".join(sight.text.text.split())
            contents = self._visible(sight)
            if (sight.name in contents or (not sight.name and bool(contents))) != sight.wanted:
                to_see = "to see" if sight.wanted else "not to see"
                said = f"expected player {sight.player} {to_see}: {words}"
                yield self._miss(sight.text.span, said, ("seen", ", ".join(contents) or "nothing"))

    def _visible(self, sight: BoundSight) -> list[str]:
        """Return what a player's view shows in a cell: the names of pieces, or a number."""
        sentinel = [self.st.frames.pop()] if self.runner.at_floor(self.st) else []
        cells: Any = self.game._view(sight.player).data()[sight.of]  # noqa: SLF001 - no question
        self.st.frames += sentinel
        cells = cells if isinstance(cells, list) else [cells]
        layout, world = self.runner.setting.layout, self.runner.setting.layout.world
        if not sight.place:
            info = world.flags[sight.of[:-1]] if sight.of.endswith("?") else world.tracks[sight.of]
            by_index = ((layout.indexes(info.dims, at), number) for at, number in enumerate(cells))
            return [
                str(number)
                for key, number in by_index
                if tuple(index for _, index in key) == sight.dims and number is not None
            ]
        places = (layout.place_of(sight.of, code) for code in range(layout.cells(sight.of)))
        code = [(place.name, dims) for place, dims in places].index((sight.place, sight.dims))
        match world.pieces[sight.of].style:
            case "counted":
                return [str(cells[code])] * bool(cells[code])
            case "single":
                return [sight.of] * (code in cells)
            case _:
                pile = cells[code] if isinstance(cells[code], list) else []
                return [name.partition("#")[0] for name in pile if "#" in name]

    def _sides(self, expectation: Expectation) -> Iterator[tuple[str, str]]:
        labels = self.runner.setting.labels
        for side in expectation.sides:
            found = labels.shown(side.type, self.runner.value(self.st, side.value))
            yield "found", f"{side.words}: {found}"

    def _others(self) -> Iterator[Failure]:
        yield from self._log()
        if self.scenario.expects_result:
            yield from self.scenario.failures_of(self.runner.setting.results.result(self.st))
        over = self.scenario.over
        if over is not None and over != bool(self.st.over):
            said = "expected the game to be over" if over else "expected the game to continue"
            yield self._miss(self.scenario.span, said)

    def _log(self) -> Iterator[Failure]:
        scenario = self.scenario
        of_players = (*scenario.log_of, *scenario.not_in_log_of)
        if not scenario.log and not of_players:
            return
        game, readers = self.game, dict[tuple[int, int, str], list[str]]()
        everybody = [f"p{player}" for player in range(1, game.players + 1)]
        for player, name in enumerate(everybody, 1):
            for line in game.story(player, self._prepared):
                readers.setdefault((line.first, line.last, line.text), []).append(name)
        lines = sorted(readers, key=lambda line: line[:2])
        story = tuple(
            ("log" if readers[line] == everybody else ", ".join(readers[line]), line[2])
            for line in lines[-LAST_LINES:]
        )
        read = {text for *_, text in lines}
        for event in game.log_since(self._prepared) if scenario.log else ():
            read.update(event.seen_text(player) for player in range(1, game.players + 1))
        for note in scenario.log:
            if not any(self._says(text, note.text) for text in read):
                yield Failure(note.span, f"expected in the log: {note.text}", story)
        for number, (player, note) in enumerate(of_players):
            is_wanted = number < len(scenario.log_of)
            texts = (line[2] for line in lines if f"p{player}" in readers[line])
            if any(self._says(text, note.text) for text in texts) != is_wanted:
                where = f"{'' if is_wanted else 'not '}in the log of player {player}"
                yield Failure(note.span, f"expected {where}: {note.text}", story)

    def _says(self, text: str, wanted: str) -> bool:
        """Return whether a text contains what is wanted, in the words of players or of rules."""
        in_titles = in_words(self.runner.setting.labels.world, wanted)
        return any(_bare(words) in _bare(text) for words in (wanted, in_titles))


def _bare(text: str) -> str:
    """Return a text without articles and capitals, which no scenario depends on."""
    return _ARTICLE.sub("", text.casefold())


def _stop(_st: object, _frame: object) -> bool:
    return True


def broken(span: Span, error: Exception) -> Failure:
    """Return the failure for an error of the engine, which no content may cause."""
    return Failure(span, f"the engine failed here, please report it ({type(error).__name__})")
