import { mkdir, stat, writeFile } from "node:fs/promises";
import { bundleProgram } from "./program.ts";

/** Ships the program as one file, and what starts it; `make build`. */
const outfile = "build/portway.cjs";
await mkdir("build", { recursive: true });
await bundleProgram(outfile);

/**
 * In a clone, Node comes with the packages: this runs the bundle with it, whatever node is on PATH. No other program is
 * started on the way, and what Node has compiled is kept in the person's cache for the next time.
 */
function launcher(before = "", words = ""): string {
  return `#!/bin/sh
self=$0
[ ! -h "$self" ] || self=$(readlink -f -- "$self")
case $self in */*) here=\${self%/*} ;; *) here=. ;; esac
if [ -n "\${XDG_CACHE_HOME:-$HOME}" ]; then
  export NODE_COMPILE_CACHE="\${NODE_COMPILE_CACHE-\${XDG_CACHE_HOME:-$HOME/.cache}/portway/compiled}"
fi
${before}exec "$here/../node_modules/.bin/node" "$here/portway.cjs" ${words}"$@"
`;
}
const launchers = {
  portway: launcher(),
  // With these two on PATH, kubectl finds the plugin and what completes its words.
  "kubectl-portway": launcher('export PORTWAY_CALLED_AS="kubectl portway"\n'),
  "kubectl_complete-portway": launcher("", "__complete "),
};
for (const [name, text] of Object.entries(launchers)) await writeFile(`build/${name}`, text, { mode: 0o755 });
console.log(`build/portway (${Math.round((await stat(outfile)).size / 1024)} kB)`);
