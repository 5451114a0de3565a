"""Checked packs, flat forms and modules on disk, under the digest of all that they depend on.

A cache file holds data only, and says which digest it is of, with the hash of it all. It is read
where it and its folder are ours alone, and written aside and moved into place. So one that is
damaged, foreign or half-written is as good as none, and two programs can write the same one at
the same time. It has no secrets and no seal: who can write our files can write our programs too.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
import time
from functools import lru_cache
from pathlib import Path

from platformdirs import user_cache_path

from rulesdsl.check.program import Program
from rulesdsl.interpreter.rows import from_rows, to_rows
from rulesdsl.lower.form import Form
from rulesdsl.source.files import is_ours, read_file

HEAD = b"rulesdsl pack cache 2\n"
HASH_SIZE = 32
MAX_FILES = 300
MAX_BYTES = 16 * 2**20
UNSOUND = (OSError, RuntimeError, LookupError, TypeError, ValueError, AttributeError, MemoryError)
HOUR = 3600  # seconds after which nobody is still writing a file
PACKAGE = Path(__file__).resolve().parents[1]


@lru_cache(maxsize=1)
def _engine_fingerprint() -> str:
    """Return a hash that changes with every file of this package, and with Python."""
    found = hashlib.sha256(sys.version.encode())
    for path in sorted(PACKAGE.rglob("*")):
        if path.suffix in {".py", ".lark", ".wat"}:
            stat = path.stat()
            found.update(f"{path.relative_to(PACKAGE)} {stat.st_size} {stat.st_mtime_ns}".encode())
    return found.hexdigest()


def _folder() -> Path:
    """Return where caches are; RuntimeError where the system knows no home."""
    return user_cache_path("rulesdsl")


def _key(digest: str) -> str:
    return hashlib.sha256(f"{digest} {_engine_fingerprint()}".encode()).hexdigest()


def read(digest: str) -> tuple[Program, Form] | None:
    """Return the program and form of a digest; None where there is no sound cache of it."""
    match read_kept(digest):
        case (Program() as program, Form() as form):
            return program, form
        case _:
            return None


def write(digest: str, program: Program, form: Form) -> None:
    """Keep a program and its form; a disk that cannot be written to does no harm."""
    write_kept(digest, (program, form))


def read_kept(digest: str) -> object:
    """Return what is kept under a digest; None where there is no sound cache of it."""
    key = _key(digest)
    try:
        folder = _folder()
        if not is_ours(folder.stat()):
            return None
        content = read_file(folder / f"{key}.pack", MAX_BYTES, ours=True)
        return _unpacked(content, key)
    except UNSOUND:
        return None


def write_kept(digest: str, value: object) -> None:
    """Keep something that rows can be made of; see `rows`."""
    key = _key(digest)
    try:
        content = _packed(key, value)
        folder = _folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not is_ours(folder.stat()):
            folder.chmod(0o700)  # refused where it belongs to somebody else
        if len(content) <= MAX_BYTES:
            _put(folder / f"{key}.pack", content)
        _prune(folder)
    except (OSError, RuntimeError, TypeError):
        return


def _packed(key: str, value: object) -> bytes:
    names, rows = to_rows(value)
    body = json.dumps([key, names, rows], ensure_ascii=False, separators=(",", ":"))
    raw = body.encode(errors="surrogatepass")
    return HEAD + hashlib.sha256(raw).digest() + raw


def _unpacked(content: bytes, key: str) -> object:
    """Return what `_packed` was given, None or an exception where this is something else."""
    body = content[len(HEAD) + HASH_SIZE :]
    if content != HEAD + hashlib.sha256(body).digest() + body:
        return None
    claimed, names, rows = json.loads(body.decode(errors="surrogatepass"))
    return from_rows(names, rows) if claimed == key else None


def _put(path: Path, content: bytes) -> None:
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as part:
        draft = Path(part.name)
        try:
            part.write(content)
            part.flush()
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)


def _prune(folder: Path) -> None:
    """Drop the oldest files beyond a number that nobody misses, and drafts left by the killed."""
    by_age = sorted((each.lstat().st_mtime, each) for each in folder.glob("*.pa[cr][kt]"))
    packs = [path for _, path in by_age if path.suffix == ".pack"]
    drafts = [path for at, path in by_age if path.suffix == ".part" and at < time.time() - HOUR]
    for old in [*packs[:-MAX_FILES], *drafts]:
        old.unlink(missing_ok=True)
