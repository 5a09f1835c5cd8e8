import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Endpoint } from "./flag-values.ts";
import { listenOn } from "./listen.ts";
import { contentType } from "./metrics/exposition.ts";
import type { MetricsRegistry } from "./metrics/registry.ts";

/** Answers what is wrong, or nothing. */
export type Check = () => string | undefined | Promise<string | undefined>;

export type Checks = Readonly<Record<string, Check>>;

export interface HealthOptions {
  /** Absent: nothing is served. */
  readonly endpoint: Endpoint | undefined;
  readonly metrics: Pick<MetricsRegistry, "text">;
  readonly metricsPath?: string;
  /** Whether the process should live: a failure here gets it restarted. */
  readonly alive: Checks;
  /** Whether it is at work. */
  readonly ready: Checks;
}

export interface HealthServer {
  readonly port: number | undefined;
  close(): Promise<void>;
}

/** Something that is not so at first, or not any more when the process ends. */
export interface Readiness {
  set(isReady: boolean): void;
  readonly check: Check;
}

export function readiness(otherwise: string): Readiness {
  let isReady = false;
  return { set: (now) => void (isReady = now), check: () => (isReady ? undefined : otherwise) };
}

const checkWithinMilliseconds = 2000;

/** Serves `/metrics`, `/healthz` and `/readyz`, and single checks below the last two, as Kubernetes' own programs do. */
export async function serveHealth(options: HealthOptions): Promise<HealthServer> {
  const { endpoint } = options;
  if (endpoint === undefined) return { port: undefined, close: async () => undefined };
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5000 }, (request, response) => {
    void respond(options, request, response);
  });
  // Whoever asks too slowly or too often must not take what the controller needs.
  server.maxConnections = 64;
  await listenOn(server, endpoint, "--http-endpoint");
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      server.closeAllConnections();
      await promise;
    },
  };
}

interface Page {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function respond(options: HealthOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, text, headers } = await pageFor(options, request).catch(() => ({
    status: 500,
    text: "failed\n",
    headers: {},
  }));
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    "x-content-type-options": "nosniff",
    ...headers,
  });
  response.end(request.method === "HEAD" ? undefined : text);
}

async function pageFor(
  { metrics, metricsPath = "/metrics", alive, ready }: HealthOptions,
  { method, url = "/" }: IncomingMessage,
): Promise<Page> {
  const path = url.split("?")[0] ?? "/";
  const [, root = "", name, ...deeper] = path.split("/");
  const isCheck = ["healthz", "readyz"].includes(root) && deeper.length === 0;
  if (!isCheck && path !== metricsPath) return { status: 404, text: "not found\n" };
  if (method !== "GET" && method !== "HEAD")
    return { status: 405, text: "only GET and HEAD\n", headers: { allow: "GET, HEAD" } };
  if (path === metricsPath) return { status: 200, text: metrics.text(), headers: { "content-type": contentType } };
  return await checked(root, root === "healthz" ? alive : ready, name);
}

async function checked(root: string, checks: Checks, only: string | undefined): Promise<Page> {
  const wanted = Object.entries(checks).filter(([name]) => only === undefined || only === "" || name === only);
  if (wanted.length === 0 && only !== undefined && only !== "") return { status: 404, text: "not found\n" };
  const results = await Promise.all(wanted.map(async ([name, check]) => [name, await outcome(check)] as const));
  const lines = results.map(([name, wrong]) => (wrong === undefined ? `[+]${name} ok` : `[-]${name} failed: ${wrong}`));
  const isGood = results.every(([, wrong]) => wrong === undefined);
  return { status: isGood ? 200 : 503, text: [...lines, `${root} ${isGood ? "ok" : "failed"}`, ""].join("\n") };
}

/** A check that throws or does not answer has failed. */
async function outcome(check: Check): Promise<string | undefined> {
  const answered = new AbortController();
  const late = sleep(checkWithinMilliseconds, "no answer in time", { signal: answered.signal, ref: false });
  late.catch(() => undefined);
  try {
    return await Promise.race([late, (async () => await check())()]);
  } catch (problem) {
    return problem instanceof Error ? problem.message : String(problem);
  } finally {
    answered.abort();
  }
}
