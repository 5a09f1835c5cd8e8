import { type ClientHttp2Stream, constants, type ServerHttp2Stream } from "node:http2";
import { endOfFirstList, linesTo } from "./lines.ts";
import type { ReadRecord } from "./reads.ts";
import { drop, type Head, isWhole, lossCode, relay } from "./relay.ts";
import type { WatchedStreams } from "./watch-faults.ts";
import { type WatchGate, watchGate } from "./watch-gate.ts";

/** A read of the client, and how to ask the server, for this path or for another. */
export interface Reading {
  readonly down: ServerHttp2Stream;
  readonly path: string;
  readonly read: ReadRecord | undefined;
  readonly ask: (path: string) => ClientHttp2Stream | undefined;
}

export function serveRead(reading: Reading, streams: WatchedStreams): void {
  const { read, down, path, ask } = reading;
  if (read?.verb === "watch") return serveWatch({ ...reading, read }, streams);
  const copy = read?.verb === "list" ? streams.copies.staleFor(read) : undefined;
  if (copy !== undefined) {
    down.respond(copy.fields);
    down.end(Buffer.concat(copy.parts));
    return;
  }
  const up = ask(path);
  if (up === undefined) return drop(down, constants.NGHTTP2_REFUSED_STREAM);
  relay(up, down, (head) => {
    if (read?.verb === "list" && head.status === 200) keepCopy(up, head, read, streams);
    return false;
  });
}

function keepCopy(up: ClientHttp2Stream, { fields }: Head, read: ReadRecord, { copies }: WatchedStreams): void {
  const parts: Buffer[] = [];
  up.on("data", (chunk: Buffer) => parts.push(chunk));
  up.on("close", () => {
    if (isWhole(up)) copies.remember(read, { fields, parts, version: "" });
  });
}

function serveWatch(reading: Reading & { readonly read: ReadRecord }, streams: WatchedStreams): void {
  const { read, down, path, ask } = reading;
  const hasFirstList = read.query["sendInitialEvents"] === "true";
  const stale = hasFirstList ? streams.copies.staleFor(read) : undefined;
  const up = ask(stale === undefined ? path : pathFrom(path, stale.version));
  if (up === undefined) return drop(down, constants.NGHTTP2_REFUSED_STREAM);
  const gate = watchGate(down, streams.treatmentOf(read.resource), (isFull) => (isFull ? up.pause() : up.resume()));
  if (stale !== undefined) {
    down.respond(stale.fields);
    for (const line of stale.parts) gate.add(line, { isFirstList: true });
    gate.flow();
  }
  relay(up, down, (head) => {
    const isEvents = head.status === 200 && String(head.fields["content-type"]).includes("json");
    if (!isEvents) {
      // Half of the answer is already with the client.
      if (stale !== undefined) drop(down);
      return stale !== undefined;
    }
    down.on("close", streams.add(read.resource, gate));
    if (!down.headersSent) down.respond(head.fields);
    const remember = hasFirstList && stale === undefined ? firstListOf(head, read, streams) : () => false;
    follow(up, gate, remember);
    return true;
  });
}

/** The watch that the stale list would have gone on with. */
function pathFrom(path: string, version: string): string {
  const url = new URL(path, "https://server");
  url.searchParams.delete("sendInitialEvents");
  url.searchParams.delete("resourceVersionMatch");
  url.searchParams.set("resourceVersion", version);
  return `${url.pathname}${url.search}`;
}

/** Collects the lines up to the end of the first list; answers whether the line was one of them. */
function firstListOf({ fields }: Head, read: ReadRecord, { copies }: WatchedStreams): (line: Buffer) => boolean {
  let lines: Buffer[] | undefined = [];
  return (line) => {
    if (lines === undefined) return false;
    lines.push(line);
    const version = endOfFirstList(line);
    if (version === undefined) return true;
    copies.remember(read, { fields, parts: lines, version });
    lines = undefined;
    return true;
  };
}

function follow(up: ClientHttp2Stream, gate: WatchGate, isFirstList: (line: Buffer) => boolean): void {
  const lines = linesTo((line) => gate.add(line, { isFirstList: isFirstList(line) }));
  up.on("data", (chunk: Buffer) => {
    lines.add(chunk);
    gate.flow();
  });
  up.on("close", () => {
    if (lines.rest().length > 0 && isWhole(up)) gate.add(lines.rest());
    gate.end(isWhole(up) ? "whole" : lossCode(up));
  });
}
