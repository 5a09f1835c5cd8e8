import {
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import type { Reply } from "./faults.ts";

/** The header fields as they were sent: Node's own view joins those that come twice. */
export function fieldsIn(raw: readonly string[]): OutgoingHttpHeaders {
  const fields: Record<string, string | string[]> = {};
  for (let i = 0; i < raw.length; i += 2) {
    const [name = "", value = ""] = raw.slice(i, i + 2);
    const before = fields[name];
    fields[name] = before === undefined ? value : [before, value].flat();
  }
  return fields;
}

export interface Head {
  readonly status: number;
  readonly fields: OutgoingHttpHeaders;
  /** There is no body. */
  readonly isAll: boolean;
}

/** Called in the very tick of the answer's arrival: later its bytes may be gone. */
export function onHead(up: ClientHttp2Stream, take: (head: Head) => void): void {
  up.on("response", (headers: IncomingHttpHeaders & { ":status"?: number }, flags: number, raw: string[]) => {
    const status = Number(headers[":status"]);
    const isAll = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    take({ status, fields: { ...fieldsIn(raw), ":status": status }, isAll });
  });
}

/** A stream whose connection is lost ends like any other for its reader; only the code tells. */
export function isWhole({ rstCode }: ClientHttp2Stream): boolean {
  return rstCode === undefined || rstCode === constants.NGHTTP2_NO_ERROR;
}

/** A request that was never sent has not been seen by the server, and the client may know that. */
export function lossCode(up: ClientHttp2Stream): number {
  if (up.id === undefined) return constants.NGHTTP2_REFUSED_STREAM;
  return isWhole(up) ? constants.NGHTTP2_INTERNAL_ERROR : (up.rstCode ?? constants.NGHTTP2_INTERNAL_ERROR);
}

/** Once an answer has begun, closing its stream would first end it, and half an answer would look like a whole one. */
export function drop(down: ServerHttp2Stream, code: number = constants.NGHTTP2_INTERNAL_ERROR): void {
  if (down.closed || down.destroyed) return;
  if (down.headersSent) down.destroy(new Error("cut off"));
  else down.close(code);
}

/** Whoever loses interest in an answer says so to whoever sends it. */
export function cancelWith(down: ServerHttp2Stream, up: ClientHttp2Stream): void {
  const cancel = () => up.closed || up.close(constants.NGHTTP2_CANCEL);
  if (down.closed) cancel();
  down.on("close", cancel);
}

/**
 * Everything that comes back, as it comes, and no faster than the client reads it; unless somebody takes the answer over
 * when it begins.
 */
export function relay(up: ClientHttp2Stream, down: ServerHttp2Stream, takesOver: (head: Head) => boolean): void {
  let isTaken = false;
  onHead(up, (head) => {
    if (down.closed || down.destroyed) return;
    isTaken = takesOver(head);
    if (isTaken) return;
    down.respond(head.fields, { endStream: head.isAll });
    if (!head.isAll) up.pipe(down, { end: false });
  });
  up.on("close", () => {
    if (isTaken) return;
    if (isWhole(up) && down.headersSent) down.end();
    else drop(down, lossCode(up));
  });
  cancelWith(down, up);
}

/** The whole answer; undefined when the server never gave one. */
export async function wholeAnswer(up: ClientHttp2Stream): Promise<Reply | undefined> {
  const { promise, resolve } = Promise.withResolvers<Reply | undefined>();
  const chunks: Buffer[] = [];
  let head: Head | undefined;
  onHead(up, (begun) => {
    head = begun;
    up.on("data", (chunk: Buffer) => chunks.push(chunk));
  });
  up.on("close", () => {
    const isAnswered = head !== undefined && isWhole(up);
    resolve(
      isAnswered ? { status: head?.status ?? 0, fields: head?.fields ?? {}, bytes: Buffer.concat(chunks) } : undefined,
    );
  });
  return await promise;
}

/** Resolves when the client has it all, or has gone; answers which of the two. */
export async function send(down: ServerHttp2Stream, { fields, bytes }: Reply): Promise<boolean> {
  if (down.closed || down.destroyed) return false;
  down.respond(fields, { endStream: bytes.length === 0 });
  if (bytes.length > 0) down.end(bytes);
  await closed(down);
  return down.rstCode === constants.NGHTTP2_NO_ERROR;
}

export async function closed(down: ServerHttp2Stream): Promise<void> {
  if (down.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  down.on("close", resolve);
  await promise;
}
