import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { callbackify } from "node:util";
import {
  type Connection,
  ConnectionError,
  closeWithinMilliseconds,
  type HttpRequest,
  type HttpResponse,
  wholeText,
} from "./http.ts";

/** For gateways and `kubectl proxy`, which speak HTTP/1.1: a pool of sockets, one request at a time on each. */
export function http1Connection(first: Duplex, openSocket: () => Promise<Duplex>, host: string): Connection {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 16 });
  let unused: Duplex | undefined = first;
  const nextSocket = callbackify(async () => {
    const socket = unused;
    unused = undefined;
    return socket === undefined || socket.destroyed ? await openSocket() : socket;
  });
  agent.createConnection = (_options, done) => {
    nextSocket((problem, socket) => done?.(problem, socket));
    return undefined;
  };

  const running = new Set<ClientRequest>();
  const ended = Promise.withResolvers<void>();
  let draining = false;
  let isOpen = true;

  function end(): void {
    isOpen = false;
    unused?.destroy();
    agent.destroy();
    ended.resolve();
  }

  async function send(request: HttpRequest): Promise<HttpResponse> {
    const sending = start(agent, host, request);
    running.add(sending);
    sending.on("close", () => {
      running.delete(sending);
      if (draining && running.size === 0) end();
    });
    return await answerTo(sending, request);
  }

  function drain(): void {
    draining = true;
    if (running.size === 0) end();
  }

  return {
    hasRoom: () => !draining,
    isOpen: () => isOpen,
    async exchange(request) {
      const { status, headers, body } = await send(request);
      return { status, headers, text: await wholeText(body) };
    },
    open: send,
    drain,
    async close() {
      const late = setTimeout(end, closeWithinMilliseconds);
      drain();
      await ended.promise;
      clearTimeout(late);
    },
  };
}

function start(agent: Agent, host: string, { method, path, headers, body, signal }: HttpRequest): ClientRequest {
  const length = body === undefined ? {} : { "content-length": String(body.length) };
  const request = httpRequest({
    agent,
    host,
    method,
    path,
    // Without its length Node leaves the body of a DELETE out, and the precondition with it.
    headers: { ...headers, ...length } as Record<string, string | string[]>,
    ...(signal === undefined ? {} : { signal }),
  });
  request.end(body);
  return request;
}

async function answerTo(request: ClientRequest, { signal }: HttpRequest): Promise<HttpResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpResponse>();
  let sent = false;
  request.on("socket", () => (sent = true));
  request.on("response", (response: IncomingMessage) => {
    resolve({ status: response.statusCode ?? 0, headers: response.headers, body: response });
  });
  request.on("error", (problem) => {
    if (problem instanceof ConnectionError) reject(problem);
    reject(new ConnectionError(`the connection was lost: ${problem.message}`, { sent, cause: problem }));
  });
  // Node tells a request that waits for a socket of its end only when the socket is there.
  const abort = () => {
    if (sent) reject(signal?.reason as Error);
    reject(new ConnectionError("there was no connection yet", { sent, cause: signal?.reason }));
  };
  signal?.addEventListener("abort", abort, { once: true });
  try {
    return await promise;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}
