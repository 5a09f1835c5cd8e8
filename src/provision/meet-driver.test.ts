import { deepEqual, equal, rejects } from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { startCsiDriver } from "../../test/driver/csi.ts";
import { csiWorld, freshPlace } from "../../test/driver/place.ts";
import { until } from "../../test/fixture/portway.ts";
import { rememberedLog } from "../../test/fixture/remembered-log.ts";
import { aDriver } from "../../test/provision/orders.ts";
import { connectDriver } from "../rpc/driver.ts";
import type { DriverFacts } from "./driver-facts.ts";
import { acquaintance, meetDriver } from "./meet-driver.ts";

const never = new AbortController().signal;

test("a driver is waited for until it answers, and asked what it can do", async (t) => {
  const place = await freshPlace(t);
  const driver = connectDriver({ socket: place.socket, timeoutSeconds: 1 });
  t.after(() => driver.close());
  const { log, lines } = rememberedLog();
  const meeting = meetDriver(driver, log, never);
  await until("it is not ready", () => lines.some(({ msg }) => String(msg).includes("not ready")));
  const running = await startCsiDriver(place, { name: "late.example.com", capabilities: ["CREATE_DELETE_VOLUME"] });
  t.after(() => running.stop());
  const { name, capabilities, plugin } = await meeting;
  deepEqual(
    [name, [...capabilities], [...plugin]],
    ["late.example.com", ["CREATE_DELETE_VOLUME"], ["CONTROLLER_SERVICE"]],
  );
});

test("whatever else it answers at first ends the process", async (t) => {
  const { place } = await csiWorld(t);
  place.play([{ method: "Probe", when: "before", fault: { code: "INTERNAL", message: "no disk" } }]);
  const driver = connectDriver({ socket: place.socket });
  t.after(() => driver.close());
  await rejects(meetDriver(driver, rememberedLog().log, never), /no disk/);
});

test("who is asked to stop does not wait for a driver that never comes", async (t) => {
  const driver = connectDriver({ socket: join((await freshPlace(t)).state, "nobody.sock"), timeoutSeconds: 1 });
  t.after(() => driver.close());
  const stop = new AbortController();
  const meeting = meetDriver(driver, rememberedLog().log, stop.signal);
  stop.abort();
  await rejects(meeting);
});

async function after(second: DriverFacts): Promise<{ readonly others: number; readonly asked: number }> {
  let [others, asked] = [0, 0];
  const known = acquaintance(
    aDriver(),
    async () => {
      asked++;
      return second;
    },
    () => void others++,
  );
  await known.confirm();
  equal(asked, 0, "nobody doubts it yet");
  known.doubt();
  await Promise.all([known.confirm(), known.confirm()]).catch(() => undefined);
  await known.confirm().catch(() => undefined);
  return { others, asked };
}

test("after its connection was lost a driver is asked once whether it is the same", async () => {
  deepEqual(await after(aDriver()), { others: 0, asked: 1 });
});

test("a newer version that can do the same is the same driver", async () => {
  deepEqual(await after({ ...aDriver(), vendorVersion: "v2" }), { others: 0, asked: 1 });
});

test("one that can do something else, or has another name, is not", async () => {
  equal((await after(aDriver("CLONE_VOLUME"))).others > 0, true);
  equal((await after({ ...aDriver(), name: "another.example.com" })).others > 0, true);
});
