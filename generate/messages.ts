import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { packageRoot } from "../src/dev/paths.ts";

/** Where the output lies below a root. */
export const messages: string = join("src", "rpc", "gen");

/** Writes the messages of `proto/` below this root, as buf.gen.yaml says. No network is needed, and no cache is kept. */
export async function generateMessages(root: string): Promise<void> {
  const bin = join(packageRoot, "node_modules", ".bin");
  const cache = await mkdtemp(join(tmpdir(), "portway-buf-"));
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env["PATH"]}`, BUF_CACHE_DIR: cache };
  try {
    const child = spawn(join(bin, "buf"), ["generate", `--output=${root}`], { cwd: packageRoot, env, stdio: "pipe" });
    const [stderr] = await Promise.all([text(child.stderr), once(child, "close")]);
    if (child.exitCode !== 0) throw new Error(`buf does not generate ${messages}: ${stderr}`);
  } finally {
    await rm(cache, { recursive: true, force: true });
  }
}
