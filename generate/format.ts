import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { packageRoot } from "../src/dev/paths.ts";

const biome = join(packageRoot, "node_modules", ".bin", "biome");

/** The text as `make format` would leave it in the file at this path. */
export async function formatted(path: string, source: string): Promise<string> {
  const args = ["check", "--write", "--linter-enabled=false", "--colors=off", `--stdin-file-path=${path}`];
  const child = spawn(biome, args, { cwd: packageRoot, stdio: "pipe" });
  child.stdin.end(source);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  if (child.exitCode === 0) return stdout;
  throw new Error(`biome does not format ${path}: ${stderr}`);
}
