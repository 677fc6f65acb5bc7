"""The two ceremonies of passkeys (WebAuthn), apart from the database.

The relying party is the host under which the server was called, so that one server may have
several names; a passkey works under the name it was made for. Browsers have passkeys on https
pages and on localhost, and none under bare addresses.
"""

from __future__ import annotations

import ipaddress
import json
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from damka.live.problems import Problem
from damka.server.accounts.members import Credential

__all__ = ["Party", "asked_to_log_in", "asked_to_make", "challenge_in", "made", "signed"]

_LARGEST: Final = 16 * 1024


@dataclass(frozen=True, slots=True)
class Party:
    """Who asks for a passkey: the host name, and the origins of its pages."""

    id: str
    origins: tuple[str, ...]

    @classmethod
    def of(cls, scheme: str, host: str, more: tuple[str, ...]) -> Party | None:
        """Return the party of a server called so; None where browsers have no passkeys.

        `host` may have a port. `more` are other origins whose pages may call; they count when
        their host is this one or lies below it.
        """
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return None
        local = name == "localhost" or name.endswith(".localhost")
        if _is_address(name) or not name or (scheme != "https" and not local):
            return None
        below = [each for each in more if _below(urlsplit(each).hostname or "", name)]
        return cls(name, (f"{scheme}://{host}", *below))


def asked_to_make(
    party: Party, account_id: str, name: str, known: tuple[str, ...] = ()
) -> tuple[bytes, dict[str, Any]]:
    """Return a new challenge, and what the page gives to `navigator.credentials.create`."""
    import webauthn  # noqa: PLC0415  it takes a while to load
    from webauthn.helpers.structs import (  # noqa: PLC0415
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    options = webauthn.generate_registration_options(
        rp_id=party.id,
        rp_name="Damka",
        user_id=account_id.encode("ascii"),
        user_name=name,
        user_display_name=name,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement.PREFERRED,
        ),
        exclude_credentials=[
            PublicKeyCredentialDescriptor(id=webauthn.base64url_to_bytes(each)) for each in known
        ],
    )
    return options.challenge, json.loads(webauthn.options_to_json(options))


def asked_to_log_in(party: Party) -> tuple[bytes, dict[str, Any]]:
    """Return a new challenge, and what the page gives to `navigator.credentials.get`.

    Nobody is named, so that it tells nothing about anybody: the passkey knows whose it is.
    """
    import webauthn  # noqa: PLC0415
    from webauthn.helpers.structs import UserVerificationRequirement  # noqa: PLC0415

    options = webauthn.generate_authentication_options(
        rp_id=party.id, user_verification=UserVerificationRequirement.PREFERRED
    )
    return options.challenge, json.loads(webauthn.options_to_json(options))


def challenge_in(answer: dict[str, Any]) -> bytes:
    """Return the challenge that an answer is for. Raises Problem where there is none."""
    import webauthn  # noqa: PLC0415

    try:
        data = answer["response"]["clientDataJSON"]
        if not isinstance(data, str) or len(data) > _LARGEST:
            raise ValueError
        said = msgspec.json.decode(webauthn.base64url_to_bytes(data))
        return bytes(webauthn.base64url_to_bytes(said["challenge"]))
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise Problem(422, "bad_field", where="credential") from error


def made(party: Party, answer: dict[str, Any], challenge: bytes) -> Credential:
    """Return the passkey that was made. Raises Problem for a wrong answer."""
    import webauthn  # noqa: PLC0415

    try:
        new = webauthn.verify_registration_response(
            credential=answer,
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=list(party.origins),
        )
    except Exception as error:
        raise _refused(error) from error
    passkey_id = webauthn.helpers.bytes_to_base64url(new.credential_id)
    return Credential(passkey_id, new.credential_public_key, new.sign_count)


def signed(party: Party, answer: dict[str, Any], challenge: bytes, known: Credential) -> int:
    """Return how often the passkey has signed, now that it has. Raises Problem if it has not."""
    import webauthn  # noqa: PLC0415

    try:
        done = webauthn.verify_authentication_response(
            credential=answer,
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=list(party.origins),
            credential_public_key=known.public_key,
            credential_current_sign_count=known.sign_count,
        )
    except Exception as error:
        raise _refused(error) from error
    return done.new_sign_count


def _refused(error: Exception) -> Problem:
    """Return the answer to a passkey that does not fit.

    The library, and those that it reads CBOR and keys with, raise a dozen kinds of error for what
    comes from outside; none of them is a fault of the server.
    """
    return Problem(403, "bad_passkey", where="credential", detail=str(error)[:100])


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _below(name: str, parent: str) -> bool:
    return name == parent or name.endswith(f".{parent}")
