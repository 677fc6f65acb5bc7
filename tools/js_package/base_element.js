/** Base class of elements that also works outside a page: the build replaces `HTMLElement` by it. */

class NoElement {
  constructor() {
    throw new Error("<damka-board> needs a browser: there is no HTMLElement here");
  }
}

export const BaseElement = globalThis.HTMLElement ?? NoElement;
