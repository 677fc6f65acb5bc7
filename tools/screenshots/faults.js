/**
 * Find layout faults that a reader of the page would see.
 *
 * Everything is measured without scrolling, in the window's coordinates. Pictures (SVG) and the
 * squares of a board are not examined: a board counts as one control.
 *
 * @param {object} options
 * @param {number} options.width of the window; a page that is too wide zooms out on a phone
 * @param {string[]} options.inView selectors; the first visible match of each must be in view
 * @param {string[]} options.mayBeCut selectors of texts that may be cut
 * @param {string[]} options.layers selectors of parts that may cover others, besides dialogs and
 *   parts with a fixed position
 * @returns {{ kind: string, element: string, detail: string }[]}
 */
({ width, inView, mayBeCut, layers }) => {
  /** Rounding of the browser, in pixels. */
  const SLACK = 1;
  /** Part of a line's height above and below its letters. */
  const LEADING = 0.24;
  const CONTROLS = "a[href], button, summary, select, textarea, input:not([type=hidden]), label, damka-board,"
    + " [role=button], [role=tab], [role=link], [role=switch], [role=radio], [role=checkbox], [role=menuitem]";
  const root = document.documentElement;
  const height = innerHeight;
  /** @type {{ kind: string, element: string, detail: string }[]} */
  const faults = [];

  /** Describe an element: its path from the nearest id, and its text. @param {Element} element */
  const describe = (element) => {
    const path = [];
    for (let each = element; each !== root && path.length < 3; each = each.parentElement ?? root) {
      const [name] = each.classList;
      path.unshift(each.tagName.toLowerCase() + (each.id ? `#${each.id}` : name ? `.${name}` : ""));
      if (each.id) break;
    }
    const text = (element.getAttribute("aria-label") ?? element.textContent ?? "").trim().replace(/\s+/g, " ");
    return path.join(" > ") + (text ? ` “${text.length > 40 ? `${text.slice(0, 39)}…` : text}”` : "");
  };
  /** @param {string} kind @param {Element} element @param {string} detail */
  const report = (kind, element, detail) => faults.push({ kind, element: describe(element), detail });
  /** @param {number} value */
  const px = (value) => `${Math.round(value)} px`;
  /** @param {Element} element @param {string[]} selectors */
  const within = (element, selectors) => selectors.some((selector) => element.closest(selector));

  /** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */
  /** @param {Box} a @param {Box} b @returns {Box} */
  const intersect = (a, b) => ({
    left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom),
  });
  /** @param {Box} box */
  const isEmpty = (box) => box.right - box.left <= SLACK || box.bottom - box.top <= SLACK;
  /** Return the part of a line of text that has letters. @param {Box} line @returns {Box} */
  const letters = ({ left, top, right, bottom }) => {
    const leading = LEADING * (bottom - top);
    return { left, top: top + leading, right, bottom: bottom - leading };
  };

  /** @type {Map<Element, { element: Element, scrolls: boolean, x: boolean, y: boolean, box: Box }[]>} */
  const clips = new Map();
  /** Return the ancestors that clip an element's content. @param {Element} element */
  const clipsOf = (element) => {
    const known = clips.get(element);
    if (known) return known;
    const found = [];
    let position = "static";
    for (let each = element; each !== document.body && each !== root; each = each.parentElement ?? root) {
      const style = getComputedStyle(each);
      // Elements out of the flow are clipped only from their containing block outwards.
      const contains = position === "static" || position === "relative" || position === "sticky"
        || (position === "absolute" && style.position !== "static") || style.transform !== "none";
      if (contains) {
        const [x, y] = [style.overflowX, style.overflowY].map((value) => value !== "visible");
        const scrolls = [style.overflowX, style.overflowY].some((value) => value === "auto" || value === "scroll");
        if (x || y) {
          const outer = each.getBoundingClientRect();
          const left = outer.left + each.clientLeft;
          const top = outer.top + each.clientTop;
          found.push({ element: each, scrolls, x, y, box: { left, top, right: left + each.clientWidth, bottom: top + each.clientHeight } });
        }
        position = style.position;
      }
      if (position === "fixed") break;
    }
    clips.set(element, found);
    return found;
  };
  /** Return the part of an element's box that its ancestors leave visible. @param {Box} box @param {Element} element */
  const visiblePart = (box, element) =>
    clipsOf(element).filter((each) => each.element !== element).reduce((rest, { x, y, box }) => ({
      left: x ? Math.max(rest.left, box.left) : rest.left, right: x ? Math.min(rest.right, box.right) : rest.right,
      top: y ? Math.max(rest.top, box.top) : rest.top, bottom: y ? Math.min(rest.bottom, box.bottom) : rest.bottom,
    }), box);

  /** @type {Map<Element, boolean>} */
  const shown = new Map();
  /** Return whether an element is clipped to nothing, as texts for screen readers are. @param {Element} element */
  const isClippedAway = (element) => {
    const { clipPath, overflowX, overflowY } = getComputedStyle(element);
    const { width, height } = element.getBoundingClientRect();
    return clipPath === "inset(50%)" || (overflowX === "hidden" && overflowY === "hidden" && Math.min(width, height) <= SLACK);
  };
  /** Return whether a sighted reader sees an element. @param {Element} element */
  const isShown = (element) => {
    const known = shown.get(element);
    if (known !== undefined) return known;
    const result = element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
      && !isClippedAway(element) && !clipsOf(element).some(({ element }) => isClippedAway(element));
    shown.set(element, result);
    return result;
  };

  const modal = [...document.querySelectorAll("dialog:modal")].at(-1);
  const scope = modal ?? document.body;
  /** @type {Map<Element, Element | null>} */
  const layerOf = new Map();
  /** Return the part above the rest of the page that contains an element. @param {Element} element @returns {Element | null} */
  const layer = (element) => {
    const known = layerOf.get(element);
    if (known !== undefined) return known;
    const isLayer = element.matches("dialog, [popover]") || layers.some((selector) => element.matches(selector))
      || ["fixed", "sticky"].includes(getComputedStyle(element).position);
    const parent = element.parentElement;
    const result = isLayer ? element : parent && parent !== root ? layer(parent) : null;
    layerOf.set(element, result);
    return result;
  };

  /** @typedef {{ element: Element, box: Box, isText: boolean, layer: Element | null }} Item */
  /** @type {Item[]} */
  const items = [];

  // Controls
  for (const element of [scope, ...scope.querySelectorAll(CONTROLS)]) {
    if (!element.matches(CONTROLS) || !isShown(element) || element.parentElement?.closest("svg, damka-board")) continue;
    if (element instanceof HTMLLabelElement && element.control && isShown(element.control) && !element.contains(element.control)) continue;
    for (const rect of getComputedStyle(element).display === "inline" ? element.getClientRects() : [element.getBoundingClientRect()]) {
      const box = visiblePart(rect, element);
      if (isEmpty(box)) continue;
      const isInline = getComputedStyle(element).display === "inline";
      items.push({ element, box: isInline ? letters(box) : box, isText: false, layer: layer(element) });
    }
  }

  // Texts
  const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!element || !node.nodeValue?.trim() || element.closest("svg, damka-board, script, style, noscript, template, select, textarea")) continue;
    if (!isShown(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const control = element.closest(CONTROLS);
    const mayCut = within(element, mayBeCut);
    if (!mayCut && range.getClientRects().length > 1) {
      for (const { 0: word, index } of node.nodeValue.matchAll(/\p{L}+/gu)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
        if (new Set(tops).size > 1) report("cut", element, `“${word}” is broken into two lines`);
      }
      range.selectNodeContents(node);
    }
    for (const rect of range.getClientRects()) {
      const line = letters(rect);
      if (rect.width < SLACK) continue;
      // A text that is scrolled out of a list is not cut.
      let rest = { ...line };
      let isScrolledOut = false;
      for (const { element: by, scrolls, x, y, box } of clipsOf(element)) {
        const isCutHere = (x && (rest.left < box.left - SLACK || rest.right > box.right + SLACK))
          || (y && (rest.top < box.top - SLACK || rest.bottom > box.bottom + SLACK));
        if (scrolls) isScrolledOut ||= isEmpty(intersect(rest, box));
        else if (isCutHere && !isScrolledOut && !mayCut) report("cut", element, `by ${describe(by).split(" “")[0]}`);
        rest = { left: x ? Math.max(rest.left, box.left) : rest.left, right: x ? Math.min(rest.right, box.right) : rest.right,
          top: y ? Math.max(rest.top, box.top) : rest.top, bottom: y ? Math.min(rest.bottom, box.bottom) : rest.bottom };
      }
      if (isScrolledOut || isEmpty(rest)) continue;
      items.push({ element, box: rest, isText: true, layer: layer(element) });
      if (control && control !== element.closest("damka-board")) {
        const around = control.getBoundingClientRect();
        const isInline = getComputedStyle(control).display === "inline";
        const out = Math.max(around.left - rest.left, rest.right - around.right, isInline ? 0 : around.top - rest.top, isInline ? 0 : rest.bottom - around.bottom);
        if (out > SLACK && !isInline) report("cut", element, `its text sticks out of ${describe(control).split(" “")[0]} by ${px(out)}`);
      }
    }
  }
  for (const element of scope.querySelectorAll("*")) {
    if (!isShown(element) || element.closest("svg, damka-board") || within(element, mayBeCut)) continue;
    if (element.scrollWidth > element.clientWidth + SLACK && getComputedStyle(element).textOverflow === "ellipsis" && element.textContent?.trim()) {
      report("cut", element, `${px(element.scrollWidth - element.clientWidth)} behind an ellipsis`);
    }
  }
  // Values, placeholders and chosen options are no text nodes.
  const canvas = new OffscreenCanvas(1, 1).getContext("2d");
  for (const element of scope.querySelectorAll("select, input:not([type=hidden])")) {
    if (!canvas || !isShown(element) || within(element, mayBeCut)) continue;
    const isMenu = element instanceof HTMLSelectElement;
    if (!isMenu && !["text", "search", "number", "email", "url", "password", ""].includes(element.getAttribute("type") ?? "")) continue;
    const text = isMenu ? element.selectedOptions[0]?.text : /** @type {HTMLInputElement} */ (element).value || element.getAttribute("placeholder");
    if (!text) continue;
    const style = getComputedStyle(element);
    const room = element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    canvas.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    // The arrow of a menu takes as much as a capital letter.
    const needed = canvas.measureText(text).width + (isMenu && style.appearance !== "none" ? canvas.measureText("M").width : 0);
    if (needed > room + SLACK) report("cut", element, `“${text}” needs ${px(needed)} of ${px(room)}`);
  }

  // The page is as wide as the window.
  const wide = Math.max(root.scrollWidth, document.body.scrollWidth);
  if (wide > width) {
    const culprits = [...document.body.querySelectorAll("*")].filter((element) =>
      isShown(element) && !element.closest("svg svg, damka-board *") && !clipsOf(element).some((each) => each.x && each.element !== element)
      && element.getBoundingClientRect().right > width + SLACK);
    const deepest = culprits.filter((element) => !culprits.some((other) => other !== element && element.contains(other)));
    for (const element of deepest.slice(0, 3)) report("overflow", element, `the page is ${px(wide)} wide`);
    if (!deepest.length) report("overflow", root, `the page is ${px(wide)} wide`);
  }
  for (const { element, box } of items) {
    const isLost = box.right <= 0 || box.bottom + scrollY <= 0;
    if (box.left < -SLACK || isLost) report("overflow", element, `begins ${px(-box.left)} left of the page`);
  }

  /** Return whether a box lies in one that is several times as large. @param {Box} small @param {Box} large */
  const isInside = (small, large) => {
    const [inner, outer] = [small, large].map(({ left, top, right, bottom }) => (right - left) * (bottom - top));
    const common = intersect(small, large);
    return 4 * inner < outer && (common.right - common.left) * (common.bottom - common.top) > 0.9 * inner;
  };
  /** Return whether a control, or the control with a text, lies in a large one. @param {Item} small @param {Item} large */
  const liesInMargin = (small, large) =>
    !large.isText && isInside(small.element.closest(CONTROLS)?.getBoundingClientRect() ?? root.getBoundingClientRect(), large.box);
  /** @param {Item} a @param {Item} b */
  const belongTogether = (a, b) => {
    if (a.isText && b.isText) return a.element === b.element;
    if (a.element.contains(b.element) || b.element.contains(a.element)) return true;
    // A button may lie in the margin of a large link, such as a card; the link's texts are compared.
    if (liesInMargin(a, b) || liesInMargin(b, a)) return true;
    const labelled = (/** @type {Element} */ label, /** @type {Element} */ field) => label.closest("label")?.control === field;
    return labelled(a.element, b.element) || labelled(b.element, a.element);
  };
  /** @type {Set<string>} */
  const pairs = new Set();
  items.forEach((a, index) => {
    for (const b of items.slice(index + 1)) {
      if (a.layer !== b.layer) continue;
      const common = intersect(a.box, b.box);
      if (isEmpty(common) || belongTogether(a, b)) continue;
      const detail = `${px(common.right - common.left)} × ${px(common.bottom - common.top)} with ${describe(b.element)}`;
      // The texts of two controls overlap with them.
      const key = [a, b].map(({ element }) => describe(element.closest(CONTROLS) ?? element)).sort().join();
      if (pairs.has(key)) continue;
      pairs.add(key);
      report("overlap", a.element, detail);
    }
  });

  for (const { element, box, layer } of items) {
    if (!layer || layer === element || !layers.some((each) => layer.matches(each))) continue;
    const around = layer.getBoundingClientRect();
    const out = Math.max(around.left - box.left, around.top - box.top, box.right - around.right, box.bottom - around.bottom);
    if (out > SLACK) report("overlap", element, `sticks out of ${describe(layer).split(" “")[0]} by ${px(out)}`);
  }

  // A fixed bar must not cover what no scrolling brings out from behind it.
  const above = scrollY;
  const below = root.scrollHeight - height - scrollY;
  for (const bar of new Set(items.map(({ layer }) => layer))) {
    if (!bar || bar.matches("dialog, [popover]") || getComputedStyle(bar).position !== "fixed" || layers.some((each) => bar.matches(each))) continue;
    const rect = bar.getBoundingClientRect();
    if (rect.height > height / 2) continue;
    const shift = rect.top + rect.bottom > height ? -below : above;
    for (const item of items) {
      const moved = { ...item.box, top: item.box.top + shift, bottom: item.box.bottom + shift };
      if (item.layer === null && !isEmpty(intersect(moved, rect))) report("overlap", item.element, `behind ${describe(bar).split(" “")[0]}, wherever the page is scrolled`);
    }
  }

  // Elements that must be in view
  for (const selector of inView) {
    const element = [...document.querySelectorAll(selector)].find((each) => isShown(each) && each.getClientRects().length);
    if (!element) {
      faults.push({ kind: "out of view", element: selector, detail: "there is none" });
      continue;
    }
    const box = element.getBoundingClientRect();
    const part = visiblePart(box, element);
    const hidden = Math.max(-box.left, -box.top, box.right - width, box.bottom - height, part.left - box.left, box.right - part.right, part.top - box.top, box.bottom - part.bottom);
    if (hidden > SLACK) {
      report("out of view", element, `${px(hidden)} of it`);
      continue;
    }
    // The middle of its first line: other texts may follow on the last.
    const [line] = element.getClientRects();
    const top = document.elementFromPoint((line.left + line.right) / 2, (line.top + line.bottom) / 2);
    if (top && !element.contains(top) && !top.contains(element) && !within(top, layers)) report("out of view", element, `behind ${describe(top)}`);
  }

  /** @type {Map<string, { kind: string, element: string, detail: string }>} */
  const unique = new Map(faults.map((fault) => [`${fault.kind} ${fault.element}`, fault]).reverse());
  return [...unique.values()].reverse();
};
