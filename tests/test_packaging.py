"""Nothing that the checkout holds is missing from what people install."""

from __future__ import annotations

import os
from importlib import import_module
from importlib.resources import files

import pytest

from project import ROOT, setup

LINKS = {"__init__.py": "../../rulesdsl/__init__.py", "interpreter": "../../interpreter", "cli": "../../cli"}


def test_every_folder_is_listed() -> None:
    """A folder that the list forgets works in the checkout and is missing from the wheel."""
    homes = {folder: name for name, folder in setup()["package-dir"].items()}
    on_disk = {
        ".".join([homes[top], *init.parent.relative_to(ROOT / top).parts])
        for top in homes
        for init in (ROOT / top).rglob("__init__.py")
    }
    assert on_disk == set(setup()["packages"])


def test_every_python_file_lies_in_a_package() -> None:
    for folder in setup()["package-dir"].values():
        for path in (ROOT / folder).rglob("*.py"):
            assert (path.parent / "__init__.py").exists(), f"{path.parent} holds Python files and no __init__.py"


def test_every_data_file_is_listed() -> None:
    homes: dict[str, str] = setup()["package-dir"]
    listed = set()
    for package, patterns in setup()["package-data"].items():
        home = max((name for name in homes if f"{package}.".startswith(f"{name}.")), key=len)
        folder = ROOT.joinpath(homes[home], *package.removeprefix(home).strip(".").split("."))
        for pattern in patterns:
            listed |= set(folder.glob(pattern))
    on_disk = {
        path
        for folder in homes.values()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and path.suffix != ".py" and "__pycache__" not in path.parts
    }
    assert not sorted(on_disk - listed)


@pytest.mark.parametrize("package", setup()["packages"])
def test_every_package_can_be_imported(package: str) -> None:
    import_module(package)


@pytest.mark.parametrize("package", ["rulesdsl.games", "rulesdsl.schema"])
def test_data_is_reached_through_its_package(package: str) -> None:
    assert files(package).joinpath("__init__.py").is_file()


def test_type_checkers_find_the_mapped_folders() -> None:
    """A checkout without symbolic links runs and builds all the same, and holds the targets as text instead."""
    folder = ROOT / ".typing" / "rulesdsl"
    assert {path.name for path in folder.iterdir()} == set(LINKS)
    for name, target in LINKS.items():
        link = folder / name
        assert (os.readlink(link) if link.is_symlink() else link.read_text(encoding="utf-8")) == target
