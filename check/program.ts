import { chmod } from "node:fs/promises";
import { build } from "esbuild";

/**
 * Writes the whole program as one file. CommonJS, because a bundle of ES modules imports everything it ever needs of Node
 * before it looks at the first word, and that is most of what a person waits for who wants a help text.
 */
export async function bundleProgram(outfile: string): Promise<void> {
  await build({
    entryPoints: ["src/bin/portway.ts"],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node24",
    define: { "import.meta.dirname": "__dirname" },
    sourcemap: "linked",
    legalComments: "linked",
    banner: { js: "#!/usr/bin/env node" },
  });
  await chmod(outfile, 0o755);
}
