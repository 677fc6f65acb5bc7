"""The state of a game as sent to a page, for every player and in every language."""

from __future__ import annotations

import sys

import pytest

from damka import rulebook, rules
from damka.game import Game
from damka.live import events, messages
from damka.live.live_game import key_of
from damka.live.problems import Refused
from damka.live.state import refusal, state
from damka.locales import LANGUAGES
from damka.move import Move
from damka.rules import Side
from tests.live.live_games import AGAINST_COMPUTER, PEOPLE, live_game, played

# Sentences

SENTENCES = {
    "en": (
        "Your turn.",
        "White: 22 to 18. The computer is thinking.",
        "Black: 11 to 15. Your turn. You must capture with the man on 18.",
        "White to move. The man on 18 must capture.",
        "You won: your opponent has no pieces left.",
        "You lost: you resigned.",
    ),
    "bg": (
        "Ти си на ход.",
        "Белите: от 22 на 18. Компютърът мисли.",
        "Черните: от 11 на 15. Ти си на ход. Трябва да вземеш с пула на 18.",
        "Белите са на ход. Пулът на 18 трябва да вземе.",
        "Ти победи: противникът остана без фигури.",
        "Ти загуби: предаде се.",
    ),
    "sk": (
        "Si na ťahu.",
        "Biely: z 22 na 18. Počítač premýšľa.",
        "Čierny: z 11 na 15. Si na ťahu. Musíš brať kameňom na 18.",
        "Biely je na ťahu. Kameň na 18 musí brať.",
        "Víťazstvo: súper už nemá žiadnu figúrku.",
        "Prehra vzdaním partie.",
    ),
    "it": (
        "Tocca a te.",
        "Il bianco: da 22 a 18. Il computer sta pensando.",
        "Il nero: da 11 a 15. Tocca a te. Devi mangiare con la pedina in 18.",
        "Il bianco deve muovere. La pedina in 18 deve mangiare.",
        "Hai vinto: l’avversario non ha più pezzi.",
        "Hai perso: hai abbandonato.",
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sentences_of_a_game(language: str) -> None:
    you: tuple[Side, ...] = ("W",)
    start = live_game(seats=AGAINST_COMPUTER)
    moved = played("22-18", seats=AGAINST_COMPUTER)
    capture = played("22-18 11-15")
    won = played("22x15x18", Game("dama64", "W:W22:B18"))
    resigned = live_game("dama64", events.Resigned("W"))
    result = state(resigned, you, language).result
    assert result is not None
    assert SENTENCES[language] == (
        state(start, you, language).status.sentence,
        state(moved, you, language).announce,
        state(capture, you, language).announce,
        state(capture, (), language).status.sentence,
        state(won, you, language).status.sentence,
        result.sentence,
    )


ENDINGS = {
    "no_pieces": ("dama64", "W:W22:B18", "22x15x18"),
    "no_moves": ("dama64", "W:W29,30:B21", "29-25"),
    "no_progress": ("dama64", "W:WK32:BK1", "32-28 1-5 28-32 5-1 " * 15),
    "same_move": ("dama100", "W:WK46:BK6", "46-41 6-1 41-46 1-6 " * 3),
    "repetition": ("dama64", "W:WK32:BK1", "32-28 1-5 28-32 5-1 " * 3),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reason", ENDINGS)
def test_every_result_has_a_sentence_and_a_rule(language: str, reason: str) -> None:
    name, fen, moves = ENDINGS[reason]
    rule_set = rules.load(name)
    # A draw by repetition would come first.
    rule_set = rule_set.replace(repetition=0) if reason == "no_progress" else rule_set
    live = live_game(Game(rule_set, fen))
    for move in moves.split():
        live.apply(live.move(("W", "B"), live.ply, move))
        if live.result is not None:
            break
    view = state(live, ("W", "B"), language)
    assert view.result is not None
    assert view.result.reason == reason
    assert view.status.sentence == view.result.sentence
    assert "{" not in view.result.sentence
    assert view.result.rule is not None
    assert view.result.rule.url.endswith("#p-goal" if reason == "no_pieces" else f"#p-{reason}")
    assert view.status.rule == view.result.rule
    assert view.legal == ()
    assert not view.can.resign


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_is_announced(language: str) -> None:
    """In every language each kind of event has its own sentence, with the names filled in."""
    offence = Game("dama100", "W:W33,41:B28,7,12")
    log: list[events.Event] = [
        events.UndoOffered("W"),
        events.UndoDeclined("B"),
        events.DrawOffered("W"),
        events.DrawDeclined("B"),
        events.Moved("W", "41-36"),
        events.Huffed("B", 33),
        events.Undone("B", 1),
        events.Resigned("B"),
    ]
    sentences = [state(live_game(offence), ("W", "B"), language).announce]
    for end in range(1, len(log) + 1):
        sentences.append(state(live_game(offence, *log[:end]), ("W", "B"), language).announce)
    assert len(set(sentences)) == len(sentences)
    assert not any("{" in sentence for sentence in sentences)


def test_the_status_line_names_kings_and_several_pieces() -> None:
    king = live_game(Game("dama64", "W:WK32,9:B27,20"))
    assert "with the king on 32" in state(king, ("W",), "en").status.sentence
    live = live_game(Game("american", "B:B10,11:W14,15,16"))
    view = state(live, ("B",), "en")
    assert view.must == (10, 11)
    assert view.status.sentence == "Your turn. You must capture with the piece on 10 or 11."


def test_a_crowned_man_is_announced() -> None:
    live = played("5-1", Game("dama64", "W:W5,31:B4,8"))
    assert state(live, ("B",), "en").announce.startswith("White: 5 to 1. New king on 1.")


# Seats


def test_each_player_gets_the_actions_of_their_side() -> None:
    live = played("22-18", seats=AGAINST_COMPUTER)
    own, spectator = state(live, ("W",), "en").can, state(live, (), "en").can
    assert own == messages.Can(
        undo=True,
        draw=True,
        resign=True,
        hint=False,
        rematch=False,
        huff=False,
        answer_draw=False,
        answer_undo=False,
        analyse=True,
    )
    actions = [each for each in messages.Can.__struct_fields__ if getattr(spectator, each)]
    assert actions == ["analyse"], "a spectator has no actions in the game"


def test_only_the_opponent_can_answer_a_draw_offer() -> None:
    live = live_game("dama64", events.DrawOffered("W"))
    assert state(live, ("W",), "en").draw_question is None
    assert state(live, ("B",), "en").draw_question == "White offers a draw. Do you accept?"
    assert state(live, (), "en").draw_question is None
    assert state(live, ("B",), "en").can.answer_draw
    assert not state(live, ("W",), "en").can.answer_draw


def test_the_names_of_the_players() -> None:
    names = {
        seats: [
            player.name for player in state(live_game(seats=seats), ("W",), "en").players.values()
        ]
        for seats in (PEOPLE, AGAINST_COMPUTER)
    }
    assert names[PEOPLE] == ["Player 1", "Player 2"]
    assert names[AGAINST_COMPUTER] == ["You", "Computer"]
    assert state(live_game(seats=AGAINST_COMPUTER), (), "en").players["W"].name == "Player"


# Moves


def test_links_to_rules_need_no_rule_book(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the browser, a first capture would otherwise wait for a second download."""
    for name in [each for each in sys.modules if each.startswith("damka.rulebook")]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delattr("damka.rulebook")
    capture = state(played("22-18 11-15"), ("W",), "en")
    assert capture.status.rule is not None
    number = rulebook.number(rules.load("dama64"), "obligation")
    assert capture.status.rule.number == number


def test_a_refusal_has_a_sentence_and_a_rule() -> None:
    live = live_game()
    why = live.game.why_not([22, 14])
    assert why is not None
    answer = refusal(live, why, (22, 14), "en")
    assert (answer.code, answer.clicks) == (why.code, (22, 14))
    assert answer.sentence == why.sentence("en")
    assert answer.rule is not None
    assert answer.rule.url == f"/rules/dama64?game={live.id}#p-{answer.topic}"


def test_two_moves_with_the_same_hub_text_have_different_keys() -> None:
    man = Move(11, 11, (6, 7, 14, 15))
    king = Move(11, 11, (6, 7, 14, 15), crowns=True)
    assert key_of(man, (man, king)) == man.hub()
    assert key_of(king, (man, king)) == f"{man.hub()}="
    assert key_of(king, (king,)) == king.hub()


def test_equal_games_have_equal_states() -> None:
    live = played("22-18 11-15")
    same = played("22-18 11-15")
    assert messages.encode(state(live, ("W",), "sk")) == messages.encode(state(same, ("W",), "sk"))


def test_an_impossible_log_is_refused() -> None:
    with pytest.raises(Refused):
        live_game("dama64", events.Moved("W", "1-32"))
