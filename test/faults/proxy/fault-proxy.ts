import { once } from "node:events";
import { rm } from "node:fs/promises";
import {
  createSecureServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { requireLoopback } from "../../../src/dev/cluster/kubeconfig.ts";
import { loadTarget } from "../../../src/kube/config/load-target.ts";
import { testCertificate } from "../../fixture/certificate.ts";
import { placeIn } from "./asked.ts";
import { type Journal, journal } from "./journal.ts";
import { writeKubeconfigTo } from "./kubeconfig.ts";
import { type Armed, type Plan, plans } from "./plans.ts";
import { objectionTo, type ReadRecord, type Refusal, readOf } from "./reads.ts";
import { fieldsIn } from "./relay.ts";
import { serveRead } from "./serve-read.ts";
import { serveWrite } from "./serve-write.ts";
import { type WatchFaults, watchFaults } from "./watch-faults.ts";
import { askAlone, type Upstream, type Wire, wireTo } from "./wire.ts";
import { isWrite, recordOf } from "./write-record.ts";

/** An API server, to whoever looks at it: the real one, and whatever a plan makes of it. */
export interface FaultProxy extends Journal, WatchFaults {
  readonly url: URL;
  /** PEM: what a client has to trust. */
  readonly certificate: string;
  /** A copy of a kubeconfig, of anybody with a token, that leads through the proxy; it goes with the proxy. */
  kubeconfigFor(path: string): Promise<string>;
  arm(plan: Plan): Armed;
  reads(): readonly ReadRecord[];
  /** Reads that Portway must never send (invariant G4). They are answered all the same. */
  refusals(): readonly Refusal[];
  /** Says goodbye on every connection; what is under way goes on, and new requests need a new connection. */
  goaway(): void;
  /** Cuts every connection in the middle of whatever it does. */
  cut(): void;
  /**
   * To be called when the client was killed. A connection whose peer dies during a write may never notice it (Node's
   * HTTP/2 stops to read while it writes): it is ended when what the dead one had sent has had time to arrive.
   */
  clientDied(): void;
  close(): Promise<void>;
}

/** The server to stand before: by a kubeconfig, or by its address and the authority (PEM) that its certificate is checked with. */
export type Behind = { readonly kubeconfig: string } | { readonly server: string; readonly ca: string };

const afterDeathMilliseconds = 2000;

export async function faultProxy(behind: Behind): Promise<FaultProxy> {
  const upstream = await upstreamOf(behind);
  const own = testCertificate();
  const server = createSecureServer({ cert: own.certificate, key: own.key, settings: { maxConcurrentStreams: 100 } });
  const wires = new Map<ServerHttp2Session, Wire>();
  const sockets = new Set<Socket>();
  const copied: string[] = [];
  const [writes, armed, watches] = [journal(), plans(), watchFaults()];
  const reads: ReadRecord[] = [];

  server.on("connection", (socket: Socket) => {
    sockets.add(
      socket
        .setNoDelay(true)
        .on("error", () => undefined)
        .on("close", () => sockets.delete(socket)),
    );
  });
  server.on("session", (session) => {
    const wire = wireTo(upstream, session, () => wires.delete(session));
    wires.set(session, wire);
    session.on("error", () => undefined);
    session.on("stream", (stream, headers, _flags, raw) => {
      stream.on("error", () => undefined);
      void serve(stream, headers, raw, wire);
    });
  });

  async function serve(
    down: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    raw: readonly string[],
    wire: Wire,
  ): Promise<void> {
    const { ":method": method = "", ":path": path = "", "user-agent": userAgent = "" } = headers;
    const fields = fieldsIn(raw);
    const place = placeIn(path)?.place;
    const body = await bodyOf(down, method);
    if (body === "cut off") return;
    if (place === undefined || body === undefined || !isWrite(method, place)) {
      const read = method === "GET" ? readOf(path, userAgent) : undefined;
      if (read !== undefined) reads.push(read);
      const ask = (asked: string) => wire.request({ ...fields, ":path": asked }, body);
      return serveRead({ down, path, read, ask }, watches);
    }
    const contentType = headers["content-type"] ?? "";
    const record = writes.begin(recordOf({ method, path, contentType, userAgent, body }));
    try {
      const forward = () => wire.request(fields, body);
      const forwardAlone = () => askAlone(upstream, fields, body);
      await serveWrite({ down, record, forward, forwardAlone }, armed.strike(record));
    } finally {
      writes.end(record);
    }
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    ...writes,
    ...watches,
    url,
    certificate: own.certificate,
    async kubeconfigFor(path) {
      const copy = await writeKubeconfigTo(url, own.certificate, path);
      copied.push(copy);
      return copy;
    },
    arm: armed.arm,
    reads: () => [...reads],
    refusals: () =>
      reads.flatMap((read) => {
        const why = objectionTo(read);
        return why === undefined ? [] : [{ read, why }];
      }),
    goaway() {
      for (const session of wires.keys()) session.close();
    },
    cut,
    clientDied() {
      const orphaned = [...wires.keys()];
      setTimeout(() => {
        for (const session of orphaned) session.destroy();
      }, afterDeathMilliseconds).unref();
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const [session, wire] of wires) {
        session.destroy();
        wire.destroy();
      }
      cut();
      await closed;
      await Promise.all(copied.map((path) => rm(path, { force: true })));
    },
  };
}

async function upstreamOf(behind: Behind): Promise<Upstream> {
  const upstream =
    "kubeconfig" in behind
      ? await loadTarget({ env: {}, kubeconfig: behind.kubeconfig })
      : { server: new URL(behind.server), trust: { ca: behind.ca } };
  requireLoopback(upstream.server.origin);
  return upstream;
}

/** All of it; undefined for a request that has none. */
async function bodyOf(down: ServerHttp2Stream, method: string): Promise<Buffer | undefined | "cut off"> {
  if (method === "GET" || method === "HEAD") return undefined;
  const { promise, resolve } = Promise.withResolvers<Buffer | "cut off">();
  const chunks: Buffer[] = [];
  down.on("data", (chunk: Buffer) => chunks.push(chunk));
  down.on("end", () => resolve(Buffer.concat(chunks)));
  down.on("close", () => resolve("cut off"));
  return await promise;
}
