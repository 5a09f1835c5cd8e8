import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { packageRoot } from "../../src/dev/paths.ts";
import { type Ended, until } from "../fixture/portway.ts";

const program = join(packageRoot, "src", "bin", "portway.ts");

/** Somebody at a shell with a kubeconfig. Nobody answers questions: it is no terminal. */
export interface Person {
  says(...words: readonly string[]): Promise<Ended>;
  pipes(input: string, ...words: readonly string[]): Promise<Ended>;
  /** Says it, and looks at what comes until it presses Ctrl-C. */
  watches(...words: readonly string[]): Watching;
}

export interface Watching {
  until(seen: RegExp): Promise<void>;
  stopped(): Promise<Ended>;
}

export function personWith(t: TestContext, kubeconfig: string, own: Readonly<Record<string, string>> = {}): Person {
  function begin(words: readonly string[], input = "") {
    const child = spawn(process.execPath, [program, ...words], {
      env: { ...process.env, ...own, KUBECONFIG: kubeconfig, PORTWAY_CALLED_AS: "kubectl portway" },
      stdio: ["pipe", "pipe", "pipe"],
    });
    t.after(() => child.kill("SIGKILL"));
    const told = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (told.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (told.stderr += text));
    child.stdin.end(input);
    const ended = once(child, "close").then(([code]): Ended => ({ code: code as number | null, ...told }));
    return { child, told, ended };
  }
  return {
    says: (...words) => begin(words).ended,
    pipes: (input, ...words) => begin(words, input).ended,
    watches(...words) {
      const { child, told, ended } = begin(words);
      return {
        until: (seen) => until(`it prints ${seen.source}`, () => seen.test(told.stdout)),
        async stopped() {
          child.kill("SIGINT");
          return await ended;
        },
      };
    },
  };
}
