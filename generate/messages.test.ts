import { deepEqual, equal } from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { packageRoot } from "../src/dev/paths.ts";
import { generateMessages, messages } from "./messages.ts";

test("the committed messages are what proto/ says", async (t) => {
  const fresh = await mkdtemp(join(tmpdir(), "portway-messages-"));
  t.after(() => rm(fresh, { recursive: true }));
  await generateMessages(fresh);
  const [made, committed] = [join(fresh, messages), join(packageRoot, messages)];
  deepEqual((await readdir(committed)).sort(), (await readdir(made)).sort(), "run make generate");
  for (const name of await readdir(made))
    equal(
      await readFile(join(committed, name), "utf8"),
      await readFile(join(made, name), "utf8"),
      `${messages}/${name} is stale: run make generate`,
    );
});
