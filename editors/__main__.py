"""`python -m editors`: write what is generated, or say what is stale."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from editors.textmate import rules_grammar, toml_grammar
from editors.vim import syntax_file

HERE = Path(__file__).resolve().parent


def generated() -> dict[Path, str]:
    """Return the texts of all generated files."""
    syntaxes = HERE / "vscode" / "syntaxes"
    return {
        syntaxes / "rules.tmLanguage.json": _json(rules_grammar()),
        syntaxes / "effects.tmLanguage.json": _json(toml_grammar()),
        HERE / "vim" / "syntax" / "coloma.vim": syntax_file(),
    }


def stale() -> list[Path]:
    """Return the generated files that are not what they should be."""
    return [path for path, text in generated().items() if _read(path) != text]


def main(arguments: list[str] | None = None) -> int:
    """Do what the command line says; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m editors", description=__doc__)
    parser.add_argument("--check", action="store_true", help="say what is stale, write nothing")
    parser.add_argument("what", nargs="?", choices=["scopes"], help="compare colours (needs node)")
    parser.add_argument("--update-golden", action="store_true", help="with scopes: write the file")
    chosen = parser.parse_args(arguments)
    if chosen.what == "scopes":
        from editors.scopes import check_scopes  # noqa: PLC0415 - it parses all shipped rules

        return check_scopes(update=chosen.update_golden)
    found = stale()
    for path in found:
        if not chosen.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(generated()[path], encoding="utf-8", newline="\n")
        print(f"{path.relative_to(HERE.parent)} {'is stale' if chosen.check else 'written'}")
    return 1 if chosen.check and found else 0


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


if __name__ == "__main__":
    sys.exit(main())
