"""The pages' HTML from values: templates, and what each of them is given.

Nothing here knows HTTP or a database. A server renders the pages for each request; the static site
is rendered once, and its worker renders what depends on a game or a box. Without the extra `server`
importing this package, or making `Templates`, raises MissingExtraError.
"""

from damka.errors import MissingExtraError

try:
    from damka.pages.languages import NAMES, THEMES
    from damka.pages.templates import WEB, Templates, common
except ModuleNotFoundError as error:
    raise MissingExtraError("damka.pages", "server", error) from error

__all__ = ["NAMES", "THEMES", "WEB", "Templates", "common"]


def __dir__() -> list[str]:
    return __all__
