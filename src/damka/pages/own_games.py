"""Context of the page "Your games", and the suggestion of the next level.

- games.html: `sections` ([{key, heading, games, next}], where `games` are entries and `next` is the
  address of the next part, or None), `levels` ([{level, words, won, lost, drawn, total}]), `next`
  ({sentence, button, request} or None), `rule_sets` ([{name, title}]), `query`, `is_empty` (no
  games at all), `download` (address of all games as a file), `picture` (for an empty list)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlencode

import msgspec

from damka import locales, rules
from damka.draw import svg
from damka.live.live_game import LiveGame
from damka.live.own_games import (
    NextLevel,
    OwnGame,
    Query,
    Section,
    SectionKey,
    matching,
    next_level,
    results_by_level,
    section,
)
from damka.live.sentences import Sentences
from damka.pages.contexts import running_game
from damka.pages.templates import page_data, trusted_svg
from damka.rules import Rules

__all__ = ["context", "games_to_load", "sections", "suggestion"]

PATH: Final = "/games"
DOWNLOAD_PATH: Final = "/games.pdn"
_MAX_HOUSE_RULES: Final = 20
_KEYS: Final[tuple[SectionKey, ...]] = ("running", "finished")


def sections(games: Sequence[OwnGame], query: Query) -> list[Section]:
    """Return the shown parts of a list, without empty ones."""
    chosen = matching(games, query)
    keys = [key for key in _KEYS if query.only in {"", key}]
    parts = [section(chosen, key, query.after if query.only else 0) for key in keys]
    return [part for part in parts if part.games]


def games_to_load(games: Sequence[OwnGame], query: Query) -> list[str]:
    """Return the ids of the games whose moves or rules the page needs."""
    ids = [game.id for part in sections(games, query) for game in part.games]
    house = {game.rules: game.id for game in reversed(games) if game.rules not in rules.names()}
    ids += [*house.values()][-_MAX_HOUSE_RULES:]
    upcoming = next_level(games)
    return [*dict.fromkeys([*ids, *([] if upcoming is None else [upcoming.game_id])])]


def context(
    games: Sequence[OwnGame],
    query: Query,
    loaded: Mapping[str, LiveGame],
    holder: str,
    language: str,
) -> dict[str, Any]:
    """Return the context of games.html.

    `games` are all games of the list, latest first. `loaded` has those of `games_to_load`, except
    unreadable ones.
    """
    say = _Say(language)
    rule_titles = _rule_titles(games, loaded, language)
    about = [game for game in games if query.rules in {"", game.rules}]
    return {
        "title": say("title"),
        "sections": [
            {
                "key": part.key,
                "heading": say(part.key),
                "total": part.total,
                "games": [
                    _entry(game, loaded.get(game.id), holder, rule_titles, say)
                    for game in part.games
                ],
                "next": None if part.next is None else _address(query, part.key, part.next),
            }
            for part in sections(games, query)
        ],
        "levels": [
            {
                **each._asdict(),
                "total": each.won + each.lost + each.drawn,
                "words": say.results(each.won, each.lost, each.drawn),
            }
            for each in results_by_level(about)
        ],
        "next": suggestion(games, loaded, language),
        "rule_sets": [
            {"name": name, "title": title}
            for name, title in sorted(rule_titles.items(), key=lambda each: each[1])
        ],
        "query": query,
        "is_empty": not games,
        "download": DOWNLOAD_PATH,
        "picture": None if games else trusted_svg(svg.mini(rules.load(rules.names()[0]))),
        "page": page_data(language),
    }


def suggestion(
    games: Sequence[OwnGame], loaded: Mapping[str, LiveGame], language: str
) -> dict[str, str] | None:
    """Return the suggestion to try the next level, or None.

    `sentence` says it, `button` starts it, `title` names the game, and `request` is the JSON body
    of the request for a new game.
    """
    upcoming = next_level(games)
    live = None if upcoming is None else loaded.get(upcoming.game_id)
    if upcoming is None or live is None:
        return None
    say = _Say(language)
    return {
        "sentence": say("next", beaten=upcoming.beaten, level=upcoming.level),
        "button": say("play_level", level=upcoming.level),
        "title": live.rules.title_in(language),
        "request": msgspec.json.encode(_request(live.rules, upcoming)).decode(),
    }


def _request(of: Rules, upcoming: NextLevel) -> dict[str, Any]:
    """Return the request for a game by the same rules against the next level."""
    request = {"opponent": "computer", "level": upcoming.level, "colour": "lot"}
    if of.name in rules.names():
        # By name, so that the static site can show the board at once.
        shipped = rules.load(of.name)
        if of == shipped:
            return {"rules": of.name, **request}
        if shipped.obligation == "huff" and of == shipped.replace(obligation="forced"):
            return {"rules": of.name, "obligation": "forced", **request}
    return {"rules": of.to_dict(), **request}


def _entry(
    game: OwnGame,
    live: LiveGame | None,
    holder: str,
    rule_titles: Mapping[str, str],
    say: _Say,
) -> dict[str, Any]:
    """Return the entry of a game; without its picture if it cannot be read."""
    rule_title = rule_titles.get(game.rules) or game.rules or say("unreadable")
    entry: dict[str, Any] = {
        "id": game.id,
        "url": f"/game/{game.id}",
        "pdn_url": f"/api/games/{game.id}/pdn",
        "own_title": game.title,
        "rule_title": rule_title,
        "title": game.title or rule_title,
        "at": game.updated,
        "result": game.result,
        "svg": None,
        "opponent": game.opponent or "",
        "outcome": "",
        "sentence": "",
        "moves": "",
        "turn": False,
        "may_remove": True,
        "analysable": live is not None
        and (live.result is not None or not (live.rated or live.in_event)),
        "review": "",
    }
    if live is None:
        return entry
    shown = running_game(live, holder, say.language)
    sides = live.sides_of(holder)
    sentences = Sentences(live, sides, say.language)
    if live.result is not None:
        reader = f"&side={sides[0]}" if len(sides) == 1 else ""
        if live.plies_played:
            entry["review"] = f"/analyse?game={game.id}&review=1{reader}"
        winner, reason = live.result
        entry["outcome"] = sentences.outcome(winner, reason).rstrip(".!")
        entry["sentence"] = sentences.cause(winner, reason)
    else:
        entry["sentence"] = shown["sentence"]
        entry["may_remove"] = not live.online
    return entry | {
        "svg": shown["svg"],
        "opponent": shown["opponent"],
        "turn": shown["turn"],
        "moves": say.moves((live.plies_played + 1) // 2),
    }


def _rule_titles(
    games: Sequence[OwnGame], loaded: Mapping[str, LiveGame], language: str
) -> dict[str, str]:
    """Return the titles of the rules in a list, by name."""
    names = dict.fromkeys(game.rules for game in games)
    house = {live.rules.name: live.rules.title_in(language) for live in loaded.values()}
    return {
        name: rules.load(name).title_in(language) if name in rules.names() else house[name]
        for name in names
        if name in rules.names() or name in house
    }


def _address(query: Query, only: str, after: int) -> str:
    filters = {"rules": query.rules, "result": query.result, "find": query.find}
    chosen = {name: value for name, value in filters.items() if value}
    return f"{PATH}?{urlencode({**chosen, 'only': only, 'after': after})}"


class _Say:
    """Texts of the page in a language."""

    def __init__(self, language: str) -> None:
        self.language: Final = language

    def __call__(self, key: str, /, **values: object) -> str:
        return locales.translate(self.language, f"games.{key}", **values)

    def moves(self, n: int) -> str:
        """Return the number of moves in words; "" for none."""
        return locales.plural(self.language, "games.moves", n) if n else ""

    def results(self, won: int, lost: int, drawn: int) -> str:
        """Return the numbers of games won, lost and drawn, in words."""
        counts = (("won", won), ("lost", lost), ("drawn", drawn))
        parts = [locales.plural(self.language, f"games.n_{key}", n) for key, n in counts if n]
        return " · ".join(parts)
