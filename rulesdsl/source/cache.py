"""Disk cache of values as rows of plain data; reading a cache file never executes code."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from enum import Enum
from functools import lru_cache
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs
from platformdirs import user_cache_path

from rulesdsl.source.files import is_ours, read_file

# Serialisation. A row is a scalar, or a list: the number of a class, and the numbers of earlier
# rows with the parts of the object. Only containers and the classes that the caller allows are
# supported.


Rows = list[Any]
Kinds = Mapping[str, type]
"""The allowed classes by qualified name."""

_Parts = Callable[[Any], Iterable[object]]

SCALARS = (str, int, bool, type(None))


def kinds_of(*modules: ModuleType, also: Iterable[type] = ()) -> Kinds:
    """Return `also` and the slotted attrs classes in modules, by qualified name.

    Of the classes in `also`, enums are rebuilt from their values, and classes without fields by a
    call without arguments.
    """
    classes = [
        found
        for module in modules
        for found in vars(module).values()
        if isinstance(found, type)
        and attrs.has(found)
        and "__slots__" in vars(found)
        and found.__module__.startswith(module.__name__)
    ]
    return {_name(each): each for each in (*classes, *also)}


def _name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def to_rows(value: object, allowed: Kinds) -> tuple[list[str], Rows]:
    """Serialise a value as class names and rows; the last row is the value itself.

    An object that occurs several times has one row. Raises TypeError for a class that is not
    allowed.
    """
    rows: Rows = []
    kinds: dict[str, int] = {}
    known: dict[object, int] = {}
    parts_of: dict[type, tuple[str, _Parts]] = {}

    def add(value: object) -> int:
        cls = type(value)
        scalar = cls in SCALARS
        key = (cls, value) if scalar else id(value)
        if key not in known:
            row: object = value
            if not scalar:
                if cls not in parts_of:
                    parts_of[cls] = _parts(cls, allowed)
                kind, parts = parts_of[cls]
                row = [kinds.setdefault(kind, len(kinds)), *map(add, parts(value))]
            known[key] = len(rows)
            rows.append(row)
        return known[key]

    add(value)
    return [*kinds], rows


def from_rows(names: list[str], rows: Rows, allowed: Kinds) -> object:
    """Rebuild a value from its rows; malformed rows can do no more than raise an exception."""
    makers = [_CONTAINERS.get(name) or _maker(allowed[name]) for name in names]
    made: list[Any] = []
    for row in rows:
        if type(row) is list:
            kind, *parts = row
            made.append(makers[kind]([made[part] for part in parts]))
        elif type(row) in SCALARS:
            made.append(row)
        else:
            raise TypeError(row)
    return made[-1]


def _parts(kind: type, allowed: Kinds) -> tuple[str, _Parts]:
    """Return the name of a class in a file, and the function that takes an instance apart."""
    if issubclass(kind, dict):
        return "dict", lambda value: chain.from_iterable(value.items())
    if issubclass(kind, list | tuple):
        return kind.__name__, iter
    if issubclass(kind, set | frozenset):
        return kind.__name__, lambda value: sorted(value, key=repr)
    name = _name(kind)
    if allowed.get(name) is not kind:
        raise TypeError(f"{name} cannot be cached")
    if issubclass(kind, Enum):
        return name, lambda value: [value.value]
    fields = [each.name for each in attrs.fields(kind)] if attrs.has(kind) else []
    return name, lambda value: [getattr(value, field) for field in fields]


def _maker(found: Any) -> Callable[[list[Any]], object]:  # noqa: ANN401 - a class of any kind
    if not attrs.has(found):
        return lambda parts: found(*parts)
    slots = [getattr(found, field.name).__set__ for field in attrs.fields(found)]
    cached_hash = getattr(found, "_attrs_cached_hash", None)  # a slot that `__init__` would clear

    def make(parts: list[Any]) -> object:
        made = object.__new__(found)
        if cached_hash is not None:
            cached_hash.__set__(made, None)
        for put, part in zip(slots, parts, strict=True):
            put(made, part)
        return made

    return make


def _row_key(value: object) -> object:
    """Check that a dict key or set element is flat: hashing nested values could take forever."""
    if type(value) in SCALARS:
        return value
    cls, parts = type(value), value
    if attrs.has(cls):
        parts = tuple(getattr(value, field.name) for field in attrs.fields(cls))
    if isinstance(parts, tuple) and all(type(part) in SCALARS for part in parts):
        return value
    raise TypeError(value)


_CONTAINERS: dict[str, Callable[[list[Any]], object]] = {
    "list": list,
    "tuple": tuple,
    "dict": lambda parts: dict(zip(map(_row_key, parts[::2]), parts[1::2], strict=True)),
    "set": lambda parts: set(map(_row_key, parts)),
    "frozenset": lambda parts: frozenset(map(_row_key, parts)),
}


# Cache files. A file has data only, with its key and a hash of its content. It is read only if the
# user owns it and its folder, and nobody else can write to them. It is written to a temporary
# file, which is then renamed. So damaged, foreign or partial files are ignored, and concurrent
# writers are safe. Files are not signed: anybody who can write to them can also change this code.


NO_KINDS: Kinds = {}
HEAD = b"rulesdsl pack cache 2\n"
HASH_SIZE = 32
MAX_FILES = 300
MAX_BYTES = 16 * 2**20
UNSOUND = (OSError, RuntimeError, LookupError, TypeError, ValueError, AttributeError, MemoryError)
ENDINGS = (".py", ".lark", ".wat", ".toml")
LIBRARIES = ("attr", "cattrs", "lark")  # cached results depend on their versions
HOUR = 3600  # an older temporary file is considered abandoned
PACKAGE = Path(__file__).resolve().parents[1]


@lru_cache(maxsize=1)
def _engine_fingerprint() -> str:
    """Hash the Python version and the state of the files of this package and its libraries."""
    found = hashlib.sha256(sys.version.encode())
    for path in (*_own_files(), *map(_home, LIBRARIES)):
        try:
            stat = os.stat(path)  # noqa: PTH116 - for speed: some 500 files on each start
        except OSError:
            stat = _archive(path).stat()
        found.update(f"{path} {stat.st_size} {stat.st_mtime_ns}".encode())
    return found.hexdigest()


def _own_files() -> list[str]:
    found = sorted(
        f"{folder}/{name}"
        for folder, _, names in os.walk(PACKAGE)
        for name in names
        if name.endswith(ENDINGS)
    )
    return found or [f"{PACKAGE}/__init__.py"]  # inside an archive


def _archive(path: str) -> Path:
    """Return the archive that contains a module: a zip file, or else the frozen program."""
    above = (folder for folder in Path(path).parents if folder.is_file())
    return next(above, Path(sys.executable))


def _home(library: str) -> str:
    """Return the main file of a library, as a proxy for its version."""
    spec = find_spec(library)
    return (spec and spec.origin) or sys.executable


def _folder() -> Path:
    return user_cache_path("rulesdsl")


def _file_key(digest: str) -> str:
    return hashlib.sha256(f"{digest} {_engine_fingerprint()}".encode()).hexdigest()


def read_cached(digest: str, kinds: Kinds = NO_KINDS) -> object:
    """Return the value cached under a digest, or None if there is no valid one."""
    key = _file_key(digest)
    try:
        folder = _folder()
        if not is_ours(folder.stat()):
            return None
        content = read_file(folder / f"{key}.pack", MAX_BYTES, ours=True)
        return _unpacked(content, key, kinds)
    except UNSOUND:
        return None


def write_cached(digest: str, value: object, kinds: Kinds = NO_KINDS) -> None:
    """Cache a value under a digest; failures are ignored."""
    key = _file_key(digest)
    try:
        content = _packed(key, value, kinds)
        folder = _folder()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not is_ours(folder.stat()):
            folder.chmod(0o700)  # fails if it belongs to somebody else
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
    """Return the value packed by `_packed`; return None or raise for anything else."""
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
    """Delete the oldest files beyond the limit, and abandoned temporary ones."""
    by_age = sorted((each.lstat().st_mtime, each) for each in folder.glob("*.pa[cr][kt]"))
    packs = [path for _, path in by_age if path.suffix == ".pack"]
    drafts = [path for at, path in by_age if path.suffix == ".part" and at < time.time() - HOUR]
    for old in [*packs[:-MAX_FILES], *drafts]:
        with suppress(OSError):  # for instance a folder of that name
            old.unlink(missing_ok=True)
