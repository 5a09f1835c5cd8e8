import { once } from "node:events";
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
} from "node:http2";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import {
  type Connection,
  ConnectionError,
  closeWithinMilliseconds,
  type HttpRequest,
  type HttpResponse,
  textOf,
  type WholeResponse,
} from "./http.ts";
import type { Liveness } from "./liveness.ts";
import { cannotConnect } from "./open-socket.ts";

/** One big list must not wait for window updates at every 64 kB. */
const windowBytes = 8 * 1024 * 1024;

/** Answers when the server has said how many requests it takes at a time; before that any number could be too many. */
export async function http2Connection(
  socket: Socket,
  server: URL,
  { liveness, stop }: { readonly liveness: Liveness; readonly stop: AbortSignal },
): Promise<Connection> {
  const session = connect(server.origin, {
    createConnection: () => socket,
    settings: { initialWindowSize: windowBytes, enablePush: false },
  });
  let open = 0;
  let lastTaken = Number.POSITIVE_INFINITY;
  // An error of the session reaches every stream; unheard here it would end the process.
  session.on("error", () => undefined);
  // Node ends the session of a socket whose TLS has failed, and leaves the socket open.
  socket.on("error", () => socket.destroy());
  session.on("goaway", (_code, lastStream: number) => void (lastTaken = lastStream));
  session.on("connect", () => session.setLocalWindowSize(windowBytes * 2));
  const watchdog = watchPeer(session, socket, liveness);
  session.on("close", () => clearInterval(watchdog));
  await untilGreeted(session, server, stop);

  async function send<R>(request: HttpRequest, read: Reading<R>): Promise<R> {
    const stream = startStream(session, server.host, request);
    open++;
    return await answerOf(stream, request, read, { lastTaken: () => lastTaken, onClose: () => open-- });
  }

  return {
    // A server that says it takes none gets one all the same, which waits here until it does.
    hasRoom: () =>
      !session.closed && !session.destroyed && open < Math.max(1, session.remoteSettings.maxConcurrentStreams ?? 100),
    isOpen: () => !session.destroyed,
    exchange: (request) => send(request, whole),
    open: (request) => send(request, begun),
    drain: () => session.close(),
    async close() {
      if (session.destroyed) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      session.once("close", resolve);
      session.close();
      const late = setTimeout(() => end(session, socket, "the client is closed"), closeWithinMilliseconds);
      await promise;
      clearTimeout(late);
    },
  };
}

async function untilGreeted(session: ClientHttp2Session, server: URL, stop: AbortSignal): Promise<void> {
  const lost = new AbortController();
  session.once("close", () => lost.abort(new Error("it hung up without a word")));
  try {
    await once(session, "remoteSettings", { signal: AbortSignal.any([stop, lost.signal]) });
  } catch (problem) {
    session.destroy();
    throw cannotConnect(server, problem);
  }
}

function startStream(session: ClientHttp2Session, host: string, request: HttpRequest): ClientHttp2Stream {
  const stream = session.request(
    {
      ":method": request.method,
      ":path": request.path,
      // Node writes an IPv6 address here without its brackets.
      ":authority": host,
      ...(request.headers as Record<string, string | string[]>),
    },
    { endStream: request.body === undefined },
  );
  if (request.body !== undefined) stream.end(request.body);
  return stream;
}

/**
 * What to make of an answer, decided at once: Node throws the bytes of a stream away that ends before somebody reads it,
 * and a short answer has ended by the next tick.
 */
type Reading<R> = (answer: Begun, done: (result: R) => void) => void;

interface Begun {
  readonly head: Pick<HttpResponse, "status" | "headers">;
  readonly stream: ClientHttp2Stream;
  /** Why the stream has ended before its time. */
  readonly loss: () => Error;
}

const whole: Reading<WholeResponse> = ({ head, stream }, done) => {
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  stream.on("end", () => {
    if (isWhole(stream)) done({ ...head, text: textOf(chunks) });
  });
};

const begun: Reading<HttpResponse> = ({ head, stream, loss }, done) => {
  // Not a pipe: a watch comes in very many small pieces, and a pipe has its price for each.
  const body = new Readable({
    read: () => void stream.resume(),
    destroy(problem, done) {
      if (!stream.closed) stream.close(constants.NGHTTP2_CANCEL);
      done(problem);
    },
  });
  stream.on("data", (chunk: Buffer) => body.push(chunk) || stream.pause());
  stream.on("close", () => (isWhole(stream) ? body.push(null) : body.destroy(loss())));
  // Whoever has not begun to read does not listen yet, and an error that nobody hears would end the process.
  body.on("error", () => undefined);
  done({ ...head, body });
};

/** A stream whose connection is lost ends like any other for its reader; only the code tells. */
function isWhole(stream: ClientHttp2Stream): boolean {
  return stream.rstCode === undefined || stream.rstCode === constants.NGHTTP2_NO_ERROR;
}

interface Surroundings {
  /** The last stream that the server has looked at before its goodbye. */
  readonly lastTaken: () => number;
  readonly onClose: () => void;
}

/** Every listener has its price on each of very many streams: there is one of a kind. */
async function answerOf<R>(
  stream: ClientHttp2Stream,
  { signal }: HttpRequest,
  read: Reading<R>,
  { lastTaken, onClose }: Surroundings,
): Promise<R> {
  const { promise, resolve, reject } = Promise.withResolvers<R>();
  const abort = () => stream.close(constants.NGHTTP2_CANCEL);
  signal?.addEventListener("abort", abort, { once: true });
  let cause: unknown;
  stream.on("error", (problem) => void (cause = problem));
  const loss = () => {
    if (signal?.aborted === true) return signal.reason as Error;
    // By the protocol's own promise the server has not looked at a stream that it refused, or that its goodbye leaves out.
    const isLeftOut = stream.id !== undefined && stream.id > lastTaken();
    const refused = isLeftOut || stream.rstCode === constants.NGHTTP2_REFUSED_STREAM;
    const sent = !refused && stream.id !== undefined;
    return new ConnectionError(`the connection was lost: ${messageOf(cause)}`, { sent, refused, cause });
  };
  let hasBegun = false;
  let isDone = false;
  const done = (result: R) => {
    isDone = true;
    resolve(result);
  };
  stream.on("response", (headers: IncomingHttpHeaders & { readonly ":status"?: number }) => {
    hasBegun = true;
    read({ head: { status: headers[":status"] ?? 0, headers }, stream, loss }, done);
  });
  stream.on("close", () => {
    onClose();
    signal?.removeEventListener("abort", abort);
    // An error is costly to make, and nobody hears of it after an answer.
    if (!isDone) reject(hasBegun ? new ConnectionError("the answer was cut off", { sent: true, cause }) : loss());
  });
  return await promise;
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : "closed by the server without an answer";
}

/** A session that is destroyed waits for its peer to close the socket, and a peer that is gone never does. */
function end(session: ClientHttp2Session, socket: Socket, why: string): void {
  session.destroy(new Error(why));
  socket.destroy();
}

/** A peer that vanished without a word would leave every watch waiting for ever. */
function watchPeer(
  session: ClientHttp2Session,
  socket: Socket,
  { pingAfterMilliseconds, deadAfterMilliseconds }: Liveness,
): NodeJS.Timeout {
  let heard = socket.bytesRead;
  const timer = setInterval(() => {
    const silent = socket.bytesRead === heard;
    heard = socket.bytesRead;
    if (!silent || session.destroyed) return;
    const dead = setTimeout(() => end(session, socket, "the server does not answer pings"), deadAfterMilliseconds);
    dead.unref();
    session.ping((problem) => problem ?? clearTimeout(dead));
  }, pingAfterMilliseconds);
  timer.unref();
  return timer;
}
