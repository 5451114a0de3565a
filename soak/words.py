"""`python -m soak words`: test that players read words, not rule source.

Random games are played; every text that a player can read in them is collected, and judged by the
declarations of the game: a text shows no name that has a title, no mod's prefix, no path, no rule
source, no hole or empty part, no doubled word or punctuation, no wrong plural or article. Every
question says what it is about.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

import attrs

import rulesdsl
from rulesdsl.source.english import spoken
from soak.games import settings

GENERIC = frozenset({"what do you do?", "choose one.", "do this?", "go on?", "what next?", "?"})
_ENDLESS = 3000
_ASKED_WHY = 8  # options of a question that a player asks about
_WRONG = {
    "path": re.compile(r"[\w-]+\.(?:rules|toml)\b|[\w.-]+/\w[\w.-]*/"),
    "code": re.compile(
        r"->|→|\{|\}|~|%\d|\b(?:let \w+ =|if able:|for each [\w ]+:)|(?<=\w) [*/] \w"
        r"|^(?:once|any time): |\w_\w|\b(?:None(?! of)|True|False)\b|\b[a-z][\w-]*:\w"
    ),
    "source": re.compile(
        r"<>|<=|>=| = |\bof it\b|\b[Mm]y (?=\w+)|\bwhere (?:it|not)\b|\bor else\b"
        r"|\(\w[^()]* [-+*/] "
    ),
    "empty part": re.compile(r": *:|: *$|^ *:|\(\)|“”"),
    "hole": re.compile(
        r"  |^[ ,.;)]| $|,$|\( | \)|'s 's|\b(?:of|and|or|the|an|your)(?: ?[,.;:?!)]|$)"
        r"|\b(?:of|the|an?|your) of\b"
    ),
    "doubled word": re.compile(
        r"\b((?i:[^\W\d_]+)) (?i:\1)\b"
        r"|\b(?:[Tt]he|[Aa]n?|[Yy]our|[Tt]heir) (?:the|an?|your|their)\b"
    ),
    "article": re.compile(
        r"(?:\ba|^A) (?=(?!eu|one\b|once\b|(?:of|in|on|at|and)\b)[aeio]|(?!Eu|One\b|A\b)[AEIO])"
        r"|\b[Aa]n (?=[b-df-gj-np-tv-z]|[BCDGJKPQTVWYZ])"
    ),
    "punctuation": re.compile(r"[!?.,;][.,;](?!\.)|[.,;:] [.,;:](?= |$)| [.,;!?](?= |$)"),
    "there are now": re.compile(r"^[Tt]here (?:is|are) now "),
}
_AMOUNT = re.compile(r"(?:\b([A-Z]\w+) )?(?<![\w.-])(-?\d+) ([\w'-]+(?: [\w'-]+)?)")
_PLURAL = re.compile(r"[a-z]+[^\Wsui]s\b")
_PLACED = ("in", "into", "from", "to", "your", "the")
_SENTENCES = frozenset({"question", "story", "log", "why not"})


@attrs.define
class Words:
    """The declared words of a setting, by which a text is judged."""

    names: dict[str, str]
    """Titles by name, for names with a hyphen or a mod's prefix; "" for a name without a title."""
    spoken: dict[str, str]
    """Titles by the words of a name that has several, unless the title contains these words."""
    amounts: dict[str, tuple[bool | None, str]]
    """For each name and title of a noun: whether it is a plural, and the title if it differs.

    None stands for the plural of a name that has none.
    """
    prefix: re.Pattern[str]
    titles: frozenset[str]
    plurals: re.Pattern[str]
    """Plurals after `a`."""
    numbered: re.Pattern[str]
    """Titles with a number that is no amount, such as `2 River and Bridge`."""

    @classmethod
    def of(cls, world: Any, packs: Sequence[str]) -> Words:  # noqa: ANN401 - the symbol table
        """Collect the names, titles and plurals that a game declares."""
        kinds = world.kinds.values()
        declared: list[Any] = [*kinds, *(entry for kind in kinds for entry in kind.entries)]
        for role in (world.pieces, world.places, world.tracks, world.options, world.rivals):
            declared += role.values()
        titles = {name: thing.title for thing in declared for name in _names(thing)}
        plain = [*world.procs, *world.values, *world.flags, *world.constants]
        plain += [field for kind in kinds for field in kind.fields]
        names = dict.fromkeys(plain, "") | titles
        by_words = {spoken(thing.name): thing.title for thing in declared if "-" in thing.name}
        by_words |= {
            f"{word} {name}": place.title
            for name, place in world.places.items()
            if name not in place.title.casefold()
            for word in _PLACED
        }
        amounts: dict[str, tuple[bool | None, str]] = {}
        for noun in (*world.pieces.values(), *world.tracks.values()):
            singular, plural = map(spoken, _names(noun))
            title = "" if noun.title.casefold() == singular else noun.title
            if singular == plural:
                amounts[f"{singular}s"] = None, title
            elif not singular.endswith("s"):  # which may be a plural itself
                amounts |= {singular: (False, title), plural: (True, title)}
        plurals: list[str] = []
        for singular, plural in world.nouns_in_words.values():
            if singular != plural:
                amounts |= {singular: (False, ""), plural: (True, "")}
                plurals.append(re.escape(plural))
        return cls(
            {name: title for name, title in names.items() if re.search(r"[-.]", name)},
            {
                words: title
                for words, title in by_words.items()
                if not re.search(rf"\d|{re.escape(words)}", title, re.IGNORECASE)
            },
            amounts,
            re.compile(rf"\b(?:{'|'.join(map(re.escape, packs))})\.[a-z]"),
            frozenset(titles.values()),
            re.compile(rf"\b[Aa]n? (?:{'|'.join(plurals) or '!'})(?![\w-])"),
            re.compile(
                "|".join(
                    re.escape(title) for title in titles.values() if re.search(r"\d \w", title)
                )
            ),
        )

    def wrong(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield kinds of faults in a text, each with the part that is wrong."""
        for kind, pattern in [*_WRONG.items(), ("prefix", self.prefix)]:
            if (match := pattern.search(text)) and match[0] not in self.titles:
                yield kind, match[0]
        for word in re.findall(r"[a-z][a-z0-9]*(?:[-.][a-z0-9]+)+", text):
            if word in self.names and word != self.names[word].casefold():
                yield "id", word
        for words, title in self.spoken.items():
            if _has(text, words) and title not in text:
                yield "name that has a title", f"{words} ({title})"
        if match := self.plurals.search(text):
            yield "plural", match[0]
        for before, count, nouns in _AMOUNT.findall(self.numbered.sub("", text)):
            if before != "Player":
                yield from self._amount(int(count), nouns, is_name=bool(before))

    def _amount(self, count: int, things: str, *, is_name: bool) -> Iterator[tuple[str, str]]:
        if count < 0 or (count == 1 and not is_name and _PLURAL.match(things)):
            yield "plural", f"{count} {things}"
        for words in (things, things.partition(" ")[0]):
            noun = words if words in self.amounts else words.casefold()
            is_plural, title = self.amounts.get(noun, (count != 1, ""))
            if title and title.casefold()[:4] != words.casefold()[:4]:
                yield "name that has a title", f"{count} {words} ({title})"
            elif is_plural != (count != 1) or words.casefold().endswith(("tses", "pses", "eses")):
                yield "plural", f"{count} {words}"
            if noun in self.amounts:
                return


def _names(thing: Any) -> tuple[str, ...]:  # noqa: ANN401 - a declaration
    plural = getattr(thing, "plural", None)
    return (thing.name,) if plural is None else (thing.name, plural)


def _has(text: str, words: str) -> bool:
    return bool(re.search(rf"(?<![\w-]){re.escape(words)}(?:e?s)?(?![\w-])", text))


@attrs.define
class Reading:
    """The distinct texts of some games, and those that are wrong, by kind of fault."""

    games: int = 0
    texts: dict[str, str] = attrs.Factory(dict)
    """Each text, with where it was read first."""
    wrong: dict[str, dict[str, str]] = attrs.Factory(dict)
    """The wrong texts of each kind of fault, with the part that is wrong."""

    def read(self, where: str, text: str, words: Words) -> None:
        """Judge a text, unless it has been read before or has no words."""
        if text in self.texts or not any(map(str.isalpha, text)):
            return
        self.texts[text] = where
        for kind, part in words.wrong(text):
            self.wrong.setdefault(kind, {}).setdefault(text, part)
        if where == "question" and text.lower() in GENERIC:
            self.wrong.setdefault("generic question", {})[text] = text
        if where in _SENTENCES and text[:1].islower():
            self.wrong.setdefault("lower case", {})[text] = text[:1]
        if where in {"question", "why not"} and not text.endswith((".", "?", "!", ":", ".”")):
            self.wrong.setdefault("open end", {})[text] = text[-1:]

    def summary(self, most: int) -> str:
        """Return the counts by kind of fault, with the first texts of each."""
        wrong = {text for texts in self.wrong.values() for text in texts}
        lines = []
        for kind, texts in sorted(self.wrong.items(), key=lambda item: -len(item[1])):
            lines.append(f"{kind}: {len(texts)}")
            first = [*texts.items()][:most]
            lines += [f"  {self.texts[text]}: {text}  [{part}]" for text, part in first]
        where = Counter(self.texts.values())
        read = ", ".join(f"{count} {name}" for name, count in where.most_common())
        return "\n".join(
            [*lines, f"{self.games} games, {len(self.texts)} texts ({read}), {len(wrong)} wrong"]
        )


def run(
    pack: str, mods: Sequence[str], count: int, seed: int, kinds: int, out: Path | None
) -> int:
    """Read random games and print the results; return the exit status.

    All distinct texts are written to the file `out`, each with where it was read.
    """
    reading = read_games(rulesdsl.load(Path(pack), mods), count, seed)
    if out is not None:
        out.write_text("".join(f"{where}: {text}\n" for text, where in reading.texts.items()))
    print(reading.summary(kinds))
    return 1 if reading.wrong else 0


def read_games(pack: rulesdsl.Pack, games: int, seed: int) -> Reading:
    """Judge all texts of random games."""
    reading = Reading()
    for number, setting in enumerate(settings(pack, games, seed)):
        game = pack.new_game(setting.players, seed=seed + number, options=setting.options)
        words = Words.of(game.setting.labels.world, [pack.id, *pack.mods])
        chance = random.Random(seed + number)
        for where, text in (*_of_box(game), *_of_play(game, chance), *_of_end(game)):
            reading.read(where, text, words)
        reading.games += 1
    return reading


_Texts = Iterator[tuple[str, str]]
"""Texts, each with where a player reads it."""


def _of_box(game: rulesdsl.Game) -> _Texts:
    for entry in (*game.printed, *game.named):
        if not entry.id.startswith("option:"):  # which show how to set them
            yield "card", entry.title
            yield from (("card", text) for row in entry.rows for text in row)


def _of_play(game: rulesdsl.Game, chance: random.Random) -> _Texts:
    for turn in range(_ENDLESS):
        decision = game.decision
        if decision is None:
            return
        yield "question", decision.prompt
        yield from (("option", option.label) for option in decision.options)
        if turn % 4 == 0:
            actions = [action for action in game.actions if action.asked_in == decision.number]
            for action in chance.sample(actions, min(_ASKED_WHY, len(actions))):
                yield "action", action.label
                yield "why not", game.why_not(action, decision.player).text
            yield from (("board", text) for text in on_board(game.board(decision.player)))
        game.choose(chance.randrange(decision.count), decision.player)


def _of_end(game: rulesdsl.Game) -> _Texts:
    for viewer in (None, 0, 1):
        yield from (("story", line.text) for line in game.story(viewer))
    for line in game.log:
        yield from (("log", text) for text in (line.text, line.hidden_text) if text)
    yield from (("ranking", rank.text) for rank in (game.result.ranking if game.result else ()))


def on_board(part: Any) -> Iterator[str]:  # noqa: ANN401 - a panel, or a part of it
    """Yield the texts of panels."""
    if isinstance(part, tuple | list):
        for each in part:
            yield from on_board(each)
    elif isinstance(part, str) and not isinstance(part, Enum):
        yield part
    elif attrs.has(type(part)):
        yield from on_board([getattr(part, each.name) for each in attrs.fields(type(part))])
