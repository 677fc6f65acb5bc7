/** Picture of the position as a PNG file, drawn from its SVG. */

import { loadImage } from "./transport.js";

/**
 * Save a picture.
 * @param {string} path of its SVG
 * @param {string} name of the file
 */
export async function savePng(path, name) {
  const image = new Image();
  const loaded = new Promise((resolve, reject) => {
    image.onload = resolve;
    image.onerror = reject;
  });
  loadImage(image, path);
  await loaded;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  const link = document.createElement("a");
  link.href = canvas.toDataURL("image/png");
  link.setAttribute("download", name);
  // The static site creates other downloads itself.
  link.addEventListener("click", (event) => event.stopPropagation());
  document.body.append(link);
  link.click();
  link.remove();
}
