"""Error responses: a status, a code and a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from damka import locales
from damka.errors import DamkaError, PdnError, RulesError

if TYPE_CHECKING:
    from damka.rules import Rules

__all__ = ["Problem", "Refused"]


class Problem(DamkaError):  # noqa: N818  a response, not a fault of the program
    """HTTP response with status 400 to 599: `code` for programs, the sentence for people.

    `where` names the field or header in question, `detail` describes the error in technical words
    (in a loaded file, for example); `values` fill the sentence; `error` is the error of a box, and
    `pdn` that of a game file, both worded for people; `assumed` are the rules by which the file was
    read because it names none.
    """

    def __init__(  # noqa: PLR0913  one argument per field
        self,
        status: int,
        code: str,
        *,
        where: str | None = None,
        detail: str | None = None,
        values: Mapping[str, object] | None = None,
        error: RulesError | None = None,
        pdn: PdnError | None = None,
        assumed: Rules | None = None,
        plies: int | None = None,
    ) -> None:
        self.status = status
        self.code = code
        self.where = where
        self.detail = str(error)[:300] if error and detail is None else detail
        self.values = dict(values or {})
        self.error = error
        self.pdn = pdn
        self.assumed = assumed
        self.plies = plies
        super().__init__(f"{status} {code}{f' ({where})' if where else ''}")

    def sentence(self, language: str) -> str:
        """Return the error message in `language`."""
        if self.error is not None:
            from damka import box  # noqa: PLC0415  few problems are about boxes

            key, words = box.explain_error(self.error, language)
            if key in box.KEYS:
                return f"{box.prompt(language, key)} {words}"
        if self.pdn is not None and self.code == "bad_file":
            from damka.live import pdn_files  # noqa: PLC0415  nor about files

            return pdn_files.error_message(self.pdn, language, self.assumed)
        return locales.translate(language, f"server.problem.{self.code}", **self.values)

    def body(self, language: str) -> dict[str, str | int]:
        """Return the JSON body of the response."""
        body: dict[str, str | int] = {"error": self.code, "message": self.sentence(language)}
        more = {"where": self.where, "detail": self.detail, "plies": self.plies}
        if self.pdn is not None and self.code == "bad_file":
            more |= {"line": self.pdn.line, "column": self.pdn.column}
        return body | {name: value for name, value in more.items() if value is not None}


class Refused(DamkaError):  # noqa: N818
    """A valid live message that was refused: `code` is one of the protocol's."""

    def __init__(self, code: str, **values: object) -> None:
        self.code = code
        self._values = values
        super().__init__(code)

    def sentence(self, language: str) -> str:
        """Return the reason in `language`."""
        return locales.translate(language, f"server.error.{self.code}", **self._values)
