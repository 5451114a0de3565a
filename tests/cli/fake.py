"""A little game that the commands can play, so that their tests need no engine.

Each round every player may take coins, which can be undone, and then draw a card of a hidden
deck, which cannot. At its end all bid secretly; a bid is paid out of nowhere and counts as score.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Mapping, Sequence

import attrs

from coloma.engine.pack import OptionValue
from rulesdsl import Simulator
from rulesdsl.interpreter.setting import Setting
from rulesdsl.source.span import Span

RULES = "\n".join(f"rule on line {number}" for number in range(1, 30))


@attrs.frozen
class FakeOption:
    id: str
    label: str
    about: str = ""
    text: str = ""


@attrs.frozen
class FakeDecision:
    player: int
    prompt: str
    options: tuple[FakeOption, ...]
    sealed: bool = False
    hidden: bool = False

    @property
    def count(self) -> int:
        return len(self.options)


@attrs.frozen
class FakeLine:
    actor: int
    text: str
    learned: int
    places: tuple[Span, ...] = ()
    public: str | None = None

    def seen_text(self, viewer: int) -> str:
        hidden = self.public is not None and viewer != self.actor
        return self.public or "" if hidden else self.text


@attrs.frozen
class FakePanel:
    title: str
    seat: int | None
    rows: tuple[tuple[str, str], ...]


@attrs.frozen
class FakePrinted:
    id: str
    kind: str
    title: str
    rows: tuple[tuple[str, str], ...]


@attrs.frozen
class FakeVerdict:
    word: str
    text: str


@attrs.frozen
class FakeResult:
    seats: tuple[str, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...]
    breakdown: tuple[tuple[str, tuple[int, ...]], ...]
    verdicts: tuple[FakeVerdict | None, ...] = ()


SONG = " ".join(["whoever holds it sings a song at the end of each round"] * 4)
PRINTED = (
    FakePrinted("card:one-eye", "Card", "One-Eye", (("Worth", "3"), ("Price, Day", "2 coins"))),
    FakePrinted("card:one-leg", "Card", "One-Leg", (("Effect", SONG),)),
    FakePrinted("card:sea.one-eye", "Card", "One-Eye of the sea", ()),
    FakePrinted("tile:moor", "Hill", "Moor", (("Height", "1"),)),
)
COINS = (
    FakeOption("take:one", "take 1 coin", "card:one-leg", SONG),
    FakeOption("take:two", "take 2 coins"),
)
CARDS = (FakeOption("draw", "draw a card"), FakeOption("done", "done"))
BIDS = tuple(FakeOption(f"bid:{word}", f"bid {word}") for word in ("low", "middle", "high"))


@attrs.define
class FakeGame:
    players: int
    seed: int
    rounds: int
    deck: list[int]
    log: list[FakeLine] = attrs.field(factory=list)
    learned: int = 0
    round: int = 1
    turn: int = 0
    bids: dict[int, int] = attrs.field(factory=dict)
    coins: list[int] = attrs.field(factory=list)
    cards: list[list[int]] = attrs.field(factory=list)
    bid_points: list[int] = attrs.field(factory=list)

    @property
    def seats(self) -> tuple[str, ...]:
        return (*(f"Player {number}" for number in range(1, self.players + 1)), "Robot rival")

    @property
    def log_length(self) -> int:
        return len(self.log)

    def log_since(self, start: int) -> Sequence[FakeLine]:
        return self.log[start:]

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
    def printed(self) -> tuple[FakePrinted, ...]:
        return PRINTED

    @property
    def result(self) -> FakeResult | None:
        if self.decisions:
            return None
        drawn = tuple(sum(each) for each in self.cards)
        parts = (("Coins", tuple(self.coins)), ("Cards", drawn), ("Bids", tuple(self.bid_points)))
        scores = tuple(map(sum, zip(*(points for _, points in parts), strict=True)))
        places = tuple(1 + sum(other > each for other in scores) for each in scores)
        return FakeResult(self.seats[: self.players], places, scores, parts)

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
        self.log.append(FakeLine(actor, text, self.learned, (place,), public))

    def clone(self) -> FakeGame:
        return copy.deepcopy(self)

    def board(self, viewer: int | None) -> tuple[FakePanel, ...]:
        def hand(seat: int) -> str:
            cards = self.cards[seat - 1]
            return (
                ", ".join(f"the {each}" for each in cards) if viewer == seat else f"{len(cards)}"
            )

        shared = FakePanel("Middle", None, (("round", str(self.round)), ("deck", "face down")))
        return (
            shared,
            *(
                FakePanel(
                    "Things", seat, (("coins", str(self.coins[seat - 1])), ("cards", hand(seat)))
                )
                for seat in range(1, self.players + 1)
            ),
        )


@attrs.frozen
class FakeOptionInfo:
    name: str = "rounds"

    def parse(self, text: str) -> OptionValue:
        if text not in ("1", "2", "3"):
            raise ValueError(f"option rounds cannot be {text}: it is one of 1, 2, 3")
        return int(text)


@attrs.define
class FakePack:
    id: str = "fake"
    name: str = "Fake Game"
    version: str = "1.2.3"
    mods: Sequence[str] = ()
    digest: str = "aaaa"
    files: Mapping[str, str] = attrs.Factory(lambda: {"game.rules": "11", "cards.toml": "22"})
    players: tuple[int, int] = (2, 4)
    options: Sequence[FakeOptionInfo] = (FakeOptionInfo(),)

    def setting(self, *_: object, log: bool) -> Setting:
        raise AssertionError(f"nobody compiles the fake game, {log}")

    def simulator(
        self,
        players: int = 2,  # noqa: ARG002 - as that of a real one
        options: Mapping[str, OptionValue] | None = None,  # noqa: ARG002
    ) -> Simulator:
        raise AssertionError("nobody simulates the fake game")

    def new_game(
        self,
        players: int = 2,
        seed: int = 0,
        options: Mapping[str, OptionValue] | None = None,
        *,
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
        return game
