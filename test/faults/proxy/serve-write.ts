import { type ClientHttp2Stream, constants, type ServerHttp2Stream } from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import type { KubeObject } from "../../../src/api/object.ts";
import { type Fault, type Reply, refusal } from "./faults.ts";
import { parsedIn } from "./parsed.ts";
import type { Struck } from "./plans.ts";
import { closed, drop, lossCode, send, wholeAnswer } from "./relay.ts";
import type { WriteRecord, Writing } from "./write-record.ts";

/** A write that has arrived whole. */
export interface Arrived {
  readonly down: ServerHttp2Stream;
  readonly record: Writing;
  /** Sends it to the server as it came; undefined when the connection takes no more requests. */
  readonly forward: () => ClientHttp2Stream | undefined;
  /** The same on a connection of its own: that of the client may be gone. */
  readonly forwardAlone: () => Promise<Reply | undefined>;
}

/** Resolves when nothing more will be sent to the client about this write. */
export async function serveWrite(arrived: Arrived, struck: Struck | undefined): Promise<void> {
  const { record, forward } = arrived;
  const fault = struck?.fault;
  const ways = waysToEnd(arrived, struck);
  if (fault !== undefined) record.fault = fault;
  if (struck !== undefined && isLate(struck.fault)) return await arriveLate(arrived, struck);
  const early = endBefore(fault, record, ways);
  if (early !== undefined) return await early();
  if (fault?.kind === "slow") await sleep(fault.milliseconds);

  const up = forward();
  if (up === undefined) return await ways.loseReply(constants.NGHTTP2_REFUSED_STREAM);
  // Also when the client has gone meanwhile: a write that was sent is on its way, and the log must tell what came of it.
  const reply = await wholeAnswer(up);
  if (reply === undefined) return await ways.loseReply(lossCode(up));
  note(record, reply);
  await endAfter(fault, record, reply, ways)();
}

function isLate({ kind }: Fault): boolean {
  return kind === "late-after-kill" || kind === "late-after-timeout";
}

/** Whoever sent it is dead or has given it up. What the server makes of it stands in the log, and nowhere else. */
async function arriveLate({ down, record, forwardAlone }: Arrived, struck: Struck): Promise<void> {
  if (struck.fault.kind === "late-after-kill") {
    await struck.kill();
    drop(down);
  }
  await closed(down);
  await struck.until();
  const reply = await forwardAlone();
  if (reply !== undefined) note(record, reply);
  struck.carriedOut();
}

type End = () => Promise<void>;

interface Ways {
  readonly tell: (reply: Reply) => Promise<void>;
  readonly loseReply: (code?: number) => Promise<void>;
  readonly kill: End;
  readonly sayNothing: End;
}

function waysToEnd({ down, record }: Arrived, struck: Struck | undefined): Ways {
  const loseReply = async (code?: number) => {
    drop(down, code);
    struck?.carriedOut();
    await closed(down);
  };
  return {
    loseReply,
    async tell(reply) {
      record.told = reply.status;
      struck?.carriedOut();
      record.delivered = await send(down, reply);
    },
    async kill() {
      // Dead first: a client that still lives would already react to the loss of the stream.
      await struck?.kill();
      await loseReply();
    },
    async sayNothing() {
      struck?.carriedOut();
      await closed(down);
    },
  };
}

/** How it ends without the server; undefined when the server is asked. */
function endBefore(fault: Fault | undefined, record: WriteRecord, ways: Ways): End | undefined {
  switch (fault?.kind) {
    case "kill-before":
      return ways.kill;
    case "answer":
      return () => ways.tell(refusal(fault.code, record, fault.retryAfterSeconds));
    case "timeout":
      return ways.sayNothing;
    default:
      return undefined;
  }
}

/** How it ends when the server has answered. */
function endAfter(fault: Fault | undefined, record: WriteRecord, reply: Reply, ways: Ways): End {
  switch (fault?.kind) {
    case "kill-after":
      return ways.kill;
    case "lose-reply":
      return ways.loseReply;
    case "applied-then-500":
      return () => ways.tell(refusal(500, record));
    case "applied-then-timeout":
      return ways.sayNothing;
    default:
      return () => ways.tell(reply);
  }
}

function note(record: Writing, { status, fields, bytes }: Reply): void {
  record.code = status;
  record.answeredAt = performance.now();
  if (status >= 300) return;
  const { "content-type": contentType, "content-encoding": encoding } = fields;
  const answer = parsedIn(bytes, String(contentType), encoding) as KubeObject | undefined;
  if (answer === undefined) return;
  record.answer = answer;
  // The server makes up the rest of a generateName.
  if (record.verb === "create" && record.name === undefined && answer.metadata?.name !== undefined)
    record.name = answer.metadata.name;
}
