/** Base class of elements that also loads outside a page. The build replaces `HTMLElement` with it. */

class NoElement {
  constructor() {
    throw new Error("<damka-board> needs a browser: there is no HTMLElement here");
  }
}

export const BaseElement = globalThis.HTMLElement ?? NoElement;
