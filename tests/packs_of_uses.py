"""Every kind of things crossed with everything that a rule can do with things."""

from __future__ import annotations

import textwrap
from pathlib import Path

import rulesdsl
from packs_on_the_fly import MANIFEST

TABLES = {
    "cards.toml": """\
source = "house"
[ant]
worth = 1
use = "raise my fame by 1"
[bee]
worth = 2
use = "raise my fame by 2"
home = "one"
[cow]
worth = 3
copies = 2
ways = ["one", "three"]
""",
    "tokens.toml": 'source = "house"\n[sun]\npower = 1\n[moon]\npower = 2\n',
    "stalls.toml": 'source = "house"\n[one]\nsize = 1\n[two]\nsize = 2\n[three]\nsize = 2\n',
    "routes.toml": 'source = "house"\n[south]\nstops = ["two", "one"]\n',
}

BOX = """\
source "house"
piece coin 10 in heap
piece dude 3 per seat in purse
piece pawn 1 per seat in corner
piece badge 1 in heap
piece card from "cards.toml" in deck:
    worth: number
    use: effect
    ways: stalls
    home: stall
piece token from "tokens.toml" per player in bag:
    power: number
place heap holds coin, badge
place purse per seat holds coin, dude
place corner per seat holds pawn, badge
place field holds dude
place bag per player holds token
place hand per player seen by owner holds card
stack deck seen by nobody holds card
stack drawer per player seen by owner holds card
place pile holds card, token
kind colour: red, green, blue
place stall "Stall" from "stalls.toml" holds pawn, coin, dude, card:
    size: number
kind route from "routes.toml":
    stops: stalls
track fame per seat from 0..20
track note from 0..1000
track heat per stall from 0..5
track grade per token from 0..9
flag busy per player
flag spent per card
rival ghost "Ghost" when players = 3
verb pay n coins: move n coins from my purse into heap
verb gain n coins: move up to n coins from heap into my purse
score fame-score "Fame": my fame + power per my tokens in pile + grade per my tokens in pile
win with most score
panel "Table": heap, field, pile, deck, stalls, note
panel "Seat" per seat: purse, corner, hand, drawer, fame, grade

step game:
    shuffle deck
    for each player:
        move up to 2 cards from deck into my hand
        move up to 1 card from deck into my drawer
        move up to 1 token from my bag into pile
        gain 2 coins
        move my pawn into two
        move up to 1 dude from my purse into field
    move up to 1 coin from heap into one
    repeat 2 times:
        flow
        for each player: act
    for each card c in hands:
        if any home of c or any use of c or c = cow: mark spent of c
    for each token t in pile: raise grade of t by 1
    for each player where not busy and any badge in heap: mark busy of me
    if any cards in hands where spent: raise note by 1
    if any stalls where heat > 0: raise note by 1
"""

# a word for one of them, where they are (nothing: all there are), and all of them
THINGS: dict[str, tuple[str, str, str]] = {
    "entries": ("colour", "", "colours"),
    "places of a table": ("stall", "", "stalls"),
    "players": ("player", "", "players"),
    "seats": ("seat", "", "seats"),
    "a list": ("stall", "stops of south", "stops of south"),
    "numbers": ("number", "1..3", "(1..3)"),
    "printed pieces everywhere": ("card", "", "cards"),
    "printed pieces in a heap": ("card", "my hand", "cards in my hand"),
    "printed pieces in a stack": ("card", "my drawer", "cards in my drawer"),
    "printed pieces in several stacks": ("card", "drawers", "cards in drawers"),
    "printed pieces in listed places": ("card", "(stops of south)", "cards in (stops of south)"),
    "one sort of printed pieces": ("cow", "my hand", "cow in my hand"),
    "printed pieces of an owner": ("token", "pile", "my tokens in pile"),
    "the ends of a stack": ("card", "(top 2 of deck)", "top 2 of deck"),
    "pieces alike": ("coin", "my purse", "coins in my purse"),
    "pieces alike in several places": ("coin", "stalls", "coins in stalls"),
    "pieces alike of owners": ("dude", "field", "dudes in field"),
    "pieces alike of one owner": ("dude", "field", "(all dudes in field where owner of it = me)"),
    "a single piece": ("badge", "heap", "badge in heap"),
    "single pieces of owners": ("pawn", "stalls", "pawns in stalls"),
    "some of a table": ("stall", "(all stalls where size > 1)", "(all stalls where size > 1)"),
    "some players": (
        "player",
        "(all players where fame of it >= 0)",
        "(all players where fame of it >= 0)",
    ),
    "some of some": (
        "card",
        "(all (all cards in my hand where worth > 1) where worth < 3)",
        "(all (all cards in my hand where worth > 1) where worth < 3)",
    ),
    "some single pieces": (
        "pawn",
        "(all pawns in stalls where owner of it = me)",
        "(all pawns in stalls where owner of it = me)",
    ),
}

# {a}: one of them as it is chosen; {all}: all of them; {in}: where they are; {word}: one of them
USES = {
    "any": "if any {all}: raise note by 1",
    "not no": "if not no {all}: raise note by 1",
    "any where": "if any {all} where my fame >= 0: raise note by 1",
    "any of an owner": "if any {all} where owner of it = me: raise note by 1",
    "a yes that is kept": "let y = any {all}\nif y = (no {all}): raise note by 1",
    "kept": "let x = {all}\nraise note by 1",
    "kept from a value": "let x = my kept-one\nraise note by 1",
    "needed": "needs any {all}\nraise note by 1",
    "counted": "raise note by {all}",
    "compared": "if ({all}) > 1: raise note by 1",
    "counted where": "raise note by (all {all} where my fame >= 0)",
    "a number each": "raise note by 2 per ({all})",
    "a number of each": "raise note by (position of it) per {all}",
    "capped": "raise note by 6 / ({all} at least 1)",
    "repeated": "repeat ({all}) times: raise note by 1",
    "a range": "for each number n in 1..({all}): raise note by n",
    "asked in a condition": "raise note by (all stalls where any {all})",
    "chosen": "if any {all}:\n    let x = {a}\n    raise note by 1\notherwise: raise note by 3",
    "chosen where": (
        "if able:\n    let x = {a} where my fame >= 0\n    raise note by position of x\n"
        "otherwise: raise note by 5"
    ),
    "chosen in a way": (
        'choose one:\n    "A":\n        let x = {a}\n        raise note by 1\n    "B": nothing'
    ),
    "chosen perhaps": "may:\n    let x = {a}\n    raise note by 1",
    "chosen again": "may up to 2 times:\n    let x = {a}\n    raise note by 1",
    "paid for": "may any number of times:\n    let x = {a}\n    pay 1 coin",
    "drawn": "let x = random {one}\nif any x: raise note by 1",
    "drawn from all": "let x = random {one}\nraise note by position of x",
    "ranked": "let x = the {one} with most position of it\nif any x: raise note by 1",
    "ranked twice": (
        "let x = the {one} where my fame >= 0 with least my fame then most position of it\n"
        "if any x: raise note by position of x"
    ),
    "the only one": "let x = the only {one} where my fame >= 0\nif any x: raise note by 1",
    "the first": "let x = the first {one} after two\nif any x: raise note by 1",
    "looped over": "for each {one}: raise note by 1",
    "looped over where": "for each {word} x{in} where my fame >= 0: raise note by position of x",
    "looped over and asked": "for each {word} x{in}:\n    may raise note by 1",
    "a circle": "for each {one} starting with me: raise note by 1",
    "a circle where": "for each {one} starting with me where note < 9:\n    may raise note by 1",
    "acting": "for each {word} x{in}:\n    for x: raise note by 1",
    "in a menu": "menu:\n    once for each {word} x{in}: raise note by 1\n    once: pay 1 coin",
    "in a menu where": (
        "menu:\n    any time for each {word} x{in} where my fame >= 0:\n        needs note < 20\n"
        "        raise note by 6"
    ),
    "looked at": "look at {all}",
    "moved into a heap": "move all {all} into pile",
    "moved into a stack": "move all {all} into top of my drawer",
    "moved into one": "if able: move all {all} where my fame >= 0 into two",
    "moved by number": "move up to 1 {word} from {place} into two",
    "one of them moved": "if able: move {a} into two",
    "a place among them": "let x = two\nif any x in {place}: raise note by 1",
    "a seat among them": "if any me in {place}: raise note by 1",
    "a card among them": "for each card x in my hand:\n    if any x in {place}: raise note by 1",
    "a pawn among them": "if any my pawn in {place}: raise note by 1",
    "position of a place": "let x = two\nraise note by position of x in {place}",
    "position of a card": "for each card x in hands: raise note by position of x in {place}",
    "marked": "for each {word} x{in}: mark spent of x",
    "raised": "for each {word} x{in}: raise heat of x by 1",
    "on top": "let x = top of {place}\nif any x: raise note by 1",
    "shuffled": "shuffle {place}",
    "coins there": "raise note by coins in {place}",
}
SECRET = "chosen in secret"
VALUES = {
    "a value of any kind": "value kept-one of seat: {all}",
    "a value": 'value told of seat: {all}\nscore told-score "Told": my told',
    "a yes": 'value asked of seat: any {all}\nverdict won "Won" when my asked',
    "shown": (
        "value seen of seat: {all}\nvalue some of seat: any {all}\n"
        'panel "Seen" per seat: seen, some'
    ),
}
EVERY_USE = (*USES, SECRET, *VALUES)


def pack_of(folder: Path, things: str, uses: tuple[str, ...]) -> dict[int, str]:
    """Write a pack that does these things; return which line of its rules belongs to which."""
    word, inside, every = THINGS[things]
    where = f" in {inside}" if inside else ""
    names = {"word": word, "in": where, "all": every, "place": inside or every}
    names |= {"one": word + where, "a": f"a {word}{where}"}
    lines, owner = BOX.splitlines(), {}
    verbs: list[str] = []
    secret = "step flow: nothing"
    for use in uses:
        if use in VALUES:
            text = VALUES[use].format(**names)
        elif use == SECRET:
            secret = text = f"step flow:\n    all choose secretly {names['a']}: raise note by 1"
        else:
            verbs.append(f"use-{EVERY_USE.index(use)}")
            text = f"verb {verbs[-1]}:\n" + textwrap.indent(USES[use].format(**names), "    ")
        for line in text.splitlines():
            lines.append(line)
            owner[len(lines)] = use
    lines += [secret] if SECRET not in uses else []
    lines += ["verb act:", *(f"    if able: {each}" for each in verbs), "    raise note by 1"]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pack.toml").write_text(MANIFEST)
    for name, text in TABLES.items():
        (folder / name).write_text(text)
    (folder / "box.rules").write_text("\n".join(lines) + "\n")
    return owner


def refused(folder: Path, things: str, uses: tuple[str, ...]) -> dict[str, str]:
    """Return the first code that is reported for each use."""
    owner = pack_of(folder, things, uses)
    errors = [each for each in rulesdsl.lint(folder).diagnostics if each.severity.value == "error"]
    found: dict[str, str] = {}
    for each in errors:
        # an error elsewhere comes from the step that the secret choice stands in
        found.setdefault(owner.get(each.span.line, SECRET), each.code)
    return found


def told(folder: Path, things: str) -> dict[str, str]:
    """Return the code of every use of some things that is refused."""
    every = dict[str, str]()
    while found := refused(folder, things, tuple(u for u in EVERY_USE if u not in every)):
        assert not set(found) <= set(every), found
        every |= found
    return every
