// Before all else: whether this browser can run the site. Old browsers read this, so it is written in the
// JavaScript of 2009. It looks for the newest of what the site cannot do without; docs/static-site.md says
// which versions have it.
(function () {
  var root = document.documentElement;

  function compiles() {
    // A function that returns a reference: what Python's WebAssembly begins with.
    var references = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 111];
    return typeof WebAssembly === "object" && WebAssembly.validate(new Uint8Array(references)) && "Tag" in WebAssembly;
  }

  function startsModules() {
    var asked = false;
    /** @type {any} */
    var options = {};
    Object.defineProperty(options, "type", {
      get: function () {
        asked = true;
        return "classic";
      },
    });
    try {
      // The options are read first; then the address is refused.
      new Worker("http://[", options);
    } catch (error) {
      return asked;
    }
    return asked;
  }

  function runs() {
    try {
      return compiles() && typeof DecompressionStream === "function" && startsModules();
    } catch (error) {
      return false;
    }
  }

  function show() {
    var told = document.getElementById("old");
    document.body.className += " troubled";
    if (told) told.removeAttribute("hidden");
  }

  // Rules are read in any browser.
  if (root.getAttribute("data-page") === "rules" || runs()) return;
  root.setAttribute("data-old", "");
  document.addEventListener("DOMContentLoaded", show);
})();
