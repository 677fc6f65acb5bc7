"""Software authenticator: creates passkeys and signs, with invalid signatures on request."""

from __future__ import annotations

import hashlib
import json
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any, Final

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

Json = dict[str, Any]

PRESENT: Final = 0x01
VERIFIED: Final = 0x04
ATTESTED: Final = 0x40


def b64(data: bytes) -> str:
    """Encode as base64url without padding, as in WebAuthn."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    """Decode a base64url text."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Authenticator:
    """A device with one passkey."""

    def __init__(self) -> None:
        self.id = os.urandom(32)
        self.count = 0
        self.user = b""
        self._key = ec.generate_private_key(ec.SECP256R1())

    def make(self, options: Json, page: str, **wrong: Any) -> Json:
        """Return the response to the options of a registration."""
        self.user = unb64(options["user"]["id"])
        numbers = self._key.public_key().public_numbers()
        key = {
            1: 2,
            3: -7,
            -1: 1,
            -2: numbers.x.to_bytes(32, "big"),
            -3: numbers.y.to_bytes(32, "big"),
        }
        attested = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(key)
        party = wrong.get("party", options["rp"]["id"])
        data = self._data(party, PRESENT | VERIFIED | ATTESTED) + attested
        said = self._said("webauthn.create", options, page, wrong)
        attestation = {"fmt": "none", "attStmt": {}, "authData": data}
        return self._answer(
            {"clientDataJSON": b64(said), "attestationObject": b64(cbor2.dumps(attestation))}
        )

    def sign(self, options: Json, page: str, **wrong: Any) -> Json:
        """Return the response to the options of a login."""
        self.count = wrong.get("count", self.count + 1)
        flags = wrong.get("flags", PRESENT | VERIFIED)
        data = self._data(str(wrong.get("party", options["rpId"])), flags)
        said = self._said("webauthn.get", options, page, wrong)
        signed = data + hashlib.sha256(said).digest()
        signature = self._key.sign(signed, ec.ECDSA(SHA256()))
        return self._answer(
            {
                "clientDataJSON": b64(said),
                "authenticatorData": b64(data),
                "signature": b64(wrong.get("signature", signature)),
                "userHandle": b64(self.user),
            }
        )

    def _data(self, party: str, flags: int) -> bytes:
        hashed = hashlib.sha256(party.encode()).digest()
        return hashed + bytes([flags]) + self.count.to_bytes(4, "big")

    def _said(self, kind: str, options: Json, page: str, wrong: Json) -> bytes:
        return json.dumps(
            {
                "type": wrong.get("type", kind),
                "challenge": wrong.get("challenge", options["challenge"]),
                "origin": wrong.get("origin", page),
                "crossOrigin": False,
            }
        ).encode()

    def _answer(self, response: Json) -> Json:
        return {
            "id": b64(self.id),
            "rawId": b64(self.id),
            "type": "public-key",
            "clientExtensionResults": {},
            "response": response,
        }
