import { deepEqual, equal, match, ok, rejects } from "node:assert/strict";
import { once } from "node:events";
import { renameSync } from "node:fs";
import { createServer as createHttp2Server, type ServerHttp2Session } from "node:http2";
import { test } from "node:test";
import { inspect } from "node:util";
import { startCsiDriver } from "../../test/driver/csi.ts";
import { aVolume, connected, csiWorld, freshPlace, noFrom } from "../../test/driver/place.ts";
import type { FinishedCall, Said } from "./driver.ts";
import { Controller, Identity } from "./gen/csi_pb.js";

test("the first call waits for a driver that is still starting", async (t) => {
  const place = await freshPlace(t);
  const call = connected(t, { socket: `unix://${place.socket}` })
    .calls(Identity)
    .getPluginInfo({});
  const driver = await startCsiDriver(place);
  t.after(() => driver.stop());
  equal((await call).name, "scripted.csi.portway.dev");
});

test("a driver that never comes is a deadline, and one that went away is UNAVAILABLE at once", async (t) => {
  const place = await freshPlace(t);
  const identity = connected(t, { socket: place.socket, timeoutSeconds: 0.3 }).calls(Identity);
  equal((await noFrom(identity.probe({}))).message, "Probe: no answer in time (DEADLINE_EXCEEDED)");
  const driver = await startCsiDriver(place);
  await identity.probe({}, { timeoutSeconds: 30 });
  await driver.stop();
  const gone = await noFrom(identity.probe({}, { timeoutSeconds: 600 }));
  deepEqual([gone.code, gone.trouble], ["UNAVAILABLE", "transient"]);
  const still = await noFrom(identity.probe({}, { timeoutSeconds: 600 }));
  match(still.message, /^Probe: no connection: connect ENOENT .*driver\.sock \(UNAVAILABLE\)$/);
});

test("a driver that comes back is found again by the same calls", async (t) => {
  const place = await freshPlace(t);
  const identity = connected(t, { socket: place.socket }).calls(Identity);
  for (const name of ["one.portway.dev", "two.portway.dev"]) {
    const driver = await startCsiDriver(place, { name });
    let said = await identity.getPluginInfo({}).catch(() => undefined);
    while (said === undefined) said = await identity.getPluginInfo({}).catch(() => undefined);
    equal(said.name, name);
    await driver.stop();
  }
});

test("after three calls without an answer a new connection is made, although others still wait on the old one", async (t) => {
  const place = await freshPlace(t);
  const sessions: ServerHttp2Session[] = [];
  const silent = createHttp2Server()
    .on("session", (session) => sessions.push(session))
    .on("stream", () => undefined);
  silent.listen(place.socket);
  await once(silent, "listening");
  const identity = connected(t, { socket: place.socket, timeoutSeconds: 0.3 }).calls(Identity);
  const bystander = connected(t, { socket: place.socket }).calls(Identity);
  const waits = [identity, bystander].map((one) => noFrom(one.probe({}, { timeoutSeconds: 600 })));
  equal((await noFrom(identity.probe({}))).code, "DEADLINE_EXCEEDED");
  // The silent one keeps its connection and loses its name to a driver that answers.
  renameSync(place.socket, `${place.socket}.old`);
  const driver = await startCsiDriver(place);
  t.after(() => driver.stop());
  for (const _ of [2, 3]) equal((await noFrom(identity.probe({}))).code, "DEADLINE_EXCEEDED");
  equal((await identity.probe({}, { timeoutSeconds: 15 })).ready, true);
  for (const session of sessions) session.destroy();
  for (const no of waits) equal((await no).code, "UNAVAILABLE", "it was left alone until its connection ended");
  silent.close();
});

test("a stream that ends without a status leaves a create in doubt, although its code says INTERNAL", async (t) => {
  const place = await freshPlace(t);
  const odd = createHttp2Server().on("stream", (stream) => {
    stream.respond({ ":status": 200, "content-type": "application/grpc" });
    stream.end();
  });
  odd.listen(place.socket);
  await once(odd, "listening");
  const driver = connected(t, { socket: place.socket });
  t.after(() => odd.close());
  const no = await noFrom(driver.calls(Controller).createVolume(aVolume("a")));
  driver.close();
  deepEqual([no.code, no.trouble], ["INTERNAL", "in-doubt"], no.message);
});

test("each call is told for metrics and for the log, without its secrets", async (t) => {
  const calls: FinishedCall[] = [];
  const said: Said[] = [];
  const options = { onCall: (call: FinishedCall) => calls.push(call), log: (one: Said) => said.push(one) };
  const { controller } = await csiWorld(t, {}, options);
  await controller.createVolume({ ...aVolume("a"), secrets: { password: "s3cret" } });
  await noFrom(controller.deleteVolume({ volumeId: "" }));
  deepEqual(
    calls.map(({ method, code }) => `${method} ${code}`),
    ["/csi.v1.Controller/CreateVolume OK", "/csi.v1.Controller/DeleteVolume INVALID_ARGUMENT"],
  );
  ok(calls.every(({ seconds }) => seconds >= 0));
  match(JSON.stringify(said[0]), /"name":"a".*"secrets":"\*\*\*stripped\*\*\*".*"volumeId":"vol-1"/);
  match(said[1]?.error ?? "", /volume_id is missing/);
  equal(JSON.stringify(said).includes("s3cret"), false);
});

test("a driver that quotes a secret in its error gives nothing away, not even in what is printed of the error", async (t) => {
  const { controller, place } = await csiWorld(t);
  const message = "login with admin:s3cret failed";
  place.play([{ method: "CreateVolume", when: "before", fault: { code: "PERMISSION_DENIED", message } }]);
  const no = await noFrom(controller.createVolume({ ...aVolume("a"), secrets: { password: "s3cret" } }));
  match(no.message, /login with admin:\*\*\*stripped\*\*\* failed/);
  equal(inspect(no, { depth: 9, showHidden: true }).includes("s3cret"), false);
});

test("sizes beyond what a JavaScript number holds arrive to the byte", async (t) => {
  const { controller } = await csiWorld(t, { capacityBytes: 2n ** 62n });
  const requiredBytes = 2n ** 53n + 1n;
  const { volume } = await controller.createVolume({ ...aVolume("a"), capacityRange: { requiredBytes } });
  equal(volume?.capacityBytes, requiredBytes);
});

test("after it was closed nothing is sent, and that is a bug of ours and no answer of the driver", async (t) => {
  const place = await freshPlace(t);
  const driver = connected(t, { socket: place.socket });
  driver.close();
  await rejects(driver.calls(Identity).probe({}), /was closed by us/);
});
