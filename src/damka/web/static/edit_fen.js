/**
 * Text of a position as the library writes it, such as "W:W21,K30:B1,2". Any other text is read by
 * the library.
 */

/**
 * @param {EditPosition} position
 * @param {string[]} [names] labels of the squares, if they are not the library's numbers
 * @param {number[]} [order] rank of each square in the order of the labels
 */
export function format({ pieces, turn }, names, order) {
  const squares = [...pieces].map((_, i) => i);
  if (order) squares.sort((a, b) => order[a] - order[b]);
  /** @param {Side} side */
  const group = (side) =>
    squares
      .filter((i) => pieces[i].toUpperCase() === side)
      .map((i) => (pieces[i] === side ? "K" : "") + (names?.[i] ?? i + 1))
      .join(",");
  return `${turn}:W${group("W")}:B${group("B")}`;
}

const ITEM = "K?[1-9][0-9]*";
const GROUP = `((?:${ITEM}(?:,${ITEM})*)?)`;
const FEN = new RegExp(`^([WB]):W${GROUP}:B${GROUP}$`);

/** Read a text of `format` without names; null for any other text. @param {string} text @param {number} count number of squares @returns {EditPosition | null} */
export function parse(text, count) {
  const match = FEN.exec(text);
  if (!match) return null;
  const pieces = Array(count).fill(".");
  for (const [i, side] of ["W", "B"].entries()) {
    for (const item of match[i + 2].split(",").filter(Boolean)) {
      const square = Number(item.replace("K", ""));
      if (pieces[square - 1] !== ".") return null;
      pieces[square - 1] = item[0] === "K" ? side : side.toLowerCase();
    }
  }
  return { pieces: pieces.join(""), turn: match[1] === "W" ? "W" : "B" };
}
