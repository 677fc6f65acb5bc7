/** The base of elements, also where there is no page: the build puts it in place of `HTMLElement`. */

class NoElement {
  constructor() {
    throw new Error("<damka-board> needs a browser: there is no HTMLElement here");
  }
}

export const BaseElement = globalThis.HTMLElement ?? NoElement;
