"""Words in the catalogues: consistent terms, verbs on buttons, short labels."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

from damka import locales, rules
from tests.locales.test_locales import FOLDER, entries, texts

RULED_OUT = "Ruled out"
BUTTON_FORMS = "Buttons"
LINE = re.compile(r"- `(?P<pattern>[^`]+)`(?: in `(?P<catalogues>[^`]+)`)?(?:: (?P<instead>.+))?")

# Buttons that perform an action. Links to pages, and actions known by a noun (New game, Rematch,
# Hint), are not included.
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
    *("shell.join_watch", "shell.load", "shell.load_choose", "shell.load_go"),
    *("end.copy", "end.picture", "end.replay", "end.send", "end.share"),
    *("page.end_stronger", "page.end_weaker"),
    *("shell.play", "shell.put_away", "shell.read_rules", "shell.resign", "shell.save_file"),
    *("shell.save_pdn", "shell.undo", "site.keep_file", "site.play_here"),
    *("site.reload", "site.update_now", "token.make", "token.revoke"),
)

# The game's toolbar: with longer labels three buttons would not fit side by side on a phone.
TOOLBAR = (
    *(
        "end.result",
        "event.event",
        "shell.abort",
        "shell.chat",
        "shell.draw",
        "shell.flip",
        "shell.give_time",
    ),
    *("shell.hint", "shell.new_game", "shell.rematch", "shell.resign", "shell.rules", "shell.undo"),
)
TOOLBAR_MAX = 14

# Texts with code, which has straight quotation marks.
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
            re.compile(match["pattern"], re.IGNORECASE),
            frozenset((match["catalogues"] or "").split()),
            match["instead"] or "",
        )
        for match in map(LINE.fullmatch, part.splitlines())
        if match
    ]


def all_texts(language: str) -> list[tuple[str, str, str]]:
    """Return (catalogue, key, text) of all texts of a language, including the rule sets'."""
    result = [
        (catalogue, key, text)
        for (catalogue, key), entry in entries(language).items()
        for text in texts(entry)
    ]
    for name in rules.names():
        loaded = rules.load(name)
        result.append(("sets", f"{name}.title", loaded.title_in(language)))
        result.append(("sets", f"{name}.summary", loaded.summary_in(language)))
    return result


@pytest.mark.parametrize("language", locales.LANGUAGES)
def test_texts_have_no_words_that_the_glossary_rules_out(language: str) -> None:
    word_rules = glossary(language, RULED_OUT)
    wrong = [
        f"{catalogue}: {key}: {match[0]!r} in {text!r}; say {rule.instead}"
        for catalogue, key, text in all_texts(language)
        for rule in word_rules
        if rule.applies(catalogue) and (match := rule.pattern.search(text))
    ]
    assert wrong == []


@pytest.mark.parametrize("language", locales.LANGUAGES)
def test_buttons_are_verbs(language: str) -> None:
    forms = glossary(language, BUTTON_FORMS)
    text_of = {key: texts(entry)[0] for (_, key), entry in entries(language).items()}
    assert text_of.keys() >= set(BUTTONS)
    wrong = {
        key: text_of[key]
        for key in BUTTONS
        if forms and not any(form.pattern.search(text_of[key]) for form in forms)
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
def test_toolbar_labels_are_short(language: str) -> None:
    text_of = {key: texts(entry)[0] for (_, key), entry in entries(language).items()}
    assert {key: text_of[key] for key in TOOLBAR if len(text_of[key]) > TOOLBAR_MAX} == {}


@pytest.mark.parametrize("language", locales.LANGUAGES)
def test_quotation_marks_and_apostrophes_are_typographic(language: str) -> None:
    wrong = [
        (key, text)
        for _, key, text in all_texts(language)
        if "'" in text or ('"' in text and key not in CODE)
    ]
    assert wrong == []
