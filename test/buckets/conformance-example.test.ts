import { deepEqual, ok } from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { freePort } from "../../src/dev/ports.ts";
import { freshCache, start, until } from "../fixture/portway.ts";
import { reportOn } from "./conformance-report.ts";

const program = "test/buckets/example-driver.ts";

/** The example of the documentation, as a process of its own. Answers where it keeps its folders. */
async function exampleDriver(t: TestContext, endpoint: string): Promise<string> {
  const root = await freshCache(t);
  const env = { MASTER_KEY: "the example's own master key" };
  const running = start(t, [root, endpoint], { program, env });
  await until("it listens", () => {
    if (running.process.exitCode !== null) throw new Error(running.said());
    return running.said().includes("listening on");
  });
  return root;
}

test("the documentation shows the driver that is tried here", async () => {
  const page = await readFile("docs/bucket-drivers.md", "utf8");
  const shown = /```ts\n(.*?)```/s.exec(page)?.[1];
  deepEqual(shown?.split("\n"), (await readFile(program, "utf8")).split("\n"));
});

test("the driver of the documentation passes every check", async (t) => {
  const socket = `unix://${await freshCache(t)}/cosi.sock`;
  const root = await exampleDriver(t, socket);
  const { code, failed, report } = await reportOn(socket, { asksStore: true });
  deepEqual([code, failed], [0, []]);
  ok(report.checks.some(({ name, result }) => name === "create-grants-as-announced" && result === "ok"));
  for (const folder of ["buckets", "accounts"]) deepEqual(await readdir(join(root, folder)), []);
});

test("a driver on loopback TCP is tried as one on a socket is", async (t) => {
  const endpoint = `tcp://127.0.0.1:${await freePort()}`;
  await exampleDriver(t, endpoint);
  const { code, failed } = await reportOn(endpoint, { asksStore: true });
  deepEqual([code, failed], [0, []]);
});
