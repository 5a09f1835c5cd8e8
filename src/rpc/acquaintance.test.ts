import { equal, rejects } from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../test/fixture/portway.ts";
import { acquaintanceBy } from "./acquaintance.ts";

/** A driver that does not answer so many times. */
function asked(noes: number) {
  const driver = { times: 0 };
  const acquaintance = acquaintanceBy(async () => {
    if (driver.times++ < noes) throw new Error("nobody answers");
  });
  return { driver, acquaintance };
}

test("a driver that was lost is asked until it answers, though nobody calls it, and then no more", async () => {
  const { driver, acquaintance } = asked(2);
  acquaintance.lost();
  await until("it has answered", () => driver.times === 3);
  await acquaintance.confirm();
  equal(driver.times, 3);
});

test("a call asks first when there is a doubt, fails while nobody answers, and asks no more afterwards", async () => {
  const { driver, acquaintance } = asked(1);
  await acquaintance.confirm();
  equal(driver.times, 0);
  acquaintance.doubt();
  await rejects(acquaintance.confirm(), /nobody answers/);
  await acquaintance.confirm();
  await acquaintance.confirm();
  equal(driver.times, 2);
});
