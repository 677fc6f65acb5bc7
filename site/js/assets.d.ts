/** What the build writes: the addresses of what the workers fetch, seen from the static files. */
export const ASSETS: {
  pyodide: string;
  packages: object;
  python: string;
  stdlib: string;
  simd: string;
  plain: string;
  weights: Record<string, string>;
};
