"""How the time of a lint grows with the size of a pack: families of packs of so many lines."""

from __future__ import annotations

import math
import multiprocessing
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import attrs

from rulesdsl.check.read import check_pack

SIZES = (1_000, 2_000, 4_000, 8_000)
MAX_EXPONENT = 1.3  # n log n, and what a busy machine adds to it
LEAST = 0.1  # seconds; what takes less says nothing about growth
CHAIN = 10  # verbs or values that call one another

Texts = Mapping[str, str]  # the files of a pack and its mods, by path

MANIFEST = """\
id = "grown"
name = "Grown"
version = "1.0.0"
kind = "game"
players = { least = 1, most = 4 }
"""
MOD = 'id = "m{0}"\nname = "M{0}"\nversion = "1.0.0"\nkind = "mod"\nfor_game = "grown"\n'
BOX = """\
source "house"
piece coin 100 in heap
place heap holds coin
place purse per seat holds coin
track fame per seat from 0..20
track note from 0..1000
kind colour: red, green, blue
verb gain n coins: move up to n coins from heap into my purse
verb pay n coins: move n coins from my purse into heap
"""
END = 'score fame-score "Fame": my fame\nwin with most score\n'


def _pack(rules: str, act: str = "act", **more: str) -> Texts:
    game = f"step game:\n    for each player: {act}\n"
    texts = {name.replace("_", "."): text for name, text in more.items()}
    return {
        "pack.toml": MANIFEST,
        "game.rules": BOX + game + rules + END,
        **texts,
    }


def needs(lines: int) -> Texts:
    """One verb that needs many things."""
    asked = "".join(
        f"    needs note > {at % 900} or my fame > {at // 900}\n" for at in range(lines)
    )
    return _pack(f"verb act:\n    if able: much\nverb much:\n{asked}    raise note by 1\n")


def verbs(lines: int) -> Texts:
    """Many verbs, each called once."""
    count = lines // 4
    rules = "".join(
        f"verb v{at} n coins:\n    if my fame > {at % 20}: pay n coins\n    raise note by n\n"
        for at in range(count)
    )
    calls = "".join(f"    may v{at} 1 coin\n" for at in range(count))
    return _pack(f"{rules}verb act:\n{calls}")


def _chained(count: int, last: str, others: str, start: str) -> Texts:
    """Chains of declarations, each of which asks for the next one; an act that starts them."""
    rules = "".join(
        (last if at % CHAIN == CHAIN - 1 else others).format(at=at, next=at + 1, bound=at % 900)
        for at in range(count)
    )
    starts = "".join(f"    {start}v{at}\n" for at in range(0, count, CHAIN))
    return _pack(f"{rules}verb act:\n{starts}")


def chained_verbs(lines: int) -> Texts:
    """Verbs in chains, each of which calls the next one."""
    others = "verb v{at}:\n    if note > {bound}: v{next}\n"
    return _chained(lines // (2 * CHAIN) * CHAIN, "verb v{at}: raise note by 1\n", others, "")


def values(lines: int) -> Texts:
    """Values in chains, each of which asks for the next one twice."""
    others = "value v{at}:\n    v{next} + 1 if note > {bound}\n    otherwise v{next}\n"
    return _chained(lines // (3 * CHAIN) * CHAIN, "value v{at}: note\n", others, "raise note by ")


def hooks(lines: int) -> Texts:
    """Hooks of many verbs and values, a few on each."""
    rules = ""
    for at in range(lines // 10):
        rules += (
            f"verb v{at}: raise note by w{at}\nvalue w{at}: my fame\n"
            f"before v{at}: raise my fame by 1\nafter v{at} when note > 3: lower my fame by 1\n"
            f"instead of v{at} when note > {at % 900}:\n    raise note by 2\n"
            f"instead of value w{at} when note > 2: w{at} + 1\n"
            f"after v{at}:\n    if note > 5: gain 1 coin\n    raise note by 1\n"
        )
    calls = "".join(f"    v{at}\n" for at in range(lines // 10))
    return _pack(f"{rules}verb act:\n{calls}")


def hooks_on_one(lines: int) -> Texts:
    """Hooks that are all on one verb."""
    rules = "".join(
        f"{'before' if at % 2 else 'after'} much when note > {at % 900}: raise note by 1\n"
        for at in range(lines)
    )
    return _pack(f"{rules}verb act: much\nverb much: raise note by 1\n")


def conditions(lines: int) -> Texts:
    """One verb of many cases, with conditions in one another below each of them."""
    body = ""
    for at in range(lines // 6):
        word = "otherwise if" if at else "if"
        body += (
            f"    {word} note = {at % 900} and my fame > {at % 20}:\n"
            "        if any coins in my purse:\n            if note > 3:\n"
            "                if my fame > 2:\n                    pay 1 coin\n"
            "            otherwise: gain 1 coin\n"
        )
    return _pack(f"verb act:\n{body}")


def steps(lines: int) -> Texts:
    """One verb of many steps that each ask for something and change something."""
    body = "".join(
        f"    if my fame > {at % 20}: move up to 1 coin from my purse into heap\n"
        for at in range(lines)
    )
    return _pack(f"verb act:\n{body}")


def menus(lines: int) -> Texts:
    """One menu of many lines."""
    body = "".join(
        f'        once "L{at}": pay {at % 5} coins to raise note by 1\n' for at in range(lines)
    )
    return _pack(f"verb act:\n    menu:\n{body}")


def entries(lines: int) -> Texts:
    """Make many entries of one table, with effects, fields and prices."""
    count = lines // 6
    rules = (
        'kind card from "cards.toml":\n    worth: number\n    cost: bundle\n    colour: colour\n'
        "    use: effect\n"
        "verb act:\n    menu:\n        once for each card c in cards: play c\n"
        "verb play card c:\n    pay cost of c\n    do use of c\n    raise note by worth of c\n"
        "verb pay bundle b: pay (coins of b) coins\n"
    )
    table = "".join(
        f'[c{at}]\nname = "Card {at}"\nworth = {at % 7}\ncost = {{ coins = {at % 3} }}\n'
        f'colour = "{("red", "green", "blue")[at % 3]}"\nuse = "raise my fame by {at % 5}"\n'
        for at in range(count)
    )
    return _pack(rules, cards_toml=f'source = "house"\n{table}')


def mods(lines: int) -> Texts:
    """Many mods of 20 lines each that hook the same verbs."""
    texts = dict(_pack("verb act: much\nverb much: raise note by 1\nvalue w: note\n"))
    for at in range(lines // 20):
        rules = f"verb v{at}: raise note by 1\nafter much when note > {at % 900}: v{at}\n"
        for each in range(1, 10):
            rules += f"verb x{at}-{each}: raise note by {each}\nafter v{at}: x{at}-{each}\n"
        texts[f"mods/m{at}/pack.toml"] = MOD.format(at)
        texts[f"mods/m{at}/more.rules"] = f'source "house"\n{rules}'
    return texts


FAMILIES: tuple[Callable[[int], Texts], ...] = (
    needs,
    verbs,
    chained_verbs,
    values,
    hooks,
    hooks_on_one,
    conditions,
    steps,
    menus,
    entries,
    mods,
)


@attrs.frozen
class Growth:
    """The CPU seconds of a family at each size, and how they grow."""

    name: str
    seconds: tuple[float, ...]
    errors: tuple[str, ...]

    @property
    def exponent(self) -> float:
        """Return the largest exponent from one size to twice of it."""
        pairs = zip(self.seconds, self.seconds[1:], strict=False)
        return max((math.log2(b / a) for a, b in pairs if a > LEAST), default=0.0)


def write(folder: Path, texts: Texts) -> list[Path]:
    """Write a pack and return the folders of its mods."""
    for name, text in texts.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return sorted(each.parent for each in folder.glob("mods/*/pack.toml"))


def measure(make: Callable[[int], Texts], lines: int) -> tuple[float, list[str]]:
    """Return the CPU seconds of a lint, and the codes of the errors that it found."""
    with tempfile.TemporaryDirectory() as folder:
        layered = write(Path(folder), make(lines))
        begin = time.process_time()
        report = check_pack(folder, layered)[2]
        seconds = time.process_time() - begin
    return seconds, [each.code for each in report.diagnostics if each.code[0] == "E"]


def run(sizes: tuple[int, ...] = SIZES) -> int:
    """Measure all families, print seconds and exponents; 1 where one grows too fast."""
    context = multiprocessing.get_context("spawn")  # each in a process that nothing has warmed
    grown: list[Growth] = []
    head = "".join(f"{each:>9,}" for each in sizes)
    print(f"{'seconds of CPU at lines':24}{head}  exponent", flush=True)
    for make in FAMILIES:
        with context.Pool(1) as pool:
            found = [pool.apply(measure, (make, lines)) for lines in (10, *sizes)][1:]
        errors = sorted({code for _, codes in found for code in codes})
        grown.append(Growth(make.__name__, tuple(each for each, _ in found), tuple(errors)))
        figures = "".join(f"{each:9.2f}" for each in grown[-1].seconds)
        print(
            f"{make.__name__:24}{figures}{grown[-1].exponent:10.2f} {' '.join(errors)}", flush=True
        )
    worst = max(grown, key=lambda each: each.exponent)
    slowest = max(grown, key=lambda each: each.seconds[-1])
    print(f"largest exponent {worst.exponent:.2f} ({worst.name})", end=", ")
    print(f"slowest {slowest.seconds[-1]:.1f} s ({slowest.name})")
    return int(worst.exponent > MAX_EXPONENT or any(each.errors for each in grown))
