import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { systemClock, type WaitingClock } from "../runtime/clock.ts";
import type { Endpoint } from "../runtime/flag-values.ts";
import { listenOn } from "../runtime/listen.ts";
import type { Log } from "../runtime/log.ts";
import { answerTo, Unreadable } from "./answer.ts";
import type { KeyPair } from "./certificate/self-signed.ts";
import type { AdmissionMetrics } from "./metrics.ts";

export const path = "/give-and-accept";

/** A claim twice, before and after; the API server takes no request over 3 MiB. */
const longestBody = 8 * 1024 * 1024;

/** Longer than the API server keeps an idle connection (90 s): if we were first, a question could meet a closed door. */
const idleMilliseconds = 120_000;

export interface AdmissionServerOptions {
  readonly endpoint: Endpoint;
  readonly metrics: AdmissionMetrics;
  readonly log: Log;
  readonly clock?: WaitingClock;
}

export interface AdmissionServer {
  readonly port: number;
  /** Connections that are open stay as they are. */
  serve(pair: KeyPair): void;
  /** Answers for this long still, so that everybody hears that it ends, and finishes what was asked until then. */
  close(afterSeconds: number): Promise<void>;
}

/**
 * It answers whoever asks, because it knows nothing: an answer depends on the question alone. Until it has a certificate, nobody
 * gets as far as a question.
 */
export async function serveAdmission(options: AdmissionServerOptions): Promise<AdmissionServer> {
  const { endpoint, metrics, log, clock = systemClock } = options;
  let isEnding = false;
  const idle = idleConnections();
  const server = createServer(
    {
      keepAliveTimeout: idleMilliseconds,
      requestTimeout: 10_000,
      headersTimeout: 5000,
      handshakeTimeout: 5000,
      minVersion: "TLSv1.2",
    },
    (request, response) => {
      const began = clock.now();
      idle.asks(request, response);
      void respond(request, response).finally(() =>
        metrics.answered(response.statusCode, (clock.now() - began) / 1000),
      );
    },
  );
  server.maxConnections = 1024;
  server.on("secureConnection", (socket) => idle.isOpen(socket));
  server.on("tlsClientError", (problem) => log.debug(4, "a handshake failed", { problem: problem.message }));
  await listenOn(server, endpoint, "--webhook-endpoint");

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, text } = await answered(request, log);
    response.writeHead(status, {
      "content-type": status === 200 ? "application/json" : "text/plain; charset=utf-8",
      "content-length": Buffer.byteLength(text),
      ...(isEnding || status !== 200 ? { connection: "close" } : {}),
    });
    response.end(text);
  }

  return {
    port: (server.address() as AddressInfo).port,
    serve: ({ certificate, key }) => server.setSecureContext({ cert: certificate, key, minVersion: "TLSv1.2" }),
    async close(afterSeconds) {
      isEnding = true;
      await clock.sleep(afterSeconds * 1000);
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      idle.end();
      await promise;
    },
  };
}

/**
 * An API server opens connections in advance and may never ask anything on them. Node closes only those on which somebody has
 * asked before; a replica would wait for the others until it is killed.
 */
function idleConnections() {
  const open = new Set<Socket>();
  let isOver = false;

  function isOpen(socket: Socket): void {
    if (socket.destroyed) return;
    if (isOver) socket.destroySoon();
    else open.add(socket);
  }

  return {
    isOpen(socket: Socket) {
      socket.once("close", () => open.delete(socket));
      isOpen(socket);
    },
    asks({ socket }: IncomingMessage, response: ServerResponse) {
      open.delete(socket);
      response.once("close", () => isOpen(socket));
    },
    end() {
      isOver = true;
      for (const socket of open) socket.destroySoon();
    },
  };
}

interface Answered {
  readonly status: number;
  readonly text: string;
}

async function answered(request: IncomingMessage, log: Log): Promise<Answered> {
  if (request.url?.split("?")[0] !== path) return { status: 404, text: "not found\n" };
  if (request.method !== "POST") return { status: 405, text: "only POST\n" };
  try {
    const body = await bodyOf(request);
    return body === undefined
      ? { status: 413, text: "the question is too long\n" }
      : { status: 200, text: answerTo(body) };
  } catch (problem) {
    if (problem instanceof Unreadable) return { status: 400, text: `${problem.message}\n` };
    log.error("a question was not answered", problem);
    return { status: 500, text: "failed\n" };
  }
}

/** Undefined when it is longer than any question of an API server. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    // The rest is heard and forgotten, or whoever sends it would not hear our answer; requestTimeout ends what has no end.
    if (bytes <= longestBody) parts.push(part);
  }
  return bytes > longestBody ? undefined : Buffer.concat(parts).toString("utf8");
}
