"""A small game with scenarios, written to a test folder."""

from pathlib import Path

from game_texts import texts

TEXTS = texts("coins")
MANIFEST, RULES = TEXTS["pack.toml"], TEXTS["coins.rules"]
CHECKLIST = TEXTS["rules_covered.toml"]


def scenario(**values: object) -> str:
    """Return the text of one scenario."""
    lines = [f"{key.replace('_', '-')} = {_toml(value)}" for key, value in values.items()]
    return "\n".join(["[[scenario]]", *lines, ""])


def write_pack(folder: Path, *scenarios: str, **files: str) -> Path:
    """Write the pack, with all scenarios in its only scenario file."""
    found = TEXTS | {name.replace("__", "."): text for name, text in files.items()}
    folder.mkdir(exist_ok=True)
    for name, text in found.items():
        (folder / name).write_text(text, encoding="utf-8")
    if scenarios:
        (folder / "scenarios").mkdir(exist_ok=True)
        (folder / "scenarios" / "all.toml").write_text("\n".join(scenarios), encoding="utf-8")
    return folder


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_toml(each) for each in value)}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_toml(each)}' for key, each in value.items())} }}"
    return f'"{value}"' if isinstance(value, str) else str(value)
