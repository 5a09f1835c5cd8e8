import { glob, readFile } from "node:fs/promises";
import { join, normalize } from "node:path";

const cores = ["api", "grants", "rebind"];
const engine = ["runtime", "kube", "rpc"];
const domains = ["transfer", "provision", "gate", "populate", "buckets"];
/** What a domain looks at, and what it would write: the command line looks at the same things with a person's eyes. */
const looks = [
  "watches.ts",
  "pod-watch.ts",
  "claim-shape.ts",
  "template.ts",
  "secret-owner.ts",
  "lease.ts",
  "notes.ts",
];
/** The files of a domain that hold decisions and no effects; the command line and admission run the same ones. */
const pureFiles = ["seen.ts", "rules.ts", "gates.ts", "status.ts", "request.ts", "consent.ts", "uses.ts", ...looks];

const borders = ["node:http2", "node:https", "node:tls"];
/** Kubernetes talks to us here, and not we to Kubernetes. */
const listener = "src/admission/server.ts";

/** Which rooms of `src/` a room may import from, besides itself. A room that is not listed may not exist. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  api: [],
  kube: ["api"],
  rpc: ["api"],
  runtime: ["kube", "rpc", "api"],
  grants: ["api"],
  rebind: ["kube", "api"],
  ...Object.fromEntries(domains.map((domain) => [domain, [...engine, ...cores]])),
  cli: [...domains, ...engine, ...cores],
  admission: [...domains, ...engine, ...cores],
  dev: ["cli", "kube", "api"],
  bin: ["cli", "admission", "dev", ...domains, ...engine, ...cores],
};

export interface ImportLine {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly from: string;
}

/** One sentence a line that breaks the rule of dependency; none when all point downwards. */
export function breaches(imports: readonly ImportLine[]): readonly string[] {
  return imports.flatMap((found) => {
    const why = objection(found);
    return why === undefined ? [] : [`${found.file}:${found.line}: ${why}: ${found.text.trim()}`];
  });
}

function objection({ file, from }: ImportLine): string | undefined {
  const room = roomOf(file);
  const allowed = mayImport[room];
  if (allowed === undefined) return `src/${room} is not a room of the design`;
  return from.startsWith(".")
    ? objectionInside(file, allowed, normalize(join(file, "..", from)))
    : objectionOutside(file, from);
}

function objectionOutside(file: string, from: string): string | undefined {
  if (isDecision(file) && from.startsWith("node:")) return "a decision may not touch the world outside";
  const isBorder = ["kube", "dev"].includes(roomOf(file)) || file === listener;
  return borders.includes(from) && !isBorder ? "only src/kube talks to Kubernetes" : undefined;
}

function objectionInside(file: string, allowed: readonly string[], target: string): string | undefined {
  const [room, other] = [roomOf(file), roomOf(target)];
  if (!target.startsWith("src/")) return "src may not import what is not shipped";
  if (other === room) return undefined;
  if (!allowed.includes(other)) return `${room} may not import ${other}`;
  const wantsPure = (room === "cli" || room === "admission") && domains.includes(other);
  if (wantsPure && !pureFiles.some((name) => target.endsWith(`/${name}`)))
    return `${room} may import only decisions of ${other}`;
  return undefined;
}

function roomOf(path: string): string {
  return path.split("/")[1] ?? "";
}

function isDecision(file: string): boolean {
  return (
    domains.includes(roomOf(file)) && ["rules.ts", "gates.ts", "status.ts"].some((name) => file.endsWith(`/${name}`))
  );
}

const importLine =
  /^\s*(?:import|export)\b[^"']*["']([^"']+)["']|^\}\s*from\s+["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/;

export function importsIn(file: string, text: string): readonly ImportLine[] {
  return text.split("\n").flatMap((line, index) => {
    const match = importLine.exec(line);
    const from = match?.[1] ?? match?.[2] ?? match?.[3];
    return from === undefined ? [] : [{ file, line: index + 1, text: line, from }];
  });
}

/** Tests beside the sources may reach further; what ships may not. */
export async function directionFaults(): Promise<readonly string[]> {
  const imports: ImportLine[] = [];
  for await (const file of glob("src/**/*.ts")) {
    if (!file.endsWith(".test.ts")) imports.push(...importsIn(file, await readFile(file, "utf8")));
  }
  if (imports.length === 0) return ["no import line was found: the check looks in the wrong place"];
  return breaches(imports);
}
