import type { Readable } from "node:stream";

/** One request, ready to be sent: everything above it speaks of objects, everything below it of connections. */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Buffer;
  readonly signal?: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Must be read to its end or destroyed: until then it holds a place on its connection. */
  readonly body: Readable;
}

export interface WholeResponse extends Omit<HttpResponse, "body"> {
  readonly text: string;
}

/** An open connection, or several, over which requests are sent. */
export interface Connection {
  /** Answers when the whole answer has arrived. */
  exchange(request: HttpRequest): Promise<WholeResponse>;
  /** Answers when the answer begins. */
  open(request: HttpRequest): Promise<HttpResponse>;
  /** Whether another request may be sent now. */
  hasRoom(): boolean;
  /** False when it has ended for good, with all its answers. */
  isOpen(): boolean;
  /** Takes no more requests, and ends with the last answer. */
  drain(): void;
  /** Resolves when the last answer has ended; those that take too long are cut off. */
  close(): Promise<void>;
}

/** How long an answer that is being read may go on when its connection is closed: a watch would go on for ever. */
export const closeWithinMilliseconds = 2000;

interface Loss {
  readonly sent: boolean;
  readonly refused?: boolean;
  readonly cause?: unknown;
}

/**
 * The connection failed us. `sent` is false only when the server cannot have seen the request; then, and only then, a
 * write may be repeated.
 */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly sent: boolean;
  /** A server that is there has not looked at it, because it is done with the connection. */
  readonly refused: boolean;

  constructor(what: string, { sent, refused = false, cause }: Loss) {
    super(what, { cause });
    this.sent = sent;
    this.refused = refused;
  }
}

/** Reads a body that is being sent, from its first byte: it must be called before anything is waited for. */
export async function wholeText(body: Readable, isWhole: () => boolean = () => true): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  let isOver = false;
  body.on("data", (chunk: Buffer) => chunks.push(chunk));
  const cutOff = (cause?: unknown) => {
    // Every answer closes in the end: an error is costly to make, and nobody hears of it by then.
    if (!isOver) reject(new ConnectionError("the answer was cut off", { sent: true, cause }));
    isOver = true;
  };
  body.on("end", () => {
    if (!isWhole()) return cutOff();
    isOver = true;
    resolve(textOf(chunks));
  });
  body.on("error", cutOff);
  body.on("close", cutOff);
  return await promise;
}

export function textOf(chunks: readonly Buffer[]): string {
  const [first] = chunks;
  // Most answers come in one piece.
  return (chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks)).toString("utf8");
}

export function header(response: Pick<HttpResponse, "headers">, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
