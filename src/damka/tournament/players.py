"""Players of a tournament."""

from __future__ import annotations

import re
from dataclasses import dataclass

from damka.errors import TournamentError
from damka.tournament import checks

__all__ = ["Player"]

_FMJD_ID = re.compile(r"[1-9]\d{0,10}", re.ASCII)
_BIRTH = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Player:
    """A player. Raises TournamentError for a text that is too long or cannot be printed."""

    id: str
    """1 to 40 characters: the FMJD id, which is a number, or an id of your own with a letter in it
    ("p7"). Only numeric ids are written to files."""
    name: str
    """1 to 100 printed characters: "Valneris, Guntis"."""
    rating: int = 0
    """0 to 4,000; 0 for none."""
    title: str = ""
    """Up to 3 letters, such as GMI, MI, MF."""
    federation: str = ""
    """Up to 3 letters."""
    birth: str = ""
    """Year or date of birth, "1967" or "1967-09-24"."""
    sex: str = ""
    """One of "m", "w" and ""."""

    def __post_init__(self) -> None:
        checks.text("player.id", self.id, 1, 40)
        where = f"player {self.id}"
        checks.text(f"{where}, name", self.name, 1)
        checks.rating(f"{where}, rating", self.rating)
        for field in ("title", "federation"):
            value = getattr(self, field)
            checks.text(f"{where}, {field}", value, 0, 3)
            if value and not value.isalpha():
                raise TournamentError(f"{where}, {field}", value, "up to 3 letters")
        if self.sex not in {"", "m", "w"}:
            raise TournamentError(f"{where}, sex", self.sex, '"m", "w" or nothing')
        if self.birth and not (isinstance(self.birth, str) and _BIRTH.fullmatch(self.birth)):
            raise TournamentError(f"{where}, birth", self.birth, "YYYY or YYYY-MM-DD")

    @property
    def has_fmjd_id(self) -> bool:
        """Whether the id is a number, as FMJD ids are."""
        return _FMJD_ID.fullmatch(self.id) is not None

    @property
    def order(self) -> tuple[int, str, str]:
        """Sort key of a starting list: rating, then name."""
        return -self.rating, self.name.casefold(), self.id
