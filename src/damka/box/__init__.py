"""House rules: the questions of a rule sheet, and the files and links with the answers."""

from damka.box.advice import line_of, meant, said
from damka.box.answers import answers, read, slug
from damka.box.changes import changes, compared, nearest
from damka.box.groups import grouped
from damka.box.link import MAX_LINK, base_of, check_link, decode, encode, table
from damka.box.questions import KEYS, asked, shown
from damka.box.template import template
from damka.rules.toml import toml

__all__ = [
    "KEYS",
    "MAX_LINK",
    "answers",
    "asked",
    "base_of",
    "changes",
    "check_link",
    "compared",
    "decode",
    "encode",
    "grouped",
    "line_of",
    "meant",
    "nearest",
    "read",
    "said",
    "shown",
    "slug",
    "table",
    "template",
    "toml",
]


def __dir__() -> list[str]:
    return __all__
