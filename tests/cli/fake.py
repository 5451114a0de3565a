"""A small game written in Python, so that tests of commands need no engine.

In each round every player may take coins (this can be undone) and then draw a card from a hidden
deck (this cannot). At the end of the round all make secret bids, which count as points.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Mapping, Sequence
from types import SimpleNamespace

import attrs

import rulesdsl
from rulesdsl import Clause, LogLine, Option, OptionInfo, OptionValue, Printed, Result, Score
from rulesdsl.source.span import Span

RULES_PAGE = rulesdsl.Topic(
    "bids", "Bids", ("# Bids", "", "At the end all make a secret **bid**."), ("A-1",)
)
RULES = "\n".join(f"rule on line {number}" for number in range(1, 30))


def option_of(name: str, label: str, about: str = "", text: str = "") -> Option:
    return Option(name, label, None, about, text)


def panel_of(title: str, seat: int | None, **shown: str) -> rulesdsl.BoardPanel:
    rows = tuple(
        rulesdsl.Row(label, (rulesdsl.Item(text, rulesdsl.Role.TEXT),))
        for label, text in shown.items()
    )
    of = "" if seat is None else f"Player {seat}"
    return rulesdsl.BoardPanel(
        title, seat, rulesdsl.When.BOARD, rulesdsl.Rows(rulesdsl.Form.ROWS, rows), of
    )


@attrs.frozen
class FakeDecision:
    player: int
    prompt: str
    options: tuple[Option, ...]
    sealed: bool = False
    hidden: bool = False
    number: int = 0
    rules: tuple[Span, ...] = (Span("fake/game.rules", 7, 1, 7, 1),)

    @property
    def count(self) -> int:
        return len(self.options)

    def is_secret(self, index: int) -> bool:  # noqa: ARG002 - either all are, or none
        return self.sealed

    def index_of(self, name: str) -> int | None:
        ids = [option.id for option in self.options]
        return ids.index(name) if name in ids else None


SONG = " ".join(["whoever holds it sings a song at the end of each round"] * 4)
PRINTED = (
    Printed("card:one-eye", "Card", "One-Eye", (("Worth", "3"), ("Price, Day", "2 coins"))),
    Printed("card:one-leg", "Card", "One-Leg", (("Effect", SONG),)),
    Printed("card:sea.one-eye", "Card", "One-Eye of the sea", ()),
    Printed("tile:moor", "Hill", "Moor", (("Height", "1"),)),
)
COINS = (
    option_of("take:one", "take 1 coin", "card:one-leg", SONG),
    option_of("take:two", "take 2 coins"),
)
CARDS = (option_of("draw", "draw a card"), option_of("done", "done"))
BIDS = tuple(option_of(f"bid:{word}", f"bid {word}") for word in ("low", "middle", "high"))


@attrs.define
class FakeGame:
    players: int
    seed: int
    rounds: int
    deck: list[int]
    log: list[LogLine] = attrs.field(factory=list)
    learned: int = 0
    round: int = 1
    turn: int = 0
    bids: dict[int, int] = attrs.field(factory=dict)
    coins: list[int] = attrs.field(factory=list)
    cards: list[list[int]] = attrs.field(factory=list)
    bid_points: list[int] = attrs.field(factory=list)
    names: Sequence[str] = ()
    setting: None = None  # it is the fake game whatever the setting

    @property
    def seats(self) -> tuple[str, ...]:
        usual = (f"Player {number}" for number in range(len(self.names) + 1, self.players + 1))
        return (*self.names, *usual, "Robot rival")

    def rename(self, names: Sequence[str]) -> None:
        if len(set(names)) < len(names):
            raise ValueError(f"two seats cannot both be called {names[-1]}")
        self.names = names

    @property
    def log_length(self) -> int:
        return len(self.log)

    def log_since(self, start: int) -> Sequence[LogLine]:
        return self.log[start:]

    def story(
        self, viewer: int | None, start: int = 0, *, brief: bool = False
    ) -> tuple[rulesdsl.StoryLine, ...]:
        del brief  # each turn of this game is a line
        lines = enumerate(self.log[start:])
        seen = ((at, e, e.clause if viewer is None else e.seen(viewer)) for at, e in lines)
        return tuple(
            rulesdsl.StoryLine("line", 0, e.actor, c.text, at, at) for at, e, c in seen if c
        )

    def tried(self, option: int, player: int) -> FakeGame | None:
        trial = self.clone()
        trial.choose(option, player=player)
        return trial if trial.learned == self.learned else None

    def previewed(self, option: int, player: int) -> None:
        del option, player  # this game names no verbs that preview

    open_information = perfect_information = False

    def knows_more(self, player: int, other: int) -> bool:
        return player != other and bool(self.cards[player - 1])

    @property
    def decisions(self) -> tuple[FakeDecision, ...]:
        if self.round > self.rounds:
            return ()
        if self.turn < 2 * self.players:
            player, kind = divmod(self.turn, 2)
            what = ("take some coins", COINS) if kind == 0 else ("draw?", CARDS)
            return (FakeDecision(player + 1, *what),)
        asked = [each for each in range(1, self.players + 1) if each not in self.bids]
        return tuple(FakeDecision(each, "bid", BIDS, sealed=True) for each in asked)

    @property
    def decision(self) -> FakeDecision | None:
        return self.decisions[0] if self.decisions else None

    @property
    def printed(self) -> tuple[Printed, ...]:
        return PRINTED

    @property
    def actions(self) -> tuple[rulesdsl.Action, ...]:
        here = self.decision.options if self.decision else ()
        every = [*COINS, *CARDS, option_of("take:all", "take everything")]
        rule = Span("fake/game.rules", 9, 1, 9, 1)
        return tuple(
            rulesdsl.Action(
                at, e.id, e.label, "some question", rule, asked_in=0 if e in here else 1
            )
            for at, e in enumerate(every)
        )

    def why_not(self, action: rulesdsl.Action, viewer: int | None = None) -> rulesdsl.Reason:
        text = f"Not for {viewer}." if action.asked_in else "It is offered now."
        return rulesdsl.Reason(text, action.rule, offered=not action.asked_in)

    @property
    def options(self) -> dict[str, OptionValue]:
        return {"rounds": self.rounds}

    @property
    def named(self) -> tuple[Printed, ...]:
        return ()

    @property
    def result(self) -> Result | None:
        if self.decisions:
            return None
        drawn = tuple(sum(each) for each in self.cards)
        parts = (("Coins", tuple(self.coins)), ("Cards", drawn), ("Bids", tuple(self.bid_points)))
        scores = tuple(map(sum, zip(*(points for _, points in parts), strict=True)))
        places = tuple(1 + sum(other > each for other in scores) for each in scores)
        winners = tuple(seat for seat, place in enumerate(places, start=1) if place == 1)
        return Result(self.seats[: self.players], places, scores, parts, winners)

    def score(self, seat: int) -> Score:
        return self.scores(seat)[seat - 1]

    def scores(self, viewer: int | None) -> tuple[Score, ...]:
        found = []
        for seat in range(1, self.players + 1):
            coins = self.coins[seat - 1]
            cards = sum(self.cards[seat - 1]) if viewer == seat else None
            lines = (rulesdsl.ScoreLine("Coins", coins), rulesdsl.ScoreLine("Cards", cards))
            total = None if cards is None else coins + cards
            found.append(Score(seat, self.seats[seat - 1], lines, total, None))
        return tuple(found)

    @property
    def gains(self) -> tuple[()]:
        return ()

    def choose(self, option: int | str, player: int | None = None) -> None:
        open_ones = [each for each in self.decisions if player in (None, each.player)]
        if not open_ones:
            raise ValueError(f"player {player} has nothing to choose")
        decision = open_ones[0]
        ids = [each.id for each in decision.options]
        index = ids.index(option) if option in ids else option
        if not isinstance(index, int) or not 0 <= index < len(ids):
            raise ValueError(f"{option} is not among the options")
        if decision.sealed:
            self._bid(decision.player, index)
        else:
            self._take_turn(decision.player, decision.options[index].id)

    def _take_turn(self, player: int, taken: str) -> None:
        if taken.startswith("take"):
            self.coins[player - 1] += 1 + (taken == "take:two")
            self._tell(player, f"takes {taken[5:]}", line=5)
        elif taken == "draw":
            card = self.deck.pop()
            self.cards[player - 1].append(card)
            self.learned += 1
            self._tell(player, f"draws the {card}", line=9, public="draws a card")
        self.turn += 1

    def _bid(self, player: int, index: int) -> None:
        self.bids[player] = index
        if len(self.bids) < self.players:
            return
        self.learned += 1
        for each in range(1, self.players + 1):
            self.bid_points[each - 1] += self.bids[each]
            self._tell(each, f"has bid {BIDS[self.bids[each]].id[4:]}", line=12)
        self.bids, self.turn, self.round = {}, 0, self.round + 1
        self._tell(0, "The round is over.", line=2)

    def _tell(self, actor: int, text: str, line: int, public: str | None = None) -> None:
        place = Span("fake/game.rules", line, 1, line, 5)
        seen_by = None if public is None else frozenset({actor})
        who = self.seats[actor - 1] if actor else ""
        clause, hidden = Clause(who, text), Clause(who, public or text)
        private, learned = False, self.learned
        line_parts = clause, hidden, seen_by, (), False, (place,), private, learned
        self.log.append(LogLine(actor, "say", *line_parts))

    def clone(self) -> FakeGame:
        return copy.deepcopy(self)

    def board(self, viewer: int | None) -> tuple[rulesdsl.BoardPanel, ...]:
        def hand(seat: int) -> str:
            cards = self.cards[seat - 1]
            return (
                ", ".join(f"the {each}" for each in cards) if viewer == seat else f"{len(cards)}"
            )

        shared = panel_of("Middle", None, round=str(self.round), deck="face down")
        return (
            shared,
            *(
                panel_of("Things", seat, coins=str(self.coins[seat - 1]), cards=hand(seat))
                for seat in range(1, self.players + 1)
            ),
        )


ROUNDS = OptionInfo("rounds", "How many rounds", 2, (1, 2, 3))


@attrs.define
class FakePack:
    id: str = "fake"
    name: str = "Fake Game"
    version: str = "1.2.3"
    mods: Sequence[str] = ()
    digest: str = "aaaa"
    files: Mapping[str, str] = attrs.Factory(lambda: {"game.rules": "11", "cards.toml": "22"})
    players: tuple[int, int] = (2, 4)
    options: Sequence[OptionInfo] = (ROUNDS,)
    layers: SimpleNamespace = attrs.Factory(lambda: SimpleNamespace(packs=(), players=None))

    def rulebook(
        self,
        players: int | None = None,  # noqa: ARG002 - it is the same for all
        options: Mapping[str, OptionValue] | None = None,  # noqa: ARG002
    ) -> rulesdsl.Rulebook:
        return rulesdsl.Rulebook((RULES_PAGE,))

    def new_game(
        self,
        players: int = 2,
        seed: int = 0,
        options: Mapping[str, OptionValue] | None = None,
        *,
        names: Sequence[str] = (),
        log: bool = True,  # noqa: ARG002 - it always keeps one
    ) -> FakeGame:
        if not self.players[0] <= players <= self.players[1]:
            raise ValueError(f"{self.name} is for 2 to 4 players, not for {players}")
        deck = [100 + number for number in range(40)]
        random.Random(seed).shuffle(deck)
        rounds = (options or {}).get("rounds", 2)
        assert isinstance(rounds, int)
        game = FakeGame(players, seed, rounds, deck)
        game.coins, game.bid_points = [0] * players, [0] * players
        game.cards = [[] for _ in range(players)]
        game.names = [name or f"Player {number}" for number, name in enumerate(names, start=1)]
        return game
