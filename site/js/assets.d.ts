/** Written by the build: URLs of the workers' files, relative to the static files. */
export const ASSETS: {
  pyodide: string;
  packages: object;
  python: string;
  more: string;
  texts: Record<string, string>;
  /** Uncompressed and compressed size in bytes of each file needed to start Python, by URL. */
  sizes: Record<string, [number, number]>;
  stdlib: string;
  simd: string;
  plain: string;
  weights: Record<string, string>;
};
