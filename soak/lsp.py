"""`python -m soak lsp`: test the language server with random edits and requests.

A client edits copies of the shipped packs at random, and sends all kinds of requests about random
positions. Then two clients, each with its own server, do the same in one folder, and save files
that the other one has open; after both have closed all files, their findings must agree. At the
end, a client is killed, and its server must exit.
"""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from soak.lsp_client import COMMAND, PATHS, PATIENCE, Client, Tally, memory

EDITS_A_QUESTION = 2
EDITS_OF_TWO = 10  # with two clients, each makes a tenth of the edits
EDITS_A_SAVE = 5
EDITS_A_LOOK = 50  # edits between measurements of memory
GROWTH = 1.25  # house: limit of the growth of memory once caches are full
_PAUSE = 0.2  # a little longer than the server waits before it checks


def run(pack: str, count: int, seed: int) -> int:
    """Run the edits and print a table; return the exit status."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as place:
        content = Path(place).resolve() / "content"
        shutil.copytree(pack, content)
        began = time.monotonic()
        asyncio.run(_all(content, count, random.Random(seed), tally))
        asked = sum(map(len, tally.cpu.values()))
        took = time.monotonic() - began
    print(
        f"{tally.edits} edits, {asked} questions, findings told {tally.told} times, {took:.0f} s"
    )
    print(f"{'milliseconds':<41}CPU median    95%   99%  longest   clock median    95%  longest")
    for name, times in sorted(tally.cpu.items()):
        cpu, clock = _shares(times), _shares(tally.clock[name])
        print(f"  {name:<34}{len(times):>5}", end="")
        print(f"{cpu[0]:>12}{cpu[1]:>7}{cpu[2]:>6}{cpu[3]:>9}", end="")
        print(f"{clock[0]:>15}{clock[1]:>7}{clock[3]:>9}")
    sizes = tally.memory or [0]
    parts = [sizes[(len(sizes) - 1) * part // 4] for part in range(5)]
    half, last = parts[2], parts[4]
    said = ", ".join(str(each // 1024) for each in parts)
    print(f"memory after each quarter of the edits, MiB: {said}; at most {max(sizes) // 1024}")
    if last > GROWTH * half:
        tally.failures.append(f"memory grew from {half} KiB after half of the edits to {last} KiB")
    for each in tally.failures[:20]:
        print(f"FAILED {each}")
    print(f"{len(tally.failures)} failed")
    return 1 if tally.failures else 0


def _shares(times: list[float]) -> tuple[int, int, int, int]:
    """Return the median, the 95th and 99th percentiles and the maximum, in milliseconds."""
    ordered = [round(each * 1000) for each in sorted(times)]
    middle, late, later = (ordered[int(len(ordered) * share)] for share in (0.5, 0.95, 0.99))
    return middle, late, later, ordered[-1]


async def _all(content: Path, count: int, chance: random.Random, tally: Tally) -> None:
    texts = _texts(content)
    await _edits(content, texts, count, Client(tally, chance))
    clients = [Client(tally, random.Random(chance.random())) for _ in range(2)]
    await _two_clients(content, texts, max(1, count // EDITS_OF_TWO), clients)
    _killed(content, tally)


def _texts(content: Path) -> dict[str, str]:
    paths = [each for each in content.rglob("*") if each.suffix in {".rules", ".toml"}]
    return {
        each.as_uri(): each.read_text(encoding="utf-8")
        for each in sorted(paths)
        if "bots" not in each.parts
    }


def _packs(texts: dict[str, str]) -> list[str]:
    return [uri for uri in texts if uri.endswith("/pack.toml")]


async def _edits(content: Path, texts: dict[str, str], count: int, client: Client) -> None:
    await client.start(content, _packs(texts))
    for number in range(count):
        uri = client.chance.choice(list(texts))
        client.edit(uri, texts[uri])
        if number % EDITS_A_QUESTION == 0:
            await client.ask(uri)
        if number % EDITS_A_LOOK == EDITS_A_LOOK - 1:
            client.tally.memory.append(memory(client.server_id))
            await asyncio.sleep(_PAUSE)  # a pause in typing, so that the server checks
    await client.end()


# -------------------------------------------------------------------- two clients, one folder
async def _two_clients(
    content: Path, texts: dict[str, str], count: int, clients: list[Client]
) -> None:
    one, other = clients
    await asyncio.gather(*(each.start(content, _packs(texts)) for each in clients))
    await asyncio.gather(_at_work(one, other, texts, count), _at_work(other, one, texts, count))
    for each in clients:
        each.close()
    for each in clients:
        for uri in texts:
            each.hear(uri)
        await each.at_rest()
    for uri in sorted(one.found.keys() | other.found.keys()):
        told = [str(each.found.get(uri) or "nothing") for each in clients]
        if told[0] != told[1]:
            one.tally.failures.append(f"two clients: {uri}: {told[0]} and {told[1]}")
    for each in clients:
        await each.end()


async def _at_work(me: Client, other: Client, texts: dict[str, str], count: int) -> None:
    for number in range(count):
        uri = me.chance.choice(list(texts))
        me.edit(uri, texts[uri])
        if number % EDITS_A_QUESTION == 0:
            await me.ask(uri)
        if number % EDITS_A_SAVE == 0:
            me.save(uri)
            other.hear(uri)
            await asyncio.sleep(0)


# -------------------------------------------------------------------- a client that dies
def _killed(content: Path, tally: Tally) -> None:
    script = (
        "import subprocess, sys, time\n"
        f"server = subprocess.Popen({COMMAND!r}, stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        "print(server.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    env = {**os.environ, "PYTHONPATH": PATHS}
    with subprocess.Popen(  # noqa: S603 - our own script
        [sys.executable, "-c", script], stdout=subprocess.PIPE, env=env, cwd=content
    ) as client:
        assert client.stdout is not None
        server = int(client.stdout.readline())
        time.sleep(2)
        client.send_signal(signal.SIGKILL)
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        if not _alive(server):
            return
        time.sleep(0.1)
    tally.failures.append("the server goes on after its client was killed")
    os.kill(server, signal.SIGKILL)


def _alive(process: int) -> bool:
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except OSError:
        return False
    return "State:\tZ" not in status
