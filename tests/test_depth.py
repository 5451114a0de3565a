from __future__ import annotations

import inspect
import pkgutil
from importlib import import_module
from pathlib import Path

import coloma
import rulesdsl

OURS = (rulesdsl, coloma)
MAX_ANCESTORS = 2


def test_no_class_of_ours_has_many_ancestors() -> None:
    modules = [
        import_module(each.name)
        for package in OURS
        for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if not each.name.endswith("__main__")  # it would run
    ]
    classes = {cls for module in modules for _, cls in inspect.getmembers(module, inspect.isclass)}
    deep = {cls for cls in classes if _is_ours(cls) and len(_ancestors(cls)) > MAX_ANCESTORS}

    assert {cls.__qualname__ for cls in deep} == set()


def test_no_method_is_left_to_those_who_inherit() -> None:
    files = [file for each in OURS for path in each.__path__ for file in Path(path).rglob("*.py")]
    stubs = [file for file in files if "NotImplementedError" in file.read_text(encoding="utf-8")]

    assert files
    assert stubs == []


def _ancestors(cls: type) -> list[type]:
    return [each for each in cls.__mro__[1:] if _is_ours(each)]


def _is_ours(cls: type) -> bool:
    return cls.__module__.split(".")[0] in {package.__name__ for package in OURS}
