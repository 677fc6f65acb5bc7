"""The words of the catalogues: one for one thing, buttons that are verbs, labels that fit."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

from damka import locales, rules
from tests.locales.test_locales import FOLDER, entries, texts

RULED_OUT = "Ruled out"
BUTTON_FORMS = "Buttons"
LINE = re.compile(r"- `(?P<pattern>[^`]+)`(?: in `(?P<catalogues>[^`]+)`)?(?:: (?P<instead>.+))?")

# Buttons that do what they say. Links that name a page or an action known by a noun (New game,
# Rematch, Hint) are not among them.
BUTTONS = (
    *("account.block", "account.close.go", "account.log_in", "account.log_out"),
    *("account.register_passkey", "account.register_password", "account.remove"),
    *("account.reports.settle", "account.save", "account.unblock", "box.page.change"),
    *("box.page.copy", "box.page.download", "box.page.show", "box.page.start", "chat.page.send"),
    *("event.act.pause", "event.act.resume", "event.join", "event.leave", "event.make"),
    *("lobby.accept", "lobby.cancel", "lobby.find", "lobby.make"),
    *("page.abort_yes", "page.agree", "page.claim_draw", "page.claim_win", "page.decline"),
    *("page.draw_offer", "page.draw_yes", "page.huff_leave", "page.huff_take"),
    *("page.play_anyway", "page.play_move", "page.resign_no", "page.resign_yes"),
    *("page.take_back", "page.withdraw", "shell.abort", "shell.close", "shell.continue"),
    *("shell.draw", "shell.flip", "shell.free", "shell.invite", "shell.invite_cancel"),
    *("shell.invite_computer", "shell.invite_copy", "shell.join_go", "shell.join_play"),
    *("shell.join_watch", "shell.load", "shell.load_choose", "shell.load_go", "shell.look"),
    *("shell.play", "shell.put_away", "shell.read_rules", "shell.resign", "shell.save_file"),
    *("shell.save_pdn", "shell.undo", "site.keep_file", "site.play_here"),
    *("site.reload", "site.update_now", "token.make", "token.revoke"),
)

# The toolbar of the game: longer labels would make a telephone's buttons too narrow for three.
TOOLBAR = (
    *("event.event", "shell.abort", "shell.chat", "shell.draw", "shell.flip", "shell.give_time"),
    *("shell.hint", "shell.new_game", "shell.rematch", "shell.resign", "shell.rules", "shell.undo"),
)
TOOLBAR_MOST = 14

# Texts that show code, in which quotation marks are straight.
CODE = {"box.problem.base", "box.problem.toml.value", "server.pdn.tag"}


class Rule(NamedTuple):
    """A line of a glossary."""

    pattern: re.Pattern[str]
    catalogues: frozenset[str]
    instead: str

    def applies(self, catalogue: str) -> bool:
        return not self.catalogues or catalogue in self.catalogues


def glossary(language: str, section: str) -> list[Rule]:
    """Return the lines with a pattern in a section of a language's glossary."""
    path = FOLDER / language / "GLOSSARY.md"
    if not path.exists():
        return []
    part = path.read_text("utf-8").partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    return [
        Rule(
            re.compile(found["pattern"], re.IGNORECASE),
            frozenset((found["catalogues"] or "").split()),
            found["instead"] or "",
        )
        for found in map(LINE.fullmatch, part.splitlines())
        if found
    ]


def spoken(language: str) -> list[tuple[str, str, str]]:
    """Return (catalogue, key, text) of all texts of a language, those of the rule sets as well."""
    found = [
        (catalogue, key, text)
        for (catalogue, key), entry in entries(language).items()
        for text in texts(entry)
    ]
    for name in rules.names():
        loaded = rules.load(name)
        found.append(("sets", f"{name}.title", loaded.title_in(language)))
        found.append(("sets", f"{name}.summary", loaded.summary_in(language)))
    return found


@pytest.mark.parametrize("language", locales.LANGUAGES)
def test_no_text_has_a_word_that_the_glossary_rules_out(language: str) -> None:
    rules_of_words = glossary(language, RULED_OUT)
    wrong = [
        f"{catalogue}: {key}: {match[0]!r} in {text!r}; say {rule.instead}"
        for catalogue, key, text in spoken(language)
        for rule in rules_of_words
        if rule.applies(catalogue) and (match := rule.pattern.search(text))
    ]
    assert wrong == []


@pytest.mark.parametrize("language", locales.LANGUAGES)
def test_buttons_are_verbs(language: str) -> None:
    forms = glossary(language, BUTTON_FORMS)
    said = {key: texts(entry)[0] for (_, key), entry in entries(language).items()}
    assert said.keys() >= set(BUTTONS)
    wrong = {
        key: said[key]
        for key in BUTTONS
        if forms and not any(form.pattern.search(said[key]) for form in forms)
    }
    assert wrong == {}


def test_the_english_glossary_is_read() -> None:
    assert len(glossary("en", RULED_OUT)) > 20
    assert glossary("en", BUTTON_FORMS)
    (lot,) = (rule for rule in glossary("en", RULED_OUT) if rule.pattern.search("By lot"))
    assert lot.applies("lobby")
    assert not lot.applies("rulebook")
    assert lot.instead == "random"


@pytest.mark.parametrize("language", locales.LANGUAGES)
def test_labels_of_the_toolbar_are_short(language: str) -> None:
    said = {key: texts(entry)[0] for (_, key), entry in entries(language).items()}
    assert {key: said[key] for key in TOOLBAR if len(said[key]) > TOOLBAR_MOST} == {}


@pytest.mark.parametrize("language", locales.LANGUAGES)
def test_quotation_marks_and_apostrophes_are_typographic(language: str) -> None:
    wrong = [
        (key, text)
        for _, key, text in spoken(language)
        if "'" in text or ('"' in text and key not in CODE)
    ]
    assert wrong == []
