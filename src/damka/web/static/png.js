/** Pictures as PNG files, drawn from their SVG. */

import { loadImage } from "./transport.js";

/**
 * Draw a picture as a file. Rejects if it cannot be loaded.
 * @param {string} path of its SVG
 * @param {string} name of the file
 */
export async function pngFile(path, name) {
  const image = new Image();
  const loaded = new Promise((resolve, reject) => Object.assign(image, { onload: resolve, onerror: reject }));
  void loadImage(image, path);
  await loaded;
  const canvas = Object.assign(document.createElement("canvas"), { width: image.naturalWidth, height: image.naturalHeight });
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  const data = await new Promise((/** @type {(blob: Blob | null) => void} */ done) => canvas.toBlob(done, "image/png"));
  if (!data) throw new Error("no picture");
  return new File([data], name, { type: "image/png" });
}

/** Save a file. @param {File} file */
export function save(file) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: file.name });
  // The static site creates other downloads itself.
  link.addEventListener("click", (event) => event.stopPropagation());
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
