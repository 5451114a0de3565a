"""`coloma explain`: the page of a code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from coloma.errors import USAGE, CommandError


def explain(
    code: Annotated[
        str | None, typer.Argument(help="A code or its name; all are listed without one.")
    ] = None,
) -> None:
    """Explain a finding of `coloma lint`: what it means, an example, and how to mend it."""
    from rulesdsl.source.codes import CODES, find_code
    from rulesdsl.source.suggest import did_you_mean

    if code is None:
        for each in CODES.values():
            typer.echo(f"{each.code}  {each.name:<20}  {each.title}")
        return
    found = find_code(code)
    if found is None:
        names = [word for each in CODES.values() for word in (each.code, each.name)]
        # The codes themselves are all alike: a name that is near says more than they do.
        word = code.upper() if code[:1].isalpha() and code[1:].isdigit() else code.lower()
        advice = did_you_mean(word, names) or "`coloma explain` lists them all"
        raise CommandError(f"there is no code {code} ({advice})", USAGE)
    page = found.page if found.has_page else f"# {found.code} {found.name}\n\n{found.title}\n"
    for line in as_plain_text(page):
        typer.echo(line)


def as_plain_text(page: str) -> Iterator[str]:
    """Yield the lines of a page without its Markdown: examples are indented below their file."""
    in_example = False
    for line in page.splitlines():
        if line.startswith("```"):
            in_example = not in_example
            if in_example and len(line.split()) > 1:
                yield f"  {line.split()[1]}:"
        elif in_example:
            yield f"    {line}".rstrip()
        elif line.startswith("#"):
            yield line.lstrip("#").strip()
        else:
            yield line
