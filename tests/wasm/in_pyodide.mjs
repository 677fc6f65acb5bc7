// Runs tests in Pyodide, over the kernel's WebAssembly: node in_pyodide.mjs ROOT TEST…
//
// ROOT is the repository; `make site-tests` has fetched what Python needs there.
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [root, ...tests] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(root, "site/node_modules/pyodide/pyodide.mjs")));
const { Kernel } = await import(pathToFileURL(join(root, "js/kernel.js")));

const started = performance.now();
const kernel = await Kernel.open(
  await WebAssembly.compile(await readFile(join(root, "build/wasm/damka-simd.wasm"))),
);
const pyodide = await loadPyodide({ env: { DAMKA_CORE: "bridge", HOME: "/home/pyodide" } });
pyodide.registerJsModule("damka_kernel", {
  call: (name, data, ...numbers) => kernel.call(name, data, ...numbers),
  output: (n) => kernel.output(n),
  write: (data) => kernel.write(data),
  setHost: (host) => kernel.setHost(host),
});
pyodide.mountNodeFS("/repo", root);
for (const folder of ["wheels", "test-wheels"]) {
  const wheels = join(root, "build/site", folder);
  for (const name of (await readdir(wheels)).filter((each) => each.endsWith(".whl"))) {
    const wheel = new Uint8Array(await readFile(join(wheels, name)));
    pyodide.unpackArchive(wheel, "wheel", { extractDir: "/wheels" });
  }
}
console.log(`ready in ${Math.round(performance.now() - started)} ms`);
pyodide.globals.set("tests", pyodide.toPy(tests));
const code = pyodide.runPython(`
import os, sys, time
sys.dont_write_bytecode = True
sys.path[:0] = ["/repo/src", "/repo", "/wheels"]
os.chdir("/repo")
time.thread_time = time.process_time  # there is one thread
import pytest
int(pytest.main(["-q", "-c", "/repo/tests/wasm/pyodide.ini", "--rootdir=/repo", "--confcutdir=/repo", "-m", "not native and not browser and not threads", *tests]))
`);
console.log(`done in ${Math.round(performance.now() - started)} ms`);
process.exit(code);
