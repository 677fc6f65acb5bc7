"""The pages in docs/rules are up to date, with introductions, and written by a command."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from damka import rulebook
from damka.rulebook import pages as rule_pages
from damka.rulebook import summary
from damka.rulebook.__main__ import main
from damka.rules import load, names

BOXES = ("dama64", "american", "dama100")
DOCS = Path(__file__).parents[2] / "docs" / "rules"


def content(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_text("utf-8") for path in files}


@pytest.mark.parametrize("name", names())
def test_the_pages_under_docs_are_up_to_date(name: str) -> None:
    """Run `python -m damka.rulebook docs/rules` if this fails."""
    rules = load(name)
    paragraphs = rulebook.paragraphs(rules, "en")
    page = (DOCS / f"{name}.md").read_text("utf-8")
    assert page == rule_pages.page(rules, paragraphs, page)
    drawn = rule_pages.pictures(rules, paragraphs)
    assert drawn == rule_pages.pictures(rules, rulebook.paragraphs(rules, "en"))
    assert all(ElementTree.fromstring(svg).tag.endswith("}svg") for svg in drawn.values())  # noqa: S314
    shown = re.findall(r"^(?:<!-- )?!\[.*\]\((.*)\)(?: -->)?$", page, re.MULTILINE)
    assert shown == list(drawn)
    if name in BOXES:
        stored = content(DOCS / "diagrams" / name)
        assert {f"diagrams/{name}/{place}": svg for place, svg in stored.items()} == drawn


def test_the_repository_has_the_pictures_of_its_pages() -> None:
    """A page of docs/rules has its pictures in comments unless git tracks them."""
    shown = {path.stem for path in DOCS.glob("*.md") if "\n![" in path.read_text("utf-8")}
    ignored = (DOCS.parents[1] / ".gitignore").read_text("utf-8")
    assert "\n/docs/rules/diagrams/*\n" in ignored
    assert shown == set(re.findall(r"^!/docs/rules/diagrams/([\w-]+)/$", ignored, re.MULTILINE))
    assert shown == set(BOXES)


@pytest.mark.parametrize("name", names())
def test_every_page_has_its_own_introduction_and_is_listed(name: str) -> None:
    page = (DOCS / f"{name}.md").read_text("utf-8")
    by_hand, mark, _ = page.partition(rule_pages.MARK)
    assert mark
    heading, _, words = by_hand.partition("\n")
    assert heading.startswith("# ")
    assert heading.endswith(f"(`{name}`)")
    assert len(words) > 100
    assert f"]({name}.md), `{name}`" in (DOCS / "README.md").read_text("utf-8")


def test_the_comparison_of_rule_sets_is_up_to_date() -> None:
    """Run `python -m damka.rulebook docs/rules` if this fails."""
    every = [load(name) for name in names()]
    page = (DOCS / "parameters.md").read_text("utf-8")
    assert page.endswith(summary.table(every))
    common = summary.usual(every)
    assert {key for keys in summary.TABLES.values() for key in keys} == common.keys()
    for rules in every:
        own = dict(summary.differences(rules, common))
        assert rules == rules.replace(**(common | own))


def test_links_of_the_pages_lead_to_existing_targets() -> None:
    for path in DOCS.glob("*.md"):
        page = re.sub(r"<!--.*?-->", "", path.read_text("utf-8"))
        for link in re.findall(r"\]\(([^)]+)\)", page):
            file, _, anchor = link.partition("#")
            target = (path.parent / file) if file else path
            assert target.exists(), (path, link)
            if anchor:
                whole = target.read_text("utf-8")
                assert f'id="{anchor}"' in whole or anchor.replace("-", " ") in whole.lower()


@pytest.mark.parametrize("name", BOXES)
def test_pages_of_the_boxes_list_our_interpretations(name: str) -> None:
    page = (DOCS / f"{name}.md").read_text("utf-8")
    listed = page.partition("## Our interpretation")[2]
    for paragraph in rulebook.paragraphs(load(name), "en"):
        assert (f"[{paragraph.number}](#{paragraph.topic})" in listed) == paragraph.is_reading


def test_writing_preserves_introductions_and_removes_old_pictures(tmp_path: Path) -> None:
    home = tmp_path / "diagrams" / "dama64"
    home.mkdir(parents=True)
    (home / "weather.svg").write_text("<svg/>", "utf-8")
    (tmp_path / "dama64.md").write_text(f"# Ours\n\n{rule_pages.MARK}\n\nold", "utf-8")
    rule_pages.write(load("dama64"), tmp_path)
    files = content(tmp_path)
    assert files["dama64.md"].startswith(f"# Ours\n\n{rule_pages.MARK}\n\n## The rules")
    assert "old" not in files["dama64.md"].split("\n")
    assert "diagrams/dama64/weather.svg" not in files
    rule_pages.write(load("dama64"), tmp_path)
    assert content(tmp_path) == files


def test_commented_pictures_stay_commented(tmp_path: Path) -> None:
    rules = load("dama64")
    book = rulebook.paragraphs(rules, "en")
    shown = rule_pages.page(rules, book)
    hidden = re.sub(r"^(!\[.*)$", r"<!-- \1 -->", shown, flags=re.MULTILINE)
    assert hidden.count("<!-- ![") == shown.count("\n![") == len(rule_pages.pictures(rules, book))
    assert rule_pages.page(rules, book, hidden) == hidden
    assert rule_pages.page(rules, book, shown) == shown


def test_the_command_writes_pages_of_house_rules(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('base = "dama64"\nname = "mine"\nprecedence = []\n', "utf-8")
    assert main([str(tmp_path / "out"), str(mine)]) == 0
    assert "mine.md: 21 pictures" in capsys.readouterr().out
    assert (tmp_path / "out" / "mine.md").read_text("utf-8").startswith("# mine")


def test_the_command_without_a_folder_prints_its_usage(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([]) == 2
    assert "python -m damka.rulebook FOLDER" in capsys.readouterr().err
