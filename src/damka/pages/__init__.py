"""HTML of the pages: templates and their contexts.

This package is independent of HTTP and databases. A server renders the pages for each request; the
static site is rendered once, and its worker renders the parts that depend on a game or a rule set.
Without the `server` extra, importing this package or creating `Templates` raises MissingExtraError.
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
