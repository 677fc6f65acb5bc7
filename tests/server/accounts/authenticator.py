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

    def create_credential(self, options: Json, page: str, **overrides: Any) -> Json:
        """Return the response to registration options."""
        self.user = unb64(options["user"]["id"])
        numbers = self._key.public_key().public_numbers()
        key = {
            1: 2,
            3: -7,
            -1: 1,
            -2: numbers.x.to_bytes(32, "big"),
            -3: numbers.y.to_bytes(32, "big"),
        }
        credential_data = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(key)
        rp_id = overrides.get("rp_id", options["rp"]["id"])
        data = self._data(rp_id, PRESENT | VERIFIED | ATTESTED) + credential_data
        client_data = self._client_data("webauthn.create", options, page, overrides)
        attestation = {"fmt": "none", "attStmt": {}, "authData": data}
        return self._credential(
            {"clientDataJSON": b64(client_data), "attestationObject": b64(cbor2.dumps(attestation))}
        )

    def sign(self, options: Json, page: str, **overrides: Any) -> Json:
        """Return the response to login options."""
        self.count = overrides.get("count", self.count + 1)
        flags = overrides.get("flags", PRESENT | VERIFIED)
        data = self._data(str(overrides.get("rp_id", options["rpId"])), flags)
        client_data = self._client_data("webauthn.get", options, page, overrides)
        signed = data + hashlib.sha256(client_data).digest()
        signature = self._key.sign(signed, ec.ECDSA(SHA256()))
        return self._credential(
            {
                "clientDataJSON": b64(client_data),
                "authenticatorData": b64(data),
                "signature": b64(overrides.get("signature", signature)),
                "userHandle": b64(self.user),
            }
        )

    def _data(self, rp_id: str, flags: int) -> bytes:
        hashed = hashlib.sha256(rp_id.encode()).digest()
        return hashed + bytes([flags]) + self.count.to_bytes(4, "big")

    def _client_data(self, kind: str, options: Json, page: str, overrides: Json) -> bytes:
        return json.dumps(
            {
                "type": overrides.get("type", kind),
                "challenge": overrides.get("challenge", options["challenge"]),
                "origin": overrides.get("origin", page),
                "crossOrigin": False,
            }
        ).encode()

    def _credential(self, response: Json) -> Json:
        return {
            "id": b64(self.id),
            "rawId": b64(self.id),
            "type": "public-key",
            "clientExtensionResults": {},
            "response": response,
        }
