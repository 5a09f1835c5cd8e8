import { deepEqual, equal, rejects } from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { array, asyncProperty, assert as check, integer, string } from "fast-check";
import { follow, GarbledStream, SilentStream, type WatchEvent } from "./watch-events.ts";

const patient = { silentMilliseconds: 30_000, signal: new AbortController().signal };
const lineOf = (name: string) => `${JSON.stringify({ type: "ADDED", object: { metadata: { name } } })}\n`;

async function namesIn(chunks: readonly Buffer[]): Promise<readonly (string | undefined)[]> {
  const body = new PassThrough();
  const names: (string | undefined)[] = [];
  const done = follow(
    body,
    (event: WatchEvent) => event.type === "ADDED" && names.push(event.object.metadata.name),
    patient,
  );
  for (const chunk of chunks) body.write(chunk);
  body.end();
  await done;
  return names;
}

test("events arrive whole and in order, wherever the bytes are cut", async () => {
  await check(
    asyncProperty(
      array(string({ unit: "grapheme" }), { maxLength: 8 }),
      integer({ min: 1, max: 9 }),
      async (names, size) => {
        const bytes = Buffer.from(names.map(lineOf).join(""));
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
          bytes.subarray(i * size, (i + 1) * size),
        );
        deepEqual(await namesIn(chunks), names);
      },
    ),
  );
});

test("an unfinished last line is not an event", async () => {
  deepEqual(await namesIn([Buffer.from(`${lineOf("whole")}{"type":"ADDED","obj`)]), ["whole"]);
});

for (const line of ["not json", "null", "[]", '{"type":"ADDED"}', '{"type":1,"object":{}}']) {
  test(`a line like ${line} ends the stream: an event may be hidden in it`, async () => {
    await rejects(namesIn([Buffer.from(`${line}\n`)]), GarbledStream);
  });
}

test("what was buffered after a bad line is not handed over", async () => {
  const body = new PassThrough();
  for (const text of [lineOf("1"), "garbage\n", lineOf("3")]) body.write(text);
  const names: unknown[] = [];
  await rejects(
    follow(body, (event) => event.type === "ADDED" && names.push(event.object.metadata.name), patient),
    GarbledStream,
  );
  deepEqual(names, ["1"]);
});

test("a stream that says nothing is given up", async () => {
  const body = new PassThrough();
  await rejects(
    follow(body, () => undefined, { ...patient, silentMilliseconds: 20 }),
    SilentStream,
  );
  equal(body.destroyed, true);
});

test("a stream that breaks is an error, not an end", async () => {
  const body = new PassThrough();
  const done = follow(body, () => undefined, patient);
  body.destroy();
  await rejects(done, /cut off/);
});

test("following ends when it is called off", async () => {
  const body = new PassThrough();
  const off = new AbortController();
  const done = follow(body, () => undefined, { ...patient, signal: off.signal });
  off.abort(new Error("enough"));
  await rejects(done, /enough/);
  equal(body.destroyed, true);
});
