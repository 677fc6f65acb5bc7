"""The two passkey ceremonies (WebAuthn), without the database.

The relying party is the requested host name, so a server may have several; a passkey works only
for the host name for which it was created. Browsers support passkeys on https pages and on
localhost, but not on IP addresses.
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

__all__ = [
    "Party",
    "challenge_of",
    "login_options",
    "registration_options",
    "verify_login",
    "verify_registration",
]

_MAX_CLIENT_DATA: Final = 16 * 1024


@dataclass(frozen=True, slots=True)
class Party:
    """A relying party: the host name, and the origins of its pages."""

    id: str
    origins: tuple[str, ...]

    @classmethod
    def of(cls, scheme: str, host: str, origins: tuple[str, ...]) -> Party | None:
        """Return the party for a requested host; None where browsers do not support passkeys.

        `host` may have a port. Those of `origins` on this host or its subdomains are included.
        """
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return None
        is_local = name == "localhost" or name.endswith(".localhost")
        if _is_address(name) or not name or (scheme != "https" and not is_local):
            return None
        included = [each for each in origins if _is_within(urlsplit(each).hostname or "", name)]
        return cls(name, (f"{scheme}://{host}", *included))


def registration_options(
    party: Party, account_id: str, name: str, existing: tuple[str, ...] = ()
) -> tuple[bytes, dict[str, Any]]:
    """Return a new challenge and the options for `navigator.credentials.create`."""
    import webauthn  # noqa: PLC0415  slow to import
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
            PublicKeyCredentialDescriptor(id=webauthn.base64url_to_bytes(each)) for each in existing
        ],
    )
    return options.challenge, json.loads(webauthn.options_to_json(options))


def login_options(party: Party) -> tuple[bytes, dict[str, Any]]:
    """Return a new challenge and the options for `navigator.credentials.get`.

    The options contain no account and so reveal none; the passkey determines the account.
    """
    import webauthn  # noqa: PLC0415
    from webauthn.helpers.structs import UserVerificationRequirement  # noqa: PLC0415

    options = webauthn.generate_authentication_options(
        rp_id=party.id, user_verification=UserVerificationRequirement.PREFERRED
    )
    return options.challenge, json.loads(webauthn.options_to_json(options))


def challenge_of(response: dict[str, Any]) -> bytes:
    """Return the challenge in an authenticator's response. Raises Problem if there is none."""
    import webauthn  # noqa: PLC0415

    try:
        data = response["response"]["clientDataJSON"]
        if not isinstance(data, str) or len(data) > _MAX_CLIENT_DATA:
            raise ValueError
        client_data = msgspec.json.decode(webauthn.base64url_to_bytes(data))
        return bytes(webauthn.base64url_to_bytes(client_data["challenge"]))
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise Problem(422, "bad_field", where="credential") from error


def verify_registration(party: Party, response: dict[str, Any], challenge: bytes) -> Credential:
    """Verify a registration and return its passkey. Raises Problem for an invalid response."""
    import webauthn  # noqa: PLC0415

    try:
        verified = webauthn.verify_registration_response(
            credential=response,
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=list(party.origins),
        )
    except Exception as error:
        raise _problem(error) from error
    passkey_id = webauthn.helpers.bytes_to_base64url(verified.credential_id)
    return Credential(passkey_id, verified.credential_public_key, verified.sign_count)


def verify_login(
    party: Party, response: dict[str, Any], challenge: bytes, passkey: Credential
) -> int:
    """Verify a login and return the signature counter. Raises Problem for an invalid response."""
    import webauthn  # noqa: PLC0415

    try:
        verified = webauthn.verify_authentication_response(
            credential=response,
            expected_challenge=challenge,
            expected_rp_id=party.id,
            expected_origin=list(party.origins),
            credential_public_key=passkey.public_key,
            credential_current_sign_count=passkey.sign_count,
        )
    except Exception as error:
        raise _problem(error) from error
    return verified.new_sign_count


def _problem(error: Exception) -> Problem:
    """Return the problem for an invalid response.

    The library and its CBOR and key parsers raise a dozen kinds of error for invalid input; none is
    a server fault.
    """
    return Problem(403, "bad_passkey", where="credential", detail=str(error)[:100])


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_within(name: str, parent: str) -> bool:
    return name == parent or name.endswith(f".{parent}")
