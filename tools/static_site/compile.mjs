// Compiles the browser's Python, in Pyodide: the format of compiled files depends on the version of
// Python. `packages.py` runs this: compile.mjs PYODIDE SCRIPT SOURCES FOLDER.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv, exit } from "node:process";
import { pathToFileURL } from "node:url";

const [pyodide, script, sources, out] = argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(pyodide, "pyodide.mjs")).href);
// Omitting columns in tracebacks makes the compiled files a fifth smaller.
const python = await loadPyodide({ args: ["-X", "no_debug_ranges"] });
python.FS.writeFile("/library.zip", readFileSync(join(pyodide, "python_stdlib.zip")));
python.FS.writeFile("/packages.zip", readFileSync(sources));
try {
  python.runPython(readFileSync(script, "utf8"));
} catch (error) {
  // Node.js would also print the source line, which is a megabyte long.
  console.error(error.message);
  exit(1);
}
for (const name of ["first.tar", "more.tar"]) writeFileSync(join(out, name), python.FS.readFile(`/out/${name}`));
