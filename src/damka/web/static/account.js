/** Passkey registration and login. Forms are the fallback without passkeys or scripts. */

import "./header.js";

/** @param {string} text base64url */
function bytes(text) {
  const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/** @param {ArrayBuffer | null} buffer @returns {string | undefined} base64url */
function text(buffer) {
  if (!buffer) return undefined;
  const plain = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return plain.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** @param {string} path @param {object} body */
async function post(path, body) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  const data = await response.json();
  if (!response.ok) throw new Error(data.message);
  return data;
}

/** @param {any} options */
async function createPasskey(options) {
  options.challenge = bytes(options.challenge);
  options.user.id = bytes(options.user.id);
  for (const each of options.excludeCredentials ?? []) each.id = bytes(each.id);
  const passkey = /** @type {PublicKeyCredential} */ (await navigator.credentials.create({ publicKey: options }));
  const response = /** @type {AuthenticatorAttestationResponse} */ (passkey.response);
  return { passkey, response: { attestationObject: text(response.attestationObject) } };
}

/** @param {any} options */
async function signIn(options) {
  options.challenge = bytes(options.challenge);
  options.allowCredentials = [];
  const passkey = /** @type {PublicKeyCredential} */ (await navigator.credentials.get({ publicKey: options }));
  const response = /** @type {AuthenticatorAssertionResponse} */ (passkey.response);
  return {
    passkey,
    response: {
      authenticatorData: text(response.authenticatorData),
      signature: text(response.signature),
      userHandle: text(response.userHandle),
    },
  };
}

/** @param {HTMLElement} button */
async function usePasskey(button) {
  const { purpose = "login", next = "/" } = button.dataset;
  const form = button.closest("form");
  const fields = new FormData(form ?? undefined);
  /** @param {string} name */
  const field = (name) => String(fields.get(name) ?? "");
  const request = { purpose, name: purpose === "register" ? field("name") : "", password: purpose === "add" ? field("old") : "" };
  const options = await post("/account/passkey/options", request);
  const { passkey, response } = await (purpose === "login" ? signIn(options) : createPasskey(options));
  const credential = {
    id: passkey.id,
    rawId: text(passkey.rawId),
    type: passkey.type,
    clientExtensionResults: {},
    response: { clientDataJSON: text(passkey.response.clientDataJSON), ...response },
  };
  const { url } = await post("/account/passkey", { purpose, credential, next });
  location.assign(url);
}

for (const box of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-passkeys]"))) {
  if (!("PublicKeyCredential" in window)) continue;
  box.hidden = false;
  const button = /** @type {HTMLButtonElement} */ (box.querySelector("[data-purpose]"));
  const problem = /** @type {HTMLElement} */ (box.querySelector(".problem"));
  button.addEventListener("click", async () => {
    problem.hidden = true;
    button.disabled = true;
    try {
      await usePasskey(button);
    } catch (error) {
      // Replace the browser's own error texts, for example of a closed dialog or a timeout.
      const own = error instanceof DOMException;
      problem.textContent = own ? (box.dataset.stopped ?? "") : /** @type {Error} */ (error).message;
      problem.hidden = false;
    } finally {
      button.disabled = false;
    }
  });
}
