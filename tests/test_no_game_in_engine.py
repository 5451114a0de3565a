"""Tests that the engine contains no noun of any game, in its Python, grammar or pages.

The nouns are the words in names and titles of pieces, places, tracks, kinds, entries, verbs and
rivals of every pack under `content/`. For the classics, whose words occur in any text about games,
they are only the names of the games and of their pieces. The test looks at every word under
`rulesdsl/` and `cli/`: names, strings, comments and documentation. `ALLOWED` lists the exceptions
by reason; it includes their plurals. The language reference is exempt, since it quotes the games.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Protocol

import pytest

from rulesdsl.check.frontend import check_pack
from rulesdsl.source.english import plural_of

ROOT = Path(__file__).parents[1]
CONTENT = ROOT / "content"
CLASSICS = CONTENT / "classics"
ENGINE = [ROOT / "rulesdsl", ROOT / "cli"]
QUOTES_GAMES = ROOT / "rulesdsl" / "README.md"
ENDINGS = {".py", ".lark", ".md", ".rules", ".toml"}

SHORTEST = 3  # of, to, or, in: words that short name nothing

ALLOWED = {
    "Small words and number words of any English sentence": """
        and anywhere bought down eight first five follow for four high left middle
        mine nine once one right second set seven side six spot ten the third three two use
        used work
    """,
    "Words of the language itself: its keywords, and the sources that it knows": """
        bottom game hook house move off piece place player score top
    """,
    "Words of any game on any table": """
        bank board box buy card choose coin deck dice die discard draw fill hand hold home keep
        line lost mark open outcome pay play purse round row shown take turn won
    """,
    "Words of programs and of text files, which happen to be nouns of a game as well": """
        blue build character clean closed column counter event face gain general heads lot odd pool
        range red resolve send slot space stock store stretch table tail tool wheel
    """,
    "The same of the classics: what checks, what chance begins with, how text is drawn": """
        bar checker dash dot edge hex initial marker quarter seed
    """,
    "Of the little games on the pages about findings": "stone",
    "The title of a paper about bots": "goofspiel",
    "What beginners write for chance, in the table of habits": "roll toss",
    "The name of the command, which is called after its first game": "coloma",
}
ALLOWED["What a player may do, in the public interface"] = "action"
SINGULARS = {word for words in ALLOWED.values() for word in words.split()}
ALLOWED_WORDS = SINGULARS | {plural_of(word) for word in SINGULARS}

_WORD = re.compile(r"[a-z]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def packs() -> list[Path]:
    return sorted(manifest.parent for manifest in CONTENT.rglob("pack.toml"))


def layers_of(pack: Path) -> tuple[Path, list[Path]]:
    manifests = {each: tomllib.loads((each / "pack.toml").read_text("utf-8")) for each in packs()}
    if manifests[pack]["kind"] == "game":
        return pack, []
    game = manifests[pack]["for_game"]
    return next(each for each, found in manifests.items() if found["id"] == game), [pack]


class Named(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def plural(self) -> str: ...
    @property
    def title(self) -> str: ...


def names_of(things: Mapping[str, Named]) -> list[str]:
    return [text for each in things.values() for text in (each.name, each.plural, each.title)]


@cache
def nouns_of(pack: Path) -> dict[str, str]:
    _, checked, report = check_pack(*layers_of(pack))
    assert checked is not None, [str(each) for each in report.diagnostics]
    world = checked.program.world
    names = names_of(world.pieces)
    if pack.parent == CLASSICS:
        names.append(tomllib.loads((pack / "pack.toml").read_text("utf-8"))["name"])
    else:
        kinds = {name: kind for name, kind in world.kinds.items() if kind.role != "option"}
        names += [*names_of(world.places), *names_of(world.tracks), *names_of(kinds)]
        entries = [each for kind in kinds.values() for each in kind.entries]
        names += [text for each in entries for text in (each.name, each.title)]
        names += [text for rival in world.rivals.values() for text in (rival.name, rival.title)]
        names += world.procs
    found: dict[str, str] = {}
    for name in names:
        for word in _WORD.findall(name.lower()):
            for form in (word, plural_of(word)):
                found.setdefault(form, name)
    return {word: name for word, name in found.items() if len(word) >= SHORTEST}


def words_of(text: str) -> set[str]:
    return set(_WORD.findall(_CAMEL.sub(" ", text).lower()))


@cache
def engine_words() -> dict[str, str]:
    found: dict[str, str] = {}
    for folder in ENGINE:
        for path in sorted(folder.rglob("*")):
            if path.suffix not in ENDINGS or path == QUOTES_GAMES:
                continue
            name = path.relative_to(ROOT).as_posix()
            for word in words_of(path.stem):
                found.setdefault(word, name)
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                for word in words_of(line):
                    found.setdefault(word, f"{name}:{number}")
    return found


def strangers(nouns: dict[str, str], engine: dict[str, str]) -> list[str]:
    both = sorted((nouns.keys() & engine.keys()) - ALLOWED_WORDS)
    return [f"{engine[word]}: `{word}` is a noun of `{nouns[word]}`" for word in both]


@pytest.mark.parametrize("pack", packs(), ids=lambda pack: pack.name)
def test_no_noun_of_a_game_stands_in_the_engine(pack: Path) -> None:
    assert strangers(nouns_of(pack), engine_words()) == []


def test_every_allowed_word_is_needed() -> None:
    nouns = set().union(*(nouns_of(pack) for pack in packs()))
    assert sorted(SINGULARS - nouns) == []
