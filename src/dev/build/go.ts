import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { Failure } from "../../api/failure.ts";
import { spawnLeashed } from "../component.ts";
import { goTrouble } from "./trouble.ts";

const howToGet = "Get Go from https://go.dev/dl or your distribution, put it on PATH, and run this again.";

/** Our modules pin every version; the caller's Go settings must not change what is built. */
const settings = { CGO_ENABLED: "0", GOFLAGS: "-mod=readonly -buildvcs=false", GOWORK: "off" };

export interface GoCall {
  readonly folder: string;
  readonly args: readonly string[];
  readonly stop: AbortSignal;
  /** Told every line of stderr: what is downloaded, and with -v what is compiled. */
  readonly onLine?: (line: string) => void;
}

/** Runs go and answers its stdout; what it complains of comes back as one sentence. */
export async function go({ folder, args, stop, onLine }: GoCall): Promise<string> {
  stop.throwIfAborted();
  const child = spawnLeashed("go", args, {
    cwd: folder,
    env: { ...process.env, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  // The compilers that go starts are in its process group; all of them go at once.
  const abort = () => child.pid !== undefined && process.kill(-child.pid, "SIGKILL");
  stop.addEventListener("abort", abort, { once: true });
  let stdout = "";
  const complaints: string[] = [];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  if (child.stderr === null) throw new Error("go was started without stderr");
  createInterface({ input: child.stderr }).on("line", (line) => {
    onLine?.(line);
    complaints.push(line);
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on("error", reject).on("close", resolve);
  try {
    const code = await promise;
    stop.throwIfAborted();
    if (code === 0) return stdout;
  } finally {
    stop.removeEventListener("abort", abort);
  }
  throw goTrouble(folder, complaints);
}

/** One sentence when Go is missing or too old for the module, before anything else is tried. */
export async function requireGo(needed: string): Promise<void> {
  const found = await goSettings();
  if (found === undefined) throw new Failure(`go is not on PATH; Go ${needed} or newer is needed`, howToGet);
  const [version = "", toolchain = ""] = found.split("\n");
  const fetchesNewer = isAtLeast(version, "1.21.0") && toolchain !== "local" && !toolchain.startsWith("go1");
  if (isAtLeast(version, needed) || fetchesNewer) return;
  throw new Failure(`Go ${needed} or newer is needed, and ${version} is installed`, howToGet);
}

async function goSettings(): Promise<string | undefined> {
  const child = spawn("go", ["env", "GOVERSION", "GOTOOLCHAIN"], { cwd: "/", stdio: ["ignore", "pipe", "ignore"] });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  child.on("error", () => resolve(undefined));
  child.on("close", (code) => resolve(code === 0 ? text.trim() : undefined));
  return await promise;
}

/** Compares Go versions such as "go1.26.8" and "1.26.0"; a release candidate counts as its release. */
export function isAtLeast(version: string, needed: string): boolean {
  const [a, b] = [version, needed].map((v) => (v.match(/\d+/g) ?? []).slice(0, 3).map(Number));
  for (let i = 0; i < 3; i++) {
    const difference = (a?.[i] ?? 0) - (b?.[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
