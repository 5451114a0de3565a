"""What took long to make, on disk, under the digest of all that it depends on.

A cache file holds data only, and says which digest it is of, with the hash of it all. It is read
where it and its folder are ours alone, and written aside and moved into place. So one that is
damaged, foreign or half-written is as good as none, and two programs can write the same one at
the same time. It has no secrets and no seal: who can write our files can write our programs too.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
import time
from contextlib import suppress
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from platformdirs import user_cache_path

from rulesdsl.source.files import is_ours, read_file
from rulesdsl.source.rows import Kinds, from_rows, to_rows

NO_KINDS: Kinds = {}
HEAD = b"rulesdsl pack cache 2\n"
HASH_SIZE = 32
MAX_FILES = 300
MAX_BYTES = 16 * 2**20
UNSOUND = (OSError, RuntimeError, LookupError, TypeError, ValueError, AttributeError, MemoryError)
ENDINGS = (".py", ".lark", ".wat", ".toml")
LIBRARIES = ("attr", "cattrs", "lark")  # what is found in content depends on them
HOUR = 3600  # seconds after which nobody is still writing a file
PACKAGE = Path(__file__).resolve().parents[1]


@lru_cache(maxsize=1)
def _engine_fingerprint() -> str:
    """Return a hash that changes with every file of this package, its libraries and Python."""
    found = hashlib.sha256(sys.version.encode())
    for path in (*_own_files(), *map(_home, LIBRARIES)):
        stat = os.stat(path)  # noqa: PTH116 - some 500 files, each time
        found.update(f"{path} {stat.st_size} {stat.st_mtime_ns}".encode())
    return found.hexdigest()


def _own_files() -> list[str]:
    return sorted(
        f"{folder}/{name}"
        for folder, _, names in os.walk(PACKAGE)
        for name in names
        if name.endswith(ENDINGS)
    )


def _home(library: str) -> str:
    """Return a file of a library that every version of it has of its own."""
    spec = find_spec(library)
    return (spec and spec.origin) or sys.executable


def _folder() -> Path:
    """Return where caches are; RuntimeError where the system knows no home."""
    return user_cache_path("rulesdsl")


def _key(digest: str) -> str:
    return hashlib.sha256(f"{digest} {_engine_fingerprint()}".encode()).hexdigest()


def read_kept(digest: str, kinds: Kinds = NO_KINDS) -> object:
    """Return what is kept under a digest; None where there is no sound cache of it."""
    key = _key(digest)
    try:
        folder = _folder()
        if not is_ours(folder.stat()):
            return None
        content = read_file(folder / f"{key}.pack", MAX_BYTES, ours=True)
        return _unpacked(content, key, kinds)
    except UNSOUND:
        return None


def write_kept(digest: str, value: object, kinds: Kinds = NO_KINDS) -> None:
    """Keep a value of kinds that rows can be made of; a disk that refuses does no harm."""
    key = _key(digest)
    try:
        content = _packed(key, value, kinds)
        folder = _folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not is_ours(folder.stat()):
            folder.chmod(0o700)  # refused where it belongs to somebody else
        if len(content) <= MAX_BYTES:
            _put(folder / f"{key}.pack", content)
        _prune(folder)
    except (OSError, RuntimeError, TypeError):
        return


def _packed(key: str, value: object, kinds: Kinds) -> bytes:
    names, rows = to_rows(value, kinds)
    body = json.dumps([key, names, rows], ensure_ascii=False, separators=(",", ":"))
    raw = body.encode(errors="surrogatepass")
    return HEAD + hashlib.sha256(raw).digest() + raw


def _unpacked(content: bytes, key: str, kinds: Kinds) -> object:
    """Return what `_packed` was given, None or an exception where this is something else."""
    body = content[len(HEAD) + HASH_SIZE :]
    if content != HEAD + hashlib.sha256(body).digest() + body:
        return None
    claimed, names, rows = json.loads(body.decode(errors="surrogatepass"))
    return from_rows(names, rows, kinds) if claimed == key else None


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
        with suppress(OSError):  # a folder of such a name stays, and stops nobody
            old.unlink(missing_ok=True)
