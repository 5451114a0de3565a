"""Wording of all findings about packs: folders, files, manifests, and combinations of mods."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from rulesdsl.source.diagnostics import Detail, Findings, Related, Wording
from rulesdsl.source.facts import LoadAfter
from rulesdsl.source.span import Span

E001 = partial(Wording, "E001")
E002 = partial(Wording, "E002")
E003 = partial(Wording, "E003")
E004 = partial(Wording, "E004")
E005 = partial(Wording, "E005")
E006 = partial(Wording, "E006")
E501 = partial(Wording, "E501")
E502 = partial(Wording, "E502")
E503 = partial(Wording, "E503")
E504 = partial(Wording, "E504")
E505 = partial(Wording, "E505")
E506 = partial(Wording, "E506")

# -------------------------------------------------------------------- folders and files
NO_PACK = E001("`{folder}` is not a pack.", "A pack is a folder with a file `{manifest}` in it.")
NO_FOLDER = E001("There is no folder `{folder}`.")
TOO_MANY_FILES = E001(
    "This pack has more than {files} files or {folders} folders.",
    "Give the pack a folder of its own, with nothing else in it.",
)
TOO_LARGE_PACK = E001("This pack is larger than {mebibytes} MiB in total.")
UNREADABLE_FILE = E001("This file cannot be read: {why}.")
UNREADABLE_FOLDER = E001("This folder cannot be read: {why}.")
LINKED_FOLDER = E001(
    "This folder is a link to another one, and is not read.",
    "Put the files themselves into the pack.",
)
OLD_LINE_ENDS = E001(
    "This file has the line endings of old Macs.",
    "Save it with other line endings in your editor: LF or CRLF.",
)
OTHER_ENCODING = E001("This file is not UTF-8.", "Save it as UTF-8 in your editor.")
UNFIT_NAME = E001("The name of this file {why}.", "Use letters, digits, hyphens and dots.")
UNREAD_NAME = E001(
    "This file is not read, because its name has the wrong ending.", "Rename it to `{meant}`."
)
COPIED_FILE = E001(
    "This is {a_copy} of `{original}`.",
    "Remove one of the two: together they declare everything twice.",
)
TABLE_OUTSIDE = E001(
    "`{path}` points outside the pack.",
    "A path is relative to the folder of the pack, with `/` between its parts.",
)
NO_TABLE = E001("There is no table `{path}`.", "{listed}")

# -------------------------------------------------------------------- TOML
NOT_TOML = E002("This is not valid TOML: {why}.")
BEYOND_LIMITS = E002("{why}.")
SPECIAL_SPACE = E002(
    "This is not valid TOML: it contains a special space character.",
    "Other programs may have inserted it. Type a plain space instead.",
)
TABLE_TWICE = E002(
    "This is not valid TOML: `{name}` occurs twice.",
    "Give one of them another name, or merge them.",
)

# -------------------------------------------------------------------- values of tables
LACKS_KEYS = E006("{name} lacks {keys}.", "Add {lines}.")

# -------------------------------------------------------------------- manifests
OTHER_ENGINE = E003(
    "This pack needs engine version {wanted}, but you have {engine}.",
    "Use another version of the pack or the engine.",
)
OTHER_LANGUAGE = E003(
    "This pack is written in language {found}, and this version reads only {listed}.",
    "Use a version that reads it, or write the language that the pack uses.",
)
NO_ID = E003(
    "`{found}` cannot be an id.",
    "An id consists of lower-case letters and digits, with hyphens between words: `red-deck`.",
)
NO_VERSION = E003("`{found}` is not a version.", 'A version has up to three numbers: "1.0.2".')
NO_RANGE = E003(
    "`{found}` is not a range of versions.",
    'Give the first version, and the first one that is too new: ">=1.2, <2".',
)
NO_KIND = E005('`kind` must be "game" or "mod", not `{found}`.', 'Write "game" or "mod".')
UNPRINTABLE = E003("This text contains unprintable characters.")
TOO_LONG = E003("This text is longer than {most} characters.")
SEVERAL_LINES = E003("`{key}` must be one line of text.")
NAMES_ITSELF = E003("A pack cannot name itself in `{key}`.")
TOO_FEW_PLAYERS = E003(
    "The minimum number of players cannot be {found}.", "A game has 1 to {most} players."
)
TOO_MANY_PLAYERS = E003(
    "The maximum number of players cannot be {found}.", "Write a number from {least} to {most}."
)
ONLY_OF_MODS = E004(
    "Only a mod can have `{key}`.", 'A pack that changes a game needs `kind = "mod"`.'
)
UNKNOWN_KEY = E004("{table} has no `{key}`.", "It has {listed}.")
OTHER_TABLE = E004("A {name} file has no `{key}`.", "Each {name} begins with `[[{name}]]`.")

# -------------------------------------------------------------------- mods together
WITHOUT_GAME = E501(
    "`{mod}` is a mod for the game `{game}`, which is not loaded.",
    "Load `{game}` together with this mod.",
)
GAME_AS_MOD = E502(
    "`{pack}` is a game, not a mod.", 'Only a pack with `kind = "mod"` can be loaded as a mod.'
)
OTHER_GAME = E502(
    "This mod is for the game `{meant}`, not for `{game}`.", "Load it with `{meant}`."
)
SAME_ID = E505(
    "There is another pack with the id `{pack}`.",
    "Load only one of them, or give one of them another id.",
)
MISSING_MOD = E501("`{mod}` requires `{wanted}`, which is not loaded.", "Load `{name}` as well.")
OTHER_VERSION = E501(
    "`{mod}` requires `{wanted}`, but version {version} is loaded.",
    "Use another version of one of the two.",
)
EXCLUDED = E503("`{pack}` cannot be played together with `{other}`.", "Load only one of the two.")
MOD_CYCLE = E504(
    "Each of these mods must be loaded after another one of them: {mods}.",
    "Remove one of these lines.",
)
PLAYERS_AT_ODDS = E506("These mods each change the number of players: {mods}.")
VALUES_AT_ODDS = E506("These mods each change {what}: {mods}.")
TEXTS_AT_ODDS = Wording(
    "W634", "These mods each replace {what}: {mods}. Players read the last one's words."
)
SAME_THING = E506(
    "`{first}` and `{mod}` each add `{name}`.",
    "Put the id of the mod before it: [{own}]. If `{mod}` is meant to change the one "
    'in `{first}`, add this to its pack.toml: after = ["{first}"]',
)


def report_order(
    template: Wording,
    findings: Findings,
    span: Span,
    related: Iterable[Related],
    mods: Sequence[str],
    **fields: Detail,
) -> None:
    """Report mods that contradict each other, and advise giving the last one precedence."""
    first, mod = mods[0], mods[-1]
    order = f'To give `{mod}` precedence, add this to its pack.toml: after = ["{first}"]'
    advice = template.advice.format(first=first, **fields)
    template.report(
        findings,
        span,
        related,
        advice="\n".join(filter(None, (order, advice))),
        facts=LoadAfter(mod, first),
        first=first,
        mod=mod,
        mods=", ".join(f"`{rival}`" for rival in mods),
        **fields,
    )
