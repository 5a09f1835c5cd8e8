import type { Terminal } from "../../cli/terminal.ts";

export interface CompileProgress {
  /** A line go wrote while it resolved modules. */
  readonly downloading: (line: string) => void;
  /** How many packages go has to compile. */
  readonly total: (packages: number) => void;
  /** A line of `go build -v`: one compiled package each. */
  readonly compiled: (line: string) => void;
  readonly done: () => void;
}

export function compileProgress(
  name: string,
  terminal: Terminal,
  now: () => number = () => performance.now(),
): CompileProgress {
  const start = now();
  let modules = 0;
  let packages = 0;
  let all = 0;
  const elapsed = () => duration((now() - start) / 1000);
  terminal.say(`building ${name}, once; the result is kept`);
  return {
    downloading: (line) => {
      if (line.startsWith("go: downloading"))
        terminal.progress(`${name}: ${++modules} modules downloaded, ${elapsed()}`);
    },
    total: (count) => (all = count),
    compiled: (line) => {
      if (!line.startsWith("go: ")) terminal.progress(`${name}: ${++packages}/${all} packages, ${elapsed()}`);
    },
    done: () => terminal.say(`built ${name} in ${elapsed()}`),
  };
}

export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
