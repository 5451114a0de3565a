"""`coloma explain`: the page of a code, the language, the guides, a game's own pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from coloma.commands.parameters import PackName
from coloma.errors import USAGE, CommandError
from coloma.output import say

if TYPE_CHECKING:
    from coloma.guides import Page


def explain(
    topic: Annotated[
        str | None,
        typer.Argument(help="A page, a heading, or a code; without it, all are listed."),
    ] = None,
    pack: PackName = None,
) -> None:
    """Explain the language, how to write mods and games, or a finding of `coloma lint`."""
    from coloma.catalogue import pack_folder
    from coloma.guides import as_plain_text, find_page, headings_of, pack_pages, shipped_pages
    from rulesdsl.source.codes import find_code

    pages = [*shipped_pages(), *pack_pages(pack_folder(pack))]
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
            say(f"{topic} is a word of the language. What it does:")
            for heading in headings:
                say(f'  coloma explain "{heading.lower()}"')
            return
        if page is None:
            raise CommandError(
                f"there is no page or code {topic} ({_advice(topic, pages)})", USAGE
            )
        text = page.text
    for line in as_plain_text(text):
        say(line)


def _list(pages: Sequence[Page]) -> None:
    from rulesdsl.source.codes import CODES

    say("Pages, and the headings in them:")
    for page in pages:
        say(f"  {page.name:<10}  {page.title}")
        titles = [section.name for section in page.sections()]
        for line in _folded(titles):
            say(f"  {'':<10}    {line}")
    say("\nCodes of `coloma lint`:")
    for each in CODES.values():
        say(f"  {each.code}  {each.name:<20}  {each.title}")


def _folded(titles: Sequence[str], width: int = 84) -> list[str]:
    import textwrap

    return textwrap.wrap("; ".join(titles), width, break_on_hyphens=False)


def _advice(topic: str, pages: Sequence[Page]) -> str:
    from rulesdsl.source.codes import CODES
    from rulesdsl.source.suggest import did_you_mean

    names = [word for each in CODES.values() for word in (each.code, each.name)]
    names += [each.name for page in pages for each in (page, *page.sections())]
    # The codes themselves are all alike: a name that is near says more than they do.
    word = topic.upper() if topic[:1].isalpha() and topic[1:].isdigit() else topic.lower()
    return did_you_mean(word, names) or (
        f"`coloma explain` lists them all; a word of a game: `coloma vocabulary {topic}`"
    )
