"""Every example of the docstrings and of the README runs, and gives the result that it shows."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import pspge

README = Path(__file__).resolve().parent.parent / "README.md"
ROOT = README.parent.parent.parent


def examples() -> list[doctest.DocTest]:
    """Lists the examples of each docstring, and those of the README."""
    names = [f"pspge.{module.name}" for module in pkgutil.iter_modules(pspge.__path__) if module.name != "_native"]
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = []
    for name in ["pspge", *names]:
        module = importlib.import_module(name)
        found += [test for test in finder.find(module, name, module) if test.examples]
    text = README.read_text(encoding="utf-8")
    found.append(doctest.DocTestParser().get_doctest(text, {}, "README.md", str(README), 0))
    return found


@pytest.mark.parametrize("test", examples(), ids=lambda test: test.name)
@pytest.mark.filterwarnings("error")
def test_example(test: doctest.DocTest, capsys: pytest.CaptureFixture[str]) -> None:
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    # Keeps the examples for another run.
    result = runner.run(test, clear_globs=False)
    assert result.failed == 0, capsys.readouterr().out


def test_the_readme_of_the_project(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) == 1, "one example"
    monkeypatch.chdir(ROOT)
    exec(compile(blocks[0], "README.md", "exec"), {})
    assert capsys.readouterr().out.startswith("draw 78 of 140, triangle 9: written")


def test_there_are_examples() -> None:
    assert len(examples()) > 45
    assert len(examples()[-1].examples) > 15, "those of the README"
