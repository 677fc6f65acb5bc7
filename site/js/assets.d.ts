/** Written by the build: addresses of the workers' files, relative to the static files. */
export const ASSETS: {
  pyodide: string;
  packages: object;
  python: string;
  more: string;
  texts: Record<string, string>;
  /** By address: size of each file needed to start Python, and its compressed size, in bytes. */
  sizes: Record<string, [number, number]>;
  stdlib: string;
  simd: string;
  plain: string;
  weights: Record<string, string>;
};
