"""Contexts of the pages' templates, besides the common values (`templates`).

- choose.html: `boxes` (`rulesets.card`), `groups` ([{key, boxes}]), `search_words` (of a name),
  `count` (of the rule sets), `house` (cards of the house boxes on offer, with `url` to play
  them), `sizes` (of the boards, such as "8×8", the smallest first), `running` (`running_game`),
  `levels`, `default_level`,
  `engines` (the operator's, with the `rules` of each), `most_pdn` (maximum bytes of a file of
  games), `seeks` (whether the visitor has an open challenge), `next`
  (the suggestion of `own_games`, or None)
- game.html: `event` ({url, name} of the game's event), `online` (on two devices),
  `rated`, `invitation` (to the game, for the inviter), `latest_message`
  (the number of the last chat message, None if there is none for this visitor),
  `game_id`, `title`, `rules_url`, `file_url`, `pdn_url`, `picture_url`, `replay_url`,
  `most_level` (the computer's strongest), `two_people`, `broad`
  (whether the board is wider than high), `state` (JSON of the first state message)
- rules.html: `rules` (a card), `title`, `paragraphs`, `sources`, `groups`, `lessons` (paths of
  the levels by the topics of paragraphs), `change` (the form for
  changing these rules), `back` ({url} of the current game, or None)
- join.html: `invitation`, None for the code form, and `wrong` (the code was invalid);
  otherwise `game_id`, `game_url`, `name` (of the inviter), `rules` (a card), `picture` (the current
  board), `colour` (the open seat), `begins`, `under_way`, `clock` (a sentence), `rated`,
  `own`, `no_draw_before` (a move, or None)
- error.html: `status`, `title`, `sentence`
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from damka import Rules, locales, rules
from damka.draw import svg
from damka.engine import levels
from damka.live import lesson_links, messages
from damka.live.clock import DAY, ClockSettings
from damka.live.live_game import LiveGame
from damka.live.problems import Problem
from damka.live.seating import Sides
from damka.live.sentences import Sentences
from damka.live.state import rules_url
from damka.pages import rulesets
from damka.pages.templates import escape_script, levels_in, page_data, trusted_svg
from damka.rules import other

__all__ = [
    "choose",
    "clock_in_words",
    "clock_name",
    "error",
    "game",
    "game_rules",
    "invitation",
    "join",
    "running_game",
]

BOXES: Final = rules.names()[:3]


def choose(
    language: str,
    *,
    house: Sequence[Rules] = (),
    running: Iterable[dict[str, Any]] = (),
    engines: Sequence[object] = (),
    most_pdn: int,
    seeks: bool = False,
    suggestion: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return the context of choose.html."""
    # In the browser, the lessons arrive after a first game has begun.
    from damka.pages import course_ids  # noqa: PLC0415

    return {
        "running": list(running),
        "boxes": [rulesets.card(name, language) for name in BOXES],
        "groups": rulesets.groups(language),
        "count": len(rules.names()),
        "house": [
            {**rulesets.card_of(each, language), "url": rulesets.change(each)} for each in house
        ],
        "search_words": rulesets.search_words,
        "course_mark": course_ids.mark,
        "sizes": rulesets.sizes(house),
        "levels": levels_in(language),
        "default_level": levels.DEFAULT,
        "engines": engines,
        "most_pdn": most_pdn,
        "seeks": seeks,
        "next": suggestion,
    }


def game(
    live: LiveGame,
    shown: messages.State,
    language: str,
    past: Iterable[bytes],
    event: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return the context of game.html: `live` as in the message `shown`, with the history `past`.

    The entries of the history are already JSON.
    """
    strings = {}
    if event is not None:
        # An aborted game of an event is lost.
        strings["abort_sure"] = locales.translate(language, "event.abort_sure")
    return {
        "event": event,
        "game_id": live.id,
        "title": live.rules.title_in(language),
        "rules_url": rules_url(live),
        "file_url": f"/api/games/{live.id}/file",
        "pdn_url": f"/api/games/{live.id}/pdn",
        "picture_url": f"/api/games/{live.id}/picture.svg",
        "replay_url": f"/api/games/{live.id}/replay.svg",
        "most_level": len(levels.LEVELS),
        "two_people": live.computer is None,
        "invitation": shown.invitation,
        "online": shown.online,
        "rated": shown.rated,
        "latest_message": None,
        "broad": live.rules.width > live.rules.height,
        "state": escape_script(messages.full_frame(messages.fields(shown), past)),
        "page": page_data(language, rulesets.data(live.rules, language), strings),
    }


def game_rules(of: Rules, language: str, game_id: str | None = None) -> dict[str, Any]:
    """Return the context of rules.html; `game_id` is that of the current game."""
    book = rulesets.paragraphs(of, language)
    return {
        "rules": rulesets.card_of(of, language),
        "title": of.title_in(language),
        "steps": rulesets.steps(of, language),
        "topic_groups": rulesets.topic_groups(book),
        "lessons": lesson_links.of_topics(of),
        "play": rulesets.play(of),
        "paragraphs": book,
        "sources": of.sources,
        "change": rulesets.change(of),
        "back": None if game_id is None else {"url": f"/game/{game_id}"},
        "groups": rulesets.groups(language),
    }


def join(language: str, *, wrong: bool = False) -> dict[str, Any]:
    """Return the context of join.html with the code form."""
    return {
        "title": locales.translate(language, "shell.join_title"),
        "invitation": None,
        "wrong": wrong,
    }


def invitation(live: LiveGame, language: str, *, own: bool) -> dict[str, Any]:
    """Return the context of join.html for a game with an open seat."""
    side = live.open_side or "B"
    inviter = live.seats[other(side)]
    of = live.rules
    board = svg.mini(of, live.game.board.pieces, flip=side == "B")
    shown = {
        "game_id": live.id,
        "game_url": f"/game/{live.id}",
        "name": inviter.name or live.game.players.get(other(side)),
        "rules": {**rulesets.card_of(of, language), "url": rules_url(live)},
        "picture": trusted_svg(board),
        "colour": locales.colour(language, of.colours[0 if side == "W" else 1]),
        "begins": live.ply == 0 and live.game.turn == side,
        "under_way": live.plies_played > 0,
        "clock": clock_in_words(None if live.clock is None else live.clock.settings, language),
        "no_draw_before": live.no_draw_before,
        "rated": live.rated,
        "own": own,
    }
    title = locales.translate(language, "shell.join_title")
    return {"title": title, "invitation": shown, "wrong": False, "page": page_data(language)}


def clock_in_words(settings: ClockSettings | None, language: str) -> str:
    """Return a sentence about a clock."""
    if settings is None:
        return locales.translate(language, "shell.clock_is_none")
    if settings.kind == "days":
        days = locales.plural(language, "shell.clock_days", settings.seconds // DAY)
        return f"{days[:1].upper()}{days[1:]}."
    minutes, seconds = divmod(settings.seconds, 60)
    time = f"{minutes}:{seconds:02} min" if seconds else f"{minutes} min"
    key = f"shell.clock_is_{settings.kind}"
    return locales.translate(language, key, time=time, n=settings.increment)


def clock_name(settings: ClockSettings | None, language: str) -> str:
    """Return a clock's short name in lists: "5+3"."""
    if settings is None:
        return locales.translate(language, "shell.clock_none")
    if settings.kind == "days":
        return locales.plural(language, "shell.clock_days", settings.seconds // DAY)
    return settings.text


def error(problem: Problem, language: str, back: str | None = None) -> dict[str, Any]:
    """Return the context of error.html; `back` is the URL to return to, by default "/"."""
    return {
        "back": back,
        "status": problem.status,
        "title": locales.translate(language, "server.problem.sorry"),
        "sentence": problem.sentence(language),
    }


def running_game(live: LiveGame, holder: str, language: str) -> dict[str, Any]:
    """Return the start page's entry of a game that `holder` can resume."""
    you = live.sides_of(holder)
    sentences = Sentences(live, you, language)
    board = svg.mini(live.rules, live.game.board.pieces, flip=you == ("B",))
    return {
        "id": live.id,
        "url": f"/game/{live.id}",
        "title": live.rules.title_in(language),
        "svg": trusted_svg(board),
        "sentence": sentences.status()[0],
        "you": you,
        "opponent": _opponent(live, sentences, you),
        "turn": live.online and live.open_side is None and live.game.turn in you,
    }


def _opponent(live: LiveGame, sentences: Sentences, you: Sides) -> str:
    if live.online and you:
        clock = "" if live.clock is None else live.clock.settings.text
        return " · ".join(part for part in (sentences.name(other(you[0])), clock) if part)
    if live.computer is None:
        names = [live.game.players.get(seat.side) for seat in live.seats.values()]
        if all(names):
            return sentences.say("name.between", one=names[0], other=names[1])
        return sentences.say("name.two_people")
    if live.engine is not None:
        return sentences.say("name.against_engine", engine=live.engine)
    if live.guided is not None:
        return locales.translate(sentences.language, "learn.game.title")
    return sentences.say("name.against_computer", level=live.seats[live.computer].level or 1)
