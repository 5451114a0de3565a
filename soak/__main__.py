"""The command line of the soaks."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from soak import packs


def main() -> int:  # noqa: PLR0915 - a few lines for each soak
    """Run a soak and return its exit status: 0 where everything held."""
    if sys.argv[1:2] and sys.argv[1] in packs.KINDS:
        return packs.main(sys.argv[1:])
    parser = argparse.ArgumentParser(prog="python -m soak", description=__doc__)
    kinds = parser.add_subparsers(dest="kind", required=True)
    for kind, about, number, default in (
        ("games", "random games, every piece accounted for", "--games", 10_000),
        ("copies", "copies play on alike; views leak nothing", "--games", 200),
        ("playouts", "modules play the games that sessions play", "--games", 400),
        ("mutations", "content with a slip is refused or plays", "--count", 2_000),
        ("uses", "how often what entries can do is used", "--games", 500),
        ("screens", "boards and questions fit their terminal", "--positions", 1_000),
        ("sentences", "every question and line of the log is in words", "--games", 200),
        ("reasons", "why not names the first condition that fails", "--positions", 500),
        ("peeking", "no bot looks at what it may not know", "--positions", 2_000),
        ("completion", "the word that is there would be offered", "--places", 1_000),
        ("lsp", "the language server under random edits and questions", "--edits", 10_000),
        ("equal_contents", "equal contents are seldom called different", "--count", 200),
        ("redraws", "redraws are possible worlds, each as likely", "--count", 1_000_000),
        ("strength", "how often a bot wins against others", "--games", 200),
        ("saves", "changed saves are refused or played on", "--count", 1_000),
        ("journals", "changed journals are refused or played on", "--count", 1_000),
    ):
        each = kinds.add_parser(kind, help=about)
        each.add_argument(number, dest="count", type=int, default=default)
        each.add_argument("--seed", type=int, default=1)
        each.add_argument("--pack", default="content", help="folder of the pack")
        each.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
        if kind in {"games", "playouts", "uses"}:
            each.add_argument("--mod", action="append", default=[], help="folder of a mod")
        if kind == "uses":
            each.add_argument("--option", action="append", default=[], help="NAME=VALUE")
            each.add_argument("--of", action="append", default=[], help="a kind of things")
        if kind in {"peeking", "strength"}:
            each.add_argument("--iterations", type=int, help="of bots that think")
        if kind == "strength":
            each.add_argument("--one", required=True, help="the kind of bot that is looked at")
            each.add_argument("--others", default="random", help="the kind of all others")
            each.add_argument("--think", type=float, help="seconds of bots that think")
        if kind in {"saves", "journals", "strength"}:
            each.add_argument("--results", type=Path, help="a line for each case; goes on there")
        if kind in {"games", "copies", "playouts", "peeking", "redraws", "strength"}:
            each.add_argument("--players", type=int, help="so many only; else all there can be")
        if kind == "games":
            each.add_argument("--prefer", default="", help="what bots like: PATTERN=WEIGHT,...")
    card = kinds.add_parser("card_test", help="a card that gives 30, against one that gives 1")
    card.add_argument("--which", choices=("gold", "barrel", "price"), default="gold")
    card.add_argument("--quick", action="store_true", help="by bots that think")
    card.add_argument("--seed", type=int, default=1)
    card.add_argument("--pack", default="content", help="folder of the shipped game")
    card.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    spiel = kinds.add_parser("openspiel", help="four in a row against OpenSpiel's search")
    spiel.add_argument("--games", dest="count", type=int, default=100)
    spiel.add_argument("--seed", type=int, default=1)
    spiel.add_argument("--iterations", type=int, default=1000)
    spiel.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    since = kinds.add_parser("since", help="the same games as at another commit")
    since.add_argument("commit")
    since.add_argument("--games", dest="count", type=int, default=200)
    since.add_argument("--seed", type=int, default=1)
    since.add_argument("--pack", default="content", help="folder of the pack")
    since.add_argument("--mod", action="append", default=[], help="folder of a mod")
    since.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    kinds.add_parser("neovim", help="Neovim with the language server, from open to save")
    renames = kinds.add_parser("renames", help="every word gets another name, and nothing changes")
    renames.add_argument("--every", type=int, default=50, help="names between runs of scenarios")
    renames.add_argument("--most", type=int, help="so many names of each game only")
    renames.add_argument("--seed", type=int, default=1)
    renames.add_argument(
        "--part", type=int, nargs=2, default=(1, 1), help="K N: every Nth word from the Kth"
    )
    renames.add_argument("--pack", default="content", help="folder of the packs")
    page = kinds.add_parser("report_page", help="the page of a report opens in a browser")
    page.add_argument("--games", dest="count", type=int, default=1000)
    page.add_argument("--seed", type=int, default=1)
    page.add_argument("--pack", default="content", help="folder of the pack")
    page.add_argument("--out", type=Path, help="a folder that the page and its pictures go to")
    growth = kinds.add_parser("growth", help="how the time of a lint grows with a pack")
    growth.add_argument("--lines", type=int, action="append", help="a size; else four of them")
    return _run(parser.parse_args())


def _run(given: argparse.Namespace) -> int:  # noqa: C901, PLR0912, PLR0915 - one case for each soak
    match given.kind:
        case "openspiel":
            from soak import openspiel

            return openspiel.run(given.count, given.seed, given.jobs, given.iterations)
        case "growth":
            from soak import growth as growing

            return growing.run(tuple(given.lines or growing.SIZES))
        case "neovim":
            from soak import neovim

            return neovim.run()
        case "renames":
            from soak import renames

            part, parts = given.part
            shared = slice(part - 1, None, parts)
            return renames.run(given.pack, given.every, given.seed, given.most, shared)
        case "report_page":
            from soak import report_page

            return report_page.run(given.pack, given.count, given.seed, given.out)
        case "since":
            from soak import since

            return since.run(
                given.commit, given.pack, given.mod, given.count, given.seed, given.jobs
            )
        case "card_test":
            from soak import card_test

            return card_test.run(
                given.pack, given.which, given.jobs, given.seed, quick=given.quick
            )
        case "equal_contents":
            from soak import equal_contents

            return equal_contents.run(given.count, given.seed, given.jobs)
        case "games":
            from soak import games

            of = given.players, given.prefer, given.mod
            return games.run(given.pack, given.count, given.seed, given.jobs, *of)
        case "copies":
            from soak import copies

            return copies.run(given.pack, given.count, given.seed, given.jobs, given.players)
        case "screens":
            from soak import screens

            return screens.run(given.pack, given.count, given.seed)
        case "sentences":
            from soak import sentences

            return sentences.run(given.pack, given.count, given.seed)
        case "reasons":
            from soak import reasons

            return reasons.run(given.pack, given.count, given.seed)
        case "strength":
            from soak import strength

            sides = given.players or 4, given.one, given.others
            match = strength.Match(given.pack, *sides, given.seed, given.iterations, given.think)
            return strength.run(match, given.count, given.jobs, given.results)
        case "redraws":
            from soak import redraws

            return redraws.run(given.pack, given.count, given.seed, given.jobs, given.players)
        case "peeking":
            from soak import peeking

            path, numbers = Path(given.pack), (given.players, given.iterations)
            return peeking.run(path, given.count, given.seed, *numbers)
        case "completion":
            from soak import completion

            return completion.run(given.pack, given.count, given.seed)
        case "lsp":
            from soak import lsp

            return lsp.run(given.pack, given.count, given.seed)
        case "playouts":
            from soak import playouts

            table = given.players, given.mod
            return playouts.run(given.pack, given.count, given.seed, given.jobs, *table)
        case "uses":
            from soak import uses

            wanted = uses.Wanted(
                given.pack, tuple(given.mod), tuple(given.option), tuple(given.of)
            )
            return uses.run(wanted, given.count, given.seed, given.jobs)
        case "saves":
            from soak import saves
            from soak.cases import Sitting

            return saves.run(given.pack, Sitting(given.seed, given.count, given.results))
        case "journals":
            from soak import journals
            from soak.cases import Sitting

            return journals.run(given.pack, Sitting(given.seed, given.count, given.results))
        case _:
            from soak import mutations

            return mutations.run(given.pack, given.count, given.seed, given.jobs)


if __name__ == "__main__":
    sys.exit(main())
