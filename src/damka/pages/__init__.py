"""The pages' HTML from values: templates, and what each of them is given.

Nothing here knows HTTP or a database. A server renders the pages for each request; the static site
is rendered once, and its worker renders what depends on a game or a box.
"""

from damka.pages.languages import NAMES, THEMES
from damka.pages.templates import WEB, Templates, common

__all__ = ["NAMES", "THEMES", "WEB", "Templates", "common"]


def __dir__() -> list[str]:
    return __all__
