import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type OutgoingHttpHeaders,
  type ServerHttp2Session,
  type Settings,
} from "node:http2";
import type { Trust } from "../../../src/kube/config/target.ts";
import type { Reply } from "./faults.ts";
import { wholeAnswer } from "./relay.ts";

export interface Upstream {
  readonly server: URL;
  readonly trust: Trust;
}

/** One connection of the client, and the one to the server that belongs to it: what happens to the one happens to the other. */
export interface Wire {
  /** Undefined when the server takes no more requests on this connection. */
  request(fields: OutgoingHttpHeaders, body: Buffer | undefined): ClientHttp2Stream | undefined;
  /** Ends it at once; it is told like every end. */
  destroy(): void;
}

const windowBytes = 8 * 1024 * 1024;

function connected({ server, trust: { ca, serverName, skipVerify } }: Upstream): ClientHttp2Session {
  const session = connect(server.origin, {
    settings: { initialWindowSize: windowBytes, enablePush: false },
    ...(ca === undefined ? {} : { ca }),
    ...(serverName === undefined ? {} : { servername: serverName }),
    rejectUnauthorized: skipVerify !== true,
  });
  // Every stream hears of it; unheard here it would end the process.
  session.on("error", () => undefined);
  return session;
}

function ask(
  session: ClientHttp2Session,
  { host }: URL,
  fields: OutgoingHttpHeaders,
  body: Buffer | undefined,
): ClientHttp2Stream {
  const stream = session.request({ ...fields, ":authority": host }, { endStream: body === undefined });
  stream.on("error", () => undefined);
  if (body !== undefined) stream.end(body);
  return stream;
}

/** One request on a connection that belongs to nobody; undefined when the server never answered. */
export async function askAlone(
  upstream: Upstream,
  fields: OutgoingHttpHeaders,
  body: Buffer | undefined,
): Promise<Reply | undefined> {
  const session = connected(upstream);
  try {
    return await wholeAnswer(ask(session, upstream.server, fields, body));
  } finally {
    session.close();
  }
}

export function wireTo(upstream: Upstream, client: ServerHttp2Session, onEnd: () => void): Wire {
  const session = connected(upstream);
  session.on("connect", (_session, socket) => {
    socket.setNoDelay(true);
    session.setLocalWindowSize(windowBytes * 2);
  });
  session.on("remoteSettings", ({ maxConcurrentStreams }: Settings) => {
    if (maxConcurrentStreams !== undefined && !client.destroyed) client.settings({ maxConcurrentStreams });
  });
  // No more requests on this connection; those under way end by themselves.
  session.on("goaway", () => client.close());
  session.on("close", () => {
    client.close();
    onEnd();
  });
  // Writes that were sent before the client went are still answered, and logged.
  client.on("close", () => session.close());
  return {
    request(fields, body) {
      return session.closed || session.destroyed ? undefined : ask(session, upstream.server, fields, body);
    },
    destroy: () => session.destroy(),
  };
}
