"""Running the tests of the checker against one mutant after the other, in one warm process.

The tests are collected once. A first run without a mutant notes which lines each test reaches and
how long it takes. Then each mutant gets a fork of this process: the code of the changed functions
is exchanged in place, and the tests that reach one of them run, the shortest first, up to the
first that fails. Nothing is ever written to the source tree. A change that is outside of
functions, or in one that no test reaches behind its import, is tried in a new process that imports
the changed text.
"""

from __future__ import annotations

import functools
import gc
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import attrs
import coverage
import pytest
from _pytest.runner import runtestprotocol  # runs one test and returns its reports, unprinted

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

    from soak.checker_mutants import Mutant

CPU_SECONDS = 60
OPTIONS = ("-q", "-x", "-n", "0", "-p", "no:cacheprovider", "--no-header")
NOTICED, SURVIVED, HUNG = "noticed", "survived", "hung"
_FAILED, _PASSED = 17, 0


@attrs.frozen
class Trial:
    """What became of a mutant: which test noticed it first, and the seconds of the processor."""

    verdict: str
    by: str
    seconds: float


class Looked:
    """What tests reach and how long they take, by their names: kept for the next run."""

    def __init__(self, path: Path, of: str) -> None:
        self.path, self.of = path, of
        known = json.loads(path.read_text("utf-8")) if path.exists() else {}
        self.tests: dict[str, float] = known.get(of, {}).get("tests", {})
        self.lines: dict[str, dict[str, list[int]]] = known.get(of, {}).get("lines", {})

    def add(self, tests: Mapping[str, float], lines: Iterable[tuple[str, str, int]]) -> None:
        """Take in tests and what they reach, and write it down for these sources only."""
        self.tests.update(tests)
        for test, file, line in lines:
            self.lines.setdefault(file, {}).setdefault(test, []).append(line)
        found = {self.of: {"tests": self.tests, "lines": self.lines}}
        self.path.write_text(json.dumps(found), "utf-8")

    def reaching(self, file: str, code: CodeType) -> set[str]:
        """Return the tests that reach a function after its first line, which is its `def`."""
        own = range(code.co_firstlineno + 1, _last_line(code) + 1)
        one_line = len(own) == 0
        return {
            test
            for test, lines in self.lines.get(file, {}).items()
            if one_line or any(line in own for line in lines)
        }


class Trials:
    """Collects the tests, and tries mutants on them."""

    def __init__(self, root: Path, tests: Sequence[str], looked: Looked) -> None:
        self.root = root
        self.tests = tests
        self.looked = looked
        self.items: list[pytest.Item] = []

    def run(self, mutants: Iterable[Mutant], tell: Any) -> None:  # noqa: ANN401 - a callback
        """Try mutants in order; `tell` gets each with what became of it."""
        os.environ["XDG_CACHE_HOME"] = os.devnull  # no pack is ever read from a cache
        plugin = _Plugin(self, mutants, tell)
        status = pytest.main([*OPTIONS, *self.tests], plugins=[plugin])
        if plugin.trouble or status:
            raise RuntimeError(plugin.trouble or f"pytest ended with {status}")

    # ------------------------------------------------------------ without a mutant
    def look(self) -> None:
        """Run the tests that are not known yet; note which lines they reach and their seconds."""
        cover = coverage.Coverage(data_file=None, include=[f"{self.root}/*"], config_file=False)
        spent: dict[str, float] = {}
        cover.start()
        try:
            for at, item in enumerate(self.items):
                if item.nodeid not in self.looked.tests:
                    _forget()
                    cover.switch_context(item.nodeid)
                    began = time.process_time()
                    if self._fails(at, at + 1):
                        raise RuntimeError(f"{item.nodeid} fails without a mutant")
                    spent[item.nodeid] = round(time.process_time() - began, 3)
        finally:
            cover.stop()
        self.looked.add(spent, self._reached(cover.get_data()))

    def _reached(self, data: coverage.CoverageData) -> Iterator[tuple[str, str, int]]:
        """Yield which test reaches which line of which file."""
        for file in data.measured_files():
            for line, tests in data.contexts_by_lineno(file).items():
                yield from ((test, file.removeprefix(f"{self.root}/"), line) for test in tests)

    def _fails(self, first: int, end: int) -> str:
        """Return the name of the first of some tests that fails, "" where all pass."""
        for at in range(first, end):
            item = self.items[at]
            reports = runtestprotocol(item, log=False, nextitem=None)
            if any(each.failed for each in reports):
                return item.nodeid
        return ""

    # ------------------------------------------------------------ with one
    def attempt(self, mutant: Mutant) -> Trial:
        """Return what becomes of a mutant."""
        changed = _changed_functions(self.root / mutant.path, mutant.source)
        live = [
            (_live(module_name(mutant.path), code.co_qualname), code) for code in changed or ()
        ]
        tests = {each for _, code in live for each in self.looked.reaching(mutant.path, code)}
        if tests and all(function is not None for function, _ in live):
            found = [at for at, item in enumerate(self.items) if item.nodeid in tests]
            order = sorted(found, key=lambda at: (self.looked.tests[self.items[at].nodeid], at))
            return self._forked(live, order)
        return self._alone(mutant)

    def _forked(
        self, changes: Sequence[tuple[FunctionType | None, CodeType]], order: Sequence[int]
    ) -> Trial:
        reader, writer = os.pipe()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with tempfile.TemporaryDirectory() as folder:
            child = os.fork()
            if not child:
                self._in_child(changes, order, folder, writer)
            os.close(writer)
            with os.fdopen(reader) as pipe:
                by = pipe.read()
            _, status = os.waitpid(child, 0)
        return _trial(os.waitstatus_to_exitcode(status), by, before)

    def _in_child(
        self,
        changes: Sequence[tuple[FunctionType | None, CodeType]],
        order: Sequence[int],
        folder: str,
        writer: int,
    ) -> None:
        status = _FAILED
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 5))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            self.items[0].config._tmp_path_factory._basetemp = Path(folder)  # type: ignore[attr-defined] # noqa: SLF001 - each mutant has folders of its own
            for function, code in changes:
                assert function is not None
                function.__code__ = code
            _forget()
            by = next(filter(None, (self._fails(at, at + 1) for at in order)), "")
            os.write(writer, by.encode())
            status = _FAILED if by else _PASSED
        finally:
            os._exit(status)

    def _alone(self, mutant: Mutant) -> Trial:
        """Run all tests in a new process that imports the changed module."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(  # noqa: S603 - our own command
            [sys.executable, "-m", "soak.checker_trial", mutant.path, *self.tests],
            input=mutant.source,
            cwd=self.root,
            text=True,
            capture_output=True,
            check=False,
        )
        by = next((each for each in done.stdout.splitlines() if each.startswith("FAILED ")), "")
        status = done.returncode and (_FAILED if done.returncode > 0 else done.returncode)
        return _trial(status, by.removeprefix("FAILED ").split(" - ")[0], before)


class _Plugin:
    """Takes the place of pytest's own loop over the tests."""

    def __init__(self, trials: Trials, mutants: Iterable[Mutant], tell: Any) -> None:  # noqa: ANN401
        self.trials, self.mutants, self.tell = trials, mutants, tell
        self.trouble = ""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.trials.items = session.items
        try:
            self.trials.look()
            gc.collect()
            gc.freeze()
            for mutant in self.mutants:
                self.tell(mutant, self.trials.attempt(mutant))
        except RuntimeError as error:
            self.trouble = str(error)
        return True


def _trial(status: int, by: str, before: resource.struct_rusage) -> Trial:
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if status < 0:  # ended by a signal: its time was over, or it broke the interpreter
        return Trial(HUNG, by or f"signal {-status}", round(spent, 2))
    return Trial(NOTICED if status else SURVIVED, by, round(spent, 2))


def module_name(path: str) -> str:
    """Return the name under which a file of the tree is imported."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _forget() -> None:
    """Empty what functions of the checker and helpers of its tests remember."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("rulesdsl.check", "rulesdsl.lower", "check.", "lower.")):
            for each in vars(module).values():
                if isinstance(each, functools._lru_cache_wrapper):  # noqa: SLF001 - it has no public name
                    each.cache_clear()


# -------------------------------------------------------------------- code
def _changed_functions(path: Path, source: str) -> list[CodeType] | None:
    """Return the functions whose code differs; None where more than functions does."""
    old = compile(path.read_text("utf-8"), str(path), "exec", dont_inherit=True)
    new = compile(source, str(path), "exec", dont_inherit=True)
    return _differences(old, new)


def _differences(old: CodeType, new: CodeType) -> list[CodeType] | None:
    """Compare a module or the body of a class."""
    if _own(old) != _own(new):
        return None
    found: list[CodeType] = []
    for before, after in zip(_inner(old), _inner(new), strict=True):
        if before == after:
            continue
        if before.co_flags & 2:  # it has local names of its own: a function
            if before.co_freevars != after.co_freevars or "<" in after.co_qualname:
                return None
            found.append(after)
            continue
        deeper = _differences(before, after)
        if deeper is None:
            return None
        found += deeper
    return found


def _own(code: CodeType) -> tuple[object, ...]:
    plain = tuple(repr(each) for each in code.co_consts if not isinstance(each, CodeType))
    return code.co_code, plain, code.co_names, len(_inner(code))


def _last_line(code: CodeType) -> int:
    own = max((line for _, _, line in code.co_lines() if line is not None), default=0)
    return max(own, *map(_last_line, _inner(code)), code.co_firstlineno)


def _inner(code: CodeType) -> list[CodeType]:
    return [each for each in code.co_consts if isinstance(each, CodeType)]


def _live(module: str, qualname: str) -> FunctionType | None:
    """Return the one function of a name in a module as it is now; None where that is unclear."""
    found: Any = sys.modules.get(module)
    for part in qualname.split("."):
        found = vars(found).get(part) if isinstance(found, ModuleType | type) else None
    for inside in ("__wrapped__", "__func__", "fget", "func"):
        found = getattr(found, inside, found)
    is_it = isinstance(found, FunctionType) and found.__qualname__ == qualname
    return found if is_it else None


# -------------------------------------------------------------------- a process of its own
class _Changed(importlib.abc.MetaPathFinder):
    """Finds one module, and gives another text for it."""

    def __init__(self, path: Path, name: str, source: str) -> None:
        self.path, self.name, self.source = path, name, source

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        if fullname != self.name:
            return None
        loader = _Text(fullname, str(self.path))
        loader.code = compile(self.source, str(self.path), "exec", dont_inherit=True)
        return importlib.util.spec_from_file_location(fullname, self.path, loader=loader)


class _Text(importlib.machinery.SourceFileLoader):
    """Loads code that was compiled before."""

    code: CodeType

    def get_code(self, _: str) -> CodeType:
        return self.code


def _with_change(path: str, tests: Sequence[str]) -> int:
    """Run tests on a tree in which one module has the text that comes from the input."""
    sys.meta_path.insert(0, _Changed(Path.cwd() / path, module_name(path), sys.stdin.read()))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 5))
    return pytest.main([*OPTIONS, "-rfE", *tests])


if __name__ == "__main__":
    sys.exit(_with_change(sys.argv[1], sys.argv[2:]))
