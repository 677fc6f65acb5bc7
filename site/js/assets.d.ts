/** What the build writes: the addresses of what the workers fetch, seen from the static files. */
export const ASSETS: {
  pyodide: string;
  packages: object;
  python: string;
  more: string;
  texts: Record<string, string>;
  /** By address: the bytes of what is waited for until Python runs, and how many of them a host sends. */
  sizes: Record<string, [number, number]>;
  stdlib: string;
  simd: string;
  plain: string;
  weights: Record<string, string>;
};
