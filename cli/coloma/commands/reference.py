"""Reference commands: `rules`, `explain`, `vocabulary`, `bots`, `sources` and `packs`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from coloma.commands.parameters import ModNames, OptionTexts, PackName, PackPath, PlayerNumber
from coloma.output import USAGE, CommandError, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from coloma.guides import GuidePage
    from coloma.packs import PackSummary, Selection
    from rulesdsl.packs.manifest import Manifest
    from rulesdsl.packs.overlay import Layered


def rules(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GAME] [TOPIC]",
            help="A pack (folder or name), and a topic or a word from the game.",
        ),
    ] = None,
    players: PlayerNumber = None,
    option: OptionTexts = None,
    mod: ModNames = None,
) -> None:
    """Show the rules of a game: a summary, or the page on a topic, or about any other word.

    All numbers come from the game's files, and apply to the chosen player count, options and mods.
    """
    from coloma.guides import book_pages
    from coloma.loading import load_setting
    from coloma.session.answers import SessionStopped, StandardInput
    from coloma.session.log_view import leaf
    from coloma.session.screen import screen_for

    pack, topic = _told_apart(words or [])
    chosen = load_setting(pack, mod, option, players)
    book = chosen.pack.rulebook(chosen.seats, chosen.options)
    lines = book_pages(book, topic, "coloma rules")
    if isinstance(lines, str):
        raise CommandError(lines, USAGE)
    with suppress(SessionStopped):  # the reader ended the input
        leaf(lines, screen_for(plain=False), StandardInput())


def _told_apart(words: list[str]) -> tuple[str | None, str]:
    from coloma.packs import pack_folder

    if not words:
        return None, ""
    try:
        pack_folder(words[0])
    except CommandError:
        return None, " ".join(words)
    return words[0], " ".join(words[1:])


def explain(
    topic: Annotated[
        str | None,
        typer.Argument(help="A page, heading or code; by default, all are listed."),
    ] = None,
    pack: PackName = None,
) -> None:
    """Explain the language, modding, or the code of a finding."""
    from coloma.guides import as_plain_text, find_page, headings_of, pack_pages, shipped_pages
    from coloma.packs import pack_folder
    from rulesdsl.source.codes import find_code

    pages = shipped_pages()
    try:
        pages += pack_pages(pack_folder(pack))
    except CommandError:
        if pack is not None:  # there is a default in most installations
            raise
    if topic is None:
        _list(pages)
        return
    code = find_code(topic)
    if code is not None:
        text = code.page if code.has_page else f"# {code.code} {code.name}\n\n{code.title}\n"
    else:
        page = find_page(topic, pages)
        headings = [] if page else headings_of(topic, pages)
        if headings:
            say(f"{topic} is a word of the language, explained here:")
            for heading in headings:
                say(f'  coloma explain "{heading.lower()}"')
            return
        if page is None:
            advice = _advice(topic, pages)
            raise CommandError(f"there is no page or code {topic} ({advice})", USAGE)
        text = page.text
    for line in as_plain_text(text):
        say(line)


def _list(pages: Sequence[GuidePage]) -> None:
    import textwrap

    from rulesdsl.source.codes import CODES

    say("Pages, and the headings in them:")
    for page in pages:
        say(f"  {page.name:<10}  {page.title}")
        titles = "; ".join(section.name for section in page.sections())
        for line in textwrap.wrap(titles, 84, break_on_hyphens=False):
            say(f"  {'':<10}    {line}")
    say("\nCodes of `coloma lint`:")
    for each in CODES.values():
        say(f"  {each.code}  {each.name:<20}  {each.title}")


def _advice(topic: str, pages: Sequence[GuidePage]) -> str:
    from rulesdsl.source.codes import CODES
    from rulesdsl.source.diagnostics import did_you_mean

    names = [word for each in CODES.values() for word in (each.code, each.name)]
    names += [each.name for page in pages for each in (page, *page.sections())]
    # All codes are similar, so only another name is a useful suggestion.
    word = topic.upper() if topic[:1].isalpha() and topic[1:].isdigit() else topic.lower()
    return did_you_mean(word, names) or (
        f"`coloma explain` lists them all; for a word in a game: `coloma vocabulary {topic}`"
    )


def vocabulary(
    name: Annotated[
        str | None,
        typer.Argument(
            help="A word, or a kind of word, such as `verbs`; by default, all words are listed."
        ),
    ] = None,
    mod: ModNames = None,
    pack: PackName = None,
) -> None:
    """List the words in a game that a mod can use.

    They are the game's verbs, values, pieces, places, numbers and so on. With NAME, show the
    declaration and uses of that word.
    """
    import rulesdsl
    from coloma.guides import PLURALS, listed, told
    from coloma.packs import select

    selection = select(pack, mod or ())
    words = rulesdsl.vocabulary(selection.game, selection.mods)
    sort = PLURALS.get(name or "")
    for line in told(words, name) if name and not sort else listed(words, sort):
        say(line)


def bots() -> None:
    """List the kinds of bots, weakest first, and the levels of difficulty."""
    from coloma.bots import USUAL
    from rulesdsl.bots.kinds import KINDS

    widest = max(map(len, KINDS))
    for name, kind in KINDS.items():
        say(f"{name:<{widest}}  {kind.about}")
    say()
    say(f"coloma play --bots 2             two {USUAL} bots, in the last two seats")
    say("coloma play --bots random,hard   one of each, in the last two seats")
    say("coloma simulate --bots quick,3xtrained --games 20")


def sources(
    path: PackPath = None,
    mod: ModNames = None,
) -> None:
    """List the numbers that do not come from the rulebook.

    They are grouped by source.
    """
    import rulesdsl
    from coloma.packs import select

    selection = select(path, mod or ())
    found = rulesdsl.sources(selection.game, selection.mods)
    for source in sorted({each.source for each in found}):
        lines = [each for each in found if each.source == source]
        say(f"{source or 'no source'}: {len(lines)}")
        widest = max(len(each.name) for each in lines)
        for each in sorted(lines, key=lambda each: each.span):
            place = f"{each.span.file}:{each.span.line}"
            say(f"  {each.name:<{widest}}  {each.value}  {place}")


_INDENT = "  "  # of the games of a group, and the mods of a game


def packs(mod: ModNames = None, pack: PackName = None) -> None:
    """List the bundled games and their mods.

    Games are listed by group. Use the names of games with --pack, and the names of mods with
    --mod. With --pack or --mod, show the order in which these packs are loaded, and why.
    """
    from coloma.packs import select

    if pack is None and not mod:
        _list_bundled()
        return
    for line in _order(select(pack, mod or ())):
        say(line)


def _list_bundled() -> None:
    from coloma.packs import bundled_packs, groups

    found = bundled_packs()
    widest = max((len(each.id) for each in found), default=0) + len(_INDENT)
    for title, games in groups(found).items():
        if title:
            say(f"\n{title}")
        for game in games:
            _introduce(game, _INDENT if title else "", widest)
            for mod in found:
                if mod.is_mod and mod.for_game == game.id:
                    _introduce(mod, _INDENT, widest)


def _introduce(pack: PackSummary, indent: str, widest: int) -> None:
    kind = f"mod for {pack.for_game}" if pack.is_mod else "game"
    numbers = " to ".join(map(str, dict.fromkeys(pack.players or ())))
    players = f", {numbers} player{'' if numbers == '1' else 's'}" if numbers else ""
    say(f"{indent + pack.id:<{widest}}  {pack.name} {pack.version} ({kind}{players})")
    if pack.about:
        say(f"{'':<{widest}}  {pack.about}")


def _order(selection: Selection) -> Iterator[str]:
    """Yield the packs in load order, with reasons; raise `LintError` if they are incompatible."""
    from rulesdsl.packs.overlay import read_layers

    layers = read_layers(selection.game, selection.mods)
    widest = max(len(each.id) for each in layers.packs)
    for number, pack in enumerate(layers.packs, start=1):
        manifest = pack.manifest
        yield (
            f"{number}  {pack.id:<{widest}}  {manifest.name} {manifest.version}"
            f"  {_reason(manifest, layers)}"
        )


def _reason(manifest: Manifest, layers: Layered) -> str:
    if not manifest.is_mod:
        return "the game comes first"
    loaded = {each.id for each in layers.mods}
    reasons = [
        f"{word} {', '.join(present)}"
        for word, refs in (("requires", manifest.requires), ("after", manifest.after))
        if (present := [str(each) for each in refs if each.id in loaded])
    ]
    if not reasons:
        return "by id, since its pack.toml states no order"
    return f"from its pack.toml: {'; '.join(reasons)}"
