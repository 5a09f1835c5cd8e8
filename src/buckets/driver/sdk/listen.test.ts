import { equal, match, rejects } from "node:assert/strict";
import { once } from "node:events";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { connected } from "../../../../test/driver/place.ts";
import { freshCache, until } from "../../../../test/fixture/portway.ts";
import { spawnLeashed } from "../../../dev/component.ts";
import { accepts } from "../../../dev/probe.ts";
import { BucketDriver } from "../../../rpc/gen/buckets_pb.js";
import { serveDriver } from "./serve.ts";

async function served(t: TestContext, endpoint: string, name = "test.portway.dev") {
  const driver = await serveDriver({
    endpoint,
    name,
    version: "1",
    protocols: ["s3"],
    capabilities: [],
    createBucket: ({ name }) => ({ bucketId: name, endpoint: {} }),
    deleteBucket: () => undefined,
    grantBucketAccess: () => ({ accountId: "1", endpoint: {}, credentials: { a: "b" } }),
    revokeBucketAccess: () => undefined,
  });
  t.after(async () => await driver.stop(0));
  return driver;
}

async function nameAt(t: TestContext, socket: string): Promise<string> {
  return (await connected(t, { socket }).calls(BucketDriver).getDriverInfo({})).name;
}

test("a socket is there for its owner and its group, and for nobody else", async (t) => {
  const path = join(await freshCache(t), "cosi.sock");
  const { endpoint } = await served(t, `unix://${path}`);
  equal(endpoint, `unix://${path}`);
  equal((await stat(path)).mode & 0o777, 0o660);
  equal(await nameAt(t, endpoint), "test.portway.dev");
});

test("a socket that a killed driver left behind is replaced", async (t) => {
  const path = join(await freshCache(t), "cosi.sock");
  const listens = `require("node:net").createServer().listen(${JSON.stringify(path)})`;
  const killed = spawnLeashed(process.execPath, ["-e", listens], { stdio: "ignore" });
  await until("it listens", () => accepts(path));
  killed.kill("SIGKILL");
  await once(killed, "exit");
  equal((await stat(path)).isSocket(), true);
  equal(await nameAt(t, (await served(t, path)).endpoint), "test.portway.dev");
});

test("a driver that lives, and a file that is no socket, are left alone", async (t) => {
  const folder = await freshCache(t);
  const [path, file] = [join(folder, "cosi.sock"), join(folder, "notes.txt")];
  await served(t, path, "first.portway.dev");
  await rejects(served(t, path, "second.portway.dev"), /another driver listens on/);
  equal(await nameAt(t, path), "first.portway.dev");
  await writeFile(file, "kept");
  await rejects(served(t, file), /is there and is no socket/);
});

test("TCP is served on loopback, at a port of its own when none is named", async (t) => {
  const { endpoint } = await served(t, "tcp://127.0.0.1:0");
  match(endpoint, /^tcp:\/\/127\.0\.0\.1:[1-9]\d+$/);
  equal(await nameAt(t, endpoint), "test.portway.dev");
  const other = await served(t, "tcp://localhost:0", "other.portway.dev");
  equal(await nameAt(t, other.endpoint), "other.portway.dev");
});

test("an address beyond this machine is refused, because answers hold keys and the wire has no TLS", async (t) => {
  for (const away of ["tcp://0.0.0.0:9000", "10.0.0.1:9000", "driver.example.com:9000", "[::]:9000"])
    await rejects(served(t, away), /is not on this machine/, away);
});

test("a place where nobody can listen is told with what to look at", async (t) => {
  const folder = await freshCache(t);
  await rejects(served(t, join(folder, "missing", "cosi.sock")), {
    next: "See that its folder is there and writable.",
  });
});

test("a name that no registration could have is refused at the start", async (t) => {
  for (const name of ["", "Vendor", "a_b", "a..b", "-a", "x".repeat(64)])
    await rejects(served(t, join(await freshCache(t), "s"), name), /is no name of a driver/, name);
});
