from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING

from hostile.bounded import bounded

if TYPE_CHECKING:
    import pytest

READS = """
import sys
from pathlib import Path
from rulesdsl.source.files import read_file, reason
for path in map(Path, sys.argv[1:]):
    try:
        print(len(read_file(path, 1024)))
    except OSError as error:
        print(reason(error))
"""

SAID = {
    "fits": "1024",
    "link": "1024",
    "more": "it is larger than 1 KiB",
    "sparse": "it is larger than 1 KiB",
    "pipe": "it is not a regular file",
    "device": "it is not a regular file",
    "loop": "too many levels of symbolic links",
    "folder": "it is a folder",
    "socket": "it is not a regular file",
    "nothing": "no such file or directory",
}


def test_only_regular_files_are_read_and_only_so_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # names of sockets are short
    Path("fits").write_bytes(b"x" * 1024)
    Path("link").symlink_to("fits")
    Path("more").write_bytes(b"x" * 1025)
    Path("sparse").touch()
    os.truncate("sparse", 2**40)
    os.mkfifo("pipe")
    Path("device").symlink_to("/dev/zero")
    Path("loop").symlink_to("loop")
    Path("folder").mkdir()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        ran = bounded(READS, *(tmp_path / name for name in SAID), home=tmp_path)

    assert dict(zip(SAID, ran.stdout.splitlines(), strict=True)) == SAID
