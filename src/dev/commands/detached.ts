import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Call } from "../../cli/command.ts";

const marker = "PORTWAY_DEV_DETACHED";

/** Starts the same command again in the background and returns when it says that the cluster is ready. */
export async function detach({ terminal, stop }: Pick<Call, "terminal" | "stop">): Promise<number> {
  const words = process.argv.slice(1).filter((word) => word !== "--detach" && word !== "-d");
  const child = spawn(process.execPath, [...process.execArgv, ...words], {
    detached: true,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    env: { ...process.env, [marker]: "1" },
  });
  // Until it is ready its words are ours; afterwards nobody reads them.
  child.stderr?.setEncoding("utf8").on("data", (text: string) => terminal.say(text.trimEnd()));
  const abort = () => child.kill("SIGTERM");
  stop.addEventListener("abort", abort, { once: true });
  const [outcome] = (await Promise.race([once(child, "message"), once(child, "exit")])) as [unknown];
  if (outcome !== "ready") return 1;
  child.stderr?.destroy();
  child.disconnect();
  child.unref();
  return 0;
}

/** The terminal that waits for a cluster in the background. */
export interface WaitingTerminal {
  /** Aborted when the terminal is closed before it was told: nobody knows of this cluster then, so it must not stay. */
  readonly closed: AbortSignal;
  tellReady(): void;
}

export function waitingTerminal(): WaitingTerminal | undefined {
  if (process.env[marker] === undefined || process.send === undefined) return undefined;
  const closed = new AbortController();
  const abandon = () => closed.abort();
  process.once("disconnect", abandon);
  // Listening must not keep this process alive after a start that failed: the terminal waits for its end.
  process.channel?.unref();
  // Nobody listens once the terminal has gone its way.
  process.stderr.on("error", () => undefined);
  return {
    closed: closed.signal,
    tellReady() {
      process.off("disconnect", abandon);
      process.send?.("ready");
    },
  };
}
