"""`python -m soak neovim`: a text editor that people use, with our server, from open to save."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from soak.lanterns import write_lanterns
from soak.lsp_client import COMMAND, PATHS

SCRIPT = Path(__file__).parent / "neovim.lua"
_PATIENCE = 300  # seconds by the clock, on a machine that is busy


def run() -> int:
    """Print what the editor says; skipped, with a line that says so, where there is none."""
    editor = shutil.which("nvim")
    if editor is None:
        print("skipped: Neovim is not installed (Debian: apt-get install neovim)")
        return 0
    with tempfile.TemporaryDirectory() as place:
        folder = write_lanterns(Path(place).resolve())
        rules = folder / "game.rules"
        text = rules.read_text(encoding="utf-8")
        rules.write_text(
            text.replace("bank into my purse", "bank into my purze"), encoding="utf-8"
        )
        env = {
            **os.environ,
            "PYTHONPATH": PATHS,
            "COLOMA_FOLDER": str(folder),
            "COLOMA_SERVER": json.dumps(COMMAND),
        }
        done = subprocess.run(  # noqa: S603 - our own script
            [editor, "--headless", "-u", "NONE", "-i", "NONE", "-S", str(SCRIPT)],
            env=env,
            cwd=folder,
            timeout=_PATIENCE,
            check=False,
            capture_output=True,
            text=True,
        )
    print(done.stdout + done.stderr.replace("\r", ""), end="")
    return done.returncode
