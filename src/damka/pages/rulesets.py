"""Rule sets on the pages: cards, the board's data, the rule book."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

import msgspec
from markupsafe import Markup

from damka import Rules, box, locales, rulebook, rules
from damka.draw import svg
from damka.notation import labels, squares
from damka.pages.templates import trusted_svg
from damka.rulebook.steps import steps as how_to_play
from damka.rules import Side
from damka.rules.topics import TOPIC_GROUPS

__all__ = [
    "card",
    "card_of",
    "change",
    "data",
    "groups",
    "paragraphs",
    "play",
    "search_words",
    "sizes",
    "steps",
    "topic_groups",
]


@functools.cache
def groups(language: str) -> list[dict[str, Any]]:
    """Return the rule sets in groups, the boxes of the sheets first."""
    return [
        {"key": key, "boxes": [card(name, language) for name in names]}
        for key, names in box.rule_groups()
    ]


@functools.cache
def search_words(name: str) -> str:
    """Return all search words of a shipped rule set: names and aliases, in any language."""
    of = rules.load(name)
    words = [name, f"{of.width}x{of.height}", str(of.square_count)]
    for language in locales.LANGUAGES:
        aliases = locales.catalogue(language, "search.").get(f"search.{name}", "")
        words += [of.title_in(language), aliases]
    return " ".join(dict.fromkeys(words))


def sizes(house: Iterable[Rules]) -> list[str]:
    """Return the sizes of all boards, such as "8×8", the smallest first."""
    boxes = (*(rules.load(name) for name in rules.names()), *house)
    sizes = {(each.width * each.height, each.width, each.height) for each in boxes}
    return [f"{width}×{height}" for _, width, height in sorted(sizes)]


@functools.cache
def card(name: str, language: str) -> dict[str, Any]:
    """Return the card of a shipped rule set."""
    return card_of(rules.load(name), language)


def card_of(of: Rules, language: str) -> dict[str, Any]:
    """Return the card of rules: title, summary, size, colours, picture, address."""
    return {
        "name": of.name,
        "title": of.title_in(language),
        "summary": of.summary_in(language),
        "width": of.width,
        "height": of.height,
        "size": f"{of.width}×{of.height}",
        "colours": [locales.colour(language, colour) for colour in of.colours],
        "first": of.first,
        "huffing": of.obligation == "huff",
        "svg": trusted_svg(svg.mini(of)),
        "url": f"/rules/{of.name}",
    }


def data(of: Rules, language: str) -> dict[str, Any]:
    """Return the data of the page's board (`RulesData` in web/types.d.ts)."""
    sides: tuple[tuple[Side, str], ...] = (("W", of.colours[0]), ("B", of.colours[1]))
    on = labels(of)
    natural = tuple(str(square) for square in range(1, of.square_count + 1))
    data = {
        "title": of.title_in(language),
        "width": of.width,
        "height": of.height,
        "cells": [of.cell(square) for square in range(1, of.square_count + 1)],
        "colour_names": {side: locales.colour(language, colour, "label") for side, colour in sides},
        "first": of.first,
        "theme": dict(of.theme),
    }
    if on.names != natural:
        data["names"] = on.names
    if on.algebraic:
        data["coordinates"] = squares.coordinates(of)
    if of.squares == "all":
        data["lined"] = True
    return data


def change(of: Rules) -> str:
    """Return the address of the form for changing these rules; "" if they do not fit a link."""
    if of.name in rules.names() and rules.load(of.name) == of:
        return f"/box?base={of.name}"
    link = box.encode(of)
    return f"/box?r={link}" if len(link) <= box.MAX_LINK else ""


def play(of: Rules) -> str:
    """Return the address at which a game by these rules begins; "" if they do not fit a link."""
    if of.name in rules.names() and rules.load(of.name) == of:
        return f"/?rules={of.name}"
    form = change(of)
    return form and f"{form}#play-form"


def steps(of: Rules, language: str) -> list[dict[str, Any]]:
    """Return how to play in five pictures, cached like the rule book."""
    return _steps(msgspec.json.encode(of.to_dict()), language)


def topic_groups(book: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the paragraphs of a rule book in groups."""
    by_topic = {paragraph["topic"]: paragraph for paragraph in book}
    return [
        {"key": key, "paragraphs": [by_topic[topic] for topic in group if topic in by_topic]}
        for key, group in TOPIC_GROUPS.items()
    ]


def paragraphs(of: Rules, language: str, *, tiny: bool = False) -> list[dict[str, Any]]:
    """Return the rule book, cached because its pictures are slow to draw.

    With `tiny`, for pictures that are too small to read, only the picture of the numbering has
    numbers.
    """
    return _paragraphs(msgspec.json.encode(of.to_dict()), language, tiny)


# Cached by all parameters: equal rules may differ in names and notation.
@functools.lru_cache(maxsize=128)
def _paragraphs(of: bytes, language: str, tiny: bool) -> list[dict[str, Any]]:
    book = rulebook.paragraphs(rules.from_dict(msgspec.json.decode(of)), language)
    return [
        {
            "number": paragraph.number,
            "topic": paragraph.topic,
            "text": paragraph.text,
            "items": paragraph.items,
            "svg": _diagram(paragraph, plain=tiny and paragraph.topic != "notation"),
            "caption": paragraph.caption,
            "reading": paragraph.is_reading,
            "note": paragraph.note,
        }
        for paragraph in book
    ]


@functools.lru_cache(maxsize=128)
def _steps(of: bytes, language: str) -> list[dict[str, Any]]:
    return [
        {
            "name": step.name,
            "text": step.text,
            "svg": trusted_svg(step.diagram.svg(language, numbers=False)),
        }
        for step in how_to_play(rules.from_dict(msgspec.json.decode(of)), language)
    ]


def _diagram(paragraph: rulebook.Paragraph, *, plain: bool) -> Markup | None:
    """Return a paragraph's picture, if any; with `plain` it has no numbers."""
    if paragraph.diagram is None:
        return None
    options = {"numbers": False} if plain else {}
    return trusted_svg(paragraph.diagram.svg(paragraph.language, **options))
