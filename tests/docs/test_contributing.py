from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`([\w./-]+(?:\.py|\.md|\.toml|\.lark|\.txt|/))`", TEXT)


def test_every_file_and_folder_exists() -> None:
    roots = [ROOT / each for each in ("rulesdsl", "cli", "content")]
    known = {path.name for root in roots for path in root.rglob("*")}
    missing = [
        name
        for name in NAMED
        if not (ROOT / name).exists()
        and ("/" in name.rstrip("/") or name.rstrip("/") not in known)
    ]
    assert len(NAMED) > 1
    assert not missing
