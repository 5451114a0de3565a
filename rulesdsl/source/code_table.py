"""Every code that a finding can have, with its name, its severity and its title, in one table.

A line reads: code, name, severity, title. Codes are never used again for something else.

The first letter and digit tell the family; the page of a code (what it means, an example, the
fix) is in `pages/<code>-<name>.md`.

E0  reading: files, manifests, TOML
E1  syntax
E2  names
E3  types
E4  bounds, termination, decisions that can get stuck
E5  mods and layers
W6  what a designer wants to know although it can be played
"""

from __future__ import annotations

from typing import Literal

TABLE: dict[str, tuple[str, Literal["error", "warning"], str]] = {
    "E001": ("file-not-readable", "error", "A file cannot be read"),
    "E002": ("bad-toml", "error", "A TOML file is not TOML"),
    "E003": ("bad-manifest", "error", "A value in `pack.toml` that is not allowed"),
    "E004": ("unknown-key", "error", "A key that nothing declares"),
    "E005": ("wrong-value", "error", "A value of the wrong kind"),
    "E006": ("missing-field", "error", "An entry lacks a field"),
    "E101": ("unexpected-word", "error", "A word that does not fit there"),
    "E102": ("unknown-sign", "error", "A sign that means nothing"),
    "E103": ("bad-indentation", "error", "A line is indented in a way that cannot be read"),
    "E104": ("missing-body", "error", "Nothing follows a colon"),
    "E105": ("open-text", "error", "A text without its closing quotation mark"),
    "E201": ("unknown-name", "error", "A name that nothing declares"),
    "E202": ("name-twice", "error", "One name for two things"),
    "E203": ("unclear-name", "error", "A name that could mean several things"),
    "E204": ("unknown-verb", "error", "A verb or step that nothing declares"),
    "E205": ("wrong-arguments", "error", "A verb is called with the wrong things"),
    "E206": ("wrong-prefix", "error", "A name with the id of another pack before it"),
    "E301": ("wrong-type", "error", "A thing of the wrong kind"),
    "E302": ("may-be-none", "error", "A thing that may not be there"),
    "E303": ("cannot-hold", "error", "A place cannot hold such a piece"),
    "E304": ("nobody-acts", "error", "Nobody acts here"),
    "E305": ("misplaced-choice", "error", "A choice where none can be made"),
    "E401": ("can-get-stuck", "error", "A step that may turn out to be impossible"),
    "E402": ("endless", "error", "Something may go on forever"),
    "E403": ("ability-cycle", "error", "Effects that run each other in a circle"),
    "E404": ("verb-recursion", "error", "A verb that calls itself"),
    "E405": ("decides", "error", "A choice where nobody may be asked"),
    "E406": ("outside-activation", "error", "A flag or track is used where it does not exist"),
    "E407": ("too-large", "error", "A number that is too large"),
    "E408": ("no-game", "error", "A game without `step game`"),
    "E409": ("conflicting-hooks", "error", "Two hooks that replace the same thing"),
    "E410": ("nothing-to-add-to", "error", "Lines for a menu or choice that is not there"),
    "E413": ("word-of-the-language", "error", "A name that is a word of the language"),
    "E414": ("unreadable-value", "error", "A text with a value that nobody can know"),
    "E415": ("unknown-text", "error", "A text to be replaced that is not there"),
    "E501": ("missing-pack", "error", "A mod requires a pack that is not there"),
    "E502": ("wrong-game", "error", "A mod is for another game"),
    "E503": ("excluded-pack", "error", "A pack that another one excludes"),
    "E504": ("mod-cycle", "error", "Mods that each want to be loaded after the other"),
    "E505": ("pack-twice", "error", "Two packs with the same id"),
    "E506": ("mod-conflict", "error", "Two mods that contradict each other"),
    "W601": ("unused", "warning", "A declaration that nothing uses"),
    "W602": ("never-used", "warning", "An effect that can never be carried out"),
    "W603": ("never-paid", "warning", "A price that nobody can ever pay"),
    "W604": ("no-effect", "warning", "An effect that does nothing"),
    "W605": ("text-differs", "warning", "A text that does not say what the effect does"),
    "W606": ("missing-source", "warning", "A number without a source"),
    "W607": ("same-title", "warning", "Two things that look the same"),
    "W610": ("unreachable-verdict", "warning", "A verdict that is never reached"),
    "W611": ("negative-amount", "warning", "An amount below 0"),
    "W612": ("long-text", "warning", "A text that does not fit a line"),
    "W613": ("text-leaves-out", "warning", "A text that does not name what it is about"),
}
