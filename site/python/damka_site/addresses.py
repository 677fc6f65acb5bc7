"""Mapping of the server's paths to the site's addresses, like `site/js/addresses.js`."""

from __future__ import annotations

__all__ = ["url"]


def url(path: str, up: str = "") -> str:  # noqa: PLR0911  one for each page
    """Return the address of a server's path, from a page of the site.

    `up` is the relative path from the page's folder to that of its language. Paths that are not
    pages stay the same: the page requests them from its worker.

    >>> url("/rules/dama64?game=x#p-promotion", "../")
    '../rules/dama64.html?game=x#p-promotion'
    >>> url("/game/x/rules#p-promotion")
    'house.html?game=x#p-promotion'
    >>> url("/analyse/dama64?fen=W:W22:B5")
    'analyse.html?rules=dama64&fen=W:W22:B5'
    >>> url("/learn/dama64/game")
    'guided.html?rules=dama64'
    >>> url("/learn/dama64/capture.jump"), url("/learn/-/capture.jump?r=x")
    ('lesson.html?rules=dama64&level=capture.jump', 'lesson.html?r=x&level=capture.jump')
    >>> url("/study/-?base=dama64&study=x")
    'study.html?rules=dama64&study=x'
    >>> url("/learn/dama64", "../"), url("/learn/-?r=x")
    ('../learn/dama64.html', 'course.html?r=x')
    """
    rest, hash_, anchor = path.partition("#")
    pathname, _, query = rest.partition("?")
    tail = (f"?{query}" if query else "") + hash_ + anchor
    match pathname.split("/")[1:]:
        case [""]:
            return f"{up}index.html{tail}"
        case ["rules", name]:
            return f"{up}rules/{name}.html{tail}"
        case ["game", game]:
            return f"{up}game.html" + (tail if game == "-" else f"?game={game}{hash_}{anchor}")
        case ["game", game, "rules"]:
            return f"{up}house.html?game={game}{hash_}{anchor}"
        case ["study", _]:
            return f"{up}study.html{tail.replace('?base=', '?rules=')}"
        case ["learn", name]:
            return f"{up}course.html{tail}" if name == "-" else f"{up}learn/{name}.html{tail}"
        case ["analyse" | "box" | "games" | "learn" | "studies" as page]:
            return f"{up}{page}.html{tail}"
        case ["analyse", name]:
            more = f"&{query}" if query else ""
            return f"{up}analyse.html?rules={name}{more}{hash_}{anchor}"
        case ["learn", name, "game" | "print" as what]:
            name_of = {"game": "guided", "print": "course_print"}
            place = tail if name == "-" else f"?rules={name}{hash_}{anchor}"
            return f"{up}{name_of[what]}.html{place}"
        case ["learn", name, level] if "." in level:  # a page has none
            box = query if name == "-" else f"rules={name}"
            return f"{up}lesson.html?{box}&level={level}{hash_}{anchor}"
        case ["box.svg"] if query.startswith("base="):
            return f"{up}../boards/{query.removeprefix('base=')}.svg"
    return path
