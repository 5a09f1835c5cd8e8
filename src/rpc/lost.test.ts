import { equal } from "node:assert/strict";
import { test } from "node:test";
import { startCsiDriver } from "../../test/driver/csi.ts";
import { connected, freshPlace } from "../../test/driver/place.ts";
import { until } from "../../test/fixture/portway.ts";
import { Identity } from "./gen/csi_pb.js";

test("a driver that goes is noticed though nobody calls it, each time; to be closed by us is no loss", async (t) => {
  const place = await freshPlace(t);
  let losses = 0;
  const driver = connected(t, { socket: place.socket, onLost: () => void losses++ });
  for (const time of [1, 2]) {
    const running = await startCsiDriver(place);
    await until(
      "it is there",
      async () =>
        (await driver
          .calls(Identity)
          .probe({})
          .catch(() => undefined)) !== undefined,
    );
    await running.stop();
    await until(`loss ${time} is noticed`, () => losses === time);
  }
  const running = await startCsiDriver(place);
  t.after(() => running.stop());
  await until(
    "it is there",
    async () =>
      (await driver
        .calls(Identity)
        .probe({})
        .catch(() => undefined)) !== undefined,
  );
  driver.close();
  await new Promise(setImmediate);
  equal(losses, 2);
});
