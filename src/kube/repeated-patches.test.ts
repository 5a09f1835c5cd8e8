import { equal, rejects } from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "./errors.ts";
import { lateMilliseconds, repeatedPatches } from "./repeated-patches.ts";

const asked = { verb: "patch", resource: "pods", writes: true, patch: "json" } as const;
const refusal = () =>
  new ApiError(
    asked,
    { code: 422, reason: "Invalid", message: "no", causes: [], retryAfterSeconds: undefined },
    "conflict",
  );

async function send(guarded: ReturnType<typeof repeatedPatches>, patch: string, fails: boolean): Promise<string> {
  return await guarded.guard("/path", patch, async () => {
    if (fails) throw refusal();
    return "ok";
  });
}

test("the same patch refused when the news must have come is a bug, a new one is a new try", async () => {
  let now = 0;
  const guarded = repeatedPatches(() => now);
  await rejects(send(guarded, "v1", true), { trouble: "conflict" });
  now += lateMilliseconds;
  await rejects(send(guarded, "v2", true), { trouble: "conflict" });
  now += lateMilliseconds - 1;
  await rejects(send(guarded, "v2", true), { trouble: "conflict" }, "the watch may be late");
  now += 1;
  await rejects(send(guarded, "v2", true), { trouble: "bug" });
});

test("success in between starts anew", async () => {
  const guarded = repeatedPatches();
  await rejects(send(guarded, "v1", true), { trouble: "conflict" });
  equal(await send(guarded, "v1", false), "ok");
  await rejects(send(guarded, "v1", true), { trouble: "conflict" });
});

test("other failures are none of its business", async () => {
  const guarded = repeatedPatches();
  const fail = () => guarded.guard("/p", "v1", () => Promise.reject(new Error("lost")));
  await rejects(fail(), /lost/);
  await rejects(fail(), /lost/);
});
