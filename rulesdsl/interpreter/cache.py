"""Checked and lowered packs on disk, under the digest of all that they depend on.

A cache file carries the hash of its own content, is written aside and moved into place, and names
nothing but classes of this package.  So one that is damaged, foreign or half-written is as good
as none, and two programs can write the same one at the same time.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import sys
import tempfile
from functools import lru_cache
from pathlib import Path

from platformdirs import user_cache_path

from rulesdsl.check.program import Program
from rulesdsl.lower.form import Form

HEAD = b"rulesdsl pack cache\n"
HASH_SIZE = 32
MOST_FILES = 60
PACKAGE = Path(__file__).resolve().parents[1]


@lru_cache(maxsize=1)
def _engine_fingerprint() -> str:
    """Return a hash that changes with every file of this package, and with Python."""
    found = hashlib.sha256(sys.version.encode())
    for path in sorted(PACKAGE.rglob("*")):
        if path.suffix in {".py", ".lark"}:
            stat = path.stat()
            found.update(f"{path.relative_to(PACKAGE)} {stat.st_size} {stat.st_mtime_ns}".encode())
    return found.hexdigest()


def _folder() -> Path:
    return user_cache_path("rulesdsl")


def _path(digest: str) -> Path:
    key = hashlib.sha256(f"{digest} {_engine_fingerprint()}".encode()).hexdigest()
    return _folder() / f"{key}.pack"


class _Reader(pickle.Unpickler):
    """Reads nothing but this package's own classes and plain containers."""

    def find_class(self, module: str, name: str) -> object:
        """Return a class of this package; anything else is no cache of ours."""
        if module.startswith("rulesdsl.") or (module, name) == ("builtins", "frozenset"):
            return super().find_class(module, name)
        message = f"{module}.{name} is not part of a pack"
        raise pickle.UnpicklingError(message)


def read(digest: str) -> tuple[Program, Form] | None:
    """Return the program and form of a digest; None where there is no sound cache of it."""
    try:
        content = _path(digest).read_bytes()
    except OSError:
        return None
    body = content[len(HEAD) + HASH_SIZE :]
    if content[: len(HEAD)] != HEAD:
        return None
    if hashlib.sha256(body).digest() != content[len(HEAD) : len(HEAD) + HASH_SIZE]:
        return None
    try:
        found = _Reader(io.BytesIO(body)).load()
    except (pickle.UnpicklingError, AttributeError, ImportError, EOFError, TypeError, ValueError):
        return None
    match found:
        case (Program() as program, Form() as form):
            return program, form
        case _:
            return None


def write(digest: str, program: Program, form: Form) -> None:
    """Keep a program and its form; a disk that cannot be written to does no harm."""
    body = pickle.dumps((program, form), protocol=5)
    content = HEAD + hashlib.sha256(body).digest() + body
    path = _path(digest)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as part:
            part.write(content)
        Path(part.name).replace(path)
        _prune(path.parent)
    except OSError:
        return


def _prune(folder: Path) -> None:
    """Drop the oldest files beyond a number that nobody misses."""
    kept = sorted(folder.glob("*.pack"), key=os.path.getmtime, reverse=True)
    for old in kept[MOST_FILES:]:
        old.unlink(missing_ok=True)
