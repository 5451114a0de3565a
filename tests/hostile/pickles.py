"""Two hundred pickles that nobody should load: by hand, and by a fixed seed."""

from __future__ import annotations

import pickle
import random
import struct
from pathlib import Path

COUNT = 200

OURS = (
    "rulesdsl.check.typed.program:Program",
    "rulesdsl.lower.flat:Flat",
    "rulesdsl.source.span:Span",
    "rulesdsl.check.symbols.symbol_table:SymbolTable",
    "builtins:frozenset",
)
CALLED = (
    ("os", "system"),
    ("posix", "system"),
    ("subprocess", "getoutput"),
    ("rulesdsl.source.cache", "os.system"),
    ("rulesdsl.source.cache", "tempfile._os.system"),
    ("rulesdsl.source.files", "os.system"),
    ("rulesdsl.packs.folder", "os.system"),
    ("rulesdsl.packs.find", "os.popen"),
)
EVALUATED = (
    ("builtins", "eval"),
    ("builtins", "exec"),
    ("rulesdsl.source.files", "os.sys.modules.__class__.__base__"),
    ("rulesdsl.source.cache", "__builtins__.eval"),
)


def _text(text: str) -> bytes:
    raw = text.encode()
    return b"X" + struct.pack("<I", len(raw)) + raw


def _class(at: str) -> bytes:
    module, _, name = at.partition(":")
    return _global(module, name)


def _global(module: str, name: str) -> bytes:
    return _text(module) + _text(name) + b"\x93"


def _called(module: str, name: str, argument: str) -> bytes:
    return _global(module, name) + _text(argument) + b"\x85R"


def touching(canary: Path) -> list[bytes]:
    shell, python = f"touch {canary}", f"open({str(canary)!r}, 'w').close()"
    found = [_called(module, name, shell) for module, name in CALLED]
    found += [_called(module, name, python) for module, name in EVALUATED[:2]]
    found += [f"c{module}\n{name}\n(V{shell}\ntR.".encode()[:-1] for module, name in CALLED[:3]]
    found += [f"(V{shell}\ni{module}\n{name}\n".encode() for module, name in CALLED[:3]]
    return [b"\x80\x04" + each + b"." for each in found]


def bombs() -> list[bytes]:
    span, program = _class(OURS[2]), _class(OURS[0])
    return [
        b"\x80\x04" + each + b"."
        for each in (
            b"N" + b"r\xff\xff\xff\x7f",  # a memo with two thousand million places
            b"N" + b"p2147483647\n",
            b"\x8e" + struct.pack("<Q", 2**62) + b"x",  # bytes that are not there
            b"\x8d" + struct.pack("<Q", 2**40) + b"x",
            b"\x96" + struct.pack("<Q", 2**40),
            b"\x95" + struct.pack("<Q", 2**60) + b"N",
            b"\x8b" + struct.pack("<I", 2**31 - 1) + b"\x01",
            b"(" * 500_000 + b"N",
            b"]" * 200_000 + b"a" * 199_999,
            b"N" + b"\x85" * 300_000,
            b"N\x94" + b"2\x86" * 60 + b"\x94(h\x00\x91",  # a set of 2**60
            b"N" + b"2\x86" * 60 + b"N}s",
            b"}\x94N" + b"2\x86" * 60 + b"Ns",
            span + b"N}" + _text("file") + span + b"s\x86b",  # attributes of a class
            program + b"N}" + _text("column") + _class(OURS[4]) + b"s\x86b",
            program + b")\x81N}" + _text("__class__") + span + b"s\x86b",
            program + b")\x81}" + _text("world") + _class(OURS[1]) + b"sb",
            b"Psome-id\n",
            b"NQ",
            b"\x82\x01",
            b"\x84\xff\xff\xff\x7f",
            b"\x97",
            b"]\x94h\x00a",
            b"}\x94" + _text("a") + b"h\x00s",
            b"I" + b"9" * 500_000 + b"\n",
            b"L" + b"9" * 500_000 + b"L\n",
            b"",
            b".",
            b"0",
            b"a",
            b"\xff",
        )
    ]


def made_by_chance(canary: Path, count: int, seed: int) -> list[bytes]:
    chance = random.Random(seed)
    pieces = [each[2:-1] for each in touching(canary)]
    pieces += [_class(each) for each in OURS]
    pieces += [_global(module, name) for module, name in EVALUATED]
    pieces += [pickle.dumps(each, 4)[2:-1] for each in (1, "x", (1, "a"), [2], {"a": (3,)}, {4})]
    pieces += [b"(", b")", b"}", b"]", b"N", b"\x85", b"\x86", b"R", b"\x81", b"b", b"s", b"u"]
    found: list[bytes] = []
    while len(found) < count:
        body = b"".join(chance.choices(pieces, k=chance.randint(2, 12)))
        if chance.random() < 1 / 4:
            at = chance.randrange(len(body))
            body = body[:at] + bytes([chance.randrange(256)]) + body[at + 1 :]
        found.append(b"\x80" + bytes([chance.choice((2, 4, 5))]) + body + b".")
    return found


def hostile_pickles(canary: Path) -> list[bytes]:
    by_hand = [*touching(canary), *bombs()]
    return [*by_hand, *made_by_chance(canary, COUNT - len(by_hand), seed=12)]
