import type { Credentials, Target } from "../config/target.ts";
import { orAborted } from "./deadline.ts";
import type { Connection } from "./http.ts";
import type { Liveness } from "./liveness.ts";
import { openSocket } from "./open-socket.ts";

/** The connections to one server: as few as possible, opened when needed, replaced when they end. */
export interface Connections {
  /** Sends over a connection with room for one more request, and opens one when none has. */
  use<R>(credentials: Credentials, signal: AbortSignal, send: (connection: Connection) => Promise<R>): Promise<R>;
  close(): Promise<void>;
}

interface Held {
  readonly connection: Connection;
  /** The client certificate is part of a connection; the token is not. */
  readonly certificate: string | undefined;
}

const openWithinMilliseconds = 15_000;

export function connectionsTo(target: Target, liveness: Liveness): Connections {
  let held: readonly Held[] = [];
  const opening = new Map<string, Promise<Connection>>();
  const closing = new AbortController();

  const soon = () => AbortSignal.any([closing.signal, AbortSignal.timeout(openWithinMilliseconds)]);

  async function open(credentials: Credentials): Promise<Connection> {
    const stop = soon();
    const { socket, protocol } = await openSocket(target, credentials, ["h2", "http/1.1"], stop);
    // Each protocol is loaded by whoever speaks it: a command that asks one question waits for both of Node's otherwise.
    if (protocol === "h2") {
      const { http2Connection } = await import("./http2-connection.ts");
      return await http2Connection(socket, target.server, { liveness, stop });
    }
    const { http1Connection } = await import("./http1-connection.ts");
    const another = async () => (await openSocket(target, credentials, ["http/1.1"], soon())).socket;
    return http1Connection(socket, another, target.server.host);
  }

  return {
    async use(credentials, signal, send) {
      const certificate = credentials.clientCertificate?.certificate;
      for (;;) {
        if (closing.signal.aborted) throw new Error("the client is closed");
        signal.throwIfAborted();
        held = held.filter(({ connection }) => connection.isOpen());
        const found = held.find((h) => h.certificate === certificate && h.connection.hasRoom());
        // Looking and sending are one step: whoever looks next must see the place taken.
        if (found !== undefined) return await send(found.connection);
        await orAborted(openOnce(certificate, credentials), signal);
      }
    },
    async close() {
      closing.abort(new Error("the client is closed"));
      await Promise.allSettled(opening.values());
      await Promise.all(held.map(({ connection }) => connection.close()));
    },
  };

  /** A thousand callers that find no connection open one between them. */
  async function openOnce(certificate: string | undefined, credentials: Credentials): Promise<void> {
    const key = certificate ?? "";
    const underWay = opening.get(key) ?? open(credentials);
    if (!opening.has(key)) {
      opening.set(key, underWay);
      underWay
        .then((connection) => hold({ connection, certificate }))
        .catch(() => undefined)
        .finally(() => opening.delete(key));
    }
    await underWay;
  }

  /** Those of a certificate that has been replaced end with their last answer. */
  function hold(one: Held): void {
    for (const { connection } of held.filter(({ certificate }) => certificate !== one.certificate)) connection.drain();
    held = [...held, one];
  }
}
