import { basename } from "node:path";
import { Failure } from "../../api/failure.ts";

type Row = readonly [sign: RegExp, what: string, next: string];

/** What go says when it fails, and what a person can do about it. The first row that matches wins. */
const table: readonly Row[] = [
  [
    /no space left on device/,
    "the disk is full",
    "Free some space (a first build needs about 7 GB) and run this again.",
  ],
  [
    /checksum mismatch|SECURITY ERROR/,
    "a downloaded module is not the one that was pinned",
    "Do not build it. Run 'go clean -modcache', check GOPROXY, and run this again.",
  ],
  [
    /dial tcp|no such host|connection refused|i\/o timeout|TLS handshake|proxyconnect|network is unreachable|GOPROXY=off|: 4\d\d |: 5\d\d /,
    "Go modules cannot be downloaded",
    "Check the network and GOPROXY, then run this again; what was downloaded is kept.",
  ],
  [/requires go >= /, "Go is too old", "Get a newer Go from https://go.dev/dl and run this again."],
  [
    /signal: killed|cannot allocate memory/,
    "a compiler was killed, most likely for lack of memory",
    "Close other programs or set GOMAXPROCS=1, and run this again.",
  ],
];

export function goTrouble(folder: string, complaints: readonly string[]): Failure {
  const spoken = complaints.filter((line) => !line.startsWith("go: downloading") && line.trim() !== "");
  for (const [sign, what, next] of table) {
    const line = spoken.find((l) => sign.test(l));
    if (line !== undefined)
      return new Failure(`cannot build ${basename(folder)}: ${what} (${line.trim().slice(0, 200)})`, next);
  }
  const said = spoken.slice(-5).join("\n  ");
  return new Failure(
    `cannot build ${basename(folder)}: go failed:\n  ${said}`,
    "That is a bug of Portway if the folder go/ is unchanged: please report it.",
  );
}
