"""House rules: the questions of a rule sheet, and the files and links with the answers."""

from typing import TYPE_CHECKING

from damka._former import former_names
from damka.box.advice import explain_error, line_of, suggestion
from damka.box.answers import answers, read, slug
from damka.box.changes import changes, describe_changes, nearest
from damka.box.groups import rule_groups
from damka.box.link import MAX_LINK, base_of, check_link, decode, encode, table
from damka.box.questions import KEYS, prompt, short_answer
from damka.box.template import template
from damka.rules.toml import format_table

__all__ = [
    "KEYS",
    "MAX_LINK",
    "answers",
    "base_of",
    "changes",
    "check_link",
    "decode",
    "describe_changes",
    "encode",
    "explain_error",
    "format_table",
    "line_of",
    "nearest",
    "prompt",
    "read",
    "rule_groups",
    "short_answer",
    "slug",
    "suggestion",
    "table",
    "template",
]


def __dir__() -> list[str]:
    return __all__


if not TYPE_CHECKING:
    __getattr__ = former_names(
        __name__,
        {
            "asked": "prompt",
            "compared": "describe_changes",
            "grouped": "rule_groups",
            "meant": "suggestion",
            "said": "explain_error",
            "shown": "short_answer",
            "toml": "format_table",
        },
    )
