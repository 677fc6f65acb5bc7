// Compiles the browser's Python, in Pyodide: what the files of a version of Python look like, only
// that version knows. `packages.py` runs this: compile.mjs PYODIDE SCRIPT SOURCES FOLDER.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv, exit } from "node:process";
import { pathToFileURL } from "node:url";

const [pyodide, script, sources, out] = argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(pyodide, "pyodide.mjs")).href);
// Without columns in tracebacks the compiled files are a fifth smaller.
const python = await loadPyodide({ args: ["-X", "no_debug_ranges"] });
python.FS.writeFile("/library.zip", readFileSync(join(pyodide, "python_stdlib.zip")));
python.FS.writeFile("/packages.zip", readFileSync(sources));
try {
  python.runPython(readFileSync(script, "utf8"));
} catch (error) {
  // Node.js would tell a line of the program as well, which has a megabyte.
  console.error(error.message);
  exit(1);
}
for (const name of ["first.tar", "more.tar"]) writeFileSync(join(out, name), python.FS.readFile(`/out/${name}`));
