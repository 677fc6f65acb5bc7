"""Names and comments in 8-bit code pages."""

from __future__ import annotations

import io
import string

import pytest

from damka import pdn
from damka.pdn import code_page
from damka.pdn.encoding import TextDecoder

CENTRAL = ("cp1250", "iso8859-2", "cp852")
WESTERN = ("cp1252", "cp850")
RUSSIAN = ("cp1251", "koi8-r", "cp866")

TEXTS = {
    "Czech": (CENTRAL, "Růžička Dvořák Štěpánek Jiří Čermák Němec Kříž Tomáš Vávra Ševčík"),
    "Slovak": (CENTRAL, "Kováč Ďurica Ľubomír Števo Kráľ Balážová najlepší ťah môže kameň"),
    "Polish": (CENTRAL, "Wiśniewski Wójcik Kamiński Woźniak Dąbrowski Kozłowski Łukasz Stępień"),
    "Hungarian": (("cp852",), "Szűcs Kőszegi László Németh Szabó Takács Juhász Mészáros Török"),
    "French": (WESTERN, "Hélène Gérard François Raphaël Noël Étienne Jérôme très près déjà"),
    "German": (WESTERN, "Müller Schröder Jäger Köhler König Schäfer größer für schwächer"),
    "Dutch": (WESTERN, "België Brazilië geïnteresseerd één vóór beëindigd Italië Née Zoë"),
    "Spanish": (WESTERN, "García Rodríguez González Muñoz Peña campeón España más débil"),
    "Portuguese": (WESTERN, "João Gonçalves São Conceição Magalhães Simões Araújo Luís após"),
    "Danish": (WESTERN, "Sørensen Jørgensen Møller Nørgård Østergaard Kjær Ærø Søren Bjørn"),
    "Italian": (WESTERN, "Niccolò Forlì Cantù città è perché più così Mosè già può bontà"),
    "Turkish": (("cp1254",), "Yılmaz Şahin Öztürk Doğan Kılıç Şimşek İbrahim Güneş kazanır yanlış"),
    "Latvian": (("cp1257",), "Bērziņš Kalniņš Ozoliņš Krūmiņš Liepiņš Zariņš Pāvels Jānis Rīga"),
    "Lithuanian": (("cp1257",), "Žukauskas Vaitkevičius Bužinskis Šiauliai čempionatas ėjimas"),
    "Russian": (RUSSIAN, "Чижов Алексей Королёв Гантварг хороший белые выигрывают Щеголев"),
    "Bulgarian": (("cp1251",), "Иванов Георги първенство белите печелят ход Петър Ангелов"),
    "English": (("cp1252",), "the “Cup” – a good move… it’s “best” he said “no” – really"),
}
CASES = [(language, page) for language, (pages, _) in TEXTS.items() for page in pages]


@pytest.mark.parametrize(("language", "page"), CASES)
def test_names_and_comments_are_readable(language: str, page: str) -> None:
    words = TEXTS[language][1].split()
    text = "\n\n".join(
        f'[White "{first}"]\n[Black "{second} {first}"]\n\n1. 32-28 {{{second} ok}} 19-23 1-1'
        for first, second in zip(words, reversed(words), strict=True)
    )
    games = list(pdn.read(io.BytesIO(text.encode(page)), "international"))
    for game, first, second in zip(games, words, reversed(words), strict=True):
        assert game.headers["White"] == first
        assert game.headers["Black"] == f"{second} {first}"
        assert [str(node.move) for node in game.mainline()] == ["32-28", "19-23"]
        assert game.variations[0].comment == f"{second} ok"
        assert (game.result, game.errors) == ("1-1", [])


@pytest.mark.parametrize("language", ["French", "German", "Dutch", "Spanish", "Danish", "Italian"])
def test_single_words_of_western_europe_are_readable(language: str) -> None:
    for word in TEXTS[language][1].split():
        assert TextDecoder().read(word.encode("cp1252")) == word


def test_games_in_different_code_pages_are_readable() -> None:
    names = [("Чижов Алексей Рудольфович", "cp1251"), ("Née Gérard Sørensen", "cp1252")]
    text = b"".join(
        b'[White "' + name.encode(page) + b'"]\n\n1. 32-28 1-1\n\n' for name, page in names * 20
    )
    games = pdn.read(io.BytesIO(text), "international")
    assert [game.headers["White"] for game in games] == [name for name, _ in names * 20]


@pytest.mark.parametrize("page", code_page.pages())
def test_no_byte_is_lost(page: code_page.CodePage) -> None:
    text = bytes(byte for byte in range(32, 256) if byte not in b'"\\[]{}')
    decoded = page.decode(text)
    assert len(decoded) == len(text)
    assert "\x85" not in decoded
    assert "\ufffd" not in decoded


@pytest.mark.parametrize("byte", range(128, 256))
def test_no_byte_hides_moves(byte: int) -> None:
    for name in (b"A%cB", b"A%c", b"%cB", b"A %c B"):
        value = name % byte
        text = b'[White "%s"]\n[Black "C"]\n\n1. 32-28 {%s} 19-23 ; %s\n1-1' % (value, value, value)
        [game] = pdn.read(io.BytesIO(text), "international")
        assert game.headers.keys() == {"White", "Black"}
        assert [str(node.move) for node in game.mainline()] == ["32-28", "19-23"]
        assert (game.result, game.errors) == ("1-1", [])
        [again] = pdn.read(pdn.format(game))
        assert again.headers["White"] == game.headers["White"]
        assert again.variations[0].comment == game.variations[0].comment


@pytest.mark.parametrize("separator", ["\t", "\v", "\f", "\x1e", "\u2028"])
def test_separators_in_a_value_are_blanks(separator: str) -> None:
    [game] = pdn.read(f'[White "Ana{separator}Lee"]\n\n1. 32-28 *', "international")
    assert game.headers["White"] == "Ana Lee"
    assert game.errors == []
    [again] = pdn.read(pdn.format(game))
    assert again.headers["White"] == "Ana Lee"


def test_long_texts_are_decoded_in_linear_time() -> None:
    letters = string.ascii_letters.encode() * 4000
    assert len(TextDecoder().read(letters + b"\xe9")) == len(letters) + 1
    assert len(TextDecoder().read(b"\xe9 " * 100_000)) == 200_000
