/** What the build writes: the addresses of what the workers fetch, seen from the static files. */
export const ASSETS: {
  pyodide: string;
  python: string;
  simd: string;
  plain: string;
  weights: Record<string, string>;
};
