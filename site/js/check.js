// Runs first: checks whether this browser can run the site. Written in ES5, so that old browsers can
// parse it. It tests the newest features that the site requires;
// docs/host/static-site.md says which versions have them.
(function () {
  var root = document.documentElement;

  function compiles() {
    // A module with a reference type, which Python's WebAssembly requires.
    var references = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 111];
    return typeof WebAssembly === "object" && WebAssembly.validate(new Uint8Array(references)) && "Tag" in WebAssembly;
  }

  function startsModules() {
    var wasRead = false;
    /** @type {any} */
    var options = {};
    Object.defineProperty(options, "type", {
      get: function () {
        wasRead = true;
        return "classic";
      },
    });
    try {
      // The constructor reads the options first and then rejects the address.
      new Worker("http://[", options);
    } catch (error) {
      return wasRead;
    }
    return wasRead;
  }

  function runs() {
    try {
      return compiles() && typeof DecompressionStream === "function" && startsModules();
    } catch (error) {
      return false;
    }
  }

  function show() {
    var message = document.getElementById("old");
    document.body.className += " has-error";
    if (message) message.removeAttribute("hidden");
  }

  // Any browser can show the rules.
  if (root.getAttribute("data-page") === "rules" || runs()) return;
  root.setAttribute("data-old", "");
  document.addEventListener("DOMContentLoaded", show);
})();
