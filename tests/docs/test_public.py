"""What is public says so: by ``__all__``, by a docstring, and by the errors that it names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from tests.docs.blocks import ROOT

SOURCES = sorted([*ROOT.glob("gamecore/**/*.py"), *ROOT.glob("protocols/**/*.py")])
PACKAGES = [path for path in SOURCES if path.name == "__init__.py"]
Function = ast.FunctionDef | ast.AsyncFunctionDef
# Raised where something was forgotten in the code, never by what anybody says.
PRIVATE = {"sqlite", "postgres", "pages"}  # known by their packages alone
OURS = {"AssertionError", "NotImplementedError", "TypeError"}


def public_functions(tree: ast.Module) -> Iterator[Function]:
    """Find the functions of a module and the methods of its classes that others may call."""
    for node in tree.body:
        if isinstance(node, Function) and not node.name.startswith("_"):
            yield node
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from (
                each
                for each in node.body
                if isinstance(each, Function) and not each.name.startswith("_")
            )


def leaving(body: list[ast.stmt]) -> Iterator[ast.expr]:
    """Find what leaves a piece of code by ``raise``, and is not caught in it."""
    for node in body:
        if isinstance(node, ast.Raise) and node.exc is not None:
            yield node.exc
        elif isinstance(node, ast.Try):
            handled = [ast.unparse(each.type) for each in node.handlers if each.type is not None]
            caught = set(re.findall(r"\w+", " ".join(handled)))
            yield from (each for each in leaving(node.body) if name_of(each) not in caught)
            for part in (*(each.body for each in node.handlers), node.orelse, node.finalbody):
                yield from leaving(part)
        elif isinstance(node, ast.With) and "reading" in ast.unparse(node.items[0]):
            continue  # turns whatever is raised into GameClosed
        elif not isinstance(node, Function | ast.ClassDef):
            for name in ("body", "orelse"):
                yield from leaving(getattr(node, name, []))
            for case in getattr(node, "cases", []):
                yield from leaving(case.body)


def name_of(raised: ast.expr) -> str:
    return ast.unparse(raised.func if isinstance(raised, ast.Call) else raised).split(".")[-1]


def key_of(raised: ast.expr) -> str | None:
    """Give the key that something is refused with, if it stands there."""
    if name_of(raised) == "Refused" and isinstance(raised, ast.Call):
        key = raised.args[0]
        return key.value if isinstance(key, ast.Constant) else None
    return None


def is_said(raised: ast.expr, docstring: str) -> bool:
    """Say whether a docstring names an error; what is refused is told by its key."""
    name, key = name_of(raised), key_of(raised)
    if name == "Refused":
        return bool(re.search("[Rr]efuse", docstring)) and (not key or f"``{key}``" in docstring)
    return name in docstring or name in OURS or name[:1].islower()


def unsaid(path: Path) -> Iterator[str]:
    """Name the functions of a module that raise what their docstring does not."""
    for function in public_functions(ast.parse(path.read_text())):
        docstring = ast.get_docstring(function) or ""
        for error in leaving(function.body):
            if not is_said(error, docstring):
                yield f"{path.relative_to(ROOT)}: {function.name} raises {ast.unparse(error)}"


def test_a_public_function_that_raises_says_what():
    assert [each for path in SOURCES for each in unsaid(path)] == []


@pytest.mark.parametrize("path", PACKAGES, ids=lambda path: str(path.parent.relative_to(ROOT)))
def test_the_public_face_of_a_package_is_there_and_explained(path):
    package = import_module(".".join(path.parent.relative_to(ROOT).parts))
    assert package.__doc__
    assert path.parent.name in PRIVATE or package.__all__
    for name in getattr(package, "__all__", ()):
        public = public_thing(package, name)
        assert not callable(public) or public.__doc__, f"{package.__name__}.{name}"


def public_thing(package: ModuleType, name: str) -> object:
    """Find what a package names: something of its own, or one of its modules."""
    return getattr(package, name, None) or import_module(f"{package.__name__}.{name}")
