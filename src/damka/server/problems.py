"""What a request is answered with when it cannot be served: a status, a code and a sentence."""

from __future__ import annotations

from damka import locales
from damka.errors import DamkaError

__all__ = ["Problem", "Refused"]


class Problem(DamkaError):  # noqa: N818  it is an answer, not a fault of the program
    """An HTTP answer of 400 to 599: `code` for programs, the sentence for people.

    `where` names the field or header it is about, `detail` says in technical words what is wrong
    with it (in a loaded file, for example).
    """

    def __init__(
        self, status: int, code: str, *, where: str | None = None, detail: str | None = None
    ) -> None:
        self.status = status
        self.code = code
        self.where = where
        self.detail = detail
        super().__init__(f"{status} {code}{f' ({where})' if where else ''}")

    def sentence(self, language: str) -> str:
        """Return what went wrong, in `language`."""
        return locales.translate(language, f"server.problem.{self.code}")

    def body(self, language: str) -> dict[str, str]:
        """Return the JSON body of the answer."""
        body = {"error": self.code, "message": self.sentence(language)}
        more = {"where": self.where, "detail": self.detail}
        return body | {name: value for name, value in more.items() if value is not None}


class Refused(DamkaError):  # noqa: N818
    """A live message that was understood and not obeyed: `code` is one of the protocol's."""

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(code)

    def sentence(self, language: str) -> str:
        """Return why, in `language`."""
        return locales.translate(language, f"server.error.{self.code}")
